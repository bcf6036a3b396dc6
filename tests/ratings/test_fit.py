"""9.8: the fitted rating."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, log
from unittest import mock

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings import fit as fit_module
from ratings import ledger
from ratings.audit import audit
from ratings.fit import (
    ELO_PER_NAT,
    ErrorSource,
    FittedRating,
    fit,
    intransitivity,
    normal,
    overall_rating,
    refit,
    seat_effects,
)
from ratings.likelihood import Floats, Likelihood, finishes
from ratings.points import competition_places
from ratings.result import Result
from tests.ratings.small_ledger import BOTS, POOL, fixture, result, small_ledger


def name(number: int) -> str:
    return f"bot{number:03d}"


def simulated(
    strengths: Floats, matches: int, seats: int, rng: np.random.Generator, seat_bonus: Sequence[float] = ()
) -> list[Result]:
    """Matches at random tables whose outcomes follow the model."""
    results = []
    for _ in range(matches):
        chosen = rng.choice(len(strengths), seats, replace=False)
        bonus = np.array(seat_bonus) if len(seat_bonus) else np.zeros(seats)
        clocks = rng.exponential(1, seats) / np.exp(strengths[chosen] + bonus)
        places = competition_places([int(clock * 10**12) for clock in clocks])
        results.append(Result(tuple(name(int(at)) for at in chosen), places))
    return results


def naive_value(results: Sequence[Result], strengths: dict[str, float]) -> float:
    """9.8's formula, word for word: minus the log-likelihood."""
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


@st.composite
def small_pools(draw: st.DrawFn) -> list[Result]:
    results = []
    for _ in range(draw(st.integers(1, 6))):
        bots = draw(st.permutations([name(number) for number in range(6)]))[: draw(st.integers(2, 5))]
        keys = draw(st.lists(st.integers(0, 2), min_size=len(bots), max_size=len(bots)))
        results.append(Result(tuple(bots), competition_places(keys)))
    return results


@settings(max_examples=40, deadline=None)
@given(small_pools(), st.integers(0, 1000))
def test_9_8_the_likelihood_is_the_formula_and_its_derivatives_are_right(pool: list[Result], seed: int) -> None:
    bots = [name(number) for number in range(6)]
    index = {bot: at for at, bot in enumerate(bots)}
    likelihood = Likelihood(finishes(pool, index), 6, has_seats=False)
    values = np.random.default_rng(seed).normal(0, 1, 6)
    value, gradient = likelihood.value_and_gradient(values)
    assert value == pytest.approx(naive_value(pool, dict(zip(bots, values.tolist(), strict=True))))
    hessian = likelihood.hessian(values)
    step = 1e-5
    for at in range(6):
        nudge = np.zeros(6)
        nudge[at] = step
        (above, slope_above), (under, slope_under) = (
            likelihood.value_and_gradient(values + nudge),
            likelihood.value_and_gradient(values - nudge),
        )
        assert gradient[at] == pytest.approx((above - under) / (2 * step), abs=1e-6)
        assert hessian[at] == pytest.approx((slope_above - slope_under) / (2 * step), abs=1e-6)
        assert likelihood.hessian_times(values, nudge / step) == pytest.approx(hessian[at])
    assert likelihood.diagonal(values) == pytest.approx(np.diag(hessian))


def test_9_8_bots_that_only_tie_are_equal() -> None:
    fitted = fit([Result(("a", "b", "c", "d", "e"), (1, 1, 1, 1, 1))] * 7)
    assert [line.rating for line in fitted.ratings()] == [pytest.approx(1500)] * 5
    assert fitted.los("a", "b") == pytest.approx(0.5)


def test_9_8_two_tied_for_first_stand_above_the_third() -> None:
    fitted = fit([Result(("a", "b", "c", "d", "e"), (1, 1, 3, 4, 5))])
    ratings = {line.bot: line.rating for line in fitted.ratings()}
    assert ratings["a"] == pytest.approx(ratings["b"])
    assert ratings["b"] > ratings["c"] > ratings["d"] > ratings["e"]


def test_9_8_a_win_and_a_loss_are_worth_two_ties() -> None:
    """Between two seats a tie is half a win and half a loss, exactly."""
    tied = fit([Result(("a", "b"), (1, 1)), Result(("b", "c"), (1, 1))] * 2 + [Result(("a", "c"), (1, 2))])
    mixed = [
        Result(("a", "b"), (1, 2)),
        Result(("b", "a"), (1, 2)),
        Result(("b", "c"), (1, 2)),
        Result(("c", "b"), (1, 2)),
    ]
    won = fit([*mixed, Result(("a", "c"), (1, 2))])
    assert tied.strengths == pytest.approx(won.strengths, abs=1e-9)


