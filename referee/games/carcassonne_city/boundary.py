"""C7.1 - C7.4: the outer boundary, holes, and which cells a tile may not take for the sake of the wall.

The boundary is never rebuilt. A tile on an outside cell changes it only next to that cell, except where the tile
closes a pocket, and then only the pocket is walked. A cell is SHUT (C4.4) once it lies before a piece or is the only
way from a piece to the open outside; tiles and walls only ever take away room, so it stays SHUT.

Why looking at the eight cells around is enough: the city is connected, so a tile on an outside cell parts the outside
into exactly as many regions as there are runs of linked free cells around it, and at most one of them is infinite.
"""

from __future__ import annotations

from bisect import bisect_left

from referee.games.carcassonne_city.grid import AROUND, EAST, NORTH, SOUTH, STEPS, WEST, outer_cell
from referee.games.carcassonne_city.state import HOLE, NOTHING, SHUT, Board

CORNER_STEPS: tuple[int, ...] = (1, 3)  # C7.4: k for cw and for ccw, by arm
BESIDE = 0b01010101  # of the eight cells around a cell, as bits: the four that share a side with it


def _runs(around: int) -> tuple[int, ...]:
    """Return one direction for each run of free neighbours that are linked around a cell (C7.1).

    Two free neighbours in a row are linked if the corner cell between them is free as well.
    """
    free = [not around >> 2 * side & 1 for side in range(4)]
    linked = [free[side] and free[(side + 1) % 4] and not around >> 2 * side + 1 & 1 for side in range(4)]
    if all(linked):
        return (NORTH,)
    return tuple(side for side in (NORTH, EAST, SOUTH, WEST) if free[side] and not linked[(side + 3) % 4])


RUNS = tuple(_runs(around) for around in range(256))


def taken_around(numbers: dict[int, int], cell: int) -> int:
    """C7.1: which of the eight cells of `grid.AROUND` are occupied, as bits."""
    taken = 0
    bit = 1
    for step in AROUND:
        if cell + step in numbers:
            taken |= bit
        bit <<= 1
    return taken


def next_side(numbers: dict[int, int], side: int, arm: int) -> int:
    """C7.4: the boundary side after this one, walking cw (arm 0) or ccw (arm 1)."""
    corner = CORNER_STEPS[arm]
    cell, direction = side >> 2, side & 3
    walking = (direction + corner) & 3
    ahead = cell + STEPS[walking]
    beyond = ahead + STEPS[direction]
    if beyond in numbers:
        return beyond * 4 + ((direction - corner) & 3)
    if ahead in numbers:
        return ahead * 4 + direction
    return cell * 4 + walking


def walk(numbers: dict[int, int], start: int) -> tuple[list[int], int]:
    """C7.4: all sides met when walking cw from a side back to it, and how often one turned right on the way.

    Around the city that is four times in all, around the inside of a hole minus four times.
    """
    sides: list[int] = []
    turns = 0
    start_cell, start_direction = start >> 2, start & 3
    cell, direction = start_cell, start_direction
    while True:
        sides.append(cell * 4 + direction)
        walking = (direction + 1) & 3
        ahead = cell + STEPS[walking]
        beyond = ahead + STEPS[direction]
        if beyond in numbers:
            cell = beyond
            direction = (direction + 3) & 3
            turns -= 1
        elif ahead in numbers:
            cell = ahead
        else:
            direction = walking
            turns += 1
        if cell == start_cell and direction == start_direction:
            return sides, turns


def outer_boundary(board: Board) -> list[int]:
    """C7.2: all sides of the outer boundary, walking cw from the north-west."""
    return walk(board.numbers, min(board.cells) * 4 + WEST)[0]


def pockets(numbers: dict[int, int], cell: int, runs: tuple[int, ...]) -> list[list[int]]:
    """C7.1: the sides around each region that the tile on this cell parts from the exterior."""
    found: list[list[int]] = []
    has_outside = False
    for place, direction in enumerate(runs):
        if not has_outside and place == len(runs) - 1:
            break  # one of the regions is the exterior, so it is this one
        sides, turns = walk(numbers, cell * 4 + direction)
        if turns < 0:
            found.append(sides)
        else:
            has_outside = True
    return found


def grow_boundary(board: Board, cell: int) -> None:
    """C7.2: keep the perimeter and the holes after a tile was laid on an exterior cell."""
    around = taken_around(board.numbers, cell)
    board.perimeter += 4 - 2 * (around & BESIDE).bit_count()
    runs = RUNS[around]
    if len(runs) > 1:
        for sides in pockets(board.numbers, cell, runs):
            board.perimeter -= len(sides)
            for side in sides:
                before = outer_cell(side)
                board.standing[before] = board.standing.get(before, 0) | HOLE


def shut(board: Board, cell: int) -> None:
    """C4.4: note that no tile will ever be laid on this cell."""
    standing = board.standing.get(cell, 0)
    if not standing & SHUT:
        board.standing[cell] = standing | SHUT
        leave_frontier(board, cell)


def leave_frontier(board: Board, cell: int) -> None:
    """C4.1: take a cell out of the frontier, if it is there."""
    frontier = board.frontier
    place = bisect_left(frontier, cell)
    if place < len(frontier) and frontier[place] == cell:
        del frontier[place]
        del board.contacts[place]


def shut_if_cut(board: Board, pieces: dict[int, int], cell: int) -> None:
    """C4.4: shut a cell of the frontier if a tile there would shut off the space in front of a piece."""
    numbers = board.numbers
    if cell in numbers or cell in board.standing:
        return
    around = taken_around(numbers, cell)
    runs = RUNS[around]
    if len(runs) < 2 or not around & BESIDE:
        return
    numbers[cell] = NOTHING  # as if a tile lay here, to see what it would part
    enclosed = pockets(numbers, cell, runs)
    numbers.popitem()
    for sides in enclosed:
        for side in sides:
            if side in pieces:
                shut(board, cell)
                return


def shut_before_wall(board: Board, end: int, side: int) -> None:
    """C4.4: keep what is SHUT after a wall was built on `side`, next to the piece on `end`.

    Only two cells can be concerned: the one before the wall, and, where the wall goes around an outer corner, the
    one at the corner. A tile there would part the spaces before the two pieces unless they are linked the other way.
    """
    shut(board, outer_cell(side))
    if side >> 2 == end >> 2:
        corner = outer_cell(side) + STEPS[end & 3]
        if len(RUNS[taken_around(board.numbers, corner)]) > 1:
            shut(board, corner)
