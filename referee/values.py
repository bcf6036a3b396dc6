"""Value types: the fields of a dataclass, whether it runs from source or compiled.

Compiled, a dataclass is a plain class (`tools/compiling/rewriting.py` says why). `declare` makes it look like a
dataclass, so that `dataclasses.replace`, `copy` and `pickle` work on both.
Code that takes a value type apart asks here.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FieldOfValue:
    """One field of a value type."""

    name: str
    hint: Any  # its type, without Annotated
    annotated: Any  # its type with Annotated
    default: Any  # dataclasses.MISSING where there is none
    metadata: Mapping[str, Any]

    @property
    def annotations(self) -> tuple[Any, ...]:
        """Return the metadata of Annotated."""
        return getattr(self.annotated, "__metadata__", ())


def _fields(kind: Any) -> tuple[FieldOfValue, ...]:
    """Return the fields of a value type in the order of their declaration."""
    hints, annotated = get_type_hints(kind), get_type_hints(kind, include_extras=True)
    return tuple(
        FieldOfValue(field.name, hints[field.name], annotated[field.name], field.default, field.metadata)
        for field in dataclasses.fields(kind)
    )


fields_of: Callable[[Any], tuple[FieldOfValue, ...]] = functools.cache(_fields)  # mypy calls type[Any] unhashable


def names_of(kind: Any) -> tuple[str, ...]:
    """Return the field names of a value type, without resolving their types."""
    return tuple([field.name for field in dataclasses.fields(kind)])


def is_value_type(kind: object) -> bool:
    """Return whether this is a class with declared fields."""
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


def is_frozen(kind: object) -> bool:
    """Return whether the values of this class are immutable."""
    return bool(getattr(getattr(kind, "__dataclass_params__", None), "frozen", False))


def changed(value: T, **fields: object) -> T:
    """Return a copy of a value with other values in these fields."""
    made: T = dataclasses.replace(cast(Any, value), **fields)
    return made


def quickly_made(kind: type[T]) -> type[T]:
    """Give a frozen dataclass with slots a constructor that is as quick as that of one that changes.

    `dataclass` lets it set each field by `object.__setattr__`. Here an object is of a class with the same slots until
    its fields are set, and of the frozen one from then on; worth it from four fields on.
    """
    assert not hasattr(kind, "__post_init__"), "its fields are set and nothing else"
    fields = dataclasses.fields(cast(Any, kind))
    names = [field.name for field in fields]
    given = {f"default_{field.name}": field.default for field in fields if field.default is not dataclasses.MISSING}
    parameters = [f"{name}=default_{name}" if f"default_{name}" in given else name for name in names]
    lines = [
        "become(self, '__class__', unfinished)",
        *(f"self.{name} = {name}" for name in names),
        "self.__class__ = kind",
    ]
    text = f"def __init__({', '.join(['self', *parameters])}):\n" + "".join(f"    {line}\n" for line in lines)
    unfinished = type(kind.__name__, (), {"__slots__": tuple(names)})
    scope: dict[str, Any] = {"become": object.__setattr__, "unfinished": unfinished, "kind": kind, **given}
    exec(text, scope)  # made of the names of our own fields
    kind.__init__ = scope["__init__"]  # type: ignore[method-assign]  # before anybody has made one
    return kind


@dataclass(frozen=True, slots=True)
class _Frozen:
    """Lends its attributes to the compiled plain classes."""

    field: int


@dataclass(slots=True)
class _Changing:
    """Likewise, for classes that are not frozen."""

    field: int


def declare(
    kind: Any, *, frozen: bool, names: Sequence[str], hints: Sequence[str], defaults: Mapping[str, object]
) -> None:
    """Declare a plain class, made from a dataclass before compilation, as that dataclass."""
    lender: Any = _Frozen if frozen else _Changing
    (lent,) = dataclasses.fields(lender)
    fields = {}
    for name, hint in zip(names, hints, strict=True):
        field: Any = dataclasses.field(default=defaults[name]) if name in defaults else dataclasses.field()
        field.name, field.type, field.kw_only = name, hint, False
        field._field_type = lent._field_type  # type: ignore[attr-defined]  # marks it as not a class variable
        fields[name] = field
    kind.__dataclass_fields__ = fields
    kind.__dataclass_params__ = lender.__dataclass_params__
    kind.__annotations__ = dict(zip(names, hints, strict=True))
    kind.__slots__ = tuple(names)
    setattr(kind, "__match_args__", kind.__slots__)  # noqa: B010  mypy lets nobody else assign to it
    kind.__reduce__ = _reduce
    if frozen:
        kind.__setattr__ = _refuse_to_set
        kind.__delattr__ = _refuse_to_delete


def annotate(module: str, name: str, text: str) -> None:
    """Restore the metadata of a type alias that was compiled without it."""
    names = vars(sys.modules[module])
    names[name] = eval(text, names)  # the text is from the source of the module itself


def _reduce(value: Any) -> tuple[Any, ...]:
    return type(value), tuple([getattr(value, name) for name in type(value).__slots__])


def _refuse_to_set(value: Any, name: str, new: object) -> None:
    if name in type(value).__slots__ and not hasattr(value, name):
        object.__setattr__(value, name, new)  # by a constructor that is not compiled: each field once
        return
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_value: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
