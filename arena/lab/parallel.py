"""PettingZoo's parallel API: all seats act in every cycle, and seats that are not asked are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from arena.lab.agents import TableAgents
from arena.lab.rendering import render
from arena.lab.table import Illegal, Observation, Rewards, Table

WAIT = 0  # the action of a seat that is not asked


def parallel_env(
    game: str,
    seats: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    rewards: Rewards = "places",
    max_cycles: int | None = None,
    max_options: int | None = None,
    illegal: Illegal = "default",
    render_mode: str | None = None,
) -> GameParallel:
    """Return a game as a PettingZoo parallel environment; the arguments are those of `aec_env`.

    A cycle is one step of the game: all seats that have to decide do so together. The mask of a seat that is not asked
    has a single 1, and its `info` says that it is not `asked`.
    """
    return GameParallel(
        Table(game, seats, options, max_options, illegal), rewards, max_cycles=max_cycles, render_mode=render_mode
    )


class GameParallel(TableAgents, ParallelEnv[str, Observation, int]):
    """A game under PettingZoo's parallel API."""

    def __init__(self, table: Table, rewards: Rewards, *, max_cycles: int | None, render_mode: str | None) -> None:
        self._sit_down(table, rewards, max_cycles, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match; the seed is the match's."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the answers of all seats that were asked."""
        legal = {}
        for seat in self.table.waiting():
            agent = self.possible_agents[seat]
            legal[agent] = self.table.answer(seat, actions.get(agent))
        self._cycles += 1
        is_over = self.table.is_over
        is_cut = not is_over and self._max_cycles is not None and self._cycles >= self._max_cycles
        rewards = self._rewards_of(self.table.outcome()) if is_over else [0.0] * len(self.possible_agents)
        infos = self._infos()
        for agent, is_legal in legal.items():
            if not is_legal:
                infos[agent]["was_illegal"] = True
        answer = (
            self._observations(),
            {agent: float(rewards[self._seats[agent]]) for agent in self.agents},
            dict.fromkeys(self.agents, is_over),
            dict.fromkeys(self.agents, is_cut),
            infos,
        )
        if is_over or is_cut:
            self.agents = []
        return answer

    def _observations(self) -> dict[str, Observation]:
        made = {agent: self.table.observe(self._seats[agent]) for agent in self.agents}
        for observation in made.values():
            if not np.any(observation["action_mask"]):
                observation["action_mask"][WAIT] = 1
        return made

    def _infos(self) -> dict[str, dict[str, Any]]:
        told = {agent: self.table.info(self._seats[agent]) for agent in self.agents}
        return {agent: info | {"asked": bool(info)} for agent, info in told.items()}

    def render(self) -> Any:
        """Return the board as a spectator sees it; None without a `render_mode`."""
        return render(self.table, None, self.render_mode)
