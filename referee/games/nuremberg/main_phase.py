"""N3.7, N5: the main phase, one main action at a time until the turn ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.building import (
    build_settlement,
    build_toll_bar,
    build_tower,
    build_wall,
    build_workshop,
    check_settlement,
    check_toll_bar,
    check_tower,
    check_wall,
    check_workshop,
    settlement_options,
    toll_bar_options,
    tower_options,
    wall_options,
    workshop_options,
)
from referee.games.nuremberg.bundles import covers
from referee.games.nuremberg.codes import (
    BUILD_SETTLEMENT,
    BUILD_TOLL_BAR,
    BUILD_TOWER,
    BUILD_WALL,
    BUILD_WORKSHOP,
    END_TURN,
    SELL_WARE,
    TRADE_WITH_BANK,
    TURN_ENDED,
    Choice,
    kind_of_choice,
)
from referee.games.nuremberg.commerce import (
    bank_options,
    check_bank_trade,
    check_sale,
    sell,
    trade_with_bank,
    ware_options,
)
from referee.games.nuremberg.components import MAIN_ACTIONS_PER_TURN, PROPOSALS_PER_TURN
from referee.games.nuremberg.state import MAIN_PHASE, START_TURN, State, do_next, purse_of
from referee.games.nuremberg.tables import (
    SETTLEMENT_PRICE,
    TOLL_BAR_PRICE,
    TOWER_PRICE,
    WALL_PRICE,
    WORKSHOP_PRICE,
)
from referee.games.nuremberg.trading import check_proposal, holds_anything, proposal_options, propose
from referee.rows import Events, Int, Listing

Check: TypeAlias = Callable[[State, Seat, Any], None]

# N3.7: how each main action is checked; each function takes its own kind of action.
MAIN_CHECKS: Mapping[type, Check] = {
    act.BuildTollBar: check_toll_bar,
    act.BuildSettlement: check_settlement,
    act.BuildWorkshop: check_workshop,
    act.BuildWall: check_wall,
    act.BuildTower: check_tower,
    act.SellWare: check_sale,
    act.TradeWithBank: check_bank_trade,
    act.ProposeTrade: check_proposal,
}


def main_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 main_action: in the order of the table; after the last action the cap allows, only to end (N8.2)."""
    listing.add(END_TURN)
    if state.main_actions < MAIN_ACTIONS_PER_TURN:
        own_options(state, seat, listing)
        if state.proposals < PROPOSALS_PER_TURN:
            proposal_options(state, seat, listing)


def own_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 main_action: what needs no other player: what the seat can pay for (N1.4, N1.14), and the board allows."""
    purse = purse_of(state, seat)
    if covers(purse, TOLL_BAR_PRICE):  # which is a part of what a settlement costs
        toll_bar_options(state, seat, listing)
        if covers(purse, SETTLEMENT_PRICE):
            settlement_options(state, seat, listing)
    if covers(purse, WORKSHOP_PRICE):
        workshop_options(state, seat, listing)
    if covers(purse, WALL_PRICE):  # which is a part of what a tower costs
        wall_options(state, listing)
        if covers(purse, TOWER_PRICE):
            tower_options(state, seat, listing)
    ware_options(state, seat, purse, listing)
    bank_options(state, seat, listing)


def may_propose(state: State, seat: Int) -> bool:
    """N5.20, N5.22: whether bundles may be proposed, of which only the canonical ones are listed."""
    has_turns = state.main_actions < MAIN_ACTIONS_PER_TURN and state.proposals < PROPOSALS_PER_TURN
    return has_turns and holds_anything(state, seat)


def check_main(state: State, seat: Int, action: Action) -> None:
    """N5.1: ending is always legal; everything else is left to the clause of the action, within the cap (N8.2)."""
    if isinstance(action, act.EndTurn):
        return
    if state.main_actions >= MAIN_ACTIONS_PER_TURN:
        raise IllegalActionError("N8.2", f"all {MAIN_ACTIONS_PER_TURN} main actions of this turn are taken; end it")
    if type(action) not in MAIN_CHECKS:
        raise IllegalActionError("N3.7", f"{type(action).__name__} is no main action")
    MAIN_CHECKS[type(action)](state, seat, action)


def resolve_main(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N3.7: carry out one main action; what it brings about is put before the rest of the main phase."""
    kind = kind_of_choice(choice)
    if kind == END_TURN:
        end_turn(state, events)
        return
    state.main_actions += 1
    do_next(state, MAIN_PHASE)
    if kind == BUILD_TOLL_BAR:
        build_toll_bar(state, seat, choice, events)
    elif kind == BUILD_SETTLEMENT:
        build_settlement(state, seat, choice, events)
    elif kind == BUILD_WORKSHOP:
        build_workshop(state, seat, choice, events)
    elif kind == BUILD_WALL:
        build_wall(state, seat, events)
    elif kind == BUILD_TOWER:
        build_tower(state, seat, events)
    elif kind == SELL_WARE:
        sell(state, seat, choice, events)
    elif kind == TRADE_WITH_BANK:
        trade_with_bank(state, seat, choice, events)
    else:
        propose(state, seat, choice, events)


def end_turn(state: State, events: Events) -> None:
    """N5.1, N3.1: play passes clockwise."""
    events.tell(TURN_ENDED, state.active)
    state.active = (state.active + 1) % state.seats
    do_next(state, START_TURN)
