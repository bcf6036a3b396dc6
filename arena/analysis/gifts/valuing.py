"""T21.1 to T21.3: the decisions of a record, each with what its options would have been worth to every seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.analysis.moments import ASKED
from arena.analysis.playing_on import ahead
from referee.game import AnyGame, Seat
from referee.heuristic import Heuristic, liked
from referee.mistakes import UserError
from referee.order import Ending
from referee.record import Record, RecordError, read, replay
from referee.rng import Rng, seeded

BEST = 3
"""Slots by rating; the one after them is drawn from all other options."""
OTHER = BEST
SLOTS = BEST + 1
CHOSEN = SLOTS
"""The place of the chosen option in a row of values, behind the slots."""
MILLIONTHS = 1_000_000
STEPS_TO_COME = 60
CLOSE = 0.2
"""T21.4: the best two options are close within this share of the lead of the game's scale."""

Values = NDArray[np.int32]
"""By slot and seat, in millionths; the chosen option last."""


@dataclass(frozen=True, slots=True)
class ValuedMatch:
    """All decisions of a match with a choice, as columns of equal length."""

    game: str
    bots: tuple[str, ...]
    steps: NDArray[np.int32]
    seats: NDArray[np.int8]
    kinds: tuple[str, ...]
    close: NDArray[np.bool_]
    taken: NDArray[np.int8]
    """The slot of the chosen option."""
    exists: NDArray[np.bool_]
    """By decision and slot."""
    values: Values
    """By decision, slot and seat."""


@dataclass(frozen=True, slots=True)
class ValuedDecision:
    """One decision with a choice."""

    step: int
    seat: Seat
    kind: str
    is_close: bool
    taken: int
    options: tuple[Any, ...]
    """By slot, None where there is none, and the chosen one last."""
    values: Values


def value_match(text: str) -> ValuedMatch:
    """T21.1: value all decisions of a record; a UserError says why it cannot be done."""
    try:
        record = read(text)
        if record.result["ending"] == Ending.VOIDED:
            raise UserError("the match is void")
        found = list(decisions_of(record))
    except RecordError as error:
        raise UserError(f"the record is refused: {error}") from None
    return ValuedMatch(
        game=record.game.slug,
        bots=tuple(record.header["bots"]),
        steps=np.array([each.step for each in found], np.int32),
        seats=np.array([each.seat for each in found], np.int8),
        kinds=tuple(each.kind for each in found),
        close=np.array([each.is_close for each in found], np.bool_),
        taken=np.array([each.taken for each in found], np.int8),
        exists=np.array([[o is not None for o in each.options[:SLOTS]] for each in found], np.bool_).reshape(-1, SLOTS),
        values=np.array([each.values for each in found], np.int32).reshape(-1, SLOTS + 1, record.seats),
    )


def has_values(game: AnyGame) -> bool:
    """T21.1: return whether the decisions of a game can be valued."""
    return game.heuristic() is not None


def decisions_of(record: Record) -> Iterator[ValuedDecision]:
    """T21.2: replay a record and value every decision of a bot that was asked and had a choice."""
    game = record.game
    heuristic = game.heuristic()
    if heuristic is None:
        raise UserError(f"{game.slug} has no heuristic, by which decisions could be valued")
    rng = seeded(int(record.result_digest, 16))
    made = [{choice.seat: choice.action for choice in step.choices} for step in record.steps]
    before = game.new(record.seats, record.header["seed"], record.options)
    for number, (step, after, _events) in enumerate(replay(record)):
        for decision, choice in zip(game.pending(before), step.choices, strict=True):
            if choice.how not in ASKED:
                continue
            options = game.legal_actions(before, choice.seat)
            if len(options) < 2 and choice.action in options:
                continue
            dice = rng.fork(f"other {step.number} {choice.seat}")
            slots, taken, is_close = slots_of(game, heuristic, before, choice.seat, options, choice.action, dice)
            later = made[number + 1 :]
            rows = [
                [0] * record.seats if option is None else _values(
                    game, heuristic, before, {**made[number], choice.seat: option}, choice.seat,
                    later if option == choice.action else (),
                )
                for option in slots
            ]  # fmt: skip
            rows.append(rows[slots.index(choice.action)] if choice.action in slots else _values(
                game, heuristic, before, made[number], choice.seat, later
            ))  # fmt: skip
            options_shown = (*slots, choice.action)
            yield ValuedDecision(
                step.number, choice.seat, decision.kind, is_close, taken, options_shown, np.array(rows, np.int32)
            )
        before = game.clone(after)


def slots_of(
    game: AnyGame, heuristic: Heuristic, state: Any, seat: Seat, options: Sequence[Any], chosen: Any, dice: Rng
) -> tuple[list[Any], int, bool]:
    """T21.2, T21.4: return the option of every slot, the slot that was taken, and whether the best two are close."""
    ratings = heuristic.rate(state, seat, options)
    order = liked(ratings)
    best = [options[place] for place in order[:BEST]]
    is_close = len(best) > 1 and ratings[order[0]] - ratings[order[1]] <= CLOSE * game.scale.lead
    others = [option for place, option in enumerate(options) if place not in order[:BEST]]
    slots = best + [None] * (BEST - len(best))
    slots.append(others[dice.index(len(others))] if others else chosen if chosen not in best else None)
    return slots, best.index(chosen) if chosen in best else OTHER, is_close


def _values(
    game: AnyGame,
    heuristic: Heuristic,
    before: Any,
    choices: Mapping[Seat, Any],
    seat: Seat,
    later: Sequence[Mapping[Seat, Any]],
) -> list[int]:
    """T21.2: what an option is worth to every seat, in millionths."""
    after = settled(game, heuristic, before, choices, seat, later)
    lead = sqrt(game.scale.lead**2 + STEPS_TO_COME * game.scale.drift)
    return [round(MILLIONTHS * share) for share in ahead(heuristic.worths(after), lead)]


def settled(
    game: AnyGame,
    heuristic: Heuristic,
    before: Any,
    choices: Mapping[Seat, Any],
    seat: Seat,
    later: Sequence[Mapping[Seat, Any]],
) -> Any:
    """T21.3: the position that a choice comes to: the state after it, unless the game says otherwise."""
    if heuristic.settle is not None:
        return heuristic.settle(before, choices, seat, later)
    after = game.clone(before)
    game.apply_checked(after, choices)
    return after
