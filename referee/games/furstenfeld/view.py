"""F13: what each seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Seat, Within, no_such_seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import Brewery, Units
from referee.games.furstenfeld.building import palace_price, price_markers
from referee.games.furstenfeld.components import (
    GOOD_COUNT,
    Card,
)
from referee.games.furstenfeld.state import (
    ASK_BUILD,
    ASK_SCRAP,
    ASK_SETUP_BOTTOM,
    State,
    covered_by,
    deck_of,
    goods_of,
    hand_of,
    lots_of,
    scrapped_by,
)
from referee.games.furstenfeld.variant import Variant
from referee.rows import Int, tupled
from referee.values import quickly_made

T = TypeVar("T")
MAX_INCOME = 999  # of one round: all goods sold at the highest price, banks and guide included
MAX_HAND = 10  # F12.6

SeatNumber: TypeAlias = Annotated[int, Within(0, box.MAX_PLAYERS - 1)]
CardCount: TypeAlias = Annotated[int, Within(0, box.CARD_COUNT)]
PalacePrice: TypeAlias = Annotated[int, Within(min(box.PALACE_PRICES), max(box.PALACE_PRICES))]
Cards: TypeAlias = Annotated[tuple[Card, ...], AtMost(box.CARD_COUNT)]
PerGood = Annotated[tuple[T, ...], AtMost(box.GOOD_COUNT)]
PerBreweryAndGood = Annotated[tuple[T, ...], AtMost(box.GOOD_COUNT, per_seat=True)]  # as many breweries as seats


class Question(Enum):
    """F12.1: the nine decisions, by their names in the rule page's table."""

    SETUP_BOTTOM = 0
    EXCHANGE = 1
    BREWERY = 2
    SELL_AMOUNT = 3
    OFFICE_BONUS = 4
    BUILD = 5
    SCRAP = 6
    DISCARD = 7
    STORE = 8


class Phase(Enum):
    """F3.1: the phases in which something is asked; draw, harvest and price adjustment happen immediately."""

    SET_UP = 0
    SELL = 1
    BUILD = 2
    DISCARD = 3
    OVER = 4


PHASES: Mapping[Question, Phase] = {
    Question.SETUP_BOTTOM: Phase.SET_UP,
    Question.EXCHANGE: Phase.SELL,
    Question.BREWERY: Phase.SELL,
    Question.SELL_AMOUNT: Phase.SELL,
    Question.OFFICE_BONUS: Phase.SELL,
    Question.BUILD: Phase.BUILD,
    Question.SCRAP: Phase.DISCARD,
    Question.DISCARD: Phase.DISCARD,
    Question.STORE: Phase.DISCARD,
}
QUESTIONS = tuple(Question)  # of every step that asks, in their order


@quickly_made
@dataclass(frozen=True, slots=True)
class Estate:
    """What everybody sees of one seat."""

    money: Annotated[int, Within(0, box.MAX_ROUNDS * MAX_INCOME)]
    income: Annotated[int, Within(0, MAX_INCOME)]  # of this round; 0 until its phase 3 is over
    marker: Annotated[int, Within(0, MAX_INCOME)]  # of turn order: the last round's until it has sold in this one
    goods: PerGood[Units]  # hops, barley, water
    lots: Annotated[tuple[Card, ...], AtMost(box.LOT_COUNT)]  # what lots 1 to 6 show
    covered_cards: Cards  # out of the game, in the order they were covered
    hand_count: CardCount
    deck_count: CardCount
    unseen_count: CardCount  # number of cards on top of the deck never drawn; all can count them
    scrapped_count: CardCount


