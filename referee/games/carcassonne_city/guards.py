"""C9: guards on the walls."""

from __future__ import annotations

from referee.games.carcassonne_city.actions import DECLINE, POST_GUARD, Action, PostGuard
from referee.games.carcassonne_city.events import Event, GuardPosted
from referee.games.carcassonne_city.grid import STEPS, x_of, y_of
from referee.games.carcassonne_city.state import NOBODY, NOTHING, Board, State


def row(board: Board, side: int) -> list[int]:
    """C9.2: the cells a guard on this side looks along, up to the first unoccupied one."""
    step = STEPS[side + 2 & 3]
    cell = side >> 2
    cells: list[int] = []
    while cell in board.numbers:
        cells.append(cell)
        cell += step
    return cells


def opposite_side(board: Board, side: int) -> int:
    """C9.3: the side directly opposite, at the other end of the row."""
    return row(board, side)[-1] * 4 + (side + 2 & 3)


def is_guard_allowed(state: State, wall: int) -> bool:
    """C9.1, C9.3: no guard is on the wall yet, nor on the wall directly opposite."""
    if state.wall.guards[wall] != NOBODY:
        return False
    opposite = state.wall.pieces.get(opposite_side(state.board, state.wall.sides[wall]), NOTHING)
    return opposite == NOTHING or state.wall.guards[opposite] == NOBODY


def has_guard_decision(state: State, seat: int) -> bool:
    """C8.7, C8.8: the seat built a wall in this phase, has a follower left, and may put it there."""
    wall = state.wall.last_walls[seat]
    return wall != NOTHING and state.supply[seat] > 0 and is_guard_allowed(state, wall)


def guard_options(state: State) -> tuple[Action, ...]:
    """C9.1, C13: no, yes."""
    return (DECLINE, POST_GUARD)


def resolve_guard(state: State, seat: int, action: Action) -> list[Event]:
    """C9.1: put a guard on the wall the seat built last, or none."""
    if not isinstance(action, PostGuard):
        return []
    wall = state.wall.last_walls[seat]
    state.wall.guards[wall] = seat
    state.supply[seat] -= 1
    side = state.wall.sides[wall]
    return [GuardPosted(seat, x_of(side >> 2), y_of(side >> 2), side & 3)]
