"""C3.3, C3.4 and C4: drawing a tile and laying it."""

from __future__ import annotations

from bisect import bisect_left

from referee.game import IllegalActionError
from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.actions import PLACEMENTS, PlaceTile, place_tile
from referee.games.carcassonne_city.boundary import BESIDE, grow_boundary, leave_frontier, shut_if_cut, taken_around
from referee.games.carcassonne_city.events import Event, TileDrawn, TilePlaced, TileRemoved
from referee.games.carcassonne_city.features import add_tile
from referee.games.carcassonne_city.grid import AROUND, MARGIN, STEPS, cell_at
from referee.games.carcassonne_city.state import HOLE, NOTHING, SHUT, Board, State

FIRST_PLACEMENT = PlaceTile(box.START_X, box.START_Y, box.START_ROTATION)

# How many tiles are left when the last tile of each pile has been drawn.
LEFT_AFTER_PILE = tuple(sum(box.PILE_SIZES[pile + 1 :]) for pile in range(len(box.PILE_SIZES)))


def _fitting(tile: int) -> bytes:
    """C4.2: by what touches a cell (Board.contacts), the rotations in which the tile continues all streets, as bits."""
    turned = [box.STREET_BITS[4 * tile + rotation] for rotation in range(4)]
    return bytes(
        sum(1 << rotation for rotation in range(4) if turned[rotation] & contact & 15 == contact >> 4)
        for contact in range(256)
    )


FITTING = tuple(_fitting(tile) for tile in range(len(box.TILE_IDS)))


def pile_of(left: int) -> int:
    """C3.2: the pile of the tile whose draw left this number of tiles undrawn."""
    return next(pile for pile, after in enumerate(LEFT_AFTER_PILE, 1) if left >= after)


def pile_counts(left: int) -> tuple[int, ...]:
    """C14: the number of tiles left in each pile, given the undrawn total."""
    return tuple(max(0, min(size, left - after)) for size, after in zip(box.PILE_SIZES, LEFT_AFTER_PILE, strict=True))


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
    """C3.4: return whether the tile has a legal place at all."""
    board = state.board
    fitting = FITTING[tile]
    return not board.tiles or any(fitting[contact] for contact in board.contacts)


def tile_options(state: State) -> list[PlaceTile]:
    """C4, C13: all legal placements, sorted by x, then y, then rotation."""
    board = state.board
    if not board.tiles:
        return [FIRST_PLACEMENT]
    fitting, frontier = FITTING[state.drawn], board.frontier
    options: list[PlaceTile] = []
    for place, contact in enumerate(board.contacts):
        rotations = fitting[contact]
        if rotations:
            cell = frontier[place]
            options += (PLACEMENTS[cell] or place_tile(cell))[rotations]
    return options


def first_tile_option(state: State) -> PlaceTile:
    """C13: the safe default, which is the first legal placement."""
    board = state.board
    if not board.tiles:
        return FIRST_PLACEMENT
    fitting = FITTING[state.drawn]
    place = next(place for place, contact in enumerate(board.contacts) if fitting[contact])
    return place_tile(board.frontier[place])[fitting[board.contacts[place]]][0]


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
    if cell in board.numbers:
        raise IllegalActionError("C4.1", f"cell {where} is occupied")
    if not taken_around(board.numbers, cell) & BESIDE:
        raise IllegalActionError("C4.1", f"cell {where} does not share a side with a tile")
    if board.standing.get(cell, 0) & SHUT:
        raise IllegalActionError("C4.4", f"a tile on {where} would stand before a wall or shut it off from the outside")
    if not FITTING[state.drawn][board.contacts[bisect_left(board.frontier, cell)]] >> rotation & 1:
        name = box.TILE_IDS[state.drawn]
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
    hole = board.standing.get(cell, 0) & HOLE
    board.numbers[cell] = len(board.tiles)
    board.tiles.append(tile)
    board.cells.append(cell)
    board.rotations.append(rotation)
    _extend_frontier(board, cell, box.STREET_BITS[4 * tile + rotation], hole)
    add_tile(state.features, board)
    if is_first:
        board.perimeter = 4
    elif not hole:
        grow_boundary(board, cell)
        if state.wall.gate != NOTHING:
            _shut_what_is_cut(state, cell)


def _extend_frontier(board: Board, cell: int, streets: int, hole: int) -> None:
    """C4.1, C4.2: keep the free cells beside the city, and what touches them, after a tile was laid on a cell."""
    numbers, standing, frontier, contacts = board.numbers, board.standing, board.frontier, board.contacts
    leave_frontier(board, cell)
    for direction in range(4):
        neighbour = cell + STEPS[direction]
        if neighbour in numbers:
            continue
        touch = (17 if streets >> direction & 1 else 1) << (direction + 2 & 3)
        place = bisect_left(frontier, neighbour)
        if place < len(frontier) and frontier[place] == neighbour:
            contacts[place] |= touch
        elif not standing.get(neighbour, 0) & SHUT:
            frontier.insert(place, neighbour)
            contacts.insert(place, touch)
            if hole:
                standing[neighbour] = hole


def _shut_what_is_cut(state: State, cell: int) -> None:
    """C4.4: after a tile, only the cells around it can newly be the only way out from a piece."""
    board = state.board
    for step in AROUND:
        shut_if_cut(board, state.wall.pieces, cell + step)
