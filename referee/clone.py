"""Copying and comparing states: clones and fingerprints derived from a state's declaration.

`cloner` and `digester` compile what you would write by hand, one constructor call over slices (60 times faster than
deepcopy) and one tuple of all fields, so that no field is forgotten. `shared` proves that two copies share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from referee.agenda import Agenda
from referee.fingerprint import fingerprint, fingerprint_of, told
from referee.rng import Rng
from referee.values import fields_of, is_frozen, is_value_type

T = TypeVar("T")

IMMUTABLE = (int, str, bytes, bool, float, type(None), frozenset)
FLAT = (int, bool, str, list[int], tuple[int, ...])  # what `told` remembers
UNTOLD = "untold"
Untold = Annotated[T, UNTOLD]
"""The type of a field that a fingerprint leaves out, because it is derived from others or from the course of play."""


def cloner(kind: type[T]) -> Callable[[T], T]:
    """Return a function that copies a state of this kind, sharing nothing mutable."""
    copy: Callable[[T], T] = _compile(*copy_text(kind))
    return copy


def digester(kind: type[T], name_step: Callable[[Any], object] = repr, *, exact: bool = False) -> Callable[[T], str]:
    """Return a function that fingerprints a state of this kind; `name_step` says what it takes for a step of an agenda.

    Fields come in the order of their declaration, those of a dataclass inside in its place. An Enum counts by its name.
    With `exact`, fields declared as integers hold no bool: unchanged ones need not be rewritten.
    """
    text, names = digest_text(kind, "name_step", exact=exact)
    digest: Callable[[T], str] = _compile(text, {**names, "name_step": name_step})
    return digest


def copy_text(kind: Any) -> tuple[str, dict[str, Any]]:
    """Return the text of an expression that copies `state`, and the names in it."""
    names: dict[str, Any] = {}
    return _copied(kind, "state", names), names


def digest_text(kind: Any, name_step: str, *, exact: bool = False) -> tuple[str, dict[str, Any]]:
    """Return the text of an expression that fingerprints `state`, and the names in it; steps are named by `name_step`.

    The names are those of functions and classes of modules, so that the text also works inside a module.
    """
    parts = list(_told(kind, "state", name_step))
    if not exact:
        return f"fingerprint({', '.join(part.text for part in parts)})", {"fingerprint": fingerprint}
    return f"fingerprint_of({_written('state', parts)})", {"fingerprint_of": fingerprint_of, "told": told}


@dataclass(frozen=True, slots=True)
class _Part:
    """A field's part of a fingerprint: an expression for it, and whether `told` can remember its value.

    For a list of dataclasses the parts of each `item` are told apart, `text` being the list of their tuples.
    """

    text: str
    is_flat: bool = False
    items: tuple[str, tuple[_Part, ...]] | None = None


def _written(value: str, parts: Sequence[_Part]) -> str:
    """Return the text of an expression for the `repr` of a tuple of these parts of a value."""
    texts: list[str] = []
    for is_flat, group in groupby(parts, key=lambda part: part.is_flat):
        if is_flat:
            texts.append(f"told(id({value}) + {len(texts)}, [{', '.join(part.text for part in group)}])")
            continue
        for part in group:
            if part.items is None:
                texts.append(f"repr({part.text})")
            else:
                place, inner = part.items
                texts.append(f'"[" + ", ".join([{_written("item", inner)} for item in {place}]) + "]"')
    return f'"(" + ", ".join([{", ".join(texts)}]) + "{",)" if len(parts) == 1 else ")"}"'


def _compile(expression: str, names: dict[str, Any]) -> Any:
    # The text is made of field and class names of the game itself; nothing from outside gets here.
    return eval(f"lambda state: {expression}", names)


def _copied(hint: Any, value: str, names: dict[str, Any]) -> str:
    """Return the text of an expression that copies a value of this type."""
    if _is_fixed(hint):
        return value
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin is Agenda:
        names["Agenda"] = Agenda
        return f"Agenda({value}.steps[:])"
    if origin is Rng:
        names["Rng"] = Rng
        return f"Rng({value}.word)"
    if origin is bytearray or (origin is list and _is_fixed(inner[0])):
        return f"{value}[:]"
    if origin is dict and all(map(_is_fixed, inner)):
        return f"{value}.copy()"
    if origin is list:
        item = f"item{value.count('item') + 1}"
        return f"[{_copied(inner[0], item, names)} for {item} in {value}]"
    if is_value_type(origin):
        name = origin.__name__
        names[name] = origin
        return f"{name}({', '.join(_copied(part.hint, f'{value}.{part.name}', names) for part in fields_of(origin))})"
    raise TypeError(f"a state cannot hold {hint}: there is no way to copy it")


def _told(kind: Any, value: str, name_step: str) -> Iterator[_Part]:
    """Yield the parts of a dataclass's fingerprint."""
    for field in fields_of(kind):
        hint = field.hint
        place, origin, inner = f"{value}.{field.name}", get_origin(hint) or hint, get_args(hint)
        if UNTOLD in field.annotations:
            continue
        if origin is Agenda:
            yield _Part(f"[{name_step}(step) for step in {place}.steps]")
        elif origin is Rng:
            yield _Part(f"{place}.word", is_flat=True)
        elif isinstance(origin, type) and issubclass(origin, Enum):
            yield _Part(f"{place}.name", is_flat=True)
        elif origin in (Union, UnionType):
            some = [part for part in inner if part is not NoneType]
            is_enum = len(some) == 1 and isinstance(some[0], type) and issubclass(some[0], Enum)
            yield _Part(f"(None if {place} is None else {place}.name)" if is_enum else place, is_flat=is_enum)
        elif is_value_type(origin):
            yield from _told(origin, place, name_step)
        elif origin is list and is_value_type(inner[0]):
            parts = tuple(_told(inner[0], "item", name_step))
            text = f"[({', '.join(part.text for part in parts)},) for item in {place}]"
            yield _Part(text, items=(place, parts))
        else:
            yield _Part(place, is_flat=hint in FLAT)


def _is_fixed(hint: Any) -> bool:
    """Return whether values of this type never change, so that copies may share them."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in (Union, UnionType):
        return all(map(_is_fixed, inner))
    if origin is tuple:
        return all(part is Ellipsis or _is_fixed(part) for part in inner)
    if is_value_type(origin):
        return is_frozen(origin)
    return isinstance(origin, type) and issubclass(origin, (*IMMUTABLE, Enum))


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
    if not is_frozen(type(value)) and not hasattr(type(value), "_member_map_"):  # enum members are shared by design
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
