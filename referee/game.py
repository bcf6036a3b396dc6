"""The game contract: what a set of rules promises to the referee, and the values they exchange."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

from referee.rng import Rng

Seat: TypeAlias = int  # a place at the table, 0 … n-1

S = TypeVar("S")  # State: plain mutable data
A = TypeVar("A")  # Action: what a seat chose
V = TypeVar("V")  # View: what one seat may know
E = TypeVar("E")  # Event: what came of a choice
O = TypeVar("O")  # Options: how this match differs from the standard game  # noqa: E741


class IllegalActionError(Exception):
    """The rules refuse an action; the clause says which rule and the reason says why."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause = clause
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Decision:
    """One question to one seat; `kind` is its name in the rule page's table of decision points.

    `open_ended` says that more is legal than `legal_actions` lists, so that a single listed action is not forced.
    """

    seat: Seat
    kind: str
    clause: str
    open_ended: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished match ended: a rank for every seat (1 is best, equal ranks are ties, 1-2-2-4)."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Types:
    """The value types of a game, so that the codec can compile itself once.

    `action` and `event` are unions of frozen dataclasses, `view` and `options` frozen dataclasses.
    """

    options: type[Any]
    action: Any
    view: type[Any]
    event: Any


@dataclass(frozen=True, slots=True)
class Within:
    """Declares which whole numbers a field of a value can hold: `Annotated[int, Within(0, 75)]`."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """Declares how long a list can get: `Annotated[tuple[X, ...], AtMost(75)]`; with `per_seat`, for every seat."""

    count: int
    per_seat: bool = False


T = TypeVar("T")
PerSeat = Annotated[tuple[T, ...], AtMost(1, per_seat=True)]
"""The type of a list with at most one entry for every seat."""


class Game(Protocol[S, A, V, E, O]):
    """A game: rules as functions beside a state of plain data.

    A state is only ever changed by `apply`; everything else reads. Chance lives in the state.
    """

    slug: str
    title: str
    rules_version: int
    table_sizes: range
    preferred_seats: int
    types: Types

    def options(self, mapping: Mapping[str, object]) -> O:
        """Return checked options; a ValueError names the key that is wrong."""

    def new(self, seats: int, seed: int, options: O) -> S:
        """Return the state at the first decision; a ValueError names a wrong seat count."""

    def pending(self, state: S) -> tuple[Decision, ...]:
        """Return the open decisions in seat order; () means over, several are answered at once."""

    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return what a pending seat may choose, in the canonical order of the rule page.

        An IllegalActionError refuses a seat that is not asked.
        """

    def default_action(self, state: S, seat: Seat) -> A:
        """Return the safe default of the rule page, played for a seat that does not answer.

        An IllegalActionError refuses a seat that is not asked.
        """

    def check(self, state: S, seat: Seat, action: A) -> None:
        """Raise IllegalActionError unless this seat is asked and may choose this action."""

    def apply(self, state: S, choices: Mapping[Seat, A]) -> Sequence[E]:
        """Carry out one action for every pending seat and play on to the next decision.

        Choices that `check` refuses, of other seats or of too few are refused here too, and the state stays as it was.
        """

    def observe(self, state: S, seat: Seat | None) -> V:
        """Return what the seat may know now; None asks for the spectator's view, a ValueError refuses other seats."""

    def witness(self, event: E, seat: Seat | None) -> E | None:
        """Return the event as the seat saw it, with what is hidden from it left out, or None."""

    def describe(self, item: A | E) -> str:
        """Return one line of plain English for an action or an event.

        A game with a `describe_view` draws its views as text, and describes them here too; of others
        `referee.view_text.describe_view` tells every field.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match goes on."""

    def clone(self, state: S) -> S:
        """Return a copy that shares nothing mutable with the state."""

    def digest(self, state: S) -> str:
        """Return a fingerprint of the whole state, equal in every process and Python."""

    def imagine(self, view: V, seat: Seat, rng: Rng) -> S:
        """Return a full state that this seat cannot tell from the real one, the unknown drawn at random."""

    def redraw(self, state: S, rng: Rng) -> S:
        """Return a copy in which the chance that nobody has seen yet is drawn anew: no view changes.

        What any seat holds or has chosen stays as it is; undrawn cards and tiles, and dice to come, are others.
        """


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]


