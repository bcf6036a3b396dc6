"""F13: what each seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Seat, Within, no_such_seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld import state as states
from referee.games.furstenfeld.actions import Brewery, Units
from referee.games.furstenfeld.building import palace_price, price_markers
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.state import Player, State, Step, Variant

T = TypeVar("T")
MAX_INCOME = 999  # of one round: all goods sold at the highest price, banks and guide included
MAX_HAND = 10  # F12.6

SeatNumber: TypeAlias = Annotated[int, Within(0, box.MAX_PLAYERS - 1)]
CardCount: TypeAlias = Annotated[int, Within(0, box.CARD_COUNT)]
PalacePrice: TypeAlias = Annotated[int, Within(box.PALACE_PRICES[0], box.PALACE_PRICES[-1])]
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


ASKED: dict[type[Step], tuple[Question, Phase]] = {
    states.AskSetupBottom: (Question.SETUP_BOTTOM, Phase.SET_UP),
    states.AskExchange: (Question.EXCHANGE, Phase.SELL),
    states.AskBrewery: (Question.BREWERY, Phase.SELL),
    states.AskSellAmount: (Question.SELL_AMOUNT, Phase.SELL),
    states.AskOfficeBonus: (Question.OFFICE_BONUS, Phase.SELL),
    states.AskBuild: (Question.BUILD, Phase.BUILD),
    states.AskScrap: (Question.SCRAP, Phase.DISCARD),
    states.AskDiscard: (Question.DISCARD, Phase.DISCARD),
    states.AskStore: (Question.STORE, Phase.DISCARD),
}


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


def see_estate(player: Player) -> Estate:
    """F13: money, goods, lots and covered cards are open; of hand, deck and scrapped cards only the number is.

    How many cards of a deck were never drawn follows from the open numbers of cards drawn and put under it.
    """
    return Estate(
        player.money,
        player.income,
        player.marker,
        tuple(player.goods),
        cards(player.lots),
        cards(player.covered),
        len(player.hand),
        len(player.deck),
        player.unseen,
        len(player.scrapped),
    )


def observe(state: State, seat: Seat | None) -> View:
    """F13.1 to F13.3: what the seat may know; of its own deck the unknown part as a set, the known tail in order."""
    question: Question | None = None
    phase = Phase.OVER
    asked_seats: tuple[Seat, ...] = ()
    sale_brewery: int | None = None
    sale_amounts: tuple[int, ...] = ()
    built_count = scrapped_count = 0
    if state.agenda.steps:
        step = state.agenda.now()
        question, phase = ASKED[type(step)]
        asked_seats = asked(state, step)
        match step:
            case states.AskSellAmount() | states.AskOfficeBonus():
                sale_brewery, sale_amounts = step.brewery, step.sold
            case states.AskBuild():
                built_count = step.built
            case states.AskScrap():
                scrapped_count = step.scrapped
            case _:
                pass
    hand: list[int] = []
    unseen: list[int] = []
    tail: list[int] = []
    scrapped: list[int] = []
    if seat is not None:
        if seat not in range(len(state.players)):
            raise no_such_seat(seat, len(state.players))
        own = state.players[seat]
        hand, scrapped = own.hand, own.scrapped
        unseen, tail = sorted(own.deck[: own.unseen]), own.deck[own.unseen :]
    return View(
        seat,
        state.variant,
        state.round_number,
        phase,
        question,
        asked_seats,
        state.turn_order,
        sale_brewery,
        sale_amounts,
        built_count,
        scrapped_count,
        state.demand,
        tuple(state.placed),
        tuple(state.prices),
        palace_price(state),
        price_markers(state),
        tuple([see_estate(player) for player in state.players]),
        cards(hand),
        cards(unseen),
        cards(tail),
        cards(scrapped),
    )


def asked(state: State, step: Step) -> tuple[Seat, ...]:
    """F2.8, F3.3: who decides: all seats in the set-up of the advanced game, later one at a time."""
    if isinstance(step, states.AskSetupBottom):
        return tuple(range(len(state.players)))
    return () if isinstance(step, (states.StartRound, states.TakeTurn, states.EndRound)) else (step.seat,)
