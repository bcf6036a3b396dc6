"""Judgements of matches: derived data, kept beside them by record, judge, worlds and effort, and dropped at will.

They are no part of any result: the ledger knows nothing of them, and what is lost is worked out again.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.connection import Subject
from arena.store.rows import RoundState, TournamentState
from arena.store.tournaments import TEST_FORMAT
from referee.order import Ending

IS_SETTLED = f"""JOIN round r ON r.tournament = m.tournament AND r.number = m.round AND r.state = '{RoundState.CLOSED}'
    JOIN tournament t ON t.id = m.tournament
        AND (t.state = '{TournamentState.FINISHED}' OR json_extract(t.settings, '$.format') IS NOT '{TEST_FORMAT}')"""
"""Joins a match `m` if it is settled, as `MatchStore.is_settled` says of one."""


@dataclass(frozen=True, slots=True)
class JudgementKey:
    """What a judgement is kept by; the same key means the same bytes."""

    digest: str
    """Of the record."""
    judge: str
    worlds: str
    effort: int


class JudgementStore(Subject):
    """Judgements of matches."""

    def add(self, key: JudgementKey, content: str) -> None:
        """Keep a judgement, in the place of one with the same key."""
        packed = zlib.compress(content.encode("ascii"), 9)
        with self._file.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO judgement VALUES (?,?,?,?,?)",
                (key.digest, key.judge, key.worlds, key.effort, packed),
            )

    def text(self, key: JudgementKey) -> str | None:
        """Return a judgement that was kept, or None; one that cannot be read counts as none."""
        rows = self._file.rows(
            "SELECT content FROM judgement WHERE record_digest = ? AND judge = ? AND worlds = ? AND effort = ?",
            key.digest, key.judge, key.worlds, key.effort,
        )  # fmt: skip
        try:
            return zlib.decompress(rows[0][0]).decode("ascii") if rows else None
        except (zlib.error, TypeError, UnicodeDecodeError):
            return None

    def of(self, digest: str, judge: str) -> list[JudgementKey]:
        """Return what is kept of a record by this version of the judge."""
        sql = "SELECT * FROM judgement WHERE record_digest = ? AND judge = ? ORDER BY worlds, effort DESC"
        return [JudgementKey(*row[:4]) for row in self._file.rows(sql, digest, judge)]

    def settled_so_far(self) -> int:
        """Return a number that grows when there is something new to judge: a closed round, or a test that has ended."""
        sql = "SELECT (SELECT count(*) FROM round WHERE state = ?) + (SELECT count(*) FROM tournament WHERE state = ?)"
        return int(self._file.rows(sql, RoundState.CLOSED, TournamentState.FINISHED)[0][0])

    def missing(self, judge: str, worlds: str, effort: int, tournament: str | None = None, most: int = -1) -> list[str]:
        """Return matches still to be judged at least so thoroughly, those stored last first.

        Those of open rounds and of tests that go on are not among them, nor those that were given up.
        """
        where = ""
        values: list[str | int] = [judge, worlds, effort, Ending.VOIDED]
        if tournament is not None:
            where, values = "AND m.tournament = ?", [*values, tournament]
        rows = self._file.rows(
            f"""SELECT m.id FROM match m {IS_SETTLED}
            LEFT JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ? AND j.worlds = ?
                AND j.effort >= ?
            WHERE j.record_digest IS NULL AND m.ending <> ? {where}
            ORDER BY m.rowid DESC LIMIT ?""",
            *values,
            most,
        )
        return [match_id for (match_id,) in rows]

    def of_bots(
        self, judge: str, labels: Sequence[str], tournament: str | None = None
    ) -> list[tuple[str, JudgementKey]]:
        """Return matches that some bots played and that were judged, the latest first, with everything kept of them."""
        if not labels:
            return []
        where, values = "", [judge, *labels]
        if tournament is not None:
            where, values = "AND m.tournament = ?", [*values, tournament]
        rows = self._file.rows(
            f"""SELECT DISTINCT m.id, j.record_digest, j.judge, j.worlds, j.effort, m.rowid FROM match m
            JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ?
            JOIN seat s ON s.match = m.id
            {IS_SETTLED}
            WHERE s.bot IN ({",".join("?" * len(labels))}) {where}
            ORDER BY m.rowid DESC, j.worlds, j.effort DESC""",
            *values,
        )
        return [(match_id, JudgementKey(*key)) for match_id, *key, _ in rows]

    def of_tournament(self, judge: str, tournament: str, most: int) -> list[tuple[str, JudgementKey]]:
        """Return the judgements of a tournament with their matches, those of the latest first, at most so many."""
        rows = self._file.rows(
            f"""SELECT m.id, j.record_digest, j.judge, j.worlds, j.effort FROM match m
            JOIN judgement j ON j.record_digest = m.record_digest AND j.judge = ?
            {IS_SETTLED}
            WHERE m.tournament = ? ORDER BY m.rowid DESC LIMIT ?""",
            judge, tournament, most,
        )  # fmt: skip
        return [(match_id, JudgementKey(*key)) for match_id, *key in rows]

    def drop(self) -> int:
        """Throw away all judgements and return how many there were."""
        with self._file.write() as connection:
            return connection.execute("DELETE FROM judgement").rowcount
