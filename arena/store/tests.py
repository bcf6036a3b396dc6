"""T17: tests of one version against another, and the games that two bots both played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from arena.store.bots import BotRows
from arena.store.corrections import CorrectionRows
from arena.store.rows import SharedGame, StoredVersion, TournamentState
from arena.store.tournaments import TEST_FORMAT
from ratings.ledger import posting, queries
from ratings.ledger.test_entries import TestEntry
from ratings.sequential.claims import Claim, Claims
from ratings.sequential.test import SequentialTest, Verdict

ARE_TESTS = "WHERE EXISTS (SELECT 1 FROM entry e WHERE e.key = 'test:' || s.tournament)"


class TestRows(BotRows, CorrectionRows):
    """What the store knows of tests."""

    def tests(self) -> list[tuple[TestEntry, Mapping[str, Any] | None]]:
        """Return every test in order, with what its VERDICT entry says if it has one."""
        with self.reading() as connection:
            return list(queries.tests(connection))

    def add_test(self, test: TestEntry, game: str, rules_version: int, now: str) -> None:
        """T17.1: enter a test, before its first game, and keep a place for its blocks."""
        with self.write() as connection:
            posting.record_pool(connection, test.pool, game, rules_version)
            posting.record_test(connection, test)
            settings = json.dumps(settings_of_test(test.body), sort_keys=True)
            connection.execute(
                "INSERT INTO tournament (id, settings, running, state, started_at, changed_at) VALUES (?,?,?,?,?,?)",
                (test.id, settings, "{}", TournamentState.RUNNING, now, now),
            )

    def end_test(self, test_id: str, progress: SequentialTest, now: str) -> None:
        """T17.3: enter the verdict of a test; without one it is abandoned."""
        with self.write() as connection:
            posting.record_verdict(connection, test_id, progress)
            connection.execute(
                "UPDATE tournament SET state = ?, reason = ?, changed_at = ? WHERE id = ?",
                (TournamentState.FINISHED, progress.verdict or Verdict.ABANDONED, now, test_id),
            )

    def test_state(self, test_id: str) -> tuple[TournamentState, str]:
        """Return where a test stands and when it was started."""
        ((state, started_at),) = self._rows("SELECT state, started_at FROM tournament WHERE id = ?", test_id)
        return TournamentState(state), started_at

    def test_askers(self) -> dict[str, str]:
        """Return who has started which test on the server, by the test's id."""
        return dict(self._rows(f"SELECT s.tournament, s.organiser FROM served_tournament s {ARE_TESTS}"))

    def wanted_tests(self) -> list[tuple[str, str]]:
        """Return the tests that the server is to resume, each with who has started it."""
        return self._rows(
            f"SELECT s.tournament, s.organiser FROM served_tournament s {ARE_TESTS} AND s.is_wanted ORDER BY s.rowid"
        )

    def test_games(self, asker: str, since: str) -> int:
        """Return how many games the tests of somebody on the server have played since a moment, ISO 8601 in UTC."""
        rows = self._rows(
            f"""SELECT count(*) FROM served_tournament s JOIN match m ON m.tournament = s.tournament {ARE_TESTS}
                AND s.organiser = ? AND datetime(m.stored_at) >= datetime(?)""",
            asker,
            since,
        )
        return int(rows[0][0])

    def enter_claims(self, tournament: str, claims: Claims, made: Sequence[Claim], game: str | None) -> None:
        """T17.4: enter what the rounds of a tournament have allowed to be claimed; what is there already stays."""
        with self.write() as connection:
            posting.record_claims(connection, tournament, claims, made, game)

    def entered_claims(self, tournament: str) -> list[Mapping[str, Any]]:
        """T17.4: return what the CLAIM entries of a tournament say, in order."""
        rows = self._rows(
            "SELECT payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq",
            f"claim:{tournament}:",
            f"claim:{tournament};",
        )
        return [json.loads(payload) for (payload,) in rows]

    def versions_by_hash(self, hashes: Sequence[str]) -> dict[str, StoredVersion]:
        """Return the bot versions of these hashes, each as it was first entered."""
        by_hash: dict[str, StoredVersion] = {}
        wanted = set(hashes)
        for version in self.versions():
            if version.version in wanted:
                by_hash.setdefault(version.version, version)
        return by_hash

    def shared_games(self, pool: str, one: Sequence[str], other: Sequence[str]) -> list[SharedGame]:
        """T15.1: return every game of a pool that counts and at which versions of two bots sat, in canonical order.

        T19.4: by the CHECKPOINT that closed the round, then by table; the unrated games of tests with copies included.
        """
        ours, theirs = (",".join("?" * len(labels)) for labels in (one, other))
        rows = self._rows(
            f"""SELECT closed.seq, m.tournament, m.round, m.table_number, m.game_number, e.payload
            FROM (SELECT DISTINCT ours.match FROM seat ours JOIN seat theirs ON theirs.match = ours.match
                WHERE ours.bot IN ({ours}) AND theirs.bot IN ({theirs})) both_sat
            JOIN match m ON m.id = both_sat.match
            JOIN entry e ON e.key = 'match:' || m.id
            JOIN entry closed ON closed.key = 'checkpoint:' || m.tournament || ':' || m.round
            WHERE NOT EXISTS (SELECT 1 FROM entry v WHERE v.key = 'void:' || m.id)
            ORDER BY closed.seq, m.table_number, m.game_number""",
            *one,
            *other,
        )
        places_now = {match_id: bodies[-1]["places"] for match_id, bodies in self.forfeits().items()}
        found = []
        for closed, tournament, number, table, game_number, payload in rows:
            body = json.loads(payload)
            if body["pool"] == pool:
                seating, places = tuple(body["seating"]), tuple(places_now.get(body["match"], body["places"]))
                found.append(SharedGame((closed, table), tournament, number, game_number, seating, places))
        return found


def settings_of_test(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stored with the blocks of a test: its entry, marked as no tournament."""
    return {"format": TEST_FORMAT, **body}
