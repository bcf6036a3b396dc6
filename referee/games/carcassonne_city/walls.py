"""C7.5 - C8.11: the wall phase, the gate and the walls."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import BUILD_WALL, Action, BuildWall, PlaceGate, place_gate
from referee.games.carcassonne_city.boundary import next_side, outer_boundary, shut, shut_before_wall, shut_if_cut
from referee.games.carcassonne_city.components import GATE_REPLACES, WALL_QUOTA, WALLS
from referee.games.carcassonne_city.events import Event, GatePlaced, WallBuilt, WallPhaseBegan
from referee.games.carcassonne_city.features import find, node_on_side
from referee.games.carcassonne_city.grid import MARGIN, outer_cell, side_at, x_of, y_of
from referee.games.carcassonne_city.scoring import score_complete
from referee.games.carcassonne_city.state import NOBODY, NOTHING, State
from referee.games.carcassonne_city.steps import after_building, building


def begin_wall_phase(state: State) -> list[Event]:
    """C8.1 - C8.5, C8.11: put the steps of a wall phase on the agenda; the active seat is the trigger."""
    trigger, regime = state.active, state.regime
    counts = [WALL_QUOTA[state.seats][regime - 1]] * state.seats
    needs_gate = state.wall.gate == NOTHING
    if needs_gate:
        counts[trigger] += 1 - GATE_REPLACES[state.seats]
    state.wall.last_walls = [NOTHING] * state.seats
    state.agenda.then(
        *building(state.seats, trigger, counts, needs_gate), *after_building(state.seats, trigger, regime)
    )
    return [WallPhaseBegan(trigger, regime, tuple(counts))]


def gap(state: State) -> int:
    """C7.10: how many walls could still be put up before the ring is closed."""
    return state.board.perimeter - len(state.wall.pieces)


def wall_supply(state: State) -> int:
    """C2.4: the walls not yet on the board."""
    return WALLS - len(state.wall.sides)


def can_build_wall(state: State) -> bool:
    """C7.11, C8.10: building stops for everybody when the supply is empty or the ring is closed."""
    return wall_supply(state) > 0 and gap(state) > 0


def gate_options(state: State) -> list[PlaceGate]:
    """C7.5, C13: all sides of the outer boundary, sorted by x, y and direction."""
    return [place_gate(side) for side in sorted(outer_boundary(state.board))]


def check_gate(state: State, action: PlaceGate) -> None:
    """C7.5: refuse a side that is not on the outer boundary."""
    x, y, side = action.x, action.y, action.side
    is_inside = -MARGIN < x < MARGIN and -MARGIN < y < MARGIN and side in range(4)
    if not is_inside or side_at(x, y, side) not in outer_boundary(state.board):
        raise IllegalActionError("C7.5", f"side {side} of cell ({x}, {y}) is not on the outer boundary")


def resolve_gate(state: State, action: PlaceGate) -> list[Event]:
    """C7.5, C8.4, C8.6: put up the gate and score what it completes."""
    side = side_at(action.x, action.y, action.side)
    raise_gate(state, side)
    return [GatePlaced(state.active, action.x, action.y, action.side), *_close_side(state, side)]


def raise_gate(state: State, side: int) -> None:
    """C4.4, C7.6: the gate stands here; both ends of the wall start from it."""
    wall, board = state.wall, state.board
    wall.gate = side
    wall.pieces[side] = NOTHING
    wall.ends = [side, side]
    shut(board, outer_cell(side))
    for cell in board.frontier[:]:
        shut_if_cut(board, wall.pieces, cell)


def wall_options(state: State) -> tuple[Action, ...]:
    """C7.7, C13, C13.2: both ends, also where they mean the same side."""
    return BUILD_WALL


def resolve_wall(state: State, seat: int, action: BuildWall) -> list[Event]:
    """C7.7, C8.6: put up a wall and score what it completes."""
    side = raise_wall(state, seat, action.arm.value)
    built = WallBuilt(seat, action.arm, x_of(side >> 2), y_of(side >> 2), side & 3, gap(state))
    return [built, *_close_side(state, side)]


def raise_wall(state: State, seat: int, arm: int) -> int:
    """C7.6, C7.7: put the wall on the next boundary side after that end and return the side."""
    wall, board = state.wall, state.board
    end = wall.ends[arm]
    side = next_side(board.numbers, end, arm)
    number = len(wall.sides)
    wall.sides.append(side)
    wall.arms.append(arm)
    wall.builders.append(seat)
    wall.guards.append(NOBODY)
    wall.pieces[side] = number
    wall.ends[arm] = side
    wall.lengths[arm] += 1
    wall.bare[arm] += 1
    wall.last_walls[seat] = number
    shut_before_wall(board, end, side)
    return side


def _close_side(state: State, side: int) -> list[Event]:
    """C6.2, C7.9, C8.6: a piece closes its side; what is complete now is scored and starts no wall phase."""
    return score_complete(state, close_sides(state, [side]))


def close_sides(state: State, sides: list[int]) -> list[int]:
    """C6.2: close these sides and return the streets and markets that reach them."""
    features = state.features
    roots: list[int] = []
    for side in sides:
        node = node_on_side(state.board, side)
        if node >= 0:
            root = find(features.parents, node)
            features.open_sides[root] -= 1
            if root not in roots:
                roots.append(root)
    return roots
