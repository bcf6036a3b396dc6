"""Reports on a stored match for the authors of its bots: results, times, prompts and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from arena.analysis.moments import ASKED
from arena.store.database import Store
from arena.store.rows import StoredMatch
from ratings.ledger.chain import Kind, key_of
from referee.codec import codec_for
from referee.game import Decision, Seat
from referee.mistakes import UserError
from referee.order import Ending
from referee.record import Record, RecordError, read, replay, without_comments


@dataclass(frozen=True, slots=True)
class SeatReport:
    """One seat of a match: its ending, Elo change and times."""

    seat: int
    bot: str
    place: int | None
    score: int | None
    ending: str
    forfeited_at: int | None
    """The step in which it forfeited."""
    elo_change: float | None
    elo_after: float | None
    decisions: dict[str, int]
    """Its choices, counted by how they came about."""
    own_ms: float
    longest_ms: float
    stall_ms: float
    transport_ms: float


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Everything known about a match except the steps of its record."""

    match: StoredMatch
    tournament: str
    sandbox: str
    played_on: str
    """The arena, or a cluster worker with its calibration."""
    stored_at: str
    decisions: int
    asked: int
    ledger: str
    """Its state in the ledger: rated, void with the reason, or not entered yet."""
    header: dict[str, Any]
    """The record's header without its seed and seals; empty if the record cannot be read."""
    steps: int
    record_fault: str | None
    seats: tuple[SeatReport, ...]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """One seat by the store and the ledger."""

    bot: str
    place: int | None
    score: int | None
    ending: str
    elo_change: float | None
    elo_after: float | None
    output: str | None
    """The kept output of the bot, for readers who may see it."""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A match by the store and the ledger, without its record, as a server sends it."""

    match: str
    tournament: str
    round: int
    table: int
    game_number: int
    attempt: int
    game: str
    seed: str
    ending: str
    reason: str
    was_made_void: bool
    """T13: by an organiser, after it had entered the ledger."""
    record_digest: str
    sandbox: str
    stored_at: str
    decisions: int
    asked: int
    ledger: str
    seats: tuple[SeatFacts, ...]
    void_reason: str | None
    """T13: why it does not count; None if it does."""
    forfeit_note: str | None
    """T13.12: who was made to forfeit it later, and why; None if nobody was."""
    worker: str | None
    """The cluster worker that played it; None for the arena."""
    calibration: int | None
    strike_note: str | None
    """T13.15: whose seats were struck from it since, and why; None if nobody's."""

    def stored(self) -> StoredMatch:
        """Return the stored match."""
        has_result = self.ending != Ending.VOIDED
        return StoredMatch(
            id=self.match, tournament=self.tournament, round=self.round, table=self.table,
            game_number=self.game_number, attempt=self.attempt, game=self.game, seed=int(self.seed),
            seating=tuple(seat.bot for seat in self.seats),
            ending=Ending(self.ending), reason=self.reason,
            places=tuple(seat.place or 0 for seat in self.seats) if has_result else (),
            scores=tuple(seat.score or 0 for seat in self.seats) if has_result else (),
            seat_endings=tuple(Ending(seat.ending) for seat in self.seats),
            record_digest=self.record_digest, decisions=self.decisions, asked=self.asked, sandbox=self.sandbox,
            stored_at=self.stored_at, void_reason=self.void_reason, forfeit_note=self.forfeit_note,
            strike_note=self.strike_note,
        )  # fmt: skip


def facts_of(store: Store, match: StoredMatch) -> MatchFacts:
    """Gather the facts of a match from the store and the ledger."""
    kept = store.matches.outputs(match.id)
    played = store.workers.played_on(match.id)
    seats = []
    for seat, bot in enumerate(match.seating):
        rated = store.evidence.entry(key_of(Kind.RATE, match=match.id, bot=bot))
        seats.append(
            SeatFacts(
                bot=bot,
                place=match.shown_places[seat],
                score=match.scores[seat] if match.scores else None,
                ending=match.seat_endings[seat],
                elo_change=None if rated is None else rated.body["delta"] / 1000,
                elo_after=None if rated is None else rated.body["after"] / 1000,
                output=kept.get(seat),
            )
        )
    return MatchFacts(
        match=match.id, tournament=match.tournament, round=match.round, table=match.table,
        game_number=match.game_number, attempt=match.attempt, game=match.game, seed=str(match.seed),
        ending=match.ending, reason=match.reason, was_made_void=match.was_made_void, void_reason=match.void_reason,
        forfeit_note=match.forfeit_note, strike_note=match.strike_note,
        record_digest=match.record_digest, sandbox=match.sandbox, stored_at=match.stored_at,
        decisions=match.decisions, asked=match.asked, ledger=_ledger(store, match.id), seats=tuple(seats),
        worker=None if played is None else played.worker, calibration=None if played is None else played.calibration,
    )  # fmt: skip


def read_record(match_id: str, text: str) -> Record:
    """Return the record of a match with its seals checked; a UserError says why it is refused."""
    try:
        return read(text)
    except RecordError as error:
        raise UserError(f"match {match_id[:12]}: the record is refused: {error}") from None


