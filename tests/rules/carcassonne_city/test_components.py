"""C1, C2 and C17: the box holds what the rule page says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.games.carcassonne_city.components import (
    BOX,
    FOLLOWERS,
    HALF_PARTS,
    PART_INDICES,
    PART_KINDS,
    PILE_SIZES,
    SIDE_PARTS,
    SIDES,
    STREET_BITS,
    TILE_IDS,
    TOWERS,
    WALL_QUOTA,
    WALLS,
    FeatureKind,
)
from referee.games.carcassonne_city.grid import (
    PLACES,
    SIDE_NAMES,
    STEPS,
    WIDTH,
    cell_at,
    mate,
    outer_cell,
    side_at,
    x_of,
    y_of,
)
from tests.rules.carcassonne_city.builders import TILE_NUMBERS
from tests.rules.carcassonne_city.from_scratch import DATA, HALVES, LETTERS, TYPES

every_type = pytest.mark.parametrize("tile", TYPES, ids=TILE_IDS)


def test_C1_1_pieces() -> None:
    assert (len(BOX), WALLS, DATA["components"]["gates"], DATA["components"]["towers"]) == (75, 70, 1, 12)
    assert FOLLOWERS == DATA["components"]["followers_per_seat"] - DATA["components"]["score_markers_per_seat"] == 7


def test_C1_2_no_tile_shows_more_than_one_building() -> None:
    assert sum(TYPES[tile]["public"] for tile in BOX) == 32
    assert Counter(TYPES[tile]["historic"] for tile in BOX if TYPES[tile]["historic"]) == Counter(
        ["Petit Puits", "Grand Puits", "Tour Carrée", "Batiment", "Saint Sernin", "Saint Nazaire", "Chateau Comtal"]
    )
    assert not any(tile["public"] and tile["historic"] for tile in TYPES)


def test_C1_4_x_grows_to_the_east_and_y_to_the_south() -> None:
    assert [(x_of(cell_at(5, -7) + step), y_of(cell_at(5, -7) + step)) for step in STEPS] == [
        (5, -8),
        (6, -7),
        (5, -6),
        (4, -7),
    ]
    assert tuple("NESW") == SIDE_NAMES


def test_C1_4_no_two_cells_that_a_city_can_ask_about_share_a_place() -> None:
    """Two tiles are 74 steps apart at most, marked cells lie within 2 of a tile, those that are looked at within 4."""
    sharing = [
        abs(east) + abs(south)
        for east in range(-90, 91)
        for south in range(-90, 91)
        if (east or south) and (WIDTH * east + south) % PLACES == 0
    ]
    assert min(sharing) == 84 > 74 + 2 + 4


def test_C1_5_a_clockwise_turn_moves_the_north_side_to_the_east() -> None:
    street_to_the_north = 4 * TILE_NUMBERS["P06"]
    assert [STREET_BITS[street_to_the_north + rotation] for rotation in range(4)] == [1, 2, 4, 8]


def test_C1_7_half_sides_touch_their_mates() -> None:
    assert mate(HALVES.index("Nw")) == HALVES.index("Sw")
    assert [mate(half) for half in range(8)] == [5, 4, 7, 6, 1, 0, 3, 2]
    for tile in range(len(TYPES)):
        for rotation in range(4):
            assert HALF_PARTS[4 * tile + rotation] == tuple(
                HALF_PARTS[4 * tile][(half - 2 * rotation) % 8] for half in range(8)
            )


def test_C1_8_parts_are_numbered_by_kind_and_keep_their_index_when_turned() -> None:
    crossing = TILE_NUMBERS["M07F"]
    assert [kind.name for kind in PART_KINDS[crossing]] == ["STREET"] * 3 + ["MARKET"] + ["RESIDENTIAL"] * 3
    assert PART_INDICES[crossing] == (0, 1, 2, 0, 0, 1, 2)
    assert [SIDE_PARTS[4 * crossing + rotation].index(3) for rotation in range(4)] == [0, 1, 2, 3]
    assert list(FeatureKind) == [FeatureKind.STREET, FeatureKind.MARKET, FeatureKind.RESIDENTIAL]


def test_C1_10_a_side_looks_out_to_its_outer_cell() -> None:
    assert [outer_cell(side_at(2, 3, d)) for d in range(4)] == [
        cell_at(2, 2),
        cell_at(3, 3),
        cell_at(2, 4),
        cell_at(1, 3),
    ]


def arcs(tile: dict[str, Any]) -> list[list[int]]:
    """C1.9: the groups of rim points that streets and markets link, half-side h sitting at rim point 2h."""
    crossing: list[int] = []
    groups: list[list[int]] = []
    markets = [[4 * LETTERS.index(s) + rim for s in area["sides"] for rim in range(3)] for area in tile["markets"]]
    for street in tile["streets"]:
        points = [4 * LETTERS.index(s) + 1 for s in street["sides"]]
        if street["inner"] == "crossing":
            crossing += points
        elif street["inner"].startswith("market:"):
            markets[int(street["inner"][7:])] += points
        else:
            groups.append(points)
    return [group for group in (*groups, crossing, *markets) if group]


@every_type
def test_C1_9_streets_and_markets_divide_the_land_and_dead_ends_do_not(tile: dict[str, Any]) -> None:
    land: dict[tuple[int, ...], list[str]] = {}
    for half, name in enumerate(HALVES):
        if tile["sides"][half // 2] != "M":
            cut = tuple(sum(point < 2 * half for point in group) % len(group) for group in arcs(tile))
            land.setdefault(cut, []).append(name)
    assert sorted(land.values()) == sorted(sorted(area["halves"], key=HALVES.index) for area in tile["residential"])


@every_type
def test_C1_6_every_side_belongs_to_exactly_the_features_it_shows(tile: dict[str, Any]) -> None:
    reached = [side for part in tile["streets"] + tile["markets"] for side in part["sides"]]
    assert sorted(reached) == sorted(s for s, c in zip(LETTERS, tile["sides"], strict=True) if c in "SM")
    number = TILE_NUMBERS[tile["id"]]
    assert ["RSM"[code] for code in SIDES[4 * number]] == list(tile["sides"])
    for area in tile["residential"]:
        near = [HALVES.index(name) + (1 if HALVES.index(name) % 2 else -1) for name in area["halves"]]
        beside = {LETTERS[half % 8 // 2] for half in near}
        assert area["touches"] == [i for i, m in enumerate(tile["markets"]) if beside & set(m["sides"])]


def test_C1_11_C17_2_totals_of_the_tile_set() -> None:
    types = [TYPES[tile] for tile in BOX]
    totals = {
        "types": len(TYPES),
        "street_sides": sum(tile["sides"].count("S") for tile in types),
        "market_sides": sum(tile["sides"].count("M") for tile in types),
        "residential_sides": sum(tile["sides"].count("R") for tile in types),
        "tiles_with_market": sum(bool(tile["markets"]) for tile in types),
        "tiles_with_two_markets": sum(len(tile["markets"]) == 2 for tile in types),
        "tiles_with_street": sum(bool(tile["streets"]) for tile in types),
        "tiles_with_crossing": sum(any(s["inner"] == "crossing" for s in tile["streets"]) for tile in types),
        "street_segments": sum(len(tile["streets"]) for tile in types),
        "street_inner_ends": sum(bool(s["inner"]) for tile in types for s in tile["streets"]),
        "market_areas": sum(len(tile["markets"]) for tile in types),
        "residential_areas": sum(len(tile["residential"]) for tile in types),
    }
    assert totals == DATA["totals"]
    assert set(Counter(m["kind"] for tile in types for m in tile["markets"]).values()) == {17}


def test_C1_11_the_rule_page_numbers_the_types_as_the_protocol_does() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / "carcassonne_city.md").read_text(encoding="utf-8")
    for number, tile in enumerate(TYPES):
        assert f"\n| {number} | {tile['id']} | {tile['count']} | {' '.join(tile['sides'])} | " in page


def test_C17_1_the_tiles_that_the_sources_name_exist() -> None:
    assert any(len(tile["streets"]) == len(tile["residential"]) == 3 for tile in TYPES)
    assert any({m["kind"] for m in tile["markets"]} == {"grain", "livestock"} for tile in TYPES)
    assert any(tile["public"] and [m["kind"] for m in tile["markets"]] == ["fish"] for tile in TYPES)
    assert all(tile["residential"] for tile in TYPES if tile["public"] or tile["historic"])


def test_C2_1_C2_3_C8_3_numbers_of_the_set_up() -> None:
    assert PILE_SIZES == (30, 25, 20)
    assert TOWERS == {2: 6, 3: 4, 4: 3}
    assert WALL_QUOTA == {2: (0, 2, 4), 3: (0, 1, 2), 4: (0, 1, 2)}
