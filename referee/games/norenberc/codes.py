"""What a seat chooses and what happens, as numbers inside the rules and as values outside.

A choice is its kind and an argument; an event is twelve numbers, its kind first. `actions.py` and `events.py` have the
values, which are made here and only where somebody reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NewType

from referee.games.norenberc import actions as act
from referee.games.norenberc import events as ev
from referee.games.norenberc.actions import Action
from referee.games.norenberc.events import Event
from referee.rows import Int

Choice = NewType("Choice", int)
"""What a seat chose: `choice_of` makes one, and `kind_of_choice` and `argument_of` take it apart."""

PASS_ROUND = 0
PLAN_GUILDS = 1  # with a bit set of houses
DO_NOTHING = 2
SELL_GOODS = 3  # with a count
HIRE_GUEST = 4  # with a window
ENTER_STOREHOUSE = 5
PAY_GOODS = 6  # with a goods vector
BUY_GOODS = 7  # with a goods vector
DECLINE_THEFT = 8
STEAL_GOODS = 9  # with a goods vector and a victim
DECLINE_SWAP = 10
SWAP_ARTISANS = 11  # with a guild and two positions
STORE_GOOD = 12  # with a guild
PLACE_MAYOR = 13  # with a guild
KEEP_PLACE = 14
MOVE_FIRST = 15

ROUND_BEGAN = 0
PLANS_LAID = 1
GUILD_CALLED = 2
NOTHING_DONE = 3
GOODS_SOLD = 4
GOODS_BOUGHT = 5
GUEST_HIRED = 6
AGENT_GAINED = 7
BONUS_PAID = 8
TURN_ORDER_CHANGED = 9
CITIZEN_RETURNED = 10
GOODS_STOLEN = 11
THEFT_DECLINED = 12
ARTISANS_SWAPPED = 13
SWAP_DECLINED = 14
GOOD_STORED = 15
GOOD_TAKEN_BACK = 16
MAYOR_PLACED = 17
AGENTS_USED_UP = 18
TALERS_SHOWN = 19
FAVOURITE_CHOSEN = 20
NO_FAVOURITE = 21
INCOME_PAID = 22
LODGING_REFILLED = 23
SEAT_SCORED = 24

VICTIM_SHIFT = 24  # of a theft: the goods stand below it
ALL_GOODS = (1 << VICTIM_SHIFT) - 1


def choice_of(kind: Int, argument: Int) -> Choice:
    """Return a choice; one that needs no argument has 0."""
    return Choice(kind | argument << 4)


def kind_of_choice(choice: Choice) -> Int:
    """Return what was chosen: one of the constants above."""
    return choice & 15


def argument_of(choice: Choice) -> Int:
    """Return what was chosen with it."""
    return choice >> 4


# Values


def goods_in(vector: int, houses: int) -> tuple[int, ...]:
    """B0.8: a goods vector as a value."""
    return tuple([vector >> 4 * house & 15 for house in range(houses)])


def vector_of(goods: tuple[int, ...]) -> int:
    """B0.8: the goods vector of a value."""
    return sum([count << 4 * house for house, count in enumerate(goods)])


BARE: Mapping[int, Action] = {
    PASS_ROUND: act.PassRound(),
    DO_NOTHING: act.DoNothing(),
    ENTER_STOREHOUSE: act.EnterStorehouse(),
    DECLINE_THEFT: act.DeclineTheft(),
    DECLINE_SWAP: act.DeclineSwap(),
    KEEP_PLACE: act.KeepPlace(),
    MOVE_FIRST: act.MoveFirst(),
}
NUMBERED: Mapping[int, Callable[[int], Action]] = {
    SELL_GOODS: act.SellGoods,
    HIRE_GUEST: act.HireGuest,
    STORE_GOOD: act.StoreGood,
    PLACE_MAYOR: act.PlaceMayor,
}


@cache
def action_of(code: int, houses: int) -> Action:
    """Return a choice as a value; there are few, so each is made once and kept."""
    action = new_action(code, houses)
    CODES[id(action)] = code
    return action


def new_action(code: int, houses: int) -> Action:
    """Return a choice as a new value."""
    kind, argument = code & 15, code >> 4
    if kind in BARE:
        return BARE[kind]
    if kind in NUMBERED:
        return NUMBERED[kind](argument)
    if kind == PLAN_GUILDS:
        return act.PlanGuilds(tuple([house + 1 for house in range(houses) if argument >> house & 1]))
    if kind == PAY_GOODS:
        return act.PayGoods(goods_in(argument, houses))
    if kind == BUY_GOODS:
        return act.BuyGoods(goods_in(argument, houses))
    if kind == STEAL_GOODS:
        return act.StealGoods(argument >> VICTIM_SHIFT, goods_in(argument, houses))
    return act.SwapArtisans(argument & 255, argument >> 8 & 255, argument >> 16 & 255)


CODES: dict[int, int] = {}  # of every action that `action_of` has made, by its id: they are never let go


def known_code(action: object) -> int:
    """Return the code of a value that `action_of` has made, -1 for any other value: it may still equal one."""
    return CODES.get(id(action), -1)


def code_for(action: Action) -> int:
    """Return the code of an option: at once if it is the very value that was listed."""
    code = CODES.get(id(action))
    return code_of(action) if code is None else code


def code_of(action: Action) -> int:
    """Return the code of a value that is one of the options: others have none, or that of another action."""
    match action:
        case act.PlanGuilds(guilds):
            return PLAN_GUILDS | sum([1 << (guild - 1) for guild in guilds]) << 4
        case act.SellGoods(number):
            return SELL_GOODS | number << 4
        case act.HireGuest(number):
            return HIRE_GUEST | number << 4
        case act.PayGoods(goods):
            return PAY_GOODS | vector_of(goods) << 4
        case act.BuyGoods(goods):
            return BUY_GOODS | vector_of(goods) << 4
        case act.StealGoods(victim, goods):
            return STEAL_GOODS | (vector_of(goods) | victim << VICTIM_SHIFT) << 4
        case act.SwapArtisans(guild, first, second):
            return SWAP_ARTISANS | (guild | first << 8 | second << 16) << 4
        case act.StoreGood(number):
            return STORE_GOOD | number << 4
        case act.PlaceMayor(number):
            return PLACE_MAYOR | number << 4
    return BARE_KINDS[type(action)]


BARE_KINDS: Mapping[type[Any], int] = {type(action): kind for kind, action in BARE.items()}

PLAIN: Mapping[int, tuple[Callable[..., Event], int]] = {  # events whose numbers are their fields, and how many
    NOTHING_DONE: (ev.NothingDone, 2),
    GOODS_SOLD: (ev.GoodsSold, 4),
    AGENT_GAINED: (ev.AgentGained, 1),
    BONUS_PAID: (ev.BonusPaid, 3),
    CITIZEN_RETURNED: (ev.CitizenReturned, 1),
    THEFT_DECLINED: (ev.TheftDeclined, 1),
    ARTISANS_SWAPPED: (ev.ArtisansSwapped, 4),
    SWAP_DECLINED: (ev.SwapDeclined, 1),
    GOOD_STORED: (ev.GoodStored, 2),
    GOOD_TAKEN_BACK: (ev.GoodTakenBack, 2),
    MAYOR_PLACED: (ev.MayorPlaced, 2),
    AGENTS_USED_UP: (ev.AgentsUsedUp, 1),
    SEAT_SCORED: (ev.SeatScored, 10),
}


def event_of(words: Sequence[int], table: tuple[int, int]) -> Event:
    """Return an event as a value; the table is the number of seats and of houses."""
    kind = words[0]
    seats, houses = table
    if kind in PLAIN:
        make, count = PLAIN[kind]
        return make(*words[1 : 1 + count])
    if kind == GUILD_CALLED:
        return ev.GuildCalled(words[1], tuple(words[3 : 3 + words[2]]))
    if kind == GOODS_BOUGHT:
        return ev.GoodsBought(words[1], words[2], goods_in(words[3], houses), words[4])
    if kind == GUEST_HIRED:
        return ev.GuestHired(words[1], words[2], words[3], words[4], goods_in(words[5], houses))
    if kind == PLANS_LAID:
        return ev.PlansLaid(tuple(words[1 : 1 + seats]))
    if kind == ROUND_BEGAN:
        return ev.RoundBegan(words[1], tuple(words[3 : 3 + houses]), words[2])
    if kind == TURN_ORDER_CHANGED:
        return ev.TurnOrderChanged(words[1], tuple(words[2 : 2 + seats]))
    if kind == GOODS_STOLEN:
        return ev.GoodsStolen(words[1], words[2], goods_in(words[3], houses), words[4])
    if kind == TALERS_SHOWN:
        tied = [seat for seat in range(seats) if words[2] >> seat & 1]
        return ev.TalersShown(words[1], tuple(tied), tuple([words[3 + seat] for seat in tied]))
    if kind == FAVOURITE_CHOSEN:
        return ev.FavouriteChosen(words[1], words[2], tiles_in(words[3], words[4]), bool(words[5]))
    if kind == NO_FAVOURITE:
        return ev.NoFavourite(words[1], tiles_in(words[2], words[3]), bool(words[4]))
    if kind == INCOME_PAID:
        return ev.IncomePaid(tuple(words[1 : 1 + seats]))
    assert kind == LODGING_REFILLED
    return ev.LodgingRefilled(words[1], words[2], tuple(words[3:7]))


def tiles_in(master: int, under: int) -> tuple[int, ...]:
    """B8.4: the master, in round 4 with the tile under it."""
    return (master, under) if under else (master,)
