"""arena ledger void, clean, epoch, mend, arena bots disqualify: corrections that are added to the ledger."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from arena.cli.options import Source, database_options, reading, source_options, writing
from arena.cli.output import SHORT_ID, print_json, print_table, say
from arena.plan.correcting import (
    THOUSANDTHS,
    clean_replay,
    disqualify_bot,
    ledger_text,
    mend_fits,
    post_epoch,
    void_matches,
)
from arena.remote.address import ServerAddress
from arena.reports.leaderboard import newest_pools
from arena.store.rows import Results
from referee.mistakes import UserError

reason_option = click.option("--reason", required=True, help="The reason, public in the ledger.")
who_option = click.option("--who", help="Who made the decision.  [default: your user name]")


@click.command("void")
@click.argument("match_ids", metavar="MATCH…", nargs=-1, required=True)
@reason_option
@who_option
@source_options
def void(match_ids: tuple[str, ...], reason: str, who: str | None, source: Source, as_json: bool) -> None:
    """Void matches that are in the ledger.

    Nothing is deleted, but the matches no longer count: the decision with its reason and a rating reversal for every
    bot are appended. The beginning of an ID is enough. If one of several cannot be voided, none is.

    \b
    Example: arena ledger void 3f9a 77b0 --reason "the host ran out of memory"
    """
    user = _user(who, source.server)
    found = source.ask(
        lambda store: void_matches(store, match_ids, reason, user),
        lambda client: client.void(match_ids, reason),
        writing,
    )
    if as_json:
        print_json(found)
        return
    rows = []
    for each in found:
        click.echo(f"match {each.match[:SHORT_ID]} {'was void already' if each.was_void_already else 'is void'}")
        rows += [(each.match[:SHORT_ID], bot, f"{elo:+.1f}") for bot, elo in each.given_back.items()]
    print_table("", {"match": "left", "bot": "left", "Elo given back": "right"}, rows)


@click.command("disqualify")
@click.argument("name")
@click.option("--tournament", required=True, help="The tournament to disqualify it from.")
@click.option(
    "--results", type=click.Choice([each.value for each in Results]), default=Results.STRIKE.value, show_default=True,
    help="What happens to its matches there: its seat is struck and the others keep their order, they are voided,"
    " or it forfeits them and takes the last place.",
)  # fmt: skip
@reason_option
@who_option
@source_options
def disqualify(
    name: str, tournament: str, results: str, reason: str, who: str | None, source: Source, as_json: bool
) -> None:
    """Disqualify a bot from a tournament.

    It is not paired again and no version of it can rejoin. Matches of the open round follow when it closes. Nothing is
    deleted: the ledger keeps the original results and the reason. NAME@VERSION selects one version.

    \b
    Example: arena bots disqualify mybot --tournament autumn --reason collusion
    """
    user, kind = _user(who, source.server), Results(results)
    found = source.ask(
        lambda store: disqualify_bot(store, tournament, name, kind, reason, user),
        lambda client: client.disqualify(tournament, name, kind, reason),
        writing,
    )
    matches = "1 match" if found.matches == 1 else f"{found.matches:,} matches"
    is_done = "is" if found.matches == 1 else "are"
    done = {
        Results.STRIKE: f"its seat is struck from {matches}",
        Results.VOID: f"{matches} {is_done} void",
        Results.FORFEIT: f"{matches} {is_done} forfeited",
    }
    out = f"{', '.join(found.bots)} is disqualified from {tournament} from round {found.round} on"
    say(f"{out}; {done[found.results]}.", found, as_json=as_json)


def _user(who: str | None, server: ServerAddress | None = None) -> str:
    """Return who decides, which a server knows from the token."""
    if server is None:
        return who or getpass.getuser()
    if who is not None:
        raise UserError("--who: a server takes the name from your token; expected one of --who and --server")
    return ""


@click.command("clean")
@click.option("--game", "games", multiple=True, help="Only this game.")
@database_options
def clean(games: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Compare ratings with their values without void matches.

    Where any rating differs by more than 5 Elo, `arena ledger epoch` may correct all ratings of the game.

    \b
    Example: arena ledger clean --game norenberc
    """
    store = reading(db)
    found = [clean_replay(store, pool.name) for pool in newest_pools(store, games)]
    if as_json:
        plain = [
            {
                "pool": each.pool,
                "max_difference": each.max_difference / THOUSANDTHS,
                "bots": [
                    {"bot": bot, "rating": before / THOUSANDTHS, "clean": after / THOUSANDTHS}
                    for bot, (before, after) in each.ratings.items()
                ],
            }
            for each in found
        ]
        print_json(plain)
        return
    columns = {"bot": "left", "Elo": "right", "clean": "right", "difference": "right"}
    for each in found:
        rows = [
            (bot, f"{before / THOUSANDTHS:.1f}", f"{after / THOUSANDTHS:.1f}", f"{(after - before) / THOUSANDTHS:+.1f}")
            for bot, (before, after) in each.ratings.items()
        ]
        print_table(each.pool, columns, rows)
        verdict = "an epoch may be posted" if each.is_due else "too little for an epoch"
        click.echo(f"The largest difference is {each.max_difference / THOUSANDTHS:.1f} Elo: {verdict}.")


@click.command("epoch")
@click.argument("name")
@click.option("--game", required=True, help="The game whose ratings are corrected.")
@reason_option
@who_option
@database_options
def epoch(name: str, game: str, reason: str, who: str | None, db: Path, as_json: bool) -> None:
    """Correct ratings to their values without void matches.

    It adds one entry per bot, with the reason, and is refused where no rating differs by more than 5 Elo.

    \b
    Example: arena ledger epoch may --game norenberc --reason "9 void matches"
    """
    store = writing(db)
    name = ledger_text("NAME", name)
    (pool,) = newest_pools(store, [game])
    before = post_epoch(store, name, pool.name, reason, _user(who))
    changed = {bot: (after - now) / THOUSANDTHS for bot, (now, after) in before.ratings.items()}
    if as_json:
        print_json({"epoch": name, "pool": pool.name, "changes": changed})
        return
    click.echo(f"epoch {name} is posted for {pool.name}")
    rows = [(bot, f"{elo:+.1f}") for bot, elo in changed.items()]
    print_table("", {"bot": "left", "Elo": "right"}, rows)


@click.command("mend")
@click.option(
    "--reason", default="two arenas closed rounds of one pool concurrently", show_default=True,
    help="The reason, public in the ledger.",
)  # fmt: skip
@who_option
@database_options
def mend(reason: str, who: str | None, db: Path, as_json: bool) -> None:
    """Enter fits that are missing after closed rounds.

    Earlier versions could leave them out when two arenas ran tournaments of one game on the same database; `arena
    ledger verify` then says "was closed, but no fit follows". Nothing is changed or deleted: each missing fit is
    computed from the entries up to its round and appended as a MEND entry, which verify recomputes and lists.

    \b
    Example: arena ledger mend
    """
    found = mend_fits(writing(db), reason, _user(who))
    if as_json:
        print_json({"mended": found})
        return
    for each in found:
        click.echo(f"mended: the fit of {each.pool} after {each.checkpoint}, entry {each.entry}")
    click.echo("1 fit was missing." if len(found) == 1 else f"{len(found) or 'No'} fits were missing.")
