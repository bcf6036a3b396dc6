"""Declared fields: their types taken apart, and whether a value keeps to them, to its `Within` and its `AtMost`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from referee import values
from referee.game import AtMost, Within, no_action


@dataclass(frozen=True, slots=True)
class Declared:
    """A field's type taken apart: whether it is a list, whether it may be absent, and the type of a single value."""

    value: Any  # int, bool, str, an Enum, a dataclass or a union of dataclasses
    is_list: bool = False
    is_optional: bool = False
    within: Within | None = None
    at_most: AtMost | None = None


@cache
def fields_of(kind: Any) -> tuple[tuple[str, Declared], ...]:
    """Return the declared fields of a value type by name."""
    return tuple((field.name, declared(field.annotated)) for field in values.fields_of(kind))


def declared(hint: Any) -> Declared:
    """Take a type apart; a TypeError names one that the wire cannot carry."""
    inner, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    at_most = next((each for each in metadata if isinstance(each, AtMost)), None)
    if get_origin(inner) is tuple:
        item, ellipsis = get_args(inner)
        if ellipsis is not Ellipsis:
            raise TypeError(f"{inner} has a fixed length; expected tuple[X, ...]")
        one = declared(item)
        if one.is_list or one.is_optional:
            raise TypeError(f"{inner} is a list of lists or of optional values")
        return Declared(one.value, is_list=True, within=one.within, at_most=at_most)
    members = union_members(inner)
    if type(None) in members:
        rest = tuple(member for member in members if member is not type(None))
        one = declared(rest[0] if len(rest) == 1 else Union[rest])  # noqa: UP007  # made at run time, from a tuple
        return Declared(one.value, is_optional=True, within=one.within)
    within = next((each for each in metadata if isinstance(each, Within)), None)
    return Declared(getattr(inner, "__supertype__", inner), within=within)  # a NewType travels as what it wraps


def union_members(union: Any) -> tuple[type, ...]:
    """Return the classes of a union; a single class is a union of one."""
    return get_args(union) if get_origin(union) in (Union, UnionType) else (union,)


def check_type(clause: str, item: object, union: Any) -> None:
    """Refuse what is not of one of these types, or holds something else than its fields declare, with `no_action`.

    No method of the item is called; what passes can be shown, hashed and compared.
    """
    if not _is_one_of(item, union_members(union)):
        raise no_action(clause, item)


def _is_one_of(value: object, members: tuple[Any, ...]) -> bool:
    kind: Any = type(value)
    return any(kind is member for member in members) and all(
        _holds(getattr(value, name), field) for name, field in fields_of(kind)
    )


def _holds(content: Any, field: Declared) -> bool:
    if content is None:
        return field.is_optional
    if field.is_list:
        return type(content) is tuple and all(_is_one(item, field.value) for item in content)
    return _is_one(content, field.value)


def _is_one(item: object, kind: Any) -> bool:
    members = union_members(kind)
    return _is_one_of(item, members) if values.is_value_type(members[0]) else type(item) is kind


def longest(at_most: AtMost, seats: int) -> int:
    """Return the maximum length of a list at a table of this size."""
    return at_most.count * seats if at_most.per_seat else at_most.count


def out_of_range(value: Any, seats: int) -> Iterator[str]:
    """Yield every field of a value, and of the values inside it, that violates its declaration."""
    kind: Any = type(value)
    for name, field in fields_of(kind):
        content = getattr(value, name)
        label = f"{kind.__name__}.{name}"
        items = content if field.is_list else () if content is None else (content,)
        if field.is_list and field.at_most is not None and len(items) > longest(field.at_most, seats):
            yield f"{label}: {len(items)} entries; declared {longest(field.at_most, seats)} at most"
        for item in items:
            within = field.within
            if within is not None and not within.least <= item <= within.most:
                yield f"{label}: {item}; declared {within.least} to {within.most}"
            elif values.is_value_type(type(item)):
                yield from out_of_range(item, seats)
