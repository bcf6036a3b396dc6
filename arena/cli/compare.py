"""arena compare: is one bot better than another, by what they have played so far?"""

from __future__ import annotations

from dataclasses import asdict

import click

from arena.cli.options import Source, source_options
from arena.cli.output import print_json, print_table, printable
from arena.reports.compare import CompareReport, TableComparison, compare_bots, read_rate
from ratings.sequential.test import DEFAULT_ERROR

COLUMNS = {"A": "left", "B": "left", "tables of": "right", "A against B": "left"}


@click.command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--game", "games", multiple=True, help="Only this game; toy:1 names an older pool by its rules version.")
@click.option(
    "--alpha",
    default=str(DEFAULT_ERROR),
    show_default=True,
    metavar="RATE",
    help="Error rate of verdicts and intervals.",
)
@source_options
def command(a: str, b: str, games: tuple[str, ...], alpha: str, source: Source, as_json: bool) -> None:
    """Compare A and B over everything they have played together.

    A and B are bots of the database, by name (their newest versions) or by label. Nothing is played: all complete
    blocks of tournaments and tests at which both sat are used, and none can be left out. The verdict answers the
    question of arena test: is A better than B? It holds for all looks together; tables of different sizes are shown
    separately.

    \b
    Example: arena compare mybot greedy --game norenberc
    """
    rate = read_rate(alpha)
    report = source.ask(
        lambda store: compare_bots(store, a, b, games, rate), lambda client: client.compare(a, b, games, alpha)
    )
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


def _print(report: CompareReport) -> None:
    if not report.pools:
        click.echo(f"{report.a} and {report.b} have never met at a table.")
    for pair in report.pools:
        click.echo(printable(f"{pair.pool}: {pair.a} (A) against {pair.b} (B)"))
        for table in pair.tables:
            click.echo(f"tables of {_seats(table)}: {table.line}")
            if table.any_look:
                click.echo(table.any_look)
        if pair.incomplete_blocks:
            click.echo(f"{pair.incomplete_blocks:,} blocks lack a game and do not count.")
    others = [pair for pair in report.trend if (pair.a, pair.b) != (report.a, report.b)]
    if others:
        rows = ((pair.a, pair.b, _seats(table), table.line) for pair in report.trend for table in pair.tables)
        print_table("version by version", COLUMNS, rows)
    if report.pools or others:
        click.echo(report.foot)


def _seats(table: TableComparison) -> str:
    return f"{table.seats}, both twice" if table.copies > 1 else str(table.seats)
