"""F2: the set-up, which uses up all the chance of a game."""

from __future__ import annotations

from itertools import chain

from referee.game import IllegalActionError
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import Action, PutUnderDeck
from referee.games.furstenfeld.codes import CARD_PUT_UNDER, PUT_UNDER_DECK, Choice, argument_of, choice_of
from referee.games.furstenfeld.components import CARD_COUNT
from referee.games.furstenfeld.state import (
    ASK_SETUP_BOTTOM,
    START_ROUND,
    State,
    do_next,
    take_from_hand,
)
from referee.rng import Rng, seeded
from referee.rows import Events, Int, Ints, Listing, put


def new_state(seats: int, seed: int, is_advanced: bool) -> State:
    """F2.9: shuffle the turn order markers, the demand cards and the decks, in this order; then nothing is random.

    What is not named here is 0 and empty.
    """
    rng = seeded(seed)
    turn_order = list(range(seats))
    rng.fork("turn_order").shuffle(turn_order)  # F2.5: the topmost marker first
    demand_cards = list(box.DEMAND_CARDS)
    rng.fork("demand_cards").shuffle(demand_cards)
    demand = list(chain.from_iterable(demand_cards[:seats]))  # F2.3: one brewery for each seat, the others stay closed
    state = State(
        seats=seats,
        is_advanced=int(is_advanced),
        turn_order=turn_order,
        demand=demand,
        prices=[box.PRICE_START] * len(demand),  # F2.4; and F2.6: the top price card carries no marker
        money=[box.START_MONEY] * seats,  # F2.2
        marker=[box.MARKER_MIN] * seats,
        lots=box.NEW_LOTS * seats,
    )
    for seat in range(seats):
        _deal(state, seat, rng.fork(f"deck_{seat}"))
    do_next(state, START_ROUND)
    if is_advanced:
        do_next(state, ASK_SETUP_BOTTOM)
    return state


def _deal(state: State, seat: Int, rng: Rng) -> None:
    """F2.2, F2.7, F2.8: a shuffled deck, of which 3 cards (advanced: 10) are drawn."""
    deck = list(box.ADVANCED_SET if state.is_advanced else box.BASIC_SET)
    rng.shuffle(deck)
    drawn = box.SETUP_DRAW_ADVANCED if state.is_advanced else box.START_HAND_BASIC
    lay_cards(state, seat, sorted(deck[:drawn]), deck[drawn:])
    state.unseen[seat] = len(deck) - drawn


def lay_cards(state: State, seat: Int, hand: list[int], deck: list[int]) -> None:
    """Give a seat this hand and this deck."""
    put(state.hand, hand, seat * CARD_COUNT)
    put(state.deck, deck, seat * CARD_COUNT)
    state.hand_count[seat] = len(hand)
    state.deck_count[seat] = len(deck)


def setup_bottom_options(state: State, seat: Int, listing: Listing) -> None:
    """F2.8: each card in hand, by card number."""
    first = seat * CARD_COUNT
    for card in state.hand[first : first + state.hand_count[seat]]:
        listing.add(choice_of(PUT_UNDER_DECK, card))


def refuse_setup_bottom(action: Action) -> IllegalActionError:
    """F2.8: only a card of the hand can go under the deck."""
    if isinstance(action, PutUnderDeck):
        return IllegalActionError("F2.8", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F2.8", "in the set-up a card of the hand must be put under the deck")


def resolve_setup_bottom(state: State, choices: Ints, events: Events) -> None:
    """F2.8: every seat puts one card under its deck, until each holds one."""
    for seat in range(state.seats):
        card = argument_of(Choice(choices[seat]))
        put_under(state, seat, card)
        events.tell(CARD_PUT_UNDER, seat, card)
    if state.hand_count[0] > box.SETUP_KEEP_ADVANCED:
        do_next(state, ASK_SETUP_BOTTOM)


def put_under(state: State, seat: Int, card: Int) -> None:
    """F8.4: the card goes from the hand under the deck, below those put there before."""
    take_from_hand(state, seat, card)
    state.deck[seat * CARD_COUNT + state.deck_count[seat]] = card
    state.deck_count[seat] += 1
