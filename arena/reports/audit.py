"""T13: the arena's part of the audit: rounds drawn again, stored results compared, records replayed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import trio

from arena.bots.label import name_of
from arena.plan.ending import BUDGET, DEADLINE, TOO_FEW, why_it_ends, words_between
from arena.plan.rounds import EntrantChange, History, add_round, round_metrics
from arena.plan.schedules import SCHEDULES, Schedule
from arena.plan.seeding import MAX_GAME_ATTEMPTS, Seeding, game_seed, table_seeds
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing, lot_scores
from arena.plan.test_plan import seeding_of_test
from arena.plan.tournament_file import check_author_limit
from arena.play.verifier import Verifier, open_verifier
from arena.store.database import Store
from arena.store.evidence import UNREADABLE
from arena.store.rows import RoundState, StoredMatch, StoredRound
from arena.store.tests import settings_of_test
from arena.store.tournaments import paired
from ratings.ledger.audit import Fault, Finding
from ratings.ledger.chain import Body, Entry, Kind, key_of
from ratings.ledger.entry_bodies import RoundTable, terms_digest
from ratings.ledger.fit_gaps import FitGaps
from ratings.ledger.secret_seed import awaited_sources, commitment, secret_seed
from ratings.points.points import UNIT
from ratings.sequential.claims import ClaimWord, is_decided
from referee.codec import codec_for
from referee.mistakes import UserError
from referee.order import Ending, TimeControl, find_rules

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
    has_lots: bool = False
    """T4.4: a round of it was drawn by lot."""

    @property
    def schedule(self) -> Schedule:
        return SCHEDULES[self.settings.format]

    def draw(self, scores: Mapping[str, int], *, by_lot: bool) -> Pairing | None:
        """T6: draw the next round again from earlier results and its entered scores."""
        self.history.catch_up(self.changes)
        draw = self.schedule.draw_by_lot if by_lot else self.schedule.draw
        return draw(self.settings, self.history, scores)

    def is_by_lot(self) -> bool:
        """T4.4: return whether the next round is drawn by lot."""
        self.history.catch_up(self.changes)
        return self.schedule.is_by_lot(self.settings, self.history)

    def lots(self) -> dict[str, int]:
        """T4.4: return the lots of the next round."""
        number = len(self.history.rounds) + 1
        bots = self.schedule.seeded(self.settings, self.history)
        return lot_scores(bots, UNIT, seed=self.settings.seed, round_number=number)

    def metrics(self, drawn: Pairing) -> dict[str, int]:
        """T7: return the pairing metrics including the drawn round, as its entry has them."""
        number = len(self.history.rounds) + 1
        is_rating = self.schedule.is_rating(self.settings, number)
        preferred = self.settings.game_in(number).sizes.preferred
        return round_metrics(self.history, drawn, preferred, self.settings.house_bots, is_rating=is_rating)

    def close(self, seq: int) -> None:
        if self.drawn is not None:
            drawn = replace(self.drawn, closed_by=seq)
            self.closed.append((drawn, self.matches))
            self._add(drawn, self.matches)
        self.drawn, self.matches = None, []

    def _add(self, drawn: StoredRound, matches: Sequence[StoredMatch]) -> None:
        self.history.catch_up(self.changes)
        preferred = self.settings.game_in(drawn.number).sizes.preferred
        add_round(self.history, drawn, matches, self.settings.house_bots, preferred)

    def make_void(self, entry: Entry) -> None:
        """T13.5: leave a match out of all later draws."""
        self._correct(entry, (), lambda match: replace(match, void_reason=""))

    def change_places(self, entry: Entry) -> None:
        """T13.12, T13.15: base all later draws on the places of a forfeited match, or one with a struck seat."""
        places = tuple(entry.body["places"])

        def change(match: StoredMatch) -> StoredMatch:
            return replace(match, places=places, places_before=match.places_before or match.places)

        self._correct(entry, places, change)

    def _correct(self, entry: Entry, places: tuple[int, ...], change: Callable[[StoredMatch], StoredMatch]) -> None:
        number, match_id = entry.body["round"], entry.body["match"]
        for matches in [self.matches, *(played for drawn, played in self.closed if drawn.number == number)]:
            matches[:] = [
                change(replace(each, changes=(*each.changes, (entry.seq, places)))) if each.id == match_id else each
                for each in matches
            ]
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
        self.orders: dict[str, list[tuple[str, int, int]]] = {}
        """By pool, the bots of the last fit with their ratings."""

    def __call__(self, entry: Entry) -> Iterator[Finding]:
        """Yield the faults of an entry."""
        self.advance()
        try:
            yield from self._examine(entry)
        except UNREADABLE as error:
            yield Finding(Fault.MALFORMED, entry.seq, f"{entry.key} cannot be examined: {error!r}")

    def rest(self) -> Iterator[Finding]:
        """T13.7: yield the fits that are missing once the chain is read, unless a MEND entry replaces them."""
        for (_key, pool), closed in self.gaps.missing.items():
            yield _no_fit(closed, pool)
        for pool, closed in self.gaps.waiting.items():
            if self.store.evidence.is_over(closed.body["tournament"]) and self.store.evidence.has_results(pool):
                yield _no_fit(closed, pool)

    def notes(self) -> Iterator[str]:
        """T13.14: yield the mended fits."""
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
                yield from self._compare_secret(entry)
                settings = TournamentSettings.from_plain(body["settings"], self._seed_of(body))
                self.tournaments[body["tournament"]] = _Tournament(settings, History.begun(settings))
            case Kind.TEST:
                test_id = entry.key.removeprefix("test:")
                self.tests[test_id] = (seeding_of_test(body), test_id)
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
                    redrawn.make_void(entry)
            case Kind.FORFEIT | Kind.STRIKE:
                yield from self._compare_void(entry)
                if redrawn is not None:
                    redrawn.change_places(entry)
            case Kind.CHECKPOINT if redrawn is not None:
                redrawn.close(entry.seq)
            case Kind.FIT:
                self.orders[body["pool"]] = body["ratings"]
            case Kind.END if redrawn is not None:
                yield from self._compare_reason(entry, redrawn)
            case _:
                pass

    def _compare_void(self, entry: Entry) -> Iterator[Finding]:
        """A match that never had a result is stored with the seating it was drawn with."""
        body = entry.body
        rows = self.store.evidence.seats(body["match"])
        if not rows:
            yield Finding(Fault.STORED, entry.seq, f"match {body['match']} is corrected, but not stored")
            return
        place = [body[name] for name in SCHEDULE_PLACE]
        if (list(rows[0][:4]), int(rows[0][4]), [row[7] for row in rows]) != (place, body["seed"], body["seating"]):
            message = f"match {body['match']} is corrected, but stored differently from its entry"
            yield Finding(Fault.STORED, entry.seq, message)

    def _compare_settings(self, entry: Entry, name: str, entered: Mapping[str, Any], what: str) -> Iterator[Finding]:
        stored = self.store.evidence.settings(name)
        if stored is None:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is not stored")
        elif stored != entered:
            yield Finding(Fault.STORED, entry.seq, f"{entry.key} is stored with different {what}")

    def _secret_of(self, tournament: str) -> str | None:
        """T2.8: return the secret of a tournament: opened by its end, or stored as long as it has none."""
        end = self.store.evidence.entry(key_of(Kind.END, tournament=tournament))
        opened: str | None = None if end is None else end.body.get("secret")
        return opened or self.store.evidence.secret(tournament)

    def _compare_secret(self, entry: Entry) -> Iterator[Finding]:
        """T2.8: what is stored as the secret of a tournament is what its entry is committed to."""
        name, committed = entry.body["tournament"], entry.body["settings"].get("commitment")
        stored = self.store.evidence.secret(name)
        if committed != (None if stored is None else commitment(name, stored)):
            yield Finding(Fault.STORED, entry.seq, f"{entry.key}: the stored secret is not the one committed to")

    def _seed_of(self, body: Body) -> int | None:
        """T2.8, T2.9: return the seed that a tournament is committed to; None if it was given or is not settled."""
        name, awaited = body["tournament"], awaited_sources(body["settings"])
        secret = self._secret_of(name) if "commitment" in body["settings"] else None
        given = self.store.tournaments.nonces(name) if awaited else {}
        if secret is None or set(awaited) - given.keys():
            return None
        return secret_seed(secret, [given[source] for source in awaited])

    def _compare_reason(self, entry: Entry, tournament: _Tournament) -> Iterator[Finding]:
        """T10.8, T16.3: the reason of an end follows from the rounds before it, times of day aside."""
        settings, history, said = tournament.settings, tournament.history, entry.body["reason"]
        history.catch_up(tournament.changes)
        over = tournament.schedule.is_over(settings, history)
        words = self._neighbours(settings, history)
        if over:
            wanted = {over}
        elif said == TOO_FEW:
            seeded = dict.fromkeys(tournament.schedule.seeded(settings, history), 0)
            wanted = {said} if tournament.draw(seeded, by_lot=tournament.is_by_lot()) is None else set()
        elif words is None:
            return  # neighbours of equal rating stand in either order
        else:
            causes = [BUDGET] if self._is_near_budget(settings, history) else []
            causes += [""] if is_decided(words) else DEADLINE.findall(said)
            wanted = {why_it_ends(settings, words, cause) for cause in causes}
        if said not in wanted:
            follows = " or ".join(sorted(wanted)) or "that it goes on"
            yield Finding(Fault.END, entry.seq, f"{entry.key} says {said!r}; by its rounds: {follows}")

    def _neighbours(self, settings: TournamentSettings, history: History) -> tuple[ClaimWord, ...] | None:
        """T16.3: return the claims between neighbours of the last fits; None where two have the same rating."""
        orders = {}
        for pool in {game.pool for game in settings.games} & self.orders.keys():
            lines = self.orders[pool]
            if len({rating for _, rating, _ in lines}) < len(lines):
                return None
            orders[pool] = [bot for bot, _, _ in sorted(lines, key=lambda line: -line[1])]
        return words_between(settings, history, orders)

    @staticmethod
    def _is_near_budget(settings: TournamentSettings, history: History) -> bool:
        """T10.1: return whether another rating round could have been beyond the budget; each bot plays k games."""
        most = settings.game_in(len(history.rounds) + 1).sizes.most
        return history.matches + most * len(history.entrants) > settings.match_budget

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
        tournament.close(entry.seq)
        yield from self._compare_lots(entry, tournament)
        drawn = tournament.draw(body["scores"], by_lot="lots" in body)
        self.drawn += 1
        if body["scores"].keys() != set(tournament.schedule.seeded(tournament.settings, tournament.history)):
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} has scores of other bots than it is drawn from")
        tables = [] if drawn is None else [(table.number, list(table.bots)) for table in drawn.tables]
        byes = [] if drawn is None else list(drawn.byes)
        said = [(table["table"], table["seats"]) for table in body["tables"]]
        if (tables, byes) != (said, body["byes"]):
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} does not follow from the results before it")
        elif drawn is not None and body["metrics"] != tournament.metrics(drawn):
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} does not have the metrics of its rounds")
        yield from self._compare_seeds(entry, tournament.settings.seeding_in(number), tournament.settings.seed)
        try:
            check_author_limit(tournament.history.present_authors, tournament.settings.bots_per_author)
        except UserError as error:
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key}: {error}")
        is_rating = tournament.schedule.is_rating(tournament.settings, number)
        game = tournament.settings.game_in(number).slug
        tournament.drawn = paired(number, game, is_rating, body, RoundState.PAIRED, 0.0)

    def _compare_lots(self, entry: Entry, tournament: _Tournament) -> Iterator[Finding]:
        """T4.4: a round says that it was drawn by lot where one is due, and its integers are those of the seed.

        Release 0.1.0 drew none; once a tournament has drawn lots, it goes on.
        """
        body, is_said = entry.body, entry.body.get("lots", False) is True
        if "lots" in body and not is_said:
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} says something else of lots than true")
        if tournament.is_by_lot():
            if is_said and body["scores"] != tournament.lots():
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} has other lots than its tournament's seed gives")
            elif not is_said and tournament.has_lots:
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} is not drawn by lot, as it had to be")
        elif is_said:
            yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} is drawn by lot, which was not due")
        tournament.has_lots = tournament.has_lots or is_said

    def _compare_seeds(self, entry: Entry, seeding: Seeding, seed: int | str) -> Iterator[Finding]:
        """T2.4, T19.7: the seeds of a round follow from that of its tournament, or from the id of its test."""
        for table in entry.body["tables"]:
            seeds = table_seeds(seeding, seed, entry.body["round"], table["table"], table["games"])
            if list(RoundTable.of(table).seeds) != list(seeds):
                message = f"{entry.key}: the seeds of table {table['table']} do not follow from the tournament's seed"
                yield Finding(Fault.PAIRING, entry.seq, message)

    def _change(self, entry: Entry) -> Iterator[Finding]:
        """T10.3, T10.4: a bot joins or leaves between two rounds, from the next one on."""
        body, is_entry = entry.body, entry.kind is Kind.ENTER
        tournament = self.tournaments.get(body["tournament"])
        if tournament is None:
            yield _no_tournament(entry)
        elif self.with_pairings:
            name = name_of(body["bot"])
            if is_entry and not tournament.schedule.is_open:
                form = tournament.settings.format
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key}: nobody joins a {form}")
            if is_entry and name in tournament.kept_out:
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key}: {name} is disqualified")
            if entry.kind is Kind.DISQUALIFY:
                tournament.kept_out.add(name)
            drawn = tournament.drawn.number if tournament.drawn is not None else len(tournament.closed)
            if body["round"] != drawn + 1:
                yield Finding(Fault.PAIRING, entry.seq, f"{entry.key} is out of place: round {drawn + 1} is next")
            tournament.changes.append(EntrantChange(body["round"], body["bot"], is_entry, body.get("author")))

    def _compare_seed(self, entry: Entry) -> Iterator[Finding]:
        """T2.4, T2.5: every game had the seed of its place, at its first or second attempt."""
        body = entry.body
        if self._seeding_and_seed(body) is not None and self._attempt(body) is None:
            message = f"match {body['match']} has the seed {body['seed']}, which does not follow from its place"
            yield Finding(Fault.PAIRING, entry.seq, message)

    def _seeding_and_seed(self, body: Body) -> tuple[Seeding, int | str] | None:
        """T2.4, T2.10, T19.7: return the source of the seed of a match of a tournament or test; None if unknown."""
        tournament = body["tournament"]
        if tournament in self.tests:
            return self.tests[tournament]
        begun = self.tournaments.get(tournament)
        return None if begun is None else (begun.settings.seeding_in(body["round"]), begun.settings.seed)

    def _attempt(self, body: Body) -> int | None:
        """T10.6: return the attempt of a match by its seed; None if no attempt has it."""
        known = self._seeding_and_seed(body)
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
            message = f"match {body['match']} is of {body['pool']}, but was refereed by {body['engine']}"
            yield Finding(Fault.REPLAY, entry.seq, message)
        for name, (stored, entered) in pairs.items():
            if stored != entered:
                message = f"match {body['match']}: {name} stored as {stored}, entered as {entered}"
                yield Finding(Fault.STORED, entry.seq, message)


def _no_fit(closed: Entry, pool: str) -> Finding:
    return Finding(Fault.FIT, closed.seq, f"{closed.key} was closed, but no fit of {pool} follows")


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


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of replaying records."""

    findings: list[Finding]
    signed: Mapping[tuple[str, str], int]
    """T22.9: the number of choices that a key has signed for a bot, by bot and key; only of records without a fault."""


