"""N3.7, N5: the main phase, one main action at a time until the turn ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import building, commerce, trading
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, Bundle
from referee.games.nuremberg.components import Cost
from referee.games.nuremberg.events import Event, TurnEnded
from referee.games.nuremberg.state import MainPhase, StartTurn, State

END_TURN = act.EndTurn()
START_TURN = StartTurn()


Check: TypeAlias = Callable[[State, Seat, Any], None]
CarryOut: TypeAlias = Callable[[State, Seat, Any, list[Event]], None]

# N3.7: how each main action is checked and carried out; each function takes its own kind of action.
MAIN_ACTIONS: Mapping[type, tuple[Check, CarryOut]] = {
    act.BuildTollBar: (building.check_toll_bar, building.build_toll_bar),
    act.BuildSettlement: (building.check_settlement, building.build_settlement),
    act.BuildWorkshop: (building.check_workshop, building.build_workshop),
    act.BuildWall: (building.check_wall, building.build_wall),
    act.BuildTower: (building.check_tower, building.build_tower),
    act.SellWare: (commerce.check_sale, commerce.sell),
    act.TradeWithBank: (commerce.check_bank_trade, commerce.trade_with_bank),
    act.ProposeTrade: (trading.check_proposal, trading.propose),
}


@dataclass(frozen=True, slots=True)
class Means:
    """What a purse can pay for, whether or not the board allows it."""

    toll_bar: bool
    settlement: bool
    workshop: bool
    wall: bool
    tower: bool
    wares: tuple[int, ...]
    proposals: tuple[act.ProposeTrade, ...]


@lru_cache(maxsize=8192)
def means_of(purse: Bundle) -> Means:
    """N1.4, N1.14, N5.20: compare a purse with every cost; hands repeat, so the answer is kept."""

    def covers(cost: Cost) -> bool:
        return all(purse[kind] >= amount for kind, amount in cost)

    return Means(
        covers(box.TOLL_BAR_COST),
        covers(box.SETTLEMENT_COST),
        covers(box.WORKSHOP_COST),
        covers(box.WALL_COST),
        covers(box.TOWER_COST),
        tuple(ware for ware, cost in enumerate(box.WARE_COSTS) if covers(cost)),
        trading.listed_proposals(purse),
    )


def main_options(state: State, step: MainPhase, seat: Seat) -> list[Action]:
    """N9 main_action: in the order of the table; after the last action the cap allows, only to end (N8.2)."""
    options: list[Action] = [END_TURN]
    if state.main_actions >= box.MAIN_ACTIONS_PER_TURN:
        return options
    base = seat * box.COMMODITY_COUNT
    purse = tuple(state.hands[base : base + box.COMMODITY_COUNT])
    means = means_of(purse)
    if means.toll_bar:
        options += building.toll_bar_options(state, seat)
    if means.settlement:
        options += building.settlement_options(state, seat)
    if means.workshop:
        options += building.workshop_options(state, seat)
    if means.wall and building.has_wall_place(state):
        options.append(building.WALL)
    if means.tower and building.has_tower_site(state, seat):
        options.append(building.TOWER)
    for ware in means.wares:
        if commerce.proceeds(state, seat, ware) <= state.bank[box.GOLD]:
            options.append(commerce.SALES[ware])
    options += commerce.bank_options(state, seat, purse)
    if state.proposals < box.PROPOSALS_PER_TURN:
        options += means.proposals
    return options


def may_propose(state: State, seat: Seat) -> bool:
    """N5.20, N5.22: whether bundles may be proposed, of which only the canonical ones are listed."""
    has_turns = state.main_actions < box.MAIN_ACTIONS_PER_TURN and state.proposals < box.PROPOSALS_PER_TURN
    return has_turns and trading.holds_anything(state, seat)


def check_main(state: State, step: MainPhase, seat: Seat, action: Action) -> None:
    """N5.1: ending is always legal; everything else is left to the clause of the action, within the cap (N8.2)."""
    if isinstance(action, act.EndTurn):
        return
    if state.main_actions >= box.MAIN_ACTIONS_PER_TURN:
        raise IllegalActionError("N8.2", f"all {box.MAIN_ACTIONS_PER_TURN} main actions of this turn are taken; end it")
    if type(action) not in MAIN_ACTIONS:
        raise IllegalActionError("N3.7", f"{type(action).__name__} is no main action")
    check, _carry_out = MAIN_ACTIONS[type(action)]
    check(state, seat, action)


def resolve_main(state: State, step: MainPhase, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N3.7: carry out one main action; what it brings about is put before the rest of the main phase."""
    seat = state.active
    action = choices[seat]
    if isinstance(action, act.EndTurn):
        end_turn(state, events)
        return
    state.main_actions += 1
    _check, carry_out = MAIN_ACTIONS[type(action)]
    carry_out(state, seat, action, events)


def end_turn(state: State, events: list[Event]) -> None:
    """N5.1, N3.1: play passes clockwise."""
    events.append(TurnEnded(state.active))
    state.agenda.done()
    state.active = (state.active + 1) % state.seats
    state.agenda.then(START_TURN)
