"""The state of a game: numbers and flat rows of numbers, and the steps that say where in the round we are as codes.

Rows are flat: breweries take three entries each, in the order of the goods; seats follow each other, each with room for
its goods, its lots or all cards of its set. A card is its card number. What is used of a row depends on counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NewType

from referee.fingerprint import fingerprint_of, told
from referee.games.furstenfeld.components import CARD_COUNT, GOOD_COUNT, LOT_COUNT, MAX_PLAYERS
from referee.rows import Int, Ints, Smalls, Struct, cloner, copy_part, listed, packed

SEATS = MAX_PLAYERS
AGENDA = 16  # room for the steps to come

Step = NewType("Step", int)
"""What happens in a step of the agenda: one of the following."""

ASK_SETUP_BOTTOM = Step(0)  # F2.8: every seat puts one card of its first ten under its deck; repeated until one is left
ASK_EXCHANGE = Step(1)  # F6.1: whether the market exchanges goods; passed over without a visible market
ASK_BREWERY = Step(2)  # F6.2: which brewery the seat sells to, if any
ASK_SELL_AMOUNT = Step(3)  # F6.3: how much of the next good is sold
ASK_OFFICE_BONUS = Step(4)  # F6.5: which of the goods sold earns the trading office's extra coins
ASK_BUILD = Step(5)  # F7.1: the next card to build; with the number built in this turn already, at most two
ASK_SCRAP = Step(6)  # F8.1: the next card the rag collector removes; with the number gone in this turn already
ASK_DISCARD = Step(7)  # F8.3: the next card to put under the deck; passed over when only one is left
ASK_STORE = Step(8)  # F8.6: which unsold goods the warehouse keeps
START_ROUND = Step(9)  # F3.2: all seats draw and harvest at the same time; nothing is asked
TAKE_TURN = Step(10)  # F3.3: a seat plays its phases 3, 4 and 5
END_ROUND = Step(11)  # F3.4: prices are adjusted once, after the last seat; or the game ends (F11.1)
FIRST_AUTOMATIC = START_ROUND  # the steps before it ask


class State(Struct):
    """A game between two decisions; there is no chance left in it after set-up (F2.9)."""

    seats: Int
    is_advanced: Int  # 1 in the advanced game
    round_number: Int  # 0 in the set-up of the advanced game
    palace_parts: Int  # built so far by all seats
    turn_order: Annotated[Smalls, SEATS]
    demand: Annotated[Smalls, SEATS * GOOD_COUNT]  # as many breweries are open as there are seats
    placed: Annotated[Smalls, SEATS * GOOD_COUNT]
    prices: Annotated[Smalls, SEATS * GOOD_COUNT]
    sale_brewery: Int  # numbered from 1, of the sale whose amounts or bonus are asked; 0 while none is
    sale_count: Int  # of the goods whose amounts in it are chosen
    sale_amounts: Annotated[Smalls, GOOD_COUNT]  # of each of them
    money: Annotated[Ints, SEATS]  # per seat
    income: Annotated[Ints, SEATS]  # per seat: of this round; 0 until its phase 3 is over
    marker: Annotated[Ints, SEATS]  # per seat: where the turn order marker stands on its income track
    goods: Annotated[Smalls, SEATS * GOOD_COUNT]  # seat x good
    lots: Annotated[Smalls, SEATS * LOT_COUNT]  # seat x lot: what it shows
    hand_count: Annotated[Smalls, SEATS]
    hand: Annotated[Smalls, SEATS * CARD_COUNT]  # seat x cards, sorted
    deck_count: Annotated[Smalls, SEATS]
    deck: Annotated[Smalls, SEATS * CARD_COUNT]  # seat x cards, the top card first
    unseen: Annotated[Smalls, SEATS]  # per seat: cards on top of the deck never seen by their owner (F13.2)
    covered_count: Annotated[Smalls, SEATS]
    covered: Annotated[Smalls, SEATS * CARD_COUNT]  # seat x cards, in the order they were covered
    scrapped_count: Annotated[Smalls, SEATS]
    scrapped: Annotated[Smalls, SEATS * CARD_COUNT]  # seat x cards, in the order they were scrapped
    agenda_count: Int
    agenda: Annotated[Smalls, AGENDA]  # the steps to come, the next one last
    step_seats: Annotated[Smalls, AGENDA]  # the seat that each concerns, or 0
    step_counts: Annotated[Smalls, AGENDA]  # the cards that were built or scrapped before each, or 0


clone = cloner(State)


def do_next(state: State, step: Step, seat: Int = 0, count: Int = 0) -> None:
    """Put a step before everything else."""
    place = state.agenda_count
    state.agenda[place] = step
    state.step_seats[place] = seat
    state.step_counts[place] = count
    state.agenda_count = place + 1


def visible(state: State, seat: Int, effect: Smalls) -> Int:
    """F3.8, F3.9: the sum of one effect over what the lots show; what is covered does not count."""
    total = 0
    for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
        total += effect[shown]
    return total


def take_from_hand(state: State, seat: Int, card: Int) -> None:
    """Take a card out of a seat's hand."""
    place = seat * CARD_COUNT
    end = place + state.hand_count[seat]
    while state.hand[place] != card:
        place += 1
    copy_part(state.hand, place + 1, end, state.hand, place)
    state.hand_count[seat] -= 1


