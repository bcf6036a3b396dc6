"""T13: the arena's part of the audit: rounds drawn again, stored results compared, records replayed."""

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
from ratings.ledger.fit_gaps import FitGaps
from referee.mistakes import UserError
from referee.order import Ending

SCHEDULE_PLACE = ("tournament", "round", "table", "game")


@dataclass(slots=True)
class _Tournament:
    """A tournament by its entries so far."""

    settings: TournamentSettings
    history: History
    drawn: StoredRound | None = None
    matches: list[StoredMatch] = field(default_factory=list)
    closed: list[tuple[StoredRound, list[StoredMatch]]] = field(default_factory=list)
    changes: list[EntrantChange] = field(default_factory=list)
    kept_out: set[str] = field(default_factory=set)
    """T10.7: the names of disqualified bots."""

    @property
    def schedule(self) -> Schedule:
        return SCHEDULES[self.settings.format]

    def draw(self, scores: Mapping[str, int]) -> Pairing | None:
        """T6: draw the next round again from earlier results and its entered scores."""
        self.history.catch_up(self.changes)
        return self.schedule.draw(self.settings, self.history, scores)

    def metrics(self, drawn: Pairing) -> dict[str, int]:
        """T7: return the pairing metrics including the drawn round, as its entry has them."""
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
        """T13.5: leave a match out of all later draws."""
        self._correct(round_number, match_id, lambda match: replace(match, void_reason=""))

    def forfeit(self, round_number: int, match_id: str, places: Sequence[int]) -> None:
        """T13.12: base all later draws on the places of a forfeited match."""

        def change(match: StoredMatch) -> StoredMatch:
            return replace(match, places=tuple(places), places_before=match.places_before or match.places)

        self._correct(round_number, match_id, change)

    def _correct(self, round_number: int, match_id: str, change: Callable[[StoredMatch], StoredMatch]) -> None:
        for matches in [self.matches, *(played for drawn, played in self.closed if drawn.number == round_number)]:
            matches[:] = [change(each) if each.id == match_id else each for each in matches]
        self.history = History.begun(self.settings)
        for drawn, matches in self.closed:
            self._add(drawn, matches)


