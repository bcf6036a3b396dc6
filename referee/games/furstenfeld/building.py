"""F7: phase 4, building up to two cards."""

from __future__ import annotations

from referee.game import IllegalActionError, Seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import STOP, Action, BuildCard, sites
from referee.games.furstenfeld.events import BuildingStopped, CardBuilt, Event, PalaceFinished, PalacePriceRaised
from referee.games.furstenfeld.state import AskBuild, Player, State, Variant, visible


def palace_price(state: State) -> int | None:
    """F7.9, F7.10: the number on the top palace price card; None when the last card is gone."""
    cards_removed = state.palace_parts // len(state.players)
    return box.PALACE_PRICES[cards_removed] if cards_removed < len(box.PALACE_PRICES) else None


def price_markers(state: State) -> int:
    """F7.9: how many markers lie on the top palace price card."""
    return state.palace_parts % len(state.players)


def cost(state: State, player: Player, card: int) -> int:
    """F7.3, F7.4: the printed cost or the palace price, 2 less while a crane is visible, but at least 0.

    The crane itself cannot be visible while it is built, and a card on top of it is paid before it covers it.
    """
    full = box.COST_OF[card]
    if box.IS_PALACE[card]:
        price = palace_price(state)
        assert price is not None, "F7.10: nobody holds a palace part when the last price card is gone"
        full = price
    return max(0, full - visible(player, box.DISCOUNT_OF))


def only_lot(state: State, card: int) -> int:
    """F7.11: the one lot of a palace part in the advanced game; 0 for a card that may lie anywhere."""
    return box.ADVANCED_LOT_OF[card] if state.variant is Variant.ADVANCED else 0


def build_options(state: State, step: AskBuild, seat: Seat) -> list[Action]:
    """F7.1, F7.5, F7.6: `stop`, then every affordable card on every lot without a palace part."""
    player = state.players[seat]
    closed = 0
    for position, shown in enumerate(player.lots):
        closed |= box.IS_PALACE[shown] << position
    purse = player.money + visible(player, box.DISCOUNT_OF)
    part_price = palace_price(state) or 0
    options: list[Action] = [STOP]
    for card in player.hand:
        if box.IS_PALACE[card]:
            if part_price <= purse:
                options += sites(card, closed, only_lot(state, card))
        elif box.COST_OF[card] <= purse:
            options += sites(card, closed, 0)
    return options


def refuse_build(state: State, step: AskBuild, action: Action) -> IllegalActionError:
    """F7.2, F7.5, F7.8, F7.11: say why this cannot be built."""
    if not isinstance(action, BuildCard):
        return IllegalActionError("F7.1", "building is asked: build a card or stop")
    player = state.players[step.seat]
    card, name = action.card.value, action.card.name.lower()
    if card not in player.hand:
        return IllegalActionError("F7.2", f"{name} is not in your hand")
    if not 1 <= action.lot <= box.LOT_COUNT:
        return IllegalActionError("F1.7", f"there is no lot {action.lot}; expected 1 to {box.LOT_COUNT}")
    shown = player.lots[action.lot - 1]
    if box.IS_PALACE[shown]:
        return IllegalActionError(
            "F7.8", f"lot {action.lot} shows {box.CARDS[shown].name.lower()}, which is never covered"
        )
    if only_lot(state, card) not in (0, action.lot):
        return IllegalActionError("F7.11", f"{name} may only be built on lot {only_lot(state, card)}")
    return IllegalActionError("F7.5", f"{name} costs {cost(state, player, card)}, but you have {player.money} coins")


def resolve_build(state: State, step: AskBuild, action: Action) -> list[Event]:
    """F7.1, F7.2: pay, cover what lies there, and go on to the second card."""
    state.agenda.done()
    if not isinstance(action, BuildCard):
        return [BuildingStopped(step.seat)]
    player = state.players[step.seat]
    card, position = action.card.value, action.lot - 1
    paid = cost(state, player, card)
    player.money -= paid
    player.hand.remove(card)
    under = player.lots[position]
    if under <= box.CARD_COUNT:  # F7.7: a covered card leaves the game; printed fields and bare ground are no cards
        player.covered.append(under)
    player.lots[position] = card
    events: list[Event] = [CardBuilt(step.seat, action.card, action.lot, paid, box.CARDS[under])]
    if box.IS_PALACE[card]:
        events += mark_palace_part(state, step)
    state.agenda.then(AskBuild(step.seat, step.built + 1))
    return events


def mark_palace_part(state: State, step: AskBuild) -> list[Event]:
    """F7.9, F11.1: one more marker on the top price card, which goes when it is full; six parts finish a palace."""
    events: list[Event] = []
    state.palace_parts += 1
    if price_markers(state) == 0:
        events.append(PalacePriceRaised(palace_price(state)))
    if visible(state.players[step.seat], box.IS_PALACE) == box.PARTS_TO_WIN:
        events.append(PalaceFinished(step.seat))
    return events
