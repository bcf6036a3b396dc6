"""What a position is worth to every seat: points scored, points that followers and guards promise, followers at hand.

Whatever stands on a street or market is scored at the end at the latest (C11.6), so a follower is sure of his points.
A residential area counts only what touches it now.

Points are sums of fractions, which depend on their order in the last digit: features are counted in the order of a set
of their roots, guards after them in the order of their walls. Whoever counts again keeps to that order.
"""

from __future__ import annotations

from typing import TypeAlias

from referee.games.carcassonne_city.components import (
    GUARD_HISTORIC,
    GUARD_PUBLIC,
    HALF_PARTS,
    IS_HISTORIC,
    IS_PUBLIC,
    MARKET_SIDE,
    RESIDENT_POINTS,
    RESIDENTIAL_SIDE,
    SIDE_PARTS,
    SIDES,
    STRIDE,
    TILES,
    TOUCHES,
    FeatureKind,
)
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import CROWD_BITS, followers_in
from referee.games.carcassonne_city.grid import STEPS
from referee.games.carcassonne_city.scoring import kind_of, market_value, street_value
from referee.games.carcassonne_city.state import NOBODY, NOTHING, Board, State

# what the followers at hand are worth, by their number, with all tiles to come
FOLLOWERS: tuple[float, ...] = (0.0, 5.0, 8.5, 11.0, 13.0, 14.5, 15.5, 16.0)
ENVY = 0.5  # how much the points of the best opponent count against ours
GUARDED = tuple(
    GUARD_PUBLIC * public + GUARD_HISTORIC * historic for public, historic in zip(IS_PUBLIC, IS_HISTORIC, strict=True)
)  # C12.6, by tile type: what a guard is paid for it
# C12.4, by oriented tile: its residential sides, each with the part there
RESIDENTIAL_PARTS = tuple(
    tuple((side, HALF_PARTS[turned][2 * side]) for side in range(4) if sides[side] == RESIDENTIAL_SIDE)
    for turned, sides in enumerate(SIDES)
)

Areas: TypeAlias = dict[tuple[int, int], int]
"""The number of markets at areas, by first member and tiles, kept for positions that differ by one tile."""
Promises: TypeAlias = list[tuple[int, float]]
"""What one feature promises: points to a seat, to be counted one after the other."""


def worths(state: State, areas: Areas | None = None) -> list[float]:
    """Return about how many points every seat will have: scored, promised by followers, and still to be made."""
    totals = at_hand(state)
    parents = state.features.parents
    for root in {find(parents, node) for node in state.follower_nodes}:
        for seat, points in promises(state, root, areas):
            totals[seat] += points
    for side, seat in zip(state.wall.sides, state.wall.guards, strict=True):
        if seat != NOBODY:
            totals[seat] += look_along(state.board, side)[0]
    return totals


def lead(totals: list[float], seat: int) -> float:
    """Return our points less a share of the best opponent's."""
    best = -1.0  # points are never negative
    for other, total in enumerate(totals):
        if other != seat and total > best:
            best = total
    return totals[seat] - ENVY * best


def at_hand(state: State) -> list[float]:
    """Return what every seat has scored, and what its followers at hand are worth."""
    to_come = len(state.deck) / TILES
    return [score + to_come * FOLLOWERS[state.supply[seat]] for seat, score in enumerate(state.scores)]


def promises(state: State, root: int, areas: Areas | None = None) -> Promises:
    """Return what a feature promises to every seat: its points to those with most followers there.

    Followers on a complete street or market are about to come home, and are then at hand.
    """
    features, supply = state.features, state.supply
    crowd, points = features.crowds[root], feature_points(state, root, areas)
    is_complete = not features.open_sides[root] and kind_of(state, root) is not FeatureKind.RESIDENTIAL
    owner = (crowd.bit_length() - 1) // CROWD_BITS
    if not crowd & (1 << CROWD_BITS * owner) - 1 and not is_complete:  # nobody else is there
        return [(owner, points)]
    counts, to_come = followers_in(crowd, state.seats), len(state.deck) / TILES
    most = max(counts)
    promised: Promises = []
    for seat, count in enumerate(counts):
        if count == most:
            promised.append((seat, points))
        if count and is_complete:
            promised.append((seat, to_come * (FOLLOWERS[supply[seat] + count] - FOLLOWERS[supply[seat]])))
    return promised


def feature_points(state: State, root: int, areas: Areas | None = None) -> float:
    """Return what a street, market or area is worth to who has most followers there, with some hope of growth."""
    features, kind = state.features, kind_of(state, root)
    bits = features.tile_bits[root]
    if kind is FeatureKind.STREET:
        return street_value(bits.bit_count()) + 1.5 * (len(state.deck) / TILES) * features.open_sides[root]
    if kind is FeatureKind.MARKET:
        kinds = features.market_bits[root].bit_count()
        hope = 1.5 * kinds * (len(state.deck) / TILES) * features.open_sides[root]
        return market_value(bits.bit_count(), kinds) + hope
    if areas is None:
        return RESIDENT_POINTS * len(markets_at(state, root))
    key = (features.firsts[root], bits)
    if key not in areas:
        areas[key] = len(markets_at(state, root))
    return RESIDENT_POINTS * areas[key]


def markets_at(state: State, area: int) -> set[int]:
    """C12.4: the markets that touch a residential area."""
    board, parents = state.board, state.features.parents
    markets: set[int] = set()
    bits = state.features.tile_bits[area]
    while bits:
        number = bits.bit_length() - 1
        bits ^= 1 << number
        tile, cell, base = board.tiles[number], board.cells[number], STRIDE * number
        for part, market in TOUCHES[tile]:
            if find(parents, base + part) == area:
                markets.add(find(parents, base + market))
        for side, part in RESIDENTIAL_PARTS[4 * tile + board.rotations[number]]:
            there = board.numbers.get(cell + STEPS[side], NOTHING)
            if there == NOTHING:
                continue
            turned_there, opposite = 4 * board.tiles[there] + board.rotations[there], side + 2 & 3
            if SIDES[turned_there][opposite] == MARKET_SIDE and find(parents, base + part) == area:
                markets.add(find(parents, STRIDE * there + SIDE_PARTS[turned_there][opposite]))
    return markets


def look_along(board: Board, side: int) -> tuple[int, int]:
    """C9.2, C12.6: what a guard on a wall sees along its row, and the unoccupied cell at the end of it."""
    cell, step = side >> 2, STEPS[side + 2 & 3]
    points = 0
    while (number := board.numbers.get(cell, NOTHING)) != NOTHING:
        points += GUARDED[board.tiles[number]]
        cell += step
    return points, cell


def absence(state: State, seat: int, stays: float = 1.0) -> float:
    """Return what a follower is worth at hand, which is lost while he stands on a feature."""
    return stays * (FOLLOWERS[state.supply[seat]] - FOLLOWERS[state.supply[seat] - 1]) * len(state.deck) / TILES
