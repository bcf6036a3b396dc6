"""Tournaments and their rounds."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from arena.store.connection import StoreFile, Subject
from arena.store.corrections import CorrectionStore
from arena.store.rows import RoundState, StoredRound, StoredTournament, TournamentState
from ratings.ledger import entry_bodies, posting
from ratings.ledger.chain import Kind, key_of
from ratings.ledger.entry_bodies import RoundTable
from ratings.ledger.secret_seed import awaited_sources, nonce_fault, secret_seed
from ratings.points.result import Fixture, LedgerResult
from ratings.sequential.claims import Claim, Claims
from referee.mistakes import NotFoundError, UserError
from referee.setting import did_you_mean

MAX_ROUNDS = 1 << 31
TEST_FORMAT = "test"
"""T17: the format under which the blocks of a test are stored; no list of tournaments shows it."""


SHOWN_VALUE = 80  # characters of a value that is refused
SHOWN_ID = 12
"""Digits of a test's id: the whole of it predicts every seed of the test, so it is not shown before the verdict."""

INSERT_TOURNAMENT = "INSERT INTO tournament (id, settings, running, state, started_at, changed_at) VALUES (?,?,?,?,?,?)"

IS_TEST_ID = re.compile("[0-9a-f]{64}")


def shown_name(tournament: str) -> str:
    """Return the name of a tournament in lists of matches: its own, or the beginning of a test's id."""
    return f"test {tournament[:SHOWN_ID]}" if IS_TEST_ID.fullmatch(tournament) else tournament


def payload_digest(payload: str) -> str:
    """Return the digest of an entry's payload, by which a row detects an entry that was forged and resealed."""
    return sha256(payload.encode()).hexdigest()


def paired(
    number: int,
    game: str,
    is_rating: bool,
    body: Mapping[str, Any],
    state: RoundState,
    seconds: float,
    closed_by: int = 0,
) -> StoredRound:
    """Return a round with the pairing from its ROUND entry."""
    tables = tuple(map(RoundTable.of, body["tables"]))
    return StoredRound(number, game, is_rating, tables, tuple(body["byes"]), body["scores"], state, seconds, closed_by)


