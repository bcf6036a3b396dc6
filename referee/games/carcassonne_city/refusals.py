"""Why an action is refused: the clause it breaks and what was expected instead (C13)."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.actions import Action, PlaceFollower, PlaceGate, PlaceTile
from referee.games.carcassonne_city.boundary import outer_boundary
from referee.games.carcassonne_city.components import FeatureKind
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import part_of
from referee.games.carcassonne_city.grid import MARGIN, STEPS, cell_at, side_at
from referee.games.carcassonne_city.state import State, node_of, tile_of
from referee.games.carcassonne_city.steps import (
    ASK_FOLLOWER,
    ASK_GATE,
    ASK_GUARD,
    ASK_TILE,
    ASK_TOWER,
    ASK_WALL,
    STEP_NAMES,
)

FIRST_PLACEMENT = PlaceTile(box.START_X, box.START_Y, box.START_ROTATION)


def check_answer(state: State, action: Action) -> None:
    """C13: refuse an action that is not an option of the open decision, naming the clause."""
    asked = state.agenda[state.agenda_count - 1] & 15
    match action:
        case act.PlaceTile() if asked == ASK_TILE:
            check_tile(state, action)
        case act.PlaceFollower() if asked == ASK_FOLLOWER:
            check_follower(state, action)
        case act.PlaceGate() if asked == ASK_GATE:
            check_gate(state, action)
        case act.BuildTower() if asked == ASK_TOWER:
            if not state.bare[action.arm.value]:
                raise IllegalActionError(
                    "C10.3", f"no wall was built at the {action.arm.name.lower()} end since the last tower"
                )
        case act.Decline() if asked in (ASK_FOLLOWER, ASK_GUARD, ASK_TOWER):
            return
        case act.PostGuard() if asked == ASK_GUARD:
            return
        case act.BuildWall() if asked == ASK_WALL:
            return
        case _:
            raise IllegalActionError("C13", f"{action!r} does not answer {STEP_NAMES[asked]}")


def check_tile(state: State, action: PlaceTile) -> None:
    """C4.1 - C4.6: refuse a placement that is not legal and say why."""
    x, y, rotation = action.x, action.y, action.rotation
    where = f"({x}, {y})"
    if not state.tile_count:
        if action != FIRST_PLACEMENT:
            raise IllegalActionError(
                "C2.6", f"the first tile is laid on (0, 0) with rotation 0, not on {where} with {rotation}"
            )
        return
    if rotation not in range(4):
        raise IllegalActionError("C1.5", f"rotation {rotation} is not 0, 1, 2 or 3")
    if not (-MARGIN < x < MARGIN and -MARGIN < y < MARGIN):
        raise IllegalActionError("C4.1", f"cell {where} does not share a side with a tile")
    cell = cell_at(x, y)
    occupied = state.cells[: state.tile_count]
    if cell in occupied:
        raise IllegalActionError("C4.1", f"cell {where} is occupied")
    if not any(cell + step in occupied for step in STEPS):
        raise IllegalActionError("C4.1", f"cell {where} does not share a side with a tile")
    contact = next((entry & 255 for entry in state.frontier[: state.frontier_count] if entry >> 8 == cell), None)
    if contact is None:
        raise IllegalActionError("C4.4", f"a tile on {where} would stand before a wall or shut it off from the outside")
    if box.STREET_BITS[4 * state.drawn + rotation] & contact & 15 != contact >> 4:
        name = box.TILE_IDS[state.drawn]
        raise IllegalActionError("C4.2", f"{name} on {where} with rotation {rotation} does not continue the streets")


def check_follower(state: State, action: PlaceFollower) -> None:
    """C5.1 - C5.3: refuse a feature that is not there, occupied or complete."""
    number = state.tile_count - 1
    kind = action.kind
    part = part_of(tile_of(state, number), kind, action.index)
    what = f"{kind.name.lower()} {action.index}"
    if part is None:
        raise IllegalActionError("C5.1", f"the tile just laid has no {what}")
    root = find(state, node_of(state, number, part))
    if state.crowds[root]:
        raise IllegalActionError("C5.2", f"a follower stands already on the feature of {what}")
    if kind is not FeatureKind.RESIDENTIAL and not state.open_sides[root]:
        raise IllegalActionError("C5.3", f"{what} is complete")


def check_gate(state: State, action: PlaceGate) -> None:
    """C7.5: refuse a side that is not on the outer boundary."""
    x, y, side = action.x, action.y, action.side
    is_inside = -MARGIN < x < MARGIN and -MARGIN < y < MARGIN and side in range(4)
    if not is_inside or side_at(x, y, side) not in outer_boundary(state):
        raise IllegalActionError("C7.5", f"side {side} of cell ({x}, {y}) is not on the outer boundary")
