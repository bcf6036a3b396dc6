"""T17: tests of one version against another, and the games that two bots both played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from arena.store.connection import Subject
from arena.store.rows import TournamentState
from arena.store.tournaments import INSERT_TOURNAMENT, TEST_FORMAT
from ratings.ledger import posting, queries
from ratings.ledger.test_entries import TestEntry
from ratings.sequential.test import SequentialTest, Verdict

ARE_TESTS = "WHERE EXISTS (SELECT 1 FROM entry e WHERE e.key = 'test:' || s.tournament)"


class TestStore(Subject):
    """Tests of one version against another."""

    def all(self) -> list[tuple[TestEntry, Mapping[str, Any] | None]]:
        """Return every test in order, with its VERDICT entry if it has one."""
        with self._file.reading() as connection:
            return list(queries.tests(connection))

    def add(self, test: TestEntry, game: str, rules_version: int, now: str) -> None:
        """T17.1: enter a test, before its first game, and create the row for its blocks."""
        with self._file.write() as connection:
            posting.record_pool(connection, test.pool, game, rules_version)
            posting.record_test(connection, test)
            settings = json.dumps(settings_of_test(test.body), sort_keys=True)
            connection.execute(INSERT_TOURNAMENT, (test.id, settings, "{}", TournamentState.RUNNING, now, now))

    def end(self, test_id: str, progress: SequentialTest, now: str) -> None:
        """T17.3: enter the verdict of a test; without one it is abandoned."""
        with self._file.write() as connection:
            posting.record_verdict(connection, test_id, progress)
            values = (TournamentState.FINISHED, progress.verdict or Verdict.ABANDONED, now, test_id)
            connection.execute("UPDATE tournament SET state = ?, reason = ?, changed_at = ? WHERE id = ?", values)

    def state(self, test_id: str) -> tuple[TournamentState, str]:
        """Return the state of a test and when it was started."""
        ((state, started_at),) = self._file.rows("SELECT state, started_at FROM tournament WHERE id = ?", test_id)
        return TournamentState(state), started_at

    def askers(self) -> dict[str, str]:
        """Return who started which test on the server, by the test's id."""
        return dict(self._file.rows(f"SELECT s.tournament, s.organiser FROM served_tournament s {ARE_TESTS}"))

    def wanted(self) -> list[tuple[str, str]]:
        """Return the tests that the server is to resume, each with the user who started it."""
        return self._file.rows(
            f"SELECT s.tournament, s.organiser FROM served_tournament s {ARE_TESTS} AND s.is_wanted ORDER BY s.rowid"
        )

    def games_since(self, asker: str, since: str) -> int:
        """Return the number of games that a user's tests on the server have played since a moment, ISO 8601 in UTC."""
        sql = f"""SELECT count(*) FROM served_tournament s JOIN match m ON m.tournament = s.tournament {ARE_TESTS}
            AND s.organiser = ? AND datetime(m.stored_at) >= datetime(?)"""
        return int(self._file.value(sql, asker, since))


def settings_of_test(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings stored with the blocks of a test: its entry, marked as not a tournament."""
    return {"format": TEST_FORMAT, **body}
