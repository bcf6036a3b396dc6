"""Clones and fingerprints made from the declaration of a state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from struct import pack
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.agenda import Agenda
from referee.clone import Untold, cloner, digester, shared
from referee.fingerprint import fingerprint, rewritten, told
from referee.games import BUILT_IN, GAMES
from referee.playout import play, random_chooser
from referee.rng import Rng, seeded
from referee.values import fields_of, is_value_type


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
class Long:
    seat: int
    numbers: list[int]
    colour: Colour
    name: str
    players: list[Player]
    few: list[int]
    agenda: Agenda[Ask]
    rng: Rng


@dataclass(slots=True)
class Only:
    numbers: list[int]


@dataclass(slots=True)
class Strange:
    seen: set[int]


def a_state() -> State:
    board = Board(bytearray(b"ab"), [[1], [2, 3]], {4: 5})
    return State(Colour.RED, None, [Player("x", [6])], board, (7, 8), [Ask(0)], Agenda([Ask(1)]), Rng(9))


def a_long_state() -> Long:
    players = [Player("x", list(range(8))), Player("y", [])]
    return Long(3, list(range(20)), Colour.RED, "z", players, [1, 2], Agenda([Ask(1)]), Rng(9))


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


def test_an_exact_fingerprint_is_the_same_whatever_it_remembers_from_before() -> None:
    state, step_name = a_long_state(), lambda step: ("Ask", step.seat)
    exact, plain = digester(Long, step_name, exact=True), digester(Long, step_name)
    for place in range(20):
        assert exact(state) == exact(cloner(Long)(state)) == plain(state)
        state.numbers[place] += 1000
        state.players[place % 2].hand.insert(0, -place)
        state.agenda.push(Ask(place))
    assert len({exact(state), exact(a_long_state())}) == 2


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.integers()), st.lists(st.integers()), st.lists(st.integers()))
def test_a_list_that_grew_or_shrank_is_written_as_if_new(common: list[int], gone: list[int], come: list[int]) -> None:
    before, after = common + gone, common + come
    assert rewritten(before, repr(before), after) == repr(after)


BYTE = st.integers(-128, 127)
ROWS = st.sampled_from("bhi")


@settings(deadline=None)  # the machine may be busy
@given(ROWS, ROWS, st.lists(BYTE), st.lists(BYTE), st.lists(BYTE))
def test_a_row_as_bytes_is_written_as_its_list(
    early: str, late: str, common: list[int], gone: list[int], come: list[int]
) -> None:
    before, after = common + gone, common + come
    rows = packed_as(early, before), packed_as(late, after)
    assert rewritten(rows[0], repr(before), rows[1]) == repr(after)
    assert rewritten(before, repr(before), rows[1]) == repr(after) == rewritten(rows[0], repr(before), after)
    key = id(rows)
    assert [told(key, [1, row]) for row in rows] == [f"1, {before!r}", f"1, {after!r}"]


def packed_as(width: str, numbers: list[int]) -> bytes:
    """Return what compiled rules make of a row of this width."""
    return pack(f"{len(numbers)}{width}c", *numbers, width.encode())


def test_an_exact_fingerprint_of_one_field_is_that_of_a_tuple_of_one() -> None:
    assert digester(Only, exact=True)(Only([1] * 9)) == fingerprint([1] * 9)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_where_our_states_declare_integers_they_hold_no_bool(slug: str) -> None:
    """Or a fingerprint that remembers lists could take one for the other."""
    game = GAMES[slug]
    for seats, seed in ((game.table_sizes[0], 1), (game.table_sizes[-1], 2)):
        state = game.new(seats, seed, game.options({}))
        for number, _ in enumerate(play(game, state, random_chooser(seeded(seed)))):
            if number % 5 == 0:
                assert not list(bools_in(state))


def bools_in(value: Any) -> Iterator[str]:
    if not is_value_type(type(value)):  # a record of numbers; one that is compiled can hold nothing else
        for field in getattr(type(value), "fields", ()):
            held = getattr(value, field.name)
            yield from (field.name for each in (held if field.size else [held]) if type(each) is not int)
        return
    for field in fields_of(type(value)):
        held = getattr(value, field.name)
        if is_value_type(type(held)):
            yield from bools_in(held)
        elif isinstance(held, list | tuple):
            for each in held:
                if is_value_type(type(each)):
                    yield from bools_in(each)
                elif int in get_args(field.hint) and type(each) is not int:
                    yield field.name
        elif field.hint is int and type(held) is not int:
            yield field.name


def test_what_cannot_be_copied_is_refused_when_the_game_is_loaded() -> None:
    with pytest.raises(TypeError, match="set"):
        cloner(Strange)
