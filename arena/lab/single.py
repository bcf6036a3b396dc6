"""Gymnasium: one seat learns, the others are played by given policies; and many such environments in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from numpy.typing import NDArray

from arena.lab.pictures import check_render_mode, render
from arena.lab.spaces import action_space, observation_space
from arena.lab.table import RENDER_MODES, Illegal, Rewards, Table, rewards_of
from referee.game import MAX_OPTIONS, Seat
from referee.order import told_id
from referee.policy import BUILT_IN, Policy, PolicyError, Question

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
    flat: bool = False,
    render_mode: str | None = None,
) -> GameEnv:
    """Return a game as a Gymnasium environment for one seat.

    `opponents` is a policy for all other seats, or one for each in seat order: a function of a
    `referee.policy.Question`, such as those of `arena.bots.opponents`, or the name of one that is built in (random,
    greedy). Without a `seat` it is drawn for every match. The other arguments are those of `aec_env`; after
    `max_steps` answers a match is cut off. With `flat` an observation is a vector, and `info` has its `action_mask`.
    An illegal answer plays the safe default unless `illegal` is `raise`, since Gymnasium lets a learner give any action
    of the space; after every step `info` says whether the answer `was_illegal`.
    """
    table = Table(game, seats, options, max_options, illegal, flat=flat)
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


class GameEnv(gymnasium.Env[Any, int]):
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
        space = observation_space(table)
        self.observation_space = space["observation"] if table.is_flat else space
        self.action_space = action_space(table)
        self.seat: Seat = 0 if seat is None else seat
        # Every `info` has the same keys, since some libraries make arrays of them.
        self._blank: dict[str, Any] = {
            "decision": "", "clause": "", "open_ended": False, "options_left_out": 0, "was_illegal": False,
            "place": 0,
        }  # fmt: skip
        self._prompts: list[int] = []
        self._match_id = ""
        self._told_ids: list[str] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match and play to this seat's first decision; the seed is the match's."""
        super().reset(seed=seed)
        self.table.reset(seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.table.seats))
        self._begin()
        while self.table.is_over:  # skip a match without a decision for this seat
            self.table.reset(None)
            self._begin()
        return self._told()

    def _begin(self) -> None:
        self._match_id = f"{self.table.game.slug}-{self.table.seed}"
        self._told_ids = [told_id(self.table.seed, self._match_id, seat) for seat in range(self.table.seats)]
        self._prompts = [0] * self.table.seats
        self._steps = 0
        self._play_others()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer, and play on to this seat's next decision or the end."""
        if self.seat not in self.table.waiting():
            raise ValueError("step: the match is over; call reset")
        is_legal = self.table.answer(self.seat, action)
        self._steps += 1
        self._play_others()
        is_over = self.table.is_over
        is_cut = not is_over and self._max_steps is not None and self._steps >= self._max_steps
        reward = float(self._rewards_of(self.table.outcome())[self.seat]) if is_over else 0.0
        observation, info = self._told()
        info["was_illegal"] = not is_legal
        return observation, reward, is_over, is_cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, as MaskablePPO asks for it; none once the match is over."""
        return self.table.mask(self.seat)

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
        options = ask.options if len(ask.options) <= MAX_OPTIONS else ask.options[:MAX_OPTIONS]
        question = Question(
            table.game,
            self._told_ids[seat],
            self._prompts[seat],
            seat,
            table.seats,
            ask.decision.kind,
            table.lazy_views,
            options,
        )
        index = self._opponents[seat - (seat > self.seat)](question)
        if not 0 <= index < len(options):
            raise PolicyError(f"the policy of seat {seat}: it answered {index}; expected 0 to {len(options) - 1}")
        table.choose(seat, index)

    def _told(self) -> tuple[Any, dict[str, Any]]:
        """Return this seat's observation and facts."""
        observation, info = self.table.observe(self.seat), self._info()
        if not self.table.is_flat:
            return observation, info
        return observation["observation"], info | {"action_mask": observation["action_mask"]}

    def _info(self) -> dict[str, Any]:
        told = self._blank | self.table.info(self.seat)
        told |= {"seat": self.seat, "scores": np.zeros(self.table.seats, dtype=np.int64)}
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
            known = ", ".join(BUILT_IN)
            raise ValueError(
                f"opponents: {each!r} is unknown; expected one of: {known}, or a function, such as"
                f" arena.bots.opponents.opponent({each!r})"
            )
    return [BUILT_IN[each] if isinstance(each, str) else each for each in given]
