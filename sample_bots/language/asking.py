"""Asking: a question put into words, an answer read back, and who is to blame where there is none."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

# A bot runs in its own directory, so these are the files beside this one.
from endpoint import Endpoint, OutageError  # type: ignore[import-not-found]
from reading import Reader, reason_of  # type: ignore[import-not-found]

MAX_OPTIONS = 200  # shown; the rest is left out
MAX_ECHO = 1_000  # characters of an answer that are shown to the model again
MIN_SECONDS = 0.2  # too little time to ask
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds before an endpoint that gave no reason to wait is asked again
LISTED = (
    "Answer with the number of one option first, alone on its line, and then one short sentence why."
    ' If you answer in JSON, write {"option": NUMBER, "reason": "…"}. Write nothing else.'
)
UNLISTED = "Answer with one move as a JSON object in the notation above, and nothing else."
NUMBER_FORM = {
    "type": "json_schema",
    "json_schema": {
        "name": "choice",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"option": {"type": "integer"}, "reason": {"type": "string"}},
            "required": ["option", "reason"],
            "additionalProperties": False,
        },
    },
}
MOVE_FORM = {"type": "json_object"}


@dataclass(frozen=True, slots=True)
class Ask:
    """How to ask: the form of answers, the number of tries, and the price of a million tokens in and out."""

    orders: str = LISTED
    form: dict[str, Any] | None = None
    tries: int = 2
    price: tuple[float, float] | None = None
    pause: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer: an option by its index or a move, the reason, and what it cost."""

    index: Any
    reason: str
    tokens: int
    is_usable: bool
    is_outage: bool = False
    """Whether the provider is to blame, and not the model."""
    milliseconds: int = 0
    cost: float | None = None

    @property
    def margin(self) -> str:
        """Return what stands at the end of the comment, for programs to read."""
        fault = "" if self.is_usable else "outage, " if self.is_outage else "unusable, "
        cost = "" if self.cost is None else f", ${self.cost:.6f}"
        return f"[{fault}{self.tokens} tokens, {self.milliseconds} ms{cost}]"


def words(view: str, events: Sequence[str], kind: str, options: Sequence[str], ask: Ask, notation: str = "") -> str:
    """Return a question in words; in place of the options a notation, if there is one."""
    shown = [f"{number}. {text}" for number, text in enumerate(options[:MAX_OPTIONS], start=1)]
    left = len(options) - len(shown)
    parts = ["What you see:", view, ""]
    if events:
        parts += ["What happened since you were last asked:", *(f"- {event}" for event in events), ""]
    parts += [f"Decide now ({kind}):", *([notation] if notation else shown)]
    if left and not notation:
        parts.append(f"({left} more options are not shown)")
    return "\n".join([*parts, "", ask.orders])


def choose(
    endpoint: Endpoint, rules: str, question: str, read: Reader, seconds: float, patience: float,
    ask: Ask = Ask(), default: int = 0,
) -> Choice:  # fmt: skip
    """Ask until an answer is usable, the tries are used up or the time is over; then take the default.

    An answer may take `seconds`. An endpoint that fails is asked again for `patience`, which no try is charged with.
    """
    started = time.monotonic()
    tokens, cost, faults, outage, wait = 0, 0.0, 0, "", FIRST_WAIT
    fault, is_outage = "there was no time", False
    messages = [{"role": "system", "content": f"{rules}\n{ask.orders}"}, {"role": "user", "content": question}]

    def chosen(index: Any, reason: str, *, is_usable: bool) -> Choice:
        spent = round(1000 * (time.monotonic() - started))
        priced = None if ask.price is None else cost
        return Choice(index, reason, tokens, is_usable, is_outage and not is_usable, spent, priced)

    while faults < ask.tries:
        left = patience - (time.monotonic() - started)
        if left < MIN_SECONDS:
            break
        try:
            said = endpoint.ask(messages, min(seconds, left), ask.form)
        except OutageError as error:
            outage = fault = str(error)
            is_outage = True
            pause = wait if error.wait is None else error.wait
            if not error.is_passing or pause > patience - (time.monotonic() - started) - MIN_SECONDS:
                break
            ask.pause(pause)
            wait = min(2 * wait, LONGEST_WAIT) if error.wait is None else wait
            continue
        is_outage = False
        tokens += said.tokens
        if ask.price is not None:
            cost += ((said.tokens - said.tokens_out) * ask.price[0] + said.tokens_out * ask.price[1]) / 1e6
        index, refused = read(said.text)
        if index is not None:
            return chosen(index, reason_of(said.text) or "no reason given", is_usable=True)
        faults += 1
        fault = f"{refused} It said: {reason_of(said.text)[:120] or 'nothing'}"
        messages += [{"role": "assistant", "content": said.text[:MAX_ECHO]}, {"role": "user", "content": refused}]
    if is_outage:
        fault = f"the provider failed: {outage}"
    return chosen(default, f"default, because {fault}", is_usable=False)
