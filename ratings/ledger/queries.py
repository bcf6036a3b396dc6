"""T13: queries of the ledger; nothing here writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from ratings.ledger.accounts import Account, RatingChange, SeatCorrections, clean_ratings
from ratings.ledger.chain import Body, Entry, Kind, entries, entries_of_key, entry_of, find, head, selected
from ratings.ledger.test_entries import TestEntry, read_test, verdict_key
from ratings.points.points import STRUCK
from ratings.points.result import Result


def last_fit(connection: sqlite3.Connection, pool: str) -> Entry | None:
    """T13.7: return the last FIT entry of a pool, if it has one."""
    clause = "WHERE key >= ? AND key < ? ORDER BY seq DESC LIMIT 1"
    return next(selected(connection, clause, f"fit:{pool}:", f"fit:{pool};"), None)


def tests(connection: sqlite3.Connection) -> Iterator[tuple[TestEntry, Body | None]]:
    """T17: every test in order, with the body of its VERDICT entry if it has one."""
    for entry in list(entries_of_key(connection, Kind.TEST, "test:")):
        test = read_test(entry.body)
        verdict = find(connection, verdict_key(test.id))
        yield test, None if verdict is None else verdict.body


def results(connection: sqlite3.Connection, pool: str, through: int | None = None, after: int = 0) -> Iterator[Result]:
    """T8: the matches of a pool that count, in order, or that counted at entry `through`.

    With `after`, only those entered after that entry.
    """
    voids = {
        entry.body["match"]
        for entry in entries_of_key(connection, Kind.VOID, "void:")
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    }
    corrections = sorted(
        (entry.seq, entry.body["match"], entry.body["places"])
        for kind in (Kind.FORFEIT, Kind.STRIKE)
        for entry in entries_of_key(connection, kind, f"{kind.lower()}:")
        if entry.body["pool"] == pool and (through is None or entry.seq <= through)
    )
    places: dict[str, list[int]] = {match_id: now for _seq, match_id, now in corrections}  # the last of a match wins
    same: dict[Any, Any] = {}  # a fit holds all results: share equal parts
    for body in match_bodies(connection, pool, through, after):
        match_id = body["match"]
        if match_id not in voids:
            block = (body["tournament"], body["round"], body["table"])
            bots, now = body["seating"], places.get(match_id) or body["places"]
            if STRUCK in now:  # T13.15: the fit knows a table of the seats that are left
                bots = [bot for bot, place in zip(bots, now, strict=True) if place != STRUCK]
                now = [place for place in now if place != STRUCK]
            parts = (tuple(bots), tuple(now), block)
            yield Result(*(same.setdefault(part, part) for part in parts))


def is_corrected_since(connection: sqlite3.Connection, pool: str, seq: int) -> bool:
    """T13: whether a match of a pool was voided, forfeited or struck from after an entry."""
    found = connection.execute(
        """SELECT 1 FROM entry WHERE (key >= 'void:' AND key < 'void;' OR key >= 'forfeit:' AND key < 'forfeit;'
                OR key >= 'strike:' AND key < 'strike;')
            AND seq > ? AND json_extract(payload, '$.pool') = ? LIMIT 1""",
        (seq, pool),
    )
    return found.fetchone() is not None


def seat_corrections(connection: sqlite3.Connection, match_id: str) -> SeatCorrections:
    """T13.12, T13.15: the bots that forfeited a match after it was entered, and those struck from it."""
    found = SeatCorrections()
    for kind in (Kind.FORFEIT, Kind.STRIKE):
        bots = (entry.body["bot"] for entry in entries_of_key(connection, kind, f"{kind.lower()}:{match_id}:"))
        found.of_kind(kind).update(bots)
    return found


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
    given_back = {entry.body["match"] for entry in entries(connection, Kind.VOID, Kind.FORFEIT, Kind.STRIKE)}
    matches = [body for body in match_bodies(connection, pool) if body["match"] not in given_back]
    clean = clean_ratings(pool, matches, dict(parents(connection)), anchors(connection, pool))
    return {
        account.bot: (account.rating, clean.get(account.bot, account.start)) for account in standing(connection, pool)
    }


def account_of(row: Sequence[Any]) -> Account:
    """Return the account of a row of `standing`."""
    pool, bot, start, rating, is_anchor, *counts = row
    return Account(pool, bot, start, rating, bool(is_anchor), *counts)
