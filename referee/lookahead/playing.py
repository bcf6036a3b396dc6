"""Playing worlds on by a policy, and rating the positions reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from referee.game import AnyGame, Outcome, Seat
from referee.rng import Rng
from referee.search.worth import by_lead, by_place

MAX_RATED = 64  # of more options a sample of this size is rated by a greedy seat, and of fewer if the game says so

Choose: TypeAlias = Callable[[Any, Seat, Rng], Any]
"""Returns what a seat chooses in a state."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The value of a position to every seat, from 0 to 1, with its outcome or, before the end, its worths."""

    values: tuple[float, ...]
    outcome: Outcome | None
    worths: tuple[float, ...]


class Rules:
    """The rules of one game, with its heuristic."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.heuristic = game.heuristic()
        self.max_rated = min(MAX_RATED, game.scale.max_rated)
        self._apply = game.apply_checked  # every choice is listed or was checked

    def at_random(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Choose any listed option."""
        options = self.game.legal_actions(state, seat)
        return options[dice.index(len(options))]

    def greedily(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Choose the option that the heuristic rates best; any option without one."""
        options = self.game.legal_actions(state, seat)
        if len(options) == 1:
            return options[0]
        if self.heuristic is None:
            return options[dice.index(len(options))]
        if len(options) > self.max_rated:
            options = [options[dice.index(len(options))] for _ in range(self.max_rated)]
        ratings = self.heuristic.rate(state, seat, options)
        return options[ratings.index(max(ratings))]

    def move(self, state: Any, chosen: Mapping[Seat, Any], others: Choose, dice: Rng) -> None:
        """Carry out the given choices, and choices for the other seats asked."""
        choices = {
            decision.seat: chosen[decision.seat] if decision.seat in chosen else others(state, decision.seat, dice)
            for decision in self.game.pending(state)
        }
        self._apply(state, choices)

    def play_on(self, state: Any, choose: Choose, horizon: int, dice: Rng) -> None:
        """Play a state on, in place, for `horizon` steps or, if it is 0, to the end."""
        pending, apply = self.game.pending, self._apply
        steps = 0
        while decisions := pending(state):
            apply(state, {decision.seat: choose(state, decision.seat, dice) for decision in decisions})
            steps += 1
            if steps == horizon:
                return

    def rate(self, state: Any, seats: int) -> Rating:
        """Return the value of a position to every seat."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Rating(tuple(by_place(outcome.ranks)), outcome, ())
        if self.heuristic is None:
            return Rating((0.5,) * seats, None, ())
        worths = self.heuristic.worths(state)
        return Rating(tuple(by_lead(worths, self.game.scale.lead)), None, tuple(worths))

    def ratings(self, state: Any, seat: Seat, options: Sequence[Any]) -> Sequence[float]:
        """Return how good options look to a seat; nothing without a heuristic."""
        return () if self.heuristic is None else self.heuristic.rate(state, seat, options)
