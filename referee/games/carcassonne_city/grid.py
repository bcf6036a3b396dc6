"""The grid of C1: cells, directions, half-sides and side addresses as plain integers.

A cell is one integer, and so is the side of a cell, in the order in which the rule page sorts them: by x, then y,
then direction. No city of 75 tiles that contains (0, 0) reaches further than 74 cells from it, so the board that "has
no limits" (C1.4) fits into a square with a free margin around it.

A row with a place for every cell of that square would be long, and nearly empty. So cells share places: two cells at
the same place are at least 84 steps apart, and nothing asks about two cells further apart than 80 (two tiles of a city
are 74 steps apart at most, marked cells lie within 2 steps of a tile, and cells that are looked at within 4).
"""

from __future__ import annotations

from referee.games.carcassonne_city.components import TILES
from referee.rows import Int, Ints

MARGIN = TILES + 1  # cells between (0, 0) and the edge of the square, which no tile and no tile's neighbour reaches
WIDTH = 2 * MARGIN + 1
CELLS = WIDTH * WIDTH
PLACES = 3766  # of a row over cells: the place of a cell is cell % PLACES

NORTH, EAST, SOUTH, WEST = range(4)
SIDE_NAMES = ("N", "E", "S", "W")

STEPS: tuple[int, ...] = (-1, WIDTH, 1, -WIDTH)  # C1.4: from a cell to its neighbour in direction N, E, S, W
STEP: Ints = list(STEPS)

# C1.7, C1.8 and C7.1 look at the eight cells around a cell, clockwise from the north: even positions share a side
# with it, odd ones only a corner.
AROUND: Ints = [
    STEPS[NORTH],
    STEPS[NORTH] + STEPS[EAST],
    STEPS[EAST],
    STEPS[SOUTH] + STEPS[EAST],
    STEPS[SOUTH],
    STEPS[SOUTH] + STEPS[WEST],
    STEPS[WEST],
    STEPS[NORTH] + STEPS[WEST],
]


def cell_at(x: Int, y: Int) -> Int:
    """C1.4: the cell (x, y), x growing to the east and y to the south."""
    return (x + MARGIN) * WIDTH + y + MARGIN


def x_of(cell: Int) -> Int:
    """C1.4: how far east of the start the cell lies."""
    return cell // WIDTH - MARGIN


def y_of(cell: Int) -> Int:
    """C1.4: how far south of the start the cell lies."""
    return cell % WIDTH - MARGIN


def side_at(x: Int, y: Int, direction: Int) -> Int:
    """C1.10: the side address (x, y, d)."""
    return cell_at(x, y) * 4 + direction


def outer_cell(side: Int) -> Int:
    """C1.10: the cell that the side looks out to."""
    return (side >> 2) + STEP[side & 3]


def mate(half: Int) -> Int:
    """C1.7: the half-side of the neighbour that touches this half-side."""
    return 2 * ((half // 2 + 2) % 4) + 1 - half % 2


START = cell_at(0, 0)
