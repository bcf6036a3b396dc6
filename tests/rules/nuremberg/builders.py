"""Small named builders: a bare table, and what a test puts on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.game import IllegalActionError
from referee.games.nuremberg.actions import Action, Bundle
from referee.games.nuremberg.components import CARD_COUNT, Commodity, Corner, Resource, Road, site_of
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.game import GAME, advance
from referee.games.nuremberg.setup import lay_bar, lay_out, settle
from referee.games.nuremberg.state import GrantChips, MainPhase, StartTurn, State, Step

FIRST_OF_EACH_KIND = {"years": 1, "margrave": 4, "free_brick": 8, "road_toll": 22, "none": 26, "robber_knight": 31}


def beginner_table(seats: int = 4, active: int = 0) -> State:
    """The beginner set-up, before the first card of this seat's turn is drawn."""
    return lay_out(seats, 1, GAME.options({"start_player": str(active)}))


def bare_table(seats: int = 4, active: int = 0) -> State:
    """A table without settlements, bars, wayrights, cards or gold, in this seat's main phase."""
    state = lay_out(seats, 1, GAME.options({"setup": "advanced", "start_player": str(active)}))
    for seat in range(seats):
        hold(state, seat)
    state.turn, state.card = 1, CARD_COUNT - 1
    return in_main_phase(state, active)


def in_main_phase(state: State, active: int) -> State:
    state.active = active
    return at_step(state, MainPhase())


def at_step(state: State, *steps: Step) -> State:
    """Put these steps on the agenda, the first of them to happen first, and nothing else."""
    state.agenda.steps.clear()
    state.agenda.then(*steps)
    return state


def hold(state: State, seat: int, **amounts: int) -> None:
    """Let the seat hold exactly these commodities, exchanged with the bank."""
    for kind in Commodity:
        place = seat * len(Commodity) + kind
        wanted = amounts.get(kind.name.lower(), 0)
        state.bank[kind] += state.hands[place] - wanted
        state.hands[place] = wanted


def purse(state: State, seat: int) -> dict[str, int]:
    """What a seat holds, by name, without the zeros."""
    amounts = state.hands[seat * len(Commodity) : (seat + 1) * len(Commodity)]
    return {kind.name.lower(): amount for kind, amount in zip(Commodity, amounts, strict=True) if amount}


def cards(**amounts: int) -> tuple[int, ...]:
    """Five amounts of resource cards."""
    return tuple(amounts.get(kind.name.lower(), 0) for kind in Resource)


def goods(**amounts: int) -> Bundle:
    """Six amounts of commodities."""
    return tuple(amounts.get(kind.name.lower(), 0) for kind in Commodity)


def put_settlements(state: State, seat: int, *names: str) -> None:
    for name in names:
        settle(state, seat, site_of(name))


def put_bars(state: State, road: Road, *owners: int) -> None:
    """Lay bars of these seats on the road's next segments, without touching its wayright."""
    for owner in owners:
        lay_bar(state, owner, road)


def put_workshops(state: State, seat: int, *corners: Corner) -> None:
    for corner in corners:
        state.workshops[seat] |= 1 << corner


def put_prestige(state: State, *chips: int) -> None:
    """Give each seat its chips, with the walls and towers behind them, and no council cards."""
    state.prestige = list(chips)
    state.towers = max(0, (sum(chips) - 24) // 2)
    state.walls = sum(chips) - 2 * state.towers


def stack_deck(state: State, *card_numbers: int) -> None:
    """Put these cards (5 is E05) on top of the deck, taken from wherever they are."""
    top = [number - 1 for number in card_numbers]
    state.discard = [card for card in state.discard if card not in top]
    state.deck = top + [card for card in state.deck if card not in top]


def draw(state: State, card_number: int, active: int | None = None) -> list[Event]:
    """Start the turn of a seat with this card and play on to its first decision."""
    if active is not None:
        state.active = active
    stack_deck(state, card_number)
    at_step(state, StartTurn())
    events: list[Event] = []
    advance(state, events)
    return events


def grant(state: State, seat: int, chip_count: int) -> list[Event]:
    """Grant prestige chips in the active player's main phase and play on to the next decision."""
    state.walls += chip_count
    at_step(state, GrantChips(seat, chip_count), MainPhase())
    events: list[Event] = []
    advance(state, events)
    return events


def play(state: State, *turns: Action) -> list[Event]:
    """Let the single pending seat choose each of these actions in turn, checking it first."""
    happened: list[Event] = []
    for action in turns:
        (decision,) = GAME.pending(state)
        GAME.check(state, decision.seat, action)
        happened += GAME.apply(state, {decision.seat: action})
    return happened


def asked(state: State) -> list[tuple[str, int]]:
    """The open decisions as (kind, seat)."""
    return [(decision.kind, decision.seat) for decision in GAME.pending(state)]


def options(state: State, seat: int | None = None) -> Sequence[Action]:
    """The listed actions of a seat, by default of the first pending one."""
    return GAME.legal_actions(state, GAME.pending(state)[0].seat if seat is None else seat)


def refusal(state: State, action: Any, seat: int | None = None) -> str:
    """Check that an action is refused and return the clause."""
    decider = GAME.pending(state)[0].seat if seat is None else seat
    with pytest.raises(IllegalActionError) as caught:
        GAME.check(state, decider, action)
    assert caught.value.reason
    return caught.value.clause


def accepts(state: State, action: Action, seat: int | None = None) -> bool:
    """Tell whether check lets an action pass."""
    try:
        GAME.check(state, GAME.pending(state)[0].seat if seat is None else seat, action)
    except IllegalActionError:
        return False
    return True
