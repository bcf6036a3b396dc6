"""The game contract: what a game promises to the referee, and the values they exchange."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from referee.drawing import Drawing
from referee.heuristic import NOISE, TO_THE_END, Heuristic, Scale, liked, read_weights, with_weights
from referee.rng import Rng
from referee.view_text import facts

MAX_OPTIONS = 2_000  # listed in one prompt; the others are still legal
MAX_SHOWN = 200  # characters of a value that is not an action, in the reason of its refusal

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


class CannotImagineError(Exception):
    """A game has no `imagine`; ask `can_imagine` before."""


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


class Game(Generic[S, A, V, E, O]):
    """A game: rules as functions beside a state of plain data.

    A state is only ever changed by `apply`; everything else reads. Chance lives in the state. Every public name of a
    game is declared here: `referee.games` refuses a game with another one, or with one of the wrong kind. There is no
    ABCMeta, because the compiled classes of our games cannot have it.
    """

    slug: str
    title: str
    rules_version: int
    table_sizes: range
    preferred_seats: int
    types: Types
    summary: str = ""
    """The rules in a few sentences."""
    earlier: Sequence[AnyGame] = ()
    """The game in earlier versions of its rules, the latest first, for old records."""
    has_secrets: bool = True
    """Whether seats know different things."""
    has_chance: bool | None = None
    """Whether seeds make a difference; None lets `seeds_matter` find out."""
    chance_comes_first: bool = False
    """Whether all chance falls before the first decision: a deal, or an opening that everybody sees."""
    runs_apart: bool = False
    """Whether its rules may crash their process, as foreign native code may: each match gets a referee to itself."""
    max_options: int | None = None
    """The maximum length of `legal_actions`; None if unknown."""
    compares_scores: bool = False
    """T11.5: whether raw scores are never negative and a share of the table's total means the same in every match."""
    has_lasting_codes: bool = False
    """Whether each of `codes` stands for the same action in every state of a match, as a search tree needs it."""
    scale: Scale = Scale()
    """How far rollouts go, and how much a lead means."""

    @abstractmethod
    def options(self, mapping: Mapping[str, object]) -> O:
        """Return checked options; a ValueError names the wrong key."""

    @abstractmethod
    def new(self, seats: int, seed: int, options: O) -> S:
        """Return the state at the first decision; a ValueError names a wrong seat count."""

    def begin(self, seats: int, seed: int, options: O) -> tuple[S, Sequence[E]]:
        """Return the state at the first decision, and the events that led there."""
        return self.new(seats, seed, options), ()

    @abstractmethod
    def pending(self, state: S) -> tuple[Decision, ...]:
        """Return the open decisions in seat order; () means over, several are answered together."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return what a pending seat may choose, in the canonical order of the rule page.

        An IllegalActionError refuses a seat that is not asked.
        """

    @abstractmethod
    def default_action(self, state: S, seat: Seat) -> A:
        """Return the safe default of the rule page, played for a seat that does not answer.

        An IllegalActionError refuses a seat that is not asked.
        """

    @abstractmethod
    def check(self, state: S, seat: Seat, action: A) -> None:
        """Raise IllegalActionError unless this seat is asked and may choose this action."""

    @abstractmethod
    def apply(self, state: S, choices: Mapping[Seat, A]) -> Sequence[E]:
        """Carry out one action for every pending seat and play on to the next decision.

        Choices that `check` refuses, or of other or too few seats, are refused here too; the state is unchanged.
        """

    def apply_checked(self, state: S, choices: Mapping[Seat, A]) -> Sequence[E]:
        """Carry out choices that are known to be legal, because they were checked or listed."""
        return self.apply(state, choices)

    def codes(self, state: S, seat: Seat) -> Sequence[int]:
        """Return what a pending seat may choose as numbers, in the same order as `legal_actions`.

        A game whose rules work on numbers lists them much faster; for any other they are the places in that list.
        """
        return range(len(self.legal_actions(state, seat)))

    def action_of(self, state: S, seat: Seat, code: int) -> A:
        """Return the action that a number of `codes` stands for."""
        return self.legal_actions(state, seat)[code]

    def code_of(self, state: S, seat: Seat, action: A) -> int:
        """Return the number of a listed action; a ValueError refuses any other."""
        return list(self.legal_actions(state, seat)).index(action)

    def apply_codes(self, state: S, codes: Mapping[Seat, int]) -> Sequence[E]:
        """Carry out one number of `codes` for every pending seat, as `apply_checked` does with actions."""
        return self.apply_checked(state, {seat: self.action_of(state, seat, code) for seat, code in codes.items()})

    def playout(self, state: S, rng: Rng, steps: int = TO_THE_END, greedy: bool = False) -> int:
        """Play a state on in place, at random or by the game's heuristic, and return the number of choices made.

        For every pending seat in turn, `rng` chooses one of the listed actions. Greedily it is the first of those rated
        highest, out of a sample of `scale.max_rated` where more are listed; without a heuristic it is any of several.
        """
        return _play_steps(self, state, [rng] * self.table_sizes[-1], steps, self._known_heuristic(greedy))

    def playout_by_seat(self, state: S, dice: Sequence[Rng], steps: int = TO_THE_END, noisy: bool = False) -> int:
        """Play a state on in place with dice for every seat, and return the number of choices made.

        If one seat plays differently, the dice of the others stay the same. It is at random as in `playout`, or by the
        heuristic with noise: after the options are rated, dice choose from `NOISE` how many of those that are `liked`
        are passed over, but never the last.
        """
        return _play_steps(self, state, dice, steps, self._known_heuristic(noisy), noisy=noisy)

    def playout_by_heuristics(
        self, state: S, dice: Sequence[Rng], heuristics: Sequence[Heuristic], steps: int = TO_THE_END,
        noisy: bool = False,
    ) -> int:  # fmt: skip
        """Play a state on in place, every seat with its own dice and heuristic, and return the number of choices made.

        The heuristics are the game's own, or that `with_weights`. It is greedy as in `playout`, or with noise as in
        `playout_by_seat`.
        """
        return _play_steps(self, state, dice, steps, heuristics, noisy=noisy)

    def _known_heuristic(self, is_wanted: bool) -> Sequence[Heuristic | None] | None:
        """Return the heuristic of every seat, which may be none, or None for play at random."""
        return [self.heuristic()] * self.table_sizes[-1] if is_wanted else None

    @abstractmethod
    def observe(self, state: S, seat: Seat | None) -> V:
        """Return what the seat may know now; None asks for the spectator's view, a ValueError refuses other seats."""

    @abstractmethod
    def witness(self, event: E, seat: Seat | None) -> E | None:
        """Return the event as the seat saw it, without hidden parts, or None."""

    @abstractmethod
    def describe(self, item: A | E) -> str:
        """Return one line of plain English for an action or an event."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result, or None while the match is not over."""

    @abstractmethod
    def clone(self, state: S) -> S:
        """Return a copy that shares nothing mutable with the state."""

    @abstractmethod
    def digest(self, state: S) -> str:
        """Return a fingerprint of the whole state, equal in every process and Python."""

    def imagine(self, view: V, seat: Seat, rng: Rng) -> S:
        """Return a full state that this seat cannot tell from the real one, with unknown parts drawn at random.

        A game without it is searched at random, see `can_imagine`.
        """
        raise CannotImagineError(f"{self.slug} cannot determinize a seat's view")

    def determinize(self, state: S, seat: Seat, rng: Rng) -> S:
        """Return what `imagine` makes of a seat's view of a state; a game can do so without making the view."""
        return self.imagine(self.observe(state, seat), seat, rng)

    @abstractmethod
    def redraw(self, state: S, rng: Rng) -> S:
        """Return a copy in which all chance still unseen is redrawn: no view changes.

        What any seat holds or has chosen stays; undrawn cards and tiles, and future dice, change.
        """

    def scores_so_far(self, state: S) -> tuple[int, ...] | None:
        """Return every seat's score as if the game ended now, including hidden points; None if the game does not say.

        Points that are only scored at the end of a game may be missing until then.
        """
        return None

    def score_text(self, score: int) -> str:
        """Return a score as people read it."""
        return str(score)

    def mean_score_text(self, mean: float) -> str:
        """Return a mean of scores as people read it: as the score nearest to it, if the game writes scores itself."""
        return f"{mean:.1f}" if type(self).score_text is Game.score_text else self.score_text(round(mean))

    def heuristic(self) -> Heuristic | None:
        """Return the game's heuristic, imported here because a match does not need it."""
        return None

    def tuned_heuristic(self, seats: int) -> Heuristic | None:
        """Return the heuristic with the weights that were tuned for a table size; without any, as it is."""
        return self.heuristic()

    def board(self, view: V, seats: Mapping[Seat, V]) -> Drawing | None:
        """Return a drawing of a view and of the hidden knowledge of the given seats; None means a plain table."""
        return None

    def text_board(self, view: V) -> str:
        """Return a view as lines of text for a person at a terminal or a language model."""
        return "\n".join(facts(view))


