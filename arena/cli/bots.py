"""arena bots: submit, inspect, retire or disqualify them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click
import trio

from arena.bots import archive
from arena.bots.directory import read_bot
from arena.bots.label import Label
from arena.cli.corrections import disqualify
from arena.cli.hints import to_paste
from arena.cli.options import Source, database_options, reading, source_options, writing
from arena.cli.output import SHORT_ID, print_json, print_table, printable, say
from arena.fitting.fits import read_fit
from arena.remote.messages import pack
from arena.reports.bot import BotReport, bots, report
from arena.reports.tournament import correction
from arena.sandbox.levels import SandboxPolicy
from arena.server.submissions import NotYoursError, SmokeError, Submissions
from arena.store.beside import bots_folder
from arena.store.database import Store
from arena.store.local_time import local_now
from arena.store.rows import BotMatch
from arena.v1 import arena_pb2 as pb
from ratings.fit.shown import shown_rating
from referee.logs import configure_logs
from referee.mistakes import UserError

OUTPUT_LINES = 10
"""How much of a bot's output is shown with a forfeit; arena match logs shows the rest."""


@click.group("bots")
def command() -> None:
    """Submit, inspect, retire or disqualify bots.

    In a database, or on a server with --server.

    \b
    Example: arena bots show random
    """


@command.command("submit")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@source_options
def submit(directory: Path, source: Source, as_json: bool) -> int:
    """Submit the bot in DIR.

    It is accepted once it has finished a match in the sandbox. Without a server it is kept in a folder beside
    the database.

    \b
    Example: arena bots submit mybot --server arena.example.org:7494
    """
    name = read_bot(directory).manifest.name
    try:
        content = archive.pack(directory)
    except archive.ArchiveError as error:
        raise UserError(f"{directory}: {error}") from None
    create = partial(writing, create=True)
    response = source.ask(
        lambda store: _submit_here(store, source.db, name, content), lambda client: client.submit(name, content), create
    )
    if response.HasField("refused"):
        refused = response.refused
        if as_json:
            print_json({"is_accepted": False, "reason": refused.reason, "game": refused.game, "output": refused.output})
        else:
            click.echo(f"{name} is refused: {printable(refused.reason)}")
            for line in printable(refused.output).splitlines():
                click.echo(f"  | {line}")
        return 1
    accepted = response.accepted
    fields = {key: getattr(accepted, key) for key in ("label", "version", "is_new", "game")}
    is_now = f"is accepted: it finished a match of {accepted.game}"
    text = f"{accepted.label} {is_now if accepted.is_new else 'was submitted before and is unchanged'}."
    say(text, {"is_accepted": True, **fields}, as_json=as_json)
    return 0


def _submit_here(store: Store, db: Path, name: str, content: bytes) -> pb.SubmitBotResponse:
    configure_logs("warning", as_json=False)
    submissions = Submissions(store, bots_folder(db), SandboxPolicy.AUTO, local_now)
    try:
        accepted = trio.run(submissions.accept, content, name, None)
    except (archive.ArchiveError, NotYoursError) as error:
        raise UserError(str(error)) from None
    except SmokeError as error:
        refused = pb.RefusedVersion(reason=str(error), game=error.game, output=error.output)
        return pb.SubmitBotResponse(refused=refused)
    return pb.SubmitBotResponse(accepted=pack(accepted, pb.AcceptedVersion()))


@command.command("retire")
@click.argument("name")
@source_options
def retire_bot(name: str, source: Source, as_json: bool) -> None:
    """Retire a bot.

    It enters no further tournament until a new version of it is submitted.

    \b
    Example: arena bots retire mybot --server arena.example.org:7494
    """

    def retire(store: Store) -> None:
        store.bots.author_of(name)  # a UserError if there is no such bot
        store.bots.set_retired(name, True)

    source.ask(retire, lambda client: client.retire(name), writing)
    say(f"{name} is retired.", {"name": name, "is_retired": True}, as_json=as_json)


command.add_command(disqualify)


