"""Policies: in-process bots, plain functions from a question to the index of an option.

    def choose(question: Question) -> int:
        return 0

A policy is asked the same questions as a bot, in the same order and with the same ids of match and prompt, so that it
plays in-process as it does over the wire. Forced moves are not asked; view and options are made when they are read.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

from referee.game import MAX_OPTIONS, AnyGame, Outcome, Seat, can_imagine, has_codes
from referee.order import told_id
from referee.rng import Rng

MAX_DICE = 1_000  # seats whose dice the random policy keeps
NOT_READ = object()  # in place of a view


class PolicyError(Exception):
    """A policy failed, or its answer was not an option; the message says which, where and why."""


class ViewGoneError(Exception):
    """A policy read the view of a question after the match had gone on."""


class LazyViews:
    """A match as its questions see it: views, options and worlds are made when a policy asks for them."""

    __slots__ = ("_game", "_state", "step")

    def __init__(self, game: AnyGame, state: Any) -> None:
        self._game, self._state = game, state
        self.step = 0
        """The number of times that the state has changed."""

    def _now(self, step: int, what: str) -> Any:
        if step != self.step:
            raise ViewGoneError(f"the match has gone on; {what} before you answer")
        return self._state

    def view(self, seat: Seat, step: int) -> Any:
        """Return what the seat may know at a step, which must be the present one."""
        return self._game.observe(self._now(step, "read question.view"), seat)

    def options(self, seat: Seat, step: int) -> Sequence[Any]:
        """Return what the seat can choose at a step, up to `MAX_OPTIONS`."""
        return self._game.legal_actions(self._now(step, "read question.options"), seat)[:MAX_OPTIONS]

    def imagined(self, seat: Seat, step: int, rng: Rng) -> Any:
        """Return a state that the seat cannot tell from that of a step."""
        return self._game.determinize(self._now(step, "call question.imagine"), seat, rng)


class Question:
    """One decision as a policy sees it; the options are in the order of the rule page.

    `view` and `options` are made when they are first read: a policy that ignores them does not pay for them. They must
    be read before the answer, and can be kept.
    """

    __slots__ = (
        "_lazy_views", "_options", "_step", "_view", "codes", "deadline", "game", "kind", "match_id", "option_count",
        "prompt_id", "seat", "seats", "time_left",
    )  # fmt: skip

    def __init__(
        self, game: AnyGame, match_id: str, prompt_id: int, seat: Seat, seats: int, kind: str, view: Any,
        options: Sequence[Any] | None, deadline: float = inf, time_left: float = inf,
        codes: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        """Without options there are `LazyViews` in place of the view, and the codes of the options."""
        self.game = game
        self.match_id = match_id  # T2.7: as the seat is told it
        self.prompt_id = prompt_id  # counted by seat, from 1
        self.seat = seat
        self.seats = seats
        self.kind = kind
        self.codes = codes  # the options as `Game.codes` numbers them; None where a game lists actions
        self.option_count = len(codes or ()) if options is None else len(options)
        self.deadline = deadline  # seconds that this answer may take
        self.time_left = time_left  # seconds in the bank
        self._options = options
        if type(view) is LazyViews:
            self._lazy_views: LazyViews | None = view
            self._step = view.step
            self._view = NOT_READ
        else:
            self._lazy_views, self._view = None, view

    @property
    def view(self) -> Any:
        """Return what the seat may know."""
        if self._view is NOT_READ:
            assert self._lazy_views is not None  # nothing else leaves it unread
            self._view = self._lazy_views.view(self.seat, self._step)
        return self._view

    @property
    def options(self) -> Sequence[Any]:
        """Return what the seat can choose."""
        if self._options is None:
            assert self._lazy_views is not None  # likewise
            self._options = self._lazy_views.options(self.seat, self._step)
        return self._options

    def imagine(self, rng: Rng) -> Any:
        """Return a state that the seat cannot tell from the real one, as `imagine` of the game makes it of the view."""
        if self._view is NOT_READ and self._lazy_views is not None:
            return self._lazy_views.imagined(self.seat, self._step, rng)
        return self.game.imagine(self._view, self.seat, rng)


Policy: TypeAlias = Callable[[Question], int]


_dice: dict[tuple[str, Seat], Callable[[int], int]] = {}


def at_random(question: Question) -> int:
    """Choose any option, as the starter bot in Python does: by dice of the match and the seat."""
    key = (question.match_id, question.seat)
    if question.prompt_id == 1 or key not in _dice:
        if len(_dice) >= MAX_DICE:
            _dice.clear()
        _dice[key] = random.Random(f"{question.match_id}/{question.seat}").getrandbits
    bits, count = _dice[key], question.option_count
    # What `randrange` of the same dice returns, without its checks.
    width = count.bit_length()
    while (index := bits(width)) >= count:
        pass
    return index


def greedily(question: Question) -> int:
    """Choose by the game's heuristic, as the sample bot `greedy` does; the first option without one."""
    heuristic = question.game.heuristic()
    if heuristic is None or not can_imagine(question.game):
        return 0
    world, codes = question.imagine(Rng(0)), question.codes
    if heuristic.rate_codes is not None and codes is not None and question.game.has_lasting_codes:
        ratings = heuristic.rate_codes(world, question.seat, codes)
    else:
        ratings = heuristic.rate(world, question.seat, question.options)
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
    is_coded = has_codes(game)
    pending, list_options = game.pending, game.codes if is_coded else game.legal_actions
    carry_out: Callable[[Any, dict[Seat, Any]], object] = game.apply_codes if is_coded else game.apply_checked
    while open_decisions := pending(state):
        choices = {}
        for decision in open_decisions:
            seat = decision.seat
            offered: Sequence[Any] = list_options(state, seat)
            count = len(offered)
            if count == 1 and not decision.open_ended:
                choices[seat] = offered[0]
                continue
            prompts[seat] += 1
            if count > MAX_OPTIONS:
                offered, count = offered[:MAX_OPTIONS], MAX_OPTIONS
            question = Question(
                game, told_ids[seat], prompts[seat], seat, seats, decision.kind, lazy_views,
                None if is_coded else offered, inf, inf, offered if is_coded else None,
            )  # fmt: skip
            try:
                index = policies[seat](question)
                is_option = 0 <= index < count
            except Exception as error:
                raise _failed(question, names, f"{type(error).__name__}: {error}") from error
            if not is_option:
                raise _failed(question, names, f"it answered {index}; expected 0 to {count - 1}")
            choices[seat] = offered[index]
        decisions += len(choices)
        carry_out(state, choices)
        lazy_views.step += 1
    outcome = game.outcome(state)
    assert outcome is not None  # no decision is open
    return InProcessMatch(outcome, decisions, sum(prompts), game.digest(state))


def _failed(question: Question, names: Sequence[str], reason: str) -> PolicyError:
    who = names[question.seat] if names else f"the policy of seat {question.seat}"
    return PolicyError(f"{who}: match {question.match_id[:12]}, seat {question.seat}, {question.kind}: {reason}")
