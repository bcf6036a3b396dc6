"""Fürstenfeld, greedily: sell everything where it pays most, and build what earns its cost back before the end.

Everything is counted in coins. The palace decides, and its parts are rare: with three cards a round a seat sees each
of them about once. So laboratories come first, fields and banks pay for them, and a part in hand is built when it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from referee.games.furstenfeld.building import palace_price
from referee.games.furstenfeld.codes import (
    BUILD_CARD,
    CHOOSE_BREWERY,
    EXCHANGE_GOODS,
    NAME_BONUS_GOOD,
    PUT_UNDER_DECK,
    SCRAP_CARD,
    SELL_GOODS,
    STORE_GOODS,
    Choice,
    argument_of,
    card_at,
    code_for,
    exchanged_count,
    given_good,
    kind_of_choice,
    position_of,
    sold_count,
    stored_of,
    taken_good,
)
from referee.games.furstenfeld.components import (
    BARE_GROUND,
    CARD_COUNT,
    COINS_OF,
    GOOD_COUNT,
    HARVEST_OF,
    LOT_COUNT,
    Card,
)
from referee.games.furstenfeld.effects import COST, IS_PALACE, OFFICE_BONUS
from referee.games.furstenfeld.scoring import most_parts, visible_parts
from referee.games.furstenfeld.state import State, visible
from referee.heuristic import Heuristic
from referee.rows import Doubles, Float, Int, Listing, Smalls, Struct, copy_part

PART = 26.0  # what a palace part is worth, in coins
UNIT = 1.5  # what a unit of a good brings on average
MAX_RATED = 256  # room for the options of a decision
HELPERS = {  # what a round with this building is worth, in coins
    Card.TOWN_HALL_1: 1.0,
    Card.TOWN_HALL_2: 1.6,
    Card.LABORATORY_1: 2.0,
    Card.LABORATORY_2: 3.6,
    Card.TRADING_OFFICE: 2.0,
    Card.MARKET: 0.7,
    Card.CRANE: 2.0,
    Card.WAREHOUSE: 0.5,
    Card.MAGISTRATE: 0.3,
    Card.TOUR_GUIDE: 4.0,
    Card.RAG_COLLECTOR: 1.0,
}
_HELP = [HELPERS.get(Card(shown or BARE_GROUND), 0.0) for shown in range(BARE_GROUND + 1)]
_EARNED = [UNIT * sum(HARVEST_OF[shown]) + COINS_OF[shown] for shown in range(BARE_GROUND + 1)]
EARNINGS: Doubles = _EARNED
PER_ROUND: Doubles = [earned + help for earned, help in zip(_EARNED, _HELP, strict=True)]


def rounds_left(state: State) -> Float:
    """Return a guess of how many rounds are still to come after this one."""
    to_build = 6 - most_parts(state)
    return max(0.0, min(1.3 * to_build, 11.0 - state.round_number))


def worths(state: State) -> list[float]:
    """Return what every seat has, in coins: palace parts, money, what the board will earn, and parts in hand."""
    return [worth(state, seat) for seat in range(state.seats)]


def worth(state: State, seat: Int) -> Float:
    """Return what a seat has, in coins."""
    earns = 0.0
    for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
        earns += PER_ROUND[shown]
    in_hand = 0
    for card in state.hand[seat * CARD_COUNT : seat * CARD_COUNT + state.hand_count[seat]]:
        in_hand += IS_PALACE[card]
    on_board = PART * visible_parts(state, seat) + state.money[seat] + rounds_left(state) * earns
    return on_board + 0.25 * PART * in_hand


class Prospects(Struct):
    """What decides over a seat's cards, the same for all of its options."""

    is_seen: Int  # 1 once the rest is filled in
    left: Float  # rounds
    parts: Int  # of the palace on the board
    price: Int  # of the next part, 0 when there is none
    money: Int
    earns: Float  # what the lots earn in a round, in coins
    least: Float  # what the poorest lot that is no palace part is worth in a round, 0 without one

    def see(self, state: State, seat: Int) -> None:
        """Fill in a seat's prospects, unless they are known."""
        if self.is_seen:
            return
        self.is_seen = 1
        self.left = rounds_left(state)
        self.parts = visible_parts(state, seat)
        self.price = palace_price(state)
        self.money = state.money[seat]
        self.earns = 0.0
        self.least = 0.0
        found = 0
        for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
            self.earns += EARNINGS[shown]
            if not IS_PALACE[shown] and (not found or PER_ROUND[shown] < self.least):
                self.least = PER_ROUND[shown]
                found = 1


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how good every option looks, in coins; the best is played."""
    prospects = Prospects()
    return [rate_choice(state, seat, Choice(code_for(option)), prospects) for option in options]


def rate_listing(state: State, seat: Int, listing: Listing, ratings: Doubles, prospects: Prospects) -> None:
    """Fill in how good every option of a listing looks; the prospects are those of an earlier decision."""
    prospects.is_seen = 0
    for place in range(listing.count):
        ratings[place] = rate_choice(state, seat, Choice(listing.codes[place]), prospects)


def rate_choice(state: State, seat: Int, choice: Choice, prospects: Prospects) -> Float:
    """Return how good an option looks, in coins."""
    kind = kind_of_choice(choice)
    argument = argument_of(choice)
    if kind == BUILD_CARD:
        prospects.see(state, seat)
        return build_gain(prospects, card_at(argument), state.lots[seat * LOT_COUNT + position_of(argument)])
    if kind in (PUT_UNDER_DECK, SCRAP_CARD):
        prospects.see(state, seat)
        return -keep_value(prospects, argument)
    return rate_sale(state, seat, kind, argument)


def rate_sale(state: State, seat: Int, kind: Int, argument: Int) -> Float:
    """Return what goods bring by an option; declining is worth nothing."""
    if kind == SELL_GOODS:
        return sold_count(argument)
    if kind == CHOOSE_BREWERY:
        return proceeds(state, seat, state.goods, seat * GOOD_COUNT, argument - 1)
    if kind == EXCHANGE_GOODS:
        goods: Annotated[Smalls, GOOD_COUNT] = [0] * GOOD_COUNT
        copy_part(state.goods, seat * GOOD_COUNT, (seat + 1) * GOOD_COUNT, goods, 0)
        goods[given_good(argument)] -= exchanged_count(argument)
        goods[taken_good(argument)] += exchanged_count(argument)
        return best_sale(state, seat, goods, 0) - best_sale(state, seat, state.goods, seat * GOOD_COUNT) - 0.1
    if kind == NAME_BONUS_GOOD:
        return state.sale_amounts[argument]
    if kind == STORE_GOODS:
        return stored_of(argument, 0) + stored_of(argument, 1) + stored_of(argument, 2)
    return 0.0


def proceeds(state: State, seat: Int, goods: Smalls, first: Int, brewery: Int) -> Int:
    """F6.6: what a brewery pays for all these goods, with the trading office's bonus; they stand from a place on."""
    paid = 0
    most = 0
    for good in range(GOOD_COUNT):
        price = state.prices[GOOD_COUNT * brewery + good]
        if price:
            paid += goods[first + good] * price
            most = max(most, goods[first + good])
    return visible(state, seat, OFFICE_BONUS) * most + paid


