"""What a seat chooses and what happens, as numbers inside the rules and as values outside.

A choice is its kind and an argument; an event is twelve numbers, its kind first. `actions.py` and `events.py` have the
values, which are made here and only where somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NewType

from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld import events as ev
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.components import (
    CARD_COUNT,
    CARDS,
    GOOD_COUNT,
    GOODS,
    LOT_COUNT,
    MAX_EXCHANGE_OF,
    MAX_PLAYERS,
    MAX_STORED_OF,
)
from referee.games.furstenfeld.events import EndReason, Event
from referee.rows import Int

Choice = NewType("Choice", int)
"""What a seat chose: `choice_of` makes one, and `kind_of_choice` and `argument_of` take it apart."""

CHOOSE_NONE = 0
STOP = 1
PUT_UNDER_DECK = 2  # with a card
EXCHANGE_GOODS = 3  # with an exchange
CHOOSE_BREWERY = 4  # with a brewery, numbered from 1
SELL_GOODS = 5  # with a sale
NAME_BONUS_GOOD = 6  # with a good
BUILD_CARD = 7  # with a site
SCRAP_CARD = 8  # with a card
STORE_GOODS = 9  # with a store

ROUND_STARTED = 0
CARDS_DRAWN = 1
GOODS_HARVESTED = 2
EXCHANGE_DECLINED = 3
GOODS_EXCHANGED = 4
BREWERY_CHOSEN = 5
AMOUNT_CHOSEN = 6
BONUS_GOOD_NAMED = 7
GOODS_SOLD = 8
INCOME_RECEIVED = 9
CARD_BUILT = 10
PALACE_PRICE_RAISED = 11
PALACE_FINISHED = 12
BUILDING_STOPPED = 13
CARD_SCRAPPED = 14
SCRAPPING_STOPPED = 15
CARD_PUT_UNDER = 16
DISCARDING_STOPPED = 17
GOODS_STORED = 18
PRICES_ADJUSTED = 19
GAME_ENDED = 20

MAX_OWNED = 127  # more units of a good than anybody can own
PRICE_BITS = 2  # of each price after the end of a round: all of them are one number of an event
RESULT_BITS = 4  # of each seat's rank, and of its palace parts, at the end of the game: likewise


def choice_of(kind: Int, argument: Int) -> Choice:
    """Return a choice; one that needs no argument has 0."""
    return Choice(kind | argument << 4)


def kind_of_choice(choice: Choice) -> Int:
    """Return what was chosen: one of the constants above."""
    return choice & 15


def argument_of(choice: Choice) -> Int:
    """Return what was chosen with it."""
    return choice >> 4


# Arguments


def exchange_of(give: Int, take: Int, count: Int) -> Int:
    """F6.1: an exchange as an argument."""
    return give | take << 2 | count << 4


def given_good(exchange: Int) -> Int:
    """F6.1: the good that is given."""
    return exchange & 3


def taken_good(exchange: Int) -> Int:
    """F6.1: the good that is taken."""
    return exchange >> 2 & 3


def exchanged_count(exchange: Int) -> Int:
    """F6.1: how many units are given, and taken."""
    return exchange >> 4


def sale_of(good: Int, count: Int) -> Int:
    """F6.3: the amount of one good as an argument."""
    return good | count << 2


def sold_count(sale: Int) -> Int:
    """F6.3: how many units are sold."""
    return sale >> 2


def site_of(card: Int, position: Int) -> Int:
    """F7.2: a card and the position of the lot for it as an argument."""
    return card | position << 6


def card_at(site: Int) -> Int:
    """F7.2: the card to build."""
    return site & 63


def position_of(site: Int) -> Int:
    """F7.2: the position of its lot, counted from 0."""
    return site >> 6


def store_of(hops: Int, barley: Int, water: Int) -> Int:
    """F8.6: the goods to keep as an argument."""
    return hops | barley << 3 | water << 6


def stored_of(store: Int, good: Int) -> Int:
    """F8.6: how many units of a good are kept."""
    return store >> 3 * good & 7


# Values


def new_action(kind: int, argument: int) -> Action:
    """Return a choice as a new value."""
    if kind == BUILD_CARD:
        return act.BuildCard(CARDS[card_at(argument)], position_of(argument) + 1)
    if kind == SELL_GOODS:
        return act.SellGoods(GOODS[argument & 3], sold_count(argument))
    if kind == PUT_UNDER_DECK:
        return act.PutUnderDeck(CARDS[argument])
    if kind == SCRAP_CARD:
        return act.ScrapCard(CARDS[argument])
    if kind == CHOOSE_BREWERY:
        return act.ChooseBrewery(argument)
    if kind == NAME_BONUS_GOOD:
        return act.NameBonusGood(GOODS[argument])
    if kind == EXCHANGE_GOODS:
        give, take = GOODS[given_good(argument)], GOODS[taken_good(argument)]
        return act.ExchangeGoods(give, take, exchanged_count(argument))
    if kind == STORE_GOODS:
        return act.StoreGoods(stored_of(argument, 0), stored_of(argument, 1), stored_of(argument, 2))
    return act.STOP if kind == STOP else act.CHOOSE_NONE


def all_choices() -> Iterator[tuple[int, int]]:
    """Yield whatever can be an option, as its kind and argument."""
    yield CHOOSE_NONE, 0
    yield STOP, 0
    for card in range(1, CARD_COUNT + 1):
        yield PUT_UNDER_DECK, card
        yield SCRAP_CARD, card
        yield from [(BUILD_CARD, site_of(card, position)) for position in range(LOT_COUNT)]
    yield from [(CHOOSE_BREWERY, brewery) for brewery in range(1, MAX_PLAYERS + 1)]
    for good in range(GOOD_COUNT):
        yield NAME_BONUS_GOOD, good
        yield from [(SELL_GOODS, sale_of(good, count)) for count in range(MAX_OWNED + 1)]
        for take in range(GOOD_COUNT):
            yield from [(EXCHANGE_GOODS, exchange_of(good, take, count)) for count in range(max(MAX_EXCHANGE_OF) + 1)]
    for goods in product(range(max(MAX_STORED_OF) + 1), repeat=GOOD_COUNT):
        yield STORE_GOODS, store_of(*goods)


def all_actions() -> list[Action | None]:
    """Return the value of every choice at the place of its code."""
    made = {kind | argument << 4: new_action(kind, argument) for kind, argument in all_choices()}
    return [made.get(code) for code in range(max(made) + 1)]


ACTIONS: list[Any] = all_actions()  # None where no choice has the code
CODES: Mapping[int, int] = {
    id(action): code for code, action in enumerate(ACTIONS) if action is not None
}  # by their ids


def action_of(code: int) -> Action:
    """Return a choice as a value."""
    action: Action | None = ACTIONS[code] if 0 <= code < len(ACTIONS) else None
    if action is None:
        raise ValueError(f"{code} is not the code of an action")
    return action


def known_code(action: object) -> int:
    """Return the code of a value that stands in `ACTIONS`, -1 for any other value: it may still equal one."""
    return CODES.get(id(action), -1)


def code_for(action: Action) -> int:
    """Return the code of an option: at once if it is the very value that was listed."""
    code = CODES.get(id(action))
    return code_of(action) if code is None else code


def code_of(action: Action) -> int:
    """Return the code of a value that is one of the options: others have none, or that of another action."""
    match action:
        case act.SellGoods(good, count):
            return SELL_GOODS | sale_of(good.value, count) << 4
        case act.BuildCard(card, lot):
            return BUILD_CARD | site_of(card.value, lot - 1) << 4
        case act.PutUnderDeck(card):
            return PUT_UNDER_DECK | card.value << 4
        case act.ScrapCard(card):
            return SCRAP_CARD | card.value << 4
        case act.ChooseBrewery(brewery):
            return CHOOSE_BREWERY | brewery << 4
        case act.NameBonusGood(good):
            return NAME_BONUS_GOOD | good.value << 4
        case act.ExchangeGoods(give, take, count):
            return EXCHANGE_GOODS | exchange_of(give.value, take.value, count) << 4
        case act.StoreGoods(hops, barley, water):
            return STORE_GOODS | store_of(hops, barley, water) << 4
        case act.Stop():
            return STOP
    return CHOOSE_NONE


PLAIN: Mapping[int, tuple[Callable[..., Event], int]] = {  # events whose numbers are their fields, and how many
    GOODS_HARVESTED: (ev.GoodsHarvested, 4),
    EXCHANGE_DECLINED: (ev.ExchangeDeclined, 1),
    INCOME_RECEIVED: (ev.IncomeReceived, 7),
    PALACE_FINISHED: (ev.PalaceFinished, 1),
    BUILDING_STOPPED: (ev.BuildingStopped, 1),
    SCRAPPING_STOPPED: (ev.ScrappingStopped, 1),
    DISCARDING_STOPPED: (ev.DiscardingStopped, 1),
    GOODS_STORED: (ev.GoodsStored, 5),
}


def event_of(words: Sequence[int], seats: int) -> Event:
    """Return an event as a value, for a table of so many seats."""
    kind = words[0]
    if kind in PLAIN:
        make, count = PLAIN[kind]
        return make(*words[1 : 1 + count])
    if kind == AMOUNT_CHOSEN:
        return ev.AmountChosen(words[1], GOODS[words[2]], words[3])
    if kind == CARD_PUT_UNDER:
        return ev.CardPutUnder(words[1], CARDS[words[2]])
    if kind == CARD_BUILT:
        return ev.CardBuilt(words[1], CARDS[words[2]], words[3], words[4], CARDS[words[5]])
    if kind == BREWERY_CHOSEN:
        return ev.BreweryChosen(words[1], words[2] or None)
    if kind == GOODS_SOLD:
        seat, brewery, hops, barley, water, payment = words[1:7]
        return ev.GoodsSold(seat, brewery, hops, barley, water, payment, tuple(words[7:10]))
    if kind == CARDS_DRAWN:
        return ev.CardsDrawn(words[1], words[2], tuple([CARDS[card] for card in words[3 : 3 + words[2]]]))
    if kind == ROUND_STARTED:
        return ev.RoundStarted(words[1], tuple(words[2 : 2 + seats]))
    if kind == PRICES_ADJUSTED:
        return ev.PricesAdjusted(unpacked(words[1], PRICE_BITS, seats * GOOD_COUNT))
    if kind == GOODS_EXCHANGED:
        return ev.GoodsExchanged(words[1], GOODS[words[2]], GOODS[words[3]], words[4])
    if kind == BONUS_GOOD_NAMED:
        return ev.BonusGoodNamed(words[1], None if words[2] < 0 else GOODS[words[2]])
    if kind == CARD_SCRAPPED:
        return ev.CardScrapped(words[1], CARDS[words[2]])
    if kind == PALACE_PRICE_RAISED:
        return ev.PalacePriceRaised(words[1] or None)
    assert kind == GAME_ENDED
    ranks, parts = unpacked(words[3], RESULT_BITS, seats), unpacked(words[4], RESULT_BITS, seats)
    return ev.GameEnded(EndReason(words[1]), words[2], ranks, parts, tuple(words[5 : 5 + seats]))


def unpacked(packed: int, bits: int, count: int) -> tuple[int, ...]:
    """Return the small numbers that are packed into one, the first lowest."""
    return tuple([packed >> bits * place & (1 << bits) - 1 for place in range(count)])
