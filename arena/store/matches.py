"""Matches, their seats, records and outputs."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any

from arena.store.connection import StoreFile, Subject
from arena.store.corrections import NEW_PLACES, CorrectionStore, correction_note
from arena.store.rows import (
    BotMatch,
    DuelRow,
    MatchToStore,
    RoundState,
    SeatFaults,
    SharedGame,
    StoredMatch,
    TournamentState,
    WantedMatches,
)
from arena.store.tournaments import TEST_FORMAT, shown_name
from ratings.ledger.chain import Kind
from ratings.points.points import STRUCK
from referee.logs import log
from referee.mistakes import NotFoundError, UserError
from referee.order import Ending, Strike
from referee.software import SOFTWARE

COUNTED = (
    "JOIN entry e ON e.key = 'match:' || m.id WHERE NOT EXISTS (SELECT 1 FROM entry v WHERE v.key = 'void:' || m.id)"
)
"""Keeps the matches `m` that the ledger counts: entered, and not voided."""

CANONICAL_ORDER = "m.tournament, m.round, m.table_number, m.game_number, m.attempt"

IS_SETTLED = f"""JOIN round r ON r.tournament = m.tournament AND r.number = m.round AND r.state = '{RoundState.CLOSED}'
    JOIN tournament t ON t.id = m.tournament
        AND (t.state = '{TournamentState.FINISHED}' OR json_extract(t.settings, '$.format') IS NOT '{TEST_FORMAT}')"""
"""Joins a match `m` if it is settled (`MatchStore.is_settled`)."""

MAX_VALUES = 10_000  # in one statement; SQLite takes 32,766

IS_FORFEIT = f"s.ending NOT IN ('{Ending.COMPLETED}', '{Ending.VOIDED}')"


class MatchStore(Subject):
    """Matches, their seats, records and outputs."""

    def __init__(self, file: StoreFile) -> None:
        super().__init__(file)
        self._corrections = CorrectionStore(file)

    def add(self, match: MatchToStore, now: str) -> bool:
        """Store one finished match; False if it was already stored."""
        return self.add_all([match], now) == 1

    def add_all(self, matches: Sequence[MatchToStore], now: str) -> int:
        """Store finished matches with their records in one transaction; return the number of new ones.

        The first result of a match counts: a different one raises an alarm, and changes nothing.
        """
        packed = [match.packed_record or pack_record(match.result.record) for match in matches]
        with self._file.write() as connection:
            return sum(self._add(connection, match, record, now) for match, record in zip(matches, packed, strict=True))

    def _add(self, connection: sqlite3.Connection, match: MatchToStore, record: bytes, now: str) -> bool:
        result, fixture = match.result, match.fixture
        places = result.ranks or (None,) * len(fixture.seating)
        scores = result.scores or (None,) * len(fixture.seating)
        if known := self._file.column("SELECT record_digest FROM match WHERE id = ?", fixture.match_id):
            if known[0] != result.digest:
                refused = {"refused": result.digest, "worker": match.worker}
                log.error("match.contradicted", match_id=fixture.match_id, stored=known[0], **refused)
            return False
        connection.execute(
            "INSERT INTO match VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                fixture.match_id, fixture.tournament, fixture.round, fixture.table, fixture.game, match.attempt,
                match.game, str(fixture.seed), result.ending, result.reason, result.decisions, result.asked,
                match.sandbox, result.digest, now, SOFTWARE,
            ),
        )  # fmt: skip
        seats = [
            (fixture.match_id, seat, bot, places[seat], scores[seat], result.seat_endings[seat])
            for seat, bot in enumerate(fixture.seating)
        ]
        connection.executemany("INSERT INTO seat VALUES (?,?,?,?,?,?)", seats)
        connection.execute("INSERT INTO record VALUES (?,?)", (fixture.match_id, record))
        outputs = [(fixture.match_id, seat, text) for seat, text in match.outputs]
        connection.executemany("INSERT INTO bot_output VALUES (?,?,?)", outputs)
        strikes = [(fixture.match_id, number, *strike) for number, strike in enumerate(result.strikes)]
        connection.executemany("INSERT INTO strike VALUES (?,?,?,?,?,?)", strikes)
        if match.worker:
            values = (fixture.match_id, match.worker, match.calibration)
            connection.execute("INSERT INTO played_on VALUES (?,?,?)", values)
        return True

    def of(self, tournament: str, round_number: int | None = None) -> list[StoredMatch]:
        """Return the stored matches of a tournament, or of one round, in canonical order."""
        if round_number is None:
            return self._matches("m.tournament = ?", tournament)
        return self._matches("m.tournament = ? AND m.round = ?", tournament, round_number)

    def latest_tournament(self, label: str, pool: str) -> str | None:
        """Return the latest tournament, not a test, in which a bot version played a rated match of a pool."""
        sql = """SELECT m.tournament FROM rating_change r JOIN match m ON m.id = r.match_id
            WHERE r.pool = ? AND r.bot = ? AND length(m.tournament) < 64 ORDER BY r.seq DESC LIMIT 1"""
        return next(iter(self._file.column(sql, pool, label)), None)

    def by_id(self, ids: Sequence[str]) -> list[StoredMatch]:
        """Return matches by their whole ids, in the requested order."""
        parts = [ids[first : first + MAX_VALUES] for first in range(0, len(ids), MAX_VALUES)]
        found = {match.id: match for part in parts for match in self._matches(f"m.id IN ({_marks(part)})", *part)}
        return [found[match_id] for match_id in ids if match_id in found]

    def corrected(self, tournament: str, most: int) -> tuple[list[StoredMatch], int]:
        """T13: return the first matches of a tournament that do not count as played, and their number."""
        # Such entries are few, and the matches of a tournament may be many: begin with the entries.
        sql = f"""SELECT m.id FROM (
                SELECT substr(key, length('void:') + 1) AS id FROM entry WHERE key >= 'void:' AND key < 'void;'
                UNION SELECT substr(key, instr(key, ':') + 1, 64) {NEW_PLACES}
            ) e CROSS JOIN match m ON m.id = e.id
            WHERE m.tournament = ? ORDER BY m.round, m.table_number, m.game_number, m.attempt"""
        ids = self._file.column(sql, tournament)
        return self.by_id(ids[:most]), len(ids)

    def latest(self, tournament: str, last: int) -> list[StoredMatch]:
        """Return the matches of the last two rounds of a tournament that were stored last, the latest first."""
        sql = """SELECT id FROM match WHERE tournament = ?1
                AND round >= (SELECT max(number) - 1 FROM round WHERE tournament = ?1)
            ORDER BY stored_at DESC, rowid DESC LIMIT ?2"""
        return self.by_id(self._file.column(sql, tournament, last))

    def before(self, before: int | None, most: int) -> tuple[list[StoredMatch], int | None]:
        """Return the latest matches, or those before a number, and the number for the next; None if these were all."""
        sql = "SELECT rowid, id FROM match WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
        rows = self._file.rows(sql, 2**62 if before is None else before, most + 1)
        shown = rows[:most]
        return self.by_id([match_id for _, match_id in shown]), shown[-1][0] if len(rows) > most else None

    def games(self) -> list[str]:
        """Return the games of which there are matches, by name."""
        return self._file.column("SELECT DISTINCT game FROM match ORDER BY game")

    def listed(self, wanted: WantedMatches, last: int) -> tuple[list[StoredMatch], int]:
        """Return the matches stored last among the wanted ones, the latest first, and the number of all of them."""
        tests: list[tuple[str, tuple[str | int, ...]]] = []
        for column, value in (("tournament", wanted.tournament), ("round", wanted.round), ("game", wanted.game)):
            if value is not None:
                tests.append((f"m.{column} = ?", (value,)))
        for labels in wanted.bots:
            seats = f"SELECT 1 FROM seat s WHERE s.match = m.id AND s.bot IN ({_marks(labels)})"
            tests.append((f"EXISTS ({seats})", labels))
        if wanted.only_forfeits:
            tests.append((f"EXISTS (SELECT 1 FROM seat s WHERE s.match = m.id AND {IS_FORFEIT})", ()))
        where = " AND ".join(test for test, _values in tests) or "1"
        values = [value for _test, given in tests for value in given]
        sql = f"SELECT m.id FROM match m WHERE {where} ORDER BY m.stored_at DESC, m.rowid DESC LIMIT ?"
        count = int(self._file.value(f"SELECT count(*) FROM match m WHERE {where}", *values))
        return self.by_id(self._file.column(sql, *values, last)), count

    def find(self, match_id: str) -> StoredMatch:
        """Return a match by its id or by the beginning of it; a UserError if there is not exactly one."""
        found = self._matches("m.id >= ? AND m.id < ?", match_id, match_id + "g") if match_id else []
        if len(found) != 1:
            if found:
                raise UserError(f"match: {match_id!r} matches several ids; give more of it")
            raise NotFoundError(f"match: {match_id!r} is not in this database")
        return found[0]

    def has(self, match_id: str) -> bool:
        """Return whether a match is stored, by its whole id."""
        return bool(self._file.rows("SELECT 1 FROM match WHERE id = ?", match_id))

    def is_settled(self, match: StoredMatch) -> bool:
        """Return whether the round of a match is closed: before that, its table may still be playing.

        A test must have ended: its id, which its matches show, predicts the seeds of those to come.
        """
        return bool(self._file.rows(f"SELECT 1 FROM match m {IS_SETTLED} WHERE m.id = ?", match.id))

    def _matches(self, where: str, *values: str | int) -> list[StoredMatch]:
        sql = f"""SELECT m.id, m.tournament, m.round, m.table_number, m.game_number, m.attempt, m.game, m.seed,
                m.ending, m.reason, m.record_digest, m.decisions, m.asked, m.sandbox, m.stored_at, v.payload,
                m.software, s.bot, s.place, s.score, s.ending
            FROM match m JOIN seat s ON s.match = m.id LEFT JOIN entry v ON v.key = 'void:' || m.id WHERE {where}
            ORDER BY {CANONICAL_ORDER}, m.id, s.seat"""
        rows = self._file.rows(sql, *values)
        later = self._corrections.new_places()
        return [_match_of(list(seats), later.get(match_id, ())) for match_id, seats in groupby(rows, itemgetter(0))]

    def record(self, match_id: str) -> str:
        """Return the record of a match, by its whole id."""
        packed = self._file.column("SELECT content FROM record WHERE match = ?", match_id)
        if not packed:
            raise NotFoundError(f"match: {match_id!r} has no record in this database")
        try:
            return zlib.decompress(packed[0]).decode("ascii")
        except (zlib.error, TypeError, UnicodeDecodeError) as error:
            raise UserError(f"match: the record of {match_id!r} cannot be unpacked: {error}") from None

    def outputs(self, match_id: str) -> dict[int, str]:
        """Return the bots' kept output in a match, by seat."""
        return dict(self._file.rows("SELECT seat, output FROM bot_output WHERE match = ? ORDER BY seat", match_id))

    def strikes(self, match_id: str) -> list[Strike]:
        """Return why answers in a match were refused, in order."""
        sql = "SELECT step, seat, clause, reason FROM strike WHERE match = ? ORDER BY number"
        return self._file.rows(sql, match_id)

    def faults(self, tournament: str) -> list[SeatFaults]:
        """Return the number of games each bot forfeited in a tournament and how, most first."""
        sql = f"""SELECT s.bot, s.ending, count(*) FROM seat s JOIN match m ON m.id = s.match
            WHERE m.tournament = ? AND {IS_FORFEIT} GROUP BY s.bot, s.ending ORDER BY count(*) DESC, s.bot"""
        return [SeatFaults(bot, Ending(ending), count) for bot, ending, count in self._file.rows(sql, tournament)]

    def void_count(self, tournament: str) -> int:
        """T13: return the number of a tournament's matches that are void in the ledger, given up or voided later."""
        # CROSS JOIN keeps SQLite to this order: void entries are few, and the matches of a tournament may be many.
        sql = """SELECT count(*) FROM entry v CROSS JOIN match m ON m.id = substr(v.key, length('void:') + 1)
            WHERE v.key >= 'void:' AND v.key < 'void;' AND m.tournament = ?"""
        return int(self._file.value(sql, tournament))

    def given_up_count(self, tournament: str) -> int:
        """Return the number of a tournament's matches that were void through no fault of a bot."""
        sql = "SELECT count(*) FROM match WHERE tournament = ? AND ending = ?"
        return int(self._file.value(sql, tournament, Ending.VOIDED))

    def of_bot(self, labels: Sequence[str], last: int, *, only_forfeits: bool = False) -> list[BotMatch]:
        """Return the last matches of some versions of a bot, or the last they forfeited, the latest first."""
        sql = f"""SELECT m.id, m.game, m.tournament, m.round, s.bot, s.seat,
                (SELECT count(*) FROM seat every WHERE every.match = m.id), s.place, s.score, s.ending, m.reason,
                m.stored_at, m.ending, v.payload
            FROM seat s JOIN match m ON m.id = s.match LEFT JOIN entry v ON v.key = 'void:' || m.id
            WHERE s.bot IN ({_marks(labels)}) AND {IS_FORFEIT if only_forfeits else "1"}
            ORDER BY m.stored_at DESC, m.rowid DESC LIMIT ?"""
        later = self._corrections.new_places()
        return [
            BotMatch(
                match, game, shown_name(tournament), round_number, label, seat, seats,
                (later[match][-1]["places"][seat] or None) if match in later else place, score, ending, reason,
                stored_at, _void_reason(match_ending, reason, void_payload),
                correction_note(Kind.FORFEIT, later.get(match, ())), correction_note(Kind.STRIKE, later.get(match, ())),
            )
            for (
                match, game, tournament, round_number, label, seat, seats, place, score, ending, reason, stored_at,
                match_ending, void_payload,
            ) in self._file.rows(sql, *labels, last)
        ]  # fmt: skip

    def forfeit_count(self, labels: Sequence[str]) -> int:
        """Return the number of matches that some versions of a bot forfeited."""
        sql = f"SELECT count(*) FROM seat s WHERE s.bot IN ({_marks(labels)}) AND {IS_FORFEIT}"
        return int(self._file.value(sql, *labels))

    def duels(self, labels: Sequence[str]) -> list[DuelRow]:
        """Return by game and opponent how often some versions of a bot met it, and the half points from that."""
        mine, other = (self._corrections.counting_place(seat) for seat in ("ours", "theirs"))
        sql = f"""SELECT game, bot, count(*),
                sum(CASE WHEN mine = other THEN 1 WHEN mine < other THEN 2 ELSE 0 END)
            FROM (SELECT m.game AS game, theirs.bot AS bot, {mine} AS mine, {other} AS other
                FROM seat ours JOIN match m ON m.id = ours.match
                JOIN seat theirs ON theirs.match = m.id AND theirs.seat <> ours.seat
                {COUNTED} AND ours.bot IN ({_marks(labels)}) AND m.ending <> ?)
            WHERE mine <> {STRUCK} AND other <> {STRUCK}
            GROUP BY game, bot ORDER BY game, count(*) DESC, bot"""
        return [DuelRow(*row) for row in self._file.rows(sql, *labels, Ending.VOIDED)]

    def form(self, pool: str, bot: str, last: int) -> list[tuple[int | None, int, str]]:
        """Return place, table size and id of the last rated matches of a bot in a pool, the latest first."""
        place = self._corrections.counting_place("s")
        sql = f"""SELECT {place}, (SELECT count(*) FROM seat every WHERE every.match = s.match), c.match_id
            FROM rating_change c JOIN seat s ON s.match = c.match_id AND s.bot = c.bot
            WHERE c.pool = ? AND c.bot = ? AND {place} IS NOT {STRUCK} ORDER BY c.seq DESC LIMIT ?"""
        return self._file.rows(sql, pool, bot, last)

    def count(self, tournament: str) -> int:
        """Return the number of a tournament's stored matches."""
        return int(self._file.value("SELECT count(*) FROM match WHERE tournament = ?", tournament))

    def shared(self, pool: str, one: Sequence[str], other: Sequence[str]) -> list[SharedGame]:
        """T15.1: return every counting game of a pool in which versions of two bots played, in canonical order.

        T19.4: by the CHECKPOINT that closed the round, then by table; the unrated games of tests with copies included.
        """
        sql = f"""SELECT closed.seq, m.tournament, m.round, m.table_number, m.game_number, e.payload
            FROM (SELECT DISTINCT ours.match FROM seat ours JOIN seat theirs ON theirs.match = ours.match
                WHERE ours.bot IN ({_marks(one)}) AND theirs.bot IN ({_marks(other)})) both_sat
            JOIN match m ON m.id = both_sat.match
            JOIN entry e ON e.key = 'match:' || m.id
            JOIN entry closed ON closed.key = 'checkpoint:' || m.tournament || ':' || m.round
            WHERE NOT EXISTS (SELECT 1 FROM entry v WHERE v.key = 'void:' || m.id)
            ORDER BY closed.seq, m.table_number, m.game_number"""
        later = self._corrections.new_places()
        places_now = {match_id: bodies[-1]["places"] for match_id, bodies in later.items()}
        found = []
        for closed, tournament, number, table, game_number, payload in self._file.rows(sql, *one, *other):
            body = json.loads(payload)
            if body["pool"] == pool:
                seating, places = tuple(body["seating"]), tuple(places_now.get(body["match"], body["places"]))
                if STRUCK not in places:  # T19.2: its block is no evidence
                    found.append(SharedGame((closed, table), tournament, number, game_number, seating, places))
        return found


