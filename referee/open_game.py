"""Open games: all seats see everything and move in turn. Five methods are all the rules.

    class Nim(OpenGame[State, Take]):
        slug, title = "nim", "Nim"
        def start(self, seats, options, rng): ...
        def turn(self, state): ...
        def moves(self, state): ...
        def play(self, state, move): ...
        def scores(self, state): ...

The state is a dataclass, a move a frozen dataclass or a union of them. The view is the number of seats and the state
with its lists as tuples, and the only event says who made which move. A generator in the state is not shown: its dice
are still to be thrown.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Generic, TypeVar, cast, get_args, get_origin

from referee.clone import cloner, digester
from referee.game import (
    Decision,
    Game,
    IllegalActionError,
    Outcome,
    Seat,
    Types,
    check_choices,
    check_seats,
    no_such_seat,
    not_asked,
)
from referee.ranges import check_type
from referee.rng import Rng, seeded
from referee.setting import parse_options
from referee.values import fields_of, is_frozen, is_value_type
from referee.view_text import in_words

State = TypeVar("State")
Move = TypeVar("Move")

CLAUSE = "rules"
MOVE = "MOVE"
SEATS, SEAT_COUNT = "seats", "seat_count"
"""What a view calls the number of seats: the second where the state has a field of the first name."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """There is nothing to choose."""


class OpenTable(Generic[State]):
    """A match of an open game: the number of seats, and the game's own state."""

    seats: int
    state: State


