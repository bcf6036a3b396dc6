"""Views as text: a seat's view in lines for a person at a terminal or a language model."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from typing import Any


def facts(view: Any, but: Collection[str] = ()) -> list[str]:
    """Return a line for every field of a view, except some."""
    return [
        f"{field.name.replace('_', ' ')}: {in_words(getattr(view, field.name))}"
        for field in dataclasses.fields(view)
        if field.name not in but
    ]


def in_words(value: Any) -> str:
    """Return any value of a view in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return value.name.lower().replace("_", " ")
    if value is None:
        return "none"
    if isinstance(value, tuple | list):
        return f"[{', '.join(in_words(each) for each in value)}]"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = (f"{field.name} {in_words(getattr(value, field.name))}" for field in dataclasses.fields(value))
        return f"({'; '.join(inner)})"
    return str(value)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return rows under a heading, in columns as wide as necessary."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
