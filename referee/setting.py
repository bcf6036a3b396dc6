"""Settings, each declared once: the values of a key, its meaning, and its default.

Parsing, storage, error messages and the reference pages are derived from the declaration: for a tournament file, a
bot's manifest, the options of a game, an order to a referee.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeVar, cast, get_args

from referee.values import FieldOfValue, fields_of

T = TypeVar("T")
LONGEST_WORD = 200  # that is compared with others: comparing longer ones takes too long


class SettingError(ValueError):
    """A key or a value is not allowed; the message names the key and says what was expected."""


class Form(Enum):
    """The form of a setting's value, in the words of the reference."""

    NUMBER = "whole number"
    SHARE = "number, 0 to 1"
    FLAG = "true or false"
    TEXT = "text"
    TEXTS = "list of texts"
    TABLE = "table"
    TABLES = "list of tables"


@dataclass(frozen=True, slots=True)
class Setting:
    """One key; without a default, `MISSING`, it is required."""

    key: str
    form: Form
    about: str
    default: Any = None
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()
    default_said: str = ""
    """How the reference describes a computed default, or a missing one."""
    enum: Any = None
    """The Enum whose members the choices name, in lower case."""

    @property
    def form_said(self) -> str:
        """Its form, with its bounds."""
        if self.form is not Form.NUMBER or self.min is None:
            return self.form.value
        if self.max is None:
            return f"{self.form.value} of {self.min} or more"
        return f"{self.form.value}, {self.min} to {self.max}"

    def of(self, plain: Mapping[str, Any], prefix: str = "", default: Any = None) -> Any:
        """Return the value of this key, checked, or its default; a SettingError says what was expected."""
        if self.key in plain or self.default is MISSING:
            return self.checked(plain.get(self.key), prefix)
        return self.default if default is None else default

    def checked(self, value: object, prefix: str = "") -> Any:
        """Return a value if it is allowed."""
        if self.enum is not None and isinstance(value, self.enum):
            return value
        if expected := self._missed(value):
            raise SettingError(f"{prefix}{self.key}: {value!r} is not allowed; expected {expected}")
        if self.enum is not None:
            return self.enum[cast(str, value).upper()]
        return tuple(value) if self.form is Form.TEXTS and isinstance(value, list) else value

    def _missed(self, value: object) -> str:
        """Return what was expected; empty if this value is allowed."""
        if value == self.default and type(value) is type(self.default):
            return ""  # an empty text, say: a record writes every option down
        match self.form:
            case Form.NUMBER:
                is_right = type(value) is int and self._is_within(value)
                return "" if is_right else f"a whole number{self._bounds_said}"
            case Form.SHARE:
                is_right = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
                return "" if is_right else "a number from 0 to 1"
            case Form.FLAG:
                return "" if isinstance(value, bool) else "true or false"
            case Form.TEXT if self.choices:
                known = ", ".join(self.choices)
                hint = did_you_mean(value, self.choices) if isinstance(value, str) else ""
                return "" if value in self.choices else f"one of: {known}{hint}"
            case Form.TEXT:
                return "" if isinstance(value, str) and value else "a text"
            case Form.TEXTS:
                is_right = isinstance(value, list) and all(
                    isinstance(each, str) and each and "\0" not in each for each in value
                )
                return "" if is_right else "a list of texts"
            case Form.TABLE:
                return "" if isinstance(value, dict) else "a table of keys"
            case Form.TABLES:
                is_right = isinstance(value, list) and all(isinstance(each, dict) for each in value)
                return "" if is_right else f"[[{self.key}]] tables"

    def _is_within(self, value: int) -> bool:
        return (self.min is None or self.min <= value) and (self.max is None or value <= self.max)

    @property
    def _bounds_said(self) -> str:
        if self.min is None:
            return ""
        return f" of {self.min} or more" if self.max is None else f" from {self.min} to {self.max}"


def option(
    default: object, about: str, *, choices: Sequence[str] = (), min: int | None = None, max: int | None = None,
    default_said: str = "",
) -> Any:  # fmt: skip
    """Declare one field of a dataclass as a setting; a field whose default is `MISSING` is required."""
    told = {"about": about, "choices": tuple(choices), "min": min, "max": max, "default_said": default_said}
    return dataclasses.field(default=default, metadata=told)


@functools.cache
def settings_of(kind: Any) -> dict[str, Setting]:
    """Return the settings that the fields of a dataclass declare with `option`, by key."""
    return {field.name: _setting_of(field) for field in fields_of(kind) if field.metadata}


FORMS = {int: Form.NUMBER, float: Form.SHARE, bool: Form.FLAG, str: Form.TEXT}


def _setting_of(field: FieldOfValue) -> Setting:
    """Return a field's setting: its form follows from its type, which may also allow None."""
    hint = next((each for each in get_args(field.hint) if each is not type(None)), field.hint)
    if hint in FORMS:
        return Setting(field.name, FORMS[hint], default=field.default, **field.metadata)
    told = {**field.metadata, "choices": tuple(member.name.lower() for member in hint)}
    return Setting(field.name, Form.TEXT, default=field.default, enum=hint, **told)


def parse_options(kind: type[T], plain: Mapping[str, object], prefix: str = "") -> T:
    """Build a dataclass whose fields are settings from untrusted keys and values.

    A SettingError, which is a ValueError, names the key and what was expected. Fields are int, bool, str or an Enum
    whose members are written by their lower-case name.
    """
    settings = settings_of(cast(Any, kind))
    refuse_unknown(plain, tuple(settings), prefix)
    return kind(**{key: settings[key].checked(value, prefix) for key, value in plain.items()})


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint for the end of an error: the name that a misspelt word probably meant, if any."""
    near = get_close_matches(word, list(known), n=1) if len(word) <= LONGEST_WORD else ()
    return f" (did you mean {near[0]!r}?)" if near else ""


def refuse_unknown(plain: Mapping[str, Any], known: Sequence[str], prefix: str = "") -> None:
    """Raise a SettingError for the first unknown key, naming the one that was probably meant."""
    for key in plain:
        if key not in known:
            expected = (", ".join(known) or "none") + did_you_mean(key, known)
            raise SettingError(f"{prefix}{key}: unknown key; expected one of: {expected}")