class Examiner:
    """Compares every entry with the stored rows, and draws every round again `with_pairings`."""

    def __init__(self, store: Store, *, with_pairings: bool, advance: Callable[[], None] = lambda: None) -> None:
        self.store = store
        self.with_pairings = with_pairings
        self.advance = advance
        self.tournaments: dict[str, _Tournament] = {}
        self.tests: dict[str, tuple[Seeding, str]] = {}
        """T19.7: the seeding of every test, and its id, which stands for a tournament's seed."""
        self.drawn = 0
        self.gaps = FitGaps()

    def __call__(self, entry: Entry) -> Iterator[Finding]:
        """Yield the faults of an entry."""
        self.advance()
        try:
            yield from self._examine(entry)
        except UNREADABLE as error:
            yield Finding(Fault.MALFORMED, entry.seq, f"{entry.key} cannot be examined: {error!r}")

    def rest(self) -> Iterator[Finding]:
        """T13.7: yield the fits that are missing once the chain is read, which no MEND entry makes up for."""
        for (_key, pool), closed in self.gaps.missing.items():
            yield _no_fit(closed, pool)
        for pool, closed in self.gaps.waiting.items():
            if self.store.evidence.is_over(closed.body["tournament"]) and self.store.evidence.has_results(pool):
                yield _no_fit(closed, pool)

    def notes(self) -> Iterator[str]:
        """T13.14: yield what was mended."""
        for entry in self.gaps.mended:
            body = entry.body
            what = f"the fit of {body['pool']} after checkpoint:{body['tournament']}:{body['round']}"
            yield f"entry {entry.seq} mends {what}: {body['reason']} ({body['who']})"

    def _examine(self, entry: Entry) -> Iterator[Finding]:
        body = entry.body
        known = self.tournaments.get(body.get("tournament", ""))
        redrawn = known if self.with_pairings else None
        for message in self.gaps.read(entry):
            yield Finding(Fault.UNFOUNDED, entry.seq, message)
        match entry.kind:
            case Kind.TOURNAMENT:
                yield from self._compare_settings(entry, body["tournament"], body["settings"], "settings")
                settings = TournamentSettings.from_plain(body["settings"])
                self.tournaments[body["tournament"]] = _Tournament(settings, History.begun(settings))
            case Kind.TEST:
                test_id = entry.key.removeprefix("test:")
                self.tests[test_id] = (Seeding(body["seeding"]), test_id)
                yield from self._compare_settings(entry, test_id, settings_of_test(body), "terms")
            case Kind.ROUND if body["tournament"] in self.tests:
                yield from self._compare_round(entry)
                yield from self._compare_seeds(entry, *self.tests[body["tournament"]])
            case Kind.ROUND:
                yield from self._compare_round(entry)
                yield from self._draw_again(entry)
            case Kind.ENTER | Kind.LEAVE | Kind.DISQUALIFY:
                yield from self._change(entry)
            case Kind.MATCH:
                yield from self._compare_match(entry)
                yield from self._compare_seed(entry)
                if known is not None:
                    known.matches.append(_match_of(body))
            case Kind.VOID:
                yield from self._compare_seed(entry)
                yield from self._compare_void(entry)
                if redrawn is not None:
                    redrawn.make_void(body["round"], body["match"])
            case Kind.FORFEIT:
                yield from self._compare_void(entry)
                if redrawn is not None:
                    redrawn.forfeit(body["round"], body["match"], body["places"])
            case Kind.CHECKPOINT if redrawn is not None:
                redrawn.close()
            case _:
                pass

    def _compare_void(self, entry: Entry) -> Iterator[Finding]:
        """A match that never had a result is stored with the seating it was drawn with."""
        body = entry.body
        rows = self.store.evidence.seats(body["match"])
        if not rows:
            yield Finding(Fault.STORED, entry.seq, f"match {body['match']} is corrected and not stored")
            return
        place = [body[name] for name in SCHEDULE_PLACE]
        if (list(rows[0][:4]), int(rows[0][4]), [row[7] for row in rows]) != (place, body["seed"], body["seating"]):
            message = f"match {body['match']} is corrected, and stored otherwise than entered"
            yield Finding(Fault.STORED, entry.seq, message)

    def _compare_settings(self, entry: Entry, name: str, entered: Mapping[str, Any], what: str) -> Iterator[Finding]:
        stored = self.store.evidence.settings(name)
        if stored is None:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is not stored")
        elif stored != entered:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is stored with other {what}")

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
            yield _no_tournament(entry)
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
        game = tournament.settings.game_in(number).slug
        tournament.drawn = paired(number, game, is_rating, body, RoundState.PAIRED, 0.0)

    def _compare_seeds(self, entry: Entry, seeding: Seeding, seed: int | str) -> Iterator[Finding]:
        """T2.4, T19.7: the seeds of a round follow from that of its tournament, or from the id of its test."""
        for table in entry.body["tables"]:
            seeds = table_seeds(seeding, seed, entry.body["round"], table["table"], table["games"])
            if list(RoundTable.of(table).seeds) != list(seeds):
                message = f"{entry.key}: the seeds of table {table['table']} are not those of the tournament's seed"
                yield Finding(Fault.PAIRING, entry.seq, message)

    def _change(self, entry: Entry) -> Iterator[Finding]:
        """T10.3, T10.4: a bot joins or leaves between two rounds, and from the next one on."""
        body, is_entry = entry.body, entry.kind is Kind.ENTER
        tournament = self.tournaments.get(body["tournament"])
        if tournament is None:
            yield _no_tournament(entry)
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
        """T2.4, T19.7: return the source of the seeds of a tournament or test; None if it is unknown."""
        if tournament in self.tests:
            return self.tests[tournament]
        begun = self.tournaments.get(tournament)
        return None if begun is None else (begun.settings.seeding, begun.settings.seed)

    def _attempt(self, body: Body) -> int | None:
        """T10.6: return the attempt of a match by its seed; None if no attempt has it."""
        known = self._seeding_and_seed(body["tournament"])
        if known is None:
            return None
        place = (body["round"], body["table"], body["game"])
        seeds = [game_seed(*known, *place, attempt) for attempt in range(MAX_GAME_ATTEMPTS)]
        return seeds.index(body["seed"]) if body["seed"] in seeds else None

    def _compare_match(self, entry: Entry) -> Iterator[Finding]:
        body = entry.body
        rows = self.store.evidence.seats(body["match"])
        if not rows:
            yield Finding(Fault.STORED, entry.seq, f"match {body['match']} is not stored")
            return
        pool, _, software = body["engine"].rpartition("@")
        forfeits = [seat for seat, row in enumerate(rows) if row[10] != Ending.COMPLETED]
        pairs = {
            "place in the schedule": (list(rows[0][:4]), [body[name] for name in SCHEDULE_PLACE]),
            "seed": (int(rows[0][4]), body["seed"]),
            "attempt": (rows[0][11], self._attempt(body)),
            "software": (rows[0][12], software),
            "ending": (rows[0][5], body["ending"]),
            "record digest": (rows[0][6], body["replay"]),
            "seating": ([row[7] for row in rows], body["seating"]),
            "places": ([row[8] for row in rows], body["places"]),
            "scores": ([row[9] for row in rows], body["scores"]),
            "forfeits": (forfeits, body["forfeits"]),
        }
        if pool != body["pool"]:
            message = f"match {body['match']} is of {body['pool']}, and was refereed by {body['engine']}"
            yield Finding(Fault.REPLAY, entry.seq, message)
        for name, (stored, entered) in pairs.items():
            if stored != entered:
                message = f"match {body['match']}: {name} stored as {stored}, entered as {entered}"
                yield Finding(Fault.STORED, entry.seq, message)


def _no_fit(closed: Entry, pool: str) -> Finding:
    return Finding(Fault.FIT, closed.seq, f"{closed.key} was closed, and no fit of {pool} follows")


def _no_tournament(entry: Entry) -> Finding:
    return Finding(Fault.PAIRING, entry.seq, f"{entry.key} belongs to no tournament before it")


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
    """T13: replay the record of every entered match in fresh processes, and compare it with its entry."""
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
    """Return the fault of a match's record, if any."""
    try:
        body = json.loads(payload)
        match_id = body["match"]
    except UNREADABLE:
        return None  # the audit names an entry that cannot be read
    try:
        text = store.matches.record(match_id)
        fault = await verifier.check(text) or _difference(text, body, store.matches.find(match_id))
    except UserError as error:
        return str(error)
    except UNREADABLE as error:
        fault = f"what is stored of it cannot be read: {error!r}"
    return None if fault is None else f"match {match_id}: {fault}"


def _difference(text: str, body: Body, stored: StoredMatch) -> str | None:
    """Compare a record that replays with the entry of its match, and with stored facts that no entry has."""
    lines = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    header, last = lines[0], lines[-1]
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
    unentered = {
        "reason": (last["result"]["reason"], stored.reason),
        "decisions": (sum(len(line.get("choices", ())) for line in lines), stored.decisions),
    }
    for name, (recorded, row) in unentered.items():
        if recorded != row:
            return f"the record says {name} {recorded}, and {row} is stored"
    return None
