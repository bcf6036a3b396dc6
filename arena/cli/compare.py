"""arena compare: who is better of two bots, and how sure are we?"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import click

from arena.cli.options import db_option, json_option, reading
from arena.cli.output import print_json, print_table
from arena.reports.compare import CompareReport, PairReport, SharedBlocks, compare_bots, compare_plain, sure_words
from ratings.trial import DEFAULT_ERROR, error_bound, percent
from referee.mistakes import UserError

COLUMNS = {
    "seats": "right", "blocks": "right", "games": "right", "ahead": "right", "level": "right", "behind": "right",
    "Elo": "right", "at least": "right", "at most": "right", "how sure": "left", "LOS (one look)": "right",
}  # fmt: skip


@click.command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--game", "games", multiple=True, help="Only this game; toy:1 names an older pool by its rules version.")
@click.option(
    "--alpha", default=str(DEFAULT_ERROR), show_default=True, metavar="RATE", help="How often an interval may be wrong."
)
@db_option
@json_option
def command(a: str, b: str, games: tuple[str, ...], alpha: str, db: Path, as_json: bool) -> None:
    """Compare A and B over everything they have played together.

    A and B are bots of the database, by name (their newest versions) or by label. Nothing is played: all complete
    blocks of tournaments and tests at which both sat are used, and none can be left out. The interval and "how sure"
    hold at all looks together; tables of different sizes are shown apart.

    \b
    Example: arena compare mybot greedy --game norenberc
    """
    try:
        rate = Decimal(alpha)
        error_bound(rate)
    except (ArithmeticError, ValueError):
        raise UserError(f"--alpha: {alpha!r} is not allowed; expected a rate between 0 and 1") from None
    report = compare_bots(reading(db), a, b, games, rate)
    if as_json:
        print_json(compare_plain(report))
    else:
        _print(report)


def _print(report: CompareReport) -> None:
    if not report.pools:
        click.echo(f"{report.a} and {report.b} have never sat at one table.")
    for pair in report.pools:
        print_table(f"{pair.pool}: {pair.a} (A) and {pair.b} (B)", COLUMNS, (_cells(pair, size) for size in pair.sizes))
        if pair.incomplete:
            click.echo(f"{pair.incomplete:,} blocks lack a game and are no evidence.")
    others = [pair for pair in report.trend if (pair.a, pair.b) != (report.a, report.b)]
    if others:
        rows = [(pair.a, pair.b, *_cells(pair, size)) for pair in report.trend for size in pair.sizes]
        print_table("version by version", {"A": "left", "B": "left", **COLUMNS}, rows)
    if report.pools or others:
        click.echo(
            f"Elo is A less B; {percent(1 - report.alpha)} of such intervals hold the truth at all looks together,"
            " if the tables are alike. How sure needs only the sign."
        )


def _cells(pair: PairReport, size: SharedBlocks) -> tuple[str, ...]:
    found = size.comparison
    seats = f"{size.seats}, both twice" if size.copies > 1 else str(size.seats)
    return (
        seats,
        f"{found.blocks:,}",
        f"{found.blocks * size.seats:,}",
        f"{size.ahead:,}",
        f"{size.level:,}",
        f"{size.behind:,}",
        *("–" if elo is None else f"{elo / 10:+.1f}" for elo in (
            found.elo_tenths, found.lower_elo_tenths, found.upper_elo_tenths,
        )),
        sure_words(found, pair.a, pair.b),
        "–" if size.los is None else f"{100 * size.los:.1f} %",
    )  # fmt: skip
