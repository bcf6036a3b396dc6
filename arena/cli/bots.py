"""arena bots: who is here, and how each has done."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from arena.bot_report import BotReport, MatchLine, bots, report
from arena.cli.options import db_option, json_option, reading
from arena.cli.output import print_json, print_table, printable

SHORT_ID = 12
OUTPUT_LINES = 10
"""How much of a bot's output is shown with a forfeit; arena match logs has all that was kept."""


@click.group("bots")
def command() -> None:
    """Look at the bots of a database.

    \b
    Example: arena bots show random
    """


@command.command("list")
@db_option
@json_option
def list_bots(db: Path, as_json: bool) -> None:
    """List all bots with their newest version and their running Elo.

    \b
    Example: arena bots list --json
    """
    found = bots(reading(db))
    if as_json:
        print_json([dataclasses.asdict(bot) for bot in found])
        return
    columns = {"bot": "left", "newest": "left", "versions": "right", "matches": "right", "Elo": "left", "": "left"}
    rows = [
        (
            bot.name,
            bot.newest.rpartition("@")[2],
            bot.versions,
            f"{bot.matches:,}",
            ", ".join(f"{pool} {elo:.0f}" for pool, elo in bot.games.items()),
            "retired" if bot.is_retired else "",
        )
        for bot in found
    ]
    print_table("", columns, rows)


@command.command("show")
@click.argument("name")
@click.option(
    "--last",
    default=10,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="How many changes, matches and forfeits.",
)
@db_option
@json_option
def show(name: str, last: int, db: Path, as_json: bool) -> None:
    """Show a bot, or one version of it (NAME@VERSION): ratings, opponents, matches, forfeits and why.

    \b
    Example: arena bots show random --last 20
    """
    found = report(reading(db), name, last)
    if as_json:
        print_json(dataclasses.asdict(found))
        return
    retired = ", retired" if found.is_retired else ""
    by = "" if found.author is None else f" by {found.author}"
    click.echo(f"{found.name}{by}{retired}\n")
    _print_versions(found)
    _print_ratings(found)
    _print_duels(found)
    print_table("last matches", MATCH_COLUMNS, (_cells(line) for line in found.recent))
    _print_forfeits(found)


def _print_versions(found: BotReport) -> None:
    columns = {"version": "left", "of": "left", "added": "left", "from": "left"}
    rows = [(each.label, each.parent or "", each.added_at, each.path) for each in found.versions]
    print_table("versions", columns, rows)
    click.echo()


def _print_ratings(found: BotReport) -> None:
    columns = {"version": "left", "pool": "left", "Elo": "right", "matches": "right", "place": "right", "won": "right"}
    columns |= {"shared": "right", "points": "right", "forfeits": "right", "last changes": "left"}
    rows = [
        (
            each.label,
            each.pool,
            f"{each.elo:.0f}",
            f"{each.matches:,}",
            f"{each.mean_place:.2f}",
            each.wins,
            each.shared_wins,
            f"{each.points_share:.0%}",
            each.forfeits,
            " ".join(f"{change.change:+.0f}" for change in each.history),
        )
        for each in found.ratings
    ]
    print_table("ratings", columns, rows)
    click.echo()


def _print_duels(found: BotReport) -> None:
    columns = {"game": "left", "opponent": "left", "matches": "right", "points": "right", "share": "right"}
    rows = [
        (duel.game, duel.opponent, f"{duel.matches:,}", f"{duel.points:g}", f"{duel.points / duel.matches:.0%}")
        for duel in found.duels
    ]
    print_table("head to head: points for finishing ahead, half for a tie", columns, rows)
    click.echo()


MATCH_COLUMNS = {
    "match": "left", "game": "left", "tournament": "left", "round": "right", "seat": "right", "place": "right",
    "score": "right", "ending": "left", "stored": "left",
}  # fmt: skip


def _cells(line: MatchLine) -> tuple[object, ...]:
    place = "" if line.place is None else f"{line.place} of {line.seats}"
    score = "" if line.score is None else line.score
    return (
        line.match[:SHORT_ID],
        line.game,
        line.tournament,
        line.round,
        line.seat,
        place,
        score,
        line.ending,
        line.stored_at,
    )


def _print_forfeits(found: BotReport) -> None:
    if not found.forfeit_count:
        return
    click.echo(f"\nforfeits: {found.forfeit_count:,}, the last ones:")
    for forfeit in found.forfeits:
        line = forfeit.line
        click.echo(f"  {line.match[:SHORT_ID]} {line.game} seat {line.seat}, {line.ending}, {line.stored_at}")
        for text in printable(forfeit.output).splitlines()[-OUTPUT_LINES:]:
            click.echo(f"    | {text}")
    click.echo("All that was kept of one: arena match logs ID")
