"""The moments of a record: every decision of a bot with a choice, and the state before it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from arena.analysis.judgement import Phase
from arena.analysis.playing_on import NoisyPolicy, RolloutPolicy
from referee.game import AnyGame, Decision, Seat
from referee.heuristic import liked
from referee.record import How, Record, replay
from referee.rng import Rng

BREADTH = 3
"""Options tried beside the one chosen, the best by the heuristic."""
ASKED = (How.ANSWERED, How.LATE, How.REFUSED)
"""How the choices of bots that were asked were made."""


@dataclass(frozen=True, slots=True)
class JudgedMoment:
    """One decision of a record with a choice."""

    step: int
    decision: Decision
    phase: Phase
    how: How
    before: Any
    """The state in which it was made; do not modify it."""
    choices: dict[Seat, Any]
    """Of all seats that were asked together."""
    options: tuple[Any, ...]
    """The options tried; the first is the one chosen."""
    usual: tuple[float, ...]
    """How often usual play would have taken each of them."""
    listed: int
    """The number of legal options."""

    @property
    def seat(self) -> Seat:
        """The deciding seat."""
        return self.decision.seat


@dataclass(frozen=True, slots=True)
class JudgedCourse:
    """A match from set-up to end: the states after every step, and the moments of the requested seats."""

    states: tuple[Any, ...]
    moments: tuple[JudgedMoment, ...]


def course_of(record: Record, policy: RolloutPolicy, seats: Collection[Seat], rng: Rng) -> JudgedCourse:
    """Replay a record; a RecordError names a bad step."""
    game = record.game
    state = game.new(record.seats, record.header["seed"], record.options)
    states, moments = [game.clone(state)], []
    for step, after, _events in replay(record):
        before = states[-1]
        choices = {choice.seat: choice.action for choice in step.choices}
        for decision, choice in zip(game.pending(before), step.choices, strict=True):
            if choice.seat in seats and choice.how in ASKED:
                options = game.legal_actions(before, choice.seat)
                if len(options) > 1 or choice.action not in options:
                    tried, usual = _tried(game, policy, before, choice.seat, options, choice.action, rng, step.number)
                    if len(tried) < 2:
                        continue  # the heuristic has no alternative either
                    phase = tuple(Phase)[3 * (step.number - 1) // len(record.steps)]
                    count = len(options)
                    moments.append(
                        JudgedMoment(step.number, decision, phase, choice.how, before, choices, tried, usual, count)
                    )
        states.append(game.clone(after))
    return JudgedCourse(tuple(states), tuple(moments))


def _tried(
    game: AnyGame,
    policy: RolloutPolicy,
    state: Any,
    seat: Seat,
    options: Sequence[Any],
    chosen: Any,
    rng: Rng,
    step: int,
) -> tuple[tuple[Any, ...], tuple[float, ...]]:
    """Return the option chosen and its alternatives, and how often usual play takes each."""
    if isinstance(policy, NoisyPolicy):
        world = game.imagine(game.observe(state, seat), seat, rng.fork(f"ratings {step} {seat}"))
        best = [options[index] for index in liked(policy.heuristic.rate(world, seat, options))[:BREADTH]]
        takes = policy.shares(len(best))
    else:
        rest = list(options)
        rng.fork(f"options {step} {seat}").shuffle(rest)
        best = rest[:BREADTH]
        takes = (1 / len(best),) * len(best)
    tried = [chosen, *(option for option in best if option != chosen)]
    usual = [0.0] * len(tried)
    for option, often in zip(best, takes, strict=True):
        usual[tried.index(option)] += often
    return tuple(tried), tuple(usual)
