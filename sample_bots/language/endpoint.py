"""The endpoint: one question to a language model over HTTP, bounded in time and in what is read of the answer."""

from __future__ import annotations

import http.client
import json
import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

MAX_ANSWER = 256 * 1024  # bytes that are read of an answer


class NoAnswerError(Exception):
    """The endpoint gave no text; the message says why."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said, and how many tokens that took, as far as the endpoint tells."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers chat completions."""

    url: str
    model: str
    key: str

    def ask(self, messages: list[dict[str, str]], seconds: float) -> Said:
        """Return the answer in time, or raise a NoAnswerError."""
        # In its own thread: a socket's timeout is for one read, and an answer may trickle for ever.
        answers: SimpleQueue[Said | NoAnswerError] = SimpleQueue()
        threading.Thread(target=lambda: answers.put(self._answer(messages, seconds)), daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            raise NoAnswerError(f"no answer within {seconds:.1f} s") from None
        if isinstance(answer, NoAnswerError):
            raise answer
        return answer

    def _answer(self, messages: list[dict[str, str]], seconds: float) -> Said | NoAnswerError:
        try:
            return self._call(messages, seconds)
        except NoAnswerError as error:
            return error
        except TimeoutError:
            return NoAnswerError(f"no answer within {seconds:.1f} s")
        except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
            # The comment with this text is public, and some errors quote the address or the key.
            known = error.strerror if isinstance(error, OSError) else None
            return NoAnswerError(known or type(error).__name__)

    def _call(self, messages: list[dict[str, str]], seconds: float) -> Said:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.netloc, timeout=seconds)
        try:
            body = json.dumps({"model": self.model, "messages": messages})
            headers = {"content-type": "application/json"}
            if self.key:
                headers["authorization"] = f"Bearer {self.key}"
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path or "/", body, headers)
            with connection.getresponse() as response:
                data = response.read(MAX_ANSWER + 1)
        finally:
            connection.close()
        if response.status != 200:
            raise NoAnswerError(f"HTTP status {response.status}")
        if len(data) > MAX_ANSWER:
            raise NoAnswerError(f"the answer has more than {MAX_ANSWER} bytes")
        return read_answer(json.loads(data))


def read_answer(plain: Any) -> Said:
    """Return the text of a chat completion and its tokens; a NoAnswerError if it is none."""
    try:
        text = plain["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise NoAnswerError("the answer is no chat completion") from None
    if not isinstance(text, str):
        raise NoAnswerError("the answer has no text")
    usage = plain.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    text = text.encode("utf-8", "replace").decode()  # halves of characters, which JSON can carry and the wire cannot
    return Said(text, tokens if type(tokens) is int and 0 <= tokens < 1 << 31 else 0)
