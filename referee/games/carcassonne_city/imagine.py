"""C14: a full state that nobody at the table can tell from the real one, the undrawn tiles reshuffled.

A view comes from outside and may be forged: what no table could show is refused, because rows have no room for it.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.boundary import outer_boundary
from referee.games.carcassonne_city.components import BOX, FOLLOWERS, MAX_SEATS, PARTS, TILES, WALLS
from referee.games.carcassonne_city.ending import close_boundary
from referee.games.carcassonne_city.followers import part_of, put_follower
from referee.games.carcassonne_city.grid import START, STEPS, cell_at, side_at
from referee.games.carcassonne_city.placing import lay_tile
from referee.games.carcassonne_city.setup import empty_table
from referee.games.carcassonne_city.state import (
    AGENDA,
    FEATURES,
    MAX_FOLLOWERS,
    MAX_TOWERS,
    NOTHING,
    State,
    clone,
    do_next,
    gap,
    node_of,
    number_at,
    tile_of,
)
from referee.games.carcassonne_city.steps import (
    ASK_FOLLOWER,
    ASK_GUARD,
    ASK_TILE,
    ASK_TOWER,
    CHECK_END,
    SCORE_TILE,
    step_of,
)
from referee.games.carcassonne_city.tiles import NODES
from referee.games.carcassonne_city.towers import raise_tower
from referee.games.carcassonne_city.view import DecisionKind, View
from referee.games.carcassonne_city.walls import close_side, plan_after_building, plan_building, raise_gate, raise_wall
from referee.rng import Rng
from referee.rows import Dice, Int, Ints, put, shuffle_part, sort_part


def imagine(view: View, rng: Rng) -> State:
    """Return a state with this view; only the undrawn tiles are made up."""
    _refuse_forged(view)
    state: State = empty_table(view.seat_count, _undrawn(view, rng))
    state.drawn = NOTHING if view.drawn_tile is None else view.drawn_tile
    state.removed_count = len(view.removed_tiles)
    put(state.removed, view.removed_tiles)
    _lay_tiles(state, view)
    _build_wall(state, view)
    if view.ending is not None:
        roots: Annotated[Ints, FEATURES] = [0] * FEATURES
        close_boundary(state, roots)
    _put_followers(state, view)
    put(state.supply, view.follower_supplies)
    put(state.towers, view.towers_left)
    put(state.scores, view.scores)
    state.active = view.active_seat
    state.regime = view.regime
    state.ending = NOTHING if view.ending is None else view.ending.value
    _lay_agenda(state, view)
    return state


def determinize(state: State, rng: Rng) -> State:
    """C14: what `imagine` makes of anybody's view: it puts the undrawn tiles into the order of the box and shuffles."""
    world = clone(state)
    ending: Int = world.ending
    if ending == NOTHING:
        sort_part(world.deck, 0, world.deck_count)
        shuffle_deck(world, rng)
    return world


def redraw(state: State, rng: Rng) -> State:
    """C14: a copy in which the undrawn tiles lie in another order; after the end they are known."""
    world = clone(state)
    ending: Int = world.ending
    if ending == NOTHING:
        shuffle_deck(world, rng)
    return world


def shuffle_deck(world: State, rng: Rng) -> None:
    """C14: put the undrawn tiles into a random order."""
    dice = Dice()
    dice.word = rng.word
    shuffle_part(world.deck, 0, world.deck_count, dice)
    rng.word = dice.word


def _refuse_unless(is_possible: bool, what: str) -> None:
    if not is_possible:
        raise ValueError(f"{what}, as only a forged view could say")


