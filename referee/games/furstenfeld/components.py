"""F1: what is in the box, read once from `components.toml` into flat tables.

Inside a state a card is its card number, a good its place in the canonical order, a lot or brewery its number less one.
A table `X_OF` is indexed by what a lot shows: card numbers, and after them the printed fields and the bare ground.
"""

from __future__ import annotations

import tomllib
from enum import Enum
from importlib.resources import files
from typing import Any


class Good(Enum):
    """F1.2: the goods in their canonical order, which every enumeration follows."""

    HOPS = 0
    BARLEY = 1
    WATER = 2


class Card(Enum):
    """F1.9: the 28 cards of a set by card number; then what a lot shows before anything is built there.

    The printed fields and the bare ground are not cards (F1.8): nobody holds, builds or removes them.
    """

    FIELD_HOPS_2 = 1
    FIELD_HOPS_3 = 2
    FIELD_HOPS_4 = 3
    FIELD_BARLEY_2 = 4
    FIELD_BARLEY_3 = 5
    FIELD_BARLEY_4 = 6
    FIELD_WATER_2 = 7
    FIELD_WATER_3 = 8
    FIELD_WATER_4 = 9
    BANK_1 = 10
    BANK_2 = 11
    TOWN_HALL_1 = 12
    TOWN_HALL_2 = 13
    LABORATORY_1 = 14
    LABORATORY_2 = 15
    TRADING_OFFICE = 16
    MARKET = 17
    CRANE = 18
    WAREHOUSE = 19
    MAGISTRATE = 20
    PALACE_1 = 21
    PALACE_2 = 22
    PALACE_3 = 23
    PALACE_4 = 24
    PALACE_5 = 25
    PALACE_6 = 26
    TOUR_GUIDE = 27
    RAG_COLLECTOR = 28
    PRINTED_HOPS = 29
    PRINTED_BARLEY = 30
    PRINTED_WATER = 31
    BARE_GROUND = 32


DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("components.toml").read_text(encoding="utf-8"))
_CONSTANTS: dict[str, int] = DATA["constants"]
_CARDS: list[dict[str, Any]] = DATA["card"]
_PRINTED: list[dict[str, Any]] = DATA["printed_field"]

GOODS: tuple[Good, ...] = tuple(Good[name.upper()] for name in DATA["resources"]["order"])
GOOD_COUNT = len(GOODS)
CARDS: tuple[Card, ...] = (Card.BARE_GROUND, *Card)
"""The card or ground of each number. There is no number 0; nothing lies there."""
CARD_COUNT = len(_CARDS)
BARE_GROUND = Card.BARE_GROUND.value

if [good.value for good in GOODS] != list(range(GOOD_COUNT)):
    raise ValueError("components.toml: resources.order: expected hops, barley, water")
if [card["num"] for card in _CARDS] != [Card[card["id"].upper()].value for card in _CARDS]:
    raise ValueError("components.toml: card: a number does not belong to its id")


def _by_number(field: str, *kinds: str) -> tuple[int, ...]:
    """Return one printed number of every card of these kinds (all kinds if none is named), 0 for everything else."""
    table = [0] * (BARE_GROUND + 1)
    for card in _CARDS:
        if not kinds or card["kind"] in kinds:
            table[card["num"]] = card.get(field, 0)
    return tuple(table)


def _harvests() -> tuple[tuple[int, ...], ...]:
    """F1.8, F1.10: what every card or printed field produces, as (hops, barley, water)."""
    table = [(0,) * GOOD_COUNT] * (BARE_GROUND + 1)
    for field in [*_CARDS, *_PRINTED]:
        if "produces" in field:
            number = Card[field["id"].upper()].value
            table[number] = tuple(field["amount"] * (good.name.lower() == field["produces"]) for good in GOODS)
    return tuple(table)


def _new_lots() -> tuple[int, ...]:
    """F1.7, F1.8: what the lots of a board show before anything is built."""
    lots = [BARE_GROUND] * LOT_COUNT
    for field in _PRINTED:
        lots[field["lot"] - 1] = Card[field["id"].upper()].value
    return tuple(lots)


# F1.11 and section 10: the cards. Effects of several visible cards add up (F3.9): tables are summed over the lots.
COST_OF = _by_number("cost")
HARVEST_OF = _harvests()
COINS_OF = _by_number("coins", "bank")
EXTRA_KEEP_OF = _by_number("extra_keep", "town_hall")
EXTRA_DRAW_OF = _by_number("extra_draw", "laboratory")
OFFICE_BONUS_OF = _by_number("bonus_per_unit", "trading_office")
MAX_EXCHANGE_OF = _by_number("max_exchange", "market")
DISCOUNT_OF = _by_number("discount", "crane")
MAX_STORED_OF = _by_number("max_stored", "warehouse")
MARKER_REDUCTION_OF = _by_number("marker_reduction", "magistrate")
COINS_PER_PART_OF = _by_number("coins_per_palace_part", "tour_guide")
MAX_SCRAP_OF = _by_number("max_scrap", "rag_collector")
ADVANCED_LOT_OF = _by_number("advanced_lot", "palace")
IS_PALACE = tuple(int(part > 0) for part in _by_number("part", "palace"))

BASIC_SET: tuple[int, ...] = tuple(card["num"] for card in _CARDS if card["set"] == "basic")
ADVANCED_SET: tuple[int, ...] = tuple(card["num"] for card in _CARDS)

# Boards, breweries and price cards.
LOT_COUNT = _CONSTANTS["lots"]
NEW_LOTS = _new_lots()
DEMAND_CARDS: tuple[tuple[int, ...], ...] = tuple(
    tuple(card[good.name.lower()] for good in GOODS) for card in DATA["demand_card"]
)
BREWERY_NAMES: tuple[str, ...] = tuple(brewery["name"] for brewery in DATA["brewery"])
PRICE_MIN: int = DATA["price_track"]["min"]
PRICE_START: int = DATA["price_track"]["start"]
PRICE_MAX: int = DATA["price_track"]["max"]
MAX_RISE: int = DATA["price_track"]["max_rise_per_round"]
PALACE_PRICES: tuple[int, ...] = tuple(DATA["palace_price"]["cards"])

# Table sizes and the course of a game.
DEFAULT_VARIANT: str = DATA["options"]["default_variant"]
MIN_PLAYERS: int = DATA["options"]["min_players"]
MAX_PLAYERS: int = DATA["options"]["max_players"]
MAX_ROUNDS: int = DATA["options"]["max_rounds"]
START_MONEY = _CONSTANTS["start_money"]
START_HAND_BASIC = _CONSTANTS["start_hand_basic"]
SETUP_DRAW_ADVANCED = _CONSTANTS["setup_draw_advanced"]
SETUP_KEEP_ADVANCED = _CONSTANTS["setup_keep_advanced"]
BASE_DRAW = _CONSTANTS["base_draw"]
BASE_HAND_LIMIT = _CONSTANTS["base_hand_limit"]
MIN_KEEP = _CONSTANTS["min_keep"]
MAX_BUILDS = _CONSTANTS["max_builds_per_round"]
PARTS_TO_WIN = _CONSTANTS["palace_parts_to_win"]
MARKER_MIN = _CONSTANTS["income_marker_min"]

# Names for people.
NAME_OF: tuple[str, ...] = (
    "",
    *(card["name"] for card in _CARDS),
    *(field["name"] for field in _PRINTED),
    "bare ground",
)
