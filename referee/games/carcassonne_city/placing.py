"""C3.3, C3.4 and C4: drawing a tile and laying it."""

from __future__ import annotations

from bisect import bisect_left, insort

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import PlaceTile, place_tile
from referee.games.carcassonne_city.boundary import grow_boundary, shut_if_cut
from referee.games.carcassonne_city.components import (
    PILE_SIZES,
    START_ROTATION,
    START_X,
    START_Y,
    STREET_BITS,
    TILE_IDS,
)
from referee.games.carcassonne_city.events import Event, TileDrawn, TilePlaced, TileRemoved
from referee.games.carcassonne_city.features import add_tile
from referee.games.carcassonne_city.grid import AROUND, MARGIN, STEPS, cell_at
from referee.games.carcassonne_city.state import HOLE, NOTHING, SHUT, State

FIRST_PLACEMENT = PlaceTile(START_X, START_Y, START_ROTATION)

# How many tiles are left when the last tile of each pile has been drawn.
LEFT_AFTER_PILE = tuple(sum(PILE_SIZES[pile + 1 :]) for pile in range(len(PILE_SIZES)))


def _fitting(tile: int) -> bytes:
    """C4.2: by what touches a cell (Board.contact), the rotations in which the tile continues all streets, as bits."""
    turned = [STREET_BITS[4 * tile + rotation] for rotation in range(4)]
    return bytes(
        sum(1 << rotation for rotation in range(4) if turned[rotation] & contact & 15 == contact >> 4)
        for contact in range(256)
    )


FITTING = tuple(_fitting(tile) for tile in range(len(TILE_IDS)))


def pile_of(left: int) -> int:
    """C3.2: the number of the pile from which the tile came that left so many tiles undrawn."""
    return next(pile for pile, after in enumerate(LEFT_AFTER_PILE, 1) if left >= after)


def pile_counts(left: int) -> tuple[int, ...]:
    """C14: how many tiles are left in each pile when so many are undrawn."""
    return tuple(max(0, min(size, left - after)) for size, after in zip(PILE_SIZES, LEFT_AFTER_PILE, strict=True))


def draw_tile(state: State) -> list[Event]:
    """C3.3, C3.4: draw tiles until one has a legal place; `drawn` stays empty if the deck runs out before."""
    events: list[Event] = []
    while state.deck:
        tile = state.deck.pop()
        state.regime = pile_of(len(state.deck))
        events.append(TileDrawn(state.active, tile, state.regime))
        if has_placement(state, tile):
            state.drawn = tile
            return events
        state.removed.append(tile)
        events.append(TileRemoved(state.active, tile))
    return events


def has_placement(state: State, tile: int) -> bool:
    """C3.4: tell whether the tile has a legal place at all."""
    board = state.board
    fitting, contact = FITTING[tile], board.contact
    return not board.tiles or any(fitting[contact[cell]] for cell in board.frontier)


def tile_options(state: State) -> list[PlaceTile]:
    """C4, C13: all legal placements, sorted by x, then y, then rotation."""
    board = state.board
    if not board.tiles:
        return [FIRST_PLACEMENT]
    fitting, contact = FITTING[state.drawn], board.contact
    options: list[PlaceTile] = []
    for cell in board.frontier:
        rotations = fitting[contact[cell]]
        if rotations:
            options += place_tile(cell)[rotations]
    return options


def first_tile_option(state: State) -> PlaceTile:
    """C13: the safe default, which is the first legal placement."""
    board = state.board
    if not board.tiles:
        return FIRST_PLACEMENT
    fitting, contact = FITTING[state.drawn], board.contact
    cell = next(cell for cell in board.frontier if fitting[contact[cell]])
    return place_tile(cell)[fitting[contact[cell]]][0]


def check_tile(state: State, action: PlaceTile) -> None:
    """C4.1 - C4.6: refuse a placement that is not legal and say why."""
    x, y, rotation = action.x, action.y, action.rotation
    where = f"({x}, {y})"
    board = state.board
    if not board.tiles:
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
    if board.numbers[cell]:
        raise IllegalActionError("C4.1", f"cell {where} is occupied")
    if not board.contact[cell]:
        raise IllegalActionError("C4.1", f"cell {where} does not share a side with a tile")
    if board.standing[cell] & SHUT:
        raise IllegalActionError("C4.4", f"a tile on {where} would stand before a wall or shut it off from the outside")
    if not FITTING[state.drawn][board.contact[cell]] >> rotation & 1:
        name = TILE_IDS[state.drawn]
        raise IllegalActionError("C4.2", f"{name} on {where} with rotation {rotation} does not continue the streets")


def place_drawn_tile(state: State, action: PlaceTile) -> list[Event]:
    """C4: lay the drawn tile."""
    tile = state.drawn
    state.drawn = NOTHING
    lay_tile(state, tile, cell_at(action.x, action.y), action.rotation)
    return [TilePlaced(state.active, tile, action.x, action.y, action.rotation)]


def lay_tile(state: State, tile: int, cell: int, rotation: int) -> None:
    """C4, C6.1, C7.2: put the tile on the board and keep features, boundary and free cells up to date."""
    board = state.board
    is_first = not board.tiles
    board.tiles.append(tile)
    board.cells.append(cell)
    board.rotations.append(rotation)
    board.numbers[cell] = len(board.tiles)
    _extend_frontier(state, cell, STREET_BITS[4 * tile + rotation])
    add_tile(state.features, board)
    if is_first:
        board.perimeter = 4
    elif not board.standing[cell] & HOLE:
        grow_boundary(board, cell)
        if state.wall.gate != NOTHING:
            _shut_what_is_cut(state, cell)


def _extend_frontier(state: State, cell: int, streets: int) -> None:
    """C4.1, C4.2: keep the free cells beside the city, and what touches them, after a tile was laid on a cell."""
    board = state.board
    contact, standing, frontier, around = board.contact, board.standing, board.frontier, board.around
    if contact[cell]:
        del frontier[bisect_left(frontier, cell)]
    hole = standing[cell] & HOLE
    for direction in range(4):
        neighbour = cell + STEPS[direction]
        if not contact[neighbour] and not board.numbers[neighbour]:
            standing[neighbour] |= hole
            if not standing[neighbour] & SHUT:
                insort(frontier, neighbour)
        opposite = direction + 2 & 3
        contact[neighbour] |= (17 if streets >> direction & 1 else 1) << opposite
    for place in range(8):
        around[cell + AROUND[place]] |= 1 << (place + 4 & 7)


def _shut_what_is_cut(state: State, cell: int) -> None:
    """C4.4: after a tile, only the cells around it can newly be the only way out from a piece."""
    board = state.board
    for step in AROUND:
        shut_if_cut(board, state.wall.pieces, cell + step)
