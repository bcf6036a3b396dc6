"""C10: towers at the ends of the wall."""

from __future__ import annotations

from referee.games.carcassonne_city.actions import BUILD_TOWER, DECLINE, Action, BuildTower
from referee.games.carcassonne_city.components import TOWER_POINTS
from referee.games.carcassonne_city.events import Event, TowerBuilt
from referee.games.carcassonne_city.state import State


def has_tower_decision(state: State) -> bool:
    """C10.3: the trigger has a tower left, and a wall at one end waits for one."""
    return state.towers[state.active] > 0 and any(state.wall.bare)


def tower_options(state: State) -> list[Action]:
    """C10.3, C10.4, C13: none, then the ends where a tower would count at least one wall."""
    return [DECLINE, *(BUILD_TOWER[arm] for arm in (0, 1) if state.wall.bare[arm])]


def resolve_tower(state: State, action: Action) -> list[Event]:
    """C10.1, C10.2: build a tower at the chosen end, or none, and pay for the walls since the last one there."""
    if not isinstance(action, BuildTower):
        return []
    wall, seat, arm = state.wall, state.active, action.arm.value
    points = TOWER_POINTS * wall.bare[arm]
    raise_tower(state, seat, arm)
    state.scores[seat] += points
    return [TowerBuilt(seat, action.arm, points)]


def raise_tower(state: State, seat: int, arm: int) -> None:
    """C10.1: a tower of the seat stands at this end from now on."""
    wall = state.wall
    state.towers[seat] -= 1
    wall.tower_seats.append(seat)
    wall.tower_arms.append(arm)
    wall.tower_places.append(wall.lengths[arm])
    wall.bare[arm] = 0
