"""C1: what is in the box, read from `components.toml` into flat tables.

A tile type is the number of its entry in the file, from 0. An oriented tile is `4 * type + rotation`. The features of
a tile are its *parts*: street segments first, then market areas, then residential areas, each in the order of
the file, so that a part's number never changes with rotation (C1.8).
"""

from __future__ import annotations

import tomllib
from enum import Enum
from importlib.resources import files
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("components.toml").read_text(encoding="utf-8"))
_TYPES: list[dict[str, Any]] = _DATA["tile"]

SIDE_LETTERS = "NESW"
HALF_NAMES = ("Nw", "Ne", "En", "Es", "Se", "Sw", "Ws", "Wn")


class FeatureKind(Enum):
    """C1.8: the three kinds of feature a follower can stand on."""

    STREET = 0
    MARKET = 1
    RESIDENTIAL = 2


# C1.1, C2.1 - C2.4: how much there is of everything.
FEWEST_SEATS: int = _DATA["players_min"]
MAX_SEATS: int = _DATA["players_max"]
TILES: int = _DATA["components"]["tiles"]
WALLS: int = _DATA["components"]["walls"]
FOLLOWERS: int = _DATA["components"]["playable_followers_per_seat"]
PILE_SIZES: tuple[int, ...] = tuple(_DATA["setup"]["pile_sizes"])
START_X, START_Y = _DATA["setup"]["start_cell"]
START_ROTATION: int = _DATA["setup"]["start_rotation"]
TOWERS: dict[int, int] = {int(seats): towers for seats, towers in _DATA["setup"]["towers_per_seat"].items()}

# C6, C10, C12: what everything is worth.
STREET_SHORT: int = _DATA["scoring"]["street_points_per_tile_short"]
STREET_LONG: int = _DATA["scoring"]["street_points_per_tile_long"]
STREET_LONG_FROM: int = _DATA["scoring"]["street_long_from_tiles"]
RESIDENT_POINTS: int = _DATA["scoring"]["resident_points_per_market"]
GUARD_PUBLIC: int = _DATA["scoring"]["guard_points_public"]
GUARD_HISTORIC: int = _DATA["scoring"]["guard_points_historic"]
TOWER_POINTS: int = _DATA["scoring"]["tower_points_per_wall"]
END_WHEN_GAP_BELOW: int = _DATA["scoring"]["end_when_gap_below"]

# C8.3, C8.4: walls per seat in one wall phase by seats and regime, and how many of them the gate replaces.
WALL_QUOTA: dict[int, tuple[int, int, int]] = {q["players"]: (0, q["pile2"], q["pile3"]) for q in _DATA["wall_quota"]}
GATE_REPLACES: dict[int, int] = {q["players"]: int(q["gate"] == "replaces") for q in _DATA["wall_quota"]}

# C1.11, C2.1: the tile types and the box, every type as often as it has copies.
TILE_IDS: tuple[str, ...] = tuple(tile["id"] for tile in _TYPES)
TILE_NAMES: tuple[str, ...] = tuple(tile["name"] for tile in _TYPES)
BOX: tuple[int, ...] = tuple(number for number, tile in enumerate(_TYPES) for _ in range(tile["count"]))

# C1.2: buildings by tile type.
IS_PUBLIC: tuple[int, ...] = tuple(tile["public"] for tile in _TYPES)
IS_HISTORIC: tuple[int, ...] = tuple(int(tile["historic"] != "") for tile in _TYPES)

# C1.6: what is on a side.
RESIDENTIAL_SIDE, STREET_SIDE, MARKET_SIDE = range(3)
_SIDE_CODES = {"R": RESIDENTIAL_SIDE, "S": STREET_SIDE, "M": MARKET_SIDE}

