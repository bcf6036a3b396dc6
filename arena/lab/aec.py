"""PettingZoo's AEC API: every seat is asked when it has to decide, one after another.

Seats that decide at the same time are asked one after another too, but nothing happens before the last of them has
answered: no observation reveals another seat's choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv

from arena.lab.agents import TableAgents
from arena.lab.rendering import render
from arena.lab.table import Illegal, Observation, Rewards, Table


def aec_env(
    game: str,
    seats: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    rewards: Rewards = "places",
    max_cycles: int | None = None,
    max_options: int | None = None,
    illegal: Illegal = "raise",
    render_mode: str | None = None,
) -> GameAEC:
    """Return a game as a PettingZoo AEC environment.

    `seats` is the game's preferred number unless given, `options` are those of `arena games`. `rewards` come at the
    end: by `places` (1 for the first to -1 for the last, ties share), by `score`, or by a function of the outcome.
    After `max_cycles` decisions a match is cut off. `max_options` limits the number of option rows; `illegal` says
    how an answer outside the mask is treated: as an error, or as the safe default of the rules.
    """
    return GameAEC(
        Table(game, seats, options, max_options, illegal), rewards, max_cycles=max_cycles, render_mode=render_mode
    )


class GameAEC(TableAgents, AECEnv[str, Observation, int]):
    """A game under PettingZoo's AEC API."""

    def __init__(self, table: Table, rewards: Rewards, *, max_cycles: int | None, render_mode: str | None) -> None:
        super().__init__()
        self._sit_down(table, rewards, max_cycles, render_mode)
        self.metadata["is_parallelizable"] = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the seed is the match's, as in `arena play` and records."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._cycles = 0
        self._next()

    def _next(self) -> None:
        """Select the seat that has to answer next, if the match goes on."""
        if self.table.is_over:
            rewards = self._rewards_of(self.table.outcome())
            self.rewards = {agent: float(rewards[seat]) for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        if self._max_cycles is not None and self._cycles >= self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.table.waiting()[0]]
        self.infos[self.agent_selection] = self.table.info(self._seats[self.agent_selection])

    def observe(self, agent: str) -> Observation:
        """Return a seat's observation."""
        return self.table.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Take the selected seat's answer."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        is_legal = self.table.answer(self._seats[agent], action)
        self.infos[agent] = {} if is_legal else {"was_illegal": True}
        self._cycles += 1
        self._next()
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the board as the selected seat sees it; None without a `render_mode`."""
        is_on = self.agents and not self.table.is_over
        return render(self.table, self._seats[self.agent_selection] if is_on else None, self.render_mode)
