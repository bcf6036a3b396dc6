"""C3.3, C3.4 and C4: drawing a tile and laying it."""

from __future__ import annotations

from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.boundary import grow_boundary, leave_frontier, place_in_frontier, shut_if_cut
from referee.games.carcassonne_city.codes import (
    PLACE_TILE,
    TILE_DRAWN,
    TILE_PLACED,
    TILE_REMOVED,
    Choice,
    argument_of,
    choice_of,
)
from referee.games.carcassonne_city.features import add_tile
from referee.games.carcassonne_city.grid import AROUND, PLACES, STEP, cell_at
from referee.games.carcassonne_city.state import HOLE, NOTHING, SHUT, State, standing_of
from referee.games.carcassonne_city.tiles import STREETS_ON
from referee.rows import Events, Int, Ints, Listing, Smalls, copy_part

FIRST_PLACEMENT = cell_at(box.START_X, box.START_Y) << 2 | box.START_ROTATION
CONTACTS = 256  # what may touch a cell: see `State.frontier`

# How many tiles are left when the last tile of each pile has been drawn.
LEFT_AFTER_PILE: Ints = [sum(box.PILE_SIZES[pile + 1 :]) for pile in range(len(box.PILE_SIZES))]


def _fitting(tile: int) -> list[int]:
    """C4.2: by what touches a cell, the rotations in which the tile continues all streets, as bits."""
    turned = [box.STREET_BITS[4 * tile + rotation] for rotation in range(4)]
    return [
        sum(1 << rotation for rotation in range(4) if turned[rotation] & contact & 15 == contact >> 4)
        for contact in range(CONTACTS)
    ]


FITTING: Smalls = [rotations for tile in range(len(box.TILE_IDS)) for rotations in _fitting(tile)]


def pile_of(left: Int) -> Int:
    """C3.2: the pile of the tile whose draw left this number of tiles undrawn."""
    pile = 1
    while left < LEFT_AFTER_PILE[pile - 1]:
        pile += 1
    return pile


def pile_counts(left: int) -> tuple[int, ...]:
    """C14: the number of tiles left in each pile, given the undrawn total."""
    starts = [sum(box.PILE_SIZES[pile + 1 :]) for pile in range(len(box.PILE_SIZES))]
    return tuple([max(0, min(size, left - after)) for size, after in zip(box.PILE_SIZES, starts, strict=True)])


def draw_tile(state: State, events: Events) -> None:
    """C3.3, C3.4: draw tiles until one has a legal place; `drawn` stays empty if the deck runs out before."""
    while state.deck_count:
        state.deck_count -= 1
        tile = state.deck[state.deck_count]
        state.regime = pile_of(state.deck_count)
        events.tell(TILE_DRAWN, state.active, tile, state.regime)
        if has_placement(state, tile):
            state.drawn = tile
            return
        state.removed[state.removed_count] = tile
        state.removed_count += 1
        events.tell(TILE_REMOVED, state.active, tile)


def has_placement(state: State, tile: Int) -> bool:
    """C3.4: return whether the tile has a legal place at all."""
    for entry in state.frontier[: state.frontier_count]:
        if FITTING[tile * CONTACTS + (entry & 255)]:
            return True
    return not state.tile_count


def tile_options(state: State, listing: Listing) -> None:
    """C4, C13: all legal placements, sorted by x, then y, then rotation."""
    if not state.tile_count:
        listing.add(choice_of(PLACE_TILE, FIRST_PLACEMENT))
        return
    fitting = state.drawn * CONTACTS
    count = listing.count
    for entry in state.frontier[: state.frontier_count]:
        rotations = FITTING[fitting + (entry & 255)]
        if rotations:
            first = PLACE_TILE | entry >> 8 << 5  # choice_of, written out: there are many
            if rotations & 1:
                listing.codes[count] = first
                count += 1
            if rotations & 2:
                listing.codes[count] = first + 8
                count += 1
            if rotations & 4:
                listing.codes[count] = first + 16
                count += 1
            if rotations & 8:
                listing.codes[count] = first + 24
                count += 1
    listing.count = count


def place_drawn_tile(state: State, choice: Choice, events: Events) -> None:
    """C4: lay the drawn tile."""
    tile = state.drawn
    cell = argument_of(choice) >> 2
    rotation = argument_of(choice) & 3
    state.drawn = NOTHING
    lay_tile(state, tile, cell, rotation)
    events.tell(TILE_PLACED, state.active, tile, cell, rotation)


def lay_tile(state: State, tile: Int, cell: Int, rotation: Int) -> None:
    """C4, C6.1, C7.2: put the tile on the board and keep features, boundary and free cells up to date."""
    number = state.tile_count
    hole = standing_of(state.spots[cell % PLACES]) & HOLE
    state.spots[cell % PLACES] = number + 1
    state.turned[number] = 4 * tile + rotation
    state.cells[number] = cell
    state.tile_count = number + 1
    extend_frontier(state, cell, STREETS_ON[4 * tile + rotation], hole)
    add_tile(state)
    if not number:
        state.perimeter = 4
    elif not hole:
        grow_boundary(state, cell)
        if state.gate != NOTHING:
            shut_what_is_cut(state, cell)


def extend_frontier(state: State, cell: Int, streets: Int, hole: Int) -> None:
    """C4.1, C4.2: keep the free cells beside the city, and what touches them, after a tile was laid on a cell."""
    leave_frontier(state, cell)
    for direction in range(4):
        neighbour = cell + STEP[direction]
        spot = state.spots[neighbour % PLACES]
        if spot > 0:
            continue
        touch = (17 if streets >> direction & 1 else 1) << (direction + 2 & 3)
        place = place_in_frontier(state, neighbour)
        if place < state.frontier_count and state.frontier[place] >> 8 == neighbour:
            state.frontier[place] |= touch
        elif not standing_of(spot) & SHUT:
            copy_part(state.frontier, place, state.frontier_count, state.frontier, place + 1)
            state.frontier[place] = neighbour << 8 | touch
            state.frontier_count += 1
            if hole:
                state.spots[neighbour % PLACES] = -hole


def shut_what_is_cut(state: State, cell: Int) -> None:
    """C4.4: after a tile, only the cells around it can newly be the only way out from a piece."""
    for step in AROUND:
        shut_if_cut(state, cell + step)