class TournamentStore(Subject):
    """Tournaments and their rounds."""

    def __init__(self, file: StoreFile) -> None:
        super().__init__(file)
        self._corrections = CorrectionStore(file)

    def add(
        self,
        tournament: str,
        settings: Mapping[str, Any],
        running: Mapping[str, Any],
        pools: Sequence[tuple[str, str, int]],
        now: str,
        secret: str = "",
    ) -> bool:
        """Enter a tournament and its pools; False if the same one is there, a UserError if another is.

        T2.8: its secret is kept beside it until its end.
        """
        text, run = (json.dumps(each, sort_keys=True) for each in (settings, running))
        with self._file.write() as connection:
            known = self._file.value("SELECT settings FROM tournament WHERE id = ?", tournament)
            if known not in (None, text):
                raise UserError(f"name: this database already has a tournament {tournament!r} with other settings")
            for pool, game, rules_version in pools:
                posting.record_pool(connection, pool, game, rules_version)
            posting.record_tournament(connection, tournament, settings)
            if known is not None:
                connection.execute("UPDATE tournament SET running = ? WHERE id = ?", (run, tournament))
                return False
            connection.execute(INSERT_TOURNAMENT, (tournament, text, run, TournamentState.RUNNING, now, now))
            if secret:
                connection.execute("INSERT INTO secret VALUES (?,?)", (tournament, secret))
            return True

    def find(self, tournament: str) -> StoredTournament:
        """Return a tournament; a NotFoundError lists the existing ones."""
        known = {each.id: each for each in self.all()}
        if tournament not in known:
            names = f"{', '.join(known) or 'none'}{did_you_mean(tournament, list(known))}"
            raise NotFoundError(f"tournament: {tournament!r} is not in this database; expected one of: {names}")
        return known[tournament]

    def all(self) -> list[StoredTournament]:
        """Return all tournaments, oldest first."""
        sql = """SELECT t.id, t.settings, t.running, t.state, t.reason, t.started_at, s.secret FROM tournament t
            LEFT JOIN secret s ON s.tournament = t.id
            WHERE json_extract(t.settings, '$.format') IS NOT ? ORDER BY t.rowid"""
        found = []
        for id, settings, running, state, reason, started_at, secret in self._file.rows(sql, TEST_FORMAT):
            plain = json.loads(settings)
            seed = None if secret is None else self._seed(id, plain, secret)
            found.append(
                StoredTournament(id, plain, json.loads(running), TournamentState(state), reason, started_at, seed)
            )
        return found

    def _seed(self, tournament: str, settings: Mapping[str, Any], secret: str) -> int | None:
        """T2.8, T2.9: return the seed that follows from a secret; None as long as a nonce is missing."""
        given = self.nonces(tournament) if awaited_sources(settings) else {}
        values = [given.get(source) for source in awaited_sources(settings)]
        known = [value for value in values if value is not None]
        return secret_seed(secret, known) if len(known) == len(values) else None

    def nonces(self, tournament: str) -> dict[str, str]:
        """T2.9: return what has been mixed into the seed of a tournament, by source."""
        return {body["source"]: body["value"] for body in self._file.bodies(f"nonce:{tournament}:")}

    def missing_nonces(self, tournament: str) -> list[str]:
        """T2.9: return the sources whose nonces the first round of a tournament waits for."""
        given = self.nonces(tournament)
        return [each for each in awaited_sources(self.find(tournament).settings) if each not in given]

    def add_nonce(self, tournament: str, source: str, value: str) -> list[str]:
        """T2.9: enter a nonce and return the sources that are still missing; a UserError says why it is refused."""
        if fault := nonce_fault(value):
            raise UserError(f"value: {value[:SHOWN_VALUE]!r} is not allowed: {fault}")
        with self._file.write() as connection:
            awaited = awaited_sources(self.find(tournament).settings)
            if source not in awaited:
                known = ", ".join(awaited) or "none: its file names no beacon and no nonces"
                raise UserError(f"source: {tournament} waits for no nonce of {source!r}; expected one of: {known}")
            if source in self.nonces(tournament):
                raise UserError(f"source: the nonce of {source} is entered already, and stays")
            posting.record_nonce(connection, tournament, source, value)
        return self.missing_nonces(tournament)

    def finish(self, tournament: str, reason: str, now: str) -> None:
        """T10.8: enter the end of a tournament and note it: from then on its secret is open, and nothing is played."""
        with self._file.write() as connection:
            secret = self._file.value("SELECT secret FROM secret WHERE tournament = ?", tournament)
            rounds = self.round_counts(tournament).get(RoundState.CLOSED, 0)
            self.set_state(tournament, TournamentState.FINISHED, reason, now)
            posting.record_end(connection, tournament, reason, rounds, secret)

    def has_ended(self, tournament: str) -> bool:
        """T10.8: return whether the end of a tournament is entered."""
        return bool(self._file.rows("SELECT 1 FROM entry WHERE key = ?", key_of(Kind.END, tournament=tournament)))

    def search(self, text: str) -> list[str]:
        """Return the tournament names that contain a text, ignoring case."""
        return [name for name in self._file.search("tournament", "id", text) if not IS_TEST_ID.fullmatch(name)]

    def set_state(self, tournament: str, state: TournamentState, reason: str, now: str) -> None:
        """Note where a tournament stands; running again forgets a request to stop.

        T10.8: nothing is noted after its end.
        """
        sql = """UPDATE tournament SET state = ?, reason = ?, is_stop_requested = 0, changed_at = ?
            WHERE id = ? AND NOT EXISTS (SELECT 1 FROM entry WHERE key = ?)"""
        self._file.run(sql, state, reason, now, tournament, key_of(Kind.END, tournament=tournament))

    def request_stop(self, tournament: str) -> None:
        """Ask the tournament's runner to stop it cleanly."""
        self._file.run("UPDATE tournament SET is_stop_requested = 1 WHERE id = ?", tournament)

    def is_stop_requested(self, tournament: str) -> bool:
        """Return whether a stop of the tournament was requested."""
        return bool(self._file.value("SELECT is_stop_requested FROM tournament WHERE id = ?", tournament))

    def add_round(
        self,
        tournament: str,
        number: int,
        game: str,
        is_rating: bool,
        tables: Sequence[RoundTable],
        byes: Sequence[str] = (),
        scores: Mapping[str, int] | None = None,
        metrics: Mapping[str, int] | None = None,
        *,
        by_lot: bool = False,
    ) -> None:
        """Store a round, and enter its pairing in the ledger, in one transaction."""
        with self._file.write() as connection:
            posting.record_round(
                connection, tournament, number, tables, byes=byes, scores=scores, metrics=metrics, by_lot=by_lot
            )
            payload = self._file.value("SELECT payload FROM entry WHERE key = ?", f"round:{tournament}:{number}")
            connection.execute(
                "INSERT INTO round (tournament, number, game, is_rating, entry_digest, state) VALUES (?,?,?,?,?,?)",
                (tournament, number, game, is_rating, payload_digest(payload), RoundState.PAIRED),
            )

    def rounds(self, tournament: str, first: int = 1, last: int = MAX_ROUNDS) -> list[StoredRound]:
        """Return the rounds of a tournament in order, all or from one to another."""
        sql = """SELECT r.number, r.game, r.is_rating, e.payload, r.state, r.seconds, coalesce(closed.seq, 0)
            FROM round r JOIN entry e ON e.key = 'round:' || r.tournament || ':' || r.number
            LEFT JOIN entry closed ON closed.key = 'checkpoint:' || r.tournament || ':' || r.number
            WHERE r.tournament = ? AND r.number BETWEEN ? AND ? ORDER BY r.number"""
        return [
            paired(number, game, bool(rating), json.loads(text), RoundState(state), seconds, closed_by)
            for number, game, rating, text, state, seconds, closed_by in self._file.rows(sql, tournament, first, last)
        ]

    def add_change(self, tournament: str, bot: str, *, is_entry: bool, author: str | None = None) -> int:
        """T10.3, T10.4: enter that a bot joins or leaves from the next round on; return that round's number."""
        with self._file.write() as connection:
            number = self.last_round(tournament) + 1
            if not posting.record_change(connection, tournament, number, bot, is_entry=is_entry, author=author):
                raise UserError(f"bot: {bot} has already joined and left before round {number}; wait for that round")
            return number

    def changes(self, tournament: str) -> list[tuple[int, str, bool]]:
        """Return the joins and leaves of a tournament in order: the first round, the bot, and whether it joined.

        T10.7: a disqualified bot leaves.
        """
        found = []
        prefixes = {entry_bodies.change_prefix(tournament, is_entry=is_entry): is_entry for is_entry in (True, False)}
        for first, is_entry in {**prefixes, entry_bodies.disqualify_prefix(tournament): False}.items():
            # A key with this prefix sorts before the prefix with its colon replaced by the next character.
            rows = self._file.rows("SELECT seq, payload FROM entry WHERE key >= ? AND key < ?", first, first[:-1] + ";")
            for seq, payload in rows:
                body = json.loads(payload)
                found.append((seq, (body["round"], body["bot"], is_entry)))
        return [change for _seq, change in sorted(found)]

    def entered_authors(self, tournament: str) -> dict[str, str]:
        """T5.4: return the authors of late entrants, by label, as far as they are known."""
        first = entry_bodies.change_prefix(tournament, is_entry=True)
        payloads = self._file.column("SELECT payload FROM entry WHERE key >= ? AND key < ?", first, first[:-1] + ";")
        bodies = map(json.loads, payloads)
        return {body["bot"]: body["author"] for body in bodies if "author" in body}

    def close_round(
        self,
        tournament: str,
        number: int,
        results: Sequence[LedgerResult],
        given_up: Sequence[tuple[Fixture, str, str]],
        seconds: float,
    ) -> None:
        """Enter a round's results in the ledger with their ratings, seal it, and mark it closed: all or nothing."""
        with self._file.write() as connection:
            posting.post_matches(connection, results)
            for fixture, pool, reason in given_up:
                posting.give_up_match(connection, fixture, pool, reason, "arena")
            for given in self._corrections.disqualified(tournament).values():
                for result in results:
                    if given.bot in result.fixture.seating:
                        self._corrections.apply(result.fixture.match_id, given)
            posting.record_checkpoint(connection, tournament, number)
            connection.execute(
                "UPDATE round SET state = ?, seconds = ? WHERE tournament = ? AND number = ?",
                (RoundState.CLOSED, seconds, tournament, number),
            )

    def has(self, tournament: str) -> bool:
        """Return whether a tournament of this name was ever begun."""
        return bool(self._file.rows("SELECT 1 FROM tournament WHERE id = ?", tournament))

    def is_listed(self, name: str) -> bool:
        """Return whether a tournament has this name; the id of a test does not count."""
        return any(each.id == name for each in self.all())

    def last_round(self, tournament: str) -> int:
        """Return the number of the last round that was paired; 0 if there is none."""
        return self._file.value("SELECT max(number) FROM round WHERE tournament = ?", tournament) or 0

    def round_counts(self, tournament: str) -> dict[RoundState, int]:
        """Return the number of rounds in each state."""
        rows = self._file.rows("SELECT state, count(*) FROM round WHERE tournament = ? GROUP BY state", tournament)
        return {RoundState(state): count for state, count in rows}

    def closed_points_rounds(self, tournament: str) -> int:
        """T10: return the number of a tournament's closed rounds that count for points."""
        sql = "SELECT count(*) FROM round WHERE tournament = ? AND state = ? AND NOT is_rating"
        return int(self._file.value(sql, tournament, RoundState.CLOSED))

    def etag(self, tournament: str) -> str:
        """Return a short text that changes whenever the stored data of a tournament does."""
        sql = """SELECT t.state, t.changed_at, (SELECT count(*) FROM match m WHERE m.tournament = t.id),
                (SELECT count(*) FROM round r WHERE r.tournament = t.id),
                (SELECT count(*) FROM round r WHERE r.tournament = t.id AND r.state = ?)
            FROM tournament t WHERE t.id = ?"""
        return ".".join(str(value) for row in self._file.rows(sql, RoundState.CLOSED, tournament) for value in row)

    def public_through(self) -> int:
        """Return the last entry before any unfinished tournament or test: its seeds would reveal hidden information."""
        sql = """SELECT coalesce(
                (SELECT min(e.seq) - 1 FROM tournament t
                    JOIN entry e ON e.key IN ('tournament:' || t.id, 'test:' || t.id)
                    WHERE t.state <> ?),
                (SELECT max(seq) FROM entry), 0)"""
        return int(self._file.value(sql, TournamentState.FINISHED))

    def keep_forecast(self, tournament: str, values: tuple[int, int, float | None, int, int, int, int]) -> None:
        """T16.5: keep the last forecast of a tournament."""
        self._file.run("INSERT OR REPLACE INTO forecast VALUES (?,?,?,?,?,?,?,?)", tournament, *values)

    def forecast(self, tournament: str) -> tuple[int, int, float | None, int, int, int, int] | None:
        """T16.5: return the last forecast of a tournament, if it has made one."""
        rows = self._file.rows("SELECT * FROM forecast WHERE tournament = ?", tournament)
        return rows[0][1:] if rows else None

    def serve(self, tournament: str, organiser: str) -> None:
        """Store that the server is to run a tournament, and for which organiser."""
        self._file.run("INSERT OR REPLACE INTO served_tournament VALUES (?,?,1)", tournament, organiser)

    def set_wanted(self, tournament: str, is_wanted: bool) -> None:
        """Store whether the server is to resume a tournament when it restarts."""
        self._file.run("UPDATE served_tournament SET is_wanted = ? WHERE tournament = ?", is_wanted, tournament)

    def wanted(self) -> list[tuple[str, str]]:
        """Return the tournaments that the server is to resume, each with its organiser."""
        return self._file.rows(
            """SELECT s.tournament, s.organiser FROM served_tournament s WHERE s.is_wanted
                AND EXISTS (SELECT 1 FROM entry e WHERE e.key = 'tournament:' || s.tournament) ORDER BY s.rowid"""
        )

    def enter_claims(self, tournament: str, claims: Claims, made: Sequence[Claim], game: str | None) -> None:
        """T17.4: enter the claims that a tournament's rounds allow; existing ones stay."""
        with self._file.write() as connection:
            posting.record_claims(connection, tournament, claims, made, game)

    def claims(self, tournament: str) -> list[Mapping[str, Any]]:
        """T17.4: return the CLAIM entries of a tournament, in order."""
        return self._file.bodies(f"claim:{tournament}:")
