"""Small named builders: a board as the examples of C16 write it, and a seat about to do something there."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from referee.games.carcassonne_city import game as module
from referee.games.carcassonne_city.actions import Action, PlaceTile
from referee.games.carcassonne_city.codes import event_of
from referee.games.carcassonne_city.components import TILE_IDS, FeatureKind
from referee.games.carcassonne_city.ending import finish
from referee.games.carcassonne_city.events import Ending, Event
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import part_of, put_follower
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import SIDE_NAMES, STEPS, cell_at, side_at, x_of, y_of
from referee.games.carcassonne_city.placing import lay_tile
from referee.games.carcassonne_city.setup import empty_table
from referee.games.carcassonne_city.state import (
    ENDINGS,
    NOTHING,
    State,
    do_next,
    node_of,
    number_at,
    piece_on,
)
from referee.games.carcassonne_city.steps import (
    ASK_FOLLOWER,
    ASK_TILE,
    ASK_TOWER,
    CHECK_END,
    SCORE_TILE,
    Step,
    step_name,
    step_of,
)
from referee.games.carcassonne_city.tiles import part_on_side
from referee.games.carcassonne_city.turns import play_on
from referee.games.carcassonne_city.walls import begin_wall_phase, raise_gate, raise_wall
from referee.rows import WORDS

TILE_NUMBERS = {name: number for number, name in enumerate(TILE_IDS)}
RED, BLUE, GREEN = range(3)
STREET, MARKET, RESIDENTIAL = FeatureKind

BOARD_K = (
    "P03@(0,0) r0, P01@(1,0) r0, P03@(3,0) r0, M01F@(4,0) r0, M08F@(0,1) r0, M08G@(1,1) r0, M08L@(2,1) r0, "
    "M10F@(3,1) r0, M10G@(4,1) r0"
)
WALLS_OF_X14 = (
    "cw (1,1,S)",
    "cw (0,1,S)",
    "cw (0,1,W)",
    "cw (0,0,W)",
    "ccw (3,1,S)",
    "ccw (4,1,S)",
    "ccw (4,1,E)",
    "ccw (4,0,E)",
)

LAID = re.compile(r"(\w+)@\((-?\d+),(-?\d+)\) r(\d)")
SIDE = re.compile(r"\((-?\d+),(-?\d+),([NESW])\)")


PER_SEAT = ("supply", "towers", "scores", "last_walls")
COUNTED = {
    "deck": "deck_count", "removed": "removed_count", "cells": "tile_count", "turned": "tile_count",
    "frontier": "frontier_count", "wall_sides": "wall_count", "wall_arms": "wall_count",
    "wall_builders": "wall_count", "wall_guards": "wall_count", "tower_seats": "tower_count",
    "tower_arms": "tower_count", "tower_places": "tower_count", "follower_seats": "follower_count",
    "agenda": "agenda_count",
}  # fmt: skip


class Row(MutableSequence[int]):
    """A row of a state as long as it is used, as a list that writes through; a counted one grows and shrinks."""

    def __init__(self, state: State, name: str) -> None:
        self.state, self.name = state, name

    def __len__(self) -> int:
        if self.name in COUNTED:
            return int(getattr(self.state, COUNTED[self.name]))
        return self.state.seats if self.name in PER_SEAT else len(getattr(self.state, self.name))

    def all(self) -> list[int]:
        return list(getattr(self.state, self.name)[: len(self)])

    def fill(self, numbers: Sequence[int]) -> None:
        if self.name in COUNTED:
            setattr(self.state, COUNTED[self.name], len(numbers))
        getattr(self.state, self.name)[: len(numbers)] = list(numbers)

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

    def __add__(self, other: Sequence[int]) -> list[int]:
        return [*self.all(), *other]

    def __radd__(self, other: Sequence[int]) -> list[int]:
        return [*other, *self.all()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, Row)) and self.all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self.all())


class Opened:
    """The rows of a state as lists, to read and to change; a prefix says which names they have in the state."""

    def __init__(self, state: State, prefix: str = "") -> None:
        object.__setattr__(self, "state", state)
        object.__setattr__(self, "prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        return Row(self.state, self.prefix + name)

    def __setattr__(self, name: str, numbers: Any) -> None:
        Row(self.state, self.prefix + name).fill(list(numbers))

    @property
    def tiles(self) -> list[int]:
        return [turned >> 2 for turned in self.turned]

    @property
    def rotations(self) -> list[int]:
        return [turned & 3 for turned in self.turned]

    @property
    def free_cells(self) -> list[int]:
        return [entry >> 8 for entry in self.frontier]

    @property
    def follower_nodes(self) -> list[int]:
        """As STRIDE * number of the tile + part."""
        nodes = list(self.state.follower_nodes)[: self.state.follower_count]
        return [self.state.part_numbers[node] for node in nodes]


def opened(state: State) -> Any:
    """The rows of a state as lists."""
    return Opened(state)


def wall_of(state: State) -> Any:
    """The rows about walls as lists: sides, arms, builders and guards."""
    return Opened(state, "wall_")


def ending_of(state: State) -> Ending | None:
    return None if state.ending == NOTHING else ENDINGS[state.ending]


def steps_of(state: State) -> list[str]:
    """The steps to come, the next one last."""
    return [step_name(step) for step in opened(state).agenda]


def root_of(state: State, number: int, part: int) -> int:
    """The feature of a part of a tile on the board."""
    return find(state, node_of(state, number, part))


def row(state: State, address: int) -> list[int]:
    """C9.2: the cells a guard on this side looks along, up to the first unoccupied one."""
    cells = [address >> 2]
    while number_at(state, cells[-1]) != NOTHING:
        cells.append(cells[-1] + STEPS[address + 2 & 3])
    return cells[:-1]


def has_piece(state: State, address: int) -> bool:
    return piece_on(state, address) > 0


def everything(state: State) -> list[object]:
    """All that a state holds of the board and its features, as far as it is used."""
    nodes = state.node_count
    rows = ("parents", "nexts", "sizes", "open_sides", "early_tiles", "late_tiles", "market_kinds", "crowds", "firsts")
    features = [list(getattr(state, name))[:nodes] for name in rows]
    return [state.perimeter, list(state.spots), list(state.pieces), *map(list, board_rows(state)), *features]


def board_rows(state: State) -> list[Row]:
    return [opened(state).turned, opened(state).cells, opened(state).frontier]


def told(rule: Callable[..., object], state: State, *more: Any) -> list[Event]:
    """Carry out a rule that tells events, and return them."""
    events: Any = module.Events()  # type: ignore[attr-defined]  # as that module has it, compiled or not
    rule(state, *more, events)
    words = list(events.words[: events.count * WORDS])
    return [event_of(words[at : at + WORDS], state.seats) for at in range(0, len(words), WORDS)]


def set_agenda(state: State, *steps: Step) -> None:
    """Let these be the steps to come, the next one last."""
    state.agenda_count = 0
    for step in steps:
        do_next(state, step)


def table(tiles: str, seats: int = 3, deck: str = "P03", copies: int = 30) -> State:
    """Return a state with these tiles on the board, laid so that the city always hangs together."""
    state = empty_table(seats, [TILE_NUMBERS[deck]] * copies)
    waiting = [(TILE_NUMBERS[name], cell_at(int(x), int(y)), int(turn)) for name, x, y, turn in LAID.findall(tiles)]
    while waiting:
        occupied = opened(state).cells
        number = next(
            number
            for number, (_, cell, _) in enumerate(waiting)
            if not occupied or any(cell + step in occupied for step in STEPS)
        )
        lay_tile(state, *waiting.pop(number))
    return state


def side(text: str) -> int:
    """Read a side address such as (2,1,S)."""
    found = SIDE.search(text)
    assert found
    x, y, letter = found.groups()
    return side_at(int(x), int(y), SIDE_NAMES.index(letter))


def name(address: int) -> str:
    """Write a side address such as (2,1,S)."""
    return f"({x_of(address >> 2)},{y_of(address >> 2)},{SIDE_NAMES[address & 3]})"


def stand(state: State, seat: int, kind: FeatureKind, x: int, y: int, index: int) -> None:
    """Put a follower of the seat on a feature."""
    number = number_at(state, cell_at(x, y))
    part = part_of(opened(state).tiles[number], kind, index)
    assert part is not None
    put_follower(state, seat, node_of(state, number, part))


def close_side(state: State, address: int) -> None:
    """C6.2: close the side of a street or market."""
    number = number_at(state, address >> 2)
    part = part_on_side(state.turned[number], address & 3)
    if part >= 0:
        state.open_sides[root_of(state, number, part)] -= 1


def gate(state: State, address: str) -> None:
    """Put up the gate, outside any wall phase."""
    raise_gate(state, side(address))
    close_side(state, side(address))


def walls(state: State, *built: str, seat: int = RED) -> None:
    """Build walls of the seat, each written as its arm and the side where it must come to stand."""
    for text in built:
        address = raise_wall(state, seat, 0 if text.startswith("cw") else 1)
        assert name(address) == name(side(text))
        close_side(state, address)


def guard(state: State, seat: int, address: str) -> None:
    """Put a guard of the seat on a wall."""
    wall_of(state).guards[wall_of(state).sides.index(side(address))] = seat
    state.supply[seat] -= 1


def turn_of(state: State, seat: int, drawn: str, regime: int = 1) -> State:
    """Let the seat hold this tile, about to lay it."""
    state.active, state.regime = seat, regime
    state.drawn = TILE_NUMBERS[drawn]
    set_agenda(state, *[step_of(kind, 0) for kind in (CHECK_END, SCORE_TILE, ASK_FOLLOWER, ASK_TILE)])
    return state


def lay(state: State, seat: int, tile: str, regime: int = 1) -> Sequence[Event]:
    """Let the seat lay a tile, written as in C16; its follower decision is open afterwards."""
    found = LAID.search(tile)
    assert found
    drawn, x, y, turn = found.groups()
    turn_of(state, seat, drawn, regime)
    return act(state, PlaceTile(int(x), int(y), int(turn)))


def act(state: State, action: Action) -> Sequence[Event]:
    """Let the deciding seat choose a legal action."""
    seat = GAME.pending(state)[0].seat
    assert action in GAME.legal_actions(state, seat)
    GAME.check(state, seat, action)
    return GAME.apply(state, {seat: action})


def wall_phase(state: State, trigger: int, regime: int = 2) -> State:
    """Let a wall phase begin after a scoring of the trigger."""
    state.active, state.regime = trigger, regime
    set_agenda(state, step_of(CHECK_END, 0))
    told(begin_wall_phase, state)
    told(play_on, state)
    return state


def tower_decision(state: State, trigger: int) -> State:
    """Let the trigger decide on a tower, all walls and guards of the phase standing."""
    state.active, state.regime = trigger, 2
    set_agenda(state, step_of(CHECK_END, 0), step_of(ASK_TOWER, 0))
    told(play_on, state)
    return state


def end_turn(state: State) -> list[Event]:
    """Let the present turn end."""
    set_agenda(state, step_of(CHECK_END, 0))
    return told(play_on, state)


def end_game(state: State) -> list[Event]:
    """End the game as it lies."""
    set_agenda(state)
    return told(finish, state, Ending.TILES_EXHAUSTED.value)


def options(state: State) -> list[Action]:
    """Return what the deciding seat may choose."""
    return list(GAME.legal_actions(state, GAME.pending(state)[0].seat))


def asked(state: State) -> tuple[int, str]:
    """Return who is asked what."""
    (decision,) = GAME.pending(state)
    return decision.seat, decision.kind
