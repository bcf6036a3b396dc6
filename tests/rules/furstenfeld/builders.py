"""Small named builders: a table in the middle of a round, with exactly the cards and goods an example speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.agenda import Agenda
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.events import Event
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.rounds import round_steps, turn_steps
from referee.games.furstenfeld.state import (
    AskBrewery,
    AskBuild,
    AskDiscard,
    AskExchange,
    AskScrap,
    AskStore,
    EndRound,
    Player,
    State,
    Step,
)

BOARD = (
    Card.BARE_GROUND,
    Card.BARE_GROUND,
    Card.BARE_GROUND,
    Card.PRINTED_HOPS,
    Card.PRINTED_BARLEY,
    Card.PRINTED_WATER,
)
PALACE = (Card.PALACE_1, Card.PALACE_2, Card.PALACE_3, Card.PALACE_4, Card.PALACE_5, Card.PALACE_6)


def new_game(seats: int = 3, variant: str = "basic", seed: int = 1) -> State:
    return GAME.new(seats, seed, GAME.options({"variant": variant}))


def furnish(
    state: State,
    seat: int,
    *,
    money: int = 0,
    goods: Sequence[int] = (0, 0, 0),
    lots: Mapping[int, Card] | None = None,
    hand: Sequence[Card] = (),
    covered: Sequence[Card] = (),
    deck_count: int | None = None,
) -> Player:
    """Give a seat these things; all its other cards are in the deck, whose order it does not know.

    With `deck_count` the deck is cut to that number of cards, and the rest counts as covered.
    """
    player = state.players[seat]
    everything = sorted(player.hand + player.deck + player.covered + player.scrapped)
    everything += [shown for shown in player.lots if shown <= 28]
    board = list(BOARD)
    for lot, card in (lots or {}).items():
        board[lot - 1] = card
    player.money = money
    player.goods = list(goods)
    state.palace_parts -= sum(21 <= shown <= 26 for shown in player.lots)
    player.lots = [card.value for card in board]
    state.palace_parts += sum(21 <= shown <= 26 for shown in player.lots)
    player.hand = sorted(card.value for card in hand)
    player.covered = [card.value for card in covered]
    player.scrapped = []
    used = player.hand + player.lots + player.covered
    player.deck = sorted(card for card in everything if card not in used)
    if deck_count is not None:
        player.covered += player.deck[deck_count:]
        player.deck = player.deck[:deck_count]
    player.unseen = len(player.deck)
    return player


def set_brewery(
    state: State, brewery: int, *, demand: Sequence[int], prices: Sequence[int], placed: Sequence[int] = (0, 0, 0)
) -> None:
    """Put these demand spaces, prices and placed goods at one brewery."""
    at = slice(3 * (brewery - 1), 3 * brewery)
    demands = list(state.demand)
    demands[at] = demand
    state.demand = tuple(demands)
    state.prices[at] = prices
    state.placed[at] = placed


def prices_at(state: State, brewery: int) -> tuple[int, ...]:
    return tuple(state.prices[3 * (brewery - 1) : 3 * brewery])


def placed_at(state: State, brewery: int) -> tuple[int, ...]:
    return tuple(state.placed[3 * (brewery - 1) : 3 * brewery])


def turn_at(state: State, step: Step, *, turn_order: Sequence[int] | None = None) -> None:
    """Let the seat of this step stand at it: the rest of its turn and the later turns of the round follow."""
    assert isinstance(step, (AskExchange, AskBrewery, AskBuild, AskScrap, AskDiscard, AskStore))
    if turn_order is not None:
        state.turn_order = tuple(turn_order)
    kinds = [type(other) for other in turn_steps(step.seat)]
    rest = turn_steps(step.seat)[kinds.index(type(step)) + 1 :]
    position = state.turn_order.index(step.seat)
    state.agenda = Agenda([])
    state.agenda.then(step, *rest, *round_steps(state.turn_order[position + 1 :]))


def end_of_round(state: State) -> None:
    """Let every seat have had its turn, so that the round is about to end."""
    state.agenda = Agenda([EndRound()])


def choose(state: State, *actions: Action) -> list[Event]:
    """Let the asked seat choose these actions one after the other; return all events."""
    events: list[Event] = []
    for action in actions:
        (decision,) = GAME.pending(state)
        GAME.check(state, decision.seat, action)
        events += GAME.apply(state, {decision.seat: action})
    return events


def asked(state: State) -> tuple[int, str]:
    """Return the one seat that is asked, and what."""
    (decision,) = GAME.pending(state)
    return decision.seat, decision.kind


def options(state: State) -> list[Action]:
    """Return the options of the one seat that is asked."""
    (decision,) = GAME.pending(state)
    return list(GAME.legal_actions(state, decision.seat))


def default(state: State) -> Action:
    """Return the safe default of the one seat that is asked."""
    (decision,) = GAME.pending(state)
    return GAME.default_action(state, decision.seat)


def play_defaults(state: State, until_round: int) -> None:
    """Play safe defaults until this round begins."""
    while state.round_number < until_round and GAME.pending(state):
        GAME.apply(state, {d.seat: GAME.default_action(state, d.seat) for d in GAME.pending(state)})
