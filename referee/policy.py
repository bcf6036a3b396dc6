"""Policies: in-process bots, plain functions from a question to the index of an option.

    def choose(question: Question) -> int:
        return 0

A policy is asked the same questions as a bot, in the same order and with the same ids of match and prompt, so that it
plays in-process as it does over the wire. Forced moves are not asked, and a view is made when it is read.
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


class ViewGoneError(Exception):
    """A policy read the view of a question after the match had gone on."""


class LazyViews:
    """A match as its questions see it: a view is made when a policy reads it."""

    __slots__ = ("_game", "_state", "step")

    def __init__(self, game: AnyGame, state: Any) -> None:
        self._game, self._state = game, state
        self.step = 0
        """The number of times that the state has changed."""

    def view(self, seat: Seat, step: int) -> Any:
        """Return what the seat may know at a step, which must be the present one."""
        if step != self.step:
            raise ViewGoneError("the match has gone on; read question.view before you answer")
        return self._game.observe(self._state, seat)


class Question:
    """One decision as a policy sees it; the options are in the order of the rule page.

    `view` is made when it is first read: a policy that ignores it does not pay for it. It must be read before the
    answer, and can be kept.
    """

    __slots__ = (
        "_lazy_views", "_step", "_view", "deadline", "game", "kind", "match_id", "options", "prompt_id", "seat",
        "seats", "time_left",
    )  # fmt: skip

    def __init__(
        self, game: AnyGame, match_id: str, prompt_id: int, seat: Seat, seats: int, kind: str, view: Any,
        options: Sequence[Any], deadline: float = inf, time_left: float = inf,
    ) -> None:  # fmt: skip
        self.game = game
        self.match_id = match_id  # T2.7: as the seat is told it
        self.prompt_id = prompt_id  # counted by seat, from 1
        self.seat = seat
        self.seats = seats
        self.kind = kind
        self.options = options
        self.deadline = deadline  # seconds that this answer may take
        self.time_left = time_left  # seconds in the bank
        if type(view) is LazyViews:
            self._lazy_views: LazyViews | None = view
            self._step = view.step
        else:
            self._lazy_views, self._view = None, view

    @property
    def view(self) -> Any:
        """Return what the seat may know."""
        if self._lazy_views is not None:
            self._view = self._lazy_views.view(self.seat, self._step)
            self._lazy_views = None
        return self._view


Policy: TypeAlias = Callable[[Question], int]


_dice: dict[tuple[str, Seat], Callable[[int], int]] = {}


def at_random(question: Question) -> int:
    """Choose any option, as the starter bot in Python does: by dice of the match and the seat."""
    key = (question.match_id, question.seat)
    if question.prompt_id == 1 or key not in _dice:
        if len(_dice) >= MAX_DICE:
            _dice.clear()
        _dice[key] = random.Random(f"{question.match_id}/{question.seat}").randrange
    return _dice[key](len(question.options))


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
    lazy_views, prompts, decisions = LazyViews(game, state), [0] * seats, 0
    pending, legal_actions, apply = game.pending, game.legal_actions, game.apply_checked
    while open_decisions := pending(state):
        choices = {}
        for decision in open_decisions:
            seat = decision.seat
            offered = legal_actions(state, seat)
            count = len(offered)
            if count == 1 and not decision.open_ended:
                choices[seat] = offered[0]
                continue
            prompts[seat] += 1
            if count > MAX_OPTIONS:
                offered, count = offered[:MAX_OPTIONS], MAX_OPTIONS
            question = Question(game, told_ids[seat], prompts[seat], seat, seats, decision.kind, lazy_views, offered)
            try:
                index = policies[seat](question)
                is_option = 0 <= index < count
            except Exception as error:
                raise _failed(question, names, f"{type(error).__name__}: {error}") from error
            if not is_option:
                raise _failed(question, names, f"it answered {index}; expected 0 to {count - 1}")
            choices[seat] = offered[index]
        decisions += len(choices)
        apply(state, choices)
        lazy_views.step += 1
    outcome = game.outcome(state)
    assert outcome is not None  # no decision is open
    return InProcessMatch(outcome, decisions, sum(prompts), game.digest(state))


def _failed(question: Question, names: Sequence[str], reason: str) -> PolicyError:
    who = names[question.seat] if names else f"the policy of seat {question.seat}"
    return PolicyError(f"{who}: match {question.match_id[:12]}, seat {question.seat}, {question.kind}: {reason}")
