"""N0, N1: the box holds what the rule page says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from referee.games.nuremberg import components as box
from referee.games.nuremberg.components import Commodity, Corner, EventKind, Resource, Road, Ware, site_name, site_of
from tests.rules.nuremberg.builders import bank_rates


def test_N0_3_enums_follow_the_canonical_order_of_the_data() -> None:
    """N0.7: the order of every list is the order in the data file."""
    assert [kind.name.lower() for kind in Resource] == box.DATA["game"]["resources"]
    assert [kind.name.lower() for kind in Commodity] == box.DATA["game"]["commodities"]
    assert [road.name for road in Road] == [road["id"] for road in box.DATA["road"]]
    assert [ware.name.lower() for ware in Ware] == [ware["id"] for ware in box.DATA["ware"]]
    assert [corner.name.replace("_", "-") for corner in Corner] == [site["id"] for site in box.DATA["workshop_site"]]
    assert [color.name.lower() for color in box.Color] == box.DATA["game"]["colors"]


def test_N0_6_sites_are_named_by_road_and_crossing() -> None:
    assert site_name(site_of("III:7")) == "III:7"
    assert [site_of(name) for name in ("I:1", "I:9", "II:1", "V:7")] == [0, 8, 9, 40]


def test_N1_1_pieces_of_each_player() -> None:
    assert (box.SETTLEMENTS_PER_PLAYER, box.WORKSHOPS_PER_PLAYER, box.BARS_PER_PLAYER) == (5, 4, 15)


def test_N1_2_terrains_yield_their_resource() -> None:
    yields = {
        box.TERRAINS[land]: Resource(box.LANDSCAPE_RESOURCES[land]).name.lower() for land in box.NUMBERED_LANDSCAPES
    }
    assert yields == {"forest": "wood", "pasture": "wool", "field": "grain", "hill": "brick", "mountain": "ore"}


def test_N1_3_N1_9_the_bank_holds_100_cards_and_146_gold() -> None:
    assert box.CARDS_EACH * len(Resource) == 100
    pieces = box.DATA["pieces"]
    assert pieces["gold_ones"] + 5 * pieces["gold_fives"] == box.GOLD_TOTAL == 146


def test_N1_4_costs() -> None:
    def amounts(cost: box.Cost) -> dict[str, int]:
        return {Commodity(kind).name.lower(): amount for kind, amount in cost}

    assert amounts(box.TOLL_BAR_COST) == {"wood": 1, "brick": 1}
    assert amounts(box.SETTLEMENT_COST) == {"wood": 1, "wool": 1, "grain": 1, "brick": 1}
    assert amounts(box.WORKSHOP_COST) == {"grain": 2, "ore": 3}
    assert amounts(box.WALL_COST) == {"brick": 1, "gold": 3}
    assert amounts(box.TOWER_COST) == {"wood": 1, "brick": 1, "gold": 3}
    assert amounts(box.FREE_WALL_COST) == {"gold": 3}


def test_N1_6_N1_7_special_cards() -> None:
    assert box.COUNCIL_POINTS == (4, 3, 2)
    assert box.COUNCIL_IN_USE == {3: (0, 2), 4: (0, 1, 2)}
    assert box.WAYRIGHT_POINTS == 1
    assert box.ROAD_COUNT == 5


def test_N1_8_the_time_track() -> None:
    assert list(box.YEARS) == list(range(1355, 1401, 5))
    assert box.RESHUFFLE_YEARS == (1370, 1385)
    assert box.FINAL_YEAR == 1400


def test_N1_10_numbers_of_the_landscapes() -> None:
    """N1.13: the robber's castle is L28, at the lower left."""
    numbers = Counter(number for number in box.LANDSCAPE_NUMBERS if number)
    assert numbers == {2: 2, **dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11, 12), 3)}
    assert box.LANDSCAPE_COUNT == 31
    assert box.CASTLE == 27
    assert box.TERRAINS.index("city") == 15


def test_N1_11_landscapes_at_the_sites() -> None:
    """A few lines of the table of the rule page, letter and number."""
    letters = {"forest": "F", "pasture": "P", "field": "D", "hill": "H", "mountain": "M", "castle": "castle"}

    def lands(name: str) -> list[str]:
        found = box.SITE_LANDSCAPES[site_of(name)]
        return sorted(f"{letters[box.TERRAINS[land]]}{box.LANDSCAPE_NUMBERS[land] or ''}" for land in found)

    assert lands("I:1") == ["D2", "H12", "P3"]
    assert lands("II:9") == ["H9"]
    assert lands("II:4") == ["H11", "P8"]
    assert lands("III:5") == ["D8", "M2", "M9"]
    assert lands("IV:5") == ["F6", "P5"]
    assert lands("V:7") == ["F12", "F8", "castle"]
    assert box.ROAD_LENGTHS == (9, 9, 9, 7, 7)
    assert box.SITE_COUNT == 41


