"""The cluster workers that played matches, and the rechecks of their results."""

from __future__ import annotations

from dataclasses import astuple

from arena.store.connection import StoreFile, Subject
from arena.store.matches import CANONICAL_ORDER, MatchStore
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
        sql = f"""SELECT m.id FROM played_on p JOIN match m ON m.id = p.match
            WHERE p.worker = ?1 AND (?2 IS NULL OR m.tournament = ?2) ORDER BY {CANONICAL_ORDER}"""
        return self._matches.by_id(self._file.column(sql, worker, tournament))

    def add_recheck(self, recheck: Recheck, now: str) -> None:
        """Store the result of a rerun match; the first recheck of a match counts."""
        self._file.run("INSERT INTO recheck VALUES (?,?,?,?,?) ON CONFLICT DO NOTHING", *astuple(recheck), now)

    def recheck_counts(self, tournament: str | None = None) -> tuple[int, int]:
        """Return the number of rerun matches, and the number that came out differently."""
        sql = """SELECT count(*), coalesce(sum(NOT r.is_equal), 0) FROM recheck r JOIN match m ON m.id = r.match
            WHERE ?1 IS NULL OR m.tournament = ?1"""
        ((count, differing),) = self._file.rows(sql, tournament)
        return count, differing

    def differing(self, tournament: str | None = None) -> list[RecheckedMatch]:
        """Return the matches that came out differently in a rerun, in canonical order."""
        sql = f"""SELECT r.match, r.worker, r.record_digest FROM recheck r JOIN match m ON m.id = r.match
            WHERE NOT r.is_equal AND (?1 IS NULL OR m.tournament = ?1) ORDER BY {CANONICAL_ORDER}"""
        rows = self._file.rows(sql, tournament)
        again = {match: Recheck(match, worker, digest, False) for match, worker, digest in rows}
        matches = self._matches.by_id(list(again))
        return [RecheckedMatch(match, self.played_on(match.id), again[match.id]) for match in matches]
