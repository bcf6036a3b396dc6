"""Which worker of a cluster played a match, and what came of it where another played it again."""

from __future__ import annotations

from arena.store.connection import StoreFile, Subject
from arena.store.matches import MatchStore
from arena.store.rows import PlayedOn, Recheck, RecheckedMatch, StoredMatch


class WorkerStore(Subject):
    """The workers of a cluster and what they played."""

    def __init__(self, file: StoreFile) -> None:
        super().__init__(file)
        self._matches = MatchStore(file)

    def played_on(self, match_id: str) -> PlayedOn | None:
        """Return the worker that played a match; None for one that was played at the arena."""
        rows = self._file.rows("SELECT worker, calibration FROM played_on WHERE match = ?", match_id)
        return PlayedOn(*rows[0]) if rows else None

    def played_by(self, worker: str, tournament: str | None = None) -> list[StoredMatch]:
        """Return the matches that a worker played, in canonical order."""
        rows = self._file.rows(
            """SELECT m.id FROM played_on p JOIN match m ON m.id = p.match
            WHERE p.worker = ? AND (? IS NULL OR m.tournament = ?)
            ORDER BY m.tournament, m.round, m.table_number, m.game_number, m.attempt""",
            worker,
            tournament,
            tournament,
        )
        return self._matches.by_id([match_id for (match_id,) in rows])

    def add_recheck(self, recheck: Recheck, now: str) -> None:
        """Store what came of a match that was played again; the first recheck of a match counts."""
        with self._file.write() as connection:
            connection.execute(
                "INSERT INTO recheck VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING",
                (recheck.match, recheck.worker, recheck.record_digest, recheck.is_equal, now),
            )

    def recheck_counts(self, tournament: str | None = None) -> tuple[int, int]:
        """Return how many matches were played again, and how many of them came out differently."""
        rows = self._file.rows(
            """SELECT count(*), coalesce(sum(NOT r.is_equal), 0) FROM recheck r JOIN match m ON m.id = r.match
            WHERE ? IS NULL OR m.tournament = ?""",
            tournament,
            tournament,
        )
        return int(rows[0][0]), int(rows[0][1])

    def differing(self, tournament: str | None = None) -> list[RecheckedMatch]:
        """Return the matches that came out differently when they were played again, in canonical order."""
        rows = self._file.rows(
            """SELECT r.match, r.worker, r.record_digest, r.is_equal FROM recheck r JOIN match m ON m.id = r.match
            WHERE NOT r.is_equal AND (? IS NULL OR m.tournament = ?)
            ORDER BY m.tournament, m.round, m.table_number, m.game_number, m.attempt""",
            tournament,
            tournament,
        )
        again = {match: Recheck(match, worker, digest, bool(is_equal)) for match, worker, digest, is_equal in rows}
        return [
            RecheckedMatch(match, self.played_on(match.id), again[match.id])
            for match in self._matches.by_id(list(again))
        ]