def test_9_8_agrees_with_choix_without_ties() -> None:
    rng = np.random.default_rng(1)
    results = simulated(rng.normal(0, 1, 10), 100, 4, rng)
    fitted = fit(results)
    index = {bot: at for at, bot in enumerate(fitted.bots)}
    rankings = [tuple(index[bot] for _, bot in sorted(zip(each.places, each.bots, strict=True))) for each in results]
    # Its penalty is alpha * x^2 where a prior of precision 1/4 asks for x^2 / 8.
    theirs = choix.opt_rankings(10, rankings, alpha=1 / 8, tol=1e-12)
    off = (fitted.strengths - fitted.strengths.mean()) - (theirs - theirs.mean())
    assert np.abs(off).max() * ELO_PER_NAT < 1e-3


def half_draw_fit(wins: Floats) -> Floats:
    """Bradley-Terry with the prior of 9.8 by plain gradient steps; `wins` counts draws as half for both."""
    strengths = np.zeros(len(wins))
    games = wins + wins.T
    for _ in range(20_000):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - games * chances).sum(axis=1) - strengths / 4
        strengths = strengths + gradient / (games.sum(axis=1) / 2 + 1 / 4)
        if np.abs(gradient).max() < 1e-11:
            break
    return strengths


def test_9_8_agrees_with_a_half_draw_bradley_terry_fit() -> None:
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
    fitted = fit(results)
    assert np.abs(fitted.strengths - half_draw_fit(wins)).max() * ELO_PER_NAT < 1e-3


def test_9_8_anchors_are_held_and_the_others_are_rated_against_them() -> None:
    rng = np.random.default_rng(3)
    results = simulated(np.array([0.0, 1.0, 0.5, -0.5]), 800, 4, rng)
    fitted = fit(results, anchors={name(0): 1700.0, "absent": 1200.0})
    assert fitted.rating(name(0)) == pytest.approx(1700)
    assert fitted.rating(name(1)) == pytest.approx(1700 + ELO_PER_NAT, abs=40)
    lines = {line.bot: line for line in fitted.ratings()}
    assert lines[name(0)].is_anchor
    assert lines[name(0)].error == 0
    assert 0 < lines[name(1)].error < 40
    assert fitted.anchors == {name(0)}


def test_9_8_errors_are_the_projected_inverse_of_the_hessian() -> None:
    """Checked for two bots, where everything can be written down."""
    results = [Result(("a", "b"), (1, 2))] * 30 + [Result(("a", "b"), (2, 1))] * 10
    fitted = fit(results)
    difference = float(fitted.strengths[0] - fitted.strengths[1])
    chance = 1 / (1 + np.exp(-difference))
    information = 40 * chance * (1 - chance)
    variance_of_difference = 2 / (2 * information + 1 / 4)
    assert fitted.errors == pytest.approx([np.sqrt(variance_of_difference) / 2] * 2)
    assert fitted.los("a", "b") == pytest.approx(normal(difference / np.sqrt(variance_of_difference)))
    assert fitted.los("a", "b") + fitted.los("b", "a") == pytest.approx(1)
    assert fitted.los("a", "a") == 0.5


def covered(fitted: fit_module.Fit, truth: Floats) -> int:
    shown = np.array([int(bot[3:]) for bot in fitted.bots])
    centred = truth[shown] - truth[shown].mean()
    found = fitted.strengths - fitted.strengths.mean()
    return int((np.abs(found - centred) <= 1.96 * fitted.errors).sum())


