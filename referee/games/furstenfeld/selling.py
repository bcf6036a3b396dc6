"""F6: phase 3, in the order of its steps: exchange, brewery, amounts, trading office, payment, income and marker."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import IllegalActionError, Seat
from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.events import (
    AmountChosen,
    BonusGoodNamed,
    BreweryChosen,
    Event,
    ExchangeDeclined,
    GoodsExchanged,
    GoodsSold,
    IncomeReceived,
)
from referee.games.furstenfeld.state import AskBrewery, AskExchange, AskOfficeBonus, AskSellAmount, State, visible

NOTHING_SOLD = (0,) * box.GOOD_COUNT


# Exchange


def exchange_options(state: State, step: AskExchange, seat: Seat) -> Sequence[Action]:
    """F6.1: `none`, then 1 to 3 units of any owned good for any other (F10.7)."""
    player = state.players[seat]
    return act.exchanges(visible(player, box.MAX_EXCHANGE_OF), *player.goods)


def refuse_exchange(state: State, step: AskExchange, action: Action) -> IllegalActionError:
    """F6.1: say why a market does not do this."""
    if not isinstance(action, act.ExchangeGoods):
        return IllegalActionError("F6.1", "the market is asked: exchange goods or choose none")
    if action.give is action.take:
        return IllegalActionError("F6.1", f"{action.give.name.lower()} cannot be exchanged for itself")
    owned = state.players[step.seat].goods[action.give.value]
    most = min(owned, visible(state.players[step.seat], box.MAX_EXCHANGE_OF))
    reason = f"{action.count} {action.give.name.lower()} cannot be exchanged; expected 1 to {most} of {owned} owned"
    return IllegalActionError("F6.1", reason)


def resolve_exchange(state: State, step: AskExchange, action: Action) -> list[Event]:
    """F6.1: at most one exchange, before selling."""
    state.agenda.done()
    if not isinstance(action, act.ExchangeGoods):
        return [ExchangeDeclined(step.seat)]
    goods = state.players[step.seat].goods
    goods[action.give.value] -= action.count
    goods[action.take.value] += action.count
    return [GoodsExchanged(step.seat, action.give, action.take, action.count)]


# Brewery


def brewery_options(state: State, step: AskBrewery, seat: Seat) -> list[Action]:
    """F6.2: `none`, then each open brewery that pays for at least one good the seat owns."""
    prices = state.prices
    hops, barley, water = state.players[seat].goods
    options: list[Action] = [act.CHOOSE_NONE]
    for at in range(0, len(prices), box.GOOD_COUNT):
        if (hops and prices[at] > 0) or (barley and prices[at + 1] > 0) or (water and prices[at + 2] > 0):
            options.append(act.brewery_choice(at // box.GOOD_COUNT + 1))
    return options


def default_brewery(state: State, step: AskBrewery, seat: Seat) -> Action:
    """F12.4: the brewery that would pay most for all the goods, the lowest number on ties; `none` if none pays."""
    prices = state.prices
    hops, barley, water = state.players[seat].goods
    best, choice = 0, 0
    for at in range(0, len(prices), box.GOOD_COUNT):
        proceeds = hops * prices[at] + barley * prices[at + 1] + water * prices[at + 2]
        if proceeds > best:
            best, choice = proceeds, at // box.GOOD_COUNT + 1
    return act.brewery_choice(choice) if choice else act.CHOOSE_NONE


def refuse_brewery(state: State, step: AskBrewery, action: Action) -> IllegalActionError:
    """F6.2, F6.4: say why nothing can be sold there."""
    if not isinstance(action, act.ChooseBrewery):
        return IllegalActionError("F6.2", "a brewery is asked for: choose one or none")
    if not 1 <= action.brewery <= len(state.players):
        return IllegalActionError("F2.3", f"brewery {action.brewery} is not open; expected 1 to {len(state.players)}")
    return IllegalActionError("F6.4", f"brewery {action.brewery} pays for none of the goods you own")


def resolve_brewery(state: State, step: AskBrewery, action: Action) -> list[Event]:
    """F6.2, F6.14: at most one brewery; without one the seat goes straight to its income."""
    state.agenda.done()
    if not isinstance(action, act.ChooseBrewery):
        return [BreweryChosen(step.seat, None), receive_income(state, step.seat, 0, 0)]
    state.agenda.then(AskSellAmount(step.seat, action.brewery, ()))
    return [BreweryChosen(step.seat, action.brewery)]


# Amounts


def sell_amount_options(state: State, step: AskSellAmount, seat: Seat) -> Sequence[act.SellGoods]:
    """F6.3, F6.4: from 0 to all units of the next good, whatever the demand; only 0 where its price is 0."""
    good = len(step.sold)
    if state.prices[(step.brewery - 1) * box.GOOD_COUNT + good] == 0:
        return act.sales(good, 0)
    return act.sales(good, state.players[seat].goods[good])


def refuse_sell_amount(state: State, step: AskSellAmount, action: Action) -> IllegalActionError:
    """F6.3, F6.4: say why this amount cannot be sold."""
    good = box.GOODS[len(step.sold)]
    name = good.name.lower()
    if not isinstance(action, act.SellGoods) or action.good is not good:
        return IllegalActionError("F6.3", f"the amount of {name} to sell is asked for")
    owned = state.players[step.seat].goods[good.value]
    if 0 <= action.count <= owned:
        return IllegalActionError("F6.4", f"brewery {step.brewery} pays 0 for {name}, so none can be sold there")
    return IllegalActionError("F6.3", f"{action.count} {name} cannot be sold; expected 0 to {owned}")


def resolve_sell_amount(state: State, step: AskSellAmount, action: Action) -> list[Event]:
    """F12.5: collect the amounts; the sale is paid after the last of them, and after the trading office if asked."""
    assert isinstance(action, act.SellGoods)
    state.agenda.done()
    sold = (*step.sold, action.count)
    events: list[Event] = [AmountChosen(step.seat, action.good, action.count)]
    if len(sold) < box.GOOD_COUNT:
        state.agenda.then(AskSellAmount(step.seat, step.brewery, sold))
    elif sold == NOTHING_SOLD:
        events.append(receive_income(state, step.seat, 0, 0))
    elif visible(state.players[step.seat], box.OFFICE_BONUS_OF):
        state.agenda.then(AskOfficeBonus(step.seat, step.brewery, sold))
    else:
        payment = sell(state, step.seat, step.brewery, sold, events)
        events.append(receive_income(state, step.seat, payment, 0))
    return events


# Trading office


def office_bonus_options(state: State, step: AskOfficeBonus, seat: Seat) -> list[Action]:
    """F6.5: `none`, then each good of which at least one unit is sold."""
    return [act.CHOOSE_NONE, *(act.BONUS[good] for good, count in enumerate(step.sold) if count)]


def default_office_bonus(state: State, step: AskOfficeBonus, seat: Seat) -> Action:
    """F12.4: the good with most units sold, the first in canonical order on ties."""
    return act.BONUS[step.sold.index(max(step.sold))]


def refuse_office_bonus(state: State, step: AskOfficeBonus, action: Action) -> IllegalActionError:
    """F6.5: say why the trading office does not pay for this."""
    if isinstance(action, act.NameBonusGood):
        return IllegalActionError("F6.5", f"you sell no {action.good.name.lower()}, so it earns no bonus")
    return IllegalActionError("F6.5", "the trading office is asked: name a good you sell or choose none")


def resolve_office_bonus(state: State, step: AskOfficeBonus, action: Action) -> list[Event]:
    """F6.5, F10.6: one extra coin for every unit sold of the good named, also above the demand; then pay."""
    state.agenda.done()
    good = action.good if isinstance(action, act.NameBonusGood) else None
    bonus = step.sold[good.value] * visible(state.players[step.seat], box.OFFICE_BONUS_OF) if good else 0
    events: list[Event] = [BonusGoodNamed(step.seat, good)]
    payment = sell(state, step.seat, step.brewery, step.sold, events)
    events.append(receive_income(state, step.seat, payment, bonus))
    return events


# Payment


def sell(state: State, seat: Seat, brewery: int, sold: tuple[int, ...], events: list[Event]) -> int:
    """F6.6 to F6.8: pay all units at the price before the sale, place what is in demand, lower prices by the excess."""
    prices, placed, goods = state.prices, state.placed, state.players[seat].goods
    first = (brewery - 1) * box.GOOD_COUNT
    payment = 0
    for good, count in enumerate(sold):
        at = first + good
        payment += count * prices[at]
        put = min(count, state.demand[at] - placed[at])
        placed[at] += put
        prices[at] = max(box.PRICE_MIN, prices[at] - (count - put))
        goods[good] -= count
    hops, barley, water = sold
    events.append(GoodsSold(seat, brewery, hops, barley, water, payment, tuple(prices[first : first + box.GOOD_COUNT])))
    return payment


def receive_income(state: State, seat: Seat, payment: int, office_bonus: int) -> IncomeReceived:
    """F6.9 to F6.13: add banks and tour guide to the sale, and place the turn order marker.

    With a magistrate it stands 3 spaces lower, but not below 0. Its place in a stack follows from turn order (F3.6).
    """
    player = state.players[seat]
    bank_coins = visible(player, box.COINS_OF)
    per_part = visible(player, box.COINS_PER_PART_OF)
    tour_guide_coins = per_part * visible(player, box.IS_PALACE) if per_part else 0
    income = payment + office_bonus + bank_coins + tour_guide_coins
    player.income = income
    player.money += income
    player.marker = max(box.MARKER_MIN, income - visible(player, box.MARKER_REDUCTION_OF))
    return IncomeReceived(seat, payment, office_bonus, bank_coins, tour_guide_coins, income, player.marker)
