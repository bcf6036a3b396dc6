"""F13.4: what the table sees happen. Every decision carried out is announced, and what came of it.

A card that only its owner may know is None in what the others witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from referee.game import Seat
from referee.games.furstenfeld.components import Card, Good


class EndReason(Enum):
    """F11.6: why a game ended."""

    PALACE = 0
    ROUND_LIMIT = 1


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """F3.5: a new round, with its turn order."""

    round_number: int
    turn_order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """F4.1: a seat drew cards from its deck; only the seat knows which (sorted by card number)."""

    seat: Seat
    count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GoodsHarvested:
    """F5.1: a seat's visible fields produced goods."""

    seat: Seat
    hops: int
    barley: int
    water: int


@dataclass(frozen=True, slots=True)
class ExchangeDeclined:
    """F6.1: a seat left its market alone."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GoodsExchanged:
    """F6.1: a seat's market turned units of one good into another."""

    seat: Seat
    give: Good
    take: Good
    count: int


@dataclass(frozen=True, slots=True)
class BreweryChosen:
    """F6.2: a seat chose the brewery it sells to, or none."""

    seat: Seat
    brewery: int | None


@dataclass(frozen=True, slots=True)
class AmountChosen:
    """F6.3: a seat chose how much of one good it sells."""

    seat: Seat
    good: Good
    count: int


@dataclass(frozen=True, slots=True)
class BonusGoodNamed:
    """F6.5: a seat named the good its trading office earns on, or none."""

    seat: Seat
    good: Good | None


@dataclass(frozen=True, slots=True)
class GoodsSold:
    """F6.6 to F6.8: a sale was paid and placed; `prices` are those of the brewery afterwards."""

    seat: Seat
    brewery: int
    hops: int
    barley: int
    water: int
    payment: int
    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IncomeReceived:
    """F6.11, F6.12: a seat's income of the round, where it came from, and where its marker went."""

    seat: Seat
    payment: int
    office_bonus: int
    bank_coins: int
    tour_guide_coins: int
    income: int
    marker: int


@dataclass(frozen=True, slots=True)
class CardBuilt:
    """F7.2, F7.7: a seat built a card; `covered` is what the lot showed before."""

    seat: Seat
    card: Card
    lot: int
    cost: int
    covered: Card


@dataclass(frozen=True, slots=True)
class PalacePriceRaised:
    """F7.9: a palace price card was removed; the price is None after the last one (F7.10)."""

    price: int | None


@dataclass(frozen=True, slots=True)
class PalaceFinished:
    """F11.1: a seat shows all six palace parts, so this round is the last."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BuildingStopped:
    """F7.1: a seat builds no more in this round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardScrapped:
    """F8.1: a seat's rag collector removed a card of its hand, face down."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class ScrappingStopped:
    """F8.1: a seat scraps no more in this round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPutUnder:
    """F2.8, F8.3: a seat put a card of its hand under its deck, face down."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class DiscardingStopped:
    """F8.3: a seat keeps the cards it still holds."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GoodsStored:
    """F8.5, F8.6: what a seat's warehouse keeps, and how many unsold goods were lost."""

    seat: Seat
    hops: int
    barley: int
    water: int
    lost_count: int


@dataclass(frozen=True, slots=True)
class PricesAdjusted:
    """F9.1: the prices of all open breweries for the next round; three for each brewery, in the order of the goods."""

    prices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """F11.6: the result: rounds played, and per seat its rank, palace parts and money."""

    reason: EndReason
    rounds: int
    ranks: tuple[int, ...]
    palace_parts: tuple[int, ...]
    coins: tuple[int, ...]


Event: TypeAlias = (
    RoundStarted | CardsDrawn | GoodsHarvested | ExchangeDeclined | GoodsExchanged | BreweryChosen | AmountChosen
    | BonusGoodNamed | GoodsSold | IncomeReceived | CardBuilt | PalacePriceRaised | PalaceFinished | BuildingStopped
    | CardScrapped | ScrappingStopped | CardPutUnder | DiscardingStopped | GoodsStored | PricesAdjusted | GameEnded
)  # fmt: skip


def witness(event: Event, seat: Seat | None) -> Event:
    """F13.1: the event as this seat saw it; cards drawn, put down or scrapped are their owner's secret."""
    match event:
        case CardsDrawn(seat=owner) if owner != seat:
            return CardsDrawn(owner, event.count, ())
        case CardPutUnder(seat=owner) if owner != seat:
            return CardPutUnder(owner, None)
        case CardScrapped(seat=owner) if owner != seat:
            return CardScrapped(owner, None)
        case _:
            return event
