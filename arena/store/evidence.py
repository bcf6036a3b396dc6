"""The stored rows, raw, for the audit to compare with the entries: nothing in them is trusted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator
from hashlib import sha256
from typing import Any

from arena.store.connection import Subject
from arena.store.schema import expected_triggers
from arena.store.tournaments import TEST_FORMAT, payload_digest
from ratings.ledger.chain import Entry, Kind, find

UNREADABLE = (
    KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, sqlite3.DatabaseError
)  # fmt: skip
"""Exceptions raised by reading a malformed row or body."""

MAX_DAMAGE = 20
"""The maximum number of listed faults of a file."""

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
"""T13.9: rows that must have an entry: the kind, the beginning of the entry's key, and the rows that lack one."""

ODD_MATCHES = {
    "it is stored with another game than its round": """SELECT m.id FROM match m
        JOIN round r ON r.tournament = m.tournament AND r.number = m.round WHERE r.game <> m.game""",
    "it has no record": """SELECT m.id FROM match m
        WHERE m.record_digest <> '' AND NOT EXISTS (SELECT 1 FROM record c WHERE c.match = m.id)""",
    "it is entered, but its ending is voided": """SELECT m.id FROM match m WHERE m.ending = 'voided'
        AND EXISTS (SELECT 1 FROM entry e WHERE e.key = 'match:' || m.id)""",
    "it is void, but a seat has a result": """SELECT DISTINCT m.id FROM match m JOIN seat s ON s.match = m.id
        WHERE m.ending = 'voided' AND (s.place IS NOT NULL OR s.score IS NOT NULL OR s.ending <> 'voided')""",
    "its seats are not numbered from 0": """SELECT s.match FROM seat s GROUP BY s.match
        HAVING min(s.seat) <> 0 OR max(s.seat) <> count(*) - 1""",
    "its recheck contradicts the stored records": """SELECT c.match FROM recheck c
        JOIN match m ON m.id = c.match WHERE c.is_equal <> (c.record_digest = m.record_digest)""",
}


class EvidenceStore(Subject):
    """The data for the audit and the ledger tools."""

    def entry(self, key: str) -> Entry | None:
        """Return the entry of a key, if there is one."""
        with self._file.reading() as connection:
            return find(connection, key)

    def settings(self, tournament: str) -> Any:
        """Return the settings of a tournament; None if it is not stored."""
        text = self._file.value("SELECT settings FROM tournament WHERE id = ?", tournament)
        return None if text is None else json.loads(text)

    def secret(self, tournament: str) -> str | None:
        """T2.8: return what is stored as the secret of a tournament; None if nothing is."""
        found: str | None = self._file.value("SELECT secret FROM secret WHERE tournament = ?", tournament)
        return found

    def odd_endings(self) -> list[tuple[str, str, str]]:
        """T10.8: return the tournaments and tests whose state or reason is not what their end or verdict says.

        Each with its state and reason. A tournament whose seed was given may have no end: version 0.1.0 entered none.
        """
        return self._file.rows(
            """SELECT t.id, t.state, t.reason FROM tournament t
            LEFT JOIN entry e ON e.key IN ('end:' || t.id, 'verdict:' || t.id)
            WHERE CASE WHEN e.key IS NULL
                THEN t.state = 'finished' AND (json_extract(t.settings, '$.commitment') IS NOT NULL
                    OR json_extract(t.settings, '$.format') = ?)
                ELSE t.state <> 'finished' OR t.reason <>
                    coalesce(json_extract(e.payload, '$.reason'), json_extract(e.payload, '$.word')) END""",
            TEST_FORMAT,
        )

    def is_over(self, tournament: str) -> bool:
        """Return whether a tournament is stored as finished, so that nothing more will be entered."""
        return bool(self._file.rows("SELECT 1 FROM tournament WHERE id = ? AND state = 'finished'", tournament))

    def has_results(self, pool: str) -> bool:
        """Return whether a pool has a match that counts."""
        return bool(self._file.rows("SELECT 1 FROM posted_match WHERE pool = ? AND NOT is_void LIMIT 1", pool))

    def last_checkpoint(self) -> int:
        """Return the number of the last entry that closed a round; 0 if none has closed."""
        return int(self._file.value("SELECT coalesce(max(seq), 0) FROM entry WHERE kind = ?", Kind.CHECKPOINT))

    def round_fault(self, tournament: str, number: int) -> str | None:
        """Return the fault of an entered round's row; None if there is none."""
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
        """T13.9: return the rows without an entry, each with the missing entry."""
        return [
            (f"{kind} {name}", f"{key}:{name}") for kind, key, query in UNENTERED for name in self._file.column(query)
        ]

    def versions(self) -> list[tuple[str, str, str, str | None]]:
        """Return label, name, version hash and parent of every bot version."""
        return self._file.rows("SELECT label, name, version, parent FROM bot_version ORDER BY rowid")

    def newest(self) -> list[tuple[str, str | None, str | None]]:
        """Return for every bot the label stored as its newest version, and that of the version entered last."""
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
        """Return the forecasts for a round later than any closed one, or for places other than requested.

        Each with its round, its places, and the number of closed rounds.
        """
        return self._file.rows(
            """SELECT f.tournament, f.round, f.top, count(r.number) FROM forecast f
            JOIN tournament t ON t.id = f.tournament
            LEFT JOIN round r ON r.tournament = f.tournament AND r.state = 'closed'
            GROUP BY f.tournament
            HAVING f.round > count(r.number) OR f.top <> coalesce(json_extract(t.settings, '$.top'), f.top)"""
        )

    def odd_matches(self) -> list[tuple[str, str]]:
        """Return the matches that contradict related rows, each with the fault."""
        return [(match_id, odd) for odd, query in ODD_MATCHES.items() for match_id in self._file.column(query)]

    def trigger_faults(self) -> list[str]:
        """T13.2: return what is wrong with the triggers of the file: one is missing, changed or unknown."""
        present = dict(self._file.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        expected = expected_triggers()
        wrong = [name for name, text in expected.items() if _squeezed(present.get(name, "")) != _squeezed(text)]
        return [
            *(f"the trigger {name} is missing or changed" for name in wrong),
            *(f"the trigger {name} is unknown: it could change what is stored" for name in present.keys() - expected),
        ]

    def damage(self) -> list[str]:
        """Return SQLite's findings about the file itself: pages, rows and indexes."""
        found = self._file.column(f"PRAGMA integrity_check({MAX_DAMAGE})")
        return [] if found == ["ok"] else [str(line) for line in found]

    def broken_references(self) -> list[tuple[str, str]]:
        """Return the tables with dangling rows, each with the table they refer to."""
        return sorted({(table, parent) for table, _row, parent, _key in self._file.rows("PRAGMA foreign_key_check")})

    def entered_count(self) -> int:
        """Return the number of matches in the ledger."""
        return int(self._file.value("SELECT count(*) FROM entry WHERE kind = ?", Kind.MATCH))

    def entered(self) -> Generator[tuple[int, str]]:
        """Yield number and payload of the entry of every match, in order."""
        sql = "SELECT seq, payload FROM entry WHERE kind = ? ORDER BY seq"
        yield from self._file.connection.execute(sql, (Kind.MATCH,))

    def payloads(self) -> Generator[str]:
        """Yield the payloads of all entries, in order."""
        for (payload,) in self._file.connection.execute("SELECT payload FROM entry ORDER BY seq"):
            yield str(payload)

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
    """Return a statement normalised for comparison: its words, without IF NOT EXISTS."""
    return " ".join((statement or "").replace("IF NOT EXISTS ", "").split()).rstrip(";")
