"""F8: phase 5, in the order of its steps: scrap, discard, store."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.furstenfeld import actions as act
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.codes import (
    CARD_PUT_UNDER,
    CARD_SCRAPPED,
    DISCARDING_STOPPED,
    GOODS_STORED,
    PUT_UNDER_DECK,
    SCRAP_CARD,
    SCRAPPING_STOPPED,
    STOP,
    STORE_GOODS,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
    store_of,
    stored_of,
)
from referee.games.furstenfeld.components import (
    BASE_HAND_LIMIT,
    CARD_COUNT,
    GOOD_COUNT,
)
from referee.games.furstenfeld.effects import EXTRA_KEEP, MAX_STORED
from referee.games.furstenfeld.setup import put_under
from referee.games.furstenfeld.state import (
    ASK_DISCARD,
    ASK_SCRAP,
    State,
    do_next,
    goods_of,
    take_from_hand,
    visible,
)
from referee.rows import Events, Int, Listing

# Scrap


def scrap_options(state: State, seat: Int, listing: Listing) -> None:
    """F8.1: `stop`, then each card in hand, palace parts included."""
    listing.add(STOP)
    for card in state.hand[seat * CARD_COUNT : seat * CARD_COUNT + state.hand_count[seat]]:
        listing.add(choice_of(SCRAP_CARD, card))


def refuse_scrap(action: Action) -> IllegalActionError:
    """F8.1: only cards of the hand can be scrapped."""
    if isinstance(action, act.ScrapCard):
        return IllegalActionError("F8.1", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F8.1", "the rag collector is asked: scrap a card or stop")


def resolve_scrap(state: State, seat: Int, gone: Int, choice: Choice, events: Events) -> None:
    """F8.1, F10.12: the card is put aside face down; up to two of them."""
    if kind_of_choice(choice) == STOP:
        events.tell(SCRAPPING_STOPPED, seat)
        return
    card = argument_of(choice)
    take_from_hand(state, seat, card)
    state.scrapped[seat * CARD_COUNT + state.scrapped_count[seat]] = card
    state.scrapped_count[seat] += 1
    do_next(state, ASK_SCRAP, seat, gone + 1)
    events.tell(CARD_SCRAPPED, seat, card)


# Discard


def hand_limit(state: State, seat: Int) -> Int:
    """F8.2, F10.3: one card, and one or two more for the town halls visible now."""
    return BASE_HAND_LIMIT + visible(state, seat, EXTRA_KEEP)


def discard_options(state: State, seat: Int, listing: Listing) -> None:
    """F8.3: `stop` if the hand is not above the limit, then each card in hand."""
    if state.hand_count[seat] <= hand_limit(state, seat):
        listing.add(STOP)
    for card in state.hand[seat * CARD_COUNT : seat * CARD_COUNT + state.hand_count[seat]]:
        listing.add(choice_of(PUT_UNDER_DECK, card))


def refuse_discard(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F8.2, F8.3: say why this card, or stopping, is not possible."""
    if isinstance(action, act.Stop):
        held, limit = state.hand_count[seat], hand_limit(state, seat)
        return IllegalActionError("F8.2", f"you hold {held} cards, above the limit of {limit}")
    if isinstance(action, act.PutUnderDeck):
        return IllegalActionError("F8.3", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F8.3", "discarding is asked: put a card under the deck or stop")


def resolve_discard(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F8.3, F8.4: one card goes under the deck, and the next is asked for."""
    if kind_of_choice(choice) == STOP:
        events.tell(DISCARDING_STOPPED, seat)
        return
    card = argument_of(choice)
    put_under(state, seat, card)
    do_next(state, ASK_DISCARD, seat)
    events.tell(CARD_PUT_UNDER, seat, card)


# Store


def store_options(state: State, seat: Int, listing: Listing) -> None:
    """F8.5, F8.6, F10.9: every choice of up to 3 unsold units; nothing without a visible warehouse."""
    most = visible(state, seat, MAX_STORED)
    owned = seat * GOOD_COUNT
    for hops in range(min(most, state.goods[owned]) + 1):
        for barley in range(min(most - hops, state.goods[owned + 1]) + 1):
            for water in range(min(most - hops - barley, state.goods[owned + 2]) + 1):
                listing.add(choice_of(STORE_GOODS, store_of(hops, barley, water)))


def refuse_store(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F8.5, F8.6: say why these goods cannot be kept."""
    if not isinstance(action, act.StoreGoods):
        return IllegalActionError("F8.6", "the goods to store are asked for")
    owned = goods_of(state, seat)
    kept = (action.hops, action.barley, action.water)
    if any(not 0 <= count <= most for count, most in zip(kept, owned, strict=True)):
        return IllegalActionError("F8.6", f"{kept} cannot be kept of the {tuple(owned)} owned")
    most = visible(state, seat, MAX_STORED)
    if most == 0:
        return IllegalActionError("F8.5", "without a visible warehouse all unsold goods are lost")
    return IllegalActionError("F8.6", f"{sum(kept)} goods are more than the {most} a warehouse keeps")


def resolve_store(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """F8.5, F8.6: what is not stored is lost."""
    store = argument_of(choice)
    lost = 0
    for good in range(GOOD_COUNT):
        lost += state.goods[seat * GOOD_COUNT + good] - stored_of(store, good)
        state.goods[seat * GOOD_COUNT + good] = stored_of(store, good)
    events.tell(GOODS_STORED, seat, stored_of(store, 0), stored_of(store, 1), stored_of(store, 2), lost)
