"""Columns: each is declared once, and terminal, web page, sorting and explanation are derived from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Column(Generic[L]):
    """One column of a list; JSON, CSV and messages have the field of the same name anyway."""

    key: str
    """The field of the line that it shows."""
    title: str
    text: Callable[[Any], str] = str
    """How a value that is not None is written."""
    about: str = ""
    """Its explanation for readers."""
    is_figure: bool = True
    """Whether it is right-aligned."""
    is_descending: bool = False
    """Whether it sorts the greatest first."""

    def value(self, line: L) -> Any:
        """Return the value of a line, to sort by; None where it has none."""
        return getattr(line, self.key)

    def cell(self, line: L) -> str:
        """Return the value of a line as people read it."""
        value = self.value(line)
        return "" if value is None else self.text(value)

    @property
    def heading(self) -> str:
        """Return the title as shown on a page."""
        return self.title[:1].upper() + self.title[1:]


def thousands(value: int) -> str:
    """Format a count."""
    return f"{value:,}"


def percent(value: float) -> str:
    """Format a share."""
    return f"{value:.0%}"


def decimals(places: int) -> Callable[[float], str]:
    """Return a function that formats figures with this number of decimals."""
    return lambda value: f"{value:.{places}f}"