class PackagedGame(Game[S, A, V, E, O]):
    """A built-in game, in a package with a `board`, `describe`, `heuristic` and `text_board`, imported when needed."""

    def new(self, seats: int, seed: int, options: O) -> S:
        """Return the state at the first decision; a ValueError names a wrong seat count."""
        return self.begin(seats, seed, options)[0]

    def apply(self, state: S, choices: Mapping[Seat, A]) -> Sequence[E]:
        """Check one choice for every pending seat, carry them out and play on to the next decision."""
        check_choices(self, state, choices)
        return self.apply_checked(state, choices)

    def describe(self, item: A | E) -> str:
        """Return one line of plain English for an action or an event."""
        sentence: str = self._module("describe").SENTENCES[type(item)](item)
        return sentence

    def heuristic(self) -> Heuristic:
        """Return how good options look and what positions are worth."""
        heuristic: Heuristic = self._module("heuristic").HEURISTIC
        return heuristic

    def tuned_heuristic(self, seats: int) -> Heuristic:
        """Return the heuristic with the weights of `tuned.json` for a table size; without any, as it is."""
        return _tuned(self.slug, seats)

    def board(self, view: V, seats: Mapping[Seat, V]) -> Drawing:
        """Return a drawing of a view, and of the given seats' hidden knowledge."""
        drawing: Drawing = self._module("board").draw(view, seats)
        return drawing

    def text_board(self, view: V) -> str:
        """Return a view in lines, with the board in characters."""
        text: str = self._module("text_board").draw(view)
        return text

    def _module(self, name: str) -> Any:
        return import_module(f"referee.games.{self.slug}.{name}")


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class GameFamily:
    """Many games of one package, each made when it is first asked for: the entry point group `arena.game_families`.

    Every slug begins with the name of the entry point and `_`, so that no other family needs to be loaded to find it.
    """

    slugs: Callable[[], Sequence[str]]
    """Return all slugs, without making a game."""
    game: Callable[[str], AnyGame]
    """Return the game of a slug."""
    title: str = ""
    """What the games have in common, in a few words."""
    rules_version: int = 1
    """The version of all their rules together, by which the workers of a cluster compare what they have installed."""


