"""Copying states and telling them apart: rows, fingerprints, and a search for what two copies share.

A game writes its `clone` by hand, as one constructor call over slices (60 times faster than deepcopy),
and `shared` proves in the tests that no list or object was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

IMMUTABLE = (int, str, bytes, bool, float, type(None), frozenset)


def clone_rows(rows: list[list[T]]) -> list[list[T]]:
    """Return a copy of a list of lists of values."""
    return [row[:] for row in rows]


def fingerprint(*parts: object) -> str:
    """Return 32 hex digits that name these parts, equal in every process and Python.

    Parts are None, integers, ASCII strings, and lists, tuples or dicts (insertion-ordered) of those: their `repr` is
    the same everywhere and made in C. Sets and objects do not belong here.
    """
    return blake2b(repr(parts).encode("ascii"), digest_size=16).hexdigest()


def shared(first: object, second: object) -> str | None:
    """Return the path of a mutable object that both values reach, or None when they are independent."""
    seen = {id(item): path for path, item in _mutables(first, "state")}
    for _path, item in _mutables(second, "state"):
        if id(item) in seen:
            return seen[id(item)]
    return None


def _mutables(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, (*IMMUTABLE, type)):
        return
    if isinstance(value, tuple):
        for position, item in enumerate(value):
            yield from _mutables(item, f"{path}[{position}]")
        return
    is_frozen = getattr(getattr(type(value), "__dataclass_params__", None), "frozen", False)
    if not is_frozen and not hasattr(type(value), "_member_map_"):  # enum members are shared by design
        yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _mutables(item, f"{path}[{key!r}]")
    elif isinstance(value, (list, bytearray)):
        for position, item in enumerate(value):
            yield from _mutables(item, f"{path}[{position}]")
    elif not hasattr(type(value), "_member_map_"):
        for name in _attributes(value):
            yield from _mutables(getattr(value, name), f"{path}.{name}")


def _attributes(value: object) -> list[str]:
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [
        name for name in [*slots, *getattr(value, "__dict__", {})] if hasattr(value, name) and not name.startswith("__")
    ]
