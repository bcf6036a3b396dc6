"""Fürstenfeld, greedily: sell everything where it pays most, and build what earns its cost back before the end.

Everything is counted in coins. The palace decides, and its parts are rare: with three cards a round a seat sees each
of them about once. So laboratories come first, fields and banks pay for them, and a part in hand is built when it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from referee.games.furstenfeld.actions import (
    Action,
    BuildCard,
    ChooseBrewery,
    ExchangeGoods,
    NameBonusGood,
    PutUnderDeck,
    ScrapCard,
    SellGoods,
    StoreGoods,
)
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
from referee.games.furstenfeld.state import AskOfficeBonus, Player, State, visible
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
    to_build = 6 - max([parts(player) for player in state.players])
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
    player = state.players[seat]
    prospects: Prospects | None = None
    ratings: list[float] = []
    for option in options:
        if isinstance(option, (BuildCard, PutUnderDeck, ScrapCard)):
            if prospects is None:
                prospects = prospects_of(state, player)
            ratings.append(rate_card(prospects, player, option))
        else:
            ratings.append(rate_sale(state, player, option))
    return ratings


def rate_sale(state: State, player: Player, option: Action) -> float:
    """Return what goods bring by an option; declining is worth nothing."""
    if isinstance(option, SellGoods):
        return option.count
    if isinstance(option, ChooseBrewery):
        return proceeds(state, player, player.goods, option.brewery - 1)
    if isinstance(option, ExchangeGoods):
        goods = player.goods[:]
        goods[option.give.value] -= option.count
        goods[option.take.value] += option.count
        return best_sale(state, player, goods) - best_sale(state, player, player.goods) - 0.1
    if isinstance(option, NameBonusGood):
        step = state.agenda.now()
        assert isinstance(step, AskOfficeBonus)
        return step.sold[option.good.value]
    if isinstance(option, StoreGoods):
        return option.hops + option.barley + option.water
    return 0.0


def proceeds(state: State, player: Player, goods: Sequence[int], brewery: int) -> float:
    """F6.6: what a brewery pays for all the goods, with the trading office's bonus."""
    paid = most = 0
    for good in range(GOOD_COUNT):
        price = state.prices[GOOD_COUNT * brewery + good]
        if price:
            paid += goods[good] * price
            most = max(most, goods[good])
    return visible(player, OFFICE_BONUS_OF) * most + paid


def best_sale(state: State, player: Player, goods: Sequence[int]) -> float:
    """Return what the best brewery pays."""
    return max(proceeds(state, player, goods, brewery) for brewery in range(len(state.prices) // GOOD_COUNT))


@dataclass(slots=True)
class Prospects:
    """What decides over a seat's cards, the same for all of its options."""

    left: float  # rounds
    parts: int  # of the palace on the board
    price: int  # of the next part, 0 when there is none
    earns: float  # what the lots earn in a round, in coins
    least: float  # what the poorest lot that is no palace part is worth in a round


def prospects_of(state: State, player: Player) -> Prospects:
    """Return a seat's prospects."""
    earns, least = 0.0, inf
    for shown in player.lots:
        earns += EARNINGS[shown]
        if not IS_PALACE[shown] and PER_ROUND[shown] < least:
            least = PER_ROUND[shown]
    return Prospects(rounds_left(state), parts(player), palace_price(state) or 0, earns, 0.0 if least == inf else least)


def rate_card(prospects: Prospects, player: Player, option: BuildCard | PutUnderDeck | ScrapCard) -> float:
    """Return what it is worth to build a card, or to give it away."""
    if isinstance(option, BuildCard):
        return build_gain(prospects, player, option.card.value, player.lots[option.lot - 1])
    return -keep_value(prospects, option.card.value)


def build_gain(prospects: Prospects, player: Player, card: int, covered: int) -> float:
    """Return what a card on a lot earns until the end, less what it costs and what it covers."""
    left = prospects.left
    if would_ruin(prospects, player, card, covered):
        return -PART
    if IS_PALACE[card]:
        is_last = prospects.parts == 5
        return PART + 99 * is_last - prospects.price - left * PER_ROUND[covered]
    room = 6 - prospects.parts  # lots that the palace leaves, most of them for long
    lasting = left * min(1.0, 0.4 + 0.15 * room)
    return lasting * PER_ROUND[card] - left * PER_ROUND[covered] - COST_OF[card] - 1.0


def would_ruin(prospects: Prospects, player: Player, card: int, covered: int) -> bool:
    """Return whether a card covers the last thing that earns money before the rest of the palace can be paid."""
    if prospects.earns - EARNINGS[covered] + EARNINGS[card] > 0:
        return False
    to_build = 6 - prospects.parts - IS_PALACE[card]
    money = player.money - (prospects.price if IS_PALACE[card] else COST_OF[card])
    return money < to_build * prospects.price


def keep_value(prospects: Prospects, card: int) -> float:
    """Return how much we want a card in the next round's hand."""
    if IS_PALACE[card]:
        return PART
    gain = prospects.left * (PER_ROUND[card] - prospects.least) - COST_OF[card]
    return max(0.1, gain) + 0.01 * COST_OF[card]


HEURISTIC = Heuristic(rate, worths)
