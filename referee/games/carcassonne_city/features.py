"""C6.1 - C6.3: which parts of the tiles belong together, and which features are complete."""

from __future__ import annotations

from referee.games.carcassonne_city.components import STREET_SIDE, STRIDE
from referee.games.carcassonne_city.grid import PLACES, STEP, mate
from referee.games.carcassonne_city.state import State, number_at
from referee.games.carcassonne_city.tiles import (
    MARKET_BITS,
    PART_COUNTS,
    SIDES_REACHED,
    kind_of_part,
    part_on_half,
    part_on_side,
    side_kind,
)
from referee.rows import Int, Ints, Smalls, Words, bit_count

MATES: Smalls = [mate(half) for half in range(8)]
EARLY = 64  # tiles that fit into one word; later ones have their bit in another
ONE: Words = [1 << number for number in range(EARLY)]


def find(state: State, node: Int) -> Int:
    """C6.1: the root that stands for the whole feature of this node."""
    parent = state.parents[node]
    while parent != node:
        node = parent
        parent = state.parents[node]
    return node


def join(state: State, one: Int, other: Int) -> Int:
    """C6.1: make one feature of the features of two nodes and return its root."""
    root = find(state, one)
    child = find(state, other)
    if root == child:
        return root
    if state.sizes[root] < state.sizes[child]:
        root, child = child, root
    state.parents[child] = root
    state.nexts[root], state.nexts[child] = state.nexts[child], state.nexts[root]  # which makes one ring of two
    state.sizes[root] += state.sizes[child]
    state.open_sides[root] += state.open_sides[child]
    state.early_tiles[root] |= state.early_tiles[child]
    state.late_tiles[root] |= state.late_tiles[child]
    state.market_kinds[root] |= state.market_kinds[child]
    state.crowds[root] += state.crowds[child]
    state.crowds[child] = 0
    state.firsts[root] = min(state.firsts[root], state.firsts[child])
    return root


def add_tile(state: State) -> None:
    """C6.1, C6.2: take in the parts of the tile laid last and join them with what they touch."""
    number = state.tile_count - 1
    cell = state.cells[number]
    turned = state.turned[number]
    add_parts(state, number, turned >> 2, cell)
    base = state.first_nodes[number]
    for direction in range(4):
        there = number_at(state, cell + STEP[direction])
        if there >= 0:
            join_sides(state, base, turned, direction, state.first_nodes[there], state.turned[there])
            join_areas(state, base, turned, direction, state.first_nodes[there], state.turned[there])


def add_parts(state: State, number: Int, tile: Int, cell: Int) -> None:
    """C6.1: take in the parts of a tile, each a feature of its own."""
    base = state.node_count
    state.first_nodes[number] = base
    for part in range(PART_COUNTS[tile]):
        state.part_numbers[base + part] = STRIDE * number + part
        state.kinds[base + part] = kind_of_part(tile, part)
        make_alone(state, base + part, number, tile, part)
        state.firsts[base + part] = STRIDE * cell + part
    state.node_count = base + PART_COUNTS[tile]


def make_alone(state: State, node: Int, number: Int, tile: Int, part: Int) -> None:
    """C6.1: let a part of a tile be a feature of its own, on which nobody stands."""
    state.parents[node] = node
    state.nexts[node] = node
    state.sizes[node] = 1
    state.open_sides[node] = SIDES_REACHED[STRIDE * tile + part]
    state.early_tiles[node] = ONE[number] if number < EARLY else 0
    state.late_tiles[node] = 1 << number - EARLY if number >= EARLY else 0
    state.market_kinds[node] = MARKET_BITS[STRIDE * tile + part]
    state.crowds[node] = 0


def join_sides(state: State, base: Int, turned: Int, direction: Int, base_there: Int, turned_there: Int) -> None:
    """C6.1, C6.2: join the streets or markets of two tiles along the side that they share, and close that side."""
    part = part_on_side(turned, direction)
    part_there = part_on_side(turned_there, direction + 2 & 3)
    if part >= 0 and part_there >= 0:
        state.open_sides[join(state, base + part, base_there + part_there)] -= 2
    elif part >= 0:
        state.open_sides[find(state, base + part)] -= 1
    elif part_there >= 0:
        state.open_sides[find(state, base_there + part_there)] -= 1


def join_areas(state: State, base: Int, turned: Int, direction: Int, base_there: Int, turned_there: Int) -> None:
    """C6.1: join the residential areas of two tiles along the side that they share; beside a street there are two."""
    half = 2 * direction
    area = part_on_half(turned, half)
    area_there = part_on_half(turned_there, MATES[half])
    if area < 0 or area_there < 0:
        return  # a market is on this side
    join(state, base + area, base_there + area_there)
    if side_kind(turned, direction) == STREET_SIDE:
        join(state, base + part_on_half(turned, half + 1), base_there + part_on_half(turned_there, MATES[half + 1]))


def tiles_in(state: State, root: Int) -> Int:
    """C6.5, C6.6: how many tiles hold a member of a feature."""
    early = bit_count(state.early_tiles[root])
    return early + bit_count(state.late_tiles[root]) if state.late_tiles[root] else early


def node_on_side(state: State, side: Int) -> Int:
    """C6.2: the node of the street segment or market area that reaches this side of a tile, or -1."""
    number = state.spots[(side >> 2) % PLACES] - 1
    part = part_on_side(state.turned[number], side & 3)
    return state.first_nodes[number] + part if part >= 0 else -1


def touched_features(state: State, roots: Ints) -> Int:
    """C6.4: fill in the streets and markets that the tile laid last can have completed; return how many."""
    number = state.tile_count - 1
    cell = state.cells[number]
    base = state.first_nodes[number]
    turned = state.turned[number]
    count = 0
    for direction in range(4):
        part = part_on_side(turned, direction)
        if part >= 0:
            count = note(roots, count, find(state, base + part))
        else:
            there = number_at(state, cell + STEP[direction])
            part = part_on_side(state.turned[there], direction + 2 & 3) if there >= 0 else -1
            if part >= 0:
                count = note(roots, count, find(state, state.first_nodes[there] + part))
    return count


def note(roots: Ints, count: Int, root: Int) -> Int:
    """Put a feature on a list, unless it is there; return how many are there then."""
    for place in range(count):
        if roots[place] == root:
            return count
    roots[count] = root
    return count + 1
