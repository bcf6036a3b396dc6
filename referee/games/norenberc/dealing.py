"""B5 Actions in a called guild: nothing, selling, buying, and the start of a hire."""

from __future__ import annotations

from referee.games.norenberc.codes import (
    BUY_GOODS,
    DO_NOTHING,
    ENTER_STOREHOUSE,
    GOODS_BOUGHT,
    GOODS_SOLD,
    HIRE_GUEST,
    NOTHING_DONE,
    SELL_GOODS,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.norenberc.components import FIRST_TURN_LIMITS, GOODS_PER_GUILD, MAX_BOUGHT, PANES
from referee.games.norenberc.goods import Vector, count_in, first_vector, offer_vectors, payable_panes, stored_goods
from referee.games.norenberc.state import ASK_PAYMENT, ASK_PURCHASE, SEATS, State, do_next, goods_count, price
from referee.rows import Events, Int, Ints, Listing

SALES: Ints = [choice_of(SELL_GOODS, count) for count in range(1, GOODS_PER_GUILD + 1)]
HIRES: Ints = [choice_of(HIRE_GUEST, pane + 1) for pane in range(PANES)]
LIMITS: Ints = [
    FIRST_TURN_LIMITS.get((seats, revealed), MAX_BOUGHT) for seats in range(SEATS + 1) for revealed in range(SEATS + 1)
]


def act_options(state: State, house: Int, seat: Int, listing: Listing) -> None:
    """B5.4: nothing, sell, hire or buy, as far as the player's goods and talers go."""
    own = state.loose[seat * state.houses + house]
    listing.add(DO_NOTHING)
    if own:
        listing.add_all(SALES, 0, own)
        panes = payable_panes(own, goods_count(state, seat))
        for pane in range(PANES):
            if panes >> pane & 1 and state.lodgings[house * PANES + pane]:  # B5.11
                listing.add(HIRES[pane])
    if can_buy(state, house, seat):
        listing.add(ENTER_STOREHOUSE)


def can_buy(state: State, house: Int, seat: Int) -> bool:
    """B5.10: there is something to buy only where the storehouse holds a good that the player can pay for."""
    if state.talers[seat] < price(state, house):
        return False
    stored = 0
    for place in range(house * state.houses, house * state.houses + state.houses):
        stored += state.stores[place]
    return stored > 0


def resolve_action(state: State, house: Int, seat: Int, choice: Choice, events: Events) -> None:
    """B5.4: carry out the chosen action, or ask on where it needs another decision."""
    kind = kind_of_choice(choice)
    if kind == SELL_GOODS:
        sell(state, house, seat, argument_of(choice), events)
    elif kind == HIRE_GUEST:
        do_next(state, ASK_PAYMENT, house, seat, argument_of(choice) - 1)
    elif kind == ENTER_STOREHOUSE:
        do_next(state, ASK_PURCHASE, house, seat)
    else:
        events.tell(NOTHING_DONE, seat, house + 1)  # B5.22
        send_to_roof(state, house, seat)


def sell(state: State, house: Int, seat: Int, count: Int, events: Events) -> None:
    """B5.6, B5.7: goods of the guild's own type go to its storehouse for the price each."""
    state.loose[seat * state.houses + house] -= count
    state.stores[house * state.houses + house] += count
    talers = count * price(state, house)
    state.talers[seat] += talers
    events.tell(GOODS_SOLD, seat, house + 1, count, talers)
    send_to_roof(state, house, seat)


def buying_limit(state: State) -> Int:
    """B5.9: the most goods one purchase takes; in the first turn of the game a crowded guild gives fewer."""
    if state.round == 1 and state.turn == 1:
        return LIMITS[state.seats * (SEATS + 1) + state.revealed_count]
    return MAX_BOUGHT


def purchase_options(state: State, house: Int, seat: Int, listing: Listing) -> None:
    """B5.8: every goods vector in the storehouse within the limit and the player's talers."""
    most = min(buying_limit(state), state.talers[seat] // price(state, house))
    first = first_vector(state.houses, 1)
    offer_vectors(first, first_vector(state.houses, most + 1), stored_goods(state, house, most), BUY_GOODS, 0, listing)


def resolve_purchase(state: State, house: Int, seat: Int, choice: Choice, events: Events) -> None:
    """B5.8: pay the price for each good and take them out of the storehouse."""
    goods = Vector(argument_of(choice))
    bought = 0
    for good in range(state.houses):
        count = count_in(goods, good)
        if count:
            state.stores[house * state.houses + good] -= count
            state.loose[seat * state.houses + good] += count
            bought += count
    talers = bought * price(state, house)
    state.talers[seat] -= talers
    events.tell(GOODS_BOUGHT, seat, house + 1, goods, talers)
    send_to_roof(state, house, seat)


def send_to_roof(state: State, house: Int, seat: Int) -> None:
    """B5.4, B5.20: the agent moves from the card to the guild's roof, which holds any number."""
    state.on_card[seat] = 0
    state.on_roofs[seat * state.houses + house] += 1