STREETS: tuple[int, ...] = tuple(len(tile["streets"]) for tile in _TYPES)
MARKETS: tuple[int, ...] = tuple(len(tile["markets"]) for tile in _TYPES)
AREAS: tuple[int, ...] = tuple(len(tile["residential"]) for tile in _TYPES)
PARTS: tuple[int, ...] = tuple(map(sum, zip(STREETS, MARKETS, AREAS, strict=True)))
STRIDE = max(PARTS)  # part p of the n-th tile on the board is the node STRIDE * n + p


def _part_kinds() -> tuple[tuple[FeatureKind, ...], ...]:
    kinds = tuple(FeatureKind)
    return tuple(
        tuple(kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count))
        for counts in zip(STREETS, MARKETS, AREAS, strict=True)
    )


def _part_indices() -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(index for count in counts for index in range(count))
        for counts in zip(STREETS, MARKETS, AREAS, strict=True)
    )


def _padded(values: list[int]) -> bytes:
    return bytes(values + [0] * (STRIDE - len(values)))


# C1.8, by type and part: the kind of a part, and its index among the parts of its kind.
PART_KINDS: tuple[tuple[FeatureKind, ...], ...] = _part_kinds()
PART_INDICES: tuple[tuple[int, ...], ...] = _part_indices()

# C6.2, by type and part: how many sides a street segment or market area reaches.
PART_SIDES: tuple[bytes, ...] = tuple(
    _padded([len(part["sides"]) for part in tile["streets"] + tile["markets"]]) for tile in _TYPES
)

# C6.6, by type and part: the kind of a market area as one bit.
MARKET_KINDS: tuple[str, ...] = tuple(_DATA["market"]["kinds"])
PART_MARKET_BITS: tuple[bytes, ...] = tuple(
    _padded([0] * len(tile["streets"]) + [1 << MARKET_KINDS.index(area["kind"]) for area in tile["markets"]])
    for tile in _TYPES
)

# C12.4 (a), by type: pairs of a residential part and a market part that border each other inside the tile.
TOUCHES: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(
        (STREETS[number] + MARKETS[number] + index, STREETS[number] + market)
        for index, area in enumerate(tile["residential"])
        for market in area["touches"]
    )
    for number, tile in enumerate(_TYPES)
)


def _unturned_side_parts(number: int) -> list[int]:
    tile = _TYPES[number]
    parts = [-1] * 4
    for part, feature in enumerate(tile["streets"] + tile["markets"]):
        for letter in feature["sides"]:
            parts[SIDE_LETTERS.index(letter)] = part
    return parts


def _unturned_half_parts(number: int) -> list[int]:
    parts = [-1] * 8
    for index, area in enumerate(_TYPES[number]["residential"]):
        for name in area["halves"]:
            parts[HALF_NAMES.index(name)] = STREETS[number] + MARKETS[number] + index
    return parts


def _turned(values: list[int], steps: int) -> tuple[int, ...]:
    """C1.5, C1.7: the values of a rim turned clockwise by a number of places."""
    return tuple(values[(place - steps) % len(values)] for place in range(len(values)))


# C1.5 - C1.9, by oriented tile: what is on each side, the street or market part there (-1: none), and the residential
# part that owns each half-side (-1: market).
SIDES: tuple[tuple[int, ...], ...] = tuple(
    _turned([_SIDE_CODES[letter] for letter in tile["sides"]], rotation) for tile in _TYPES for rotation in range(4)
)
SIDE_PARTS: tuple[tuple[int, ...], ...] = tuple(
    _turned(_unturned_side_parts(number), rotation) for number in range(len(_TYPES)) for rotation in range(4)
)
HALF_PARTS: tuple[tuple[int, ...], ...] = tuple(
    _turned(_unturned_half_parts(number), 2 * rotation) for number in range(len(_TYPES)) for rotation in range(4)
)

# C4.2, by oriented tile: the sides with a street, as four bits.
STREET_BITS: tuple[int, ...] = tuple(
    sum(1 << side for side in range(4) if sides[side] == STREET_SIDE) for sides in SIDES
)
