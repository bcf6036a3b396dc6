"""What is in the box (B1): guilds, tiles, costs and scores, read once from `components.toml`.

A tile is an integer that says what is printed on it; tiles with the same face are the same integer, since no player
could tell them apart:

* an artisan is `100 * guild + 10 * value + 1` with the agent + symbol and `100 * guild + 10 * value` without;
* a citizen is `10 * kind + number`, with `kind` of `CitizenKind` and 0 where no number is printed;
* 0 is no tile.

Two numberings are in use. A `guild` (1 … 6) and a `window` (1 … 4 for A … D) are the rulebook's numbers, as actions,
events and views name them. A `house` and a `pane` are the same things counted from 0, as lists index them.
"""

from __future__ import annotations

import tomllib
from enum import IntEnum
from importlib import resources
from typing import Any

from referee.rows import Int, Shorts

_DATA: dict[str, Any] = tomllib.loads(resources.files(__package__).joinpath("components.toml").read_text("utf-8"))
_LIMITS: dict[str, Any] = _DATA["limits"]
_SCORING: dict[str, Any] = _DATA["scoring"]


class CitizenKind(IntEnum):
    """B1.7: the citizen types, numbered as in a tile's leading digits."""

    COUNCILLOR = 70
    THIEF = 71
    GUARD = 72
    MUSICIAN = 73
    PEDLAR = 74
    MAYOR = 75
    NOBLEMAN = 76
    TAX_COLLECTOR = 77
    ENGRAVER = 78
    FOREMAN = 79
    APPRENTICE = 80


NO_TILE = 0
FIRST_CITIZEN = 10 * CitizenKind.COUNCILLOR
PEDLAR = 10 * CitizenKind.PEDLAR


def artisan(guild: int, value: int, agent_plus: bool) -> int:
    """B1.3: the tile of an artisan of a guild."""
    return 100 * guild + 10 * value + agent_plus


def is_artisan(tile: Int) -> bool:
    """B1.3: whether a tile is an artisan; the others are citizens (B11.6: the Engraver too)."""
    return NO_TILE < tile < FIRST_CITIZEN


def guild_of(tile: Int) -> Int:
    """B1.3: the guild of an artisan."""
    return tile // 100


def value_of(tile: Int) -> Int:
    """B1.4: the value of an artisan, which is the price in his guild while he is its master."""
    return tile // 10 % 10


def has_agent_plus(tile: Int) -> bool:
    """B1.6: whether an artisan shows the agent + symbol."""
    return tile % 10 == 1


def kind_of(tile: Int) -> Int:
    """B1.7: the kind of a citizen, a `CitizenKind`."""
    return tile // 10


def number_of(tile: Int) -> Int:
    """B1.7: the number printed on a citizen, 0 without one."""
    return tile % 10


ROUNDS: int = _DATA["meta"]["rounds"]
TABLE_SIZES = range(_DATA["meta"]["players_min"], _DATA["meta"]["players_max"] + 1)

START_TALERS: int = _LIMITS["start_talers"]
START_AGENTS: int = _LIMITS["start_agents"]
AGENTS_PER_PLAYER: int = _LIMITS["agents_per_player"]
START_GOODS: int = _LIMITS["start_goods_of_each_type"]
GOODS_PER_GUILD: int = _LIMITS["goods_per_guild"]
BLAZONS_PER_GUILD: int = _LIMITS["blazons_per_guild"]
PRESTIGE_BLAZONS: int = _LIMITS["prestige_blazons"]
INCOME: int = _LIMITS["income_per_round"]
MAX_BOUGHT: int = _LIMITS["max_buy_per_action"]
PEDLAR_COUNTS_AS: int = _LIMITS["pedlar_counts_as"]
THIEF_TAKES: int = _LIMITS["thief_takes"]
MAX_TURNS: int = _LIMITS["max_turns_per_round"]

SHOP_TILES: int = _LIMITS["shop_tiles_per_guild"]
UNDER_TILE = SHOP_TILES - 1  # the index of U in a shop; S1 … S4 are 0 … 3
WINDOW_NAMES: tuple[str, ...] = tuple(_LIMITS["lodging_windows"])
PANES = len(WINDOW_NAMES)
FIRST_PANES: tuple[int, ...] = tuple(map(WINDOW_NAMES.index, _LIMITS["lodging_windows_filled_at_setup"]))

GUILD_NAMES: tuple[str, ...] = tuple(guild["name"].split(" (")[0] for guild in _DATA["guild"])
GOOD_NAMES: tuple[str, ...] = tuple(guild["good"] for guild in _DATA["guild"])
ARTISANS: tuple[tuple[int, ...], ...] = tuple(
    tuple(artisan(guild["number"], tile["value"], tile["agent_plus"]) for tile in guild["artisans"])
    for guild in _DATA["guild"]
)
"""B1.5: the artisan tiles of every guild."""

CITIZENS: tuple[int, ...] = tuple(
    10 * CitizenKind[citizen["type"].upper()] + citizen.get("number", 0)
    for citizen in _DATA["citizen"]
    for _ in range(citizen["count"])
)
# The same as rows, for dealing: artisans guild by guild.
ARTISANS_OF_A_GUILD = len(ARTISANS[0])
ARTISAN_TILES: Shorts = [tile for artisans in ARTISANS for tile in artisans]
CITIZEN_COUNT = len(CITIZENS)
CITIZEN_TILES: Shorts = [*CITIZENS]
TILE_CODES = max(CITIZENS) + 1  # room to count tiles by their code
"""B1.8: the citizen tiles."""

GUILDS_BY_SEATS: dict[int, int] = {row["players"]: row["guilds"] for row in _DATA["setup"]}
CITIZENS_BY_SEATS: dict[int, int] = {row["players"]: row["citizens"] for row in _DATA["setup"]}

FIRST_TURN_LIMITS: dict[tuple[int, int], int] = {
    (row["players"], revealed): row["max_goods"]
    for row in _DATA["first_turn_buy_limit"]
    for revealed in row["revealed"]
}
"""B5.9: the most goods bought, by number of players and of revealed cards; what is missing is `MAX_BOUGHT`."""

HIRE_COSTS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((cost["guild"], cost["any"]) for cost in _DATA["hire_cost"][window]) for window in WINDOW_NAMES
)
"""B5.12: per window, the alternatives as (goods of the guild's type, goods of any type)."""

MAJORITY_VP: tuple[int, ...] = tuple(_SCORING["majority"])
MAJORITY_TIE_VP: tuple[int, ...] = (_SCORING["tie_first_each"], _SCORING["tie_second_each"], _SCORING["tie_third_each"])
THRESHOLD_VALUE: int = _SCORING["threshold_value"]
THRESHOLD_VP: int = _SCORING["threshold_vp"]
ALL_TYPES_VP: int = _SCORING["all_types_vp"]
RICHEST_VP: int = _SCORING["richest_vp"]
RICHEST_TIE_VP: int = _SCORING["richest_tie_each"]
TAX_STEP: int = _SCORING["tax_collector_step"]
BLAZON_VP: tuple[int, ...] = tuple(_SCORING["blazon_vp"])