def begin(game: AnyGame, seats: int, seed: int, options: Any) -> tuple[Any, Sequence[Any]]:
    """Return the state at the first decision, and the events that led there.

    A game in which something happens before anybody decides has a `begin` of its own beside `new`.
    """
    own: Callable[[int, int, Any], tuple[Any, Sequence[Any]]] | None = getattr(game, "begin", None)
    return (game.new(seats, seed, options), ()) if own is None else own(seats, seed, options)


def checked_apply(game: AnyGame) -> Callable[[Any, Mapping[Seat, Any]], Sequence[Any]]:
    """Return the game's way to carry out choices that are known to be legal: they were checked, or listed.

    That is `apply_checked`, which does not look at them again, for a game that has it, and otherwise `apply`.
    """
    own: Callable[[Any, Mapping[Seat, Any]], Sequence[Any]] = getattr(game, "apply_checked", game.apply)
    return own


def check_choices(game: AnyGame, state: Any, choices: Mapping[Seat, Any]) -> None:
    """Refuse choices unless they are one legal action for every pending seat, and no others."""
    asked = [decision.seat for decision in game.pending(state)]
    if not asked:
        raise ValueError("choices: the match is over, and nobody is asked")
    if len(choices) != len(asked) or any(seat not in choices for seat in asked):
        expected = ", ".join(map(str, asked))
        raise ValueError(f"choices: got those of seats {', '.join(map(str, choices)) or 'none'}; expected {expected}")
    for seat in asked:
        game.check(state, seat, choices[seat])


def not_asked(clause: str, seat: object) -> IllegalActionError:
    """Return the refusal of a seat that has nothing to decide, be it another's turn or the end."""
    return IllegalActionError(clause, f"seat {seat} has nothing to decide now")


def no_action(clause: str, item: object) -> IllegalActionError:
    """Return the refusal of something that a caller in the same process hands over for an action."""
    return IllegalActionError(clause, f"{item!r} is no action of this game")


def no_such_seat(seat: object, seats: int) -> ValueError:
    """Return the refusal of a view for a seat that is not at the table."""
    return ValueError(f"seat: {seat!r} is not at this table; expected 0 to {seats - 1}, or None for a spectator")


def earlier_rules(game: AnyGame) -> Sequence[AnyGame]:
    """Return the game by earlier versions of its rules, the latest first; one that kept none has no `earlier`."""
    earlier: Sequence[AnyGame] = getattr(game, "earlier", ())
    return earlier


def has_chance(game: AnyGame, seats: int, options: Any) -> bool:
    """T19.6: tell whether seeds make any difference, by what the game says in `has_chance` or else by two of them."""
    declared: bool | None = getattr(game, "has_chance", None)
    if declared is not None:
        return declared
    return len({game.digest(begin(game, seats, seed, options)[0]) for seed in range(1, 4)}) > 1


def listed_at_most(game: AnyGame) -> int | None:
    """Return how many actions `legal_actions` ever lists, as the game says by `max_options`; None if it does not."""
    declared: int | None = getattr(game, "max_options", None)
    return declared


def has_comparable_scores(game: AnyGame) -> bool:
    """T11.5: tell whether raw scores are never negative and a share of the table's means the same in every match.

    A game that says nothing, with `compares_scores`, does not take part in this tie-break.
    """
    return bool(getattr(game, "compares_scores", False))


def score_text(game: AnyGame, score: int) -> str:
    """Return a score as people read it: in the words of the game's own `score_text`, where it has any."""
    told: Callable[[int], str] = getattr(game, "score_text", str)
    return told(score)


def scores_so_far(game: AnyGame, state: Any) -> tuple[int, ...] | None:
    """Return every seat's score if it were counted now, by the game's own `scores_so_far`; None where it has none.

    What only the end of a game brings may be missing until then. It may rest on what seats do not know of each other.
    """
    counted: Callable[[Any], tuple[int, ...]] | None = getattr(game, "scores_so_far", None)
    return None if counted is None else counted(state)


def check_seats(game: AnyGame, seats: int) -> None:
    """Refuse a table size that the game does not allow, naming what it does."""
    if seats not in game.table_sizes:
        raise ValueError(
            f"seats: {seats} is not allowed for {game.slug}; expected {game.table_sizes[0]} to {game.table_sizes[-1]}"
        )
