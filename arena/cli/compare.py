"""arena compare: which of two bots is better, and how sure are we?"""

from __future__ import annotations

from dataclasses import asdict

import click

from arena.cli.options import Source, source_options
from arena.cli.output import print_json, print_table
from arena.reports.compare import (
    CompareReport,
    PairComparison,
    TableComparison,
    compare_bots,
    read_rate,
    sure_words,
)
from ratings.sequential.test import DEFAULT_ERROR

COLUMNS = {
    "seats": "right", "blocks": "right", "games": "right", "ahead": "right", "level": "right", "behind": "right",
    "Elo": "right", "at least": "right", "at most": "right", "how sure": "left", "LOS (one look)": "right",
}  # fmt: skip


@click.command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--game", "games", multiple=True, help="Only this game; toy:1 names an older pool by its rules version.")
@click.option(
    "--alpha", default=str(DEFAULT_ERROR), show_default=True, metavar="RATE", help="Error rate of the intervals."
)
@source_options
def command(a: str, b: str, games: tuple[str, ...], alpha: str, source: Source, as_json: bool) -> None:
    """Compare A and B over everything they have played together.

    A and B are bots of the database, by name (their newest versions) or by label. Nothing is played: all complete
    blocks of tournaments and tests at which both sat are used, and none can be left out. The interval and "how sure"
    hold for all looks together; tables of different sizes are shown separately.

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
        rows = (_cells(pair, table) for table in pair.tables)
        print_table(f"{pair.pool}: {pair.a} (A) and {pair.b} (B)", COLUMNS, rows)
        if pair.incomplete_blocks:
            click.echo(f"{pair.incomplete_blocks:,} blocks lack a game and do not count.")
    others = [pair for pair in report.trend if (pair.a, pair.b) != (report.a, report.b)]
    if others:
        rows = ((pair.a, pair.b, *_cells(pair, table)) for pair in report.trend for table in pair.tables)
        print_table("version by version", {"A": "left", "B": "left", **COLUMNS}, rows)
    if report.pools or others:
        click.echo(report.foot)


def _cells(pair: PairComparison, table: TableComparison) -> tuple[str, ...]:
    ends = (table.elo, table.elo_at_least, table.elo_at_most)
    return (
        f"{table.seats}, both twice" if table.copies > 1 else str(table.seats),
        *(f"{count:,}" for count in (table.blocks, table.games, table.a_ahead, table.level, table.a_behind)),
        *("–" if elo is None else f"{elo:+.1f}" for elo in ends),
        sure_words(table, pair.a, pair.b),
        table.shown_los or "–",
    )
