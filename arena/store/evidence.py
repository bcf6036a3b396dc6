"""The stored rows, raw, for the audit to compare with the entries: nothing in them is taken for granted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator
from hashlib import sha256
from typing import Any

from arena.store.connection import Subject
from arena.store.tournaments import payload_digest
from ratings.ledger.chain import Entry, Kind, find, triggers

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, sqlite3.DatabaseError)
"""What reading a row or a body raises that does not hold what it should."""

MAX_DAMAGE = 20
"""The most faults of a file that are listed."""

UNENTERED = (
    (
        "tournament", "tournament",
        """SELECT t.id FROM tournament t
        WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.key IN ('tournament:' || t.id, 'test:' || t.id))""",
    ),
    (
        "round", "round",
        """SELECT r.tournament || ':' || r.number FROM round r
        WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'round:' || r.tournament || ':' || r.number)""",
    ),
    (
        "bot version", "bot",
        """SELECT v.label FROM bot_version v
        WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'bot:' || v.label)""",
    ),
    (
        "match", "match",
        """SELECT m.id FROM match m JOIN round r ON r.tournament = m.tournament AND r.number = m.round
        WHERE r.state = 'closed' AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'match:' || m.id)
            AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'void:' || m.id)""",
    ),
)  # fmt: skip
"""T13.9: what must not be stored without an entry: a kind, the beginning of the entry's key, and who lacks one."""

ODD_MATCHES = {
    "it is stored with another game than its round": """SELECT m.id FROM match m
        JOIN round r ON r.tournament = m.tournament AND r.number = m.round WHERE r.game <> m.game""",
    "it has no record": """SELECT m.id FROM match m
        WHERE m.record_digest <> '' AND NOT EXISTS (SELECT 1 FROM record c WHERE c.match = m.id)""",
    "it has an ending that is none": """SELECT m.id FROM match m WHERE m.ending = 'voided'
        AND EXISTS (SELECT 1 FROM entry e WHERE e.key = 'match:' || m.id)""",
    "a seat of it has a place and no result": """SELECT DISTINCT m.id FROM match m JOIN seat s ON s.match = m.id
        WHERE m.ending = 'voided' AND (s.place IS NOT NULL OR s.score IS NOT NULL OR s.ending <> 'voided')""",
    "its seats are not numbered from 0 on": """SELECT s.match FROM seat s GROUP BY s.match
        HAVING min(s.seat) <> 0 OR max(s.seat) <> count(*) - 1""",
    "what a second run came to is not what is noted of it": """SELECT c.match FROM recheck c
        JOIN match m ON m.id = c.match WHERE c.is_equal <> (c.record_digest = m.record_digest)""",
}


