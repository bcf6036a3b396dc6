"""T13: queries of the ledger; nothing here writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from ratings.ledger.accounts import Account, RatingChange, clean_ratings, forfeit_key, void_key
from ratings.ledger.chain import Body, Entry, Kind, entries, entries_of_key, entry_of, find, head, parse_payload
from ratings.ledger.test_entries import TestEntry, read_test, verdict_key
from ratings.points.result import Result


def last_fit(connection: sqlite3.Connection, pool: str) -> Entry | None:
    """T13.7: return the last FIT entry of a pool, if it has one."""
    first, beyond = f"fit:{pool}:", f"fit:{pool};"
    row = connection.execute(
        "SELECT seq, kind, key, payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq DESC LIMIT 1",
        (first, beyond),
    ).fetchone()
    return None if row is None else entry_of(*row)


def tests(connection: sqlite3.Connection) -> Iterator[tuple[TestEntry, Body | None]]:
    """T17: every test in order, with the body of its VERDICT entry if it has one."""
    rows = connection.execute(
        "SELECT seq, kind, key, payload FROM entry WHERE key >= 'test:' AND key < 'test;' ORDER BY seq"
    ).fetchall()
    for row in rows:
        test = read_test(entry_of(*row).body)
        verdict = find(connection, verdict_key(test.id))
        yield test, None if verdict is None else verdict.body


def results(connection: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0) -> Iterator[Result]:
    """T8: the matches of a pool that count, in order, or that counted at entry `through`.

    With `after`, only those entered after that entry.
    """
    voids = {
        entry.body["match"]
        for entry in entries_of_key(connection, Kind.VOID, void_key(""))
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    }
    places: dict[str, list[int]] = {  # the last FORFEIT entry of a match wins
        entry.body["match"]: entry.body["places"]
        for entry in entries_of_key(connection, Kind.FORFEIT, "forfeit:")
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    }
    same: dict[Any, Any] = {}  # a fit holds all results: share equal parts
    for body in match_bodies(connection, pool, through, after):
        match_id = body["match"]
        if match_id not in voids:
            block = (body["tournament"], body["round"], body["table"])
            counting = places[match_id] if match_id in places else body["places"]
            parts = (tuple(body["seating"]), tuple(counting), block)
            yield Result(*(same.setdefault(part, part) for part in parts))


def is_corrected_since(connection: sqlite3.Connection, pool: str, seq: int) -> bool:
    """T13: whether a match of a pool was made void or forfeited after an entry."""
    found = connection.execute(
        """SELECT 1 FROM entry WHERE (key >= 'void:' AND key < 'void;' OR key >= 'forfeit:' AND key < 'forfeit;')
            AND seq > ? AND json_extract(payload, '$.pool') = ? LIMIT 1""",
        (seq, pool),
    )
    return found.fetchone() is not None


def forfeiters(connection: sqlite3.Connection, match_id: str) -> set[str]:
    """T13.12: the bots that forfeited a match after it was entered."""
    first, beyond = forfeit_key(match_id, ""), forfeit_key(match_id, "")[:-1] + ";"
    rows = connection.execute("SELECT payload FROM entry WHERE key >= ? AND key < ?", (first, beyond)).fetchall()
    return {parse_payload(payload)["bot"] for (payload,) in rows}


def match_bodies(
    connection: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0
) -> Iterator[Body]:
    """T13: the bodies of the rated matches of a pool in order, including void ones."""
    rows = connection.execute(
        "SELECT entry.seq, entry.kind, entry.key, entry.payload FROM posted_match JOIN entry USING (seq)"
        " WHERE pool = ? AND seq > ? AND seq <= ? ORDER BY seq",
        (pool, after, head(connection).seq if through is None else through),
    )
    for row in rows:
        yield entry_of(*row).body


def anchors(connection: sqlite3.Connection, pool: str) -> dict[str, int]:
    """T9: the anchors of a pool with their ratings in milli-Elo."""
    rows = connection.execute("SELECT bot, rating FROM standing WHERE pool = ? AND is_anchor ORDER BY bot", (pool,))
    return dict(rows.fetchall())


def parents(connection: sqlite3.Connection) -> dict[str, str]:
    """T9: the parent version of every bot that has one."""
    found = {entry.body["bot"]: entry.body["parent"] for entry in entries_of_key(connection, Kind.BOT, "bot:")}
    return {bot: parent for bot, parent in found.items() if parent is not None}


def standing(connection: sqlite3.Connection, pool: str) -> list[Account]:
    """The accounts of a pool, highest running Elo first."""
    rows = connection.execute("SELECT * FROM standing WHERE pool = ? ORDER BY rating DESC, bot", (pool,))
    return [account_of(row) for row in rows]


def accounts_of(connection: sqlite3.Connection, bot: str) -> list[Account]:
    """The accounts of a bot version in all pools, by pool."""
    rows = connection.execute("SELECT * FROM standing WHERE bot = ? ORDER BY pool", (bot,))
    return [account_of(row) for row in rows]


def history(connection: sqlite3.Connection, pool: str, bot: str, last: int | None = None) -> list[RatingChange]:
    """The changes of a rating in order, or only the `last` ones."""
    rows = connection.execute(
        "SELECT pool, bot, seq, match_id, delta, after FROM rating_change WHERE pool = ? AND bot = ?"
        " ORDER BY seq DESC LIMIT ?",
        (pool, bot, -1 if last is None else last),
    ).fetchall()
    return [RatingChange(*row) for row in reversed(rows)]


def clean_replay(connection: sqlite3.Connection, pool: str) -> dict[str, tuple[int, int]]:
    """T13: the running rating of every bot of a pool, and its rating without the void matches."""
    given_back = (*entries(connection, Kind.VOID), *entries(connection, Kind.FORFEIT))
    voids = {entry.body["match"] for entry in given_back}
    matches = [body for body in match_bodies(connection, pool) if body["match"] not in voids]
    of_parents: dict[str, str | None] = dict(parents(connection))
    clean = clean_ratings(pool, matches, of_parents, anchors(connection, pool))
    return {
        account.bot: (account.rating, clean.get(account.bot, account.start)) for account in standing(connection, pool)
    }


def account_of(row: Sequence[Any]) -> Account:
    """Return the account of a row of `standing`."""
    pool, bot, start, rating, is_anchor, *counts = row
    return Account(pool, bot, start, rating, bool(is_anchor), *counts)
