"""Rollouts: a state played on by the game's tuned heuristic with noise, or at random, and the result in points."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from enum import IntEnum
from math import exp, sqrt
from typing import Any, TypeAlias

from referee.game import AnyGame, Outcome, Seat, best_rated, can_imagine
from referee.heuristic import NOISE, Heuristic, Scale
from referee.rng import Rng

HUNDREDTHS = 10_000
"""Values are whole hundredths of a point, so that sums are the same on every machine."""
PLAIN = Scale()
"""Random play goes on to the end, and places alone count."""


class Sight(IntEnum):
    """How far a rollout goes before it is cut and the heuristic rates the position; an index of `Scale.sights`."""

    SHORT = 0
    LONG = 1
    FAR = 2


class RandomPolicy:
    """Takes every listed action with equal chance, and evaluates only finished matches."""

    def __init__(self, game: AnyGame, lead: float | None = None) -> None:
        """Without a scale of leads only places count."""
        self.game, self.scale, self.lead = game, PLAIN, lead

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return any action."""
        options = self.game.legal_actions(state, seat)
        return options[dice.index(len(options))]

    def rated(self, state: Any, steps_left: int) -> list[int]:
        """Return the share of opponents beaten, half of it by leads where their scale is known."""
        outcome = self.game.outcome(state)
        if outcome is None:
            raise AssertionError("random play goes on to the end")
        if self.lead is not None:
            return at_the_end(outcome, self.lead)
        return [round(HUNDREDTHS * share) for share in beaten(outcome.ranks)]


class NoisyPolicy:
    """Plays by a heuristic, mostly the best move, sometimes the second or third."""

    def __init__(self, game: AnyGame, heuristic: Heuristic) -> None:
        self.game, self.heuristic, self.scale = game, heuristic, game.scale
        self.of_seats = [heuristic] * game.table_sizes[-1]

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return the action that the heuristic rates best, or by noise one of the next."""
        return best_rated(self.game, self.heuristic, state, seat, dice, noisy=True)

    def shares(self, count: int) -> tuple[float, ...]:
        """Return how often each of the best `count` options is taken; the share of missing ones goes to the last."""
        return tuple(sum(min(noise, count - 1) == place for noise in NOISE) / len(NOISE) for place in range(count))

    def rated(self, state: Any, steps_left: int) -> list[int]:
        """Return places and leads at the end, otherwise the heuristic's estimate of the leads."""
        outcome = self.game.outcome(state)
        if outcome is None:
            lead = sqrt(self.scale.lead**2 + self.scale.drift * steps_left)
            return [round(HUNDREDTHS * share) for share in ahead(self.heuristic.worths(state), lead)]
        return at_the_end(outcome, self.scale.lead)


RolloutPolicy: TypeAlias = NoisyPolicy | RandomPolicy
"""Plays for every seat of a world, and evaluates the result."""


def policy_for(game: AnyGame, seats: int) -> RolloutPolicy:
    """Return a game's rollout policy: the heuristic tuned for a table size, or random play.

    Random play is for games that have no heuristic or cannot determinize.
    """
    return _policy(game, game.tuned_heuristic(seats))


def default_policy_for(game: AnyGame, _seats: int) -> RolloutPolicy:
    """Return the same by the heuristic as it is, to compare the judges."""
    return _policy(game, game.heuristic())


def _policy(game: AnyGame, heuristic: Heuristic | None) -> RolloutPolicy:
    return RandomPolicy(game) if heuristic is None or not can_imagine(game) else NoisyPolicy(game, heuristic)


def at_the_end(outcome: Outcome, lead: float) -> list[int]:
    """Return the value of a match's end for every seat in hundredths: half by places, half by leads."""
    leads = ahead(outcome.scores, lead)
    return [round(HUNDREDTHS * (share + each) / 2) for share, each in zip(beaten(outcome.ranks), leads, strict=True)]


def beaten(places: Sequence[int]) -> list[float]:
    """Return for every seat the share of opponents that it has beaten, half of one for a tie."""
    others = max(1, len(places) - 1)
    order = sorted(places)
    return [(len(order) - bisect(order, place) + 0.5 * (places.count(place) - 1)) / others for place in places]


def ahead(worths: Sequence[float], lead: float) -> list[float]:
    """Return for every seat the share of opponents that its lead is likely to beat."""
    others, shares = max(1, len(worths) - 1), []
    for seat, worth in enumerate(worths):
        total = 0.0
        for at, other in enumerate(worths):
            if at != seat:
                total += squash((worth - other) / lead)
        shares.append(total / others)
    return shares


def squash(lead: float) -> float:
    """Return a lead as a chance: 0 is even, 1 is three quarters."""
    return 1 / (1 + exp(-lead if -30.0 < lead < 30.0 else -30.0 if lead > 0 else 30.0))


def dice_for(seats: int, dice: Rng) -> tuple[Rng, ...]:
    """Return a stream of dice for every seat: if one plays differently, the noise of the others stays the same."""
    return tuple(dice.fork(f"seat {seat}") for seat in range(seats))


def play_on(game: AnyGame, policy: RolloutPolicy, state: Any, dice: Sequence[Rng], horizon: int) -> None:
    """Play a state on in place for up to `horizon` steps, or to its end; the dice of the seats stay as they were."""
    streams = [each.clone() for each in dice]
    if isinstance(policy, NoisyPolicy):
        game.playout_by_heuristics(state, streams, policy.of_seats, horizon, noisy=True)
    else:
        game.playout_by_seat(state, streams, horizon)