async def replay_records(store: Store, processes: int, advance: Callable[[], None]) -> Replayed:
    """T13: replay the record of every entered match in fresh processes, and compare it with its entry."""
    findings: list[Finding] = []
    signed: Counter[tuple[str, str]] = Counter()
    entered = store.evidence.entered()

    terms = cache(partial(_terms_of, store))

    async def work(verifier: Verifier) -> None:
        for seq, payload in entered:
            fault = await _record_fault(store, payload, verifier, terms, signed)
            if fault is not None:
                findings.append(Finding(Fault.RECORD, seq, fault))
            advance()

    with closing(entered):  # before the database, even when interrupted
        async with open_verifier(processes) as verifier, trio.open_nursery() as nursery:
            for _ in range(processes):
                nursery.start_soon(work, verifier)
    return Replayed(sorted(findings, key=lambda finding: finding.seq or 0), dict(sorted(signed.items())))


@dataclass(frozen=True, slots=True)
class _Terms:
    """T13.16: what a tournament or test says of its matches, and their records repeat."""

    digest: str
    time_control: Mapping[str, int]
    options: Mapping[str, Any]
    """By pool."""


def _terms_of(store: Store, tournament: str) -> _Terms | None:
    """Return the terms of a tournament or test by its entry; None without one, which is named elsewhere."""
    if (entry := store.evidence.entry(f"tournament:{tournament}")) is not None:
        settings = TournamentSettings.from_plain(entry.body["settings"])
        options = {game.pool: game.options for game in settings.games}
        return _Terms(terms_digest(entry.body), settings.time_control.to_plain(), options)
    if (entry := store.evidence.entry(f"test:{tournament}")) is not None:
        settings_of_games = entry.body["settings"]
        time_control = TimeControl.from_plain(settings_of_games["time_control"]).to_plain()
        return _Terms(tournament, time_control, {entry.body["pool"]: settings_of_games["options"]})
    return None


