"""N1: what lies in the box as flat rows of numbers, in which the rules look it up; `components.py` has it as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.nuremberg import components as box
from referee.games.nuremberg.bundles import Amounts
from referee.games.nuremberg.components import Cost
from referee.rows import Int, Ints, Shorts, Smalls


def priced(cost: Cost) -> Amounts:
    """N1.4: a cost as a bundle."""
    return Amounts(sum([amount << 5 * kind for kind, amount in cost]))


def starts(parts: Sequence[Sequence[Any]]) -> list[int]:
    """Return where each part of a table begins, and where the last one ends."""
    return [sum(map(len, parts[:place])) for place in range(len(parts) + 1)]


TOLL_BAR_PRICE = priced(box.TOLL_BAR_COST)
SETTLEMENT_PRICE = priced(box.SETTLEMENT_COST)
WORKSHOP_PRICE = priced(box.WORKSHOP_COST)
WALL_PRICE = priced(box.WALL_COST)
TOWER_PRICE = priced(box.TOWER_COST)
FREE_WALL_PRICE = priced(box.FREE_WALL_COST)

_HARVESTS = [[land for land, _, _ in box.HARVESTS[number]] for number in range(len(box.HARVESTS))]
ROAD_SIZES: Smalls = list(box.ROAD_LENGTHS)
FIRST_SITES: Smalls = [*box.ROAD_STARTS, box.SITE_COUNT]
ROADS_OF_SITES: Smalls = list(box.SITE_ROADS)
FIRST_NEIGHBOURS: Smalls = [min(near) for near in box.SITE_NEIGHBOURS]
LAST_NEIGHBOURS: Smalls = [max(near) for near in box.SITE_NEIGHBOURS]
STARTING_CARDS: Smalls = [amount for cards in box.SITE_CARDS for amount in cards]
NUMBERED: Smalls = list(box.NUMBERED_LANDSCAPES)
NUMBERED_COUNT = len(NUMBERED)
NUMBERS_OF_LANDS: Smalls = list(box.LANDSCAPE_NUMBERS)
KINDS_OF_LANDS: Smalls = list(box.LANDSCAPE_RESOURCES)
SITES_AT_LANDS: Smalls = [site for sites in box.LANDSCAPE_SITES for site in sites]
LAND_STARTS: Shorts = starts(box.LANDSCAPE_SITES)
HARVEST_LANDS: Smalls = [land for lands in _HARVESTS for land in lands]
HARVEST_STARTS: Smalls = starts(_HARVESTS)
NUMBERS_OF_CARDS: Smalls = list(box.CARD_NUMBERS)
EVENTS_OF_CARDS: Smalls = [int(event) for event in box.CARD_EVENTS]
ROADS_OF_CARDS: Smalls = [sum([1 << road for road in roads]) for roads in box.CARD_ROADS]
WARES: Ints = [priced(cost) for cost in box.WARE_COSTS]
PRICES_OF_WARES: Smalls = list(box.WARE_PRICES)
ROADS_OF_WARES: Smalls = [int(road) for road in box.WARE_ROADS]
TOLLS_OF_WARES: Smalls = list(box.WARE_TOLLS)
WARE_COUNT = len(WARES)
DOUBLING: Shorts = list(box.DOUBLING_CORNERS)
SYMBOLS: Shorts = list(box.SYMBOL_CORNERS)
POINTS_OF_COUNCIL: Smalls = list(box.COUNCIL_POINTS)
COUNCIL_CARDS = len(POINTS_OF_COUNCIL)
FEWEST_SEATS = min(box.COUNCIL_IN_USE)
COUNCILS: Smalls = [sum([1 << card for card in cards]) for _, cards in sorted(box.COUNCIL_IN_USE.items())]
OPEN_TOWERS: Smalls = list(box.OPEN_TOWER_SITES)


def road_length(road: Int) -> Int:
    """N1.11: how many segments, and how many sites, a road has."""
    return ROAD_SIZES[road]


def first_site(road: Int) -> Int:
    """N1.11: the first site of a road, also its first segment; those of the next road follow."""
    return FIRST_SITES[road]


def road_of(site: Int) -> Int:
    """N1.11: the road on which a site lies."""
    return ROADS_OF_SITES[site]


def crossing_of(site: Int) -> Int:
    """N0.6: the number of a site on its road."""
    return site - FIRST_SITES[ROADS_OF_SITES[site]] + 1


def first_neighbour(site: Int) -> Int:
    """N5.4: the site before a site on its road, or itself."""
    return FIRST_NEIGHBOURS[site]


def last_neighbour(site: Int) -> Int:
    """N5.4: the site after a site on its road, or itself."""
    return LAST_NEIGHBOURS[site]


def starting_cards(site: Int, kind: Int) -> Int:
    """N2.3, N2.7: how many cards of a kind a settlement on a site pays when the game starts."""
    return STARTING_CARDS[site * box.RESOURCE_COUNT + kind]


def numbered_landscape(place: Int) -> Int:
    """N1.10: the landscapes with a number, by id."""
    return NUMBERED[place]


def number_of_land(landscape: Int) -> Int:
    """N1.10: the number on a landscape, 0 without one."""
    return NUMBERS_OF_LANDS[landscape]


def resource_of(landscape: Int) -> Int:
    """N1.2: the kind that a landscape yields."""
    return KINDS_OF_LANDS[landscape]


def first_corner(landscape: Int) -> Int:
    """N1.10: the place in `site_at` of the first site at a landscape; those of the next landscape follow."""
    return LAND_STARTS[landscape]


def site_at(place: Int) -> Int:
    """N1.10: a site at a landscape."""
    return SITES_AT_LANDS[place]


def first_harvest(number: Int) -> Int:
    """N3.3: the place in `harvested_land` of the first landscape with a number; those of the next number follow."""
    return HARVEST_STARTS[number]


def harvested_land(place: Int) -> Int:
    """N3.3: a landscape that yields when its number is drawn."""
    return HARVEST_LANDS[place]


def number_of_card(card: Int) -> Int:
    """N1.12: the number on an event card, 0 without one."""
    return NUMBERS_OF_CARDS[card]


def event_of_card(card: Int) -> Int:
    """N1.12: what an event card does beside its harvest, an `EventKind`."""
    return EVENTS_OF_CARDS[card]


def has_toll(card: Int, road: Int) -> bool:
    """N4.5: whether an event card collects toll on a road."""
    return ROADS_OF_CARDS[card] >> road & 1 == 1


def ware_cost(ware: Int) -> Amounts:
    """N1.14: what a ware is made of."""
    return Amounts(WARES[ware])


def ware_price(ware: Int) -> Int:
    """N1.14: what a ware brings, if nothing doubles it."""
    return PRICES_OF_WARES[ware]


def ware_road(ware: Int) -> Int:
    """N1.14: the road to a ware's market."""
    return ROADS_OF_WARES[ware]


def ware_toll(ware: Int) -> Int:
    """N1.14: the toll on the way to a ware's market."""
    return TOLLS_OF_WARES[ware]


def doubling_corners(ware: Int) -> Int:
    """N1.15: bit set of the corners whose workshops double a ware."""
    return DOUBLING[ware]


def symbol_corners(kind: Int) -> Int:
    """N1.16: bit set of the corners at which the bank trades a commodity at its best rate."""
    return SYMBOLS[kind]


def council_points(card: Int) -> Int:
    """N1.6: the points of a council card."""
    return POINTS_OF_COUNCIL[card]


def is_in_use(card: Int, seats: Int) -> bool:
    """N1.6: whether a council card is used at a table of this size."""
    return COUNCILS[seats - FEWEST_SEATS] >> card & 1 == 1


def open_tower_sites(walls: Int) -> Int:
    """N1.17: how many tower sites are open between so many walls."""
    return OPEN_TOWERS[walls]
