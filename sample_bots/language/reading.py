"""Reading: what a model said, and nothing that it did not say.

A number counts only where it is stated as the choice. What stands in a block of thinking is not said, and an answer
that states two different choices states none: to ask again costs a question, to guess costs the meaning of a league.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

MAX_REASON = 400  # characters
TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
OPENED = re.compile(rf"<\s*({TAGS})\b[^>]*>", re.IGNORECASE)
CLOSED = re.compile(rf"<\s*/\s*({TAGS})\s*>", re.IGNORECASE)
CHANNEL, FINAL = "<|channel|>", "<|channel|>final<|message|>"
FENCE = re.compile(r"\A```\w*\n(.*?)\n?```\Z", re.DOTALL)
KEYS = ("option", "answer", "choice", "number")

# A number ends where no decimal, range, unit or alternative can follow.
NUMBER = r"(?P<number>[0-9]{1,9})[*_`\"'\])}]*"
END = r"(?=\s*$|[.:;,!](?:\s|$|[*_`\"')])|\s+[-–—]+\s|\s+(?:because|since)\b)"
LABEL = r"(?:(?:my|the|final|best)\s+)*(?:answer|option|choice|move|number|pick)\b(?:\s+(?:is|will\s+be))?\s*[:=#]?"
OPENING = r"^[\s>*_`\"'(\[]*"
LABELLED = rf"{LABEL}[\s*_`\"'(\[]*(?:option|number|no\.|#)?\s*"
LEADING = re.compile(rf"{OPENING}(?:{LABELLED})?{NUMBER}{END}", re.IGNORECASE)
WHOLE_LINE = re.compile(rf"{OPENING}(?:{LABELLED})?{NUMBER}[.!]?[*_`\"']*\s*$", re.IGNORECASE)
STATED = (
    re.compile(
        r"\bI(?:\s+will|['’]ll)?\s+(?:choose|take|pick|play|select|go\s+with|go\s+for)\s+[*_`\"'(\[]*"
        rf"(?:option\s+|number\s+|no\.\s*|#\s*)?{NUMBER}{END}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:answer|choice|my\s+(?:move|pick))\s*(?:is|will\s+be|:|=)[\s*_`\"'(\[]*"
        rf"(?:option\s+|number\s+|no\.\s*|#\s*)?{NUMBER}{END}",
        re.IGNORECASE,
    ),
    re.compile(rf"\\boxed\{{{NUMBER}", re.IGNORECASE),
)
HEDGE = re.compile(
    r"\b(?:if|when|were|should|could|would|might|may|maybe|perhaps|possibly|either|unless|not|never|before|instead|"
    r"wrong|suppose|imagine|cannot|don['’]?t|can['’]?t|won['’]?t|last\s+time)\b|n['’]t\b",
    re.IGNORECASE,
)
DOUBT = re.compile(r"\b(?:if|unless|or|maybe|perhaps|possibly|actually|wait)\b|\?", re.IGNORECASE)
SECOND_THOUGHT = re.compile(
    r"\b(?:or|maybe|perhaps|possibly|actually|wait|instead|rather|correction|sorry|better|no)\b[\s,:.…-]*"
    r"(?:(?:it['’]?s|is|i\s+mean|make\s+(?:it|that))\s+)?(?:option\s+|number\s+)?[*_`\"']*[0-9]",
    re.IGNORECASE,
)
ITEM = re.compile(r"^[\s>*_-]*([0-9]{1,9})[.):]\s+\S")


def visible(text: str) -> str:
    """Return what a model said aloud: nothing of its thinking, closed or not."""
    if CHANNEL in text:
        text = text.rpartition(FINAL)[2] if FINAL in text else ""
        text = text.partition("<|")[0]
    opened_names = Counter(found[1].lower() for found in OPENED.finditer(text))
    closed = list(CLOSED.finditer(text))
    if closed and opened_names - Counter(found[1].lower() for found in closed):
        return ""  # it is still thinking, or nobody can tell
    text = text[closed[-1].end() :] if closed else text
    opened = OPENED.search(text)
    return (text[: opened.start()] if opened else text).strip()


def read_number(text: str, count: int) -> int | None:
    """Return the option, from 0, that a text states as its choice; None if it states none, or more than one."""
    said = visible(text)
    fenced = FENCE.match(said)
    found = set(_of_object(said if fenced is None else fenced[1]) if said[:1] in ("{", "`") else _statements(said))
    if len(found) != 1:
        return None
    number = found.pop()
    return number - 1 if 1 <= number <= count else None


def _statements(said: str) -> Iterator[int]:
    """Yield every number that is stated as the choice; 0 for one that is taken back."""
    lines = [line for line in said.splitlines() if line.strip()]
    items = {found[1] for line in lines if (found := ITEM.match(line))}
    for number, line in enumerate(lines):
        found = (WHOLE_LINE if number else LEADING).match(line)
        if found is None or (len(items) > 1 and ITEM.match(line)):  # a list of options says nothing
            continue
        yield int(found["number"])
        if SECOND_THOUGHT.search(line[found.end("number") :]) or "?" in line[found.end() : found.end() + 2]:
            yield 0
    for pattern in STATED:
        for found in pattern.finditer(said):
            before = re.split(r"[.!?\n]", said[: found.start()])[-1]
            after = re.match(r"[^.!\n]*", said[found.end() :])
            if not HEDGE.search(before) and (after is None or not DOUBT.search(after[0])):
                yield int(found["number"])
    if lines and SECOND_THOUGHT.search(said):
        yield 0


def _of_object(text: str) -> Iterator[int]:
    """Yield the numbers that a JSON object gives as its option; none of what is no such object."""
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return
    for key, value in pairs if isinstance(pairs, list) else ():
        if key in KEYS:
            is_number = type(value) is int or (isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value))
            yield int(value) if is_number else 0


def read_move(text: str) -> dict[str, Any] | None:
    """Return the move that a text gives as a JSON object, alone or under "move"; None without exactly one."""
    said, moves = visible(text), list[Any]()
    at = said.find("{")
    while at >= 0:
        try:
            found, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(said, at)
        except (ValueError, RecursionError):
            return None
        moves.append(found.get("move", found))
        at = said.find("{", end)
    if not moves or any(move != moves[0] for move in moves) or not isinstance(moves[0], dict):
        return None
    return moves[0]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is there twice")
    return made


def reason_of(text: str) -> str:
    """Return what a model said beside its choice, on one line; nothing of its thinking."""
    said = visible(text)
    with_reason = _object_reason(said)
    if with_reason is None:
        with_reason = re.sub(r"^\W*(option\s*)?[0-9]+\W*", "", said, count=1, flags=re.IGNORECASE)
    return " ".join(with_reason.split())[:MAX_REASON]


def _object_reason(said: str) -> str | None:
    fenced = FENCE.match(said)
    try:
        plain = json.loads(said if fenced is None else fenced[1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(plain, dict):
        return None
    reason = plain.get("reason", "")
    return reason if isinstance(reason, str) else ""


Reader = Callable[[str], "tuple[Any, str]"]
"""Reads an answer: what is chosen, or None and why not, in words for the model."""


def number_reader(count: int) -> Reader:
    """Return a reader of option numbers; it gives the index, from 0."""

    def read(text: str) -> tuple[Any, str]:
        index = read_number(text, count)
        return index, "" if index is not None else f"That states no option. Answer with one number from 1 to {count}."

    return read
