"""A tournament's standings on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.output import print_table, sides
from arena.plan.schedules.schedule import OrderWords
from arena.reports.standings import StandingLine, columns_of


def print_standings(tournament: str, words: OrderWords, lines: Sequence[StandingLine]) -> None:
    """Print the standings as a table, and how they are ordered."""
    columns = columns_of(words, lines)
    rows = [[column.cell(line) for column in columns] for line in lines]
    print_table(f"{tournament}, {words.name}", sides(columns), rows)
    click.echo(words.rule)
