"""Fingerprints: 32 hex digits that name plain data, equal in every process and Python."""

from __future__ import annotations

from hashlib import blake2b
from itertools import compress, count
from operator import ne
from typing import Any

MAX_REMEMBERED = 1 << 9  # parts of states

_remembered: dict[int, tuple[list[Any], list[str]]] = {}


def fingerprint(*parts: object) -> str:
    """Return 32 hex digits that name these parts, equal in every process and Python.

    Parts are None, integers, strings, and lists, tuples or dicts (insertion-ordered) of those: their `repr` is made in
    C and, with letters beyond ASCII escaped, the same everywhere. Sets and objects do not belong here.
    """
    return fingerprint_of(repr(parts))


def fingerprint_of(text: str) -> str:
    """Return the fingerprint of parts whose `repr`, as a tuple, is given."""
    return blake2b(text.encode("ascii", "backslashreplace"), digest_size=16).hexdigest()


def told(key: int, values: list[Any]) -> str:
    """Return the `repr` of each of these values, with commas between them; only changes are rewritten.

    From one step to the next most of a state does not change, and comparing a list takes a twentieth of the time of
    writing it. The key identifies the values, and affects only the speed. Values are None, integers, strings, lists or
    tuples of integers, and bytes as `referee.rows.packed` makes them, which are written as the list of their numbers. A
    bool must never replace an integer: the two are equal, but written differently.
    """
    known = _remembered.get(key)
    if known is not None and len(known[0]) == len(values):
        old, texts = known
        for place in compress(count(), map(ne, values, old)):
            value = values[place]
            texts[place] = rewritten(old[place], texts[place], value)
            old[place] = value[:] if type(value) is list else value
    else:
        old = [value[:] if type(value) is list else value for value in values]
        texts = [written(value) for value in values]
        if len(_remembered) >= MAX_REMEMBERED:
            _remembered.clear()
        _remembered[key] = old, texts
    return ", ".join(texts)


def rewritten(before: Any, text: str, value: Any) -> str:
    """Return the text of a value, given another one with its text: only the end of a row that grew or shrank."""
    if type(value) is bytes and type(before) is bytes and value[-1] == before[-1]:
        kept, count_before = len(value) - 1, len(before) - 1
        if 0 < count_before < kept and value.startswith(before[:-1]):
            return f"{text[:-1]}, {written(value[count_before:])[1:]}"
        if 0 < kept < count_before and before.startswith(value[:-1]):
            return f"{text[: -len(written(before[kept:])) - 1]}]"
    elif type(value) is list and type(before) is list:
        kept, count_before = len(value), len(before)
        if 0 < count_before < kept and value[:count_before] == before:
            return f"{text[:-1]}, {repr(value[count_before:])[1:]}"
        if 0 < kept < count_before and before[:kept] == value:
            return f"{text[: -len(repr(before[kept:])) - 1]}]"
    return written(value)


def written(value: Any) -> str:
    """Return the `repr` of a value, and of bytes that of the list of their numbers: the last of them is their width."""
    if type(value) is bytes:
        return repr(memoryview(value)[:-1].cast(chr(value[-1])).tolist())  # type: ignore[call-overload]  # one of four
    return repr(value)
