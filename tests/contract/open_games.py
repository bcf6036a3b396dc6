"""Open games of each kind: without chance, with an opening drawn by the seed, with dice to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias

from referee.game import AtMost, Seat, Within
from referee.open_game import OpenGame
from referee.rng import Rng
from referee.setting import option


@dataclass(frozen=True, slots=True)
class Take:
    """Take from a heap."""

    heap: int
    count: int


@dataclass(slots=True)
class Heaps:
    heaps: Annotated[list[int], AtMost(4)]
    mover: Annotated[int, Within(0, 1)]


class Nim(OpenGame[Heaps, Take]):
    """Take any number from one heap; the one who takes the last wins."""

    slug, title = "small_nim", "Nim"

    def start(self, seats: int, options: object, rng: Rng) -> Heaps:
        return Heaps([1, 3, 5], 0)

    def turn(self, state: Heaps) -> Seat | None:
        return state.mover if any(state.heaps) else None

    def moves(self, state: Heaps) -> list[Take]:
        return [Take(heap, count) for heap, size in enumerate(state.heaps) for count in range(1, size + 1)]

    def play(self, state: Heaps, move: Take) -> None:
        state.heaps[move.heap] -= move.count
        state.mover = 1 - state.mover

    def scores(self, state: Heaps) -> list[int]:
        return [int(state.mover != seat) for seat in (0, 1)]


class NimFromABook(Nim):
    """Its heaps are an opening that the seed draws and everybody sees."""

    slug = "book_nim"
    has_chance = True
    chance_comes_first = True

    def start(self, seats: int, options: object, rng: Rng) -> Heaps:
        return Heaps([1 + rng.index(5) for _ in range(3)], 0)


class Mood(Enum):
    CALM = 1
    BOLD = 2


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw the die, boldly for twice its pips or nothing."""

    mood: Mood


@dataclass(frozen=True, slots=True)
class Rest:
    """Throw nothing."""


@dataclass(slots=True)
class Runner:
    """One seat on the track."""

    at: int
    moods: list[Mood]
    last: Roll | Rest | None


@dataclass(slots=True)
class Track:
    """Everything but the dice lies open."""

    runners: list[Runner]
    turns: int
    marks: bytearray
    average: float
    dice: Rng


@dataclass(frozen=True, slots=True)
class Length:
    """How long a race is."""

    turns: int = option(4, "turns for every seat", min=1, max=6)
    motto: str = option("", "a text that changes nothing")


Step: TypeAlias = Roll | Rest


class Race(OpenGame[Track, Step]):
    """The one who has come furthest wins."""

    slug, title = "race", "Race"
    table_sizes = range(2, 4)
    option_type = Length

    def start(self, seats: int, options: Length, rng: Rng) -> Track:
        return Track([Runner(0, [], None) for _ in range(seats)], options.turns * seats, bytearray(seats), 0.0, rng)

    def turn(self, state: Track) -> Seat | None:
        return -state.turns % len(state.runners) if state.turns else None

    def moves(self, state: Track) -> Sequence[Step]:
        return [*map(Roll, Mood), Rest()]

    def play(self, state: Track, move: Step) -> None:
        seat = self.turn(state)
        assert seat is not None
        runner = state.runners[seat]
        if isinstance(move, Roll):
            pips = 1 + state.dice.index(6)
            runner.at += pips if move.mood is Mood.CALM else 2 * pips * state.dice.index(2)
            runner.moods.append(move.mood)
        runner.last = move
        state.marks[seat] = runner.at
        state.average = sum(each.at for each in state.runners) / len(state.runners)
        state.turns -= 1

    def scores(self, state: Track) -> list[int]:
        return [runner.at for runner in state.runners]
