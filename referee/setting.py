"""Settings that are declared once: what a key may hold, what it means, and what stands for it where it is missing.

Parsing, storing, error messages and the pages of the reference follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Any


class SettingError(ValueError):
    """A key or a value is not allowed; the message names the key and says what was expected."""


class Form(Enum):
    """What a setting holds, in the words of the reference."""

    NUMBER = "whole number"
    SHARE = "number, 0 to 1"
    FLAG = "true or false"
    TEXT = "text"
    TEXTS = "list of texts"
    TABLE = "table"
    TABLES = "list of tables"


class Home(Enum):
    """Where a tournament keeps a setting."""

    NOWHERE = "nowhere"
    """Only what follows from it is kept."""
    LEDGER = "settings"
    """T13: it decides results."""
    MACHINE = "running"
    """It says how the tournament is run on this machine, and changes no result."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of a file."""

    key: str
    form: Form
    about: str
    default: Any = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    default_said: str = ""
    """How the reference names a default that is worked out, or that there is none."""
    home: Home = Home.NOWHERE
    attribute: str = ""
    """What the plan calls it, if not by its key."""
    absent: Any = None
    """What it means to a tournament that was stored before there was such a setting."""
    format: str = ""
    """The one schedule that has it, if not all do."""

    @property
    def name(self) -> str:
        """What the plan calls it."""
        return self.attribute or self.key

    @property
    def form_said(self) -> str:
        """What it holds, with its bounds."""
        if self.form is not Form.NUMBER or self.least is None:
            return self.form.value
        if self.most is None:
            return f"{self.form.value} of {self.least} or more"
        return f"{self.form.value}, {self.least} to {self.most}"

    def of(self, plain: Mapping[str, Any], prefix: str = "", default: Any = None) -> Any:
        """Return the value of this key, checked, or what stands for it; a SettingError says what was expected."""
        if self.key not in plain:
            return self.default if default is None else default
        return self.checked(plain[self.key], prefix)

    def checked(self, value: object, prefix: str = "") -> Any:
        """Return a value if it is allowed."""
        if expected := self._missed(value):
            raise SettingError(f"{prefix}{self.key}: {value!r} is not allowed; expected {expected}")
        return tuple(value) if self.form is Form.TEXTS and isinstance(value, list) else value

    def _missed(self, value: object) -> str:
        """Say what was expected, if it is not this value."""
        match self.form:
            case Form.NUMBER:
                least, most = self.least or 0, self.most
                is_right = type(value) is int and least <= value and (most is None or value <= most)
                said = f"of {least} or more" if most is None else f"from {least} to {most}"
                return "" if is_right else f"a whole number {said}"
            case Form.SHARE:
                is_right = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
                return "" if is_right else "a number from 0 to 1"
            case Form.FLAG:
                return "" if isinstance(value, bool) else "true or false"
            case Form.TEXT if self.choices:
                return "" if value in self.choices else f"one of: {', '.join(self.choices)}"
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


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint, to be put at the end of an error, at the name that a misspelt word was meant to be, if any."""
    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def refuse_unknown(plain: Mapping[str, Any], known: Sequence[str], prefix: str = "") -> None:
    """Raise a SettingError for the first key that is not known, naming the one that may have been meant."""
    for key in plain:
        if key not in known:
            expected = ", ".join(known) + did_you_mean(key, known)
            raise SettingError(f"{prefix}{key}: unknown key; expected one of: {expected}")
