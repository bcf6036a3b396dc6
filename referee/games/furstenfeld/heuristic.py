"""Fürstenfeld, greedily: sell everything where it pays most, and build what earns its cost back before the end.

Everything is counted in coins. The palace decides, and its parts are rare: with three cards a round a seat sees each
of them about once. So laboratories come first, fields and banks pay for them, and a part in hand is built when it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld.building import palace_price
from referee.games.furstenfeld.components import (
    BARE_GROUND,
    COINS_OF,
    COST_OF,
    GOOD_COUNT,
    HARVEST_OF,
    IS_PALACE,
    OFFICE_BONUS_OF,
    Card,
)
from referee.games.furstenfeld.state import Player, State, visible
from referee.heuristic import Heuristic

PART = 26.0  # what a palace part is worth, in coins
UNIT = 1.5  # what a unit of a good brings on average
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
EARNINGS = tuple(UNIT * sum(HARVEST_OF[shown]) + COINS_OF[shown] for shown in range(BARE_GROUND + 1))
PER_ROUND = tuple(EARNINGS[shown] + HELPERS.get(Card(shown or BARE_GROUND), 0.0) for shown in range(BARE_GROUND + 1))


def parts(player: Player) -> int:
    """F11.5: the palace parts that a board shows."""
    return visible(player, IS_PALACE)


def rounds_left(state: State) -> float:
    """Return a guess of how many rounds are still to come after this one."""
    to_build = 6 - max(map(parts, state.players))
    return max(0.0, min(1.3 * to_build, 11.0 - state.round_number))


def worths(state: State) -> list[float]:
    """Return what every seat has, in coins: palace parts, money, what the board will earn, and parts in hand."""
    left = rounds_left(state)
    return [
        PART * parts(player)
        + player.money
        + left * sum(PER_ROUND[shown] for shown in player.lots)
        + 0.25 * PART * sum(IS_PALACE[card] for card in player.hand)
        for player in state.players
    ]


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how good every option looks, in coins; the best is played."""
    return [rate_one(state, state.players[seat], option) for option in options]


def rate_one(state: State, player: Player, option: act.Action) -> float:
    """Return what an option is worth; declining is worth nothing."""
    match option:
        case act.ExchangeGoods(give, take, count):
            goods = player.goods[:]
            goods[give.value] -= count
            goods[take.value] += count
            return best_sale(state, player, goods) - best_sale(state, player, player.goods) - 0.1
        case act.ChooseBrewery(brewery):
            return proceeds(state, player, player.goods, brewery - 1)
        case act.SellGoods(_, count):
            return count
        case act.NameBonusGood(good):
            step = state.agenda.now()
            return getattr(step, "sold", (0,) * GOOD_COUNT)[good.value]
        case act.BuildCard(card, lot):
            return build_gain(state, player, card.value, player.lots[lot - 1])
        case act.PutUnderDeck(card) | act.ScrapCard(card):
            return -keep_value(state, player, card.value)
        case act.StoreGoods(hops, barley, water):
            return hops + barley + water
        case _:
            return 0.0


def proceeds(state: State, player: Player, goods: Sequence[int], brewery: int) -> float:
    """F6.6: what a brewery pays for all the goods, with the trading office's bonus."""
    prices = state.prices[GOOD_COUNT * brewery : GOOD_COUNT * (brewery + 1)]
    sold = [count if price else 0 for count, price in zip(goods, prices, strict=True)]
    bonus = visible(player, OFFICE_BONUS_OF) * max(sold)
    return bonus + sum(count * price for count, price in zip(sold, prices, strict=True))


def best_sale(state: State, player: Player, goods: Sequence[int]) -> float:
    """Return what the best brewery pays."""
    return max(proceeds(state, player, goods, brewery) for brewery in range(len(state.prices) // GOOD_COUNT))


def build_gain(state: State, player: Player, card: int, covered: int) -> float:
    """Return what a card on a lot earns until the end, less what it costs and what it covers."""
    left = rounds_left(state)
    if would_ruin(state, player, card, covered):
        return -PART
    if IS_PALACE[card]:
        is_last = parts(player) == 5
        return PART + 99 * is_last - (palace_price(state) or 0) - left * PER_ROUND[covered]
    room = 6 - parts(player)  # lots that the palace leaves, most of them for long
    lasting = left * min(1.0, 0.4 + 0.15 * room)
    return lasting * PER_ROUND[card] - left * PER_ROUND[covered] - COST_OF[card] - 1.0


def would_ruin(state: State, player: Player, card: int, covered: int) -> bool:
    """Tell whether a card covers the last thing that earns money before the rest of the palace can be paid."""
    earns = sum(EARNINGS[shown] for shown in player.lots) - EARNINGS[covered] + EARNINGS[card]
    price = palace_price(state) or 0
    to_build = 6 - parts(player) - IS_PALACE[card]
    money = player.money - (price if IS_PALACE[card] else COST_OF[card])
    return earns <= 0 and money < to_build * price


def keep_value(state: State, player: Player, card: int) -> float:
    """Return how much we want a card in the next round's hand."""
    if IS_PALACE[card]:
        return PART
    best_lot = min((PER_ROUND[shown] for shown in player.lots if not IS_PALACE[shown]), default=0.0)
    gain = rounds_left(state) * (PER_ROUND[card] - best_lot) - COST_OF[card]
    return max(0.1, gain) + 0.01 * COST_OF[card]


HEURISTIC = Heuristic(rate, worths)