def pack_record(text: str) -> bytes:
    """Return a record as the store keeps it."""
    return zlib.compress(text.encode("ascii"))


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _void_reason(ending: str, reason: str, void_payload: str | None) -> str | None:
    """T13: why a match does not count: the arena gave it up, or an organiser voided it; None if it counts."""
    if ending == Ending.VOIDED:
        return reason
    if void_payload is None:
        return None
    try:
        return str(json.loads(void_payload)["reason"])
    except (ValueError, LookupError, TypeError):
        return "its entry cannot be read"  # it was tampered with, which the audit reports


def _changes(void_payload: str | None, later: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """T13: the entries that changed a match, each with the places that counted from then on."""
    found = [(int(body["seq"]), tuple(body["places"])) for body in later]
    if void_payload is not None:
        with suppress(ValueError, LookupError, TypeError):  # likewise
            found.append((int(json.loads(void_payload)["seq"]), ()))
    return tuple(found)


def _match_of(rows: Sequence[Any], later: Sequence[Mapping[str, Any]]) -> StoredMatch:
    (
        id, tournament, round_number, table, game_number, attempt, game, seed, ending, reason, digest, decisions, asked,
        sandbox, stored_at, void_payload, software,
    ) = rows[0][:17]  # fmt: skip
    has_result = ending != Ending.VOIDED
    played = tuple(row[18] for row in rows) if has_result else ()
    return StoredMatch(
        id, tournament, round_number, table, game_number, attempt, game, int(seed),
        tuple(row[17] for row in rows), Ending(ending), reason,
        tuple(later[-1]["places"]) if later else played,
        tuple(row[19] for row in rows) if has_result else (),
        tuple(Ending(row[20]) for row in rows), digest, decisions, asked, sandbox, stored_at,
        _void_reason(ending, reason, void_payload), correction_note(Kind.FORFEIT, later),
        sum(body["kind"] == Kind.FORFEIT for body in later), played if later else (), software,
        correction_note(Kind.STRIKE, later), sum(body["kind"] == Kind.STRIKE for body in later),
        _changes(void_payload, later),
    )  # fmt: skip
