"""C6.1 - C6.3: which parts of the tiles belong together, and which features are complete."""

from __future__ import annotations

from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.components import STRIDE
from referee.games.carcassonne_city.grid import STEPS, mate
from referee.games.carcassonne_city.state import NOTHING, Board, Features

MATES = tuple(mate(half) for half in range(8))
ONES = bytes([1] * STRIDE)


def find(parents: list[int], node: int) -> int:
    """C6.1: the root that stands for the whole feature of this node."""
    while (parent := parents[node]) != node:
        node = parent
    return node


def join(features: Features, one: int, other: int) -> int:
    """C6.1: make one feature of the features of two nodes and return its root."""
    parents = features.parents
    root, child = find(parents, one), find(parents, other)
    if root == child:
        return root
    sizes = features.sizes
    if sizes[root] < sizes[child]:
        root, child = child, root
    parents[child] = root
    sizes[root] += sizes[child]
    features.open_sides[root] += features.open_sides[child]
    features.tile_bits[root] |= features.tile_bits[child]
    features.market_bits[root] |= features.market_bits[child]
    crowds = features.crowds
    if child in crowds:
        crowds[root] = crowds.get(root, 0) + crowds.pop(child)
    firsts = features.firsts
    if firsts[child] < firsts[root]:
        firsts[root] = firsts[child]
    return root


def add_tile(features: Features, board: Board) -> None:
    """C6.1, C6.2: take in the parts of the tile laid last and join them with what they touch."""
    number = len(board.tiles) - 1
    tile, cell = board.tiles[number], board.cells[number]
    add_parts(features, number, tile, cell)
    base, turned = STRIDE * number, 4 * tile + board.rotations[number]
    for direction, base_there, turned_there in neighbours(board, cell):
        join_sides(features, base, turned, direction, base_there, turned_there)
        join_areas(features, base, turned, direction, base_there, turned_there)


def add_parts(features: Features, number: int, tile: int, cell: int) -> None:
    """C6.1: take in the parts of a tile, each a feature of its own."""
    base = STRIDE * number
    features.parents.extend(range(base, base + STRIDE))
    features.sizes.extend(ONES)
    features.open_sides.extend(box.PART_SIDES[tile])
    features.tile_bits.extend([1 << number] * STRIDE)
    features.market_bits.extend(box.PART_MARKET_BITS[tile])
    features.firsts.extend(range(STRIDE * cell, STRIDE * cell + STRIDE))


def neighbours(board: Board, cell: int) -> list[tuple[int, int, int]]:
    """C1.4: the tiles beside a cell, as the direction, the first node and the oriented tile of each."""
    found: list[tuple[int, int, int]] = []
    for direction in range(4):
        there = board.numbers.get(cell + STEPS[direction], NOTHING)
        if there != NOTHING:
            found.append((direction, STRIDE * there, 4 * board.tiles[there] + board.rotations[there]))
    return found


def join_sides(features: Features, base: int, turned: int, direction: int, base_there: int, turned_there: int) -> None:
    """C6.1, C6.2: join the streets or markets of two tiles along the side that they share, and close that side."""
    part, part_there = box.SIDE_PARTS[turned][direction], box.SIDE_PARTS[turned_there][direction + 2 & 3]
    if part >= 0 and part_there >= 0:
        features.open_sides[join(features, base + part, base_there + part_there)] -= 2
    elif part >= 0:
        features.open_sides[find(features.parents, base + part)] -= 1
    elif part_there >= 0:
        features.open_sides[find(features.parents, base_there + part_there)] -= 1


def join_areas(features: Features, base: int, turned: int, direction: int, base_there: int, turned_there: int) -> None:
    """C6.1: join the residential areas of two tiles along the side that they share; beside a street there are two."""
    half, halves, halves_there = 2 * direction, box.HALF_PARTS[turned], box.HALF_PARTS[turned_there]
    if halves[half] < 0 or halves_there[MATES[half]] < 0:
        return  # a market is on this side
    join(features, base + halves[half], base_there + halves_there[MATES[half]])
    if box.SIDES[turned][direction] == box.STREET_SIDE:
        join(features, base + halves[half + 1], base_there + halves_there[MATES[half + 1]])


def node_on_side(board: Board, side: int) -> int:
    """C6.2: the node of the street segment or market area that reaches this side of a tile, or -1."""
    number = board.numbers[side >> 2]
    part = box.SIDE_PARTS[4 * board.tiles[number] + board.rotations[number]][side & 3]
    return STRIDE * number + part if part >= 0 else -1


def touched_roots(features: Features, board: Board) -> list[int]:
    """C6.4: the streets and markets that the tile laid last can have completed."""
    number = len(board.tiles) - 1
    cell = board.cells[number]
    roots: list[int] = []
    for direction in range(4):
        node = node_on_side(board, cell * 4 + direction)
        if node < 0:
            neighbour = cell + STEPS[direction]
            if neighbour in board.numbers:
                node = node_on_side(board, neighbour * 4 + (direction + 2 & 3))
        if node >= 0:
            root = find(features.parents, node)
            if root not in roots:
                roots.append(root)
    return roots