def best_sale(state: State, seat: Int, goods: Smalls, first: Int) -> Int:
    """Return what the best brewery pays."""
    best = 0
    for brewery in range(state.seats):
        best = max(best, proceeds(state, seat, goods, first, brewery))
    return best


def build_gain(prospects: Prospects, card: Int, covered: Int) -> Float:
    """Return what a card on a lot earns until the end, less what it costs and what it covers."""
    left = prospects.left
    if would_ruin(prospects, card, covered):
        return -PART
    if IS_PALACE[card]:
        is_last = 1 if prospects.parts == 5 else 0
        return PART + 99 * is_last - prospects.price - left * PER_ROUND[covered]
    room = 6 - prospects.parts  # lots that the palace leaves, most of them for long
    lasting = left * min(1.0, 0.4 + 0.15 * room)
    return lasting * PER_ROUND[card] - left * PER_ROUND[covered] - COST[card] - 1.0


def would_ruin(prospects: Prospects, card: Int, covered: Int) -> bool:
    """Return whether a card covers the last thing that earns money before the rest of the palace can be paid."""
    if prospects.earns - EARNINGS[covered] + EARNINGS[card] > 0:
        return False
    to_build = 6 - prospects.parts - IS_PALACE[card]
    money = prospects.money - (prospects.price if IS_PALACE[card] else COST[card])
    return money < to_build * prospects.price


def keep_value(prospects: Prospects, card: Int) -> Float:
    """Return how much we want a card in the next round's hand."""
    if IS_PALACE[card]:
        return PART
    gain = prospects.left * (PER_ROUND[card] - prospects.least) - COST[card]
    return max(0.1, gain) + 0.01 * COST[card]


HEURISTIC = Heuristic(rate, worths)
