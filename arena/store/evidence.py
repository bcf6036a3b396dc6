"""What is stored, raw, for the audit to compare with the entries: nothing in it is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from arena.store.connection import StoreFile
from ratings.chain import Kind


class EvidenceRows(StoreFile):
    """What the audit and the tools of the ledger read."""

    def stored_settings(self, tournament: str) -> Any:
        """Return the settings of a tournament; None if it is not stored."""
        rows = self._rows("SELECT settings FROM tournament WHERE id = ?", tournament)
        return json.loads(rows[0][0]) if rows else None

    def stored_pairing(self, tournament: str, number: int) -> Any:
        """Return the pairing of a round; None if it is not stored."""
        rows = self._rows("SELECT pairing FROM round WHERE tournament = ? AND number = ?", tournament, number)
        return json.loads(rows[0][0]) if rows else None

    def stored_seats(self, match_id: str) -> list[Any]:
        """Return by seat the match's schedule position, seed, ending and digest, and the seat's bot and result."""
        return self._rows(
            """SELECT m.tournament, m.round, m.table_number, m.game_number, m.seed, m.ending, m.record_digest,
                s.bot, s.place, s.score, s.ending
            FROM match m JOIN seat s ON s.match = m.id WHERE m.id = ? ORDER BY s.seat""",
            match_id,
        )

    def entered_match_count(self) -> int:
        """Return how many matches are entered in the ledger."""
        return int(self._rows("SELECT count(*) FROM entry WHERE kind = ?", Kind.MATCH)[0][0])

    def entered_matches(self) -> Iterator[tuple[int, str]]:
        """Yield number and payload of the entry of every match, in order."""
        yield from self.connection.execute("SELECT seq, payload FROM entry WHERE kind = ? ORDER BY seq", (Kind.MATCH,))

    def table_digest(self, table: str) -> str:
        """Return the digest of all rows of a table, whatever their order on disk; empty if there is no such table."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", table):
            return ""
        columns = [name for _, name, *_ in self._rows(f"PRAGMA table_info({table})")]
        digest = sha256()
        for row in self.connection.execute(f"SELECT * FROM {table} ORDER BY {', '.join(columns)}"):
            digest.update(repr(row).encode())
        return digest.hexdigest()
