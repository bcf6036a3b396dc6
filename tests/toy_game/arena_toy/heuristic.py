"""Toy, greedily: bid high for a prize above the average and low for one below, and veto only the former."""

from __future__ import annotations

from collections.abc import Sequence

from arena_toy.game import Action, Bid, Spend, State

from referee.heuristic import Heuristic

AVERAGE_PRIZE = 5.5
HAND = 0.1  # what a point on a card in hand is worth


def rate(state: State, seat: int, options: Sequence[Action]) -> list[float]:
    """Return how good every option looks for the prize that is turned up."""
    return [rating(option, state.prizes[-1]) for option in options]


def rating(option: Action, prize: int) -> float:
    """Return how well an option fits a prize."""
    match option:
        case Bid(card):
            return card * (prize - AVERAGE_PRIZE)
        case Spend():
            return prize - AVERAGE_PRIZE
        case _:
            return 0.0


def worths(state: State) -> list[float]:
    """Return the points of every seat, with a little for the cards in hand."""
    return [points + HAND * sum(hand) for points, hand in zip(state.points, state.hands, strict=True)]


HEURISTIC = Heuristic(rate, worths)
