"""F6: phase 3, in the order of its steps: exchange, brewery, amounts, trading office, payment, income and marker."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.codes import (
    AMOUNT_CHOSEN,
    BONUS_GOOD_NAMED,
    BREWERY_CHOSEN,
    CHOOSE_BREWERY,
    CHOOSE_NONE,
    EXCHANGE_DECLINED,
    EXCHANGE_GOODS,
    GOODS_EXCHANGED,
    GOODS_SOLD,
    INCOME_RECEIVED,
    MAX_OWNED,
    NAME_BONUS_GOOD,
    SELL_GOODS,
    Choice,
    argument_of,
    choice_of,
    exchange_of,
    exchanged_count,
    given_good,
    kind_of_choice,
    sale_of,
    sold_count,
    taken_good,
)
from referee.games.furstenfeld.components import GOOD_COUNT
from referee.games.furstenfeld.effects import (
    COINS,
    COINS_PER_PART,
    IS_PALACE,
    MARKER_REDUCTION,
    MAX_EXCHANGE,
    OFFICE_BONUS,
)
from referee.games.furstenfeld.state import (
    ASK_OFFICE_BONUS,
    ASK_SELL_AMOUNT,
    State,
    do_next,
    visible,
)
from referee.rows import Events, Int, Ints, Listing

SALES: Ints = [  # of every good, from 0 to the most units
    choice_of(SELL_GOODS, sale_of(good, count)) for good in range(GOOD_COUNT) for count in range(MAX_OWNED + 1)
]


# Exchange


def exchange_options(state: State, seat: Int, listing: Listing) -> None:
    """F6.1: `none`, then 1 to 3 units of any owned good for any other (F10.7)."""
    most = visible(state, seat, MAX_EXCHANGE)
    listing.add(CHOOSE_NONE)
    for give in range(GOOD_COUNT):
        for take in range(GOOD_COUNT):
            if take != give:
                for count in range(1, min(most, state.goods[seat * GOOD_COUNT + give]) + 1):
                    listing.add(choice_of(EXCHANGE_GOODS, exchange_of(give, take, count)))


def refuse_exchange(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F6.1: say why a market does not do this."""
    if not isinstance(action, act.ExchangeGoods):
        return IllegalActionError("F6.1", "the market is asked: exchange goods or choose none")
    if action.give is action.take:
        return IllegalActionError("F6.1", f"{action.give.name.lower()} cannot be exchanged for itself")
    owned = state.goods[seat * GOOD_COUNT + action.give.value]
    most = min(owned, visible(state, seat, MAX_EXCHANGE))
    reason = f"{action.count} {action.give.name.lower()} cannot be exchanged; expected 1 to {most} of {owned} owned"
    return IllegalActionError("F6.1", reason)


