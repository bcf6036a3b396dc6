"""Policies: in-process bots, plain functions from a question to the index of an option.

    def choose(question: Question) -> int:
        return 0

A policy is asked the same questions as a bot, in the same order and with the same ids of match and prompt, so that it
plays in-process as it does over the wire. Forced moves are not asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

from referee.game import MAX_OPTIONS, AnyGame, Outcome, Seat, can_imagine
from referee.order import told_id
from referee.rng import Rng

MAX_DICE = 1_000  # seats whose dice the random policy keeps


class PolicyError(Exception):
    """A policy failed, or its answer was not an option; the message says which, where and why."""


@dataclass(frozen=True, slots=True)
class Question:
    """One decision as a policy sees it; the options are in the order of the rule page."""

    game: AnyGame
    match_id: str  # T2.7: as the seat is told it
    prompt_id: int  # counted by seat, from 1
    seat: Seat
    seats: int
    kind: str
    view: Any
    options: Sequence[Any]
    deadline: float = inf  # seconds that this answer may take
    time_left: float = inf  # seconds in the bank


Policy: TypeAlias = Callable[[Question], int]


_dice: dict[tuple[str, Seat], random.Random] = {}


def at_random(question: Question) -> int:
    """Choose any option, as the starter bot in Python does: by dice of the match and the seat."""
    key = (question.match_id, question.seat)
    if question.prompt_id == 1 or key not in _dice:
        if len(_dice) >= MAX_DICE:
            _dice.clear()
        _dice[key] = random.Random(f"{question.match_id}/{question.seat}")
    return _dice[key].randrange(len(question.options))


def greedily(question: Question) -> int:
    """Choose by the game's heuristic, as the sample bot `greedy` does; the first option without one."""
    heuristic = question.game.heuristic()
    if heuristic is None or not can_imagine(question.game):
        return 0
    state = question.game.imagine(question.view, question.seat, Rng(0))
    ratings = heuristic.rate(state, question.seat, question.options)
    return ratings.index(max(ratings))


BUILT_IN = {"random": at_random, "greedy": greedily}


@dataclass(frozen=True, slots=True)
class InProcessMatch:
    """A match that was played in-process."""

    outcome: Outcome
    decisions: int  # forced ones included
    asked: int
    digest: str  # of the last state


def play_match(
    game: AnyGame, policies: Sequence[Policy], seed: int, options: Any, match_id: str, names: Sequence[str] = ()
) -> InProcessMatch:
    """Play a match with a policy for every seat, as a referee would; a PolicyError names the seat that failed."""
    seats = len(policies)
    told_ids = [told_id(seed, match_id, seat) for seat in range(seats)]
    state, _ = game.begin(seats, seed, options)
    apply, prompts, decisions = game.apply_checked, [0] * seats, 0
    while pending := game.pending(state):
        choices = {}
        for decision in pending:
            seat, listed = decision.seat, game.legal_actions(state, decision.seat)
            if len(listed) == 1 and not decision.open_ended:
                choices[seat] = listed[0]
                continue
            prompts[seat] += 1
            offered = listed if len(listed) <= MAX_OPTIONS else listed[:MAX_OPTIONS]
            view = game.observe(state, seat)
            question = Question(game, told_ids[seat], prompts[seat], seat, seats, decision.kind, view, offered)
            try:
                index = policies[seat](question)
                is_option = 0 <= index < len(offered)
            except Exception as error:
                raise _failed(question, names, f"{type(error).__name__}: {error}") from error
            if not is_option:
                raise _failed(question, names, f"it answered {index}; expected 0 to {len(offered) - 1}")
            choices[seat] = offered[index]
        decisions += len(choices)
        apply(state, choices)
    outcome = game.outcome(state)
    assert outcome is not None  # no decision is open
    return InProcessMatch(outcome, decisions, sum(prompts), game.digest(state))


def _failed(question: Question, names: Sequence[str], reason: str) -> PolicyError:
    who = names[question.seat] if names else f"the policy of seat {question.seat}"
    return PolicyError(f"{who}: match {question.match_id[:12]}, seat {question.seat}, {question.kind}: {reason}")
