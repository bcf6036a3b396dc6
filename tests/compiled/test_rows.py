"""The words that rules on whole numbers are written with, as source."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any

import pytest

from referee.rng import Rng
from referee.rows import (
    IS_CHECKED,
    Dice,
    Events,
    Happened,
    Int,
    Listing,
    Shorts,
    Smalls,
    Struct,
    Word,
    bit_count,
    cloner,
    copy_part,
    count_of,
    index,
    next64,
    part,
    place_for,
    put,
    remembered,
    sort_part,
    total,
)

ROOM = 4


class Board(Struct):
    """A small state."""

    round: Int
    bits: Word
    counts: Annotated[Smalls, 2 * ROOM]
    tiles: Annotated[Shorts, ROOM]


copy_board = cloner(Board)


def test_all_fields_are_zero_unless_the_constructor_is_told_otherwise() -> None:
    board = Board(round=3, tiles=[7, 8])
    assert (board.round, board.bits, board.counts, board.tiles) == (3, 0, [0] * 8, [7, 8, 0, 0])


def test_a_copy_shares_nothing() -> None:
    board = Board(round=3, counts=[1])
    copy = copy_board(board)
    copy.counts[0], copy.round = 5, 4
    assert (board.counts[0], board.round, copy.counts[0], copy.round) == (1, 3, 5, 4)


def test_the_tests_run_with_rows_that_check() -> None:
    assert IS_CHECKED


@pytest.mark.parametrize("number", [128, -129, 1.5, None])
def test_a_row_refuses_a_number_that_does_not_fit(number: Any) -> None:
    board = Board()
    with pytest.raises(OverflowError, match="expected -128 to 127"):
        board.counts[1] = number
    with pytest.raises(OverflowError, match="expected -128 to 127"):
        Board(counts=[number])
    board.counts[1] = 127
    board.counts[1] += -255
    assert board.counts[1] == -128


@pytest.mark.parametrize("place", [-1, 8])
def test_a_row_refuses_a_place_outside_also_before_its_start(place: int) -> None:
    """In C, that would be another field."""
    board = Board()
    with pytest.raises(IndexError, match="expected 0 to 7"):
        board.counts[place] = 1
    with pytest.raises(IndexError, match="expected 0 to 7"):
        board.counts[place]


def test_a_row_keeps_its_place_and_its_length() -> None:
    board = Board()
    with pytest.raises(TypeError, match="counts: a row keeps its place"):
        board.counts = [1] * 8
    with pytest.raises(ValueError, match="keeps its length"):
        board.counts[:2] = [1, 2, 3]
    with pytest.raises(ValueError, match="tiles: 5 numbers; expected 4 at most"):
        Board(tiles=[1] * 5)


def test_a_field_refuses_a_number_that_does_not_fit() -> None:
    board = Board()
    with pytest.raises(OverflowError):
        board.round = 1 << 31
    with pytest.raises(OverflowError):
        board.bits = -1
    board.bits = (1 << 64) - 1
    with pytest.raises(AttributeError):
        board.rounds = 1  # type: ignore[attr-defined]  # just what is refused


def test_a_struct_refuses_a_field_without_a_width() -> None:
    with pytest.raises(TypeError, match="talers: a struct cannot hold"):

        class Wrong(Struct):
            talers: list[int]


def test_dice_fall_as_those_of_the_referee() -> None:
    dice, rng = Dice(word=77), Rng(77)
    assert [next64(dice) for _ in range(9)] == [rng.next64() for _ in range(9)]
    assert [index(dice, count) for count in range(1, 200)] == [rng.index(count) for count in range(1, 200)]


def test_a_listing_takes_options_one_by_one_and_from_a_table() -> None:
    listing = Listing()
    listing.add(5)
    listing.add_all([10, 11, 12, 13], 1, 3)
    assert part(listing.codes, 0, listing.count) == (5, 11, 12)


def test_numbers_are_put_from_the_start_or_from_a_place_on() -> None:
    row = [0] * 5
    put(row, (1, 2))
    put(row, [7, 8], 3)
    assert row == [1, 2, 0, 7, 8]


def test_a_part_of_a_row_is_sorted_and_the_rest_stays() -> None:
    board = Board(counts=[9, 3, 1, 2, 3, 0])
    sort_part(board.counts, 1, 5)
    assert board.counts == [9, 1, 2, 3, 3, 0, 0, 0]
    sort_part(board.counts, 5, 5)
    assert board.counts == [9, 1, 2, 3, 3, 0, 0, 0]


def test_events_are_made_when_they_are_read() -> None:
    events, made = Events(), []
    events.tell(3, 1, 2)
    events.tell(4)

    def make(words: Any, table: str) -> tuple[str, int]:
        made.append(words)
        return table, words[0]

    happened = Happened(part(events.words, 0, 24), make, "table")
    assert (len(happened), made) == (2, [])
    assert happened == [("table", 3), ("table", 4)]
    assert (happened[1], happened[:1], len(made)) == (("table", 4), [("table", 3)], 2)


def test_without_the_switch_rows_are_plain_lists() -> None:
    """At the speed of lists, and as quiet."""
    said = "from referee.rows import Listing; print(type(Listing().codes))"
    done = subprocess.run(
        [sys.executable, "-c", said], capture_output=True, text=True, check=True, env={"MEISTERSINGER_CHECKED": "0"}
    )
    assert done.stdout == "<class 'list'>\n"


@pytest.mark.parametrize(("start", "stop", "at"), [(1, 4, 0), (0, 3, 1), (2, 2, 0)])
def test_a_part_is_copied_within_its_own_row_as_it_was_before(start: int, stop: int, at: int) -> None:
    board = Board(tiles=[7, 8, 9, 10])
    expected = [7, 8, 9, 10]
    expected[at : at + stop - start] = expected[start:stop]
    copy_part(board.tiles, start, stop, board.tiles, at)
    assert board.tiles == expected


def test_the_place_for_a_number_in_an_ascending_row_is_looked_for_in_the_part_in_use() -> None:
    row = [3, 5, 5, 9, 0, 0]
    assert [place_for(row, 4, number) for number in (1, 3, 4, 5, 6, 10)] == [0, 0, 1, 1, 3, 4]


def test_the_bits_of_a_set_are_counted() -> None:
    assert [bit_count(word) for word in (0, 1, 6, (1 << 64) - 1)] == [0, 1, 2, 64]


def test_a_part_of_a_row_is_added_up_and_counted() -> None:
    board = Board(counts=[3, -1, 3, 0, 7])
    assert total(board.counts, 0, 5) == 12
    assert total(board.counts, 1, 3) == 2
    assert total(board.counts, 2, 2) == 0
    assert count_of(board.counts, 0, 5, 3) == 2
    assert count_of(board.counts, 1, 3, 3) == 1
    assert count_of(board.counts, 0, 2 * ROOM, 0) == 4


def test_a_listing_gets_what_was_offered_before_behind_what_it_has() -> None:
    asked = []

    def offer(first: int, step: int, listing: Listing) -> None:
        asked.append((first, step))
        for code in range(first, first + 3 * step, step):
            listing.add(code)

    offered = remembered(offer)
    for count in range(2):
        listing = Listing()
        listing.add(9)
        offered(1, 2, listing)
        offered(2, 1, listing)
        offered(1, 2, listing)
        assert listing.codes[: listing.count] == [9, 1, 3, 5, 2, 3, 4, 1, 3, 5], count
    assert asked == [(1, 2), (2, 1)]
