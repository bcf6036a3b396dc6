"""C1.5 - C1.9: what is where on a tile, from `components.py` as rows, for the rules to look up.

A tile is its type, and a turned tile `4 * type + rotation`. Rows over parts have STRIDE entries for each of them.
"""

from __future__ import annotations

from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.components import GUARD_HISTORIC, GUARD_PUBLIC, STRIDE
from referee.rows import Int, Smalls

STREET, MARKET, RESIDENTIAL = range(3)  # C1.8: the kinds of part, as `FeatureKind` numbers them
TURNED = range(len(box.SIDES))
NODES = sum(box.PARTS[tile] for tile in box.BOX)  # parts of all tiles of the box

# by turned tile, side or half-side
SIDE_KINDS: Smalls = [kind for sides in box.SIDES for kind in sides]
PARTS_ON_SIDES: Smalls = [part for parts in box.SIDE_PARTS for part in parts]  # -1: neither street nor market
PARTS_ON_HALVES: Smalls = [part for parts in box.HALF_PARTS for part in parts]  # -1: market
STREETS_ON: Smalls = list(box.STREET_BITS)  # C4.2: the sides with a street, as four bits

# by tile
PART_COUNTS: Smalls = list(box.PARTS)
FIRST_MARKETS: Smalls = list(box.STREETS)
FIRST_AREAS: Smalls = [streets + markets for streets, markets in zip(box.STREETS, box.MARKETS, strict=True)]
PUBLIC: Smalls = list(box.IS_PUBLIC)
HISTORIC: Smalls = list(box.IS_HISTORIC)
GUARDED: Smalls = [
    GUARD_PUBLIC * public + GUARD_HISTORIC * historic
    for public, historic in zip(box.IS_PUBLIC, box.IS_HISTORIC, strict=True)
]

# by tile and part
KINDS_OF_PARTS: Smalls = [
    STREET if part < streets else MARKET if part < streets + markets else RESIDENTIAL
    for streets, markets in zip(box.STREETS, box.MARKETS, strict=True)
    for part in range(STRIDE)
]
SIDES_REACHED: Smalls = [sides for parts in box.PART_SIDES for sides in parts]
MARKET_BITS: Smalls = [bits for parts in box.PART_MARKET_BITS for bits in parts]
TOUCHED: Smalls = [
    sum(1 << market for area, market in touches if area == part) for touches in box.TOUCHES for part in range(STRIDE)
]

# by turned tile and part: the sides that are wholly of this residential area, as four bits
AREA_SIDES: Smalls = [
    sum(
        1 << side
        for side in range(4)
        if box.SIDES[turned][side] == box.RESIDENTIAL_SIDE and box.HALF_PARTS[turned][2 * side] == part
    )
    for turned in TURNED
    for part in range(STRIDE)
]


def side_kind(turned: Int, direction: Int) -> Int:
    """C1.6: what is on a side of a turned tile."""
    return SIDE_KINDS[4 * turned + direction]


def part_on_side(turned: Int, direction: Int) -> Int:
    """C1.8: the street or market on a side of a turned tile, -1 for none."""
    return PARTS_ON_SIDES[4 * turned + direction]


def part_on_half(turned: Int, half: Int) -> Int:
    """C1.8: the residential area on a half-side of a turned tile, -1 for a market."""
    return PARTS_ON_HALVES[8 * turned + half]


def kind_of_part(tile: Int, part: Int) -> Int:
    """C1.8: whether a part is a street, a market or a residential area."""
    return KINDS_OF_PARTS[STRIDE * tile + part]
