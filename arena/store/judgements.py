"""Judgements of matches, by record, judge, worlds and effort: derived data that can be dropped and recomputed.

They are not part of any result, and not in the ledger.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from arena.store.connection import Subject
from arena.store.matches import IS_SETTLED
from arena.store.rows import RoundState, TournamentState
from referee.order import Ending


@dataclass(frozen=True, slots=True)
class JudgementKey:
    """The key of a judgement; the same key means the same bytes."""

    digest: str
    """Of the record."""
    judge: str
    worlds: str
    effort: int


class JudgementStore(Subject):
    """Judgements of matches."""

    def add(self, key: JudgementKey, content: str) -> None:
        """Store a judgement, replacing one with the same key."""
        packed = zlib.compress(content.encode("ascii"), 9)
        self._file.run("INSERT OR REPLACE INTO judgement VALUES (?,?,?,?,?)", *astuple(key), packed)

    def text(self, key: JudgementKey) -> str | None:
        """Return a kept judgement, or None; an unreadable one counts as none."""
        sql = "SELECT content FROM judgement WHERE record_digest = ? AND judge = ? AND worlds = ? AND effort = ?"
        packed = self._file.value(sql, *astuple(key))
        try:
            return None if packed is None else zlib.decompress(packed).decode("ascii")
        except (zlib.error, TypeError, UnicodeDecodeError):
            return None

    def of(self, digest: str, judge: str) -> list[JudgementKey]:
        """Return the judgements of a record by this version of the judge."""
        sql = "SELECT * FROM judgement WHERE record_digest = ? AND judge = ? ORDER BY worlds, effort DESC"
        return [JudgementKey(*row[:4]) for row in self._file.rows(sql, digest, judge)]

    def settled_so_far(self) -> int:
        """Return a number that grows when there is something new to judge: a closed round, or a test that has ended."""
        sql = "SELECT (SELECT count(*) FROM round WHERE state = ?) + (SELECT count(*) FROM tournament WHERE state = ?)"
        return int(self._file.value(sql, RoundState.CLOSED, TournamentState.FINISHED))

    def missing(self, judge: str, worlds: str, effort: int, tournament: str | None = None, most: int = -1) -> list[str]:
        """Return the matches still to be judged with at least this effort, the latest first.

        Matches of open rounds and running tests, and void ones, are left out.
        """
        where, values = ("", ()) if tournament is None else ("AND m.tournament = ?", (tournament,))
        sql = f"""SELECT m.id FROM match m {IS_SETTLED}
            LEFT JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ? AND j.worlds = ?
                AND j.effort >= ?
            WHERE j.record_digest IS NULL AND m.ending <> ? {where}
            ORDER BY m.rowid DESC LIMIT ?"""
        return self._file.column(sql, judge, worlds, effort, Ending.VOIDED, *values, most)

    def of_bots(
        self, judge: str, labels: Sequence[str], tournament: str | None = None
    ) -> list[tuple[str, JudgementKey]]:
        """Return the judged matches of some bots, the latest first, with all their judgements."""
        if not labels:
            return []
        where, values = ("", ()) if tournament is None else ("AND m.tournament = ?", (tournament,))
        sql = f"""SELECT DISTINCT m.id, j.record_digest, j.judge, j.worlds, j.effort, m.rowid FROM match m
            JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ?
            JOIN seat s ON s.match = m.id
            {IS_SETTLED}
            WHERE s.bot IN ({",".join("?" * len(labels))}) {where}
            ORDER BY m.rowid DESC, j.worlds, j.effort DESC"""
        rows = self._file.rows(sql, judge, *labels, *values)
        return [(match_id, JudgementKey(*key)) for match_id, *key, _ in rows]

    def of_tournament(self, judge: str, tournament: str, most: int) -> list[tuple[str, JudgementKey]]:
        """Return up to `most` judgements of a tournament with their matches, the latest matches first."""
        sql = f"""SELECT m.id, j.record_digest, j.judge, j.worlds, j.effort FROM match m
            JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ?
            {IS_SETTLED}
            WHERE m.tournament = ? ORDER BY m.rowid DESC LIMIT ?"""
        rows = self._file.rows(sql, judge, tournament, most)
        return [(match_id, JudgementKey(*key)) for match_id, *key in rows]

    def drop(self) -> int:
        """Delete all judgements and return their number."""
        return self._file.run("DELETE FROM judgement")
