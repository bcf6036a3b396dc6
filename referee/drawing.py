"""The parts of a board: figures, facts about the table, and a panel for every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture with its caption."""

    caption: str
    body: Markup
    size: str = "wide"
    """Its size: wide, half, pair (two in a row), quarter, small or tiny."""
    legend: tuple[tuple[str, str], ...] = ()
    """The icons in it with what they stand for."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The facts about one seat, as pairs of label and value."""

    seat: int
    facts: tuple[tuple[str, str], ...]
    hidden: tuple[tuple[str, str], ...] = ()
    """This seat's private knowledge, from its own view."""
    note: str = ""
    score: str = ""
    """How close it is to winning, in a few words, as everybody at the table can see."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A position as a page shows it."""

    figures: tuple[Figure, ...]
    facts: tuple[tuple[str, str], ...]
    panels: tuple[Panel, ...]


def counted(counts: Sequence[int], names: Sequence[str]) -> str:
    """Return amounts in words: `2 wood, 1 ore`."""
    return ", ".join(f"{count} {name}" for count, name in zip(counts, names, strict=True) if count) or "none"


def many(count: int, noun: str) -> str:
    """Return a count with its noun: `1 card`, `2 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def words(name: str) -> str:
    """Return the name of an enum member as words."""
    return name.lower().replace("_", " ")
