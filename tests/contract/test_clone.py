"""Clones and fingerprints made from the declaration of a state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pytest

from referee.agenda import Agenda
from referee.clone import Untold, cloner, digester, fingerprint, shared
from referee.rng import Rng


class Colour(Enum):
    RED = 0


@dataclass(frozen=True, slots=True)
class Ask:
    seat: int


@dataclass(slots=True)
class Player:
    name: str
    hand: list[int]


@dataclass(slots=True)
class Board:
    cells: bytearray
    rows: list[list[int]]
    index: Untold[dict[int, int]]


@dataclass(slots=True)
class State:
    colour: Colour
    winner: Colour | None
    players: list[Player]
    board: Board
    pair: tuple[int, ...]
    memory: Untold[list[Ask]]
    agenda: Agenda[Ask]
    rng: Rng


@dataclass(slots=True)
class Strange:
    seen: set[int]


def a_state() -> State:
    board = Board(bytearray(b"ab"), [[1], [2, 3]], {4: 5})
    return State(Colour.RED, None, [Player("x", [6])], board, (7, 8), [Ask(0)], Agenda([Ask(1)]), Rng(9))


def test_a_clone_is_equal_and_shares_nothing() -> None:
    state = a_state()
    twin = cloner(State)(state)
    assert shared(state, twin) is None
    assert (twin.colour, twin.winner, twin.players, twin.board) == (state.colour, None, state.players, state.board)
    assert (twin.pair, twin.memory, twin.agenda.steps, twin.rng.word) == ((7, 8), [Ask(0)], [Ask(1)], 9)
    twin.board.rows[1].append(10)
    twin.players[0].hand.clear()
    assert state.board.rows == [[1], [2, 3]]
    assert state.players[0].hand == [6]


def test_a_fingerprint_takes_every_field_in_order_but_those_untold() -> None:
    state = a_state()
    digest = digester(State, lambda step: ("Ask", step.seat))
    expected = ("RED", None, [("x", [6])], state.board.cells, [[1], [2, 3]], (7, 8), [("Ask", 1)], 9)
    assert digest(state) == fingerprint(*expected)
    state.board.index[1] = 1
    state.memory.clear()
    assert digest(state) == fingerprint(*expected)
    state.winner = Colour.RED
    assert digest(state) == fingerprint("RED", "RED", *expected[2:])


def test_what_cannot_be_copied_is_refused_when_the_game_is_loaded() -> None:
    with pytest.raises(TypeError, match="set"):
        cloner(Strange)
