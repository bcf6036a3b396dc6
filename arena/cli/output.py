"""Output: tables and progress for people; JSON and CSV for programs, without importing rich."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from arena.reports.columns import Column

SHORT_ID = 12
"""The length to which a match id is shortened; it is still enough to name the match."""
GAP = 2  # columns between two columns of a table
NARROWEST_NAME = 10
"""The width to which names and texts may be folded on a narrow terminal."""
PIPE_WIDTH = 100_000
"""The width of a table that does not go to a terminal: a program that reads it wants one line per row."""


def print_json(value: Any) -> None:
    """Print a value, which may hold dataclasses, as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, default=dataclasses.asdict))


def say(text: str, value: Any, *, as_json: bool) -> None:
    """Print a line for people, or a value as JSON."""
    if as_json:
        print_json(value)
    else:
        click.echo(text)


def write_csv(out: IO[str], rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Write rows as CSV with a header line."""
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def progress(*, is_shown: bool = True) -> Progress:
    """Return bars on standard error, hidden where it is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not (is_shown and console.is_terminal))


def print_table(title: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; `columns` maps each heading to "left" or "right".

    On a narrow terminal headings are broken between words, and then names are folded; nothing is ever cut.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [[printable(str(cell)) for cell in row] for row in rows]
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    widths = _widths(columns, cells, console.width)
    console.width = max(console.width, sum(widths) + GAP * len(widths))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for (name, side), width in zip(columns.items(), widths, strict=True):
        table.add_column(name, justify="right" if side == "right" else "left", width=width, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    if title:
        console.print(Text(printable(title), style="bold"))
    console.print(table)


def _widths(columns: Mapping[str, str], cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return each column's width: its natural width, or less where space is short; numbers are never folded."""
    from rich.cells import cell_len

    widths, spare = [], []
    for at, (name, side) in enumerate(columns.items()):
        longest = max((cell_len(line) for row in cells for line in row[at].split("\n")), default=0)
        kept = longest if side == "right" else min(longest, NARROWEST_NAME)
        widths.append(max(longest, cell_len(name)))
        spare.append(widths[at] - max([kept, *map(cell_len, name.split())]))
    excess = sum(widths) + GAP * (len(widths) - 1) - room
    is_text = [side != "right" for side in columns.values()]
    for at in sorted(range(len(widths)), key=lambda at: (is_text[at], -spare[at])):
        taken = max(0, min(excess, spare[at]))
        widths[at] -= taken
        excess -= taken
    return widths


def printable(text: str) -> str:
    """Return text without terminal control characters; line breaks and tabs stay."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)


def sides(columns: Sequence[Column[Any]]) -> dict[str, str]:
    """Return the headings of declared columns as `print_table` wants them."""
    return {column.title: "right" if column.is_figure else "left" for column in columns}