async def _record_fault(
    store: Store,
    payload: str,
    verifier: Verifier,
    terms: Callable[[str], _Terms | None],
    signed: Counter[tuple[str, str]],
) -> str | None:
    """Return the fault of a match's record, if any; without one, count the choices that it has signatures of."""
    try:
        body = json.loads(payload)
        match_id = body["match"]
    except UNREADABLE:
        return None  # the audit names an entry that cannot be read
    try:
        text = store.matches.record(match_id)
        fault = await verifier.check(text)
        if fault is None:
            lines = [json.loads(line) for line in text.rstrip("\n").split("\n")]
            keys = [_key_of(store, label) for label in body["seating"]]
            fault = _difference(lines, body, store.matches.find(match_id), terms(body["tournament"]), keys)
        if fault is None:
            signed.update((body["seating"][seat], keys[seat]) for _, seat, *_ in lines[-1].get("signatures", ()))
    except UserError as error:
        return str(error)
    except UNREADABLE as error:
        fault = f"its stored rows cannot be read: {error!r}"
    return None if fault is None else f"match {match_id}: {fault}"


def _key_of(store: Store, label: str) -> str:
    """T22.9: return the public key that a bot was entered with; its version is a hash of it (`_version_faults`)."""
    version = store.bots.version(label)
    return "" if version is None else str(version.manifest.get("public_key", ""))


