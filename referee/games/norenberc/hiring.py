"""B5 Hire: paying for a guest, taking it, the bonus and the turn-order track."""

from __future__ import annotations

from referee.games.norenberc.citizens import gain_agent, use_citizen
from referee.games.norenberc.codes import (
    BONUS_PAID,
    GUEST_HIRED,
    KEEP_PLACE,
    MOVE_FIRST,
    PAY_GOODS,
    TURN_ORDER_CHANGED,
    Choice,
    argument_of,
    kind_of_choice,
)
from referee.games.norenberc.components import NO_TILE, PANES, has_agent_plus, is_artisan
from referee.games.norenberc.goods import MAX_PAID, Vector, count_in, first_cost, loose_goods, offer_costs
from referee.games.norenberc.state import (
    ASK_TURN_ORDER,
    GIVE_BONUS,
    SEND_TO_ROOF,
    State,
    agents_on_roof,
    do_next,
    take_tile,
)
from referee.rows import Events, Int, Listing


def payment_options(state: State, house: Int, seat: Int, pane: Int, listing: Listing) -> None:
    """B5.13: every way to pay for the window out of the player's loose goods."""
    first = first_cost(state.houses, house, pane)
    last = first_cost(state.houses, house, pane + 1)
    offer_costs(first, last, loose_goods(state, seat, MAX_PAID), PAY_GOODS, listing)


def resolve_payment(state: State, house: Int, seat: Int, pane: Int, choice: Choice, events: Events) -> None:
    """B5.14: pay, take the guest and use it; bonus, turn order and roof follow."""
    goods = Vector(argument_of(choice))
    for good in range(state.houses):
        # B5.15: whatever was paid stays in the storehouse of the guild where the hire happens.
        count = count_in(goods, good)
        if count:
            state.loose[seat * state.houses + good] -= count
            state.stores[house * state.houses + good] += count
    position = house * PANES + pane
    tile = state.lodgings[position]
    state.lodgings[position] = NO_TILE  # B5.21: the window stays empty until the end of the round
    events.tell(GUEST_HIRED, seat, house + 1, pane + 1, tile, goods)
    do_next(state, SEND_TO_ROOF, house, seat)
    do_next(state, GIVE_BONUS, house, seat)
    if is_artisan(tile):
        take_artisan(state, seat, tile, events)
    else:
        use_citizen(state, seat, tile, events)


def take_artisan(state: State, seat: Int, tile: Int, events: Events) -> None:
    """B5.16: put an artisan in front of a player, who gains an agent if it shows agent +."""
    take_tile(state, seat, tile)
    if has_agent_plus(tile):
        gain_agent(state, seat, events)


def give_bonus(state: State, house: Int, seat: Int, events: Events) -> None:
    """B5.18: one taler for every agent on the roof; then ask about the track (B5.19) unless the seat is first."""
    talers = agents_on_roof(state, house)
    if talers:
        state.talers[seat] += talers
        events.tell(BONUS_PAID, seat, house + 1, talers)
    if state.track[0] != seat:
        do_next(state, ASK_TURN_ORDER, 0, seat)


def turn_order_options(listing: Listing) -> None:
    """B5.19: keep the place on the track, or move to the first one."""
    listing.add(KEEP_PLACE)
    listing.add(MOVE_FIRST)


def resolve_turn_order(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """B5.19: move to the first place or stay; the others keep their order."""
    if kind_of_choice(choice) == MOVE_FIRST:
        place = 0
        while state.track[place] != seat:
            place += 1
        while place:
            state.track[place] = state.track[place - 1]
            place -= 1
        state.track[0] = seat
        changed = events.tell(TURN_ORDER_CHANGED, seat)
        for place in range(state.seats):
            events.words[changed + 1 + place] = state.track[place]
