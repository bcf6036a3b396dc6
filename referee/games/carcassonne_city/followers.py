"""C5: travellers, merchants and residents."""

from __future__ import annotations

from referee.games.carcassonne_city.codes import (
    CROWD_BITS,
    DECLINE,
    FOLLOWER_PLACED,
    PLACE_FOLLOWER,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.carcassonne_city.components import AREAS, MARKETS, STREETS, FeatureKind
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.state import State, tile_of
from referee.games.carcassonne_city.tiles import FIRST_AREAS, FIRST_MARKETS, MARKET, PART_COUNTS, STREET, kind_of_part
from referee.rows import Events, Int, Listing


def crowd_of(seat: Int) -> Int:
    """Return one follower of this seat as a crowd."""
    return 1 << CROWD_BITS * seat


def followers_in(crowd: Int, seat: Int) -> Int:
    """Return how many followers of this seat are in a crowd."""
    return crowd >> CROWD_BITS * seat & (1 << CROWD_BITS) - 1


def has_follower_decision(state: State) -> bool:
    """C5.4: a seat without followers in its supply is not asked."""
    return state.supply[state.active] > 0


def follower_options(state: State, listing: Listing) -> None:
    """C5.1 - C5.3, C13: none, then the legal streets, markets and residential areas of the tile laid last."""
    number = state.tile_count - 1
    tile = tile_of(state, number)
    listing.add(choice_of(DECLINE, 0))
    for part in range(PART_COUNTS[tile]):
        root = find(state, state.first_nodes[number] + part)
        if not state.crowds[root] and (part >= FIRST_AREAS[tile] or state.open_sides[root]):
            kind = kind_of_part(tile, part)
            listing.add(choice_of(PLACE_FOLLOWER, kind | part - first_part(tile, kind) << 2))


def first_part(tile: Int, kind: Int) -> Int:
    """C1.8: the first part of a kind on a tile, if there is any."""
    if kind == STREET:
        return 0
    return FIRST_MARKETS[tile] if kind == MARKET else FIRST_AREAS[tile]


def part_of(tile: int, kind: FeatureKind, index: int) -> int | None:
    """C1.8: the part of a tile type that is the index-th of its kind, or None if there is no such part."""
    counts = (STREETS[tile], MARKETS[tile], AREAS[tile])
    if index not in range(counts[kind.value]):
        return None
    return sum(counts[: kind.value]) + index


def chosen_node(state: State, choice: Choice) -> Int:
    """C5.1: the node of the part of the tile laid last that was chosen for a follower."""
    number = state.tile_count - 1
    kind = argument_of(choice) & 3
    return state.first_nodes[number] + first_part(tile_of(state, number), kind) + (argument_of(choice) >> 2)


def place_follower(state: State, choice: Choice, events: Events) -> None:
    """C5.1: put one follower of the active seat on the tile laid last, or none."""
    if kind_of_choice(choice) != PLACE_FOLLOWER:
        return
    put_follower(state, state.active, chosen_node(state, choice))
    cell = state.cells[state.tile_count - 1]
    events.tell(FOLLOWER_PLACED, state.active, argument_of(choice) & 3, cell, argument_of(choice) >> 2)


def put_follower(state: State, seat: Int, node: Int) -> None:
    """C5.1: put a follower from the seat's supply on a part of a tile."""
    state.supply[seat] -= 1
    state.follower_nodes[state.follower_count] = node
    state.follower_seats[state.follower_count] = seat
    state.follower_count += 1
    state.crowds[find(state, node)] += crowd_of(seat)


def take_followers(state: State, root: Int) -> Int:
    """C6.8: send all followers on a feature back to their owners; return them as a crowd."""
    returned = state.crowds[root]
    state.crowds[root] = 0
    staying = 0
    for place in range(state.follower_count):
        node = state.follower_nodes[place]
        if find(state, node) == root:
            state.supply[state.follower_seats[place]] += 1
        else:
            state.follower_nodes[staying] = node
            state.follower_seats[staying] = state.follower_seats[place]
            staying += 1
    state.follower_count = staying
    return returned
