"""Rollouts: a state played on by the game's heuristic with noise, or at random, and the result in points."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from math import exp, sqrt
from typing import Any, TypeAlias

from referee.game import AnyGame, Outcome, Seat, can_imagine
from referee.heuristic import NOISE, Heuristic, Scale, liked
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
    """Plays by the heuristic, mostly the best move, sometimes the second or third."""

    def __init__(self, game: AnyGame, heuristic: Heuristic) -> None:
        self.game, self.heuristic, self.scale = game, heuristic, game.scale

    def pick(self, state: Any, seat: Seat, dice: Rng) -> Any:
        """Return the action that the heuristic rates best, or by noise one of the next."""
        options = self.game.legal_actions(state, seat)
        if len(options) == 1:
            return options[0]
        if len(options) > self.scale.max_rated:
            options = [options[dice.index(len(options))] for _ in range(self.scale.max_rated)]
        ratings = self.heuristic.rate(state, seat, options)
        below = NOISE[dice.index(len(NOISE))]
        if not below:
            return options[ratings.index(max(ratings))]
        order = liked(ratings)
        return options[order[min(below, len(order) - 1)]]

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


def policy_for(game: AnyGame) -> RolloutPolicy:
    """Return a game's rollout policy: its heuristic, or random play where it has none or cannot determinize."""
    heuristic = game.heuristic()
    return RandomPolicy(game) if heuristic is None or not can_imagine(game) else NoisyPolicy(game, heuristic)


def at_the_end(outcome: Outcome, lead: float) -> list[int]:
    """Return the value of a match's end for every seat in hundredths: half by places, half by leads."""
    leads = ahead(outcome.scores, lead)
    return [round(HUNDREDTHS * (share + each) / 2) for share, each in zip(beaten(outcome.ranks), leads, strict=True)]


def beaten(places: Sequence[int]) -> list[float]:
    """Return for every seat the share of opponents that it has beaten, half of one for a tie."""
    return [
        (sum(other > place for other in places) + 0.5 * (places.count(place) - 1)) / max(1, len(places) - 1)
        for place in places
    ]


def ahead(worths: Sequence[float], lead: float) -> list[float]:
    """Return for every seat the share of opponents that its lead is likely to beat."""
    return [
        sum(squash((worth - other) / lead) for at, other in enumerate(worths) if at != seat) / max(1, len(worths) - 1)
        for seat, worth in enumerate(worths)
    ]


def squash(lead: float) -> float:
    """Return a lead as a chance: 0 is even, 1 is three quarters."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, lead))))


def play_on(game: AnyGame, policy: RolloutPolicy, state: Any, dice: Rng, horizon: int) -> None:
    """Play a state on in place for up to `horizon` steps, or to its end.

    Every seat has its own dice: if one plays differently, the noise of the others stays the same.
    """
    apply = game.apply_checked
    streams: dict[Seat, Rng] = {}
    for _ in range(horizon):
        decisions = game.pending(state)
        if not decisions:
            return
        choices = {}
        for decision in decisions:
            seat = decision.seat
            if seat not in streams:
                streams[seat] = dice.fork(f"seat {seat}")
            choices[seat] = policy.pick(state, seat, streams[seat])
        apply(state, choices)
