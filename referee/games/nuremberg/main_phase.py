"""N3.7, N5: the main phase, one main action at a time until the turn ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import building, commerce, trading
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, Bundle
from referee.games.nuremberg.components import Cost
from referee.games.nuremberg.events import Event, TurnEnded
from referee.games.nuremberg.scoring import ends_by_victory
from referee.games.nuremberg.state import MainPhase, StartTurn, State

END_TURN = act.EndTurn()
START_TURN = StartTurn()


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


def enter_main_phase(state: State, events: list[Event]) -> bool:
    """N7.1: after the event and after each completed main action, see whether the active player has won."""
    return ends_by_victory(state, events)


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


def default_main(state: State, step: MainPhase, seat: Seat) -> Action:
    """N9 main_action: end the turn."""
    return END_TURN


def check_main(state: State, step: MainPhase, seat: Seat, action: Action) -> None:
    """N5.1: ending is always legal; everything else is left to the clause of the action, within the cap (N8.2)."""
    if isinstance(action, act.EndTurn):
        return
    if state.main_actions >= box.MAIN_ACTIONS_PER_TURN:
        raise IllegalActionError("N8.2", f"all {box.MAIN_ACTIONS_PER_TURN} main actions of this turn are taken; end it")
    match action:
        case act.BuildTollBar():
            building.check_toll_bar(state, seat, action)
        case act.BuildSettlement():
            building.check_settlement(state, seat, action)
        case act.BuildWorkshop():
            building.check_workshop(state, seat, action)
        case act.BuildWall():
            building.check_wall(state, seat)
        case act.BuildTower():
            building.check_tower(state, seat)
        case act.SellWare():
            commerce.check_sale(state, seat, action)
        case act.TradeWithBank():
            commerce.check_bank_trade(state, seat, action)
        case act.ProposeTrade():
            trading.check_proposal(state, seat, action)
        case _:
            raise IllegalActionError("N3.7", f"{type(action).__name__} is no main action")


def resolve_main(state: State, step: MainPhase, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N3.7: carry out one main action; what it brings about is put before the rest of the main phase."""
    seat = state.active
    action = choices[seat]
    if isinstance(action, act.EndTurn):
        end_turn(state, events)
        return
    state.main_actions += 1
    match action:
        case act.ProposeTrade():
            trading.propose(state, seat, action, events)
        case act.TradeWithBank():
            commerce.trade_with_bank(state, seat, action, events)
        case act.SellWare():
            commerce.sell(state, seat, action, events)
        case act.BuildTollBar():
            building.build_toll_bar(state, seat, action, events)
        case act.BuildSettlement():
            building.build_settlement(state, seat, action, events)
        case act.BuildWorkshop():
            building.build_workshop(state, seat, action, events)
        case act.BuildWall():
            building.build_wall(state, seat, events)
        case act.BuildTower():
            building.build_tower(state, seat, events)
        case _:
            raise AssertionError(f"{type(action).__name__} was not checked")


def end_turn(state: State, events: list[Event]) -> None:
    """N5.1, N3.1: play passes clockwise."""
    events.append(TurnEnded(state.active))
    state.agenda.done()
    state.active = (state.active + 1) % state.seats
    state.agenda.then(START_TURN)