def test_N1_11_roads_share_no_crossing_and_start_at_the_city() -> None:
    vertices = [vertex for road in box.DATA["road"] for vertex in road["vertices"]]
    assert len(set(vertices)) == len(vertices) == 46
    city = {"0,0,N", "1,-1,S", "0,1,N", "0,0,S", "-1,1,N", "0,-1,S"}
    assert {road["vertices"][0] for road in box.DATA["road"]} < city


def test_N1_12_the_event_deck() -> None:
    numbers = Counter(box.CARD_NUMBERS)
    assert numbers == {0: 6, 2: 1, 12: 1, 3: 2, 11: 2, 4: 3, 10: 3, 5: 4, 9: 4, 6: 5, 8: 5}
    events = Counter(box.CARD_EVENTS)
    assert events == {
        EventKind.YEARS: 3,
        EventKind.MARGRAVE: 4,
        EventKind.FREE_BRICK: 14,
        EventKind.ROAD_TOLL: 4,
        EventKind.NONE: 5,
        EventKind.ROBBER_KNIGHT: 6,
    }
    assert [roads for roads in box.CARD_ROADS if roads] == [(Road.I,), (Road.II,), (Road.III,), (Road.IV, Road.V)]
    for number, event in zip(box.CARD_NUMBERS, box.CARD_EVENTS, strict=True):
        assert (number == 0) == (event is EventKind.ROBBER_KNIGHT)


def test_N1_14_wares() -> None:
    assert box.WARE_PRICES == (4, 3, 3, 5, 3)
    assert box.WARE_ROADS == (Road.I, Road.I, Road.I, Road.II, Road.III)
    assert box.WARE_TOLLS == (2, 2, 2, 1, 1)
    toll_of = set(zip(box.WARE_ROADS, box.WARE_TOLLS, strict=True))
    assert toll_of == {(Road.I, 2), (Road.II, 1), (Road.III, 1)}  # the toll belongs to the city
    assert [sum(amount for _, amount in cost) + 1 for cost in box.WARE_COSTS] == list(box.WARE_PRICES)


def test_N1_15_corners_double_the_wares_of_the_neighbouring_city_hexes() -> None:
    hexes = {(sector["q"], sector["r"]): sector["kind"] for sector in box.DATA["city_hex"]}
    assert len(hexes) == 12
    for corner, site in enumerate(box.DATA["workshop_site"]):
        around = [hexes.get(hexagon) for hexagon in box._hexes_at(site["vertex"])]
        assert site["centre"] in around
        for ware in Ware:
            assert bool(box.DOUBLING_CORNERS[ware] >> corner & 1) == (ware.name.lower() in around)


def test_N1_16_market_rates() -> None:
    """N5.9: a symbol trades its resource at 2, the 3:1 corner everything at 3, the cheaper of both applies."""
    assert bank_rates(0) == (4, 4, 4, 4, 4, 4)
    assert bank_rates(1 << Corner.M_N) == (3, 3, 3, 3, 3, 3)
    for corner, kind in (
        (Corner.M_NE, Resource.WOOD),
        (Corner.M_SW, Resource.WOOL),
        (Corner.M_S, Resource.GRAIN),
        (Corner.M_NW, Resource.BRICK),
        (Corner.M_SE, Resource.ORE),
    ):
        assert bank_rates(1 << corner) == tuple(2 if other.name == kind.name else 4 for other in Commodity)
        assert bank_rates(1 << corner | 1) == tuple(2 if other.name == kind.name else 3 for other in Commodity)
    assert box.BUILDING_YARD_CORNERS == 0b111111000000
    assert bank_rates(box.BUILDING_YARD_CORNERS) == (4, 4, 4, 4, 4, 4)


def test_N1_17_walls_form_a_ring_and_open_tower_sites_in_order() -> None:
    walls = box.DATA["wall"]
    assert len(walls) == box.WALL_PLACES == 26
    for wall, following in pairwise([*walls, walls[0]]):
        assert wall["to"] == following["from"]
    assert box.TOWER_PLACES == 16
    opening = [max(tower["walls"]) for tower in box.DATA["tower"]]
    assert opening == sorted(opening), "so the lowest open empty site is the next number (N5.7)"
    assert [box.OPEN_TOWER_SITES[walls] for walls in (0, 1, 2, 3, 4, 5, 25, 26)] == [0, 0, 1, 1, 2, 3, 15, 16]


def test_N1_18_prestige_chips_never_run_out() -> None:
    pieces = box.DATA["pieces"]
    most = box.WALL_PLACES * box.WALL_PRESTIGE + box.TOWER_PLACES * box.TOWER_PRESTIGE
    assert pieces["prestige_ones"] + 5 * pieces["prestige_fives"] > most == 58


def test_N1_12_every_number_has_its_landscapes_and_its_share_of_cards() -> None:
    """The cards follow the odds of two dice, without the seven."""
    for number in (*range(2, 7), *range(8, 13)):
        assert len(box.HARVESTS[number]) == (2 if number == 2 else 3)
        assert box.CARD_NUMBERS.count(number) == 6 - abs(7 - number)
    assert box.HARVESTS[7] == ()
    assert box.HARVESTS[0] == ()
