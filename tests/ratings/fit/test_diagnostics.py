"""T8: what the fit cannot say in one number a bot: seats, and pairs that do not fit."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from ratings.fit import seat_effects as seat_module
from ratings.fit.fit import ELO_PER_NAT, fit
from ratings.fit.intransitivity import intransitivity
from ratings.fit.seat_effects import seat_effects
from ratings.points.result import Result
from tests.ratings.fit.simulated_pools import name, simulated


def test_T20_10_seat_effects_are_found() -> None:
    rng = np.random.default_rng(5)
    bonus = (0.45, 0.15, -0.15, -0.45)
    results = simulated(rng.normal(0, 1, 20), 1500, 4, rng, seat_bonus=bonus)
    fitted = fit(results)
    anchored = fit(results, anchors={name(0): 1500.0})
    with mock.patch.object(seat_module, "MAX_DENSE", 10):
        approximate = seat_effects(results, fitted)
    for effects in (seat_effects(results, fitted), seat_effects(results, anchored), approximate):
        assert [(effect.seats, effect.seat) for effect in effects] == [(4, seat) for seat in range(4)]
        assert sum(effect.elo for effect in effects) == pytest.approx(0, abs=1e-6)
        for effect, true in zip(effects, bonus, strict=True):
            assert abs(effect.elo - true * ELO_PER_NAT) < 1.7 * effect.error
            assert effect.error < 15


def test_T8_11_seat_effects_of_a_single_match_stay_finite() -> None:
    once = [Result(("a", "b", "c"), (1, 2, 3))]
    assert all(abs(effect.elo) < 400 and 0 < effect.error < 1000 for effect in seat_effects(once, fit(once)))


def test_T8_11_every_table_size_has_its_own_seats() -> None:
    rng = np.random.default_rng(6)
    results = simulated(np.zeros(6), 60, 2, rng, seat_bonus=(1.0, 0.0)) + simulated(np.zeros(6), 60, 3, rng)
    effects = seat_effects(results, fit(results))
    assert [(effect.seats, effect.seat) for effect in effects] == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert effects[0].elo > 30 > abs(effects[2].elo)


def test_T8_12_pairs_that_do_not_fit_one_number_are_named() -> None:
    circle = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    results = [Result(pair, (1, 2)) for pair in circle] * 40 + [Result(pair, (2, 1)) for pair in circle] * 5
    found = intransitivity(results, fit(results))
    assert found.is_flagged
    assert found.pairs == 3
    assert [each.games for each in found.surprises] == [45, 45, 45]
    assert {frozenset((each.one, each.other)) for each in found.surprises} == set(map(frozenset, circle))
    # One number a bot says nothing: every z is (40 - 22.5)/sqrt(45/4), over one degree of freedom.
    z = 17.5 / np.sqrt(45 / 4)
    assert found.statistic == pytest.approx((3 * z**2 - 1) / np.sqrt(2), rel=1e-6)


def test_T8_12_a_pool_of_the_model_is_not_flagged() -> None:
    rng = np.random.default_rng(8)
    sound = simulated(rng.normal(0, 1, 12), 800, 4, rng)
    assert not intransitivity(sound, fit(sound)).is_flagged


def test_T8_12_pairs_with_fewer_than_eight_games_are_not_judged() -> None:
    results = [Result(("a", "b"), (1, 2))] * 8 + [Result(("b", "c"), (1, 2))] * 7
    assert intransitivity(results, fit(results)).pairs == 1
