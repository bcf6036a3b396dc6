"""F8: phase 5, in the order of its steps: scrap, discard, store."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import IllegalActionError, Seat
from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.components import BASE_HAND_LIMIT, EXTRA_KEEP_OF, MAX_STORED_OF
from referee.games.furstenfeld.events import (
    CardPutUnder,
    CardScrapped,
    DiscardingStopped,
    Event,
    GoodsStored,
    ScrappingStopped,
)
from referee.games.furstenfeld.setup import put_under
from referee.games.furstenfeld.state import AskDiscard, AskScrap, AskStore, Player, State, visible

# Scrap


def scrap_options(state: State, step: AskScrap, seat: Seat) -> list[Action]:
    """F8.1: `stop`, then each card in hand, palace parts included."""
    return [act.STOP, *(act.SCRAP[card] for card in state.players[seat].hand)]


def refuse_scrap(state: State, step: AskScrap, action: Action) -> IllegalActionError:
    """F8.1: only cards of the hand can be scrapped."""
    if isinstance(action, act.ScrapCard):
        return IllegalActionError("F8.1", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F8.1", "the rag collector is asked: scrap a card or stop")


def resolve_scrap(state: State, step: AskScrap, action: Action) -> list[Event]:
    """F8.1, F10.12: the card is put aside face down; up to two of them."""
    state.agenda.done()
    if not isinstance(action, act.ScrapCard):
        return [ScrappingStopped(step.seat)]
    player = state.players[step.seat]
    player.hand.remove(action.card.value)
    player.scrapped.append(action.card.value)
    state.agenda.then(AskScrap(step.seat, step.scrapped + 1))
    return [CardScrapped(step.seat, action.card)]


# Discard


def hand_limit(player: Player) -> int:
    """F8.2, F10.3: one card, and one or two more for the town halls visible now."""
    return BASE_HAND_LIMIT + visible(player, EXTRA_KEEP_OF)


def discard_options(state: State, step: AskDiscard, seat: Seat) -> list[Action]:
    """F8.3: `stop` if the hand is not above the limit, then each card in hand."""
    player = state.players[seat]
    options: list[Action] = [act.PUT_UNDER[card] for card in player.hand]
    if len(options) <= hand_limit(player):
        options.insert(0, act.STOP)
    return options


def refuse_discard(state: State, step: AskDiscard, action: Action) -> IllegalActionError:
    """F8.2, F8.3: say why this card, or stopping, is not possible."""
    player = state.players[step.seat]
    if isinstance(action, act.Stop):
        return IllegalActionError("F8.2", f"you hold {len(player.hand)} cards, above the limit of {hand_limit(player)}")
    if isinstance(action, act.PutUnderDeck):
        return IllegalActionError("F8.3", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F8.3", "discarding is asked: put a card under the deck or stop")


def resolve_discard(state: State, step: AskDiscard, action: Action) -> list[Event]:
    """F8.3, F8.4: one card goes under the deck, and the next is asked for."""
    if not isinstance(action, act.PutUnderDeck):
        state.agenda.done()
        return [DiscardingStopped(step.seat)]
    put_under(state.players[step.seat], action.card.value)
    return [CardPutUnder(step.seat, action.card)]


# Store


def store_options(state: State, step: AskStore, seat: Seat) -> Sequence[act.StoreGoods]:
    """F8.5, F8.6, F10.9: every choice of up to 3 unsold units; nothing without a visible warehouse."""
    player = state.players[seat]
    return act.stores(visible(player, MAX_STORED_OF), *player.goods)


def refuse_store(state: State, step: AskStore, action: Action) -> IllegalActionError:
    """F8.5, F8.6: say why these goods cannot be kept."""
    if not isinstance(action, act.StoreGoods):
        return IllegalActionError("F8.6", "the goods to store are asked for")
    player = state.players[step.seat]
    kept = (action.hops, action.barley, action.water)
    if any(not 0 <= count <= owned for count, owned in zip(kept, player.goods, strict=True)):
        return IllegalActionError("F8.6", f"{kept} cannot be kept of the {tuple(player.goods)} owned")
    most = visible(player, MAX_STORED_OF)
    if most == 0:
        return IllegalActionError("F8.5", "without a visible warehouse all unsold goods are lost")
    return IllegalActionError("F8.6", f"{sum(kept)} goods are more than the {most} a warehouse keeps")


def resolve_store(state: State, step: AskStore, action: Action) -> list[Event]:
    """F8.5, F8.6: what is not stored is lost."""
    assert isinstance(action, act.StoreGoods)
    state.agenda.done()
    player = state.players[step.seat]
    lost = sum(player.goods) - action.hops - action.barley - action.water
    player.goods = [action.hops, action.barley, action.water]
    return [GoodsStored(step.seat, action.hops, action.barley, action.water, lost)]
