"""F12: what a seat can answer: one frozen value for every option of the table of decision points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from referee.game import Within
from referee.games.furstenfeld.components import LOT_COUNT, MAX_PLAYERS, Card, Good

MAX_OF_A_GOOD = 16  # F12.6: harvested, stored and exchanged

Units: TypeAlias = Annotated[int, Within(0, MAX_OF_A_GOOD)]
Brewery: TypeAlias = Annotated[int, Within(1, MAX_PLAYERS)]  # as many are open as there are seats


@dataclass(frozen=True, slots=True)
class ChooseNone:
    """F12.7: `none`: no exchange, no brewery, no bonus."""


@dataclass(frozen=True, slots=True)
class Stop:
    """F12.7: `stop`: build, scrap or discard no more."""


@dataclass(frozen=True, slots=True)
class PutUnderDeck:
    """F2.8, F8.3: put a card of the hand under the deck, below the cards put there before."""

    card: Card


@dataclass(frozen=True, slots=True)
class ExchangeGoods:
    """F6.1: turn some units of one good into as many of another."""

    give: Good
    take: Good
    count: Units


@dataclass(frozen=True, slots=True)
class ChooseBrewery:
    """F6.2: sell to this open brewery, numbered from 1."""

    brewery: Brewery


@dataclass(frozen=True, slots=True)
class SellGoods:
    """F6.3: sell a number of units of the good in question."""

    good: Good
    count: Units


@dataclass(frozen=True, slots=True)
class NameBonusGood:
    """F6.5: the good for which the trading office pays."""

    good: Good


@dataclass(frozen=True, slots=True)
class BuildCard:
    """F7.2: build a card of the hand on a lot, numbered from 1."""

    card: Card
    lot: Annotated[int, Within(1, LOT_COUNT)]


@dataclass(frozen=True, slots=True)
class ScrapCard:
    """F8.1: remove a card of the hand from the game."""

    card: Card


@dataclass(frozen=True, slots=True)
class StoreGoods:
    """F8.6: the unsold goods to keep; the rest is lost."""

    hops: Units
    barley: Units
    water: Units


Action: TypeAlias = (
    ChooseNone | Stop | PutUnderDeck | ExchangeGoods | ChooseBrewery | SellGoods | NameBonusGood | BuildCard | ScrapCard
    | StoreGoods
)  # fmt: skip

CHOOSE_NONE = ChooseNone()
STOP = Stop()
