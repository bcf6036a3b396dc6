"""T15: who is better, and how sure are we? And what stands of T12."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.points import UNIT
from ratings.sequential.compare import (
    GRID,
    Interval,
    Leader,
    block_gain,
    certainty,
    compare,
    e_value_curve,
    interval_at_any_look,
    max_log_e_value,
    one_look_los,
    slope,
    sure_tenths,
    watched_half_width,
)
from ratings.sequential.e_values import DOWN, UP, _log_e_value_by_decimals, log_e_value, mirrored

WORKED = (1920, -960, 2880) * 40


def e_value_of(differences: Sequence[int], seats: int, mean: float, side: int) -> float:
    """T15.2 as it is written: ln K."""
    total = 0.0
    for j in range(5):
        product = 1.0
        for difference in differences:
            product *= 1 + side * 0.9 / 2**j * (difference / (seats * UNIT) - mean) / (1 + abs(mean))
        total += product / 5
    return log(total)


def test_T15_E6_the_worked_blocks() -> None:
    found = compare(WORKED, 4)
    assert found.interval == Interval(1349, 3106)
    assert (found.lower_elo_tenths, found.upper_elo_tenths) == (709, 1697)
    assert (found.certainty.for_a, found.certainty.leader, found.certainty.sure) == (17_247_176, Leader.A, 999)
    assert found.mean == pytest.approx(2 / 9)
    assert (found.blocks, found.seats, found.total) == (120, 4, 40 * 3840)


def test_T19_1_a_is_new_and_b_is_old() -> None:
    found, turned = compare(WORKED, 4), compare([-difference for difference in WORKED], 4)
    assert turned.interval == Interval(-3106, -1349)
    assert (turned.certainty.leader, turned.certainty.sure) == (Leader.B, 999)
    assert turned.certainty.for_b == found.certainty.for_a
    assert turned.elo_tenths == -(found.elo_tenths or 0)


def test_T15_3_without_a_block_nothing_is_ruled_out() -> None:
    found = compare([], 3)
    assert found.interval == Interval(-GRID, GRID)
    assert (found.elo_tenths, found.lower_elo_tenths, found.upper_elo_tenths) == (None, None, None)
    assert found.certainty.leader is Leader.NOBODY
    assert found.certainty.sure == 0


def test_T15_3_who_always_wins_has_no_upper_end() -> None:
    found = compare([4 * UNIT] * 50, 4)
    assert found.interval.upper == GRID
    assert found.elo_tenths is found.upper_elo_tenths is None
    assert found.lower_elo_tenths is not None
    assert found.lower_elo_tenths > 4000


def test_T19_3_sure_is_of_the_best_look_and_not_of_the_last() -> None:
    rise, fall = [1920] * 60, [-1920] * 60
    once, later = certainty(rise, 4), certainty(rise + fall, 4)
    assert later.for_a == once.for_a == max(log_e_value(Counter((4, 1920) for _ in range(n)), UP) for n in range(61))
    assert later.leader is Leader.A
    assert later.sure == once.sure == 999


def test_T19_3_equal_evidence_has_no_leader() -> None:
    found = certainty([0] * 100, 4)
    assert (found.for_a, found.for_b, found.leader, found.sure) == (0, 0, Leader.NOBODY, 0)


def test_T15_4_sure_is_rounded_down() -> None:
    """e = 2 is no certainty at all, e = 40 is 95 %, e = 40 less a millionth is not."""
    assert [sure_tenths(e) for e in (0, 693_147, 3_688_879, 3_688_880, 30_000_000)] == [0, 0, 949, 950, 999]


def test_T15_5_the_interval_of_the_model_that_may_be_watched() -> None:
    for error in (0.02, 0.1, 0.5):
        expected = error * sqrt((1 + 8.4 * error**2) * log((1 + 1 / (8.4 * error**2)) / 0.05**2))
        assert watched_half_width(error) == pytest.approx(expected)
        assert watched_half_width(error) > 1.5 * 1.96 * error


blocks_of_four = st.lists(st.integers(-24, 24).map(lambda number: 240 * number), max_size=40)


@given(blocks_of_four, st.sampled_from([UP, DOWN]), st.integers(-9, 9))
def test_T15_2_an_e_value_is_that_of_the_clause(differences: list[int], side: int, tenth: int) -> None:
    found = log_e_value(Counter((4, each) for each in differences), side, {4: 100_000 * tenth})
    expected = 1e6 * e_value_of(differences, 4, tenth / 10, side)
    assert found <= expected + 1e-3
    assert found > expected - 1 - 1e-3


@given(st.lists(st.tuples(st.integers(2, 5), st.integers(-2880, 2880)), max_size=30), st.sampled_from([UP, DOWN]))
def test_T15_2_floats_and_decimals_round_alike(blocks: list[tuple[int, int]], side: int) -> None:
    counts = Counter(blocks)
    means = {2: 1, 3: -250_000, 4: 38_350, 5: 999_999}
    assert log_e_value(counts, side, means) == _log_e_value_by_decimals(counts, side, means)


@given(blocks_of_four, st.randoms())
def test_T15_2_the_order_of_the_blocks_does_not_matter(differences: list[int], random: Random) -> None:
    shuffled = list(differences)
    random.shuffle(shuffled)
    assert interval_at_any_look(shuffled, 4) == interval_at_any_look(differences, 4)
    assert log_e_value(Counter((4, d) for d in shuffled), UP) == log_e_value(Counter((4, d) for d in differences), UP)


@given(blocks_of_four, st.integers(-10_000, 9_999))
def test_T15_3_an_e_value_is_monotone_in_the_mean(differences: list[int], mean: int) -> None:
    counts = Counter((4, difference) for difference in differences)
    low, high = {4: 100 * mean}, {4: 100 * (mean + 1)}
    assert log_e_value(counts, UP, low) >= log_e_value(counts, UP, high)
    assert log_e_value(counts, DOWN, low) <= log_e_value(counts, DOWN, high)


@given(blocks_of_four)
def test_T15_3_the_ends_are_the_last_that_are_ruled_out(differences: list[int]) -> None:
    found = interval_at_any_look(differences, 4)
    counts, bound = Counter((4, difference) for difference in differences), 3_688_880
    assert found.lower <= found.upper
    if found.lower > -GRID:
        assert log_e_value(counts, UP, {4: 100 * found.lower}) >= bound
    assert log_e_value(counts, UP, {4: 100 * (found.lower + 1)}) < bound
    if found.upper < GRID:
        assert log_e_value(counts, DOWN, {4: 100 * found.upper}) >= bound
    assert log_e_value(counts, DOWN, {4: 100 * (found.upper - 1)}) < bound


@given(blocks_of_four)
def test_T15_3_a_smaller_error_makes_the_interval_no_narrower(differences: list[int]) -> None:
    wide, narrow = (interval_at_any_look(differences, 4, alpha) for alpha in (Decimal("0.01"), Decimal("0.2")))
    assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper


@given(blocks_of_four, st.sampled_from([UP, DOWN]))
def test_T19_3_the_largest_e_value_is_that_of_the_best_look(differences: list[int], side: int) -> None:
    looks = [log_e_value(Counter((4, d) for d in differences[:look]), side) for look in range(len(differences) + 1)]
    assert max_log_e_value(differences, 4, side) == max(looks)
    curve = e_value_curve(differences, 4, side)
    assert len(curve) == len(looks)
    assert all(look <= value + 1e-3 and look > value - 1 - 1e-3 for look, value in zip(looks, curve, strict=True))


@given(blocks_of_four, st.integers(-9, 9))
def test_T16_1_the_two_sides_mirror_each_other(differences: list[int], tenth: int) -> None:
    counts = Counter((4, difference) for difference in differences)
    up, down = {4: 100_000 * tenth}, {4: -100_000 * tenth}
    assert log_e_value(counts, UP, up) == log_e_value(mirrored(counts), DOWN, down)


def test_T12_one_elo_is_worth_its_slope_at_every_table() -> None:
    """Near equality the expected difference of points of two bots that differ by one Elo."""
    assert slope(2) == pytest.approx(2 * log(10) / 1600)
    assert slope(4) == pytest.approx(4 / 3 * log(10) / 1600)


def test_T12_the_block_gain_is_that_of_the_formula() -> None:
    """Games have the variance 0.484375 around the mean 0.375; two of them a block."""
    blocks = [(1440, 0), (0, 0), (-1440, 1440), (1440, 1440)] * 10
    assert block_gain(blocks) == pytest.approx(0.484375 / 2 / 0.171875)
    for nothing in ([], [()]):
        with pytest.raises(ValueError, match=r"T12"):
            block_gain(nothing)


def test_T12_the_likelihood_at_one_look() -> None:
    assert one_look_los([0.0] * 30) == 0.5
    assert one_look_los([0.5, 0.0, 0.0, 1.0] * 10) == pytest.approx(0.99999999, abs=1e-6)
    assert one_look_los([-0.5, 0.0, 0.0, 0.6]) == pytest.approx(0.548, abs=0.02)
