"""C7.1 - C7.4: the outer boundary, holes, and which cells a tile may not take for the sake of the wall.

The boundary is never rebuilt. A tile on an outside cell changes it only next to that cell, except where the tile
closes a pocket, and then only the pocket is walked. A cell is SHUT (C4.4) once it lies before a piece or is the only
way from a piece to the open outside; tiles and walls only ever take away room, so it stays SHUT.

Why looking at the eight cells around is enough: the city is connected, so a tile on an outside cell parts the outside
into exactly as many regions as there are runs of linked free cells around it, and exactly one of them is infinite.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.grid import AROUND, EAST, NORTH, PLACES, SOUTH, STEP, WEST, outer_cell
from referee.games.carcassonne_city.state import HOLE, SHUT, State, piece_on, standing_of
from referee.rows import Int, Ints, Smalls, copy_part, place_for

BESIDE = 0b01010101  # of the eight cells around a cell, as bits: the four that share a side with it


def _runs(around: int) -> int:
    """Return one direction, as a bit, for each run of free neighbours that are linked around a cell (C7.1).

    Two free neighbours in a row are linked if the corner cell between them is free as well.
    """
    free = [not around >> 2 * side & 1 for side in range(4)]
    linked = [free[side] and free[(side + 1) % 4] and not around >> 2 * side + 1 & 1 for side in range(4)]
    if all(linked):
        return 1 << NORTH
    return sum(1 << side for side in (NORTH, EAST, SOUTH, WEST) if free[side] and not linked[(side + 3) % 4])


RUNS: Smalls = [_runs(around) for around in range(256)]
COUNTS: Smalls = [around.bit_count() for around in range(256)]


def taken_around(spots: Smalls, cell: Int) -> Int:
    """C7.1: which of the eight cells of `grid.AROUND` are occupied, as bits."""
    taken = 0
    bit = 1
    for step in AROUND:
        if spots[(cell + step) % PLACES] > 0:
            taken |= bit
        bit <<= 1
    return taken


def next_side(state: State, side: Int, arm: Int) -> Int:
    """C7.4: the boundary side after this one, walking cw (arm 0) or ccw (arm 1)."""
    corner = 3 if arm else 1  # C7.4: k for ccw and for cw
    cell = side >> 2
    direction = side & 3
    walking = direction + corner & 3
    ahead = cell + STEP[walking]
    beyond = ahead + STEP[direction]
    if state.spots[beyond % PLACES] > 0:
        return beyond * 4 + (direction - corner & 3)
    if state.spots[ahead % PLACES] > 0:
        return ahead * 4 + direction
    return cell * 4 + walking


def right_turn(side: Int, onward: Int) -> Int:
    """C7.4: 1 if one turns right from a side to the next one when walking cw, -1 for left, 0 for straight on."""
    return ((onward - side & 3) + 1 & 3) - 1


def first_boundary_side(state: State) -> Int:
    """C7.2: a side of the outer boundary, in the north-west."""
    first = state.cells[0]
    for number in range(1, state.tile_count):
        first = min(first, state.cells[number])
    return first * 4 + WEST


def outer_boundary(state: State) -> list[int]:
    """C7.2: all sides of the outer boundary, walking cw from the north-west."""
    start = first_boundary_side(state)
    sides = [start]
    side = next_side(state, start, 0)
    while side != start:
        sides.append(side)
        side = next_side(state, side, 0)
    return sides


def run_outside(state: State, cell: Int, runs: Int) -> Int:
    """C7.1: of several runs around an exterior cell, as bits, the one that stays exterior if a tile lies there.

    Walking cw from a side back to it, one turns right four times in all around the city, and minus four times around
    the inside of a hole. All walks take a step in turn, so that the shortest decides as soon as it is done.
    """
    ends: Annotated[Ints, 4] = [0] * 4
    turns: Annotated[Ints, 4] = [0] * 4
    for direction in range(4):
        ends[direction] = cell * 4 + direction
    while True:
        for direction in range(4):
            if runs >> direction & 1:
                onward = next_side(state, ends[direction], 0)
                turns[direction] += right_turn(ends[direction], onward)
                ends[direction] = onward
                if onward == cell * 4 + direction:
                    if turns[direction] > 0:
                        return direction
                    runs &= ~(1 << direction)
                    if COUNTS[runs] == 1:
                        return only_direction(runs)


def only_direction(runs: Int) -> Int:
    """Return the direction of the only bit."""
    direction = 0
    while not runs >> direction & 1:
        direction += 1
    return direction


def grow_boundary(state: State, cell: Int) -> None:
    """C7.2: keep the perimeter and the holes after a tile was laid on an exterior cell."""
    around = taken_around(state.spots, cell)
    state.perimeter += 4 - 2 * COUNTS[around & BESIDE]
    runs = RUNS[around]
    if COUNTS[runs] > 1:
        outside = run_outside(state, cell, runs)
        for direction in range(4):
            if runs >> direction & 1 and direction != outside:
                fence_in(state, cell * 4 + direction)


def fence_in(state: State, start: Int) -> None:
    """C7.1, C7.2: note the hole whose sides begin with this one: they are no longer part of the outer boundary."""
    side = start
    while True:
        state.perimeter -= 1
        before = outer_cell(side) % PLACES
        state.spots[before] = -(standing_of(state.spots[before]) | HOLE)
        side = next_side(state, side, 0)
        if side == start:
            return


def shut(state: State, cell: Int) -> None:
    """C4.4: note that no tile will ever be laid on this cell."""
    standing = standing_of(state.spots[cell % PLACES])
    if not standing & SHUT:
        state.spots[cell % PLACES] = -(standing | SHUT)
        leave_frontier(state, cell)


def leave_frontier(state: State, cell: Int) -> None:
    """C4.1: take a cell out of the frontier, if it is there."""
    place = place_in_frontier(state, cell)
    if place < state.frontier_count and state.frontier[place] >> 8 == cell:
        copy_part(state.frontier, place + 1, state.frontier_count, state.frontier, place)
        state.frontier_count -= 1


def place_in_frontier(state: State, cell: Int) -> Int:
    """C4.1: the place of a cell in the frontier, or where it would have to stand."""
    return place_for(state.frontier, state.frontier_count, cell << 8)


def shut_if_cut(state: State, cell: Int) -> None:
    """C4.4: shut a cell of the frontier if a tile there would shut off the space in front of a piece."""
    if state.spots[cell % PLACES]:
        return
    around = taken_around(state.spots, cell)
    runs = RUNS[around]
    if COUNTS[runs] < 2 or not around & BESIDE:
        return
    state.spots[cell % PLACES] = 1  # as if a tile lay here, to see what it would part
    outside = run_outside(state, cell, runs)
    is_cut = False
    for direction in range(4):
        if runs >> direction & 1 and direction != outside and has_piece_around(state, cell * 4 + direction):
            is_cut = True
    state.spots[cell % PLACES] = 0
    if is_cut:
        shut(state, cell)


def has_piece_around(state: State, start: Int) -> bool:
    """C4.4: whether a piece stands on one of the sides around a pocket that begin with this one.

    The tile that closes it, on which it begins, is not on the board, and has no pieces.
    """
    side = next_side(state, start, 0)
    while side != start:
        if side >> 2 != start >> 2 and piece_on(state, side):
            return True
        side = next_side(state, side, 0)
    return False


def shut_before_wall(state: State, end: Int, side: Int) -> None:
    """C4.4: keep what is SHUT after a wall was built on `side`, next to the piece on `end`.

    Only two cells can be concerned: the one before the wall, and, where the wall goes around an outer corner, the
    one at the corner. A tile there would part the spaces before the two pieces unless they are linked the other way.
    """
    shut(state, outer_cell(side))
    if side >> 2 == end >> 2:
        corner = outer_cell(side) + STEP[end & 3]
        if COUNTS[RUNS[taken_around(state.spots, corner)]] > 1:
            shut(state, corner)