@command.command("list")
@source_options
def list_bots(source: Source, as_json: bool) -> None:
    """List all bots with their newest version and their Elo.

    \b
    Example: arena bots list --json
    """
    found = source.ask(bots, lambda client: client.bots())
    if as_json:
        print_json(found)
        return
    columns = {"bot": "left", "newest": "left", "versions": "right", "matches": "right", "Elo": "left", "": "left"}
    rows = [
        (
            bot.name,
            Label.parse(bot.newest).version,
            bot.versions,
            f"{bot.matches:,}",
            ", ".join(f"{pool} {shown_rating(elo)}" for pool, elo in bot.games.items()),
            "retired" if bot.is_retired else bot.state,
        )
        for bot in found
    ]
    print_table("", columns, rows)


@command.command("show")
@click.argument("name")
@click.option(
    "--last", default=10, show_default=True, type=click.IntRange(1, 100_000),
    help="Number of matches, rating changes and forfeits to show.",
)  # fmt: skip
@source_options
def show(name: str, last: int, source: Source, as_json: bool) -> None:
    """Show a bot, or one version of it.

    NAME@VERSION selects one version. Forfeits are shown with the bot's output.

    \b
    Example: arena bots show random --last 20
    """
    found = source.ask(
        lambda store: report(store, name, last, partial(read_fit, store, None)), lambda client: client.bot(name, last)
    )
    if as_json:
        print_json(found)
        return
    retired = ", retired" if found.is_retired else ""
    by = "" if found.author is None else f" by {found.author}"
    click.echo(f"{found.name}{by}{retired}\n")
    columns = dict.fromkeys(("version", "of", "added", "from"), "left")
    rows = [
        (each.label, each.parent or "", each.added_at, f"signed by {each.public_key}" if each.public_key else each.path)
        for each in found.versions
    ]
    print_table("versions", columns, rows)
    click.echo()
    _print_ratings(found)
    _print_duels(found)
    print_table("last matches", MATCH_COLUMNS, map(_cells, found.recent))
    if found.forfeit_count:
        _print_forfeits(found)
    if found.forfeits:
        newest = found.forfeits[0].line.match[:SHORT_ID]
        click.echo(f"The full log of a match: {to_paste('match', 'logs', newest, db=source.db, server=source.server)}")


@command.command("report")
@click.argument("name")
@click.option("--tournament", metavar="NAME", help="Only matches of this tournament.")
@database_options
def report_play(name: str, tournament: str | None, db: Path, as_json: bool) -> None:
    """Report how a bot plays, according to the judge.

    Points lost by kind of decision, game phase and seat, the three most instructive matches, what
    the next better bot does differently, and what has changed since the last version. NAME@VERSION selects one version.
    It reads the judgements of `arena analyse`.

    \b
    Example: arena bots report greedy --tournament autumn
    """
    from arena.cli.play_report import print_report
    from arena.reports.bot_play import NothingJudgedError, play_report

    try:
        found = play_report(reading(db), name, tournament)
    except NothingJudgedError as error:
        judging = to_paste("analyse", "--tournament", tournament or "NAME", db=db)
        raise UserError(f"{error}; judge a tournament with: {judging}") from None
    if as_json:
        print_json(found)
    else:
        print_report(found)


def _print_ratings(found: BotReport) -> None:
    columns = {"version": "left", "pool": "left", "Elo": "right", "matches": "right", "place": "right", "won": "right"}
    columns |= {"shared": "right", "points": "right", "forfeits": "right", "last changes": "left"}
    rows = [
        (
            each.label,
            each.pool,
            shown_rating(each.elo),
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
    for each in found.ratings:
        if each.shown_drift:
            click.echo(f"{each.label} in {each.pool}: {each.shown_drift}.")
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


def _cells(line: BotMatch) -> tuple[object, ...]:
    place = "" if line.place is None else f"{line.place} of {line.seats}"
    score = "" if line.score is None else line.score
    ending = f"{line.ending}{correction(line)}"
    where = (line.match[:SHORT_ID], line.game, line.tournament, line.round, line.seat)
    return *where, place, score, ending, line.stored_at


def _print_forfeits(found: BotReport) -> None:
    click.echo(f"\nforfeits: {found.forfeit_count:,}, the last ones:")
    for forfeit in found.forfeits:
        line = forfeit.line
        when = f"{line.stored_at}{correction(line)}"
        click.echo(f"  {line.match[:SHORT_ID]} {line.game} seat {line.seat}, {line.ending}, {when}")
        for text in printable(forfeit.output).splitlines()[-OUTPUT_LINES:]:
            click.echo(f"    | {text}")
