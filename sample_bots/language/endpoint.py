"""The endpoint: one question to a language model over HTTP, bounded in time and in what is read of the answer.

What goes wrong here is the provider's fault and not the model's: the caller waits and asks again.
"""

from __future__ import annotations

import http.client
import json
import re
import threading
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from math import isfinite
from queue import Empty, SimpleQueue
from time import time
from typing import Any
from urllib.parse import urlsplit

MAX_ANSWER = 256 * 1024  # bytes that are read of an answer
PASSING = (408, 409, 425, 429)  # and every 5xx: worth asking again
UNKNOWN_FIELD = (400, 415, 422)  # what an endpoint says that does not know structured answers
MAX_WAIT = 3600.0  # seconds that an endpoint can ask for


class OutageError(Exception):
    """The endpoint gave no answer; the message says why, `wait` how long it wants to be left alone."""

    def __init__(self, reason: str, wait: float | None = None, *, is_passing: bool = True) -> None:
        super().__init__(reason)
        self.wait, self.is_passing = wait, is_passing


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said, and how many tokens that took, as far as the endpoint tells."""

    text: str
    tokens: int
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers chat completions."""

    url: str
    model: str
    key: str
    is_plain: threading.Event = field(default_factory=threading.Event)
    """Set for an endpoint that does not know structured answers."""

    def ask(self, messages: list[dict[str, str]], seconds: float, form: dict[str, Any] | None = None) -> Said:
        """Return the answer in time, or raise an OutageError; `form` is the form of the answer, where it is known."""
        # In its own thread: a socket's timeout is for one read, and an answer may trickle for ever.
        answers: SimpleQueue[Said | OutageError] = SimpleQueue()
        threading.Thread(target=lambda: answers.put(self._answer(messages, seconds, form)), daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            raise OutageError(f"no answer within {seconds:.1f} s") from None
        if isinstance(answer, OutageError):
            raise answer
        return answer

    def _answer(
        self, messages: list[dict[str, str]], seconds: float, form: dict[str, Any] | None
    ) -> Said | OutageError:
        try:
            question: dict[str, Any] = {"model": self.model, "messages": messages}
            if form is not None and not self.is_plain.is_set():
                status, data, wait = self._call(question | {"response_format": form}, seconds)
                if status not in UNKNOWN_FIELD:
                    return self._read(status, data, wait)
                self.is_plain.set()
            return self._read(*self._call(question, seconds))
        except OutageError as error:
            return error
        except TimeoutError:
            return OutageError(f"no answer within {seconds:.1f} s")
        except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
            # The comment with this text is public, and some errors quote the address or the key.
            known = error.strerror if isinstance(error, OSError) else None
            is_passing = isinstance(error, OSError | http.client.HTTPException | json.JSONDecodeError)
            is_passing = is_passing and not isinstance(error, http.client.InvalidURL)
            return OutageError(known or type(error).__name__, is_passing=is_passing)

    def _call(self, question: dict[str, Any], seconds: float) -> tuple[int, bytes, float | None]:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.netloc, timeout=seconds)
        try:
            headers = {"content-type": "application/json"}
            if self.key:
                headers["authorization"] = f"Bearer {self.key}"
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path or "/", json.dumps(question), headers)
            with connection.getresponse() as response:
                data = response.read(MAX_ANSWER + 1)
                return response.status, data, seconds_of(response.headers.get("retry-after"))
        finally:
            connection.close()

    def _read(self, status: int, data: bytes, wait: float | None) -> Said:
        if status != 200:
            raise OutageError(f"HTTP status {status}", wait, is_passing=status in PASSING or status >= 500)
        if len(data) > MAX_ANSWER:
            return Said("", 0)  # the model's doing
        return read_answer(json.loads(data))


def seconds_of(retry_after: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which may be a date; None if it says nothing."""
    text = (retry_after or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return min(float(text), MAX_WAIT)
    try:
        wait = parsedate_to_datetime(text).timestamp() - time()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(0.0, wait), MAX_WAIT) if isfinite(wait) else None


def read_answer(plain: Any) -> Said:
    """Return the text of a chat completion and its tokens; an OutageError if it is none.

    A model that says nothing, or only what it thinks, has an empty text: reasoning has fields and parts of its own.
    """
    try:
        message = plain["choices"][0]["message"]
        content = message.get("content")
        text = _text_of(content) or _of_tool(message.get("tool_calls"))
    except (KeyError, IndexError, TypeError, AttributeError):
        raise OutageError("the answer is no chat completion") from None
    usage = plain.get("usage")
    text = text.encode("utf-8", "replace").decode()  # halves of characters, which JSON can carry and the wire cannot
    return Said(text, _count(usage, "total_tokens"), _count(usage, "completion_tokens"))


def _text_of(content: Any) -> str:
    """Return a text, or the parts of a list that are text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = [
        part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in ("text", "output_text")
    ]
    return "".join(text for text in texts if isinstance(text, str))


def _of_tool(calls: Any) -> str:
    """Return the arguments of a tool call; of several none, for they may differ."""
    if not isinstance(calls, list) or len(calls) != 1:
        return ""
    arguments = calls[0]["function"]["arguments"]
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _count(usage: Any, name: str) -> int:
    tokens = usage.get(name) if isinstance(usage, dict) else None
    return tokens if type(tokens) is int and 0 <= tokens < 1 << 31 else 0
