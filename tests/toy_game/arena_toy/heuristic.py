"""Toy, greedily: bid high for a prize above the average and low for one below, and veto only the former."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from arena_toy.game import Action, Bid, Spend, State

from referee.heuristic import Heuristic, Weight, filled_in

WEIGHTS = {
    "average_prize": Weight(5.5, 1.0, 10.0),
    "hand": Weight(0.1, 0.01, 1.0),  # what a point on a card in hand is worth
}


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants by name."""

    average_prize: float
    hand: float


DEFAULTS = Weights(**filled_in(WEIGHTS, {}))


def rate(state: State, seat: int, options: Sequence[Action], weights: Weights = DEFAULTS) -> list[float]:
    """Return how good every option looks for the prize that is turned up."""
    return [rating(option, state.prizes[-1] - weights.average_prize) for option in options]


def rating(option: Action, excess: float) -> float:
    """Return how well an option fits a prize that is so much above the average."""
    match option:
        case Bid(card):
            return card * excess
        case Spend():
            return excess
        case _:
            return 0.0


def worths(state: State, weights: Weights = DEFAULTS) -> list[float]:
    """Return the points of every seat, with a little for the cards in hand."""
    return [points + weights.hand * sum(hand) for points, hand in zip(state.points, state.hands, strict=True)]


def weighted(values: Mapping[str, float]) -> Heuristic:
    """Return the heuristic with other weights."""
    own = Weights(**filled_in(WEIGHTS, values))
    return Heuristic(
        partial(rate, weights=own), partial(worths, weights=own), weights=WEIGHTS, weighted=weighted, own_weights=own
    )


HEURISTIC = weighted({})
