"""Playing a state without bots: one step, or to the end, with a chooser for every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from referee.game import AnyGame, Decision, Seat
from referee.rng import Rng

# A chooser returns one of the options it was given.
Chooser: TypeAlias = Callable[[Decision, Sequence[Any]], Any]


def random_chooser(rng: Rng) -> Chooser:
    """Return a chooser that takes every listed action with equal chance."""

    def choose(_decision: Decision, options: Sequence[Any]) -> Any:
        return options[rng.index(len(options))]

    return choose


def step(game: AnyGame, state: Any, choose: Chooser) -> tuple[dict[Seat, Any], Sequence[Any]]:
    """Answer every open decision once and return the choices with the events that followed."""
    choices = {
        decision.seat: choose(decision, game.legal_actions(state, decision.seat)) for decision in game.pending(state)
    }
    return choices, game.apply_checked(state, choices)


def play(game: AnyGame, state: Any, choose: Chooser) -> Iterator[tuple[Mapping[Seat, Any], Sequence[Any]]]:
    """Play a state to its end, in place, yielding the choices and events of every step."""
    while game.pending(state):
        yield step(game, state, choose)
