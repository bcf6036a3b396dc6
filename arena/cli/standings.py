"""The Swiss order of a tournament on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.output import print_table, sides
from arena.reports.standings import STANDING_COLUMNS, StandingLine


def print_standings(tournament: str, lines: Sequence[StandingLine]) -> None:
    """Print the Swiss order as a table."""
    columns = [column for column in STANDING_COLUMNS if column.key != "disqualified" or any(map(column.value, lines))]
    rows = [[column.cell(line) for column in columns] for line in lines]
    print_table(f"{tournament}, Swiss order", sides(columns), rows)
    click.echo("Equal points are told apart by the columns from left to right, then by lot; wins never count.")
