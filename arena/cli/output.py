"""What goes to standard output: tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from arena.reports.columns import Column

PIPE_WIDTH = 100_000
"""Columns of a table that does not go to a terminal: a program that reads it wants every row in one line."""


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Print rows as CSV with a line of names first."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(buffer.getvalue(), nl=False)


def print_table(title: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; `columns` maps each heading to "left" or "right"."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name, side in columns.items():
        is_figure = side == "right"
        table.add_column(name, justify="right" if is_figure else "left", no_wrap=is_figure, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    if title:
        console.print(Text(printable(title), style="bold"))
    console.print(table)


def printable(text: str) -> str:
    """Return text without the characters that would steer a terminal; line breaks and tabs stay."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)


def sides(columns: Sequence[Column[Any]]) -> dict[str, str]:
    """Return the headings of declared columns as `print_table` wants them."""
    return {column.title: "right" if column.is_figure else "left" for column in columns}
