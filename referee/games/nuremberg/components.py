"""N1: what lies in the box, read once from `components.toml` into flat tables of integers."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from importlib.resources import files
from typing import Any


class Resource(IntEnum):
    """N0.3: the five kinds of resource cards, in canonical order."""

    WOOD = 0
    WOOL = 1
    GRAIN = 2
    BRICK = 3
    ORE = 4


class Commodity(IntEnum):
    """N0.3: what can be traded: the five resources, then gold."""

    WOOD = 0
    WOOL = 1
    GRAIN = 2
    BRICK = 3
    ORE = 4
    GOLD = 5


class Road(IntEnum):
    """N1.11: the five roads, by their roman numeral."""

    I = 0  # noqa: E741 - the numeral printed on the board
    II = 1
    III = 2
    IV = 3
    V = 4


class Corner(IntEnum):
    """N1.16: the twelve workshop corners, six at the main market (M) and six at the building yard (B)."""

    M_N = 0
    M_NE = 1
    M_SE = 2
    M_S = 3
    M_SW = 4
    M_NW = 5
    B_N = 6
    B_NE = 7
    B_SE = 8
    B_S = 9
    B_SW = 10
    B_NW = 11


class Ware(IntEnum):
    """N1.14: the five wares made in the city."""

    HELME = 0
    ZIRKEL = 1
    PAPIER = 2
    RUESTUNGEN = 3
    TAND = 4


class CouncilCard(IntEnum):
    """N1.6: the council cards, the most valuable first."""

    SEVEN = 0
    SMALL = 1
    GREAT = 2


class EventKind(IntEnum):
    """N1.12: what an event card does beside its harvest."""

    NONE = 0
    YEARS = 1
    MARGRAVE = 2
    FREE_BRICK = 3
    ROAD_TOLL = 4
    ROBBER_KNIGHT = 5


class Color(IntEnum):
    """N2.3: the colours of the pieces."""

    WHITE = 0
    RED = 1
    BLUE = 2
    ORANGE = 3


Cost = tuple[tuple[int, int], ...]  # (commodity, amount) for every commodity that is asked for

DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("components.toml").read_text(encoding="utf-8"))

RESOURCE_COUNT = len(Resource)
COMMODITY_COUNT = len(Commodity)
GOLD = int(Commodity.GOLD)
NOBODY = -1


def _cost(amounts: dict[str, int]) -> Cost:
    return tuple((int(kind), amounts[kind.name.lower()]) for kind in Commodity if kind.name.lower() in amounts)


def _corner(name: str) -> Corner:
    return Corner[name.replace("-", "_")]


# The table, its limits and the bank (N1.1, N1.3, N1.9, N8.1 to N8.3).
VICTORY_POINTS: int = DATA["game"]["victory_points"]
HAND_LIMIT: int = DATA["game"]["hand_limit"]
START_GOLD: int = DATA["game"]["start_gold"]
MAX_TURNS: int = DATA["caps"]["max_turns"]
MAIN_ACTIONS_PER_TURN: int = DATA["caps"]["main_actions_per_turn"]
PROPOSALS_PER_TURN: int = DATA["caps"]["proposals_per_turn"]
UNITS_PER_SIDE: int = DATA["caps"]["trade_units_per_side"]
SETTLEMENTS_PER_PLAYER: int = DATA["pieces"]["settlements_per_player"]
WORKSHOPS_PER_PLAYER: int = DATA["pieces"]["workshops_per_player"]
BARS_PER_PLAYER: int = DATA["pieces"]["toll_bars_per_player"]
CARDS_EACH: int = DATA["pieces"]["resource_cards_each"]
GOLD_TOTAL: int = DATA["pieces"]["gold_total"]

# Costs and points (N1.4 to N1.7).
TOLL_BAR_COST = _cost(DATA["cost"]["toll_bar"])
SETTLEMENT_COST = _cost(DATA["cost"]["settlement"])
WORKSHOP_COST = _cost(DATA["cost"]["workshop"])
WALL_COST = _cost(DATA["cost"]["wall"])
TOWER_COST = _cost(DATA["cost"]["tower"])
FREE_WALL_COST = _cost(DATA["cost"]["wall_free_brick_event"])
SETTLEMENT_POINTS: int = DATA["points"]["settlement"]
WORKSHOP_POINTS: int = DATA["points"]["workshop"]
WAYRIGHT_POINTS: int = DATA["points"]["wayright"]
WALL_PRESTIGE: int = DATA["points"]["prestige_per_wall"]
TOWER_PRESTIGE: int = DATA["points"]["prestige_per_tower"]
COUNCIL_THRESHOLD: int = DATA["points"]["council_threshold"]
COUNCIL_LOCK: int = DATA["points"]["council_lock"]
COUNCIL_POINTS: tuple[int, ...] = tuple(
    next(card["points"] for card in DATA["council"] if card["id"] == kind.name.lower()) for kind in CouncilCard
)
COUNCIL_IN_USE: dict[int, tuple[int, ...]] = {
    seats: tuple(int(CouncilCard[card["id"].upper()]) for card in DATA["council"] if seats in card["players"])
    for seats in (3, 4)
}

# The time track (N1.8).
YEARS: tuple[int, ...] = tuple(DATA["time"]["fields"])
RESHUFFLE_YEARS: tuple[int, ...] = tuple(DATA["time"]["reshuffle_at"])
FINAL_YEAR: int = DATA["time"]["end"]

# The event deck (N1.12). Cards are counted from 0 inside the rules; E01 is card 0.
CARD_NUMBERS: tuple[int, ...] = tuple(card["number"] for card in DATA["event_card"])
CARD_EVENTS: tuple[EventKind, ...] = tuple(EventKind[card["event"].upper()] for card in DATA["event_card"])
CARD_ROADS: tuple[tuple[Road, ...], ...] = tuple(
    tuple(Road[name] for name in card.get("roads", ())) for card in DATA["event_card"]
)
CARD_COUNT = len(CARD_NUMBERS)

# The surroundings (N1.2, N1.10, N1.13). Landscapes are counted from 0 inside the rules; L01 is landscape 0.
TERRAINS: tuple[str, ...] = tuple(land["terrain"] for land in DATA["landscape"])
LANDSCAPE_NUMBERS: tuple[int, ...] = tuple(land["number"] for land in DATA["landscape"])
LANDSCAPE_COUNT = len(LANDSCAPE_NUMBERS)
LANDSCAPE_RESOURCES: tuple[int, ...] = tuple(
    int(Resource[DATA["terrain"][terrain].upper()]) if terrain in DATA["terrain"] else NOBODY for terrain in TERRAINS
)
CASTLE = TERRAINS.index("castle")
NUMBERED_LANDSCAPES: tuple[int, ...] = tuple(land for land in range(LANDSCAPE_COUNT) if LANDSCAPE_NUMBERS[land] > 0)

# The roads (N1.11). A site is a crossing with k >= 1; sites and segments are counted along road I, then II, and so on.
ROAD_LENGTHS: tuple[int, ...] = tuple(road["length"] for road in DATA["road"])
ROAD_CITIES: tuple[str, ...] = tuple(road["city"] for road in DATA["road"])
ROAD_STARTS: tuple[int, ...] = tuple(sum(ROAD_LENGTHS[:road]) for road in range(len(ROAD_LENGTHS)))
ROAD_COUNT = len(ROAD_LENGTHS)
SITE_COUNT = sum(ROAD_LENGTHS)
SITE_ROADS: tuple[int, ...] = tuple(road for road in range(ROAD_COUNT) for _ in range(ROAD_LENGTHS[road]))
SITE_CROSSINGS: tuple[int, ...] = tuple(
    crossing for road in range(ROAD_COUNT) for crossing in range(1, ROAD_LENGTHS[road] + 1)
)
ROAD_SITES: tuple[range, ...] = tuple(
    range(start, start + length) for start, length in zip(ROAD_STARTS, ROAD_LENGTHS, strict=True)
)
# N5.4: the site itself and its neighbours along the same road.
SITE_NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(near for near in (site - 1, site, site + 1) if near in ROAD_SITES[SITE_ROADS[site]])
    for site in range(SITE_COUNT)
)


def site_of(name: str) -> int:
    """N0.6: the number of the site called `<road>:<k>`, such as `III:7`."""
    road, crossing = name.split(":")
    return ROAD_STARTS[Road[road]] + int(crossing) - 1


def site_name(site: int) -> str:
    """N0.6: the name `<road>:<k>` of a site."""
    return f"{Road(SITE_ROADS[site]).name}:{SITE_CROSSINGS[site]}"


def _hexes_at(vertex: str) -> tuple[tuple[int, int], ...]:
    """N1.10: the three hexes that meet at a vertex; they need not all be on the board."""
    column, row, end = vertex.split(",")
    q, r = int(column), int(row)
    if end == "N":
        return ((q, r), (q, r - 1), (q + 1, r - 1))
    return ((q, r), (q, r + 1), (q - 1, r + 1))


def _site_landscapes() -> tuple[tuple[int, ...], ...]:
    places = {(land["q"], land["r"]): position for position, land in enumerate(DATA["landscape"])}
    vertices = [vertex for road in DATA["road"] for vertex in road["vertices"][1:]]
    return tuple(tuple(sorted(places[hexagon] for hexagon in _hexes_at(v) if hexagon in places)) for v in vertices)


SITE_LANDSCAPES = _site_landscapes()
LANDSCAPE_SITES: tuple[tuple[int, ...], ...] = tuple(
    tuple(site for site in range(SITE_COUNT) if land in SITE_LANDSCAPES[site]) for land in range(LANDSCAPE_COUNT)
)
# N3.3: for each number its landscapes, each with what it yields and the sites at its corners.
HARVESTS: tuple[tuple[tuple[int, int, tuple[int, ...]], ...], ...] = tuple(
    tuple(
        (land, LANDSCAPE_RESOURCES[land], LANDSCAPE_SITES[land])
        for land in NUMBERED_LANDSCAPES
        if LANDSCAPE_NUMBERS[land] == number
    )
    for number in range(max(LANDSCAPE_NUMBERS) + 1)
)
# N2.3, N2.7: one card per numbered landscape at a site, as amounts of the five resources.
SITE_CARDS: tuple[tuple[int, ...], ...] = tuple(
    tuple(sum(1 for land in lands if LANDSCAPE_RESOURCES[land] == kind) for kind in Resource)
    for lands in SITE_LANDSCAPES
)

# Wares and the building yard (N1.14 to N1.16).
WARE_COSTS: tuple[Cost, ...] = tuple(_cost(ware["cost"]) for ware in DATA["ware"])
WARE_PRICES: tuple[int, ...] = tuple(ware["price"] for ware in DATA["ware"])
WARE_ROADS: tuple[Road, ...] = tuple(Road[ware["market"]] for ware in DATA["ware"])  # to the market of each ware
WARE_TOLLS: tuple[int, ...] = tuple(ware["toll"] for ware in DATA["ware"])
CORNER_COUNT = len(Corner)
BUILDING_YARD_CORNERS = sum(
    1 << _corner(site["id"]) for site in DATA["workshop_site"] if site["centre"] == "bauhof"
)  # corners are kept as bits: bit c stands for corner c
DOUBLING_CORNERS: tuple[int, ...] = tuple(
    sum(1 << _corner(site["id"]) for site in DATA["workshop_site"] if ware["id"] in site["wares"])
    for ware in DATA["ware"]
)
_MARKETS: dict[str, int] = {
    site["market"]: 1 << _corner(site["id"]) for site in DATA["workshop_site"] if "market" in site
}
SYMBOL_CORNERS: tuple[int, ...] = tuple(_MARKETS.get(kind.name.lower(), 0) for kind in Commodity)  # none for gold
THREE_TO_ONE_CORNERS: int = _MARKETS["3:1"]
DEFAULT_RATE: int = DATA["bank_trade"]["default_rate"]
THREE_TO_ONE_RATE: int = DATA["bank_trade"]["three_to_one_rate"]
SYMBOL_RATE: int = DATA["bank_trade"]["symbol_rate"]

# Walls and towers (N1.17).
WALL_PLACES = len(DATA["wall"])
TOWER_PLACES = len(DATA["tower"])
OPEN_TOWER_SITES: tuple[int, ...] = tuple(
    sum(1 for tower in DATA["tower"] if max(tower["walls"]) <= walls) for walls in range(WALL_PLACES + 1)
)

# The beginner set-up (N2.3), by colour: the sites of the settlements, and the one that pays its starting cards.
BEGINNER_SETTLEMENTS: tuple[tuple[int, ...], ...] = tuple(
    tuple(site_of(name) for name in DATA["setup"]["beginner"]["settlements"][color.name.lower()]) for color in Color
)
BEGINNER_STARRED: tuple[int, ...] = tuple(
    site_of(DATA["setup"]["beginner"]["starred"][color.name.lower()]) for color in Color
)
BEGINNER_BARS: tuple[tuple[Color, ...], ...] = tuple(
    tuple(Color[name.upper()] for name in DATA["setup"]["beginner"]["bars"][road.name]) for road in Road
)
BEGINNER_WAYRIGHTS: tuple[int, ...] = tuple(
    int(Color[owner.upper()]) if (owner := DATA["setup"]["beginner"]["wayrights"].get(road.name)) else NOBODY
    for road in Road
)
THREE_PLAYER_COLORS: tuple[Color, ...] = tuple(Color[name.upper()] for name in DATA["setup"]["three_players"]["colors"])
