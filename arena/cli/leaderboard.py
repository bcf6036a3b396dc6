"""arena leaderboard: bots ranked by strength."""

from __future__ import annotations

import sys
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path

import click

from arena.cli.options import Source, source_options
from arena.cli.output import print_json, print_table, sides, write_csv
from arena.cli.publish import html_option, write_site
from arena.cli.standings import print_standings
from arena.fitting.fits import FITTED_UNREQUESTED, read_fit
from arena.reports.leaderboard import (
    LEADERBOARD_COLUMNS,
    NO_OVERALL,
    OVERALL,
    SHORT_VERSION,
    Leaderboard,
    Line,
    OverallLine,
    PoolBoard,
    as_plain,
    gather,
    remarks,
)
from arena.store.database import Store
from referee.mistakes import UserError

COLUMNS = ("game", *(field.name for field in fields(Line)))


@click.command("leaderboard")
@click.option("--game", "games", multiple=True, help="Only this game; toy:1 names an older pool by its rules version.")
@click.option("--tournament", help="Only the bots of this tournament, in rating order and in Swiss order.")
@click.option("--all-versions", is_flag=True, help="Every version of a bot, not only the newest.")
@click.option(
    "--fit", "always", is_flag=True,
    help=f"Fit the ratings now and keep the fit, even over more than {FITTED_UNREQUESTED:,} matches.",
)  # fmt: skip
@source_options
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: one row per bot and game.")
@html_option("Write web pages into this folder instead, or one page that needs no other file.")
def command(
    games: tuple[str, ...],
    tournament: str | None,
    all_versions: bool,
    always: bool,
    source: Source,
    as_json: bool,
    as_csv: bool,
    html: Path | None,
) -> None:
    """Rank bots by strength, per game and overall.

    The official rating is fitted to all matches, with a 95 % interval; Elo is the ledger's running rating, which
    depends on the order of the matches. Fits are kept in the database: a large one is recomputed only with --fit, and
    the leaderboard says how old it is.

    \b
    Example: arena leaderboard --game norenberc --csv
    """
    if as_json and as_csv:
        raise UserError("--csv: expected one of --json and --csv")
    if html is not None:
        if as_csv or tournament is not None or all_versions or always or source.server is not None:
            raise UserError("--html: writes pages of a database; expected no option but --game, --db and --json")
        write_site(lambda site: site.write_leaderboards(source.db, html, games), html, as_json=as_json)
        return

    def here(store: Store) -> Leaderboard:
        read = partial(read_fit, store, source.db if always else None, always=always)
        return gather(store, read, games, tournament, all_versions=all_versions)

    found = source.ask(here, lambda client: client.leaderboard(games, tournament, all_versions=all_versions))
    if as_csv:
        lines = ({"game": each.pool.name, **asdict(line)} for each in found.boards for line in each.lines)
        write_csv(sys.stdout, lines, COLUMNS)
    elif as_json:
        print_json(as_plain(found, tournament))
    else:
        _print(found, tournament)


def _print(found: Leaderboard, tournament: str | None) -> None:
    if not found.boards:
        click.echo("There are no rated matches yet.")
    for each in found.boards:
        _print_board(each, "" if tournament is None else f"{tournament}, rating order: ")
    if found.overall:
        _print_overall(found.overall)
    elif len(found.boards) > 1:
        click.echo(f"{NO_OVERALL}\n")
    if tournament is not None:
        print_standings(tournament, found.words, found.swiss)


def _print_board(each: PoolBoard, prefix: str) -> None:
    parts: dict[int | None, list[Line]] = {}
    for line in each.lines:
        parts.setdefault(line.component, []).append(line)
    columns = sides(LEADERBOARD_COLUMNS) | {"": "left"}
    for number, lines in enumerate(parts.values(), start=1):
        title = f"{prefix}{each.pool.game} (rules {each.pool.rules_version}), {each.extent.matches:,} matches"
        if each.components > 1 and lines[0].component is not None:
            title += f": part {number} of {each.components} that have not met"
        elif each.fitted is not None and lines[0].component is None:
            title += ": not fitted yet"
        print_table(title, columns, (_cells(line) for line in lines))
    for remark in remarks(each):
        click.echo(remark)
    if not each.is_current:
        click.echo("Add --fit to fit them again.")
    click.echo()


def _cells(line: Line) -> tuple[str, ...]:
    flags = {"house": line.is_house, "inactive": line.is_inactive, "retired": line.is_retired}
    return (
        *(column.cell(line) for column in LEADERBOARD_COLUMNS),
        ", ".join(flag for flag, is_set in flags.items() if is_set),
    )


def _print_overall(lines: list[OverallLine]) -> None:
    columns = {"rank": "right", "bot": "left", "version": "left", "votes": "right", "games": "left"}
    rows = []
    for line in lines:
        version, games = line.version[:SHORT_VERSION], ", ".join(line.games)
        rows.append((line.rank, line.bot, version, line.shown_votes, games))
    print_table("overall", columns, rows)
    click.echo(f"{OVERALL}\n")
