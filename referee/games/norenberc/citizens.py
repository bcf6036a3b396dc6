"""B6 Citizens: what each does when it is hired, and the decisions that it asks for."""

from __future__ import annotations

from typing import Annotated

from referee.games.norenberc.codes import (
    AGENT_GAINED,
    ALL_GOODS,
    ARTISANS_SWAPPED,
    DECLINE_SWAP,
    DECLINE_THEFT,
    GOOD_STORED,
    GOODS_STOLEN,
    MAYOR_PLACED,
    PLACE_MAYOR,
    STEAL_GOODS,
    STORE_GOOD,
    SWAP_ARTISANS,
    SWAP_DECLINED,
    THEFT_DECLINED,
    VICTIM_SHIFT,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.norenberc.components import (
    NO_TILE,
    PANES,
    SHOP_TILES,
    THIEF_TAKES,
    CitizenKind,
    guild_of,
    is_artisan,
    kind_of,
)
from referee.games.norenberc.goods import Vector, count_in, first_vector, loose_goods, offer_vectors
from referee.games.norenberc.pile import return_to_pile
from referee.games.norenberc.state import (
    ASK_MAYOR_GUILD,
    ASK_STORED_GOOD,
    ASK_SWAP,
    ASK_THEFT,
    State,
    do_next,
    goods_count,
    price,
    take_tile,
)
from referee.rows import Events, Int, Listing, Smalls

MOVABLE = 32  # room for the artisans of one guild that a Guard may move


def gain_agent(state: State, seat: Int, events: Events) -> None:
    """B5.17: move one agent from reserve to supply, if there is one."""
    if state.reserve[seat]:
        state.reserve[seat] -= 1
        state.supply[seat] += 1
        events.tell(AGENT_GAINED, seat)


def use_citizen(state: State, seat: Int, tile: Int, events: Events) -> None:
    """B6.1: star citizens act immediately; of the others only Pedlar and Mayor ask for anything now."""
    kind = kind_of(tile)
    if kind == CitizenKind.COUNCILLOR:
        hire_councillor(state, seat, tile, events)
    elif kind == CitizenKind.THIEF:
        state.guest_in_use = tile
        do_next(state, ASK_THEFT, 0, seat)
    elif kind == CitizenKind.GUARD:
        state.guest_in_use = tile
        do_next(state, ASK_SWAP, 0, seat)
    elif kind == CitizenKind.PEDLAR:
        hire_pedlar(state, seat, tile, events)
    elif kind == CitizenKind.MAYOR:
        state.guest_in_use = tile
        do_next(state, ASK_MAYOR_GUILD, 0, seat)
    else:
        take_tile(state, seat, tile)


def hire_councillor(state: State, seat: Int, tile: Int, events: Events) -> None:
    """B6.3: gain an agent if there is one; the tile returns in any case."""
    gain_agent(state, seat, events)
    return_to_pile(state, tile, events)


def hire_pedlar(state: State, seat: Int, tile: Int, events: Events) -> None:
    """B6.7: a Pedlar wants a loose good; without one it returns to the pile immediately."""
    if goods_count(state, seat):
        state.guest_in_use = tile
        do_next(state, ASK_STORED_GOOD, 0, seat)
    else:
        return_to_pile(state, tile, events)


def dismiss_star(state: State, events: Events) -> None:
    """B6.1: a star citizen that has acted returns to the pile."""
    tile = state.guest_in_use
    state.guest_in_use = NO_TILE
    return_to_pile(state, tile, events)


def theft_options(state: State, seat: Int, listing: Listing) -> None:
    """B6.4: decline, or take two goods (the only one, if there is just one) from one other player."""
    listing.add(DECLINE_THEFT)
    for victim in range(state.seats):
        count = min(THIEF_TAKES, goods_count(state, victim))
        if victim == seat or not count:
            continue
        first = first_vector(state.houses, count)
        goods = loose_goods(state, victim, count)
        offer_vectors(first, first_vector(state.houses, count + 1), goods, STEAL_GOODS, victim << VICTIM_SHIFT, listing)


def resolve_theft(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """B6.5: the goods change hands and the bank pays the victim the current price of each."""
    if kind_of_choice(choice) == STEAL_GOODS:
        victim = argument_of(choice) >> VICTIM_SHIFT
        goods = Vector(argument_of(choice) & ALL_GOODS)
        talers = 0
        for good in range(state.houses):
            count = count_in(goods, good)
            state.loose[victim * state.houses + good] -= count
            state.loose[seat * state.houses + good] += count
            talers += count * price(state, good)
        state.talers[victim] += talers
        events.tell(GOODS_STOLEN, seat, victim, goods, talers)
    else:
        events.tell(THEFT_DECLINED, seat)
    dismiss_star(state, events)


def swap_options(state: State, listing: Listing) -> None:
    """B6.6: decline, or for each guild any two of its movable artisans that differ in value or symbol."""
    listing.add(DECLINE_SWAP)
    places: Annotated[Smalls, MOVABLE] = [0] * MOVABLE
    for house in range(state.houses):
        count = find_movable_artisans(state, house, places)
        for first in range(count):
            for second in range(first + 1, count):
                if tile_at(state, house + 1, places[first]) != tile_at(state, house + 1, places[second]):
                    listing.add(choice_of(SWAP_ARTISANS, house + 1 | places[first] << 8 | places[second] << 16))


def find_movable_artisans(state: State, house: Int, places: Smalls) -> Int:
    """B6.6: fill in the positions of a guild's artisans in later shop slots, then in lodgings; return how many.

    S_r is the current master; the slots before it are empty.
    """
    count = 0
    for slot in range(state.round, SHOP_TILES):
        places[count] = slot + 1
        count += 1
    for window in range(state.houses * PANES):
        tile = state.lodgings[window]
        if is_artisan(tile) and guild_of(tile) == house + 1:
            places[count] = 10 * (window // PANES + 1) + window % PANES + 1
            count += 1
    return count


def tile_at(state: State, guild: Int, position: Int) -> Int:
    """B6.6: the tile at a position: 2 … 5 in the guild's shop, `10 * guild + window` in a lodging."""
    if position <= SHOP_TILES:
        return state.shops[(guild - 1) * SHOP_TILES + position - 1]
    return state.lodgings[(position // 10 - 1) * PANES + position % 10 - 1]


def lay_tile(state: State, guild: Int, position: Int, tile: Int) -> None:
    """B6.6: put a tile at such a position."""
    if position <= SHOP_TILES:
        state.shops[(guild - 1) * SHOP_TILES + position - 1] = tile
    else:
        state.lodgings[(position // 10 - 1) * PANES + position % 10 - 1] = tile


def resolve_swap(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """B6.6: the two artisans change places."""
    if kind_of_choice(choice) == SWAP_ARTISANS:
        guild = argument_of(choice) & 255
        first = argument_of(choice) >> 8 & 255
        second = argument_of(choice) >> 16 & 255
        tile = tile_at(state, guild, first)
        lay_tile(state, guild, first, tile_at(state, guild, second))
        lay_tile(state, guild, second, tile)
        events.tell(ARTISANS_SWAPPED, seat, guild, first, second)
    else:
        events.tell(SWAP_DECLINED, seat)
    dismiss_star(state, events)


def stored_good_options(state: State, seat: Int, listing: Listing) -> None:
    """B6.7: any type of which the player has a loose good."""
    for house in range(state.houses):
        if state.loose[seat * state.houses + house]:
            listing.add(choice_of(STORE_GOOD, house + 1))


def resolve_stored_good(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """B6.7: the good is locked on the Pedlar until the favourites are chosen."""
    guild = argument_of(choice)
    place = seat * state.houses + guild - 1
    state.loose[place] -= 1
    state.pedlars[place] += 1
    state.guest_in_use = NO_TILE
    events.tell(GOOD_STORED, seat, guild)


def mayor_options(state: State, listing: Listing) -> None:
    """B6.9: the roof of any guild in play."""
    for house in range(state.houses):
        listing.add(choice_of(PLACE_MAYOR, house + 1))


def resolve_mayor(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """B6.9: the Mayor stays on that roof for the rest of the game and belongs to nobody."""
    guild = argument_of(choice)
    state.mayors[guild - 1] += 1
    state.guest_in_use = NO_TILE
    events.tell(MAYOR_PLACED, seat, guild)
