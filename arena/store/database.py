"""The store: one SQLite file with bots, tournaments, matches and records, and the ledger beside them.

A finished match is stored at once in one durable transaction; a round enters the ledger when it closes. The arena is
the only writer; readers may open the same file at any time.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from arena.store.rows import (
    KeptFit,
    MatchToStore,
    RoundState,
    StoredMatch,
    StoredRound,
    StoredTournament,
    TournamentState,
)
from arena.store.schema import MIGRATIONS
from ratings import ledger
from ratings.chain import transaction
from ratings.result import Fixture
from ratings.result import MatchResult as LedgerResult
from referee.order import Ending, OrderError

DEFAULT_DB = Path("arena.db")


MOST_ROUNDS = 1 << 31


class Store:
    """The arena's database; every method is one transaction and may be called from any thread."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.connection: sqlite3.Connection = db.conn
        self._lock = threading.RLock()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, one writer at a time."""
        with self._lock, transaction(self.connection):
            yield self.connection

    def read(self, sql: str, *values: Any) -> list[Any]:
        """Return all rows of a query."""
        with self._lock:
            return self.connection.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close the file; what was stored stays."""
        with self._lock:
            self.connection.close()

    # Bots.

    def add_bot(
        self,
        label: str,
        name: str,
        version: str,
        path: str,
        manifest: Mapping[str, Any],
        now: str,
        author: str | None = None,
    ) -> bool:
        """Enter a bot version, the child of the newest one of that name; False if it was there."""
        with self.write() as connection:
            if connection.execute("SELECT 1 FROM bot_version WHERE label = ?", (label,)).fetchone():
                connection.execute("UPDATE bot_version SET path = ? WHERE label = ?", (path, label))
                ledger.record_bot(connection, label, name, version, self._parent(connection, label))
                return False
            connection.execute("INSERT INTO bot (name, author) VALUES (?,?) ON CONFLICT DO NOTHING", (name, author))
            (parent,) = connection.execute("SELECT newest FROM bot WHERE name = ?", (name,)).fetchone()
            connection.execute(
                "INSERT INTO bot_version VALUES (?,?,?,?,?,?,?)",
                (label, name, version, parent, path, json.dumps(manifest, sort_keys=True), now),
            )
            connection.execute("UPDATE bot SET newest = ? WHERE name = ?", (label, name))
            ledger.record_bot(connection, label, name, version, parent)
            return True

    def _parent(self, connection: sqlite3.Connection, label: str) -> str | None:
        parent: str | None = connection.execute("SELECT parent FROM bot_version WHERE label = ?", (label,)).fetchone()[
            0
        ]
        return parent

    def bot_path(self, label: str) -> str:
        """Return the directory that a bot version was last entered from."""
        path: str = self.read("SELECT path FROM bot_version WHERE label = ?", label)[0][0]
        return path

    # Tournaments and rounds.

    def add_tournament(
        self,
        tournament: str,
        settings: Mapping[str, Any],
        running: Mapping[str, Any],
        pools: Sequence[tuple[str, str, int]],
        now: str,
    ) -> bool:
        """Enter a tournament and its pools; False if the same one is there, an OrderError if another is."""
        text = json.dumps(settings, sort_keys=True)
        with self.write() as connection:
            row = connection.execute("SELECT settings FROM tournament WHERE id = ?", (tournament,)).fetchone()
            if row is not None and row[0] != text:
                raise OrderError(f"name: a tournament {tournament!r} with other settings is in this database already")
            for pool, game, rules_version in pools:
                ledger.record_pool(connection, pool, game, rules_version)
            ledger.record_tournament(connection, tournament, settings)
            if row is not None:
                connection.execute(
                    "UPDATE tournament SET running = ? WHERE id = ?", (json.dumps(running, sort_keys=True), tournament)
                )
                return False
            connection.execute(
                "INSERT INTO tournament (id, settings, running, state, started_at, changed_at) VALUES (?,?,?,?,?,?)",
                (tournament, text, json.dumps(running, sort_keys=True), TournamentState.RUNNING, now, now),
            )
            return True

    def tournament(self, tournament: str) -> StoredTournament:
        """Return a tournament; an OrderError lists the ones there are."""
        found = [each for each in self.tournaments() if each.id == tournament]
        if not found:
            known = ", ".join(each.id for each in self.tournaments()) or "none"
            raise OrderError(f"tournament: {tournament!r} is not in this database; expected one of: {known}")
        return found[0]

    def tournaments(self) -> list[StoredTournament]:
        """Return all tournaments, oldest first."""
        rows = self.read("SELECT id, settings, running, state, reason, started_at FROM tournament ORDER BY rowid")
        return [
            StoredTournament(id, json.loads(settings), json.loads(running), TournamentState(state), *rest)
            for id, settings, running, state, *rest in rows
        ]

    def set_state(self, tournament: str, state: TournamentState, reason: str, now: str) -> None:
        """Note where a tournament stands; running again forgets a request to stop."""
        with self.write() as connection:
            connection.execute(
                "UPDATE tournament SET state = ?, reason = ?, is_stop_requested = 0, changed_at = ? WHERE id = ?",
                (state, reason, now, tournament),
            )

    def request_stop(self, tournament: str) -> None:
        """Ask whoever runs the tournament to stop it cleanly."""
        with self.write() as connection:
            connection.execute("UPDATE tournament SET is_stop_requested = 1 WHERE id = ?", (tournament,))

    def is_stop_requested(self, tournament: str) -> bool:
        """Tell whether somebody asked to stop the tournament."""
        return bool(self.read("SELECT is_stop_requested FROM tournament WHERE id = ?", tournament)[0][0])

    def add_round(
        self,
        tournament: str,
        number: int,
        game: str,
        is_rating: bool,
        pairing: Mapping[str, Any],
        tables: Sequence[ledger.RoundTable],
        metrics: Mapping[str, int],
    ) -> None:
        """Store a pairing, and enter it in the ledger, in one transaction."""
        with self.write() as connection:
            values = (tournament, number, game, is_rating, json.dumps(pairing, sort_keys=True), RoundState.PAIRED)
            connection.execute(
                "INSERT INTO round (tournament, number, game, is_rating, pairing, state) VALUES (?,?,?,?,?,?)", values
            )
            ledger.record_round(
                connection, tournament, number, tables, byes=pairing["byes"], scores=pairing["scores"], metrics=metrics
            )

    def rounds(self, tournament: str, first: int = 1, last: int = MOST_ROUNDS) -> list[StoredRound]:
        """Return the rounds of a tournament in order, all or from one to another."""
        rows = self.read(
            "SELECT number, game, is_rating, pairing, state, seconds FROM round"
            " WHERE tournament = ? AND number BETWEEN ? AND ? ORDER BY number",
            tournament,
            first,
            last,
        )
        return [
            StoredRound(number, game, bool(rating), json.loads(text), RoundState(state), seconds)
            for number, game, rating, text, state, seconds in rows
        ]

    # Matches.

    def add_match(self, match: MatchToStore, now: str) -> bool:
        """Store a finished match with its record; False if it is there, an error if it is there with another result."""
        result, fixture = match.result, match.fixture
        places = result.ranks or (None,) * len(fixture.seating)
        scores = result.scores or (None,) * len(fixture.seating)
        with self.write() as connection:
            row = connection.execute("SELECT record_digest FROM match WHERE id = ?", (fixture.match_id,)).fetchone()
            if row is not None:
                if row[0] != match.record_digest:
                    raise ledger.LedgerError(f"match {fixture.match_id} is stored with a different result")
                return False
            connection.execute(
                "INSERT INTO match VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    fixture.match_id, fixture.tournament, fixture.round, fixture.table, fixture.game, match.attempt,
                    match.game,
                    str(fixture.seed), result.ending, result.reason, result.decisions, result.asked, match.sandbox,
                    match.record_digest, now,
                ),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO seat VALUES (?,?,?,?,?,?)",
                [
                    (fixture.match_id, seat, bot, places[seat], scores[seat], result.seat_endings[seat])
                    for seat, bot in enumerate(fixture.seating)
                ],
            )
            connection.execute(
                "INSERT INTO record VALUES (?,?)", (fixture.match_id, zlib.compress(result.record.encode("ascii")))
            )
            connection.executemany(
                "INSERT INTO bot_output VALUES (?,?,?)",
                [(fixture.match_id, seat, text) for seat, text in match.outputs],
            )
            return True

    def matches(self, tournament: str, round_number: int | None = None) -> list[StoredMatch]:
        """Return the stored matches of a tournament, or of one round, in canonical order."""
        where, values = "m.tournament = ?", [tournament]
        if round_number is not None:
            where, values = f"{where} AND m.round = ?", [tournament, str(round_number)]
        return self._matches(where, values)

    def public_through(self) -> int:
        """Return the last entry before any tournament that is not finished: its seeds tell what is hidden."""
        rows = self.read(
            """SELECT coalesce(
                (SELECT min(e.seq) - 1 FROM tournament t JOIN entry e ON e.key = 'tournament:' || t.id
                    WHERE t.state <> ?),
                (SELECT max(seq) FROM entry), 0)""",
            TournamentState.FINISHED,
        )
        return int(rows[0][0])

    def made_void(self, tournament: str) -> int:
        """9.13: return how many matches of a tournament were made void after they had entered the ledger."""
        return int(self.read("SELECT count(*) FROM posted_match WHERE tournament = ? AND is_void", tournament)[0][0])

    def match(self, match_id: str) -> StoredMatch:
        """Return a match by its id or by the beginning of it; an OrderError if there is not exactly one."""
        found = self._matches("m.id >= ? AND m.id < ?", [match_id, match_id + "g"]) if match_id else []
        if len(found) != 1:
            what = "fits several matches; give more of it" if found else "is not in this database"
            raise OrderError(f"match: {match_id!r} {what}")
        return found[0]

    def _matches(self, where: str, values: Sequence[str]) -> list[StoredMatch]:
        rows = self.read(
            f"""SELECT m.id, m.round, m.table_number, m.game_number, m.attempt, m.game, m.seed, m.ending, m.reason,
                m.record_digest, s.bot, s.place, s.score, s.ending,
                EXISTS (SELECT 1 FROM entry v WHERE v.key = 'void:' || m.id)
            FROM match m JOIN seat s ON s.match = m.id WHERE {where}
            ORDER BY m.tournament, m.round, m.table_number, m.game_number, m.attempt, s.seat""",
            *values,
        )
        found: dict[str, list[Any]] = {}
        for row in rows:
            found.setdefault(row[0], []).append(row)
        return [_match_of(seats) for seats in found.values()]

    def record_text(self, match_id: str) -> str:
        """Return the record of a match, by its whole id."""
        rows = self.read("SELECT content FROM record WHERE match = ?", match_id)
        if not rows:
            raise OrderError(f"match: {match_id!r} has no record in this database")
        try:
            return zlib.decompress(rows[0][0]).decode("ascii")
        except (zlib.error, TypeError, UnicodeDecodeError) as error:
            raise OrderError(f"match: the record of {match_id!r} cannot be unpacked: {error}") from None

    def close_round(
        self,
        tournament: str,
        number: int,
        results: Sequence[LedgerResult],
        written_off: Sequence[tuple[Fixture, str, str]],
        seconds: float,
    ) -> None:
        """Enter a round's results in the ledger with their ratings, seal it, and note it closed: all or nothing."""
        with self.write() as connection:
            ledger.post_matches(connection, results)
            for fixture, pool, reason in written_off:
                ledger.write_off(connection, fixture, pool, reason, "arena")
            ledger.record_checkpoint(connection, tournament, number)
            connection.execute(
                "UPDATE round SET state = ?, seconds = ? WHERE tournament = ? AND number = ?",
                (RoundState.CLOSED, seconds, tournament, number),
            )

    # Fits.

    def kept_fit(self, pool: str) -> KeptFit | None:
        """Return the last fit of a pool that was kept, current or not; None too in a file older than such fits."""
        if not self.read("SELECT 1 FROM sqlite_master WHERE name = 'fit_cache'"):
            return None
        rows = self.read("SELECT * FROM fit_cache WHERE pool = ?", pool)
        return KeptFit(*rows[0]) if rows else None

    def keep_fit(self, fit: KeptFit) -> None:
        """Keep the fit of a pool in the place of the one before."""
        with self.write() as connection:
            connection.execute("INSERT OR REPLACE INTO fit_cache VALUES (?,?,?,?,?,?,?,?)", astuple(fit))


def _match_of(rows: Sequence[Any]) -> StoredMatch:
    id, round_number, table, game_number, attempt, game, seed, ending, reason, digest = rows[0][:10]
    has_result = ending != Ending.VOIDED
    return StoredMatch(
        id, round_number, table, game_number, attempt, game, int(seed),
        tuple(row[10] for row in rows), Ending(ending), reason,
        tuple(row[11] for row in rows) if has_result else (),
        tuple(row[12] for row in rows) if has_result else (),
        tuple(Ending(row[13]) for row in rows), digest, has_result and bool(rows[0][14]),
    )  # fmt: skip


def open_store(path: Path, *, create: bool = False) -> Store:
    """Open a database and bring it up to date; an OrderError says why it cannot be used."""
    if not create and not path.is_file():
        raise OrderError(f"--db: {path} does not exist; run a tournament first or name another file")
    try:
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if found and MIGRATIONS.migrations_table not in found:
            connection.close()
            raise OrderError(f"--db: {path} is not a database of the arena")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cache_size = -65536")  # 64 MB, so that posting stays flat on a large ledger
        db = Database(connection)
        MIGRATIONS.apply(db)
        if ledger.head(connection).seq == 0:  # one whose first entry is gone is broken, and not to be begun anew
            ledger.record_genesis(connection, "arena")
    except sqlite3.DatabaseError as error:
        raise OrderError(f"--db: {path} cannot be used: {error}") from None
    return Store(db)


def open_to_read(path: Path) -> Store:
    """Open a database that nothing can be written to through; an OrderError says why it cannot be read.

    A file of another make is refused, and one that was tampered with is shown as it is.
    """
    if not path.is_file():
        raise OrderError(f"--db: {path} does not exist; run a tournament first or name another file")
    # A read-only mode would leave the files of the write-ahead log behind; this cleans up when it was the last.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None, timeout=30)
    except sqlite3.OperationalError as error:
        raise OrderError(f"--db: {path} cannot be opened: {error}") from None
    try:
        connection.execute("PRAGMA query_only = ON")
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        connection.close()
        raise OrderError(f"--db: {path} cannot be used: {error}") from None
    missing = {"entry", "match", "seat", "record", "standing"} - found
    if missing:
        connection.close()
        raise OrderError(f"--db: {path} is not a database of the arena: it has no table {min(missing)}")
    return Store(Database(connection))
