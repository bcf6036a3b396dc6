"""Small builders of states: tiles change places, so that a built state still keeps every invariant."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from referee.game import Seat
from referee.games.norenberc import game as module
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
from referee.games.norenberc.codes import event_of
from referee.games.norenberc.events import Event
from referee.games.norenberc.game import GAME
from referee.games.norenberc.state import State
from referee.rows import WORDS

COUNCILLOR, THIEF, GUARD = 700, 710, 720
MUSICIAN_3, MUSICIAN_5, PEDLAR, MAYOR = 733, 735, 740, 750
NOBLEMAN_2, NOBLEMAN_3, TAX_COLLECTOR, ENGRAVER = 762, 763, 770, 780
FOREMAN_2, FOREMAN_3, FOREMAN_4, APPRENTICE = 792, 793, 794, 800


def artisan(guild: int, value: int) -> int:
    """The only artisan face of a guild with this value: both 2s show agent + (B1.6)."""
    return 100 * guild + 10 * value + (value == 2)


PER_SEAT = ("track", "finished", "talers", "known_talers", "known_rounds", "supply", "reserve", "on_card", "planned",
            "plans", "prestige")  # fmt: skip
PER_SEAT_AND_HOUSE = ("on_roofs", "loose", "pedlars", "blazons")
PER_HOUSE = {"shops": 5, "lodgings": 4, "stacks": 1, "mayors": 1}
COUNTED = {"pile": "pile_count", "returned": "returned_count", "discards": "discard_count", "boxed": "boxed_count",
           "owned_tiles": "owned_count", "owned_by": "owned_count"}  # fmt: skip


class Row(MutableSequence[int]):
    """A row of a state as long as it is used, as a list that writes through; a counted one grows and shrinks."""

    def __init__(self, state: State, name: str) -> None:
        self.state, self.name = state, name

    def __len__(self) -> int:
        if self.name in COUNTED:
            return int(getattr(self.state, COUNTED[self.name]))
        if self.name in PER_SEAT:
            return self.state.seats
        if self.name in PER_SEAT_AND_HOUSE:
            return self.state.seats * self.state.houses
        return self.state.houses * PER_HOUSE.get(self.name, self.state.houses)

    def all(self) -> list[int]:
        return list(getattr(self.state, self.name)[: len(self)])

    def fill(self, numbers: Sequence[int]) -> None:
        if self.name in COUNTED:
            setattr(self.state, COUNTED[self.name], len(numbers))
        getattr(self.state, self.name)[: len(numbers)] = list(numbers)

    def __getitem__(self, place: Any) -> Any:
        return self.all()[place]

    def __setitem__(self, place: Any, number: Any) -> None:
        numbers = self.all()
        numbers[place] = number
        self.fill(numbers)

    def __delitem__(self, place: Any) -> None:
        numbers = self.all()
        del numbers[place]
        self.fill(numbers)

    def insert(self, place: int, number: int) -> None:
        numbers = self.all()
        numbers.insert(place, number)
        self.fill(numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, Row)) and self.all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self.all())


class Opened:
    """The rows of a state as lists."""

    def __init__(self, state: State) -> None:
        object.__setattr__(self, "state", state)

    def __getattr__(self, name: str) -> Any:
        return Row(self.state, name)

    def __setattr__(self, name: str, numbers: Any) -> None:
        Row(self.state, name).fill(list(numbers))


def opened(state: State) -> Any:
    """The rows of a state as lists, to read and to change."""
    return Opened(state)


def told(rule: Callable[..., object], state: State, *more: Any) -> list[Event]:
    """Carry out a rule that tells events, and return them."""
    events: Any = module.Events()  # type: ignore[attr-defined]  # as that module has it, compiled or not
    rule(state, *more, events)
    words = list(events.words[: events.count * WORDS])
    return [event_of(words[at : at + WORDS], (state.seats, state.houses)) for at in range(0, len(words), WORDS)]


def new_state(seats: int = 3, seed: int = 1) -> State:
    state = GAME.new(seats, seed, GAME.options({}))
    opened(state).track = list(range(seats))
    return state


def bring_into_reach(state: State, tile: int) -> None:
    """Get a tile into the pile, unless it is there or in a lodging: from the set-up box or from a later shop slot."""
    if tile in opened(state).pile or tile in opened(state).lodgings:
        return
    if tile >= COUNCILLOR:
        boxed = opened(state).boxed
        swap(boxed, boxed.index(tile), opened(state).pile, lambda there: there >= COUNCILLOR)
        return
    places = [place for place, there in enumerate(opened(state).shops) if there == tile and place % 5 >= state.round]
    swap(opened(state).shops, places[-1], opened(state).pile, lambda there: there // 100 == tile // 100)


def swap(row: Any, index: int, other: Any, is_wanted: Callable[[int], bool]) -> None:
    """Swap a tile with the first of another row that is wanted there."""
    place = next(place for place, there in enumerate(other) if is_wanted(there))
    row[index], other[place] = other[place], row[index]


def put_tile(state: State, row: Any, index: int, tile: int) -> None:
    """Swap a tile into a place, out of the pile or a lodging."""
    if row[index] != tile:
        bring_into_reach(state, tile)
        other = opened(state).pile if tile in opened(state).pile else opened(state).lodgings
        swap(row, index, other, lambda there: there == tile)


def put_masters(state: State, *values: int) -> None:
    """Make artisans of these values the current masters of guilds 1, 2, …"""
    for house, value in enumerate(values):
        put_shop_tile(state, house + 1, state.round, value)


def put_shop_tile(state: State, guild: int, slot: int, value: int) -> None:
    """Put an artisan of a value into a shop slot: 1 … 4 for S1 … S4, 5 for U."""
    put_tile(state, opened(state).shops, (guild - 1) * 5 + slot - 1, artisan(guild, value))


def put_guest(state: State, guild: int, window: str, tile: int) -> None:
    """Put a guest into a window; the one that was there goes where it came from, or onto the pile."""
    index = (guild - 1) * 4 + "ABCD".index(window)
    if not tile:
        if opened(state).lodgings[index]:
            opened(state).pile.insert(0, opened(state).lodgings[index])
            opened(state).lodgings[index] = 0
        return
    if not opened(state).lodgings[index]:
        opened(state).lodgings[index] = opened(state).pile.pop()
    put_tile(state, opened(state).lodgings, index, tile)


def give_goods(state: State, seat: Seat, *goods: int) -> None:
    """Let a seat have exactly these loose goods; the difference goes to or comes from each guild's own storehouse."""
    for house, count in enumerate(goods):
        index = seat * state.houses + house
        opened(state).stores[house * state.houses + house] += opened(state).loose[index] - count
        opened(state).loose[index] = count


