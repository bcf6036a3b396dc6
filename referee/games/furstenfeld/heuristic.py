"""Fürstenfeld, greedily: sell everything where it pays most, and build what earns its cost back before the end.

Everything is counted in coins. The palace decides, and its parts are rare: with three cards a round a seat sees each
of them about once. So laboratories come first, fields and banks pay for them, and a part in hand is built when it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
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
    CARD_COUNT,
    GOOD_COUNT,
    LOT_COUNT,
)
from referee.games.furstenfeld.effects import COST, IS_PALACE, OFFICE_BONUS
from referee.games.furstenfeld.scoring import most_parts, visible_parts
from referee.games.furstenfeld.state import State, visible
from referee.games.furstenfeld.weights import DEFAULTS, WEIGHTS, Weights, weigh
from referee.heuristic import Heuristic
from referee.rows import Doubles, Float, Int, Listing, Smalls, Struct, copy_part

MAX_RATED = 256  # room for the options of a decision


def rounds_left(state: State, weights: Weights) -> Float:
    """Return a guess of how many rounds are still to come after this one."""
    to_build = 6 - most_parts(state)
    return max(0.0, min(weights.rounds_per_part * to_build, weights.last_round - state.round_number))


def worths(state: State, weights: Weights | None = None) -> list[float]:
    """Return what every seat has, in coins: palace parts, money, what the board will earn, and parts in hand."""
    own: Weights = DEFAULTS if weights is None else weights
    return [worth(state, seat, own) for seat in range(state.seats)]


def worth(state: State, seat: Int, weights: Weights) -> Float:
    """Return what a seat has, in coins."""
    earns = 0.0
    for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
        earns += weights.per_round[shown]
    in_hand = 0
    for card in state.hand[seat * CARD_COUNT : seat * CARD_COUNT + state.hand_count[seat]]:
        in_hand += IS_PALACE[card]
    on_board = weights.part * visible_parts(state, seat) + state.money[seat] + rounds_left(state, weights) * earns
    return on_board + weights.part_in_hand * weights.part * in_hand


class Prospects(Struct):
    """What decides over a seat's cards, the same for all of its options."""

    is_seen: Int  # 1 once the rest is filled in
    left: Float  # rounds
    parts: Int  # of the palace on the board
    price: Int  # of the next part, 0 when there is none
    money: Int
    earns: Float  # what the lots earn in a round, in coins
    least: Float  # what the poorest lot that is no palace part is worth in a round, 0 without one

    def see(self, state: State, seat: Int, weights: Weights) -> None:
        """Fill in a seat's prospects, unless they are known."""
        if self.is_seen:
            return
        self.is_seen = 1
        self.left = rounds_left(state, weights)
        self.parts = visible_parts(state, seat)
        self.price = palace_price(state)
        self.money = state.money[seat]
        self.earns = 0.0
        self.least = 0.0
        found = 0
        for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
            self.earns += weights.earnings[shown]
            if not IS_PALACE[shown] and (not found or weights.per_round[shown] < self.least):
                self.least = weights.per_round[shown]
                found = 1


def rate(state: State, seat: int, options: Sequence[Any], weights: Weights | None = None) -> list[float]:
    """Return how good every option looks, in coins; the best is played."""
    prospects = Prospects()
    own: Weights = DEFAULTS if weights is None else weights
    return [rate_choice(state, seat, Choice(code_for(option)), prospects, own) for option in options]


def rate_codes(state: State, seat: int, options: Sequence[int], weights: Weights | None = None) -> list[float]:
    """Return how good every option, given as codes, looks."""
    prospects = Prospects()
    own: Weights = DEFAULTS if weights is None else weights
    return [rate_choice(state, seat, Choice(option), prospects, own) for option in options]


def rate_listing(
    state: State, seat: Int, listing: Listing, ratings: Doubles, prospects: Prospects, weights: Weights
) -> None:
    """Fill in how good every option of a listing looks; the prospects are those of an earlier decision."""
    prospects.is_seen = 0
    for place in range(listing.count):
        ratings[place] = rate_choice(state, seat, Choice(listing.codes[place]), prospects, weights)


def rate_choice(state: State, seat: Int, choice: Choice, prospects: Prospects, weights: Weights) -> Float:
    """Return how good an option looks, in coins."""
    kind = kind_of_choice(choice)
    argument = argument_of(choice)
    if kind == BUILD_CARD:
        prospects.see(state, seat, weights)
        covered = state.lots[seat * LOT_COUNT + position_of(argument)]
        return build_gain(prospects, card_at(argument), covered, weights)
    if kind in (PUT_UNDER_DECK, SCRAP_CARD):
        prospects.see(state, seat, weights)
        return -keep_value(prospects, argument, weights)
    return rate_sale(state, seat, kind, argument, weights)


def rate_sale(state: State, seat: Int, kind: Int, argument: Int, weights: Weights) -> Float:
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
        gain = best_sale(state, seat, goods, 0) - best_sale(state, seat, state.goods, seat * GOOD_COUNT)
        return gain - weights.exchange_cost
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


def build_gain(prospects: Prospects, card: Int, covered: Int, weights: Weights) -> Float:
    """Return what a card on a lot earns until the end, less what it costs and what it covers."""
    left = prospects.left
    if would_ruin(prospects, card, covered, weights):
        return -weights.part
    if IS_PALACE[card]:
        is_last = 1 if prospects.parts == 5 else 0
        return weights.part + 99 * is_last - prospects.price - left * weights.per_round[covered]
    room = 6 - prospects.parts  # lots that the palace leaves, most of them for long
    lasting = left * min(1.0, weights.lasting + weights.lasting_room * room)
    gain = lasting * weights.per_round[card] - left * weights.per_round[covered]
    return gain - COST[card] - weights.build_cost


def would_ruin(prospects: Prospects, card: Int, covered: Int, weights: Weights) -> bool:
    """Return whether a card covers the last thing that earns money before the rest of the palace can be paid."""
    if prospects.earns - weights.earnings[covered] + weights.earnings[card] > 0:
        return False
    to_build = 6 - prospects.parts - IS_PALACE[card]
    money = prospects.money - (prospects.price if IS_PALACE[card] else COST[card])
    return money < to_build * prospects.price


def keep_value(prospects: Prospects, card: Int, weights: Weights) -> Float:
    """Return how much we want a card in the next round's hand."""
    if IS_PALACE[card]:
        return weights.part
    gain = prospects.left * (weights.per_round[card] - prospects.least) - COST[card]
    return max(weights.kept, gain) + weights.kept_cost * COST[card]


def weighted(values: Mapping[str, float]) -> Heuristic:
    """Return the heuristic with other weights."""
    own = weigh(values)
    return Heuristic(
        partial(rate, weights=own), partial(worths, weights=own), rate_codes=partial(rate_codes, weights=own),
        weights=WEIGHTS, weighted=weighted, own_weights=own, plays_out_alike=True,
    )  # fmt: skip


HEURISTIC = Heuristic(
    rate, worths, rate_codes=rate_codes, weights=WEIGHTS, weighted=weighted, own_weights=DEFAULTS, plays_out_alike=True
)
