"""B5 Actions in a called guild: nothing, selling, buying, and the start of a hire."""

from __future__ import annotations

from functools import cache

from referee.game import Seat
from referee.games.norenberc import state as states
from referee.games.norenberc.actions import Action, BuyGoods, DoNothing, EnterStorehouse, HireGuest, SellGoods
from referee.games.norenberc.components import FIRST_TURN_LIMITS, MAX_BOUGHT, PANES
from referee.games.norenberc.events import Event, GoodsBought, GoodsSold, NothingDone
from referee.games.norenberc.goods import capped, payable_panes, purchases
from referee.games.norenberc.state import State, goods_of, price, store_of


@cache
def deals(sellable: int, panes: int, can_buy: bool) -> tuple[Action, ...]:
    """B10.2: the options of ACT in their order; `panes` is a bit set of windows."""
    options: list[Action] = [DoNothing()]
    options += [SellGoods(count) for count in range(1, sellable + 1)]
    options += [HireGuest(pane + 1) for pane in range(PANES) if panes & 1 << pane]
    if can_buy:
        options.append(EnterStorehouse())
    return tuple(options)


def act_options(state: State, step: states.AskAction, seat: Seat) -> tuple[Action, ...]:
    """B5.4: nothing, sell, hire or buy, as far as the player's goods and talers go."""
    house = step.house
    goods = goods_of(state, seat)
    own = goods[house]
    panes = 0
    if own:
        panes = payable_panes(own, sum(goods)) & occupied_panes(state, house)
    return deals(own, panes, can_buy(state, house, seat))


def occupied_panes(state: State, house: int) -> int:
    """B5.11: bit set of the windows of a lodging that hold a guest."""
    first = house * PANES
    panes = 0
    for pane, guest in enumerate(state.lodgings[first : first + PANES]):
        if guest:
            panes |= 1 << pane
    return panes


def can_buy(state: State, house: int, seat: Seat) -> bool:
    """B5.10: there is something to buy only where the storehouse holds a good that the player can pay for."""
    return state.talers[seat] >= price(state, house) and any(store_of(state, house))


def resolve_action(state: State, step: states.AskAction, action: Action, events: list[Event]) -> None:
    """B5.4: carry out the chosen action, or ask on where it needs another decision."""
    house, seat = step.house, step.seat
    match action:
        case SellGoods(count):
            sell(state, house, seat, count, events)
        case HireGuest(window):
            state.agenda.push(states.AskPayment(house, seat, window - 1))
        case EnterStorehouse():
            state.agenda.push(states.ASK_PURCHASE[house][seat])
        case _:
            events.append(NothingDone(seat, house + 1))  # B5.22
            send_to_roof(state, house, seat)


def sell(state: State, house: int, seat: Seat, count: int, events: list[Event]) -> None:
    """B5.6, B5.7: goods of the guild's own type go to its storehouse for the price each."""
    state.loose[seat * state.houses + house] -= count
    state.stores[house * state.houses + house] += count
    talers = count * price(state, house)
    state.talers[seat] += talers
    events.append(GoodsSold(seat, house + 1, count, talers))
    send_to_roof(state, house, seat)


def buying_limit(state: State) -> int:
    """B5.9: the most goods one purchase takes; in the first turn of the game a crowded guild gives fewer."""
    if state.round == 1 and state.turn == 1:
        return FIRST_TURN_LIMITS.get((state.seats, state.revealed_count), MAX_BOUGHT)
    return MAX_BOUGHT


def purchase_options(state: State, step: states.AskPurchase, seat: Seat) -> tuple[Action, ...]:
    """B5.8: every goods vector in the storehouse within the limit and the player's talers."""
    most = min(buying_limit(state), state.talers[seat] // price(state, step.house))
    return purchases(capped(store_of(state, step.house), most), most)


def resolve_purchase(state: State, step: states.AskPurchase, action: Action, events: list[Event]) -> None:
    """B5.8: pay the price for each good and take them out of the storehouse."""
    assert isinstance(action, BuyGoods)
    house, seat = step.house, step.seat
    move_goods(action.goods, state.stores, house * state.houses, state.loose, seat * state.houses)
    talers = sum(action.goods) * price(state, house)
    state.talers[seat] -= talers
    events.append(GoodsBought(seat, house + 1, action.goods, talers))
    send_to_roof(state, house, seat)


def move_goods(
    goods: tuple[int, ...], source: list[int], source_start: int, target: list[int], target_start: int
) -> None:
    """B0.8: move a goods vector from one row of a flat list to another."""
    for house, count in enumerate(goods):
        if count:
            source[source_start + house] -= count
            target[target_start + house] += count


def send_to_roof(state: State, house: int, seat: Seat) -> None:
    """B5.4, B5.20: the agent moves from the card to the guild's roof, which holds any number."""
    state.on_card[seat] = 0
    state.on_roofs[seat * state.houses + house] += 1
