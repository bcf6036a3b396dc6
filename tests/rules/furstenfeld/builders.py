"""Small named builders: a table in the middle of a round, with exactly the cards and goods an example speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from typing import Any

from referee.games.furstenfeld import game as module
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.codes import event_of
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.events import Event
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.rounds import begin_turn, begin_turns
from referee.games.furstenfeld.state import (
    END_ROUND,
    State,
    Step,
    do_next,
    step_name,
)
from referee.rows import WORDS

BOARD = (
    Card.BARE_GROUND,
    Card.BARE_GROUND,
    Card.BARE_GROUND,
    Card.PRINTED_HOPS,
    Card.PRINTED_BARLEY,
    Card.PRINTED_WATER,
)
PALACE = (Card.PALACE_1, Card.PALACE_2, Card.PALACE_3, Card.PALACE_4, Card.PALACE_5, Card.PALACE_6)
PER_SEAT = {"goods": 3, "lots": 6, "hand": 28, "deck": 28, "covered": 28, "scrapped": 28}  # room for each
COUNTED = {name: f"{name}_count" for name in ("hand", "deck", "covered", "scrapped")}


class Row(MutableSequence[int]):
    """A part of a row of a state, as long as it is used, as a list that writes through; a counted one can grow."""

    def __init__(self, state: State, name: str, seat: int | None = None) -> None:
        self.state, self.name, self.seat = state, name, seat
        self.first = 0 if seat is None else seat * PER_SEAT[name]

    def __len__(self) -> int:
        if self.seat is None:
            return self.state.seats * (1 if self.name == "turn_order" else 3)
        if self.name in COUNTED:
            return int(getattr(self.state, COUNTED[self.name])[self.seat])
        return PER_SEAT[self.name]

    def all(self) -> list[int]:
        return list(getattr(self.state, self.name)[self.first : self.first + len(self)])

    def fill(self, numbers: Sequence[int]) -> None:
        if self.name in COUNTED:
            getattr(self.state, COUNTED[self.name])[self.seat] = len(numbers)
        assert len(numbers) == len(self), f"{self.name} has a place for {len(self)}"
        getattr(self.state, self.name)[self.first : self.first + len(numbers)] = list(numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self.all())

    def __getitem__(self, place: Any) -> Any:
        return self.all()[place]

    def __setitem__(self, place: Any, number: Any) -> None:
        numbers = self.all()
        numbers[place] = number
        self.fill(numbers)

    def __delitem__(self, place: Any) -> None:
        numbers = self.all()
        del numbers[place]
        self.fill(numbers)

    def insert(self, place: int, number: int) -> None:
        numbers = self.all()
        numbers.insert(place, number)
        self.fill(numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple, Row)) and self.all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self.all())


class Player:
    """What one seat owns: its rows as lists, and its numbers, to read and to change."""

    def __init__(self, state: State, seat: int) -> None:
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "seat", seat)

    def __getattr__(self, name: str) -> Any:
        if name in PER_SEAT:
            return Row(self.state, name, self.seat)
        return getattr(self.state, name)[self.seat]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in PER_SEAT:
            Row(self.state, name, self.seat).fill(list(value))
        else:
            getattr(self.state, name)[self.seat] = value


def players(state: State) -> list[Any]:
    """What every seat owns."""
    return [Player(state, seat) for seat in range(state.seats)]


def prices_of(state: State) -> Any:
    return Row(state, "prices")


def placed_of(state: State) -> Any:
    return Row(state, "placed")


def demand_of(state: State) -> Any:
    return Row(state, "demand")


def order_of(state: State) -> tuple[int, ...]:
    """The turn order."""
    return tuple(Row(state, "turn_order"))


def set_order(state: State, turn_order: Sequence[int]) -> None:
    Row(state, "turn_order").fill(turn_order)


def steps(state: State) -> list[tuple[int, int, int]]:
    """The steps to come, the next one last: what happens, the seat and the number of cards."""
    rows = (state.agenda, state.step_seats, state.step_counts)
    kinds, seats, counts = [list(row[: state.agenda_count]) for row in rows]
    return list(zip(kinds, seats, counts, strict=True))


def step_names(state: State) -> list[str]:
    """The steps to come, each with all that it says."""
    sold = tuple(state.sale_amounts[: state.sale_count])
    return [step_name(*step, state.sale_brewery, sold) for step in steps(state)]


def told(rule: Callable[..., object], state: State, *more: Any) -> list[Event]:
    """Carry out a rule that tells events, and return them."""
    events: Any = module.Events()  # type: ignore[attr-defined]  # as that module has it, compiled or not
    rule(state, *more, events)
    words = list(events.words[: events.count * WORDS])
    return [event_of(words[at : at + WORDS], state.seats) for at in range(0, len(words), WORDS)]


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
) -> Any:
    """Give a seat these things; all its other cards are in the deck, whose order it does not know.

    With `deck_count` the deck is cut to that number of cards, and the rest counts as covered.
    """
    player = Player(state, seat)
    everything = sorted([*player.hand, *player.deck, *player.covered, *player.scrapped])
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
    used = [*player.hand, *player.lots, *player.covered]
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
    demand_of(state)[at] = demand
    prices_of(state)[at] = prices
    placed_of(state)[at] = placed


def prices_at(state: State, brewery: int) -> tuple[int, ...]:
    return tuple(prices_of(state)[3 * (brewery - 1) : 3 * brewery])


def placed_at(state: State, brewery: int) -> tuple[int, ...]:
    return tuple(placed_of(state)[3 * (brewery - 1) : 3 * brewery])


def turn_at(state: State, step: Step, seat: int, count: int = 0, *, turn_order: Sequence[int] | None = None) -> None:
    """Let the seat stand at this step: the rest of its turn and the later turns of the round follow."""
    if turn_order is not None:
        set_order(state, turn_order)
    state.agenda_count = 0
    begin_turns(state, order_of(state).index(seat) + 1)
    begin_turn(state, seat)
    while state.agenda[state.agenda_count - 1] != step:
        state.agenda_count -= 1
    state.agenda_count -= 1
    do_next(state, step, seat, count)


def end_of_round(state: State) -> None:
    """Let every seat have had its turn, so that the round is about to end."""
    state.agenda_count = 0
    do_next(state, END_ROUND)


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
