"""B4 Planning and the calling of guilds (B5.1-B5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations

from referee.game import Seat
from referee.games.norenberc.actions import Action, PassRound, PlanGuilds
from referee.games.norenberc.events import Event, GuildCalled, PlansLaid
from referee.games.norenberc.state import ASK_ACTION, ASK_PLAN, CALL_GUILDS, END_TURN, LET_ACT, AskPlan, State

HAD_FINISHED = -1  # the card count of a seat that took no part in planning


@cache
def plans(houses: int, agents: int) -> tuple[Action, ...]:
    """B4.1: pass, or any set of guilds no larger than the number of agents; smaller sets first."""
    guilds = range(1, houses + 1)
    sizes = range(1, min(houses, agents) + 1)
    return (PassRound(), *(PlanGuilds(chosen) for size in sizes for chosen in combinations(guilds, size)))


def plan_options(state: State, step: AskPlan, seat: Seat) -> tuple[Action, ...]:
    """B4.1: what a seat may plan with the agents in its supply (B3.8: at least one)."""
    return plans(state.houses, state.supply[seat])


def resolve_plan(state: State, step: AskPlan, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """B4.4: take all plans together and reveal how many cards each seat laid, not which."""
    counts: list[int] = []
    for seat in range(state.seats):
        if state.finished[seat]:
            counts.append(HAD_FINISHED)
            continue
        choice = choices[seat]
        if isinstance(choice, PlanGuilds):
            state.plans[seat] = sum([1 << (guild - 1) for guild in choice.guilds])
            state.planned[seat] = len(choice.guilds)
        else:
            state.finished[seat] = 1  # B4.5: passing turns the token to the moon immediately
        counts.append(state.planned[seat])
    events.append(PlansLaid(tuple(counts)))
    state.agenda.then(CALL_GUILDS, END_TURN)


def call_guild(state: State, events: list[Event]) -> None:
    """B5.1, B5.2: call the lowest guild still planned; those who planned it put an agent on its card."""
    planned = 0
    for plan in state.plans:
        planned |= plan
    if not planned:
        return
    bit = planned & -planned
    house = bit.bit_length() - 1
    revealed: list[Seat] = []
    for seat in state.track:
        if state.plans[seat] & bit:
            state.plans[seat] ^= bit
            state.supply[seat] -= 1
            state.on_card[seat] = 1
            revealed.append(seat)
    state.called = house
    state.revealed_count = len(revealed)
    events.append(GuildCalled(house + 1, tuple(revealed)))
    state.agenda.then(LET_ACT, CALL_GUILDS)


def let_act(state: State) -> None:
    """B5.3: the seat highest on the current track that has an agent on its card acts next."""
    for seat in state.track:
        if state.on_card[seat]:
            state.agenda.then(ASK_ACTION[state.called][seat], LET_ACT)
            return


def begin_turn(state: State) -> None:
    """B3.5: a turn begins with the planning of all active seats."""
    state.called = -1
    state.revealed_count = 0
    state.planned = [0] * state.seats
    state.agenda.push(ASK_PLAN)