def resolve_exchange(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F6.1: at most one exchange, before selling."""
    if kind_of_choice(choice) == CHOOSE_NONE:
        events.tell(EXCHANGE_DECLINED, seat)
        return
    exchange = argument_of(choice)
    give = given_good(exchange)
    take = taken_good(exchange)
    count = exchanged_count(exchange)
    state.goods[seat * GOOD_COUNT + give] -= count
    state.goods[seat * GOOD_COUNT + take] += count
    events.tell(GOODS_EXCHANGED, seat, give, take, count)


# Brewery


def brewery_options(state: State, seat: Int, listing: Listing) -> None:
    """F6.2: `none`, then each open brewery that pays for at least one good the seat owns."""
    hops = state.goods[seat * GOOD_COUNT]
    barley = state.goods[seat * GOOD_COUNT + 1]
    water = state.goods[seat * GOOD_COUNT + 2]
    listing.add(CHOOSE_NONE)
    for brewery in range(state.seats):
        at = brewery * GOOD_COUNT
        if (hops and state.prices[at]) or (barley and state.prices[at + 1]) or (water and state.prices[at + 2]):
            listing.add(choice_of(CHOOSE_BREWERY, brewery + 1))


def default_brewery(state: State, seat: Int) -> Choice:
    """F12.4: the brewery that would pay most for all the goods, the lowest number on ties; `none` if none pays."""
    best = 0
    choice = 0
    for brewery in range(state.seats):
        proceeds = 0
        for good in range(GOOD_COUNT):
            proceeds += state.goods[seat * GOOD_COUNT + good] * state.prices[brewery * GOOD_COUNT + good]
        if proceeds > best:
            best = proceeds
            choice = brewery + 1
    return choice_of(CHOOSE_BREWERY, choice) if choice else Choice(CHOOSE_NONE)


def refuse_brewery(state: State, action: Action) -> IllegalActionError:
    """F6.2, F6.4: say why nothing can be sold there."""
    if not isinstance(action, act.ChooseBrewery):
        return IllegalActionError("F6.2", "a brewery is asked for: choose one or none")
    if not 1 <= action.brewery <= state.seats:
        return IllegalActionError("F2.3", f"brewery {action.brewery} is not open; expected 1 to {state.seats}")
    return IllegalActionError("F6.4", f"brewery {action.brewery} pays for none of the goods you own")


def resolve_brewery(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F6.2, F6.14: at most one brewery; without one the seat goes straight to its income."""
    brewery = argument_of(choice)
    events.tell(BREWERY_CHOSEN, seat, brewery)
    if brewery:
        state.sale_brewery = brewery
        do_next(state, ASK_SELL_AMOUNT, seat)
    else:
        receive_income(state, seat, 0, 0, events)


# Amounts


def price_asked(state: State, good: Int) -> Int:
    """F6.3: the price of a good at the brewery of the sale."""
    return state.prices[(state.sale_brewery - 1) * GOOD_COUNT + good]


def sell_amount_options(state: State, seat: Int, listing: Listing) -> None:
    """F6.3, F6.4: from 0 to all units of the next good, whatever the demand; only 0 where its price is 0."""
    good = state.sale_count
    most = state.goods[seat * GOOD_COUNT + good] if price_asked(state, good) else 0
    first = good * (MAX_OWNED + 1)
    listing.add_all(SALES, first, first + most + 1)


def refuse_sell_amount(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F6.3, F6.4: say why this amount cannot be sold."""
    good = box.GOODS[state.sale_count]
    name = good.name.lower()
    if not isinstance(action, act.SellGoods) or action.good is not good:
        return IllegalActionError("F6.3", f"the amount of {name} to sell is asked for")
    owned = state.goods[seat * GOOD_COUNT + good.value]
    if 0 <= action.count <= owned:
        return IllegalActionError("F6.4", f"brewery {state.sale_brewery} pays 0 for {name}, so none can be sold there")
    return IllegalActionError("F6.3", f"{action.count} {name} cannot be sold; expected 0 to {owned}")


def resolve_sell_amount(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F12.5: collect the amounts; the sale is paid after the last of them, and after the trading office if asked."""
    good = state.sale_count
    count = sold_count(argument_of(choice))
    state.sale_amounts[good] = count
    state.sale_count += 1
    events.tell(AMOUNT_CHOSEN, seat, good, count)
    if state.sale_count < GOOD_COUNT:
        do_next(state, ASK_SELL_AMOUNT, seat)
    elif not units_for_sale(state):
        receive_income(state, seat, 0, 0, events)
    elif visible(state, seat, OFFICE_BONUS):
        do_next(state, ASK_OFFICE_BONUS, seat)
    else:
        receive_income(state, seat, sell(state, seat, events), 0, events)


def units_for_sale(state: State) -> Int:
    """F6.3: how many units of all goods the sale has."""
    units = 0
    for count in state.sale_amounts[:GOOD_COUNT]:
        units += count
    return units


# Trading office


def office_bonus_options(state: State, listing: Listing) -> None:
    """F6.5: `none`, then each good of which at least one unit is sold."""
    listing.add(CHOOSE_NONE)
    for good in range(GOOD_COUNT):
        if state.sale_amounts[good]:
            listing.add(choice_of(NAME_BONUS_GOOD, good))


def default_office_bonus(state: State) -> Choice:
    """F12.4: the good with most units sold, the first in canonical order on ties."""
    best = 0
    for good in range(1, GOOD_COUNT):
        if state.sale_amounts[good] > state.sale_amounts[best]:
            best = good
    return choice_of(NAME_BONUS_GOOD, best)


def refuse_office_bonus(action: Action) -> IllegalActionError:
    """F6.5: say why the trading office does not pay for this."""
    if isinstance(action, act.NameBonusGood):
        return IllegalActionError("F6.5", f"you sell no {action.good.name.lower()}, so it earns no bonus")
    return IllegalActionError("F6.5", "the trading office is asked: name a good you sell or choose none")


def resolve_office_bonus(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F6.5, F10.6: one extra coin for every unit sold of the good named, also above the demand; then pay."""
    bonus = 0
    if kind_of_choice(choice) == CHOOSE_NONE:
        events.tell(BONUS_GOOD_NAMED, seat, -1)
    else:
        good = argument_of(choice)
        bonus = state.sale_amounts[good] * visible(state, seat, OFFICE_BONUS)
        events.tell(BONUS_GOOD_NAMED, seat, good)
    receive_income(state, seat, sell(state, seat, events), bonus, events)


# Payment


def sell(state: State, seat: Int, events: Events) -> Int:
    """F6.6 to F6.8: pay all units at the price before the sale, place what is in demand, lower prices by the excess."""
    first = (state.sale_brewery - 1) * GOOD_COUNT
    told = events.tell(
        GOODS_SOLD, seat, state.sale_brewery, state.sale_amounts[0], state.sale_amounts[1], state.sale_amounts[2]
    )
    payment = 0
    for good in range(GOOD_COUNT):
        at = first + good
        count = state.sale_amounts[good]
        payment += count * state.prices[at]
        put = min(count, state.demand[at] - state.placed[at])
        state.placed[at] += put
        state.prices[at] = max(box.PRICE_MIN, state.prices[at] - (count - put))
        state.goods[seat * GOOD_COUNT + good] -= count
        events.words[told + 6 + good] = state.prices[at]
    events.words[told + 5] = payment
    return payment


def receive_income(state: State, seat: Int, payment: Int, office_bonus: Int, events: Events) -> None:
    """F6.9 to F6.13: add banks and tour guide to the sale, and place the turn order marker.

    With a magistrate it stands 3 spaces lower, but not below 0. Its place in a stack follows from turn order (F3.6).
    """
    bank_coins = visible(state, seat, COINS)
    per_part = visible(state, seat, COINS_PER_PART)
    tour_guide_coins = per_part * visible(state, seat, IS_PALACE) if per_part else 0
    income = payment + office_bonus + bank_coins + tour_guide_coins
    state.income[seat] = income
    state.money[seat] += income
    state.marker[seat] = max(box.MARKER_MIN, income - visible(state, seat, MARKER_REDUCTION))
    state.sale_brewery = 0
    state.sale_count = 0
    received = events.tell(INCOME_RECEIVED, seat, payment, office_bonus, bank_coins, tour_guide_coins)
    events.words[received + 5] = income
    events.words[received + 6] = state.marker[seat]
