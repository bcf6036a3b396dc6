"""T14.2: the difference of points of a block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.points import UNIT, competition_places
from ratings.sequential.evidence import CountedBlock, block_by_seat


def test_T14_E5_the_worked_places_differ_by_720() -> None:
    """Places by seat 1234, 1224, 4113, 2143 with NEW in base seat 0, OLD in 1."""
    games = [[int(place) for place in text] for text in ("1234", "1224", "4113", "2143")]
    block = block_by_seat(("new", "old", "x", "y"), games)
    assert block.games[1] == (2, 2, 4, 1)
    assert block.difference("new", "old") == 720
    assert block.difference("old", "new") == -720
    assert block.pairs("new", "old") == (2, 1, 1)
    assert block.pairs("old", "new") == (1, 1, 2)


def test_T14_9_copies_count_with_half_the_sum_of_both() -> None:
    games = tuple((1, 4, 2, 3) for _ in range(4))
    block = CountedBlock(("new", "old", "new", "old"), games)
    assert block.difference("new", "old") == 4 * ((1440 + 960) - (0 + 480)) // 2
    assert block.pairs("new", "old") == (16, 0, 0), "every NEW before every OLD, four pairs a game"


def test_T19_2_a_block_that_lacks_a_rotation_is_no_evidence() -> None:
    block = CountedBlock(("a", "b", "c"), ((1, 2, 3), (1, 2, 3)))
    assert not block.is_complete
    with pytest.raises(ValueError, match=r"T19\.2: 2 of 3 rotations"):
        block.difference("a", "b")


def test_T14_2_both_must_have_sat_at_the_table() -> None:
    block = CountedBlock(("a", "b"), ((1, 2), (1, 2)))
    for pair in (("a", "c"), ("c", "a"), ("a", "a")):
        with pytest.raises(ValueError, match=r"T14\.2"):
            block.difference(*pair)


@given(
    st.integers(2, 5).flatmap(
        lambda k: st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=k, max_size=k)
    )
)
def test_T14_2_d_is_within_the_block_and_changes_sign_with_the_side(keys: list[list[int]]) -> None:
    seats = len(keys)
    bots = tuple("abcde"[:seats])
    block = block_by_seat(bots, [competition_places(game) for game in keys])
    found = block.difference("a", "b")
    assert -seats * UNIT <= found <= seats * UNIT
    assert block.difference("b", "a") == -found
