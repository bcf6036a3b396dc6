"""B5 Hire: paying for a guest, taking it, the bonus and the turn-order track."""

from __future__ import annotations

from referee.game import Seat
from referee.games.norenberc import state as states
from referee.games.norenberc.actions import Action, KeepPlace, MoveFirst, PayGoods
from referee.games.norenberc.citizens import use_citizen
from referee.games.norenberc.components import NO_TILE, PANES, has_agent_plus, is_artisan
from referee.games.norenberc.dealing import move_goods
from referee.games.norenberc.events import AgentGained, BonusPaid, Event, GuestHired, TurnOrderChanged
from referee.games.norenberc.goods import MAX_PAID, capped, payments
from referee.games.norenberc.state import State, agents_on_roof, gain_agent, goods_of

TURN_ORDER_OPTIONS: tuple[Action, ...] = (KeepPlace(), MoveFirst())


def payment_options(state: State, step: states.AskPayment, seat: Seat) -> tuple[Action, ...]:
    """B5.13: every way to pay for the window out of the player's loose goods."""
    return payments(capped(goods_of(state, seat), MAX_PAID), step.house, step.pane)


def resolve_payment(state: State, step: states.AskPayment, action: Action, events: list[Event]) -> None:
    """B5.14: pay, take the guest and use it; bonus, turn order and roof follow."""
    assert isinstance(action, PayGoods)
    house, seat = step.house, step.seat
    # B5.15: whatever was paid stays in the storehouse of the guild where the hire happens.
    move_goods(action.goods, state.loose, seat * state.houses, state.stores, house * state.houses)
    position = house * PANES + step.pane
    tile = state.lodgings[position]
    state.lodgings[position] = NO_TILE  # B5.21: the window stays empty until the end of the round
    events.append(GuestHired(seat, house + 1, step.pane + 1, tile, action.goods))
    state.agenda.then(states.GIVE_BONUS[house][seat], states.SEND_TO_ROOF[house][seat])
    if is_artisan(tile):
        take_artisan(state, seat, tile, events)
    else:
        use_citizen(state, seat, tile, events)


def take_artisan(state: State, seat: Seat, tile: int, events: list[Event]) -> None:
    """B5.16: put an artisan in front of a player, who gains an agent if it shows agent +."""
    state.owned_tiles.append(tile)
    state.owned_by.append(seat)
    if has_agent_plus(tile) and gain_agent(state, seat):
        events.append(AgentGained(seat))


def give_bonus(state: State, step: states.GiveBonus, events: list[Event]) -> None:
    """B5.18: one taler for every agent on the roof; then ask about the track (B5.19) unless the seat is first."""
    talers = agents_on_roof(state, step.house)
    if talers:
        state.talers[step.seat] += talers
        events.append(BonusPaid(step.seat, step.house + 1, talers))
    if state.track[0] != step.seat:
        state.agenda.push(states.ASK_TURN_ORDER[step.seat])


def resolve_turn_order(state: State, step: states.AskTurnOrder, action: Action, events: list[Event]) -> None:
    """B5.19: move to the first place or stay; the others keep their order."""
    if isinstance(action, MoveFirst):
        state.track.remove(step.seat)
        state.track.insert(0, step.seat)
        events.append(TurnOrderChanged(step.seat, tuple(state.track)))
