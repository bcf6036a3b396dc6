"""F2: the set-up, which uses up all the chance of a game."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from referee.agenda import Agenda
from referee.game import IllegalActionError, Seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import PUT_UNDER, Action, PutUnderDeck
from referee.games.furstenfeld.events import CardPutUnder, Event
from referee.games.furstenfeld.state import AskSetupBottom, Player, StartRound, State, Variant
from referee.rng import Rng, seeded


def new_state(seats: int, seed: int, variant: Variant) -> State:
    """F2.9: shuffle the turn order markers, the demand cards and the decks, in this order; then nothing is random."""
    rng = seeded(seed)
    turn_order = list(range(seats))
    rng.fork("turn_order").shuffle(turn_order)  # F2.5: the topmost marker first
    demand_cards = list(box.DEMAND_CARDS)
    rng.fork("demand_cards").shuffle(demand_cards)
    demand = tuple(chain.from_iterable(demand_cards[:seats]))  # F2.3: one brewery for each seat, the others stay closed
    return State(
        variant=variant,
        round_number=0,
        turn_order=tuple(turn_order),
        demand=demand,
        placed=[0] * len(demand),
        prices=[box.PRICE_START] * len(demand),  # F2.4
        palace_parts=0,  # F2.6: the top price card carries no marker
        players=[_new_player(variant, rng.fork(f"deck_{seat}")) for seat in range(seats)],
        agenda=Agenda([StartRound()] if variant is Variant.BASIC else [StartRound(), AskSetupBottom()]),
    )


def _new_player(variant: Variant, rng: Rng) -> Player:
    """F2.2, F2.7, F2.8: a board, 2 coins and a shuffled deck, of which 3 cards (advanced: 10) are drawn."""
    deck = list(box.BASIC_SET if variant is Variant.BASIC else box.ADVANCED_SET)
    rng.shuffle(deck)
    drawn = box.START_HAND_BASIC if variant is Variant.BASIC else box.SETUP_DRAW_ADVANCED
    return Player(
        money=box.START_MONEY,
        income=0,
        marker=box.MARKER_MIN,
        goods=[0] * box.GOOD_COUNT,
        lots=list(box.NEW_LOTS),
        hand=sorted(deck[:drawn]),
        deck=deck[drawn:],
        unseen=len(deck) - drawn,
        covered=[],
        scrapped=[],
    )


def setup_bottom_options(state: State, step: AskSetupBottom, seat: Seat) -> list[Action]:
    """F2.8: each card in hand, by card number."""
    return [PUT_UNDER[card] for card in state.players[seat].hand]


def refuse_setup_bottom(state: State, step: AskSetupBottom, action: Action) -> IllegalActionError:
    """F2.8: only a card of the hand can go under the deck."""
    if isinstance(action, PutUnderDeck):
        return IllegalActionError("F2.8", f"{action.card.name.lower()} is not in your hand")
    return IllegalActionError("F2.8", "in the set-up a card of the hand must be put under the deck")


def resolve_setup_bottom(state: State, step: AskSetupBottom, choices: Mapping[Seat, Action]) -> list[Event]:
    """F2.8: every seat puts one card under its deck, until each holds one."""
    events: list[Event] = []
    for seat, player in enumerate(state.players):
        action = choices[seat]
        assert isinstance(action, PutUnderDeck)
        put_under(player, action.card.value)
        events.append(CardPutUnder(seat, action.card))
    if len(state.players[0].hand) == box.SETUP_KEEP_ADVANCED:
        state.agenda.done()
    return events


def put_under(player: Player, card: int) -> None:
    """F8.4: the card goes from the hand under the deck, below those put there before."""
    player.hand.remove(card)
    player.deck.append(card)
