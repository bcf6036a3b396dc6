"""Gymnasium: one seat learns, the others are played by given policies; and many such environments in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from arena.lab.spaces import action_space, check_render_mode, observation_space, render
from arena.lab.table import RENDER_MODES, Illegal, Observation, Rewards, Table, rewards_of
from referee.game import Seat
from referee.order import told_id
from referee.policy import BUILT_IN, Policy, Question

Opponents: TypeAlias = Policy | str | Sequence[Policy | str]


def gym_env(
    game: str,
    seats: int | None = None,
    *,
    opponents: Opponents = "random",
    seat: Seat | None = None,
    options: Mapping[str, object] | None = None,
    rewards: Rewards = "places",
    max_steps: int | None = None,
    max_options: int | None = None,
    illegal: Illegal = "default",
    render_mode: str | None = None,
) -> GameEnv:
    """Return a game as a Gymnasium environment for one seat.

    `opponents` is a policy for all other seats, or one for each in seat order: a function of a
    `referee.policy.Question`, or the name of one that is built in (random, greedy). Without a `seat` it is drawn
    for every match. The other arguments are those of `aec_env`; after `max_steps` answers a match is cut off.
    """
    table = Table(game, seats, options, max_options, illegal)
    return GameEnv(table, opponents, seat, rewards, max_steps=max_steps, render_mode=render_mode)


def vector_env(game: str, count: int, *, processes: bool = True, **arguments: Any) -> Any:
    """Return a Gymnasium vector environment of `count` copies of `gym_env`, each in its own process.

    An opponent policy must be importable by other processes. With `processes=False` all are
    played in this process, one after another.
    """
    if count < 1:
        raise ValueError(f"count: {count} is not allowed; expected 1 or more")
    makers = [partial(gym_env, game, **arguments) for _ in range(count)]
    if not processes:
        return SyncVectorEnv(makers)
    return AsyncVectorEnv(makers, context="spawn")  # a fork would copy locks held by other threads


class GameEnv(gymnasium.Env[Observation, int]):
    """A game from one seat's point of view."""

    def __init__(
        self, table: Table, opponents: Opponents, seat: Seat | None, rewards: Rewards,
        *, max_steps: int | None, render_mode: str | None,
    ) -> None:  # fmt: skip
        check_render_mode(render_mode)
        if seat is not None and seat not in range(table.seats):
            raise ValueError(f"seat: {seat!r} is not at this table; expected 0 to {table.seats - 1}, or None for any")
        self.table, self.render_mode = table, render_mode
        self._fixed_seat, self._max_steps = seat, max_steps
        self._opponents = _policies(opponents, table.seats - 1)
        self._rewards_of = rewards_of(rewards)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}
        self.observation_space = observation_space(table.arrays)
        self.action_space = action_space(table.arrays)
        self.seat: Seat = 0 if seat is None else seat
        self._prompts: list[int] = []
        self._match_id = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match and play to this seat's first decision; the seed is the match's."""
        super().reset(seed=seed)
        self.table.reset(seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.table.seats))
        self._begin()
        while self.table.is_over:  # skip a match without a decision for this seat
            self.table.reset(None)
            self._begin()
        return self.table.observe(self.seat), self._info()

    def _begin(self) -> None:
        self._match_id = f"{self.table.game.slug}-{self.table.seed}"
        self._prompts = [0] * self.table.seats
        self._steps = 0
        self._play_others()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer, and play on to this seat's next decision or the end."""
        if self.seat not in self.table.waiting():
            raise ValueError("step: the match is over; call reset")
        is_legal = self.table.answer(self.seat, action)
        self._steps += 1
        self._play_others()
        is_over = self.table.is_over
        is_cut = not is_over and self._max_steps is not None and self._steps >= self._max_steps
        reward = float(self._rewards_of(self.table.outcome())[self.seat]) if is_over else 0.0
        info = self._info() if is_legal else self._info() | {"was_illegal": True}
        return self.table.observe(self.seat), reward, is_over, is_cut, info

    def _play_others(self) -> None:
        """Let the policies answer until this seat is asked."""
        table = self.table
        while (waiting := table.waiting()) and self.seat not in waiting:
            for seat in waiting:
                self._answer(seat)
        # Seats asked together with this one answer first, unseen; the step waits for this seat's own answer.
        for seat in table.waiting():
            if seat != self.seat:
                self._answer(seat)

    def _answer(self, seat: Seat) -> None:
        table, ask = self.table, self.table.asks[seat]
        self._prompts[seat] += 1
        question = Question(
            table.game,
            told_id(table.seed, self._match_id, seat),
            self._prompts[seat],
            seat,
            table.seats,
            ask.decision.kind,
            table.lazy_views,
            ask.options,
        )
        table.answer(seat, self._opponents[seat - (seat > self.seat)](question))

    def _info(self) -> dict[str, Any]:
        told = self.table.info(self.seat) | {"seat": self.seat}
        if self.table.is_over:
            outcome = self.table.outcome()
            told |= {"place": outcome.ranks[self.seat], "scores": np.array(outcome.scores)}
        return told

    def render(self) -> Any:
        """Return the board as this seat sees it; None without a `render_mode`."""
        return render(self.table, self.seat, self.render_mode)


def _policies(opponents: Opponents, count: int) -> list[Policy]:
    given = [opponents] * count if callable(opponents) or isinstance(opponents, str) else list(opponents)
    if len(given) != count:
        raise ValueError(f"opponents: got {len(given)}; expected one for all, or {count}")
    for each in given:
        if isinstance(each, str) and each not in BUILT_IN:
            raise ValueError(f"opponents: {each!r} is unknown; expected a function or one of: {', '.join(BUILT_IN)}")
    return [BUILT_IN[each] if isinstance(each, str) else each for each in given]