@pytest.mark.parametrize("seats", [2, 4])
def test_9_8_intervals_cover_the_truth(seats: int) -> None:
    hits = total = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0, 1, 30)
        fitted = fit(simulated(truth, 30 * 40 // seats, seats, rng))
        hits, total = hits + covered(fitted, truth), total + len(fitted.bots)
        assert fitted.error_source is ErrorSource.INFORMATION
    assert 0.92 <= hits / total <= 0.98


def test_9_8_intervals_from_blocks_cover_the_truth_when_blocks_share_their_luck() -> None:
    """Every block of four games has one outcome: four times the games, but no more to learn."""
    hits = naive_hits = total = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0, 1, 8)
        once = simulated(truth, 200, 4, rng)
        results = [
            Result(each.bots, each.places, ("cup", 1, number)) for number, each in enumerate(once) for _ in range(4)
        ]
        fitted = fit(results)
        assert fitted.error_source is ErrorSource.BLOCKS
        hits, total = hits + covered(fitted, truth), total + 8
        naive_hits += covered(fit(results, clustered=False), truth)
    assert 0.91 <= hits / total <= 0.985
    assert naive_hits / total < 0.8


def test_9_8_a_new_version_starts_near_its_parent() -> None:
    rng = np.random.default_rng(4)
    results = simulated(np.array([2.0, 0.0, -0.5, -1.5]), 200, 4, rng)
    results.append(Result(("young", name(1)), (1, 1)))
    alone = fit(results)
    related = fit(results, parents={"young": name(0), name(2): "unknown"})
    assert related.rating("young") > alone.rating("young") + 100
    assert related.rating("young") < related.rating(name(0))


def test_9_8_parts_that_never_met_are_told_apart() -> None:
    results = [Result(("a", "c"), (1, 2)), Result(("b", "d", "e"), (1, 2, 3)), Result(("c", "f"), (1, 1))]
    fitted = fit(results)
    assert dict(zip(fitted.bots, fitted.components, strict=True)) == {"a": 0, "c": 0, "f": 0, "b": 1, "d": 1, "e": 1}


def test_9_8_seat_effects_are_found() -> None:
    rng = np.random.default_rng(5)
    bonus = (0.45, 0.15, -0.15, -0.45)
    results = simulated(rng.normal(0, 1, 20), 1500, 4, rng, seat_bonus=bonus)
    for effects in (fit(results, with_seats=True).seat_effects, seat_effects(results, fit(results))):
        assert [(effect.seats, effect.seat) for effect in effects] == [(4, seat) for seat in range(4)]
        assert sum(effect.elo for effect in effects) == pytest.approx(0, abs=1e-6)
        for effect, true in zip(effects, bonus, strict=True):
            assert abs(effect.elo - true * ELO_PER_NAT) < 1.7 * effect.error
            assert effect.error < 15
    assert fit(results).seat_effects == ()


def test_9_8_seat_effects_of_a_single_match_stay_finite() -> None:
    once = [Result(("a", "b", "c"), (1, 2, 3))]
    assert all(abs(effect.elo) < 400 and 0 < effect.error < 1000 for effect in seat_effects(once, fit(once)))


def test_9_8_anchors_alone_are_left_as_they_are() -> None:
    fitted = fit([Result(("a", "b"), (2, 1))], anchors={"a": 1500.0, "b": 1400.0})
    assert [(line.bot, line.rating, line.error) for line in fitted.ratings()] == [("a", 1500, 0), ("b", 1400, 0)]
    assert (fitted.los("a", "b"), fitted.los("b", "a")) == (1, 0)


def test_9_8_a_field_too_large_for_matrices_gets_the_same_strengths() -> None:
    rng = np.random.default_rng(6)
    results = simulated(rng.normal(0, 1, 40), 600, 4, rng)
    dense = fit(results, parents={name(3): name(4)})
    with mock.patch.object(fit_module, "DENSE_MOST", 10):
        large = fit(results, parents={name(3): name(4)})
        assert large.error_source is ErrorSource.DIAGONAL
        assert large.covariance is None
        assert large.strengths == pytest.approx(dense.strengths, abs=1e-7)
        assert large.exact_error(name(7)) == pytest.approx(dense.exact_error(name(7)), rel=1e-5)
        assert large.los(name(1), name(2)) == pytest.approx(dense.los(name(1), name(2)), rel=1e-5)


def test_9_8_a_fit_does_not_depend_on_where_it_starts_or_on_the_order_of_matches() -> None:
    rng = np.random.default_rng(7)
    results = simulated(rng.normal(0, 1, 15), 200, 3, rng)
    first = fit(results)
    again = fit(results[::-1], start={name(number): float(rng.normal()) for number in range(15)})
    assert np.abs(first.strengths - again.strengths).max() < 1e-8


def test_9_8_tau_after_a_hundred_games() -> None:
    """100 bots at tables of four, strengths with a spread of one nat."""
    taus = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0, 1, 100)
        fitted = fit(simulated(truth, 2500, 4, rng))
        found = np.sign(fitted.strengths[:, None] - fitted.strengths[None, :])
        true = np.sign(truth[:, None] - truth[None, :])
        taus.append((found * true).sum() / (100 * 99))
    assert np.mean(taus) >= 0.88


def test_9_8_pairs_that_do_not_fit_one_number_are_named() -> None:
    circle = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    results = [Result(pair, (1, 2)) for pair in circle] * 40 + [Result(pair, (2, 1)) for pair in circle] * 5
    found = intransitivity(results, fit(results))
    assert found.is_flagged
    assert [each.games for each in found.surprises] == [45, 45, 45]
    assert {frozenset((each.one, each.other)) for each in found.surprises} == set(map(frozenset, circle))
    rng = np.random.default_rng(8)
    sound = simulated(rng.normal(0, 1, 12), 800, 4, rng)
    assert not intransitivity(sound, fit(sound)).is_flagged


def test_9_8_the_overall_rating_is_the_plain_mean_over_games_with_thirty_matches() -> None:
    def line(rating: float, error: float, matches: int) -> FittedRating:
        return FittedRating("a", rating, error, matches, 0, False)

    assert overall_rating([line(1600, 30, 30), line(1700, 40, 500), line(900, 1, 29)]) == (1650, 25)
    assert overall_rating([line(1600, 30, 29)]) is None


def test_9_8_no_matches_make_no_fit() -> None:
    with pytest.raises(ValueError, match=r"9\.8"):
        fit([])


def test_9_13_a_fit_in_the_ledger_can_be_repeated() -> None:
    connection = small_ledger()
    played = list(ledger.results(connection, POOL))
    assert len(played) == 6
    fitted = fit(played)
    assert ledger.record_fit(connection, POOL, fitted.strengths_by_bot(), {"with_seats": False})
    ledger.post_matches(connection, [result(fixture(7, seats=BOTS[:2]), 2, 1)])
    ledger.void_match(connection, fixture(1).match_id, "found out later", "operator")
    assert audit(connection, refit=refit).is_clean