def goods_of(state: State, seat: Int) -> list[int]:
    """Return a seat's goods."""
    first = seat * GOOD_COUNT
    return listed(state.goods, first, first + GOOD_COUNT)


def lots_of(state: State, seat: Int) -> list[int]:
    """Return what a seat's lots show."""
    first = seat * LOT_COUNT
    return listed(state.lots, first, first + LOT_COUNT)


def hand_of(state: State, seat: Int) -> list[int]:
    """Return a seat's hand."""
    first = seat * CARD_COUNT
    return listed(state.hand, first, first + state.hand_count[seat])


def deck_of(state: State, seat: Int) -> list[int]:
    """Return a seat's deck."""
    first = seat * CARD_COUNT
    return listed(state.deck, first, first + state.deck_count[seat])


def covered_by(state: State, seat: Int) -> list[int]:
    """Return the cards that a seat has covered."""
    first = seat * CARD_COUNT
    return listed(state.covered, first, first + state.covered_count[seat])


def scrapped_by(state: State, seat: Int) -> list[int]:
    """Return the cards that a seat has scrapped."""
    first = seat * CARD_COUNT
    return listed(state.scrapped, first, first + state.scrapped_count[seat])


STEP_NAMES = (
    "AskSetupBottom()", "AskExchange(seat={seat})", "AskBrewery(seat={seat})",
    "AskSellAmount(seat={seat}, brewery={brewery}, sold={sold})",
    "AskOfficeBonus(seat={seat}, brewery={brewery}, sold={sold})", "AskBuild(seat={seat}, built={count})",
    "AskScrap(seat={seat}, scrapped={count})", "AskDiscard(seat={seat})", "AskStore(seat={seat})", "StartRound()",
    "TakeTurn(seat={seat})", "EndRound()",
)  # fmt: skip


@lru_cache(maxsize=4096)
def step_name(step: int, seat: int, count: int, brewery: int, sold: tuple[int, ...]) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    return STEP_NAMES[step].format(seat=seat, count=count, brewery=brewery, sold=sold)


def digest(state: State) -> str:
    """F14.12: a fingerprint of the whole state: its fields, each as long as it is used."""
    seats: Int = state.seats
    goods: Int = seats * GOOD_COUNT
    table = [
        "ADVANCED" if state.is_advanced else "BASIC",
        state.round_number,
        tuple(listed(state.turn_order, 0, seats)),
        tuple(listed(state.demand, 0, goods)),
        packed(state.placed, 0, goods),
        packed(state.prices, 0, goods),
        state.palace_parts,
    ]
    key = id(state)
    players = [f"({told(key + 1 + seat, player_of(state, seat))})" for seat in range(seats)]
    sold = tuple(listed(state.sale_amounts, 0, state.sale_count))
    agenda = [
        step_name(state.agenda[at], state.step_seats[at], state.step_counts[at], state.sale_brewery, sold)
        for at in range(state.agenda_count)
    ]
    return fingerprint_of(f"({told(key, table)}, [{', '.join(players)}], {agenda!r})")


def player_of(state: State, seat: Int) -> list[int | list[int] | bytes]:
    """Return what one seat owns, as the fingerprint takes it."""
    goods: Int = seat * GOOD_COUNT
    lots: Int = seat * LOT_COUNT
    cards: Int = seat * CARD_COUNT
    return [
        state.money[seat],
        state.income[seat],
        state.marker[seat],
        packed(state.goods, goods, goods + GOOD_COUNT),
        packed(state.lots, lots, lots + LOT_COUNT),
        packed(state.hand, cards, cards + state.hand_count[seat]),
        packed(state.deck, cards, cards + state.deck_count[seat]),
        state.unseen[seat],
        packed(state.covered, cards, cards + state.covered_count[seat]),
        packed(state.scrapped, cards, cards + state.scrapped_count[seat]),
    ]
