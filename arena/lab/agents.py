"""The seats of a table as PettingZoo agents, for both APIs."""

from __future__ import annotations

from typing import Any

from arena.lab.rendering import check_render_mode
from arena.lab.spaces import action_space, observation_space
from arena.lab.table import RENDER_MODES, Rewards, Table, rewards_of


class TableAgents:
    """What both kinds of environment share: the agents, their spaces and observations."""

    def _sit_down(self, table: Table, rewards: Rewards, max_cycles: int | None, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.table, self.render_mode, self._max_cycles = table, render_mode, max_cycles
        self._rewards_of = rewards_of(rewards)
        self.metadata: dict[str, Any] = {
            "name": f"{table.game.slug}_v{table.game.rules_version}",
            "render_modes": list(RENDER_MODES),
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(table.arrays) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(table.arrays) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        """Return an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return an agent's action space."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing: no resource is held."""
