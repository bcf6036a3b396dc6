"""How the figures of a board share one screen: the columns that let their smallest text be largest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product

from referee.drawing import Figure

COLUMNS = 24
"""The columns of the grid; a figure spans some of them."""
WIDE, NARROW = (900.0, 560.0), (374.0, 505.0)
"""The room for a board on a desk and on a phone, in pixels; what counts is the ratio."""
CAPTION = 18.0
BOX = re.compile(r'viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"')
ASIDE = "tiny"
"""A figure of this size stands in a corner of the board."""

Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Span:
    """Columns of the grid."""

    columns: int
    is_first: bool
    """Whether a row begins here."""


@dataclass(frozen=True, slots=True)
class Place:
    """A figure's share of its row, on a wide and on a narrow screen."""

    figure: Figure
    wide: Span | None
    narrow: Span | None


def arrange(figures: Sequence[Figure]) -> list[Place]:
    """Return the figures with their shares; those that stand aside have none."""
    sizes = tuple(_size(figure) for figure in figures if figure.size != ASIDE)
    wide, narrow = iter(_spans(sizes, WIDE)), iter(_spans(sizes, NARROW))
    return [
        Place(figure, None, None) if figure.size == ASIDE else Place(figure, next(wide), next(narrow))
        for figure in figures
    ]


def _size(figure: Figure) -> Size:
    """The natural size of a figure; that of a page for what is no picture."""
    found = BOX.search(figure.body)
    return WIDE if found is None else (float(found[1]), float(found[2]))


@lru_cache(maxsize=512)
def _spans(sizes: tuple[Size, ...], room: Size) -> tuple[Span, ...]:
    rows = max(_arrangements(sizes), key=lambda rows: _scale(rows, room), default=())
    return tuple(
        Span(columns, at == 0) for row in rows for at, columns in enumerate(_shares(row)[: sum(map(_is_real, row))])
    )


def _is_real(size: Size) -> bool:
    return size[1] > 0


def _arrangements(sizes: tuple[Size, ...]) -> Iterator[tuple[tuple[Size, ...], ...]]:
    """Yield ways to cut the figures into rows: all alike, or each run of equal ones in its own rows."""
    for columns in range(1, min(len(sizes), COLUMNS) + 1):
        yield tuple(_cut(sizes, columns))
    runs = [tuple(run) for _, run in groupby(sizes)]
    if len(runs) in (2, 3):
        for columns_of in product(*(range(1, min(len(run), COLUMNS) + 1) for run in runs)):
            yield tuple(row for run, columns in zip(runs, columns_of, strict=True) for row in _cut(run, columns))


def _cut(sizes: tuple[Size, ...], columns: int) -> Iterator[tuple[Size, ...]]:
    """Cut into rows; the last is filled with empty places as wide as its first figure."""
    for start in range(0, len(sizes), columns):
        row = sizes[start : start + columns]
        yield row + ((row[0][0], 0.0),) * (columns - len(row) if start else 0)


def _scale(rows: Sequence[Sequence[Size]], room: Size) -> float:
    """The smallest scale at which a figure is drawn, when rows are equally high."""
    height = room[1] / len(rows) - CAPTION
    return min(min(room[0] / sum(width for width, _ in row), height / max(high for _, high in row)) for row in rows)


def _shares(row: Sequence[Size]) -> list[int]:
    """Share the columns in proportion to the widths."""
    total = sum(width for width, _ in row)
    ends = [round(COLUMNS * sum(width for width, _ in row[: at + 1]) / total) for at in range(len(row))]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