@quickly_made
@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know. Breweries take three entries each: hops, barley, water of brewery 1, then of 2, ..."""

    seat: SeatNumber | None  # who is looking; None is a spectator
    variant: Variant
    round_number: Annotated[int, Within(0, box.MAX_ROUNDS)]  # 0 in the set-up of the advanced game
    phase: Phase
    question: Question | None  # None when the game is over
    asked_seats: PerSeat[SeatNumber]
    turn_order: PerSeat[SeatNumber]
    sale_brewery: Brewery | None  # the brewery of the sale being decided
    sale_amounts: PerGood[Units]  # the amounts chosen for it so far, in the order of the goods
    built_count: Annotated[int, Within(0, box.MAX_BUILDS)]  # while building is asked: cards built in this turn
    scrapped_count: Annotated[int, Within(0, max(box.MAX_SCRAP_OF))]  # while scrapping is asked: cards scrapped
    demands: PerBreweryAndGood[Annotated[int, Within(0, 3)]]  # three for each brewery
    placed_goods: PerBreweryAndGood[Annotated[int, Within(0, 3)]]  # three for each brewery
    prices: PerBreweryAndGood[Annotated[int, Within(0, box.PRICE_MAX)]]  # three for each brewery
    palace_price: PalacePrice | None  # None when the last price card is gone
    palace_price_markers: Annotated[int, Within(0, box.MAX_PLAYERS - 1)]
    estates: PerSeat[Estate]  # by seat
    hand_cards: Annotated[tuple[Card, ...], AtMost(MAX_HAND)]  # the viewer's hand, by card number
    unseen_cards: Cards  # on top of the viewer's deck in unknown order; listed by card number
    tail_cards: Cards  # below those, in the order they will be drawn
    scrapped_cards: Cards  # by the viewer, in the order they were scrapped


def cards(numbers: list[int]) -> tuple[Card, ...]:
    """Return the cards of these numbers, in the same order."""
    return tuple([box.CARDS[number] for number in numbers])


def see_estate(state: State, seat: Int) -> Estate:
    """F13: money, goods, lots and covered cards are open; of hand, deck and scrapped cards only the number is.

    How many cards of a deck were never drawn follows from the open numbers of cards drawn and put under it.
    """
    return Estate(
        state.money[seat],
        state.income[seat],
        state.marker[seat],
        tuple(goods_of(state, seat)),
        cards(lots_of(state, seat)),
        cards(covered_by(state, seat)),
        state.hand_count[seat],
        state.deck_count[seat],
        state.unseen[seat],
        state.scrapped_count[seat],
    )


def observe(state: State, seat: Seat | None) -> View:
    """F13.1 to F13.3: what the seat may know; of its own deck the unknown part as a set, the known tail in order."""
    question: Question | None = None
    phase = Phase.OVER
    asked_seats: tuple[Seat, ...] = ()
    built_count = scrapped_count = 0
    seats: Int = state.seats
    if state.agenda_count:
        now: Int = state.agenda_count - 1
        step: Int = state.agenda[now]
        question = QUESTIONS[step]
        phase = PHASES[question]
        asked_seats = tuple(range(seats)) if step == ASK_SETUP_BOTTOM else (state.step_seats[now],)
        if step == ASK_BUILD:
            built_count = state.step_counts[now]
        elif step == ASK_SCRAP:
            scrapped_count = state.step_counts[now]
    hand: list[int] = []
    unseen: list[int] = []
    tail: list[int] = []
    scrapped: list[int] = []
    if seat is not None:
        if seat not in range(seats):
            raise no_such_seat(seat, seats)
        hand, deck, scrapped = hand_of(state, seat), deck_of(state, seat), scrapped_by(state, seat)
        unseen, tail = sorted(deck[: state.unseen[seat]]), deck[state.unseen[seat] :]
    return View(
        seat,
        Variant.ADVANCED if state.is_advanced else Variant.BASIC,
        state.round_number,
        phase,
        question,
        asked_seats,
        tupled(state.turn_order, 0, seats),
        state.sale_brewery or None,
        tupled(state.sale_amounts, 0, state.sale_count),
        built_count,
        scrapped_count,
        tupled(state.demand, 0, seats * GOOD_COUNT),
        tupled(state.placed, 0, seats * GOOD_COUNT),
        tupled(state.prices, 0, seats * GOOD_COUNT),
        palace_price(state) or None,
        price_markers(state),
        tuple([see_estate(state, each) for each in range(seats)]),
        cards(hand),
        cards(unseen),
        cards(tail),
        cards(scrapped),
    )
