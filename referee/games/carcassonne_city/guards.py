"""C9: guards on the walls."""

from __future__ import annotations

from referee.games.carcassonne_city.codes import DECLINE, GUARD_POSTED, POST_GUARD, Choice, choice_of, kind_of_choice
from referee.games.carcassonne_city.grid import PLACES, STEP
from referee.games.carcassonne_city.state import FIRST_WALL, NOBODY, NOTHING, State, piece_on
from referee.rows import Events, Int, Listing


def end_of_row(state: State, side: Int) -> Int:
    """C9.2: the first unoccupied cell that a guard on this side looks to, along the row of tiles behind it."""
    step = STEP[side + 2 & 3]
    cell = side >> 2
    while state.spots[cell % PLACES] > 0:
        cell += step
    return cell


def opposite_side(state: State, side: Int) -> Int:
    """C9.3: the side directly opposite, at the other end of the row."""
    ahead = side + 2 & 3
    return (end_of_row(state, side) - STEP[ahead]) * 4 + ahead


def is_guard_allowed(state: State, wall: Int) -> bool:
    """C9.1, C9.3: no guard is on the wall yet, nor on the wall directly opposite."""
    if state.wall_guards[wall] != NOBODY:
        return False
    opposite = piece_on(state, opposite_side(state, state.wall_sides[wall])) - FIRST_WALL
    return opposite < 0 or state.wall_guards[opposite] == NOBODY


def has_guard_decision(state: State, seat: Int) -> bool:
    """C8.7, C8.8: the seat built a wall in this phase, has a follower left, and may put it there."""
    wall = state.last_walls[seat]
    return wall != NOTHING and state.supply[seat] > 0 and is_guard_allowed(state, wall)


def guard_options(listing: Listing) -> None:
    """C9.1, C13: no, yes."""
    listing.add(choice_of(DECLINE, 0))
    listing.add(choice_of(POST_GUARD, 0))


def resolve_guard(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """C9.1: put a guard on the wall the seat built last, or none."""
    if kind_of_choice(choice) != POST_GUARD:
        return
    wall = state.last_walls[seat]
    state.wall_guards[wall] = seat
    state.supply[seat] -= 1
    events.tell(GUARD_POSTED, seat, state.wall_sides[wall])
