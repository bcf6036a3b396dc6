"""Small named builders: a bare table, and what a test puts on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from referee.game import IllegalActionError
from referee.games.nuremberg import game as module
from referee.games.nuremberg.actions import Action, Bundle
from referee.games.nuremberg.bundles import amounts_of, cards_in
from referee.games.nuremberg.codes import event_of
from referee.games.nuremberg.commerce import bank_rate
from referee.games.nuremberg.components import CARD_COUNT, Commodity, Corner, Resource, Road, site_of
from referee.games.nuremberg.decisions import advance
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.setup import lay_bar, lay_out, settle
from referee.games.nuremberg.state import (
    ASK_PICK,
    ASK_REPLY,
    GRANT_CHIPS,
    MAIN_PHASE,
    START_TURN,
    Ending,
    Reply,
    State,
    Step,
    do_next,
)
from referee.games.nuremberg.trading import note_reply
from referee.rows import WORDS

FIRST_OF_EACH_KIND = {"years": 1, "margrave": 4, "free_brick": 8, "road_toll": 22, "none": 26, "robber_knight": 31}

PER_SEAT = {
    "colors": 1,
    "hands": 6,
    "lows": 6,
    "bars": 5,
    "starting_sites": 1,
    "settlements": 1,
    "workshops": 1,
    "prestige": 1,
}


class Row(MutableSequence[int]):
    """A row of a state as long as it is used, as a list that writes through; the deck and the discard pile too."""

    def __init__(self, state: State, name: str) -> None:
        self.state, self.name = state, name

    def all(self) -> list[int]:
        if self.name == "deck":
            return list(self.state.cards[self.state.drawn_count : CARD_COUNT])
        if self.name == "discard":
            return list(self.state.cards[: self.state.drawn_count])
        numbers = list(getattr(self.state, self.name)[:])
        return numbers[: self.state.seats * PER_SEAT[self.name]] if self.name in PER_SEAT else numbers

    def fill(self, numbers: Sequence[int]) -> None:
        if self.name == "deck":
            set_deck(self.state, numbers)
        elif self.name == "discard":
            assert len(numbers) == self.state.drawn_count, "the deck holds all other cards"
            self.state.cards[: len(numbers)] = list(numbers)
        else:
            getattr(self.state, self.name)[: len(numbers)] = list(numbers)

    def __len__(self) -> int:
        return len(self.all())

    def __iter__(self) -> Iterator[int]:
        return iter(self.all())

    def __contains__(self, number: object) -> bool:
        return number in self.all()

    def count(self, number: int) -> int:
        return self.all().count(number)

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

    def __add__(self, others: Sequence[int]) -> list[int]:
        return self.all() + list(others)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple, Row)) and self.all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self.all())


class Opened:
    """A state with its rows as lists, and its codes as values."""

    def __init__(self, state: State) -> None:
        object.__setattr__(self, "state", state)

    def __getattr__(self, name: str) -> Any:
        if name == "ending":
            return Ending(self.state.ending) if self.state.ending else None
        return Row(self.state, name)

    def __setattr__(self, name: str, numbers: Any) -> None:
        Row(self.state, name).fill(list(numbers))


def opened(state: State) -> Any:
    """The rows of a state as lists, to read and to change."""
    return Opened(state)


def set_deck(state: State, deck: Sequence[int]) -> None:
    """Put these cards into the deck, the first on top; the others are those drawn, in the order they have."""
    others = [card for card in state.cards[:CARD_COUNT] if card not in deck]
    drawn = (others + [0] * CARD_COUNT)[: CARD_COUNT - len(deck)]
    state.cards[:CARD_COUNT] = [*drawn, *deck]
    state.drawn_count = CARD_COUNT - len(deck)


@dataclass(frozen=True)
class Draw:
    """N10.5: a card drawn from a hand, with what these two hands must have held until then; all amounts are five."""

    victim: int
    taker: int
    kind: int
    victim_hand: tuple[int, ...]
    victim_lows: tuple[int, ...]
    taker_lows: tuple[int, ...]


def draws_of(state: State) -> list[Draw]:
    """All cards drawn from hands, the last one last."""
    return [
        Draw(
            state.draw_victims[at],
            state.draw_takers[at],
            state.draw_kinds[at],
            cards_in(state.draw_hands[at]),
            cards_in(state.draw_victim_lows[at]),
            cards_in(state.draw_taker_lows[at]),
        )
        for at in range(state.draw_count)
    ]


def set_draws(state: State, draws: Sequence[Draw]) -> None:
    """Let these cards have been drawn."""
    for at, draw in enumerate(draws):
        state.draw_victims[at], state.draw_takers[at], state.draw_kinds[at] = draw.victim, draw.taker, draw.kind
        state.draw_hands[at] = amounts_of(draw.victim_hand)
        state.draw_victim_lows[at] = amounts_of(draw.victim_lows)
        state.draw_taker_lows[at] = amounts_of(draw.taker_lows)
    state.draw_count = len(draws)


def told(rule: Callable[..., object], state: State, *more: Any) -> list[Event]:
    """Carry out a rule that tells events, and return them."""
    events: Any = module.Events()  # type: ignore[attr-defined]  # as that module has it, compiled or not
    rule(state, *more, events)
    words = list(events.words[: events.count * WORDS])
    return [event_of(words[at : at + WORDS], None) for at in range(0, len(words), WORDS)]


def bank_rates(corners: int) -> tuple[int, ...]:
    """What the bank asks of each commodity from a player with workshops on these corners."""
    return tuple(bank_rate(corners, kind) for kind in Commodity)


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
    return at_step(state, MAIN_PHASE)


def at_step(state: State, *steps: Step | tuple[Step, int] | tuple[Step, int, int]) -> State:
    """Put these steps on the agenda, the first of them to happen first, with seat and count, and nothing else."""
    state.agenda_count = 0
    for step in reversed(steps):
        do_next(state, *(step if isinstance(step, tuple) else (step,)))
    return state


def now(state: State) -> Step:
    """The step that is open."""
    return Step(state.agenda[state.agenda_count - 1])


def in_trade(
    state: State, give: Bundle, want: Bundle, replies: Sequence[Reply] = (), asked_seat: int | None = None
) -> State:
    """Open a proposal in the main phase; a seat is asked for its reply, or with none the active player picks."""
    at_step(state, ASK_PICK if asked_seat is None else (ASK_REPLY, asked_seat), MAIN_PHASE)
    state.trade_give, state.trade_want, state.reply_count = amounts_of(give), amounts_of(want), 0
    for reply in replies:
        note_reply(state, reply.seat, int(reply.kind), amounts_of(reply.give), amounts_of(reply.want))
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
    opened(state).prestige = list(chips)
    state.towers = max(0, (sum(chips) - 24) // 2)
    state.walls = sum(chips) - 2 * state.towers


def stack_deck(state: State, *card_numbers: int) -> None:
    """Put these cards (5 is E05) on top of the deck, taken from wherever they are."""
    top = [number - 1 for number in card_numbers]
    set_deck(state, top + [card for card in opened(state).deck if card not in top])


def draw(state: State, card_number: int, active: int | None = None) -> list[Event]:
    """Start the turn of a seat with this card and play on to its first decision."""
    if active is not None:
        state.active = active
    stack_deck(state, card_number)
    at_step(state, START_TURN)
    return told(advance, state)


def grant(state: State, seat: int, chip_count: int) -> list[Event]:
    """Grant prestige chips in the active player's main phase and play on to the next decision."""
    state.walls += chip_count
    at_step(state, (GRANT_CHIPS, seat, chip_count), MAIN_PHASE)
    return told(advance, state)


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
