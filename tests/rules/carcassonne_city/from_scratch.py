"""The clauses of C1, C4, C6, C7, C9 and C12 again, computed from scratch from the tiles on the table.

Nothing here is kept between two questions, and nothing of the engine is used but the lists of what lies where: tiles
are read from the data file as the rule page describes it, cells are pairs, and everything is searched for.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from referee.games.carcassonne_city.components import STRIDE
from referee.games.carcassonne_city.grid import x_of, y_of
from referee.games.carcassonne_city.state import NOBODY, NOTHING, State
from tests.rules.carcassonne_city.builders import opened, wall_of

Cell = tuple[int, int]
Side = tuple[int, int, int]
Member = tuple[int, int, int]  # x, y, index
Node = tuple[str, Member]  # kind of feature and member

DATA: dict[str, Any] = tomllib.loads(
    files("referee.games.carcassonne_city").joinpath("components.toml").read_text(encoding="utf-8")
)
TYPES: list[dict[str, Any]] = DATA["tile"]
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
LETTERS = "NESW"
HALVES = ("Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn")
KINDS = ("street", "market", "residential")
LISTS = ("streets", "markets", "residential")


@dataclass
class City:
    """What lies on the table."""

    tiles: dict[Cell, tuple[int, int]]  # type and rotation
    pieces: list[Side]
    followers: list[tuple[int, str, Member]] = field(default_factory=list)  # seat, kind, place


@dataclass
class Feature:
    """C6.1: a connected street, market or residential area."""

    kind: str
    members: list[Member]
    open_sides: list[Side]
    market_kinds: set[str]
    followers: Counter[int]

    @property
    def tiles(self) -> int:
        return len({(x, y) for x, y, _index in self.members})


def city_of(state: State) -> City:
    """Read the table of an engine's state."""
    board = opened(state)
    places = [(x_of(cell), y_of(cell)) for cell in board.cells]
    tiles = {place: (tile, turn) for place, tile, turn in zip(places, board.tiles, board.rotations, strict=True)}
    sides = ([] if state.gate == NOTHING else [state.gate]) + wall_of(state).sides.all()
    city = City(tiles, [(x_of(side >> 2), y_of(side >> 2), side & 3) for side in sides])
    for node, seat in zip(opened(state).follower_nodes, opened(state).follower_seats, strict=True):
        number, part = divmod(node, STRIDE)
        tile = TYPES[board.tiles[number]]
        for kind, name in zip(KINDS, LISTS, strict=True):
            if part < len(tile[name]):
                city.followers.append((seat, kind, (*places[number], part)))
                break
            part -= len(tile[name])
    return city


def neighbour(cell: Cell, direction: int) -> Cell:
    """C1.4: the next cell in a direction."""
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


def letter(tile: int, rotation: int, direction: int) -> str:
    """C1.5: what a turned tile shows on a board side."""
    shown: str = TYPES[tile]["sides"][(direction - rotation) % 4]
    return shown


def exterior(tiles: dict[Cell, tuple[int, int]]) -> set[Cell]:
    """C7.1: the free cells in and just around the city's bounding box from which one gets away."""
    low_x, high_x = min(x for x, _ in tiles) - 1, max(x for x, _ in tiles) + 1
    low_y, high_y = min(y for _, y in tiles) - 1, max(y for _, y in tiles) + 1
    reached = {(low_x, low_y)}
    todo = [(low_x, low_y)]
    while todo:
        x, y = todo.pop()
        for dx, dy in STEP:
            cell = (x + dx, y + dy)
            if cell not in reached and cell not in tiles and low_x <= cell[0] <= high_x and low_y <= cell[1] <= high_y:
                reached.add(cell)
                todo.append(cell)
    return reached


def boundary(tiles: dict[Cell, tuple[int, int]]) -> set[Side]:
    """C7.2: all sides of tiles whose outer cell is in the exterior."""
    outside = exterior(tiles)
    return {(*cell, d) for cell in tiles for d in range(4) if neighbour(cell, d) in outside}


def next_side(tiles: dict[Cell, tuple[int, int]], side: Side, k: int) -> Side:
    """C7.4: the table of the rule page, k = 1 for cw and 3 for ccw."""
    c, d = side[:2], side[2]
    t = (d + k) % 4
    a = neighbour(c, t)
    b = neighbour(a, d)
    if b in tiles:
        return *b, (d - k) % 4
    if a in tiles:
        return *a, d
    return *c, (d + k) % 4


def legal_placements(city: City, tile: int) -> list[tuple[int, int, int]]:
    """C4: every placement tried out in full."""
    beside = {neighbour(cell, d) for cell in city.tiles for d in range(4)} - city.tiles.keys()
    before_pieces = {neighbour((x, y), d) for x, y, d in city.pieces}
    found = []
    for cell in sorted(beside - before_pieces):
        if city.pieces and not before_pieces <= exterior({**city.tiles, cell: (tile, 0)}):
            continue
        for rotation in range(4):
            if all(
                (letter(tile, rotation, d) == "S") == (letter(*city.tiles[there], (d + 2) % 4) == "S")
                for d in range(4)
                if (there := neighbour(cell, d)) in city.tiles
            ):
                found.append((*cell, rotation))
    return found