def _play_steps(
    game: AnyGame, state: Any, dice: Sequence[Rng], steps: int, heuristics: Sequence[Heuristic | None] | None,
    *, noisy: bool = False,
) -> int:  # fmt: skip
    """Answer all open decisions up to `steps` times, with dice and heuristic at the place of each seat."""
    made = 0
    for _ in range(steps):
        choices = {}
        for decision in game.pending(state):
            seat = decision.seat
            heuristic = heuristics[seat] if heuristics is not None else None
            if heuristic is not None:
                choices[seat] = best_rated(game, heuristic, state, seat, dice[seat], noisy=noisy)
                continue
            options = game.legal_actions(state, seat)
            choices[seat] = options[
                0 if heuristics is not None and len(options) == 1 else dice[seat].index(len(options))
            ]
        if not choices:
            break
        game.apply_checked(state, choices)
        made += len(choices)
    return made


def best_rated(game: AnyGame, heuristic: Heuristic, state: Any, seat: Seat, rng: Rng, *, noisy: bool) -> Any:
    """Return the action that a heuristic rates highest, or by noise one of the next; of many, a sample is rated."""
    options, most = game.legal_actions(state, seat), game.scale.max_rated
    if len(options) == 1:
        return options[0]
    if len(options) > most:
        options = [options[rng.index(len(options))] for _ in range(most)]
    ratings = heuristic.rate(state, seat, options)
    below = NOISE[rng.index(len(NOISE))] if noisy else 0
    if not below:
        return options[ratings.index(max(ratings))]
    order = liked(ratings)
    return options[order[min(below, len(order) - 1)]]


