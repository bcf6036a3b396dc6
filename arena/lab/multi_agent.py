"""PettingZoo's two APIs: AEC, in which seats are asked one after another, and parallel, in which all act every cycle.

Seats that decide at the same time are asked one after another in AEC too, but nothing happens before the last of them
has answered: no observation reveals another seat's choice. In parallel, seats that are not asked are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from arena.lab.observations import Observation
from arena.lab.pictures import check_render_mode, render
from arena.lab.spaces import action_space, observation_space
from arena.lab.table import RENDER_MODES, Illegal, Rewards, Table, rewards_of

WAIT = 0  # the action of a seat that is not asked


class TableAgents:
    """The seats of a table as agents with their spaces, shared by both APIs."""

    def __init__(self, table: Table, rewards: Rewards, max_cycles: int | None, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.table, self.render_mode, self._max_cycles = table, render_mode, max_cycles
        self._rewards_of = rewards_of(rewards)
        self.metadata: dict[str, Any] = {
            "name": f"{table.game.slug}_v{table.game.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(table) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(table) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """Return an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return an agent's action space."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing: no resource is held."""


def aec_env(
    game: str,
    seats: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    rewards: Rewards = "places",
    max_cycles: int | None = None,
    max_options: int | None = None,
    illegal: Illegal = "raise",
    flat: bool = False,
    render_mode: str | None = None,
) -> GameAEC:
    """Return a game as a PettingZoo AEC environment.

    `seats` is the game's preferred number unless given, `options` are those of `arena games`. `rewards` come at the
    end: by `places` (1 for the first to -1 for the last, ties share), by `score`, or by a function of the outcome.
    After `max_cycles` decisions a match is cut off. `max_options` limits the number of option rows; `flat` leaves the
    rows out, and an action is an id of `arena.lab.action_ids`. `illegal` says how an answer outside the mask is
    treated: `raise` makes it a ValueError that changes nothing, `default` plays the safe default of the rules, and
    the seat's `info` says `was_illegal`.
    """
    return GameAEC(Table(game, seats, options, max_options, illegal, flat=flat), rewards, max_cycles, render_mode)


class GameAEC(TableAgents, AECEnv[str, Observation, int]):
    """A game under PettingZoo's AEC API."""

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
        """Select the seat that has to answer next, if the match is not over."""
        if self.table.is_over:
            rewards = self._rewards_of(self.table.outcome())
            self.rewards = {agent: float(rewards[seat]) for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        if self._max_cycles is not None and self._cycles >= self._max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.table.waiting()[0]]
        info = self.table.info(self._seats[self.agent_selection])
        if "was_illegal" in self.infos[self.agent_selection]:
            info["was_illegal"] = True  # of its last answer
        self.infos[self.agent_selection] = info

    def observe(self, agent: str) -> Observation:
        """Return a seat's observation."""
        return self.table.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Take the selected seat's answer."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        is_legal = self.table.answer(self._seats[agent], action)
        self.infos[agent] = {} if is_legal else {"was_illegal": True}
        self._cycles += 1
        self._next()
        if self.table.is_over:  # nobody gets anything before
            self._accumulate_rewards()

    def render(self) -> Any:
        """Return the board as the selected seat sees it; None without a `render_mode`."""
        is_on = self.agents and not self.table.is_over
        return render(self.table, self._seats[self.agent_selection] if is_on else None, self.render_mode)


def parallel_env(
    game: str,
    seats: int | None = None,
    *,
    options: Mapping[str, object] | None = None,
    rewards: Rewards = "places",
    max_cycles: int | None = None,
    max_options: int | None = None,
    illegal: Illegal = "default",
    flat: bool = False,
    render_mode: str | None = None,
) -> GameParallel:
    """Return a game as a PettingZoo parallel environment; the arguments are those of `aec_env`.

    A cycle is one step of the game: all seats that have to decide do so together. The mask of a seat that is not asked
    has a single 1, and its `info` says that it is not `asked`. An illegal answer plays the safe default unless
    `illegal` is `raise`, since learners of this API may give any action of the space; after every step the `info` of
    each seat says whether its answer `was_illegal`.
    """
    return GameParallel(Table(game, seats, options, max_options, illegal, flat=flat), rewards, max_cycles, render_mode)


class GameParallel(TableAgents, ParallelEnv[str, Observation, int]):
    """A game under PettingZoo's parallel API."""

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
        asked = self.table.waiting()
        # All answers are looked at before the first one is taken, so that a refused step changes nothing.
        chosen = {seat: self.table.index_of(seat, actions.get(self.possible_agents[seat])) for seat in asked}
        for seat, index in chosen.items():
            self.table.choose(seat, index)
        self._cycles += 1
        is_over = self.table.is_over
        is_cut = not is_over and self._max_cycles is not None and self._cycles >= self._max_cycles
        rewards = self._rewards_of(self.table.outcome()) if is_over else [0.0] * len(self.possible_agents)
        infos = self._infos()
        for seat, agent in enumerate(self.possible_agents):
            infos[agent]["was_illegal"] = seat in chosen and chosen[seat] is None
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
