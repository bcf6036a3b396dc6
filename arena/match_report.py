"""A stored match told to the people behind its bots: what happened, what it cost, what was asked and answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from arena.store import Store, StoredMatch
from ratings.book import match_key, rate_key, void_key
from ratings.chain import find
from referee.codec import codec_for
from referee.game import Decision, Seat
from referee.order import OrderError
from referee.record import How, Record, RecordError, read, replay

ASKED = (How.ANSWERED, How.LATE, How.REFUSED)
"""How choices come about that a bot was asked for."""


@dataclass(frozen=True, slots=True)
class SeatReport:
    """One seat of a match: how it ended, what it did to the bot's Elo, and where its time went."""

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
    """How often its choices came about in which way."""
    own_ms: float
    longest_ms: float
    stall_ms: float
    transport_ms: float


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Everything that is known of a match, its record aside."""

    match: StoredMatch
    tournament: str
    sandbox: str
    stored_at: str
    decisions: int
    asked: int
    ledger: str
    """What the ledger says of it: rated, void with the reason, or nothing yet."""
    header: dict[str, Any]
    """The record's header without its seed and seals; empty if the record cannot be read."""
    steps: int
    record_fault: str | None
    seats: tuple[SeatReport, ...]


def load_record(store: Store, match: StoredMatch) -> Record:
    """Return the record of a match with its seals checked; an OrderError says why it is refused."""
    try:
        return read(store.record_text(match.id))
    except RecordError as error:
        raise OrderError(f"match {match.id[:12]}: the record is refused: {error}") from None


def report(store: Store, match: StoredMatch) -> MatchReport:
    """Gather what the store, the ledger and the record say of a match; a broken record is a finding, not an end."""
    tournament, sandbox, stored_at, decisions, asked = store.read(
        "SELECT tournament, sandbox, stored_at, decisions, asked FROM match WHERE id = ?", match.id
    )[0]
    record, fault = None, None
    try:
        record = load_record(store, match)
    except OrderError as error:
        fault = str(error)
    header = (
        {}
        if record is None
        else {key: value for key, value in record.header.items() if key not in ("seed", "digest", "seal")}
    )
    seats = tuple(_seat(store, match, seat, record) for seat in range(len(match.seating)))
    steps = 0 if record is None else len(record.steps)
    return MatchReport(
        match, tournament, sandbox, stored_at, decisions, asked, _ledger(store, match.id), header, steps, fault, seats
    )


def _ledger(store: Store, match_id: str) -> str:
    void = find(store.connection, void_key(match_id))
    if void is not None:
        return f"void: {void.body['reason']}"
    posted = find(store.connection, match_key(match_id))
    return "not entered yet" if posted is None else f"rated, entry {posted.seq}"


def _seat(store: Store, match: StoredMatch, seat: int, record: Record | None) -> SeatReport:
    rated = find(store.connection, rate_key(match.id, match.seating[seat]))
    choices = (
        [] if record is None else [choice for step in record.steps for choice in step.choices if choice.seat == seat]
    )
    times = [choice.times_us for choice in choices]
    forfeited_at = None if record is None else record.result["forfeited_at"][seat]
    return SeatReport(
        seat=seat,
        bot=match.seating[seat],
        place=match.places[seat] if match.places else None,
        score=match.scores[seat] if match.scores else None,
        ending=match.seat_endings[seat],
        forfeited_at=forfeited_at,
        elo_change=None if rated is None else rated.body["delta"] / 1000,
        elo_after=None if rated is None else rated.body["after"] / 1000,
        decisions=dict(Counter(choice.how.value for choice in choices)),
        own_ms=sum(own for own, _, _ in times) / 1000,
        longest_ms=max((own for own, _, _ in times), default=0) / 1000,
        stall_ms=sum(stall for _, stall, _ in times) / 1000,
        transport_ms=sum(transport for _, _, transport in times) / 1000,
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """One choice of a seat with what the seat saw before it."""

    step: int
    seat: int
    prompt: int | None
    """The number of the prompt, counted by seat; None for a choice the bot was not asked for."""
    kind: str
    clause: str
    options: int
    """How many actions were listed."""
    how: str
    action: Any
    text: str
    own_us: int
    stall_us: int
    transport_us: int
    view: Any


def asked(record: Record, seats: Collection[Seat]) -> Iterator[Asked]:
    """Replay a record and yield every choice of the seats given; a RecordError names a step that does not hold."""
    game, to_plain = record.game, codec_for(record.game).action.to_plain
    prompts: Counter[int] = Counter()
    state = game.new(record.seats, record.header["seed"], record.options)
    # What a seat saw is taken down before the step is played: the state that `replay` yields lives on.
    seen = _seen(record, state, seats)
    for step, state_after, _ in replay(record):
        for choice in step.choices:
            if choice.seat in seen:
                decision, options, view = seen[choice.seat]
                is_asked = choice.how in ASKED
                prompts[choice.seat] += is_asked
                own_us, stall_us, transport_us = choice.times_us
                yield Asked(
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
                    view=view,
                )
        seen = _seen(record, state_after, seats)


def _seen(record: Record, state: Any, seats: Collection[Seat]) -> dict[Seat, tuple[Decision, int, Any]]:
    game, to_plain = record.game, codec_for(record.game).view.to_plain
    return {
        decision.seat: (
            decision,
            len(game.legal_actions(state, decision.seat)),
            to_plain(game.observe(state, decision.seat)),
        )
        for decision in game.pending(state)
        if decision.seat in seats
    }


def outputs(store: Store, match: StoredMatch) -> dict[Seat, str]:
    """Return what was kept of the bots' output, by seat."""
    return dict(store.read("SELECT seat, output FROM bot_output WHERE match = ? ORDER BY seat", match.id))
