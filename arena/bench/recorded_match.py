"""Matches played and recorded in this process, without bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from math import inf
from typing import Any, TypeAlias

from arena.bots.policies import find_policy, load_policy
from referee.game import AnyGame, Decision
from referee.games import GAMES
from referee.order import Ending, MatchOrder, MatchResult
from referee.policy import LazyViews, Question
from referee.record import Choice, How, Recorder
from referee.rng import seeded
from referee.wire import wire_for

Chooser: TypeAlias = Callable[[Any, Decision, Sequence[Any]], int]
"""Returns the index of an option, from the state, the decision and its options."""


def random_chooser(seed: int) -> Chooser:
    """Return a chooser that takes every option with equal chance."""
    rng = seeded(seed)
    return lambda _state, _decision, options: rng.index(len(options))


def bot_chooser(game: AnyGame, seats: int, match_id: str, name: str, *arguments: str) -> Chooser:
    """Return a chooser that asks a sample bot, loaded as for `arena simulate`, with these arguments of its command."""
    policy = load_policy(replace(find_policy(name), arguments=arguments))
    prompts = count(1)

    def choose(state: Any, decision: Decision, options: Sequence[Any]) -> int:
        seat = decision.seat
        lazy_views = LazyViews(game, state)
        return policy(Question(game, match_id, next(prompts), seat, seats, decision.kind, lazy_views, options))

    return choose


def record_match(order: MatchOrder, choose: Chooser, max_steps: float = inf) -> MatchResult:
    """Play a match and record it; one cut short after `max_steps` is voided."""
    game, seats = GAMES[order.game], len(order.seats)
    options = game.options(order.options)
    state = game.new(seats, order.seed, options)
    recorder = Recorder(order, game, options, game.digest(state), wire_for(game).action_json)
    made: list[Choice] = []
    while (pending := game.pending(state)) and recorder.step < max_steps:
        choices = []
        for decision in pending:
            listed = game.legal_actions(state, decision.seat)
            is_forced = len(listed) == 1 and not decision.open_ended
            action = listed[choose(state, decision, listed)]  # a forced one too: records stay the same
            choices.append(Choice(decision.seat, action, How.FORCED if is_forced else How.ANSWERED))
        game.apply_checked(state, {choice.seat: choice.action for choice in choices})
        recorder.add(choices, game.digest(state))
        made += choices
    outcome = game.outcome(state)
    ending = Ending.VOIDED if outcome is None else Ending.COMPLETED
    reason, ranks, scores = (
        ("cut short, to be read", (), ()) if outcome is None else (outcome.reason, outcome.ranks, outcome.scores)
    )
    result = {
        "ending": ending, "reason": reason, "ranks": list(ranks), "scores": list(scores),
        "seat_endings": [ending] * seats, "forfeited_at": [None] * seats,
    }  # fmt: skip
    asked = sum(choice.how is How.ANSWERED for choice in made)
    return MatchResult(
        order.match_id, ending, reason, tuple(ranks), tuple(scores), (ending,) * seats, len(made), asked,
        recorder.finish(result), digest=recorder.digest,
    )  # fmt: skip