class EvidenceStore(Subject):
    """What the audit and the tools of the ledger read."""

    def entry(self, key: str) -> Entry | None:
        """Return the entry of a key, if there is one."""
        with self._file.reading() as connection:
            return find(connection, key)

    def settings(self, tournament: str) -> Any:
        """Return the settings of a tournament; None if it is not stored."""
        text = self._file.value("SELECT settings FROM tournament WHERE id = ?", tournament)
        return None if text is None else json.loads(text)

    def is_over(self, tournament: str) -> bool:
        """Return whether a tournament is noted as finished, so that nothing of it is still to be entered."""
        return bool(self._file.rows("SELECT 1 FROM tournament WHERE id = ? AND state = 'finished'", tournament))

    def has_results(self, pool: str) -> bool:
        """Return whether a pool has a match that counts."""
        return bool(self._file.rows("SELECT 1 FROM posted_match WHERE pool = ? AND NOT is_void LIMIT 1", pool))

    def last_checkpoint(self) -> int:
        """Return the number of the last entry that closed a round; 0 if none has closed."""
        return int(self._file.value("SELECT coalesce(max(seq), 0) FROM entry WHERE kind = ?", Kind.CHECKPOINT))

    def round_fault(self, tournament: str, number: int) -> str | None:
        """Return what is wrong with the row of an entered round; None if nothing is."""
        sql = """SELECT r.entry_digest, e.payload FROM round r
            JOIN entry e ON e.key = 'round:' || r.tournament || ':' || r.number
            WHERE r.tournament = ? AND r.number = ?"""
        rows = self._file.rows(sql, tournament, number)
        if not rows:
            return "is not stored"
        return None if rows[0][0] == payload_digest(rows[0][1]) else "is stored with another pairing"

    def seats(self, match_id: str) -> list[Any]:
        """Return by seat the match's place, seed, ending and digest; bot and result, attempt and software."""
        sql = """SELECT m.tournament, m.round, m.table_number, m.game_number, m.seed, m.ending, m.record_digest,
                s.bot, s.place, s.score, s.ending, m.attempt, m.software
            FROM match m JOIN seat s ON s.match = m.id WHERE m.id = ? ORDER BY s.seat"""
        return self._file.rows(sql, match_id)

    def unentered(self) -> list[tuple[str, str]]:
        """T13.9: return the rows that no entry stands behind, each with the entry that is missing."""
        return [
            (f"{kind} {name}", f"{key}:{name}") for kind, key, query in UNENTERED for name in self._file.column(query)
        ]

    def versions(self) -> list[tuple[str, str, str, str | None]]:
        """Return label, name, version hash and parent of every bot version."""
        return self._file.rows("SELECT label, name, version, parent FROM bot_version ORDER BY rowid")

    def newest(self) -> list[tuple[str, str | None, str | None]]:
        """Return for every bot the label noted as its newest version, and that of the version entered last."""
        return self._file.rows(
            """SELECT b.name, b.newest, (SELECT v.label FROM bot_version v WHERE v.name = b.name
                ORDER BY v.rowid DESC LIMIT 1) FROM bot b ORDER BY b.name"""
        )

    def rounds(self) -> list[tuple[str, int, str, bool, str, bool]]:
        """Return tournament, number, game, whether rating, state, and whether it is sealed, of every round."""
        return self._file.rows(
            """SELECT tournament, number, game, is_rating, state,
                EXISTS (SELECT 1 FROM entry WHERE key = 'checkpoint:' || tournament || ':' || number)
            FROM round ORDER BY tournament, number"""
        )

    def odd_forecasts(self) -> list[tuple[str, int, int, int]]:
        """Return the forecasts that are of a later round than any that has closed, or of other places than were asked.

        Each with its round, its places, and how many rounds have closed.
        """
        return self._file.rows(
            """SELECT f.tournament, f.round, f.top, count(r.number) FROM forecast f
            JOIN tournament t ON t.id = f.tournament
            LEFT JOIN round r ON r.tournament = f.tournament AND r.state = 'closed'
            GROUP BY f.tournament
            HAVING f.round > count(r.number) OR f.top <> coalesce(json_extract(t.settings, '$.top'), f.top)"""
        )

    def odd_matches(self) -> list[tuple[str, str]]:
        """Return the matches that do not fit the rows around them, each with what is odd about it."""
        return [(match_id, odd) for odd, query in ODD_MATCHES.items() for match_id in self._file.column(query)]

    def trigger_faults(self) -> list[str]:
        """T13.2: return the triggers of the chain that are missing or changed."""
        present = dict(self._file.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        return [name for name, text in triggers().items() if _squeezed(present.get(name, "")) != _squeezed(text)]

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the file itself: pages, rows and indexes."""
        found = self._file.column(f"PRAGMA integrity_check({MAX_DAMAGE})")
        return [] if found == ["ok"] else [str(line) for line in found]

    def broken_references(self) -> list[tuple[str, str]]:
        """Return the tables with rows that refer to nothing, each with the table that they refer to."""
        return sorted({(table, parent) for table, _row, parent, _key in self._file.rows("PRAGMA foreign_key_check")})

    def entered_count(self) -> int:
        """Return how many matches are entered in the ledger."""
        return int(self._file.value("SELECT count(*) FROM entry WHERE kind = ?", Kind.MATCH))

    def entered(self) -> Generator[tuple[int, str]]:
        """Yield number and payload of the entry of every match, in order."""
        sql = "SELECT seq, payload FROM entry WHERE kind = ? ORDER BY seq"
        yield from self._file.connection.execute(sql, (Kind.MATCH,))

    def table_digest(self, table: str) -> str:
        """Return the digest of all rows of a table, whatever their order on disk; empty if there is no such table."""
        if not self._file.rows("SELECT 1 FROM sqlite_master WHERE name = ?", table):
            return ""
        columns = self._file.column("SELECT name FROM pragma_table_info(?)", table)
        digest = sha256()
        for row in self._file.connection.execute(f"SELECT * FROM {table} ORDER BY {', '.join(columns)}"):
            digest.update(repr(row).encode())
        return digest.hexdigest()


def _squeezed(statement: str | None) -> str:
    """Return a statement as it is compared: by its words, without IF NOT EXISTS."""
    return " ".join((statement or "").replace("IF NOT EXISTS ", "").split()).rstrip(";")