def _difference(
    lines: Sequence[Mapping[str, Any]], body: Body, stored: StoredMatch, terms: _Terms | None, keys: Sequence[str]
) -> str | None:
    """Compare a replayed record with the entry of its match, and with stored facts that are in no entry."""
    header, last = lines[0], lines[-1]
    pairs = {
        "match id": (header["match_id"], body["match"]),
        "engine": (f"{header['game']}:{header['rules_version']}@{header['software']}", body["engine"]),
        "bots": (header["bots"], body["seating"]),
        "seed": (header["seed"], body["seed"]),
        "ending": (last["result"]["ending"], body["ending"]),
        "places": (last["result"]["ranks"], body["places"]),
        "scores": (last["result"]["scores"], body["scores"]),
        "forfeits": (_failed_seats(last["result"]), body["forfeits"]),
        "digest": (last["digest"], body["replay"]),
        "keys": (header.get("keys", [""] * len(keys)), list(keys)),
        **({} if terms is None else _bound(header, body, terms)),
    }
    for name, (recorded, entered) in pairs.items():
        if recorded != entered:
            return f"the record says {name} {recorded}, but the entry says {entered}"
    unentered = {
        "reason": (last["result"]["reason"], stored.reason),
        "decisions": (sum(len(line.get("choices", ())) for line in lines), stored.decisions),
    }
    for name, (recorded, row) in unentered.items():
        if recorded != row:
            return f"the record says {name} {recorded}, but {row} is stored"
    return None


def _failed_seats(result: Mapping[str, Any]) -> list[int]:
    return [seat for seat, ending in enumerate(result["seat_endings"]) if ending != Ending.COMPLETED]


def _bound(header: Mapping[str, Any], body: Body, terms: _Terms) -> dict[str, tuple[Any, Any]]:
    """T13.16: pair what a record says of settings and versions with what the entries say."""
    game = find_rules(header["game"], header["rules_version"])
    options = codec_for(game).options.to_plain(game.options(terms.options[body["pool"]]))
    pairs = {
        "time control": (header["time_control"], terms.time_control),
        "options": (header["options"], options),
    }
    if "told_ids" in header:  # what version 0.1.0 wrote says no more
        pairs |= {
            "settings": (header.get("terms"), terms.digest),
            "versions": (header.get("versions"), body["bot_hashes"]),
        }
    return pairs
