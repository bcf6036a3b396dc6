"""F12: what a seat can answer. Every listed option is one of the values made once here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, TypeAlias

from referee.game import Within
from referee.games.furstenfeld.components import CARDS, GOODS, LOT_COUNT, MAX_PLAYERS, Card, Good

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
PUT_UNDER: tuple[PutUnderDeck, ...] = tuple(PutUnderDeck(card) for card in CARDS)
SCRAP: tuple[ScrapCard, ...] = tuple(ScrapCard(card) for card in CARDS)
BONUS: tuple[NameBonusGood, ...] = tuple(NameBonusGood(good) for good in GOODS)


@cache
def brewery_choice(number: int) -> ChooseBrewery:
    """Return the choice of one brewery."""
    return ChooseBrewery(number)


@cache
def exchanges(most: int, *owned: int) -> tuple[Action, ...]:
    """F6.1: `none`, then every exchange by good given, good taken and amount."""
    return (
        CHOOSE_NONE,
        *(
            ExchangeGoods(give, take, count)
            for give in GOODS
            for take in GOODS
            if take is not give
            for count in range(1, min(most, owned[give.value]) + 1)
        ),
    )


@cache
def sales(good: int, most: int) -> tuple[SellGoods, ...]:
    """F6.3: 0, 1, ... units of one good."""
    return tuple(SellGoods(GOODS[good], count) for count in range(most + 1))


@cache
def sites(card: int, closed: int, only_lot: int) -> tuple[BuildCard, ...]:
    """F7.6, F7.11: one card on every lot that is not closed (bit 0 is lot 1), or on its only lot; by lot number."""
    lots = (only_lot,) if only_lot else range(1, LOT_COUNT + 1)
    return tuple(BuildCard(CARDS[card], lot) for lot in lots if not closed >> (lot - 1) & 1)


@cache
def stores(most: int, *owned: int) -> tuple[StoreGoods, ...]:
    """F8.6: every part of the owned goods with at most a number of units, in ascending lexicographic order."""
    return tuple(
        StoreGoods(hops, barley, water)
        for hops in range(owned[0] + 1)
        for barley in range(owned[1] + 1)
        for water in range(owned[2] + 1)
        if hops + barley + water <= most
    )