@cache
def _tuned(slug: str, seats: int) -> Heuristic:
    heuristic: Heuristic = import_module(f"referee.games.{slug}.heuristic").HEURISTIC
    file = files(f"referee.games.{slug}").joinpath("tuned.json")
    by_seats = read_weights(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return with_weights(heuristic, by_seats[seats]) if seats in by_seats else heuristic


def can_imagine(game: AnyGame) -> bool:
    """Return whether a game can determinize a view, as bots need to look ahead."""
    return type(game).imagine is not Game.imagine


def has_codes(game: AnyGame) -> bool:
    """Return whether a game lists codes itself, so that they are quicker than actions."""
    return type(game).codes is not Game.codes


def check_choices(game: AnyGame, state: Any, choices: Mapping[Seat, Any]) -> None:
    """Refuse choices unless they are one legal action for every pending seat, and no others."""
    asked = [decision.seat for decision in game.pending(state)]
    if not asked:
        raise ValueError("choices: the match is over, and no seat is asked")
    if len(choices) != len(asked) or any(seat not in choices for seat in asked):
        expected = ", ".join(map(str, asked))
        raise ValueError(f"choices: got seats {', '.join(map(str, choices)) or 'none'}; expected {expected}")
    for seat in asked:
        game.check(state, seat, choices[seat])


def not_asked(clause: str, seat: object) -> IllegalActionError:
    """Return the refusal of a seat that has nothing to decide, because it is another's turn or the game is over."""
    return IllegalActionError(clause, f"seat {seat} has nothing to decide now")


def no_action(clause: str, item: object) -> IllegalActionError:
    """Return the refusal of a value that is not an action, from a caller in the same process."""
    try:
        shown = repr(item)
    except Exception:  # whatever it is, it is refused in words
        shown = f"a {type(item).__name__}"
    return IllegalActionError(clause, f"{shown[:MAX_SHOWN]} is not an action of this game")


def no_such_seat(seat: object, seats: int) -> ValueError:
    """Return the refusal of a view for a seat that is not at the table."""
    return ValueError(f"seat: {seat!r} is not at this table; expected 0 to {seats - 1}, or None for a spectator")


def seeds_matter(game: AnyGame, seats: int, options: Any) -> bool:
    """T19.6: return whether the game has chance: as it declares, or else if three seeds differ."""
    if game.has_chance is not None:
        return game.has_chance
    return len({game.digest(game.new(seats, seed, options)) for seed in range(1, 4)}) > 1


def has_openings(game: AnyGame) -> bool:
    """T2.10: return whether seeds decide only openings that everybody sees, so that games may share them."""
    return game.chance_comes_first and not game.has_secrets


def check_seats(game: AnyGame, seats: int) -> None:
    """Refuse a table size that the game does not allow."""
    if seats not in game.table_sizes:
        raise ValueError(
            f"seats: {seats} is not allowed for {game.slug}; expected {game.table_sizes[0]} to {game.table_sizes[-1]}"
        )
