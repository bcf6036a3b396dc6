"""C7.1 - C7.4: the outer boundary, holes, and which cells a tile may not take for the sake of the wall.

The boundary is never rebuilt. A tile on an outside cell changes it only next to that cell, except where the tile
closes a pocket, and then only the pocket is walked. A cell is SHUT (C4.4) once it lies before a piece or is the only
way from a piece to the open outside; tiles and walls only ever take away room, so it stays SHUT.

Why looking at the eight cells around is enough: the city is connected, so a tile on an outside cell parts the outside
into exactly as many regions as there are runs of linked free cells around it, and at most one of them is infinite.
"""

from __future__ import annotations

from referee.games.carcassonne_city.grid import EAST, NORTH, SOUTH, STEPS, WEST, outer_cell
from referee.games.carcassonne_city.state import HOLE, SHUT, Board

CORNER_STEPS: tuple[int, ...] = (1, 3)  # C7.4: k for cw and for ccw, by arm


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


def next_side(numbers: bytearray, side: int, arm: int) -> int:
    """C7.4: the boundary side after this one, walking cw (arm 0) or ccw (arm 1)."""
    corner = CORNER_STEPS[arm]
    cell, direction = side >> 2, side & 3
    walking = (direction + corner) & 3
    ahead = cell + STEPS[walking]
    beyond = ahead + STEPS[direction]
    if numbers[beyond]:
        return beyond * 4 + ((direction - corner) & 3)
    if numbers[ahead]:
        return ahead * 4 + direction
    return cell * 4 + walking


def walk(numbers: bytearray, start: int) -> tuple[list[int], int]:
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
        if numbers[beyond]:
            cell = beyond
            direction = (direction + 3) & 3
            turns -= 1
        elif numbers[ahead]:
            cell = ahead
        else:
            direction = walking
            turns += 1
        if cell == start_cell and direction == start_direction:
            return sides, turns


def outer_boundary(board: Board) -> list[int]:
    """C7.2: all sides of the outer boundary, walking cw from the north-west."""
    return walk(board.numbers, min(board.cells) * 4 + WEST)[0]


def pockets(numbers: bytearray, cell: int, runs: tuple[int, ...]) -> list[list[int]]:
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
    neighbours = (board.contact[cell] & 15).bit_count()
    board.perimeter += 4 - 2 * neighbours
    runs = RUNS[board.around[cell]]
    if len(runs) > 1:
        for sides in pockets(board.numbers, cell, runs):
            board.perimeter -= len(sides)
            for side in sides:
                board.standing[outer_cell(side)] |= HOLE


def shut(board: Board, cell: int) -> None:
    """C4.4: note that no tile will ever be laid on this cell."""
    if not board.standing[cell] & SHUT:
        board.standing[cell] |= SHUT
        if board.contact[cell]:
            board.frontier.remove(cell)


def shut_if_cut(board: Board, pieces: dict[int, int], cell: int) -> None:
    """C4.4: shut a cell of the frontier if a tile there would shut off the space in front of a piece."""
    if board.numbers[cell] or board.standing[cell] or not board.contact[cell]:
        return
    runs = RUNS[board.around[cell]]
    if len(runs) < 2:
        return
    board.numbers[cell] = 255  # as if a tile lay here, to see what it would part
    enclosed = pockets(board.numbers, cell, runs)
    board.numbers[cell] = 0
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
        if len(RUNS[board.around[corner]]) > 1:
            shut(board, corner)
