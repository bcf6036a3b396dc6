"""The game contract, kept for any suitable game of OpenSpiel's: `spiel_hearts`, `spiel_leduc_poker`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeAlias

import pyspiel
from arena_openspiel.listed import PREFIX, Listed, catalogue
from arena_openspiel.setting import VARIANTS, Setting, asked, followed, full_name, public_text, setting_of, tried
from arena_openspiel.worlds import deal_of, dice_of, filled, known_history, resampled

from referee.fingerprint import fingerprint
from referee.game import (
    CannotImagineError,
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
from referee.heuristic import TO_THE_END
from referee.ranges import check_type
from referee.rng import Rng, seeded
from referee.setting import option, parse_options

SCALE = 1_000  # scores are whole numbers here, and real ones there
STANDARD = "standard"
PREFERRED = {"goofspiel": 4, "leduc_poker": 3, "texas_holdem": 4}  # where OpenSpiel has two for the smallest tree
KIND, CLAUSE = "MOVE", "OpenSpiel"
UNIT = 1 / 2**64
MAX_PARAMETERS = 500  # characters


@dataclass(frozen=True, slots=True)
class Options:
    """How a match differs from the standard form of its game."""

    parameters: str = option(STANDARD, "OpenSpiel's parameters, such as num_cards=5")
    unproven: bool = option(False, "play it although it is not proven to keep the contract")

    def told(self) -> str:
        """Return the parameters for OpenSpiel; empty for the standard form."""
        return "" if self.parameters == STANDARD else self.parameters


@dataclass(frozen=True, slots=True)
class Move:
    """A choice by OpenSpiel's number; an answer may leave the text out."""

    action: int
    text: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat moved; the text is empty for those who did not see what it chose."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance decided something that everybody sees."""

    text: str


Event: TypeAlias = Moved | Drawn


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know."""

    game: str
    """The game with its parameters, as OpenSpiel loads it."""
    seat: int | None
    to_move: tuple[int, ...]
    text: str
    """What the seat knows, in OpenSpiel's words."""
    history: tuple[int, ...]
    """The actions so far, chance's included, to look ahead from; -1 stands for one that the seat does not know.

    In a game that OpenSpiel resamples it is one that the seat cannot tell from the real one. Empty for spectators and
    after the end where something is hidden, and in games without `imagine`.
    """
    movers: tuple[int, ...]
    """Who made each action of a history with gaps, -1 for chance; else empty."""
    scores: tuple[int, ...]
    """Everybody's final score; empty before the end."""


@dataclass(frozen=True, slots=True)
class Ended:
    """In place of OpenSpiel's state, the end of a match as one seat saw it: what stayed hidden is left open."""

    view: View

    def is_terminal(self) -> bool:
        """The match is over."""
        return True

    def is_chance_node(self) -> bool:
        """Nothing is drawn any more."""
        return False

    def returns(self) -> list[float]:
        """Return everybody's score in OpenSpiel's unit."""
        return [score / SCALE for score in self.view.scores]

    def history(self) -> list[int]:
        """Return nothing, since the seat cannot know it."""
        return []

    def clone(self) -> Ended:
        """Return itself: it never changes."""
        return self


class State:
    """OpenSpiel's state, and our chance for what it leaves to chance."""

    __slots__ = ("name", "rng", "spiel")

    def __init__(self, name: str, spiel: Any, rng: Rng) -> None:
        self.name, self.spiel, self.rng = name, spiel, rng

    @property
    def setting(self) -> Setting:
        """Looked up, since a state holds nothing in common with another."""
        return setting_of(self.name)


def in_one_line(text: str) -> str:
    """Return a text of OpenSpiel's with single spaces between its words."""
    return " ".join(text.split())


def draw(state: State, told: list[Event] | None) -> None:
    """Let our chance decide until somebody is asked or the game is over."""
    spiel = state.spiel
    while spiel.is_chance_node():
        outcomes = spiel.chance_outcomes()
        at, sum_ = state.rng.next64() * UNIT, 0.0
        for action, probability in outcomes:  # noqa: B007  # the last one takes what rounding left
            sum_ += probability
            if at < sum_:
                break
        if told is not None:
            told.append(Drawn(in_one_line(spiel.action_to_string(-1, action))))
        spiel.apply_action(action)


def advance(spiel: Any, chosen: Mapping[Seat, int]) -> None:
    """Carry out what the pending seats chose."""
    if spiel.is_simultaneous_node():
        spiel.apply_actions([chosen.get(seat, pyspiel.INVALID_ACTION) for seat in range(spiel.num_players())])
    else:
        (action,) = chosen.values()
        spiel.apply_action(action)