class OpenGame(Game[OpenTable[State], Move, Any, Any, Any], Generic[State, Move]):
    """A game with perfect information, by turns: give `slug`, `title` and the five methods that follow.

    A game that throws dice keeps the `rng` of `start` in a field of its state, and everybody knows that it has chance;
    one that only draws an opening uses `rng` in `start`, and declares `has_chance` and `chance_comes_first`.
    """

    _declares_hooks = True
    _table: ClassVar[Any]
    _copied: ClassVar[Any]
    _digested: ClassVar[Any]
    _shown: ClassVar[Any]
    _seen: ClassVar[Any]

    rules_version = 1
    table_sizes = range(2, 3)
    preferred_seats = 2
    has_secrets = False
    has_chance = False
    option_type: type[Any] = NoOptions
    """A frozen dataclass of settings; see `referee.setting.option`."""

    @abstractmethod
    def start(self, seats: int, options: Any, rng: Rng) -> State:
        """Return the state in which a match begins."""

    @abstractmethod
    def turn(self, state: State) -> Seat | None:
        """Return the seat that moves now; None when the game is over."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """Return all moves that are legal now, each once, always in the same order; the first is the safe default."""

    @abstractmethod
    def play(self, state: State, move: Move) -> None:
        """Carry out a legal move."""

    @abstractmethod
    def scores(self, state: State) -> Sequence[int]:
        """Return every seat's score at the end: the highest wins, equal scores share a place."""

    def __init_subclass__(cls) -> None:
        """Derive everything else from the types of state and move, once."""
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            if get_origin(base) is OpenGame and not isinstance(get_args(base)[0], TypeVar):
                _derive(cast(Any, cls), *get_args(base))

    def options(self, mapping: Mapping[str, object]) -> Any:
        """Return checked options; a ValueError names the wrong key."""
        return parse_options(self.option_type, mapping)

    def new(self, seats: int, seed: int, options: Any) -> OpenTable[State]:
        """Return the state at the first decision; a ValueError names a wrong seat count."""
        check_seats(self, seats)
        table: OpenTable[State] = self._table(seats, self.start(seats, options, seeded(seed)))
        return table

    def pending(self, state: OpenTable[State]) -> tuple[Decision, ...]:
        """Return the move that is open; () means over."""
        seat = self.turn(state.state)
        return () if seat is None else (Decision(seat, MOVE, CLAUSE),)

    def legal_actions(self, state: OpenTable[State], seat: Seat) -> Sequence[Move]:
        """Return the moves of the seat whose turn it is."""
        if self.turn(state.state) != seat:
            raise not_asked(CLAUSE, seat)
        return list(self.moves(state.state))

    def default_action(self, state: OpenTable[State], seat: Seat) -> Move:
        """Return the first move."""
        return self.legal_actions(state, seat)[0]

    def check(self, state: OpenTable[State], seat: Seat, action: Move) -> None:
        """Raise IllegalActionError unless it is the seat's turn and this is one of its moves."""
        listed = self.legal_actions(state, seat)
        check_type(CLAUSE, action, self.types.action)
        if action not in listed:
            raise IllegalActionError(CLAUSE, f"{self.describe(action)}: not possible now")

    def apply(self, state: OpenTable[State], choices: Mapping[Seat, Move]) -> Sequence[Any]:
        """Check a move and carry it out."""
        check_choices(self, state, choices)
        return self.apply_checked(state, choices)

    def apply_checked(self, state: OpenTable[State], choices: Mapping[Seat, Move]) -> Sequence[Any]:
        """Carry out a move that is known to be legal."""
        ((seat, move),) = choices.items()
        self.play(state.state, move)
        return [self.types.event(seat, move)]

    def observe(self, state: OpenTable[State], seat: Seat | None) -> Any:
        """Return the whole state; a ValueError refuses a seat that is not at the table."""
        if seat is not None and seat not in range(state.seats):
            raise no_such_seat(seat, state.seats)
        return self._shown(state)

    def witness(self, event: Any, seat: Seat | None) -> Any:
        """Return the event: everybody sees every move."""
        return event

    def describe(self, item: Any) -> str:
        """Return a move by the name of its class, with its fields, and an event with the seat that moved."""
        if isinstance(item, self.types.event):
            return f"seat {item.seat}: {self.describe(item.move)}"
        facts = [
            f"{field.name.replace('_', ' ')} {in_words(getattr(item, field.name))}" for field in fields_of(type(item))
        ]
        return " ".join([type(item).__name__.lower(), ", ".join(facts)]).rstrip()

    def outcome(self, state: OpenTable[State]) -> Outcome | None:
        """Return the ranks by score, or None while the match is not over."""
        if self.turn(state.state) is not None:
            return None
        scores = tuple(self.scores(state.state))
        if len(scores) != state.seats or any(type(score) is not int for score in scores):
            raise TypeError(f"scores: {scores} are not whole numbers, one for each of {state.seats} seats")
        return Outcome(tuple([1 + sum(other > own for other in scores) for own in scores]), scores, "the game is over")

    def clone(self, state: OpenTable[State]) -> OpenTable[State]:
        """Return a copy that shares nothing mutable with the state."""
        copy: OpenTable[State] = self._copied(state)
        return copy

    def digest(self, state: OpenTable[State]) -> str:
        """Return a fingerprint of the whole state."""
        digest: str = self._digested(state)
        return digest

    def imagine(self, view: Any, seat: Seat, rng: Rng) -> OpenTable[State]:
        """Return the state of a view, with other dice to come."""
        table: OpenTable[State] = self._seen(view, rng)
        return table

    def redraw(self, state: OpenTable[State], rng: Rng) -> OpenTable[State]:
        """Return a copy with other dice to come."""
        table: OpenTable[State] = self._seen(self._shown(state), rng)
        return table


@dataclass(frozen=True, slots=True)
class _Shown:
    """How a type of a state is shown in a view, and read back; a generator has no place there."""

    hint: Any
    show: Callable[[Any], Any] | None = None
    """None where the value itself is shown."""
    read: Callable[[Any, Rng], Any] | None = None
    is_hidden: bool = False


