"""Matches without a wire: seats are policies that see their view and their options, as a bot does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from referee.game import AnyGame, Outcome
from referee.rng import Rng

Policy: TypeAlias = Callable[[Any, Sequence[Any], int], int]  # view, options, seat -> index


def at_random(rng: Rng) -> Policy:
    """Return a policy that takes every option with equal chance."""
    return lambda _view, options, _seat: rng.index(len(options))


def play_match(
    game: AnyGame, policies: Sequence[Policy], seed: int, options: Mapping[str, object] | None = None
) -> Outcome:
    """Play one match; forced moves are not asked, as on the wire."""
    state = game.new(len(policies), seed, game.options(options or {}))
    while decisions := game.pending(state):
        choices = {}
        for decision in decisions:
            listed = game.legal_actions(state, decision.seat)
            index = 0
            if len(listed) > 1:
                view = game.observe(state, decision.seat)
                index = policies[decision.seat](view, listed, decision.seat)
            choices[decision.seat] = listed[index]
        game.apply(state, choices)
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome
