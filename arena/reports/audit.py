"""T13: what the arena adds to the audit: rounds drawn again, stored results compared, records replayed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import trio

from arena.bots.label import name_of
from arena.plan.rounds import EntrantChange, History, add_round, round_metrics
from arena.plan.schedules import SCHEDULES, Schedule
from arena.plan.seeding import MAX_GAME_ATTEMPTS, Seeding, game_seed, table_seeds
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing
from arena.play.verifier import Verifier, open_verifier
from arena.store.database import Store
from arena.store.evidence import UNREADABLE
from arena.store.rows import RoundState, StoredMatch, StoredRound
from arena.store.tests import settings_of_test
from arena.store.tournaments import paired
from ratings.ledger.audit import Fault, Finding
from ratings.ledger.chain import Body, Entry, Kind
from ratings.ledger.entry_bodies import RoundTable
from referee.mistakes import UserError
from referee.order import Ending


@dataclass(slots=True)
class _Tournament:
    """A tournament as the entries tell it, up to the one being read."""

    settings: TournamentSettings
    history: History
    drawn: StoredRound | None = None
    matches: list[StoredMatch] = field(default_factory=list)
    closed: list[tuple[StoredRound, list[StoredMatch]]] = field(default_factory=list)
    changes: list[EntrantChange] = field(default_factory=list)
    kept_out: set[str] = field(default_factory=set)
    """T10.7: the names of those who are disqualified."""

    @property
    def schedule(self) -> Schedule:
        return SCHEDULES[self.settings.format]

    def draw(self, scores: Mapping[str, int]) -> Pairing | None:
        """T6: draw the next round again from the results before it and the scores that it names."""
        self.history.catch_up(self.changes)
        return self.schedule.draw(self.settings, self.history, scores)

    def metrics(self, drawn: Pairing) -> dict[str, int]:
        """T7: how good the pairing is with the round that was drawn, as its entry says it."""
        number = len(self.history.rounds) + 1
        is_rating = self.schedule.is_rating(self.settings, number)
        preferred = self.settings.game_in(number).sizes.preferred
        return round_metrics(self.history, drawn, preferred, self.settings.house_bots, is_rating=is_rating)

    def close(self) -> None:
        if self.drawn is not None:
            self.closed.append((self.drawn, self.matches))
            self._add(self.drawn, self.matches)
        self.drawn, self.matches = None, []

    def _add(self, drawn: StoredRound, matches: Sequence[StoredMatch]) -> None:
        self.history.catch_up(self.changes)
        preferred = self.settings.game_in(drawn.number).sizes.preferred
        add_round(self.history, drawn, matches, self.settings.house_bots, preferred)

    def make_void(self, round_number: int, match_id: str) -> None:
        """T13.5: leave a match out of everything that is drawn from now on."""
        self._correct(round_number, match_id, lambda match: replace(match, void_reason=""))

    def forfeit(self, round_number: int, match_id: str, places: Sequence[int]) -> None:
        """T13.12: draw everything from now on from the places that a match has since it was forfeited."""
        self._correct(
            round_number,
            match_id,
            lambda match: replace(match, places=tuple(places), places_before=match.places_before or match.places),
        )

    def _correct(self, round_number: int, match_id: str, change: Callable[[StoredMatch], StoredMatch]) -> None:
        for matches in [self.matches, *(played for drawn, played in self.closed if drawn.number == round_number)]:
            matches[:] = [change(each) if each.id == match_id else each for each in matches]
        self.history = History.begun(self.settings)
        for drawn, matches in self.closed:
            self._add(drawn, matches)


class Examiner:
    """Examines entry after entry: compares it with what is stored, and draws every round again if asked to."""

    def __init__(self, store: Store, *, with_pairings: bool, advance: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.with_pairings = with_pairings
        self.advance = advance
        self.tournaments: dict[str, _Tournament] = {}
        self.tests: dict[str, tuple[Seeding, str]] = {}
        """T19.7: for every test its seeding, and what stands for the seed of a tournament: its id."""
        self.drawn = 0
        self.pools: dict[tuple[str, int], set[str]] = {}
        """The pools that a round was played in."""
        self.unfitted: dict[str, Entry] = {}
        """The last CHECKPOINT of a pool that waits for its fit."""

    def __call__(self, entry: Entry) -> Iterator[Finding]:
        """Yield what is wrong with an entry."""
        self.advance()
        try:
            yield from self._examine(entry)
        except UNREADABLE as error:
            yield Finding(Fault.MALFORMED, entry.seq, f"{entry.key} cannot be examined: {error!r}")

    def rest(self) -> Iterator[Finding]:
        """Yield what only the end of the chain shows; T13.7: a tournament that is over waits for no fit any more."""
        for pool, closed in self.unfitted.items():
            if self.store.evidence.is_over(closed.body["tournament"]) and self.store.evidence.has_results(pool):
                yield Finding(Fault.FIT, closed.seq, f"{closed.key} was closed, and no fit of {pool} follows")

    def _examine(self, entry: Entry) -> Iterator[Finding]:
        body = entry.body
        match entry.kind:
            case Kind.FIT:
                self.unfitted.pop(body["pool"], None)
            case Kind.TOURNAMENT:
                yield from self._compare_settings(entry)
                self.tournaments[body["tournament"]] = _begun(body["settings"])
            case Kind.TEST:
                yield from self._compare_test(entry)
            case Kind.ROUND if body["tournament"] in self.tests:
                yield from self._compare_round(entry)
                yield from self._compare_seeds(entry, *self.tests[body["tournament"]])
            case Kind.ROUND:
                yield from self._expect_fit(entry)
                yield from self._compare_round(entry)
                yield from self._draw_again(entry)
            case Kind.ENTER | Kind.LEAVE | Kind.DISQUALIFY:
                yield from self._change(entry)
            case Kind.MATCH:
                self.pools.setdefault((body["tournament"], body["round"]), set()).add(body["pool"])
                yield from self._compare_match(entry)
                yield from self._compare_seed(entry)
                if body["tournament"] in self.tournaments:
                    self.tournaments[body["tournament"]].matches.append(_match_of(body))
            case Kind.VOID:
                yield from self._compare_seed(entry)
                yield from self._compare_void(entry)
                if self.with_pairings and body["tournament"] in self.tournaments:
                    self.tournaments[body["tournament"]].make_void(body["round"], body["match"])
            case Kind.FORFEIT:
                yield from self._compare_void(entry)
                if self.with_pairings and body["tournament"] in self.tournaments:
                    self.tournaments[body["tournament"]].forfeit(body["round"], body["match"], body["places"])
            case Kind.CHECKPOINT:
                yield from self._expect_fit(entry)
                if self.with_pairings and body["tournament"] in self.tournaments:
                    self.tournaments[body["tournament"]].close()
            case _:
                pass

    def _expect_fit(self, entry: Entry) -> Iterator[Finding]:
        """T13.7: a closed round is followed by a fit of its pool before the tournament, or the pool, goes on."""
        body = entry.body
        if body["tournament"] not in self.tournaments:
            return
        played = self.pools.get((body["tournament"], body["round"]), set())
        for pool, closed in list(self.unfitted.items()):
            if pool in played or closed.body["tournament"] == body["tournament"]:
                yield Finding(Fault.FIT, closed.seq, f"{closed.key} was closed, and no fit of {pool} follows")
                del self.unfitted[pool]
        if entry.kind is Kind.CHECKPOINT:
            for pool in sorted(played):
                self.unfitted[pool] = entry

    def _compare_void(self, entry: Entry) -> Iterator[Finding]:
        """A match that never had a result is stored with the seating it was drawn with."""
        body = entry.body
        rows = self.store.evidence.seats(body["match"])
        if not rows:
            yield Finding(Fault.STORED, entry.seq, f"match {body['match']} is corrected and not stored")
            return
        place = [body[name] for name in ("tournament", "round", "table", "game")]
        if (list(rows[0][:4]), int(rows[0][4]), [row[7] for row in rows]) != (place, body["seed"], body["seating"]):
            yield Finding(
                Fault.STORED, entry.seq, f"match {body['match']} is corrected, and stored otherwise than entered"
            )

    def _compare_settings(self, entry: Entry) -> Iterator[Finding]:
        stored = self.store.evidence.settings(entry.body["tournament"])
        if stored is None:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is not stored")
        elif stored != entry.body["settings"]:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is stored with other settings")

    def _compare_round(self, entry: Entry) -> Iterator[Finding]:
        fault = self.store.evidence.round_fault(entry.body["tournament"], entry.body["round"])
        if fault is not None:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} {fault}")

    def _draw_again(self, entry: Entry) -> Iterator[Finding]:
        """T13: pairings are reproducible from state and seed."""
        if not self.with_pairings:
            return
        body = entry.body
        tournament = self.tournaments.get(body["tournament"])
        if tournament is None:
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} belongs to no tournament before it")
            return
        number = body["round"]
        tournament.close()
        drawn = tournament.draw(body["scores"])
        self.drawn += 1
        tables = [] if drawn is None else [(table.number, list(table.bots)) for table in drawn.tables]
        byes = [] if drawn is None else list(drawn.byes)
        said = [(table["table"], table["seats"]) for table in body["tables"]]
        if (tables, byes) != (said, body["byes"]):
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} is drawn otherwise from the results before it")
        elif drawn is not None and body["metrics"] != tournament.metrics(drawn):
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} has other metrics than its rounds have")
        yield from self._compare_seeds(entry, tournament.settings.seeding, tournament.settings.seed)
        is_rating = tournament.schedule.is_rating(tournament.settings, number)
        tournament.drawn = _round_of(body, tournament.settings.game_in(number).slug, is_rating)

    def _compare_seeds(self, entry: Entry, seeding: Seeding, seed: int | str) -> Iterator[Finding]:
        """T2.4, T19.7: the seeds of a round follow from that of its tournament, or from the id of its test."""
        for table in entry.body["tables"]:
            seeds = table_seeds(seeding, seed, entry.body["round"], table["table"], table["games"])
            if list(RoundTable.of(table).seeds) != list(seeds):
                message = f"{entry.key}: the seeds of table {table['table']} are not those of the tournament's seed"
                yield Finding(Fault.PAIRING, entry.seq, message)

    def _compare_test(self, entry: Entry) -> Iterator[Finding]:
        test_id = entry.key.removeprefix("test:")
        self.tests[test_id] = (Seeding(entry.body["seeding"]), test_id)
        stored = self.store.evidence.settings(test_id)
        if stored is None:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is not stored")
        elif stored != settings_of_test(entry.body):
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is stored with other terms")

    def _change(self, entry: Entry) -> Iterator[Finding]:
        """T10.3, T10.4: a bot joins or leaves between two rounds, and from the next one on."""
        body, is_entry = entry.body, entry.kind is Kind.ENTER
        tournament = self.tournaments.get(body["tournament"])
        if tournament is None:
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} belongs to no tournament before it")
        elif self.with_pairings:
            name = name_of(body["bot"])
            if is_entry and name in tournament.kept_out:
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key}: {name} is disqualified")
            if entry.kind is Kind.DISQUALIFY:
                tournament.kept_out.add(name)
            drawn = tournament.drawn.number if tournament.drawn is not None else len(tournament.closed)
            if body["round"] != drawn + 1:
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} comes when round {drawn + 1} is next")
            tournament.changes.append(EntrantChange(body["round"], body["bot"], is_entry))

    def _compare_seed(self, entry: Entry) -> Iterator[Finding]:
        """T2.4, T2.5: every game had the seed that its place gives it, at its first or second try."""
        body = entry.body
        if self._seeding_and_seed(body["tournament"]) is not None and self._attempt(body) is None:
            message = f"match {body['match']} has the seed {body['seed']}, which its place does not give it"
            yield Finding(Fault.PAIRING, entry.seq, message)

    def _seeding_and_seed(self, tournament: str) -> tuple[Seeding, int | str] | None:
        """T2.4, T19.7: what the seeds of a tournament or a test follow from; None if neither is known."""
        if tournament in self.tests:
            return self.tests[tournament]
        begun = self.tournaments.get(tournament)
        return None if begun is None else (begun.settings.seeding, begun.settings.seed)

    def _attempt(self, body: Body) -> int | None:
        """T10.6: return at which try a match was played, by its seed; None if no try has this seed."""
        known = self._seeding_and_seed(body["tournament"])
        if known is None:
            return None
        place = (body["round"], body["table"], body["game"])
        for attempt in range(MAX_GAME_ATTEMPTS):
            if game_seed(*known, *place, attempt) == body["seed"]:
                return attempt
        return None

    def _compare_match(self, entry: Entry) -> Iterator[Finding]:
        body = entry.body
        rows = self.store.evidence.seats(body["match"])
        if not rows:
            yield Finding(Fault.STORED, entry.seq, f"match {body['match']} is not stored")
            return
        stored = {
            "place in the schedule": list(rows[0][:4]),
            "seed": int(rows[0][4]),
            "attempt": rows[0][11],
            "software": rows[0][12],
            "ending": rows[0][5],
            "record digest": rows[0][6],
            "seats": [row[13] for row in rows],
            "seating": [row[7] for row in rows],
            "places": [row[8] for row in rows],
            "scores": [row[9] for row in rows],
            "forfeits": [seat for seat, row in enumerate(rows) if row[10] != Ending.COMPLETED],
        }
        said = {
            "place in the schedule": [body[name] for name in ("tournament", "round", "table", "game")],
            "seed": body["seed"],
            "attempt": self._attempt(body),
            "software": body["engine"].rpartition("@")[2],
            "ending": body["ending"],
            "record digest": body["replay"],
            "seats": list(range(len(body["seating"]))),
            "seating": body["seating"],
            "places": body["places"],
            "scores": body["scores"],
            "forfeits": body["forfeits"],
        }
        if body["engine"].rpartition("@")[0] != body["pool"]:
            message = f"match {body['match']} is of {body['pool']}, and was refereed by {body['engine']}"
            yield Finding(Fault.REPLAY, entry.seq, message)
        for name, value in said.items():
            if value != stored[name]:
                message = f"match {body['match']}: {name} stored as {stored[name]}, entered as {value}"
                yield Finding(Fault.STORED, entry.seq, message)


def _begun(plain: Mapping[str, Any]) -> _Tournament:
    settings = TournamentSettings.from_plain(plain)
    return _Tournament(settings, History.begun(settings))


def _round_of(body: Body, game: str, is_rating: bool) -> StoredRound:
    return paired(body["round"], game, is_rating, body, RoundState.PAIRED, 0.0)


def _match_of(body: Body) -> StoredMatch:
    seats = range(len(body["seating"]))
    endings = tuple(Ending(body["ending"]) if seat in body["forfeits"] else Ending.COMPLETED for seat in seats)
    return StoredMatch(
        id=body["match"],
        tournament=body["tournament"],
        round=body["round"],
        table=body["table"],
        game_number=body["game"],
        attempt=0,
        game="",
        seed=body["seed"],
        seating=tuple(body["seating"]),
        ending=Ending(body["ending"]),
        reason="",
        places=tuple(body["places"]),
        scores=tuple(body["scores"] or [0 for _ in seats]),
        seat_endings=endings,
        record_digest=body["replay"],
    )


# Records.


async def replay_records(store: Store, processes: int, advance: Callable[[], None]) -> list[Finding]:
    """T13: play the record of every match entered again in fresh processes, and compare it with its entry."""
    findings: list[Finding] = []
    entered = store.evidence.entered()

    async def work(verifier: Verifier) -> None:
        for seq, payload in entered:
            fault = await _record_fault(store, payload, verifier)
            if fault is not None:
                findings.append(Finding(Fault.RECORD, seq, fault))
            advance()

    with closing(entered):  # before the database is, also when somebody interrupts
        async with open_verifier(processes) as verifier, trio.open_nursery() as nursery:
            for _ in range(processes):
                nursery.start_soon(work, verifier)
    return sorted(findings, key=lambda finding: finding.seq or 0)


async def _record_fault(store: Store, payload: str, verifier: Verifier) -> str | None:
    """Return what is wrong with the record of a match, if anything."""
    try:
        body = json.loads(payload)
        match_id = body["match"]
    except UNREADABLE:
        return None  # the audit names an entry that cannot be read
    try:
        text = store.matches.record(match_id)
        fault = (
            await verifier.check(text) or _difference(text, body) or _row_difference(text, store.matches.find(match_id))
        )
    except UserError as error:
        return str(error)
    except UNREADABLE as error:
        fault = f"what is stored of it cannot be read: {error!r}"
    return None if fault is None else f"match {match_id}: {fault}"


def _row_difference(text: str, stored: StoredMatch) -> str | None:
    """Compare a record that replays with what is stored of its match and stands in no entry."""
    lines = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    pairs = {
        "reason": (lines[-1]["result"]["reason"], stored.reason),
        "decisions": (sum(len(line.get("choices", ())) for line in lines), stored.decisions),
    }
    for name, (recorded, said) in pairs.items():
        if recorded != said:
            return f"the record says {name} {recorded}, and {said} is stored"
    return None


def _difference(text: str, body: Body) -> str | None:
    """Compare a record that replays with the entry of its match."""
    lines = text.rstrip("\n").split("\n")
    header, last = json.loads(lines[0]), json.loads(lines[-1])
    pairs = {
        "match id": (header["match_id"], body["match"]),
        "engine": (f"{header['game']}:{header['rules_version']}@{header['software']}", body["engine"]),
        "bots": (header["bots"], body["seating"]),
        "seed": (header["seed"], body["seed"]),
        "ending": (last["result"]["ending"], body["ending"]),
        "places": (last["result"]["ranks"], body["places"]),
        "scores": (last["result"]["scores"], body["scores"]),
        "digest": (last["digest"], body["replay"]),
    }
    for name, (recorded, entered) in pairs.items():
        if recorded != entered:
            return f"the record says {name} {recorded}, the entry {entered}"
    return None