def _derive(game: Any, state: Any, move: Any) -> None:
    """Give a class of games its types, and the functions between state, view and copy."""
    if not is_value_type(state):
        raise TypeError(f"{game.__name__}: {state!r} is not a dataclass, which the state of an OpenGame has to be")
    shown = _shown_dataclass(state, "View", seats=True)
    view = shown.hint
    moved = dataclasses.make_dataclass("Moved", [("seat", int), ("move", move)], frozen=True, slots=True)
    table = dataclasses.make_dataclass("OpenTable", [("seats", int), ("state", state)], slots=True)
    view.__doc__, moved.__doc__ = "What everybody sees.", "A seat made a move."
    for name, kind in (("_view", view), ("_moved", moved), ("_table", table)):
        kind.__module__, kind.__qualname__ = game.__module__, f"{game.__qualname__}.{name}"  # so that it can be pickled
        setattr(game, name, kind)
    game._copied, game._digested = staticmethod(cloner(table)), staticmethod(digester(table))
    show, read = cast(Any, shown.show), cast(Any, shown.read)
    game._shown = staticmethod(lambda each: show(each.state, each.seats))
    count_of = attrgetter(fields_of(view)[0].name)
    game._seen = staticmethod(lambda each, rng: table(count_of(each), read(each, rng)))
    if any(field.hint is Rng for field in fields_of(state)):
        game.has_chance = True
    options = game.option_type
    game.types = Types(options=options, action=move, view=view, event=moved)


def _shown_dataclass(kind: Any, name: str, *, seats: bool = False) -> _Shown:
    """Show a dataclass as a frozen twin; the outermost also tells the number of seats."""
    for field in dataclasses.fields(kind):
        if not field.init or field.kw_only:
            raise TypeError(
                f"{kind.__name__}.{field.name}: is not set by its place; expected no init=False nor kw_only"
            )
    parts = [(field.name, _shown(field.annotated)) for field in fields_of(kind)]
    if seats and {SEATS, SEAT_COUNT} <= {*dict(parts)}:
        raise TypeError(f"{kind.__name__}.{SEAT_COUNT}: the view has a field of this name; expected another name")
    told = [(field, part) for field, part in parts if not part.is_hidden]
    count_name = SEAT_COUNT if SEATS in dict(parts) else SEATS
    hints = [*([(count_name, int)] if seats else []), *((field, part.hint) for field, part in told)]
    twin = dataclasses.make_dataclass(name, hints, frozen=True, slots=True)
    twin.__doc__ = kind.__doc__

    def show(value: Any, count: int = 0) -> Any:
        lead = (count,) if seats else ()
        return twin(
            *lead,
            *[getattr(value, field) if part.show is None else part.show(getattr(value, field)) for field, part in told],
        )

    def read(value: Any, rng: Rng) -> Any:
        return kind(
            **{
                field: Rng(rng.next64()) if part.is_hidden
                else getattr(value, field) if part.read is None
                else part.read(getattr(value, field), rng)
                for field, part in parts
            }
        )  # fmt: skip

    return _Shown(twin, show, read)


def _shown(hint: Any) -> _Shown:
    """Show one type of a state: a list as a tuple, a dataclass that changes as a frozen twin, all else as it is."""
    if get_origin(hint) is Annotated:
        inner, *metadata = get_args(hint)
        part = _shown(inner)
        return dataclasses.replace(part, hint=Annotated[(part.hint, *metadata)])
    if hint is Rng:
        return _Shown(hint, is_hidden=True)
    if hint is bytearray:
        return _Shown(bytes, bytes, lambda value, _rng: bytearray(value))
    if get_origin(hint) is list:
        item = _shown(get_args(hint)[0])
        show, read = item.show, item.read
        listed: Any = tuple
        return _Shown(
            listed[item.hint, ...],
            tuple if show is None else lambda value: tuple([show(each) for each in value]),
            lambda value, rng: list(value) if read is None else [read(each, rng) for each in value],
        )
    if is_value_type(hint) and not is_frozen(hint):
        return _shown_dataclass(hint, hint.__name__)
    return _Shown(hint)
