"""C10: towers at the ends of the wall."""

from __future__ import annotations

from referee.games.carcassonne_city.codes import (
    BUILD_TOWER,
    DECLINE,
    TOWER_BUILT,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.carcassonne_city.components import TOWER_POINTS
from referee.games.carcassonne_city.state import State
from referee.rows import Events, Int, Listing


def has_tower_decision(state: State) -> bool:
    """C10.3: the trigger has a tower left, and a wall at one end waits for one."""
    return state.towers[state.active] > 0 and (state.bare[0] > 0 or state.bare[1] > 0)


def tower_options(state: State, listing: Listing) -> None:
    """C10.3, C10.4, C13: none, then the ends where a tower would count at least one wall."""
    listing.add(choice_of(DECLINE, 0))
    for arm in range(2):
        if state.bare[arm]:
            listing.add(choice_of(BUILD_TOWER, arm))


def resolve_tower(state: State, choice: Choice, events: Events) -> None:
    """C10.1, C10.2: build a tower at the chosen end, or none, and pay for the walls since the last one there."""
    if kind_of_choice(choice) != BUILD_TOWER:
        return
    seat = state.active
    arm = argument_of(choice)
    points = TOWER_POINTS * state.bare[arm]
    raise_tower(state, seat, arm)
    state.scores[seat] += points
    events.tell(TOWER_BUILT, seat, arm, points)


def raise_tower(state: State, seat: Int, arm: Int) -> None:
    """C10.1: a tower of the seat stands at this end from now on."""
    state.towers[seat] -= 1
    state.tower_seats[state.tower_count] = seat
    state.tower_arms[state.tower_count] = arm
    state.tower_places[state.tower_count] = state.lengths[arm]
    state.tower_count += 1
    state.bare[arm] = 0
