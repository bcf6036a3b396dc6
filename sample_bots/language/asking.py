"""Asking: a question put into words, and an option number read back."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

# A bot runs in its own directory, so these are the files beside this one.
from endpoint import Endpoint, NoAnswerError  # type: ignore[import-not-found]

MAX_OPTIONS = 200  # shown; the rest is left out
MAX_REASON = 400  # characters
ATTEMPTS = 2
MIN_SECONDS = 0.2  # too little time to ask
ORDERS = (
    "Answer with the number of one option first, alone on its line, and then one short sentence why."
    " Write nothing else."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer: an option by its index, the reason, and the tokens used."""

    index: int
    reason: str
    tokens: int
    is_usable: bool


def words(view: str, events: Sequence[str], kind: str, options: Sequence[str]) -> str:
    """Return a question in words."""
    shown = [f"{number}. {text}" for number, text in enumerate(options[:MAX_OPTIONS], start=1)]
    left = len(options) - len(shown)
    parts = ["What you see:", view, ""]
    if events:
        parts += ["What happened since you were last asked:", *(f"- {event}" for event in events), ""]
    parts += [f"Decide now ({kind}):", *shown]
    if left:
        parts.append(f"({left} more options are not shown)")
    return "\n".join([*parts, "", ORDERS])


def read_number(text: str, count: int) -> int | None:
    """Return the first whole number from 1 to `count` in a text, less one; None if there is none."""
    for found in re.finditer(r"(?<![\w.,+-])\d{1,9}(?![\w%]|[.,]\d)", text):
        if 1 <= int(found.group()) <= count:
            return int(found.group()) - 1
    return None


def reason_of(text: str) -> str:
    """Return what a model said beside the number, on one line."""
    return " ".join(re.sub(r"^\W*(option\s*)?\d+\W*", "", text.strip(), flags=re.IGNORECASE).split())[:MAX_REASON]


def choose(endpoint: Endpoint, rules: str, question: str, count: int, seconds: float) -> Choice:
    """Ask, with one retry if the answer is unusable, and fall back on the first option; never later than asked for."""
    end, tokens, fault = time.monotonic() + seconds, 0, "there was no time"
    messages = [{"role": "system", "content": f"{rules}\n{ORDERS}"}, {"role": "user", "content": question}]
    shown = min(count, MAX_OPTIONS)
    for _ in range(ATTEMPTS):
        left = end - time.monotonic()
        if left < MIN_SECONDS:
            break
        try:
            said = endpoint.ask(messages, left)
        except NoAnswerError as error:
            fault = str(error)
            continue
        tokens += said.tokens
        index = read_number(said.text, shown)
        if index is not None:
            return Choice(index, reason_of(said.text) or "no reason given", tokens, True)
        fault = f"no number from 1 to {shown} in: {reason_of(said.text)[:120]}"
        messages += [
            {"role": "assistant", "content": said.text[:1_000]},
            {"role": "user", "content": f"That is no option. Answer with a number from 1 to {shown}."},
        ]
    return Choice(0, f"first option, because {fault}", tokens, False)