class Spiel(Game[State, Move, View, Event, Options]):
    """A game of OpenSpiel's without a way to determinize a view."""

    rules_version = int("".join(f"{int(part):02d}" for part in catalogue().open_spiel.split(".")))
    types = Types(options=Options, action=Move, view=View, event=Event)
    runs_apart = True

    def __init__(self, name: str, listed: Listed) -> None:
        self._name, self._listed = name, listed
        self.slug, self.title = PREFIX + name, listed.title
        self.table_sizes = range(listed.seats[0], listed.seats[1] + 1)
        self.preferred_seats = preferred_of(name, self.table_sizes)
        self.has_secrets, self.has_chance = listed.has_secrets, listed.has_chance
        self.summary = f"{listed.title} by the rules of OpenSpiel {catalogue().open_spiel}, where it is called {name}."

    def options(self, mapping: Mapping[str, object]) -> Options:
        options = parse_options(Options, mapping)
        if self._listed.fault and not options.unproven:
            raise ValueError(
                f"unproven: {self.slug} is not proven, set unproven = true to play it: {self._listed.fault}"
            )
        told = options.parameters
        if len(told) > MAX_PARAMETERS or not (told.isascii() and told.isprintable()) or "(" in told or ")" in told:
            raise ValueError(f"parameters: {told[:80]!r} is not a list such as num_cards=5,points_order=random")
        named = full_name(self._name, self.preferred_seats, options.told())
        kind = tried(named, options.told()).game.get_type()
        usual = setting_of(full_name(self._name, self.preferred_seats)).game.get_type()
        for fact in ("information", "chance_mode", "dynamics"):
            if getattr(kind, fact) != getattr(usual, fact):
                raise ValueError(f"parameters: {options.parameters} changes the game's {fact.replace('_', ' ')}")
        return options

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, list[Event]]:
        check_seats(self, seats)
        setting = tried(full_name(self._name, seats, options.told()), options.told())
        if setting.game.num_players() != seats:
            raise ValueError(f"seats: {seats} asked for, but the parameters seat {setting.game.num_players()}")
        events: list[Event] = []
        state = State(setting.name, setting.game.new_initial_state(), seeded(seed))
        draw(state, events if setting.is_open else None)
        return state, events

    def new(self, seats: int, seed: int, options: Options) -> State:
        return self.begin(seats, seed, options)[0]

    def pending(self, state: State) -> tuple[Decision, ...]:
        return tuple([Decision(seat, KIND, CLAUSE) for seat in asked(state.spiel)])

    def legal_actions(self, state: State, seat: Seat) -> list[Move]:
        return [Move(action, state.spiel.action_to_string(seat, action)) for action in self.codes(state, seat)]

    def default_action(self, state: State, seat: Seat) -> Move:
        return self.action_of(state, seat, self.codes(state, seat)[0])

    def codes(self, state: State, seat: Seat) -> Sequence[int]:
        if seat not in asked(state.spiel):
            raise not_asked(CLAUSE, seat)
        legal: list[int] = state.spiel.legal_actions(seat)
        return legal

    def action_of(self, state: State, seat: Seat, code: int) -> Move:
        return Move(code, state.spiel.action_to_string(seat, code))

    def code_of(self, state: State, seat: Seat, action: Move) -> int:
        if action.action not in self.codes(state, seat):
            raise ValueError(f"{action} is not listed")
        return action.action

    def check(self, state: State, seat: Seat, action: Move) -> None:
        legal = self.codes(state, seat)
        check_type(CLAUSE, action, Move)
        if action.action not in legal:
            raise IllegalActionError(CLAUSE, f"the action {action.action} ({action.text}) is not legal now")
        if action.text not in ("", text := state.spiel.action_to_string(seat, action.action)):
            raise IllegalActionError(CLAUSE, f"the action {action.action} is {text} now, not {action.text}")

    def apply(self, state: State, choices: Mapping[Seat, Move]) -> list[Event]:
        check_choices(self, state, choices)
        return self.apply_checked(state, choices)

    def apply_checked(self, state: State, choices: Mapping[Seat, Move]) -> list[Event]:
        return self.apply_codes(state, {seat: move.action for seat, move in choices.items()})

    def apply_codes(self, state: State, codes: Mapping[Seat, int]) -> list[Event]:
        spiel = state.spiel
        events: list[Event] = [
            Moved(seat, in_one_line(spiel.action_to_string(seat, codes[seat]))) for seat in sorted(codes)
        ]
        advance(spiel, codes)
        draw(state, events if state.setting.is_open else None)
        return events

    def playout(self, state: State, rng: Rng, steps: int = TO_THE_END, greedy: bool = False) -> int:
        spiel, made = state.spiel, 0
        for _ in range(steps):
            seats = asked(spiel)
            if not seats:
                break
            chosen = {}
            for seat in seats:
                legal = spiel.legal_actions(seat)
                chosen[seat] = legal[0] if greedy and len(legal) == 1 else legal[rng.index(len(legal))]
            advance(spiel, chosen)
            if spiel.is_chance_node():
                draw(state, None)
            made += len(chosen)
        return made

    def observe(self, state: State, seat: Seat | None) -> View:
        setting, spiel = state.setting, state.spiel
        if seat is not None and seat not in range(setting.game.num_players()):
            raise no_such_seat(seat, setting.game.num_players())
        if isinstance(spiel, Ended):
            return (
                spiel.view if seat == spiel.view.seat else View(setting.name, seat, (), "", (), (), spiel.view.scores)
            )
        scores = scores_of(spiel) if spiel.is_terminal() else ()
        text = public_text(setting, spiel) if seat is None else setting.text_of(spiel, seat)
        history: tuple[int, ...] = ()
        movers: tuple[int, ...] = ()
        if setting.is_open:
            history = tuple(spiel.history())
        elif seat is not None and not scores:
            history, movers = self._history(setting, spiel, seat, text)
        return View(setting.name, seat, asked(spiel), text, history, movers, scores)

    def _history(self, setting: Setting, spiel: Any, seat: Seat, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what a seat knows of the history and its movers, while something is hidden."""
        return (), ()

    def witness(self, event: Event, seat: Seat | None) -> Event:
        if isinstance(event, Moved) and event.seat != seat and not self._listed.moves_are_public:
            return Moved(event.seat, "")
        return event

    def describe(self, item: Move | Event) -> str:
        match item:
            case Move(action, text):
                return in_one_line(text) or f"action {action}"
            case Moved(seat, text):
                return f"seat {seat}: {text}" if text else f"seat {seat} moves"
            case Drawn(text):
                return f"chance: {text}"

    def text_board(self, view: View) -> str:
        who = " and ".join(map(str, view.to_move)) or "nobody"
        place = "a spectator" if view.seat is None else f"seat {view.seat}"
        head = f"{view.game}, seen by {place}, to move: {who}"
        if not self.has_secrets:
            head += f", after {len(view.history)} actions"
        shown = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in view.text)
        return "\n".join(line.rstrip() for line in f"{head}\n{shown}".splitlines()).strip("\n")

    def outcome(self, state: State) -> Outcome | None:
        if not state.spiel.is_terminal():
            return None
        scores = scores_of(state.spiel)
        return Outcome(tuple([1 + sum(other > own for other in scores) for own in scores]), scores, "the game is over")

    def score_text(self, score: int) -> str:
        return f"{score / SCALE:g}"

    def clone(self, state: State) -> State:
        return State(state.name, state.spiel.clone(), state.rng.clone())

    def digest(self, state: State) -> str:
        return fingerprint(state.name, state.spiel.history(), state.rng.word if self.has_chance else 0)

    def redraw(self, state: State, rng: Rng) -> State:
        return State(state.name, state.spiel.clone(), rng.fork("chance"))


class ImaginedSpiel(Spiel):
    """A game of OpenSpiel's in which a view holds what it takes to look ahead."""

    def _history(self, setting: Setting, spiel: Any, seat: Seat, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if deal_of(setting) is not None:
            movers = tuple([each.player for each in spiel.full_history()])
            return known_history(setting, spiel.history(), seat), movers
        world = resampled(setting, spiel, seat, text, dice_of(text, seat))
        return (() if world is None else tuple(world.history())), ()

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        setting = setting_of(view.game)
        if setting.is_open:
            return State(view.game, _base(view.game, view.history).clone(), rng.fork("chance"))
        if view.scores:
            return State(view.game, Ended(view), rng.fork("chance"))
        if not view.history:
            raise CannotImagineError(f"{self.slug}: this view has no history")
        if view.movers:
            spiel = filled(setting, view.history, view.movers, seat, view.text, view.to_move, rng)
            if spiel is None:
                raise CannotImagineError(f"{self.slug}: no deal was found that leads to this view")
        else:
            # The history of the view is itself one that the seat cannot tell from the real one.
            base = _base(view.game, view.history).clone()
            spiel = resampled(setting, base, seat, view.text, rng) or base
        return State(view.game, spiel, rng.fork("chance"))


def scores_of(spiel: Any) -> tuple[int, ...]:
    """Return everybody's final score in thousandths."""
    return tuple([round(SCALE * value) for value in spiel.returns()])


@lru_cache(maxsize=8)
def _base(name: str, history: tuple[int, ...]) -> Any:
    """Return the state that a view's history leads to, to be copied: a bot imagines many times from one view."""
    return followed(setting_of(name), history)


def preferred_of(name: str, table_sizes: range) -> int:
    """Return the usual number of seats: OpenSpiel's own, unless more make the better game, or the smallest table."""
    form = VARIANTS.get(name, name)
    own: int = pyspiel.load_game(form).num_players() if "{" not in form else 0
    own = PREFERRED.get(name, own)
    return own if own in table_sizes else table_sizes[0]


def made_from(name: str, listed: Listed) -> Spiel:
    """Return a game with given facts about it."""
    return (ImaginedSpiel if listed.imagines else Spiel)(name, listed)


@cache
def made(name: str) -> Spiel:
    """Return a game of the shipped list."""
    return made_from(name, catalogue().games[name])