def load_record(store: Store, match: StoredMatch) -> Record:
    """Return the record of a stored match with its seals checked; a UserError says why it is refused."""
    return read_record(match.id, store.matches.record(match.id))


def readable_record(store: Store, match: StoredMatch) -> Record:
    """Return the record of a stored match for the public, with comments once the round is closed."""
    record = load_record(store, match)
    return record if store.matches.is_settled(match) else without_comments(record)


def report(store: Store, match: StoredMatch) -> MatchReport:
    """Report on a match from the store, the ledger and the record; a broken record is a finding."""
    return report_of(facts_of(store, match), lambda: load_record(store, match))


def report_of(facts: MatchFacts, load: Callable[[], Record]) -> MatchReport:
    """Combine the facts of a match with its record."""
    record, header, fault = None, {}, None
    try:
        record = load()
        header = {key: value for key, value in record.header.items() if key not in ("seed", "digest", "seal")}
    except UserError as error:
        fault = str(error)
    return MatchReport(
        match=facts.stored(), tournament=facts.tournament, sandbox=facts.sandbox, stored_at=facts.stored_at,
        played_on=_played_on(facts), decisions=facts.decisions, asked=facts.asked, ledger=facts.ledger, header=header,
        steps=0 if record is None else len(record.steps), record_fault=fault,
        seats=tuple(_seat(seat, each, record) for seat, each in enumerate(facts.seats)),
    )  # fmt: skip


def _played_on(facts: MatchFacts) -> str:
    if facts.worker is None:
        return "the arena"
    return facts.worker if facts.calibration is None else f"{facts.worker}, calibration {facts.calibration:,}"


def _ledger(store: Store, match_id: str) -> str:
    void = store.evidence.entry(key_of(Kind.VOID, match=match_id))
    if void is not None:
        return f"void: {void.body['reason']}"
    posted = store.evidence.entry(key_of(Kind.MATCH, match=match_id))
    return "not entered yet" if posted is None else f"rated, entry {posted.seq}"


def _seat(seat: int, facts: SeatFacts, record: Record | None) -> SeatReport:
    steps = () if record is None else record.steps
    choices = [choice for step in steps for choice in step.choices if choice.seat == seat]
    own, stall, transport = zip(*(choice.times_us for choice in choices), strict=True) if choices else ((), (), ())
    return SeatReport(
        seat=seat,
        bot=facts.bot,
        place=facts.place,
        score=facts.score,
        ending=facts.ending,
        forfeited_at=None if record is None else record.result["forfeited_at"][seat],
        elo_change=facts.elo_change,
        elo_after=facts.elo_after,
        decisions=dict(Counter(choice.how.value for choice in choices)),
        own_ms=sum(own) / 1000,
        longest_ms=max(own, default=0) / 1000,
        stall_ms=sum(stall) / 1000,
        transport_ms=sum(transport) / 1000,
    )


@dataclass(frozen=True, slots=True)
class ChoiceWithView:
    """One choice of a seat with its view before."""

    step: int
    seat: int
    prompt: int | None
    """The number of the prompt, counted by seat; None if the bot was not asked."""
    kind: str
    clause: str
    options: int
    """The number of listed actions."""
    how: str
    action: Any
    text: str
    own_us: int
    stall_us: int
    transport_us: int
    comment: str
    view: Any


def asked(record: Record, seats: Collection[Seat]) -> Iterator[ChoiceWithView]:
    """Replay a record and yield every choice of some seats; a RecordError names a bad step."""
    game, to_plain = record.game, codec_for(record.game).action.to_plain
    prompts: Counter[int] = Counter()
    state = game.new(record.seats, record.header["seed"], record.options)
    # Views are taken before each step: `replay` changes its state in place.
    seen = _seen(record, state, seats)
    for step, state_after, _ in replay(record):
        for choice in step.choices:
            if choice.seat in seen:
                decision, options, view = seen[choice.seat]
                is_asked = choice.how in ASKED
                prompts[choice.seat] += is_asked
                own_us, stall_us, transport_us = choice.times_us
                yield ChoiceWithView(
                    step=step.number,
                    seat=choice.seat,
                    prompt=prompts[choice.seat] if is_asked else None,
                    kind=decision.kind,
                    clause=decision.clause,
                    options=options,
                    how=choice.how.value,
                    action=to_plain(choice.action),
                    text=game.describe(choice.action),
                    own_us=own_us,
                    stall_us=stall_us,
                    transport_us=transport_us,
                    comment=choice.comment,
                    view=view,
                )
        seen = _seen(record, state_after, seats)


def _seen(record: Record, state: Any, seats: Collection[Seat]) -> dict[Seat, tuple[Decision, int, Any]]:
    game, to_plain = record.game, codec_for(record.game).view.to_plain
    asked_seats = {decision.seat: decision for decision in game.pending(state) if decision.seat in seats}
    return {
        seat: (decision, len(game.legal_actions(state, seat)), to_plain(game.observe(state, seat)))
        for seat, decision in asked_seats.items()
    }
