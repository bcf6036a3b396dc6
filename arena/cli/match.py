"""arena match: what happened in a match, and every prompt and answer of a bot."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.hints import to_paste
from arena.cli.options import Source, connect, db_option, json_option, reading, source_options
from arena.cli.output import SHORT_ID, print_json, print_table, printable, write_csv
from arena.remote.address import ServerAddress
from arena.reports.match import (
    ChoiceWithView,
    MatchFacts,
    MatchReport,
    asked,
    read_record,
    readable_record,
    report,
    report_of,
)
from arena.reports.scores import score_text
from arena.reports.tournament import MatchLine, SeatLine, listed_matches
from arena.store.database import Store
from arena.store.rows import StoredMatch, WantedMatches
from referee.game import Seat
from referee.mistakes import UserError
from referee.order import find_game
from referee.record import Record, RecordError

CSV_COLUMNS = (
    "match", "tournament", "round", "table", "game_number", "game", "ending", "stored_at", "void_reason",
    "forfeit_note", "strike_note", "seat", "bot", "place", "score", "fault",
)  # fmt: skip


@click.group("match")
def command() -> None:
    """List and inspect matches, in a database or on a server.

    \b
    Example: arena match list --game norenberc
             arena match show 3f9a
    """


@command.command("list")
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--tournament", metavar="NAME", help="Only matches of this tournament.")
@click.option("--round", "round_number", type=click.IntRange(1), help="Only matches of this round.")
@click.option("--bot", "bots", metavar="BOT", multiple=True, help="Only matches of this bot or version; repeat it "
              "for matches of all of them at one table.")  # fmt: skip
@click.option("--forfeits", "only_forfeits", is_flag=True, help="Only matches that a bot forfeited.")
@click.option(
    "--last", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="Show up to this number."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: one row per seat.")
@db_option
@json_option
def list_command(
    game: str | None,
    tournament: str | None,
    round_number: int | None,
    bots: tuple[str, ...],
    only_forfeits: bool,
    last: int,
    as_csv: bool,
    db: Path,
    as_json: bool,
) -> None:
    """List the matches of a database, the latest first.

    \b
    Example: arena match list --bot greedy --bot search --last 100
             arena match list --tournament friday --csv
    """
    if as_json and as_csv:
        raise UserError("--csv: expected one of --json and --csv")
    store = reading(db)
    if game is not None and game not in (known := store.matches.games()):
        find_game(game)
        raise UserError(
            f"--game: no match of {game} is in this database; expected one of: {', '.join(known) or 'none'}"
        )
    if tournament is not None:
        store.tournaments.find(tournament)
    named = tuple(_versions(store, bot) for bot in bots)
    wanted = WantedMatches(tournament, round_number, game, named, only_forfeits)
    found, count = listed_matches(store, wanted, last)
    if as_csv:
        write_csv(sys.stdout, (_csv_row(match, seat) for match in found for seat in match.seats), CSV_COLUMNS)
    elif as_json:
        print_json({"matches": [asdict(match) for match in found], "count": count})
    else:
        _print_list(found, count)


def _versions(store: Store, wanted: str) -> tuple[str, ...]:
    """Return the label of a version, or those of all versions of a bot."""
    bot = store.bots.find(wanted)
    labels = tuple(each.label for each in store.bots.versions_of(bot.name))
    return (wanted,) if wanted in labels else labels


def _csv_row(match: MatchLine, seat: SeatLine) -> dict[str, object]:
    plain = asdict(match) | asdict(seat)
    return {column: plain[column] for column in CSV_COLUMNS}


def _print_list(found: list[MatchLine], count: int) -> None:
    if not found:
        click.echo("There are no such matches.")
        return
    columns = {"match": "left", "game": "left", "tournament": "left", "round": "right", "table": "right"}
    columns |= {"result": "left", "stored at": "left"}
    print_table("", columns, [
        (match.match[:SHORT_ID], match.game, match.tournament, match.round, match.table, match.result, match.stored_at)
        for match in found
    ])  # fmt: skip
    if count > len(found):
        click.echo(f"The last {len(found):,} of {count:,}; --last N shows more.")


@command.command("show")
@click.argument("match_id", metavar="ID")
@source_options
def show(match_id: str, source: Source, as_json: bool) -> None:
    """Show seats, result and times of a match.

    The beginning of an ID is enough.

    \b
    Example: arena match show 3f9a
    """
    found = _report(match_id, source)
    if as_json:
        # Seeds exceed the integers that many JSON readers hold exactly, so they are strings.
        plain = asdict(found)
        plain["match"]["seed"] = str(found.match.seed)
        print_json(plain)
    else:
        _print(found)
        for about, verbs in (("The story", ("replay", "show")), ("The bots' side", ("match", "logs"))):
            click.echo(f"{about}: {to_paste(*verbs, found.match.id[:SHORT_ID], db=source.db, server=source.server)}")


def _report(match_id: str, source: Source) -> MatchReport:
    if source.server is None:
        store = reading(source.db)
        return report(store, store.matches.find(match_id))
    facts, text = _fetched(match_id, source.server)
    return report_of(facts, lambda: read_record(facts.match, text))


def _fetched(match_id: str, server: ServerAddress) -> tuple[MatchFacts, str]:
    with connect(server) as client:
        facts = client.match(match_id)
        return facts, client.replay(facts.match)


def _print(found: MatchReport) -> None:
    match, header = found.match, found.header
    game = "" if match.game_number == 0 else f", game {match.game_number}"
    attempt = "" if match.attempt == 0 else ", replayed after a void match"
    click.echo(f"match {match.id}")
    click.echo(f"{match.game}, {found.tournament} round {match.round} table {match.table}{game}{attempt}")
    click.echo(f"{match.ending}: {match.reason}" if match.reason else str(match.ending))
    if match.was_made_void:
        click.echo(f"void: {match.void_reason}")
    if match.forfeit_note is not None:
        click.echo(f"forfeited: {match.forfeit_note}")
    if match.strike_note is not None:
        click.echo(f"struck: {match.strike_note}")
    columns = {"seat": "right", "bot": "left", "place": "right", "score": "right", "ending": "left", "Elo": "right"}
    columns |= {"own ms": "right", "longest": "right", "stall": "right", "transport": "right", "choices": "left"}
    rows = [
        (
            seat.seat,
            seat.bot,
            "" if seat.place is None else seat.place,
            score_text(match.game, seat.score),
            seat.ending + ("" if seat.forfeited_at is None else f" at step {seat.forfeited_at}"),
            "" if seat.elo_change is None else f"{seat.elo_change:+.1f}",
            *(f"{time:.1f}" for time in (seat.own_ms, seat.longest_ms, seat.stall_ms, seat.transport_ms)),
            ", ".join(f"{count} {how}" for how, count in seat.decisions.items()),
        )
        for seat in found.seats
    ]
    print_table("", columns, rows)
    facts = {
        "seed": match.seed,
        "decisions": f"{found.decisions} in {found.steps} steps, {found.asked} asked",
        "sandbox": found.sandbox,
        "played on": found.played_on,
        "stored at": found.stored_at,
        "ledger": found.ledger,
        "digest": match.record_digest,
    }
    if header:
        options = ", ".join(f"{key} = {str(value).lower()}" for key, value in header["options"].items())
        facts["options"] = options or "none"
        facts["time"] = ", ".join(f"{key} = {value}" for key, value in header["time_control"].items())
        facts["software"] = f"{header['software']}, rules {header['rules_version']}"
    for name, fact in facts.items():
        click.echo(printable(f"{name:12}{fact}"))
    if found.record_fault is not None:
        click.echo(f"arena: {found.record_fault}", err=True)
    click.echo()


@command.command("logs")
@click.argument("match_id", metavar="ID")
@click.option("--seat", type=click.IntRange(0), help="Only this seat.")
@click.option("--views", "with_views", is_flag=True, help="Also show what the seat saw at every question.")
@source_options
def logs(match_id: str, seat: int | None, with_views: bool, source: Source, as_json: bool) -> None:
    """Show a match's prompts, answers and bot output.

    Own time was charged to a bot's clock; stalls and transport were not. A server shows a bot's output
    only to its author and to organisers.

    \b
    Example: arena match logs 3f9a --seat 1
    """
    match, record, printed = _recorded(match_id, source)
    seats = range(len(match.seating))
    if seat is not None and seat not in seats:
        raise UserError(f"--seat: {seat} is not allowed; expected 0 to {len(seats) - 1}")
    wanted = list(seats) if seat is None else [seat]
    try:
        choices = list(asked(record, wanted))
    except RecordError as error:
        raise UserError(f"match {match.id[:SHORT_ID]}: the record is refused: {error}") from None
    kept = {at: text for at, text in printed.items() if at in wanted}
    if as_json:
        bots = {at: match.seating[at] for at in wanted}
        hidden = () if with_views else ("view",)
        plain = [{key: value for key, value in asdict(each).items() if key not in hidden} for each in choices]
        print_json({"match": match.id, "bots": bots, "choices": plain, "outputs": kept})
        return
    for at in wanted:
        _print_seat(at, match.seating[at], [choice for choice in choices if choice.seat == at], with_views)
        if at in kept:
            click.echo(f"output of {match.seating[at]}:")
            click.echo(printable(kept[at]).rstrip("\n"))
        click.echo()


def _recorded(match_id: str, source: Source) -> tuple[StoredMatch, Record, dict[Seat, str]]:
    """Return a match, its record, and its bots' kept output by seat."""
    if source.server is None:
        store = reading(source.db)
        match = store.matches.find(match_id)
        return match, readable_record(store, match), store.matches.outputs(match.id)
    facts, text = _fetched(match_id, source.server)
    printed = {Seat(at): seat.output for at, seat in enumerate(facts.seats) if seat.output is not None}
    return facts.stored(), read_record(facts.match, text), printed


def _print_seat(seat: int, bot: str, choices: list[ChoiceWithView], with_views: bool) -> None:
    columns = {"step": "right", "prompt": "right", "asked": "left", "clause": "left", "options": "right"}
    columns |= {"chosen": "left", "how": "left", "own ms": "right", "stall": "right", "transport": "right"}
    rows = []
    for choice in choices:
        prompt = "" if choice.prompt is None else choice.prompt
        times = (f"{time / 1000:.1f}" for time in (choice.own_us, choice.stall_us, choice.transport_us))
        rows.append((choice.step, prompt, choice.kind, choice.clause, choice.options, choice.text, choice.how, *times))
    print_table(f"seat {seat}: {bot}", columns, rows)
    if any(choice.comment for choice in choices):
        click.echo("its comments on its answers:")
        for choice in choices:
            if choice.comment:
                click.echo(f"{choice.step:4}  {printable(choice.comment)}")
    if with_views:
        click.echo("its view before each step:")
        for choice in choices:
            click.echo(f"{choice.step:4}  {json.dumps(choice.view, separators=(',', ':'), ensure_ascii=False)}")
