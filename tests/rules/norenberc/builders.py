"""Small builders of states: tiles change places, so that a built state still keeps every invariant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.game import Seat
from referee.games.norenberc.actions import (
    Action,
    BuyGoods,
    EnterStorehouse,
    HireGuest,
    KeepPlace,
    PassRound,
    PayGoods,
    PlanGuilds,
)
from referee.games.norenberc.events import Event
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import State

COUNCILLOR, THIEF, GUARD = 700, 710, 720
MUSICIAN_3, MUSICIAN_5, PEDLAR, MAYOR = 733, 735, 740, 750
NOBLEMAN_2, NOBLEMAN_3, TAX_COLLECTOR, ENGRAVER = 762, 763, 770, 780
FOREMAN_2, FOREMAN_3, FOREMAN_4, APPRENTICE = 792, 793, 794, 800


def artisan(guild: int, value: int) -> int:
    """The only artisan face of a guild with this value: both 2s show agent + (B1.6)."""
    return 100 * guild + 10 * value + (value == 2)


def new_state(seats: int = 3, seed: int = 1) -> State:
    state = GAME.new(seats, seed, GAME.options({}))
    state.track = list(range(seats))
    return state


def bring_into_reach(state: State, tile: int) -> None:
    """Get a tile into the pile, unless it is there or in a lodging: from the set-up box or from a later shop slot."""
    if tile in state.pile or tile in state.lodgings:
        return
    if tile >= COUNCILLOR:
        swap(state.boxed, state.boxed.index(tile), state.pile, lambda there: there >= COUNCILLOR)
        return
    places = [place for place, there in enumerate(state.shops) if there == tile and place % 5 >= state.round]
    swap(state.shops, places[-1], state.pile, lambda there: there // 100 == tile // 100)


def swap(row: list[int], index: int, other: list[int], is_wanted: Callable[[int], bool]) -> None:
    """Swap a tile with the first of another row that is wanted there."""
    place = next(place for place, there in enumerate(other) if is_wanted(there))
    row[index], other[place] = other[place], row[index]


def put_tile(state: State, row: list[int], index: int, tile: int) -> None:
    """Swap a tile into a place, out of the pile or a lodging."""
    if row[index] != tile:
        bring_into_reach(state, tile)
        swap(row, index, state.pile if tile in state.pile else state.lodgings, lambda there: there == tile)


def put_masters(state: State, *values: int) -> None:
    """Make artisans of these values the current masters of guilds 1, 2, …"""
    for house, value in enumerate(values):
        put_shop_tile(state, house + 1, state.round, value)


def put_shop_tile(state: State, guild: int, slot: int, value: int) -> None:
    """Put an artisan of a value into a shop slot: 1 … 4 for S1 … S4, 5 for U."""
    put_tile(state, state.shops, (guild - 1) * 5 + slot - 1, artisan(guild, value))


def put_guest(state: State, guild: int, window: str, tile: int) -> None:
    """Put a guest into a window; the one that was there goes where it came from, or onto the pile."""
    index = (guild - 1) * 4 + "ABCD".index(window)
    if not tile:
        if state.lodgings[index]:
            state.pile.insert(0, state.lodgings[index])
            state.lodgings[index] = 0
        return
    if not state.lodgings[index]:
        state.lodgings[index] = state.pile.pop()
    put_tile(state, state.lodgings, index, tile)


def give_goods(state: State, seat: Seat, *goods: int) -> None:
    """Let a seat have exactly these loose goods; the difference goes to or comes from each guild's own storehouse."""
    for house, count in enumerate(goods):
        index = seat * state.houses + house
        state.stores[house * state.houses + house] += state.loose[index] - count
        state.loose[index] = count


def give_tile(state: State, seat: Seat, tile: int) -> None:
    """Let a seat own a tile, wherever it is."""
    bring_into_reach(state, tile)
    if tile not in state.pile:
        swap(state.lodgings, state.lodgings.index(tile), state.pile, lambda there: there != tile)
    state.pile.remove(tile)
    state.owned_tiles.append(tile)
    state.owned_by.append(seat)


def give_agents(state: State, seat: Seat, count: int) -> None:
    """Let a seat have this many agents in its supply, the others in reserve."""
    state.reserve[seat] += state.supply[seat] - count
    state.supply[seat] = count


def goods_of(state: State, seat: Seat) -> list[int]:
    return state.loose[seat * state.houses : (seat + 1) * state.houses]


def store_of(state: State, guild: int) -> list[int]:
    return state.stores[(guild - 1) * state.houses : guild * state.houses]


def roof_of(state: State, guild: int) -> int:
    return sum(state.on_roofs[guild - 1 :: state.houses])


def tiles_of(state: State, seat: Seat) -> list[int]:
    return [tile for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True) if owner == seat]


def options(state: State) -> list[Action]:
    """The options of the only pending seat."""
    (decision,) = GAME.pending(state)
    return list(GAME.legal_actions(state, decision.seat))


def asked(state: State) -> tuple[str, Seat]:
    """What the only pending seat is asked."""
    (decision,) = GAME.pending(state)
    return decision.kind, decision.seat


def act(state: State, *actions: Action) -> list[Event]:
    """Let the pending seat, one decision after another, choose these actions."""
    events: list[Event] = []
    for action in actions:
        (decision,) = GAME.pending(state)
        GAME.check(state, decision.seat, action)
        events += GAME.apply(state, {decision.seat: action})
    return events


def plan(state: State, plans: dict[Seat, Sequence[int]]) -> list[Event]:
    """Lay the plans of all active seats; a seat that is not named passes."""
    choices: dict[Seat, Action] = {}
    for decision in GAME.pending(state):
        guilds = tuple(plans.get(decision.seat, ()))
        choices[decision.seat] = PlanGuilds(guilds) if guilds else PassRound()
        GAME.check(state, decision.seat, choices[decision.seat])
    return [*GAME.apply(state, choices)]


def hire(state: State, window: str, *goods: int) -> list[Event]:
    """Hire the guest in a window for these goods."""
    return act(state, HireGuest("ABCD".index(window) + 1), PayGoods(goods))


def buy(state: State, *goods: int) -> list[Event]:
    return act(state, EnterStorehouse(), BuyGoods(goods))


def skip_turn_order(state: State) -> None:
    """Keep the place on the track if that is asked."""
    if GAME.pending(state) and GAME.pending(state)[0].kind == "TURN_ORDER":
        act(state, KeepPlace())


def all_pass(state: State) -> list[Event]:
    """End the round at once: every active seat passes."""
    return plan(state, {})


def rows(events: Sequence[Event], kind: type[Event]) -> list[Event]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]
