"""T8: a small version of arena bench coverage: intervals of fits under the arena's own pairing, with fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from statistics import stdev
from unittest import mock

import numpy as np
import pytest

from arena.bench.coverage import (
    FIELDS,
    Cell,
    Tally,
    circle,
    error,
    field_verdict,
    outcomes,
    run,
    runaway_pools,
    total,
    verdicts,
)
from arena.plan.swiss import tables


@pytest.fixture(autouse=True)
def quick_pairing() -> Iterator[None]:
    """Pair with little annealing: what is measured here is the fit."""
    with mock.patch.object(tables, "anneal_effort", return_value=(1, 1024)):
        yield


@pytest.mark.parametrize(("cell", "tournaments"), [(Cell(24, 4, 1.0), 3), (Cell(24, 2, 1.0), 6)])
def test_T8_5_intervals_hold_the_truth_under_our_own_pairing(cell: Cell, tournaments: int) -> None:
    """The bounds are those of so few tournaments; the benchmark holds the narrow ones."""
    whole = total(tally for checks in run(cell, tournaments, checks=(10, 14)) for tally in checks.values())
    assert whole.intervals == 2 * 24 * tournaments
    assert 90 <= whole.coverage <= 99.5
    assert 0.8 <= whole.slope <= 1.2
    assert 88 <= whole.los <= 100
    assert 90 <= whole.place_coverage <= 100
    assert abs(whole.overrated) <= 40


@pytest.mark.parametrize("field", FIELDS)
def test_T18_3_every_kind_of_field_plays_a_default_tournament_with_lots(field: str) -> None:
    """One tournament of each: its intervals hold most of the truth, and every fourth of the learners learns."""
    cell = Cell(16, 2, 1.0, field=field)
    assert (cell.points_rounds, cell.checks) == (6, (12,))
    (found,) = run(cell, 1, seed=3)
    assert found[12].intervals == 16
    assert found[12].coverage >= 75
    asked, _, _ = field_verdict(Cell(30, 2, 1.0, field=field), [found[12]] * 2)
    assert asked.startswith(f"{field}, 2 seats: coverage")


def test_T18_3_a_field_outside_its_bounds_is_told() -> None:
    cell = Cell(30, 4, 1.0, field="normal")
    good = Tally(intervals=100, covered=95, places=100, places_covered=97)
    assert [field_verdict(cell, [each] * 3)[2] for each in (
        good, replace(good, covered=91), replace(good, covered=99), replace(good, places_covered=91)
    )] == [True, False, False, False]  # fmt: skip


def test_the_circle_of_three_groups_is_even_and_each_group_beats_the_next() -> None:
    assert circle(np.array([0, 1])).tolist() == [1, -1]
    assert circle(np.array([2, 0])).tolist() == [1, -1]
    assert circle(np.array([0, 1, 2, 3])).tolist() == [0, -1, 1, 0]


def test_T20_3_no_small_pool_runs_away() -> None:
    fits, rough, furthest = runaway_pools(12)
    assert fits == 12 * 8
    assert rough > 0
    assert furthest < 4000


def test_shared_luck_leaves_every_game_as_it_was_and_makes_games_agree() -> None:
    rng = np.random.default_rng(1)
    members = np.array([0.5, 0.0])
    own = [outcomes(members, 2, 0.0, rng) for _ in range(3000)]
    shared = [outcomes(members, 2, 0.5, rng) for _ in range(3000)]
    for games in (own, shared):
        assert np.mean([first == (1, 2) for first, _ in games]) == pytest.approx(1 / (1 + np.exp(-0.5)), abs=0.03)
    agree, agree_shared = (np.mean([first == second for first, second in games]) for games in (own, shared))
    assert agree_shared > agree + 0.08


def test_T18_3_a_missed_target_is_told() -> None:
    """Ratings twice too wide, with intervals half too narrow, miss what they should."""
    tally = Tally(
        intervals=100, covered=80, product=50.0, square=100.0, fits=1, top=60.0, error=1.0, claims=100, claims_true=80,
        places=100, places_covered=95,
    )  # fmt: skip
    found = {asked: is_held for asked, _, is_held in verdicts({Cell(24, 4, 1.0): [tally]})}
    assert list(found.values()) == [False, False, False, False, True, False, False]


def test_the_error_of_a_figure_comes_from_how_tournaments_differ() -> None:
    """Of means of equally many it is the standard error of the mean."""
    tallies = [Tally(intervals=50, covered=covered) for covered in (45, 46, 48, 50)]
    shares = [2.0 * tally.covered for tally in tallies]
    assert error(tallies, lambda tally: tally.coverage) == pytest.approx(stdev(shares) / sqrt(4))