def give_tile(state: State, seat: Seat, tile: int) -> None:
    """Let a seat own a tile, wherever it is."""
    bring_into_reach(state, tile)
    if tile not in opened(state).pile:
        lodgings = opened(state).lodgings
        swap(lodgings, lodgings.index(tile), opened(state).pile, lambda there: there != tile)
    opened(state).pile.remove(tile)
    own(state, seat, tile)


def own(state: State, seat: Seat, tile: int) -> None:
    """Put a tile in front of a seat, from nowhere."""
    opened(state).owned_tiles.append(tile)
    opened(state).owned_by[-1] = seat


def give_agents(state: State, seat: Seat, count: int) -> None:
    """Let a seat have this many agents in its supply, the others in reserve."""
    opened(state).reserve[seat] += opened(state).supply[seat] - count
    opened(state).supply[seat] = count


def goods_of(state: State, seat: Seat) -> list[int]:
    return list(state.loose[seat * state.houses : (seat + 1) * state.houses])


def store_of(state: State, guild: int) -> list[int]:
    return list(state.stores[(guild - 1) * state.houses : guild * state.houses])


def roof_of(state: State, guild: int) -> int:
    return sum(list(state.on_roofs)[guild - 1 : state.seats * state.houses : state.houses])


def tiles_of(state: State, seat: Seat) -> list[int]:
    owned = zip(opened(state).owned_tiles, opened(state).owned_by, strict=True)
    return [tile for tile, owner in owned if owner == seat]


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
