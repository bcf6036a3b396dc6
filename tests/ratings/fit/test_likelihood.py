"""T8: the likelihood, its derivatives and Newton's method on it."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.fit.likelihood import Likelihood
from ratings.fit.newton import Descent, FitError
from ratings.fit.posterior import Posterior
from ratings.fit.prior import Prior
from ratings.fit.seat_effects import SeatPoint
from ratings.points.finishes import SEAT_CLASSES, Finish, Floats, Played, played
from ratings.points.result import Result
from tests.ratings.fit.simulated_pools import name, simulated, small_pools

ELO = 400 / log(10)


def naive_value(results: list[Result], strengths: dict[str, float]) -> float:
    """T8's formula, word for word: minus the log-likelihood."""
    total = 0.0
    for each in results:
        for place in sorted(set(each.places)):
            group = [bot for bot, own in zip(each.bots, each.places, strict=True) if own == place]
            below = [bot for bot, own in zip(each.bots, each.places, strict=True) if own > place]
            total += sum(strengths[bot] for bot in group)
            for size in range(1, len(group) + 1):
                for subset in combinations(group, size):
                    weight = sum(np.exp(strengths[bot]) for bot in (*subset, *below))
                    total -= log(weight) / comb(len(group), size)
    return -total


@settings(max_examples=40, deadline=None)
@given(small_pools(), st.integers(0, 1000), st.booleans())
def test_T8_1_the_likelihood_is_the_formula_and_its_derivatives_are_right(
    pool: list[Result], seed: int, by_match: bool
) -> None:
    whole = played(pool)
    size = len(whole.bots)
    likelihood = Likelihood.of(whole.finishes, size, by_match=by_match)
    values = np.random.default_rng(seed).normal(0, 1, size)
    point = likelihood.at(values)
    assert point.value == pytest.approx(naive_value(pool, dict(zip(whole.bots, values.tolist(), strict=True))))
    hessian = point.hessian()
    assert hessian.sum(axis=1) == pytest.approx(np.zeros(size), abs=1e-9)
    assert point.diagonal() == pytest.approx(np.diag(hessian), abs=1e-12)
    step = 1e-5
    for at in range(size):
        nudge = np.zeros(size)
        nudge[at] = step
        above, under = likelihood.at(values + nudge), likelihood.at(values - nudge)
        assert point.gradient[at] == pytest.approx((above.value - under.value) / (2 * step), abs=1e-6)
        assert hessian[at] == pytest.approx((above.gradient - under.gradient) / (2 * step), abs=1e-6)
        assert point.hessian_times(nudge / step) == pytest.approx(hessian[at], abs=1e-12)


@pytest.mark.parametrize("spread", [1.0, 100.0, 2000.0])
def test_T8_3_sets_kept_by_match_or_merged_are_the_same_likelihood(spread: float) -> None:
    """Near and far apart, where e^x of the weaker vanishes beside the stronger."""
    rng = np.random.default_rng(5)
    whole = played(simulated(rng.normal(0, 1, 9), 60, 4, rng) + simulated(rng.normal(0, 1, 9), 60, 3, rng))
    values, root = rng.normal(0, spread, 9), rng.normal(0, 1, (9, 9))
    together, apart = (Likelihood.of(whole.finishes, 9, by_match=by_match).at(values) for by_match in (True, False))
    assert together.value == pytest.approx(apart.value, rel=1e-12)
    assert together.gradient == pytest.approx(apart.gradient, abs=1e-10)
    assert together.hessian() == pytest.approx(apart.hessian(), abs=1e-10)
    assert together.third_order(root @ root.T) == pytest.approx(apart.third_order(root @ root.T), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(small_pools(), st.integers(0, 1000), st.booleans())
def test_T8_4_the_third_order_vector_is_how_the_hessian_against_v_changes(
    pool: list[Result], seed: int, by_match: bool
) -> None:
    """t_j is the derivative of trace(H V) by theta_j, for V that knows differences only."""
    whole = played(pool)
    size = len(whole.bots)
    rng = np.random.default_rng(seed)
    likelihood = Likelihood.of(whole.finishes, size, by_match=by_match)
    values = rng.normal(0, 1, size)
    root = rng.normal(0, 1, (size, size))
    covariance = root @ root.T
    third = likelihood.at(values).third_order(covariance)
    step = 1e-5
    for at in range(size):
        nudge = np.zeros(size)
        nudge[at] = step
        above, under = (likelihood.at(values + side * nudge).hessian() for side in (1, -1))
        assert third[at] == pytest.approx(float(((above - under) * covariance).sum()) / (2 * step), abs=1e-5)


@settings(max_examples=20, deadline=None)
@given(small_pools(), st.integers(0, 1000))
def test_T8_11_seat_effects_have_the_right_derivatives_too(pool: list[Result], seed: int) -> None:
    whole = played(pool)
    values = np.random.default_rng(seed).normal(0, 1, len(whole.bots) + SEAT_CLASSES)
    point = SeatPoint(whole, values)
    hessian = point.hessian()
    step = 1e-5
    for at in range(len(values)):
        nudge = np.zeros(len(values))
        nudge[at] = step
        above, under = SeatPoint(whole, values + nudge), SeatPoint(whole, values - nudge)
        assert point.gradient[at] == pytest.approx((above.value - under.value) / (2 * step), abs=1e-6)
        assert hessian[at] == pytest.approx((above.gradient - under.gradient) / (2 * step), abs=1e-6)


def test_T8_1_strengths_a_thousand_nat_apart_have_a_likelihood() -> None:
    whole = played([Result(("a", "b", "c"), (1, 2, 3)), Result(("b", "c"), (2, 1))])
    point = Likelihood.of(whole.finishes, 3).at(np.array([1000.0, 1.0, 0.0]))
    assert point.value == pytest.approx(log(1 + np.exp(-1)) + log(1 + np.exp(1)))
    assert np.isfinite(point.hessian()).all()


def mode(whole: Played, precision: float) -> Floats:
    """The inner fit for a given prior."""
    likelihood = Likelihood.of(whole.finishes, len(whole.bots))
    posterior = Posterior(likelihood, Prior.of(whole.bots, {}), np.zeros(len(whole.bots)), whole.matches_per_bot)
    return posterior.mode(-log(precision) / 2, 1.0).point.values


def test_T8_4_the_mode_for_a_given_prior_agrees_with_choix() -> None:
    rng = np.random.default_rng(1)
    results = simulated(rng.normal(0, 1, 10), 100, 4, rng)
    whole = played(results)
    index = {bot: at for at, bot in enumerate(whole.bots)}
    rankings = [tuple(index[bot] for _, bot in sorted(zip(each.places, each.bots, strict=True))) for each in results]
    # Its penalty is alpha * x^2 where a prior of precision 1/2 asks for x^2 / 4.
    theirs = choix.opt_rankings(10, rankings, alpha=1 / 4, tol=1e-12)
    assert np.abs(mode(whole, 1 / 2) - (theirs - theirs.mean())).max() * ELO < 1e-3


def half_draw_fit(wins: Floats, precision: float) -> Floats:
    """Bradley-Terry by plain gradient steps; `wins` counts draws as half for both."""
    strengths = np.zeros(len(wins))
    games = wins + wins.T
    for _ in range(20_000):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - games * chances).sum(axis=1) - strengths * precision
        strengths = strengths + gradient / (games.sum(axis=1) / 2 + precision)
        if np.abs(gradient).max() < 1e-11:
            break
    return strengths


