"""C14: a full state that nobody at the table can tell from the real one, the undrawn tiles reshuffled."""

from __future__ import annotations

from referee.games.carcassonne_city.components import BOX, STRIDE
from referee.games.carcassonne_city.ending import close_boundary
from referee.games.carcassonne_city.followers import part_of, put_follower
from referee.games.carcassonne_city.grid import cell_at, side_at
from referee.games.carcassonne_city.placing import lay_tile
from referee.games.carcassonne_city.setup import empty_table
from referee.games.carcassonne_city.state import NOTHING, State
from referee.games.carcassonne_city.steps import TURN, AskGuard, CheckEnd, Step, after_building, building
from referee.games.carcassonne_city.towers import raise_tower
from referee.games.carcassonne_city.view import DecisionKind, View
from referee.games.carcassonne_city.walls import close_sides, raise_gate, raise_wall
from referee.rng import Rng


def imagine(view: View, rng: Rng) -> State:
    """Return a state with this view; only the undrawn tiles are made up."""
    state = empty_table(view.seat_count, _undrawn(view, rng))
    state.drawn = NOTHING if view.drawn_tile is None else view.drawn_tile
    state.removed = list(view.removed_tiles)
    _lay_tiles(state, view)
    _build_wall(state, view)
    if view.ending is not None:
        close_boundary(state)
    _put_followers(state, view)
    state.supply = list(view.follower_supplies)
    state.towers = list(view.towers_left)
    state.scores = list(view.scores)
    state.active = view.active_seat
    state.regime = view.regime
    state.ending = view.ending
    state.agenda.steps = []
    state.agenda.then(*_steps(view))
    return state


def _undrawn(view: View, rng: Rng) -> list[int]:
    if view.ending is not None:
        return list(reversed(view.revealed_tiles))
    deck = list(BOX)
    for tile in (*view.board_tiles, *view.removed_tiles):
        deck.remove(tile)
    if view.drawn_tile is not None:
        deck.remove(view.drawn_tile)
    rng.shuffle(deck)
    return deck


def _lay_tiles(state: State, view: View) -> None:
    for tile, x, y, rotation in zip(view.board_tiles, view.board_xs, view.board_ys, view.board_rotations, strict=True):
        lay_tile(state, tile, cell_at(x, y), rotation)


def _build_wall(state: State, view: View) -> None:
    """C7.8: the wall follows the boundary of the present board as it followed that of the board it was built on."""
    if view.gate is None:
        return
    gate = side_at(view.gate.x, view.gate.y, view.gate.side)
    raise_gate(state, gate)
    sides = [raise_wall(state, seat, arm.value) for seat, arm in zip(view.wall_builders, view.wall_arms, strict=True)]
    close_sides(state, [gate, *sides])
    state.wall.guards = list(view.wall_guards)
    state.wall.last_walls = list(view.last_walls)
    for seat, arm, place in zip(view.tower_seats, view.tower_arms, view.tower_places, strict=True):
        raise_tower(state, seat, arm.value)
        state.wall.tower_places[-1] = place
        state.wall.bare[arm.value] = state.wall.lengths[arm.value] - place


def _put_followers(state: State, view: View) -> None:
    board = state.board
    for seat, kind, x, y, index in zip(
        view.follower_seats, view.follower_kinds, view.follower_xs, view.follower_ys, view.follower_indices, strict=True
    ):
        number = board.numbers[cell_at(x, y)]
        part = part_of(board.tiles[number], kind, index)
        assert part is not None, "a follower of a view stands on a feature"
        put_follower(state, seat, STRIDE * number + part)


def _steps(view: View) -> list[Step]:
    """C3.1, C8.11: what is left of the turn, beginning with the open decision."""
    seats, seat = view.seat_count, view.deciding_seat
    match view.decision:
        case None:
            return []
        case DecisionKind.PLACE_TILE:
            return list(TURN[1:])
        case DecisionKind.PLACE_FOLLOWER:
            return list(TURN[2:])
    assert seat is not None, "an open decision has a seat"
    then = [*after_building(seats, view.active_seat, view.regime), CheckEnd()]
    pieces = list(view.piece_counts)
    match view.decision:
        case DecisionKind.PLACE_GATE | DecisionKind.PLACE_WALL:
            return [*building(seats, seat, pieces, view.decision is DecisionKind.PLACE_GATE), *then]
        case DecisionKind.PLACE_GUARD if view.regime == 2:
            return [AskGuard(seat), *building(seats, (seat + 1) % seats, pieces, False), *then]
        case DecisionKind.PLACE_GUARD:
            return then[then.index(AskGuard(seat)) :]
        case _:
            return then[-2:]
