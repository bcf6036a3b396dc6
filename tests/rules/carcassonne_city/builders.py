"""Small named builders: a board as the examples of C16 write it, and a seat about to do something there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.agenda import Agenda
from referee.games.carcassonne_city.actions import Action, PlaceTile
from referee.games.carcassonne_city.components import STRIDE, TILE_IDS, FeatureKind
from referee.games.carcassonne_city.ending import finish
from referee.games.carcassonne_city.events import Ending, Event
from referee.games.carcassonne_city.followers import part_of, put_follower
from referee.games.carcassonne_city.game import GAME, advance
from referee.games.carcassonne_city.grid import SIDE_NAMES, STEPS, cell_at, side_at, x_of, y_of
from referee.games.carcassonne_city.placing import lay_tile
from referee.games.carcassonne_city.setup import empty_table
from referee.games.carcassonne_city.state import State
from referee.games.carcassonne_city.steps import TURN, AskTower, CheckEnd
from referee.games.carcassonne_city.walls import begin_wall_phase, close_sides, raise_gate, raise_wall

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


def table(tiles: str, seats: int = 3, deck: str = "P03", copies: int = 30) -> State:
    """Return a state with these tiles on the board, laid so that the city always hangs together."""
    state = empty_table(seats, [TILE_NUMBERS[deck]] * copies)
    waiting = [(TILE_NUMBERS[name], cell_at(int(x), int(y)), int(turn)) for name, x, y, turn in LAID.findall(tiles)]
    while waiting:
        occupied = state.board.cells
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
    number = state.board.numbers[cell_at(x, y)]
    part = part_of(state.board.tiles[number], kind, index)
    assert part is not None
    put_follower(state, seat, STRIDE * number + part)


def gate(state: State, address: str) -> None:
    """Put up the gate, outside any wall phase."""
    raise_gate(state, side(address))
    close_sides(state, [side(address)])


def walls(state: State, *built: str, seat: int = RED) -> None:
    """Build walls of the seat, each written as its arm and the side where it must come to stand."""
    for text in built:
        address = raise_wall(state, seat, 0 if text.startswith("cw") else 1)
        assert name(address) == name(side(text))
        close_sides(state, [address])


def guard(state: State, seat: int, address: str) -> None:
    """Put a guard of the seat on a wall."""
    state.wall.guards[state.wall.sides.index(side(address))] = seat
    state.supply[seat] -= 1


def turn_of(state: State, seat: int, drawn: str, regime: int = 1) -> State:
    """Let the seat hold this tile, about to lay it."""
    state.active, state.regime = seat, regime
    state.drawn = TILE_NUMBERS[drawn]
    state.agenda = Agenda([])
    state.agenda.then(*TURN[1:])
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
    state.agenda = Agenda([CheckEnd()])
    begin_wall_phase(state)
    advance(state)
    return state


def tower_decision(state: State, trigger: int) -> State:
    """Let the trigger decide on a tower, all walls and guards of the phase standing."""
    state.active, state.regime = trigger, 2
    state.agenda = Agenda([CheckEnd(), AskTower()])
    advance(state)
    return state


def end_turn(state: State) -> list[Event]:
    """Let the present turn end."""
    state.agenda = Agenda([CheckEnd()])
    return advance(state)


def end_game(state: State) -> list[Event]:
    """End the game as it lies."""
    state.agenda = Agenda([])
    return finish(state, Ending.TILES_EXHAUSTED)


def options(state: State) -> list[Action]:
    """Return what the deciding seat may choose."""
    return list(GAME.legal_actions(state, GAME.pending(state)[0].seat))


def asked(state: State) -> tuple[int, str]:
    """Return who is asked what."""
    (decision,) = GAME.pending(state)
    return decision.seat, decision.kind
