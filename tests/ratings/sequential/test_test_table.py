"""T14.1: who sits at the table of a test."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from ratings.sequential.test_table import block_seating, check_fillers, copies_of, default_fillers, seated_bot

FILLERS = ("f1", "f2", "f3", "f4")


def key(what: str, block: int, bot: str) -> bytes:
    return sha256(f"{what}|id|{block}|{bot}".encode()).digest()


def test_T14_1_fillers_and_seats_are_drawn_by_their_keys() -> None:
    for block in range(1, 30):
        fillers = sorted(FILLERS, key=lambda bot: key("fill", block, bot))[:2]
        expected = sorted(("new", "old", *fillers), key=lambda bot: key("seat", block, bot))
        assert list(block_seating("id", block, "new", "old", FILLERS, 4)) == expected
        assert block_seating("id", block, "new", "old", FILLERS[::-1], 4) == tuple(expected)


def test_T14_1_every_order_of_the_two_comes_up() -> None:
    """Rotation alone does not balance who sits behind whom."""
    gaps: Counter[int] = Counter()
    for block in range(1, 601):
        seating = block_seating("id", block, "new", "old", FILLERS, 4)
        gaps[(seating.index("old") - seating.index("new")) % 4] += 1
    assert sorted(gaps) == [1, 2, 3]
    assert min(gaps.values()) > 150


def test_T19_7_copies_are_told_apart_in_the_keys() -> None:
    assert copies_of("ab", 1) == ("ab",)
    assert copies_of("ab", 2) == ("ab#1", "ab#2")
    for block in range(1, 20):
        seating = block_seating("id", block, "new", "old", FILLERS, 5, copies=2)
        assert {"new#1", "new#2", "old#1", "old#2"} < set(seating)
        assert Counter(map(seated_bot, seating)).most_common(2) in (
            [("new", 2), ("old", 2)],
            [("old", 2), ("new", 2)],
        )
        assert list(seating) == sorted(seating, key=lambda bot: key("seat", block, bot))


def test_T14_1_a_table_of_two_needs_no_fillers() -> None:
    assert set(block_seating("id", 1, "new", "old", (), 2)) == {"new", "old"}
    assert default_fillers("new", "old", {}, (), 2) == ()
    assert default_fillers("new", "old", {}, (), 4, copies=2) == ()


def test_T14_1_the_default_fillers_are_the_six_nearest_within_200_elo() -> None:
    ratings = {"old": 1_500_000, "new": 1_510_000, "far": 1_700_001, "edge": 1_300_000}
    ratings |= {f"b{number}": 1_500_000 + 1000 * number for number in range(5)}
    assert default_fillers("new", "old", ratings, (), 4) == ("b0", "b1", "b2", "b3", "b4", "edge")
    ratings["c0"] = 1_499_000
    assert default_fillers("new", "old", ratings, (), 4) == ("b0", "b1", "c0", "b2", "b3", "b4")


def test_T19_9_house_bots_fill_up_what_is_missing() -> None:
    ratings = {"old": 1_500_000, "near": 1_400_000, "far": 1_000_000}
    assert default_fillers("new", "old", ratings, ("random", "greedy"), 4) == ("near", "greedy")
    assert default_fillers("new", "old", {}, ("random", "greedy"), 4) == ("greedy", "random")
    assert default_fillers("new", "greedy", {"greedy": 1}, ("random", "greedy"), 3) == ("random",)
    with pytest.raises(ValueError, match=r"T19\.9: a table of 5 needs 3 other bots, but only 2 "):
        default_fillers("new", "old", {}, ("random", "greedy"), 5)


def test_T14_1_fillers_named_by_hand_are_checked() -> None:
    check_fillers("new", "old", FILLERS, 4)
    for fillers, what in ((("a", "a"), "twice"), (("a", "old"), "own table"), (("a",), "needs 2 fillers, not 1")):
        with pytest.raises(ValueError, match=what):
            check_fillers("new", "old", fillers, 4)
    with pytest.raises(ValueError, match="needs 2 fillers"):
        block_seating("id", 1, "new", "old", ("a",), 4)
    with pytest.raises(ValueError, match="only copies may sit twice"):
        block_seating("id", 1, "new", "old", ("new", "a"), 4)
