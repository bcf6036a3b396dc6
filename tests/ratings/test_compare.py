"""9.12: A against B."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from ratings.compare import Terms, Verdict, compare, difference, slope


def test_9_12_a_tie_is_no_difference_and_a_better_place_is() -> None:
    assert difference((1, 1, 3), 0, 1) == 0
    assert difference((1, 2, 3), 0, 2) == -1440
    assert difference((2, 1, 3, 4), 3, 1) == 1440


def test_9_12_nothing_but_ties_is_not_better() -> None:
    """No difference and no variance: the floor keeps the ratio finite."""
    found = compare([(0, 0)] * 30, seats=2)
    assert (found.mean, found.variance, found.elo, found.los) == (0, 1e-6, 0, 0.5)
    assert found.verdict is Verdict.NOT_BETTER


def test_9_12_the_ratio_is_that_of_the_formula() -> None:
    blocks = [(1440, 0), (0, 0), (-1440, 1440), (1440, 1440)] * 10
    found = compare(blocks, seats=2)
    mean, variance = 0.375, 0.171875
    mu1 = 20 * log(10) / 1600 * 2
    assert (found.blocks, found.mean, found.variance) == (40, mean, variance)
    assert found.llr == pytest.approx(40 * mu1 * (2 * mean - mu1) / (2 * variance))
    assert found.elo == pytest.approx(mean / slope(2))
    assert found.error == pytest.approx(1.96 * (variance / 40) ** 0.5 / slope(2))
    # Games have the variance 0.484375 around the mean 0.375; two of them a block.
    assert found.block_gain == pytest.approx(0.484375 / 2 / variance)


def test_9_12_the_bounds_are_at_2_944() -> None:
    assert Terms().upper == pytest.approx(2.944, abs=1e-3)
    assert Terms().lower == pytest.approx(-2.944, abs=1e-3)


def test_9_12_nobody_looks_before_thirty_blocks() -> None:
    blocks = [(1440, 720), (720, 720)]
    assert compare(blocks * 14 + blocks[:1], seats=2).verdict is Verdict.GOING_ON
    assert compare(blocks * 15, seats=2).verdict is Verdict.BETTER
    assert compare([(-a, -b) for a, b in blocks] * 15, seats=2).verdict is Verdict.NOT_BETTER


def test_9_12_the_test_ends_inconclusive() -> None:
    terms = Terms(most_blocks=40)
    undecided = [(720, 720), (-720, -720), (720, 720), (-720, -720), (720, 720), (-720, -720), (0, 0), (144, 144)]
    found = compare(undecided * 4, seats=4, terms=terms)
    assert found.verdict is Verdict.GOING_ON
    assert compare(undecided * 5, seats=4, terms=terms).verdict is Verdict.INCONCLUSIVE


def test_9_12_one_elo_is_worth_its_slope_at_every_table() -> None:
    """Near equality the expected difference of points of two bots that differ by one Elo."""
    assert slope(2) == pytest.approx(2 * log(10) / 1600)
    assert slope(4) == pytest.approx(4 / 3 * log(10) / 1600)


def test_9_12_blocks_without_games_are_refused() -> None:
    for blocks in ([], [()]):
        with pytest.raises(ValueError, match=r"9\.12"):
            compare(blocks, seats=2)


@pytest.mark.parametrize(("elo", "wanted"), [(40, Verdict.BETTER), (-20, Verdict.NOT_BETTER)])
def test_9_12_the_test_finds_the_truth(elo: float, wanted: Verdict) -> None:
    """Two seats, single results drawn by the expectation; the verdict is right in most of the runs."""
    right = 0
    for seed in range(20):
        random = Random(seed)
        chance = 1 / (1 + 10 ** (-elo / 400))
        blocks: list[tuple[int, int]] = []
        verdict = Verdict.GOING_ON
        while verdict is Verdict.GOING_ON:
            blocks += [
                (1440 if random.random() < chance else -1440, 1440 if random.random() < chance else -1440)
                for _ in range(60)
            ]
            verdict = compare(blocks, seats=2).verdict
        right += verdict is wanted
    assert right >= 18