def test_T8_4_the_mode_for_a_given_prior_agrees_with_a_half_draw_bradley_terry_fit() -> None:
    rng = np.random.default_rng(2)
    wins = np.zeros((12, 12))
    results = []
    for _ in range(600):
        one, other = (int(at) for at in rng.choice(12, 2, replace=False))
        outcome = int(rng.integers(0, 3)) if abs(one - other) < 6 else 2 * (one < other)
        places = {0: (2, 1), 1: (1, 1), 2: (1, 2)}[int(outcome)]
        results.append(Result((name(one), name(other)), places))
        wins[one, other] += outcome / 2
        wins[other, one] += 1 - outcome / 2
    found = half_draw_fit(wins, 1 / 4)
    assert np.abs(mode(played(results), 1 / 4) - (found - found.mean())).max() * ELO < 1e-3


def season(seed: int) -> Played:
    """36 races of 43 cars among 87 drivers, most of whom rarely start: the shape of a motor sport season."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, 87)
    chance = np.where(np.arange(87) < 35, 50.0, 1.0)
    races = []
    for _ in range(36):
        cars = rng.choice(87, 43, replace=False, p=chance / chance.sum())
        races.append(cars[np.argsort(rng.exponential(1, 43) / np.exp(truth[cars]))])
    bots = np.ascontiguousarray(np.array(races, dtype=np.int64).T)
    finish = Finish(tuple(range(1, 44)), bots, np.zeros_like(bots), np.arange(36))
    return Played(tuple(map(name, range(87))), (finish,), 36, np.bincount(bots.ravel(), minlength=87))


@pytest.mark.parametrize("seed", [0, 3])
def test_T8_6_newton_never_steps_uphill_with_a_vanishing_prior(seed: int) -> None:
    """Judged by the gradient alone, steps of these seasons lead to 4069.0 and 49007.1 and the fit ends there."""
    whole = season(seed)
    found = mode(whole, 1e-9)
    point = Likelihood.of(whole.finishes, 87).at(found)
    # The function is convex: where the gradient vanishes is its only minimum.
    assert np.abs(point.gradient).max() < 1e-6
    assert point.value == pytest.approx({0: 3979.24677, 3: 3878.54741}[seed], abs=1e-4)


class Slope:
    """A function that falls without end, and lies about its steps."""

    def __init__(self, values: Floats, direction: float) -> None:
        self.values = values
        self.direction = direction
        self.value = -float(values[0])
        self.gradient = np.array([-1.0])

    def step(self) -> Floats:
        return np.array([-self.direction])


def test_T8_6_newton_without_an_end_is_an_error() -> None:
    with pytest.raises(FitError, match="no convergence"):
        Descent(lambda at: Slope(at, 1.0), lambda here, step: here.values - step).minimise(np.zeros(1), 1e-8)


def test_T8_6_a_direction_in_which_nothing_falls_is_an_error() -> None:
    flat = Descent(lambda at: Slope(np.zeros(1), 1.0), lambda here, step: here.values - step)
    with pytest.raises(FitError, match="no step"):
        flat.minimise(np.zeros(1), 1e-8)
