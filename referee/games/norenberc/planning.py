"""B4 Planning and the calling of guilds (B5.1-B5.3)."""

from __future__ import annotations

from itertools import combinations

from referee.games.norenberc.codes import (
    GUILD_CALLED,
    PASS_ROUND,
    PLAN_GUILDS,
    PLANS_LAID,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_PLAN,
    CALL_GUILDS,
    END_TURN,
    HOUSES,
    LET_ACT,
    State,
    do_next,
)
from referee.rows import Events, Int, Ints, Listing

HAD_FINISHED = -1  # the card count of a seat that took no part in planning


def guild_sets(houses: int, size: int) -> list[int]:
    """B4.1: every set of so many guilds, as bits, in the order of the rule page."""
    return [sum([1 << house for house in chosen]) for chosen in combinations(range(houses), size)]


_SETS = [guild_sets(houses, size) for houses in range(HOUSES + 1) for size in range(HOUSES + 1)]
PLANS: Ints = [choice_of(PLAN_GUILDS, guilds) for sets in _SETS for guilds in sets]
PLAN_STARTS: Ints = [sum(map(len, _SETS[:place])) for place in range(len(_SETS) + 1)]


def first_plan(houses: Int, size: Int) -> Int:
    """Return the place of the first plan for so many of the guilds; those for one more follow."""
    return PLAN_STARTS[houses * (HOUSES + 1) + size]


def plan_options(state: State, seat: Int, listing: Listing) -> None:
    """B4.1: pass, or any set of guilds no larger than the supply of agents (B3.8: at least one); smaller sets first."""
    listing.add(PASS_ROUND)
    largest = min(state.houses, state.supply[seat])
    listing.add_all(PLANS, first_plan(state.houses, 1), first_plan(state.houses, largest + 1))


def resolve_plan(state: State, choices: Ints, events: Events) -> None:
    """B4.4: take all plans together and reveal how many cards each seat laid, not which."""
    counts = events.tell(PLANS_LAID)
    for seat in range(state.seats):
        if state.finished[seat]:
            events.words[counts + seat] = HAD_FINISHED
        else:
            lay_plan(state, seat, Choice(choices[seat]))
            events.words[counts + seat] = state.planned[seat]
    do_next(state, END_TURN)
    do_next(state, CALL_GUILDS)


def lay_plan(state: State, seat: Int, choice: Choice) -> None:
    """B4.4: keep the plan of a seat; passing turns the token to the moon immediately (B4.5)."""
    if kind_of_choice(choice) == PASS_ROUND:
        state.finished[seat] = 1
        return
    guilds = argument_of(choice)
    state.plans[seat] = guilds
    for house in range(state.houses):
        state.planned[seat] += guilds >> house & 1


def call_guild(state: State, events: Events) -> None:
    """B5.1, B5.2: call the lowest guild still planned; those who planned it put an agent on its card."""
    planned = 0
    for plan in state.plans[: state.seats]:
        planned |= plan
    if not planned:
        return
    house = 0
    while not planned >> house & 1:
        house += 1
    revealed = 0
    called = events.tell(GUILD_CALLED, house + 1)
    for seat in state.track[: state.seats]:
        if state.plans[seat] >> house & 1:
            state.plans[seat] ^= 1 << house
            state.supply[seat] -= 1
            state.on_card[seat] = 1
            events.words[called + 2 + revealed] = seat
            revealed += 1
    events.words[called + 1] = revealed
    state.called = house
    state.revealed_count = revealed
    do_next(state, CALL_GUILDS)
    do_next(state, LET_ACT)


def let_act(state: State) -> None:
    """B5.3: the seat highest on the current track that has an agent on its card acts next."""
    for seat in state.track[: state.seats]:
        if state.on_card[seat]:
            do_next(state, LET_ACT)
            do_next(state, ASK_ACTION, state.called, seat)
            return


def begin_turn(state: State) -> None:
    """B3.5: a turn begins with the planning of all active seats."""
    state.called = -1
    state.revealed_count = 0
    for seat in range(state.seats):
        state.planned[seat] = 0
    do_next(state, ASK_PLAN)
