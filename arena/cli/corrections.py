"""arena ledger void, clean, epoch: what an organiser may do about a match that should not have counted."""

from __future__ import annotations

import getpass
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.options import db_option, json_option, reading, writing
from arena.cli.output import print_json, print_table
from arena.reports.leaderboard import newest_pools
from ratings import ledger
from ratings.book import BANK, adjust_key, reverse_key
from ratings.chain import find
from referee.mistakes import UserError

THOUSANDTHS = 1000  # ratings are kept in thousandths of an Elo point
EPOCH_FROM = 5 * THOUSANDTHS  # T13: what a clean replay must differ by for somebody

reason_option = click.option("--reason", required=True, help="The reason, which everybody can read in the ledger.")
who_option = click.option(
    "--who", default=getpass.getuser, show_default="your user name", help="Who made the decision."
)


@click.command("void")
@click.argument("match_id", metavar="MATCH")
@reason_option
@who_option
@db_option
@json_option
def void(match_id: str, reason: str, who: str, db: Path, as_json: bool) -> None:
    """Void a match that is in the ledger.

    Nothing is deleted, but the match no longer counts. Two kinds of entries are appended: the decision with its reason,
    and for every bot the rating that is given back. Standings, fits and all rounds drawn from now on leave the match
    out. The beginning of its ID is enough.

    \b
    Example: arena ledger void 3f9a --reason "the host ran out of memory"
    """
    store = writing(db)
    match = store.match(match_id)
    reason, who = _text("--reason", reason), _text("--who", who)
    try:
        is_new = ledger.void_match(store.connection, match.id, reason, who)
    except ledger.LedgerError:
        expected = "expected one of a closed round, which no replay of ours has made void before"
        raise UserError(f"match: {match.id[:12]} has no result in the ledger; {expected}") from None
    given_back = {}
    for bot in dict.fromkeys(match.seating):
        entry = find(store.connection, reverse_key(match.id, bot))
        assert entry is not None  # posted in the same transaction as the decision
        given_back[bot] = entry.body["delta"] / THOUSANDTHS
    if as_json:
        print_json({"match": match.id, "was_void_already": not is_new, "given_back": given_back})
        return
    click.echo(f"match {match.id[:12]} {'is void' if is_new else 'was void already'}")
    rows = [(bot, f"{elo:+.1f}") for bot, elo in given_back.items()]
    print_table("", {"bot": "left", "Elo given back": "right"}, rows)


@click.command("clean")
@click.option("--game", "games", multiple=True, help="Only this game.")
@db_option
@json_option
def clean(games: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Compare ratings with what they would be without void matches.

    Where any rating differs by more than 5 Elo, `arena ledger epoch` may correct all ratings of the game.

    \b
    Example: arena ledger clean --game norenberc
    """
    store = reading(db)
    found = []
    for pool in newest_pools(store, games):
        replayed = ledger.clean_replay(store.connection, pool.name)
        found.append((pool, replayed, _max_difference(replayed)))
    if as_json:
        plain = [
            {
                "pool": pool.name,
                "most_difference": most / THOUSANDTHS,
                "bots": [
                    {"bot": bot, "rating": before / THOUSANDTHS, "clean": after / THOUSANDTHS}
                    for bot, (before, after) in replayed.items()
                ],
            }
            for pool, replayed, most in found
        ]
        print_json(plain)
        return
    columns = {"bot": "left", "Elo": "right", "clean": "right", "difference": "right"}
    for pool, replayed, most in found:
        rows = [
            (bot, f"{before / THOUSANDTHS:.1f}", f"{after / THOUSANDTHS:.1f}", f"{(after - before) / THOUSANDTHS:+.1f}")
            for bot, (before, after) in replayed.items()
        ]
        print_table(pool.name, columns, rows)
        verdict = "an epoch may be posted" if most > EPOCH_FROM else "too little for an epoch"
        click.echo(f"The largest difference is {most / THOUSANDTHS:.1f} Elo: {verdict}.")


@click.command("epoch")
@click.argument("name")
@click.option("--game", required=True, help="The game whose ratings are corrected.")
@reason_option
@who_option
@db_option
@json_option
def epoch(name: str, game: str, reason: str, who: str, db: Path, as_json: bool) -> None:
    """Correct ratings to what they would be without void matches.

    It adds one entry per bot, with the reason, and is refused where no rating differs by more than 5 Elo.

    \b
    Example: arena ledger epoch may --game norenberc --reason "9 void matches"
    """
    store = writing(db)
    name, reason, who = _text("NAME", name), _text("--reason", reason), _text("--who", who)
    (pool,) = newest_pools(store, [game])
    with store.write() as connection:
        before = ledger.clean_replay(connection, pool.name)
        most = _max_difference(before)
        if find(connection, adjust_key(name, pool.name, BANK)) is not None:
            raise UserError(f"epoch: {name!r} was posted before for {pool.name}; expected a new name")
        if most <= EPOCH_FROM:
            raise UserError(
                f"epoch: no rating of {pool.name} differs from its clean replay by more than 5 Elo "
                f"(the largest difference is {most / THOUSANDTHS:.1f})"
            )
        ledger.post_epoch(connection, name, pool.name, reason, who)
    changed = {bot: (after - now) / THOUSANDTHS for bot, (now, after) in before.items()}
    if as_json:
        print_json({"epoch": name, "pool": pool.name, "changes": changed})
        return
    click.echo(f"epoch {name} is posted for {pool.name}")
    rows = [(bot, f"{elo:+.1f}") for bot, elo in changed.items()]
    print_table("", {"bot": "left", "Elo": "right"}, rows)


def _max_difference(replayed: Mapping[str, tuple[int, int]]) -> int:
    """Return the largest difference between a rating and its clean replay."""
    return max((abs(after - before) for before, after in replayed.values()), default=0)


def _text(name: str, given: str) -> str:
    """Return a text as the ledger keeps it, or say why it cannot be kept."""
    text = unicodedata.normalize("NFC", given.strip())
    if not text or not text.isprintable():
        raise UserError(f"{name}: {given!r} is not allowed; expected printable text")
    return text