@cache
def layout(tile: int, rotation: int) -> list[tuple[str, int, list[int], list[int]]]:
    """C1.5, C1.7, C1.8: kind, index, board sides and board half-sides of every feature of a turned tile."""
    return [
        (
            kind,
            index,
            [(LETTERS.index(side) + rotation) % 4 for side in part.get("sides", ())],
            [(HALVES.index(half) + 2 * rotation) % 8 for half in part.get("halves", ())],
        )
        for kind, name in zip(KINDS, LISTS, strict=True)
        for index, part in enumerate(TYPES[tile][name])
    ]


def features(city: City, closed: set[Side] | None = None) -> list[Feature]:
    """C6.1, C6.2: all features; `closed` are sides that count as walled besides the pieces."""
    walled = set(city.pieces) | (closed or set())
    linear: dict[Side, Node] = {}  # the street or market on each board side
    land: dict[tuple[int, int, int], Node] = {}  # the area on each board half-side
    links: dict[Node, list[Node]] = {}
    for (x, y), (tile, rotation) in city.tiles.items():
        for kind, index, sides, halves in layout(tile, rotation):
            node = (kind, (x, y, index))
            links[node] = []
            for d in sides:
                linear[x, y, d] = node
            for h in halves:
                land[x, y, h] = node
    open_sides: dict[Node, list[Side]] = {}
    for side, node in linear.items():
        x, y, d = side
        there = (x + STEP[d][0], y + STEP[d][1])
        if there in city.tiles:
            other = linear.get((*there, (d + 2) % 4))
            if other and other[0] == node[0]:
                links[node].append(other)
        elif side not in walled:
            open_sides.setdefault(node, []).append(side)
    for (x, y, h), node in land.items():
        d = h // 2
        other = land.get((x + STEP[d][0], y + STEP[d][1], 2 * ((d + 2) % 4) + 1 - h % 2))
        if other:
            links[node].append(other)
    return _collect(city, links, open_sides)


def _collect(city: City, links: dict[Node, list[Node]], open_sides: dict[Node, list[Side]]) -> list[Feature]:
    followers: dict[Node, Counter[int]] = {}
    for seat, kind, member in city.followers:
        followers.setdefault((kind, member), Counter())[seat] += 1
    found: list[Feature] = []
    seen: set[Node] = set()
    for start in links:
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for node in group:
            for other in links[node]:
                if other not in seen:
                    seen.add(other)
                    group.append(other)
        crowd: Counter[int] = sum((followers[node] for node in group if node in followers), Counter())
        opened = [side for node in group for side in open_sides.get(node, ())]
        found.append(Feature(start[0], [member for _, member in group], opened, _market_kinds(city, group), crowd))
    return found


def _market_kinds(city: City, group: list[Node]) -> set[str]:
    if group[0][0] != "market":
        return set()
    return {TYPES[city.tiles[x, y][0]]["markets"][index]["kind"] for _, (x, y, index) in group}


def value(feature: Feature) -> int:
    """C6.5, C6.6: what a street or market is worth."""
    tiles = feature.tiles
    if feature.kind == "street":
        return tiles if tiles <= 3 else 2 * tiles
    return tiles * len(feature.market_kinds)


def leaders(followers: Counter[int]) -> tuple[int, ...]:
    """C6.7, C12.2: the seats with the highest count."""
    return tuple(sorted(seat for seat in followers if followers[seat] == max(followers.values())))


def resident_points(city: City) -> Counter[int]:
    """C12.2 - C12.4: what each seat gets for its residents."""
    everything = features(city)
    market_at = {member: number for number, f in enumerate(everything) if f.kind == "market" for member in f.members}
    points: Counter[int] = Counter()
    for area in everything:
        if area.kind != "residential" or not area.followers:
            continue
        touching = set()
        for x, y, index in area.members:
            tile, rotation = city.tiles[x, y]
            part = TYPES[tile]["residential"][index]
            touching |= {market_at[x, y, market] for market in part["touches"]}
            for half in part["halves"]:
                d = (HALVES.index(half) // 2 + rotation) % 4
                there = neighbour((x, y), d)
                if there in city.tiles and letter(tile, rotation, d) == "R":
                    other, turned = city.tiles[there]
                    for market, land in enumerate(TYPES[other]["markets"]):
                        if LETTERS[(d + 2 - turned) % 4] in land["sides"]:
                            touching.add(market_at[(*there, market)])
        for seat in leaders(area.followers):
            points[seat] += 2 * len(touching)
    return points


def row(tiles: dict[Cell, tuple[int, int]], side: Side) -> list[Cell]:
    """C9.2: the occupied cells straight behind a side."""
    cells = []
    cell: Cell = side[:2]
    while cell in tiles:
        cells.append(cell)
        cell = neighbour(cell, (side[2] + 2) % 4)
    return cells


def guard_points(city: City, side: Side) -> int:
    """C12.6: what a guard on this side brings."""
    types = [TYPES[city.tiles[cell][0]] for cell in row(city.tiles, side)]
    return sum(2 * tile["public"] + 3 * bool(tile["historic"]) for tile in types)


def guards_of(state: State) -> dict[Side, int]:
    """C9.1: the sides with a guard and its owner."""
    return {
        (x_of(side >> 2), y_of(side >> 2), side & 3): seat
        for side, seat in zip(wall_of(state).sides, wall_of(state).guards, strict=True)
        if seat != NOBODY
    }
