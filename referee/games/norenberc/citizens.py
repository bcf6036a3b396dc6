"""B6 Citizens: what each does when it is hired, and the decisions that it asks for."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from referee.game import Seat
from referee.games.norenberc import actions as act
from referee.games.norenberc import components as box
from referee.games.norenberc import state as states
from referee.games.norenberc.actions import Action
from referee.games.norenberc.components import CitizenKind
from referee.games.norenberc.dealing import move_goods
from referee.games.norenberc.events import (
    AgentGained,
    ArtisansSwapped,
    Event,
    GoodsStolen,
    GoodStored,
    MayorPlaced,
    SwapDeclined,
    TheftDeclined,
)
from referee.games.norenberc.goods import capped, thefts
from referee.games.norenberc.pile import return_to_pile
from referee.games.norenberc.state import State, gain_agent, goods_of, price


def use_citizen(state: State, seat: Seat, tile: int, events: list[Event]) -> None:
    """B6.1: star citizens act immediately; of the others only Pedlar and Mayor ask for anything now."""
    match box.kind_of(tile):
        case CitizenKind.COUNCILLOR:
            hire_councillor(state, seat, tile, events)
        case CitizenKind.THIEF:
            state.guest_in_use = tile
            state.agenda.then(states.AskTheft(seat))
        case CitizenKind.GUARD:
            state.guest_in_use = tile
            state.agenda.then(states.AskSwap(seat))
        case CitizenKind.PEDLAR:
            hire_pedlar(state, seat, tile, events)
        case CitizenKind.MAYOR:
            state.guest_in_use = tile
            state.agenda.then(states.AskMayorGuild(seat))
        case _:
            state.owned_tiles.append(tile)
            state.owned_by.append(seat)


def hire_councillor(state: State, seat: Seat, tile: int, events: list[Event]) -> None:
    """B6.3: gain an agent if there is one; the tile returns in any case."""
    if gain_agent(state, seat):
        events.append(AgentGained(seat))
    return_to_pile(state, tile, events)


def hire_pedlar(state: State, seat: Seat, tile: int, events: list[Event]) -> None:
    """B6.7: a Pedlar wants a loose good; without one it returns to the pile immediately."""
    if any(goods_of(state, seat)):
        state.guest_in_use = tile
        state.agenda.then(states.AskStoredGood(seat))
    else:
        return_to_pile(state, tile, events)


def dismiss_star(state: State, events: list[Event]) -> None:
    """B6.1: a star citizen that has acted returns to the pile."""
    tile = state.guest_in_use
    state.guest_in_use = box.NO_TILE
    return_to_pile(state, tile, events)


def theft_options(state: State, step: states.AskTheft, seat: Seat) -> tuple[Action, ...]:
    """B6.4: decline, or take two goods (the only one, if there is just one) from one other player."""
    options: list[Action] = [act.DeclineTheft()]
    for victim in range(state.seats):
        if victim == seat:
            continue
        goods = goods_of(state, victim)
        count = min(box.THIEF_TAKES, sum(goods))
        if count:
            options += thefts(victim, capped(goods, count), count)
    return tuple(options)


def resolve_theft(state: State, step: states.AskTheft, action: Action, events: list[Event]) -> None:
    """B6.5: the goods change hands and the bank pays the victim the current price of each."""
    if isinstance(action, act.StealGoods):
        houses = state.houses
        move_goods(action.goods, state.loose, action.victim * houses, state.loose, step.seat * houses)
        talers = sum(count * price(state, house) for house, count in enumerate(action.goods))
        state.talers[action.victim] += talers
        events.append(GoodsStolen(step.seat, action.victim, action.goods, talers))
    else:
        events.append(TheftDeclined(step.seat))
    dismiss_star(state, events)


def swap_options(state: State) -> tuple[Action, ...]:
    """B6.6: decline, or for each guild any two of its movable artisans that differ in value or symbol."""
    options: list[Action] = [act.DeclineSwap()]
    places = movable_artisans(state)
    for house in range(state.houses):
        guild = house + 1
        for (first, tile), (second, other) in combinations(places[house], 2):
            if tile != other:
                options.append(_swap(guild, first, second))
    return tuple(options)


def movable_artisans(state: State) -> list[list[tuple[int, int]]]:
    """B6.6: per house (position, tile) of its artisans in later shop slots, then in lodgings by guild and window."""
    places: list[list[tuple[int, int]]] = []
    for house in range(state.houses):
        first = house * box.SHOP_TILES
        # S_r is the current master; the slots before it are empty.
        places.append([(slot + 1, state.shops[first + slot]) for slot in range(state.round, box.SHOP_TILES)])
    for index, tile in enumerate(state.lodgings):
        if box.is_artisan(tile):
            places[box.guild_of(tile) - 1].append((10 * (index // box.PANES + 1) + index % box.PANES + 1, tile))
    return places


@cache
def _swap(guild: int, first: int, second: int) -> act.SwapArtisans:
    return act.SwapArtisans(guild, first, second)


def resolve_swap(state: State, step: states.AskSwap, action: Action, events: list[Event]) -> None:
    """B6.6: the two artisans change places."""
    if isinstance(action, act.SwapArtisans):
        first_row, first = _row_and_index(state, action.guild, action.first)
        second_row, second = _row_and_index(state, action.guild, action.second)
        first_row[first], second_row[second] = second_row[second], first_row[first]
        events.append(ArtisansSwapped(step.seat, action.guild, action.first, action.second))
    else:
        events.append(SwapDeclined(step.seat))
    dismiss_star(state, events)


def _row_and_index(state: State, guild: int, position: int) -> tuple[list[int], int]:
    if position <= box.SHOP_TILES:
        return state.shops, (guild - 1) * box.SHOP_TILES + position - 1
    return state.lodgings, (position // 10 - 1) * box.PANES + position % 10 - 1


@cache
def _storable(guilds: tuple[int, ...]) -> tuple[Action, ...]:
    return tuple(act.StoreGood(guild) for guild in guilds)


def stored_good_options(state: State, step: states.AskStoredGood, seat: Seat) -> tuple[Action, ...]:
    """B6.7: any type of which the player has a loose good."""
    return _storable(tuple([house + 1 for house, count in enumerate(goods_of(state, seat)) if count]))


def resolve_stored_good(state: State, step: states.AskStoredGood, action: Action, events: list[Event]) -> None:
    """B6.7: the good is locked on the Pedlar until the favourites are chosen."""
    assert isinstance(action, act.StoreGood)
    index = step.seat * state.houses + action.guild - 1
    state.loose[index] -= 1
    state.pedlars[index] += 1
    state.guest_in_use = box.NO_TILE
    events.append(GoodStored(step.seat, action.guild))


@cache
def mayor_options(houses: int) -> tuple[Action, ...]:
    """B6.9: the roof of any guild in play."""
    return tuple(act.PlaceMayor(guild) for guild in range(1, houses + 1))


def resolve_mayor(state: State, step: states.AskMayorGuild, action: Action, events: list[Event]) -> None:
    """B6.9: the Mayor stays on that roof for the rest of the game and belongs to nobody."""
    assert isinstance(action, act.PlaceMayor)
    state.mayors[action.guild - 1] += 1
    state.guest_in_use = box.NO_TILE
    events.append(MayorPlaced(step.seat, action.guild))