def _refuse_forged(view: View) -> None:
    """Refuse seats that are not at the table and lists that are too long."""
    seats = view.seat_count
    per_seat = (view.piece_counts, view.last_walls, view.follower_supplies, view.towers_left, view.scores)
    _refuse_unless({*map(len, per_seat)} == {seats}, "there is not one number for every seat")
    _refuse_unless(view.ending is None or view.decision is None, "a decision is open after the end")
    deciding = view.active_seat if view.deciding_seat is None else view.deciding_seat
    named = [
        view.active_seat,
        deciding,
        *view.wall_builders,
        *view.wall_guards,
        *view.tower_seats,
        *view.follower_seats,
    ]
    _refuse_unless(max(named) < seats, "a seat is not at the table")
    counts = ((view.board_tiles, TILES), (view.removed_tiles, TILES), (view.wall_arms, WALLS),
              (view.wall_guards, WALLS), (view.tower_seats, MAX_TOWERS), (view.follower_seats, MAX_FOLLOWERS),
              (range(sum(view.piece_counts)), AGENDA // 2))  # fmt: skip
    for each, room in counts:
        _refuse_unless(len(each) <= room, "there is more than the box holds")


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
    parts = 0 if view.drawn_tile is None else PARTS[view.drawn_tile]
    for tile, x, y, rotation in zip(view.board_tiles, view.board_xs, view.board_ys, view.board_rotations, strict=True):
        parts += PARTS[tile]
        _refuse_unless(parts <= NODES, "there are more features than tiles in the box have")
        cell: Int = cell_at(x, y)
        beside = [step for step in STEPS if number_at(state, cell + step) >= 0]
        _refuse_unless(bool(beside) if state.tile_count else cell == START, "a tile lies apart from the others")
        _refuse_unless(number_at(state, cell) < 0, "a tile lies on another")
        lay_tile(state, tile, cell, rotation)


def _build_wall(state: State, view: View) -> None:
    """C7.8: the wall follows the boundary of the present board as it followed that of the board it was built on."""
    _refuse_unless(view.gate is not None or not view.wall_arms, "there are walls but no gate")
    if view.gate is None:
        return
    gate: Int = side_at(view.gate.x, view.gate.y, view.gate.side)
    _refuse_unless(state.tile_count > 0 and gate in outer_boundary(state), "the gate is not on the outer boundary")
    roots: Annotated[Ints, FEATURES] = [0] * FEATURES
    raise_gate(state, gate)
    close_side(state, gate, roots, 0)
    for seat, arm in zip(view.wall_builders, view.wall_arms, strict=True):
        _refuse_unless(gap(state) > 0, "there are more walls than sides")
        close_side(state, raise_wall(state, seat, arm.value), roots, 0)
    put(state.wall_guards, view.wall_guards)
    put(state.last_walls, view.last_walls)
    _refuse_unless(max(view.last_walls) < state.wall_count, "a seat has built a wall that is not there")
    for seat, arm, place in zip(view.tower_seats, view.tower_arms, view.tower_places, strict=True):
        raise_tower(state, seat, arm.value)
        state.tower_places[state.tower_count - 1] = place
        state.bare[arm.value] = state.lengths[arm.value] - place


def _put_followers(state: State, view: View) -> None:
    for seat, kind, x, y, index in zip(
        view.follower_seats, view.follower_kinds, view.follower_xs, view.follower_ys, view.follower_indices, strict=True
    ):
        number: Int = number_at(state, cell_at(x, y))
        _refuse_unless(number >= 0, "a follower stands beside the city")
        part = part_of(tile_of(state, number), kind, index)
        assert part is not None, "a follower of a view stands on a feature"
        put_follower(state, seat, node_of(state, number, part))
    for seat in range(MAX_SEATS):
        held = view.follower_supplies[seat] if seat < view.seat_count else 0
        _refuse_unless(view.follower_seats.count(seat) + held <= FOLLOWERS, "a seat has more followers than there are")


def _lay_agenda(state: State, view: View) -> None:
    """C3.1, C8.11: what is left of the turn, beginning with the open decision."""
    state.agenda_count = 0
    if view.decision is None:
        return
    do_next(state, step_of(CHECK_END, 0))
    if view.decision in (DecisionKind.PLACE_TILE, DecisionKind.PLACE_FOLLOWER):
        do_next(state, step_of(SCORE_TILE, 0))
        do_next(state, step_of(ASK_FOLLOWER, 0))
        if view.decision is DecisionKind.PLACE_TILE:
            do_next(state, step_of(ASK_TILE, 0))
        return
    seat = view.deciding_seat
    assert seat is not None, "an open decision has a seat"
    counts: Annotated[Ints, MAX_SEATS] = [0] * MAX_SEATS
    put(counts, view.piece_counts)
    if view.decision in (DecisionKind.PLACE_GATE, DecisionKind.PLACE_WALL):
        plan_after_building(state, state.regime)
        plan_building(state, seat, counts, view.decision is DecisionKind.PLACE_GATE)
    elif view.decision is DecisionKind.PLACE_GUARD and view.regime == 2:
        plan_after_building(state, state.regime)
        plan_building(state, (seat + 1) % view.seat_count, counts, False)
        do_next(state, step_of(ASK_GUARD, seat))
    elif view.decision is DecisionKind.PLACE_GUARD:
        _refuse_unless(view.regime == 3, "a guard is asked for")
        plan_after_building(state, state.regime)
        while state.agenda[state.agenda_count - 1] != step_of(ASK_GUARD, seat):
            state.agenda_count -= 1
    else:
        do_next(state, step_of(ASK_TOWER, 0))
