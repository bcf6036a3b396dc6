"""T8: what the fit cannot say in one number a bot: seats, and pairs that do not fit."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations, islice
from math import sqrt
from unittest import mock

import numpy as np
import pytest

from ratings.fit import intransitivity as intransitivity_module
from ratings.fit import seat_effects as seat_module
from ratings.fit.drift import drift
from ratings.fit.fit import ELO_PER_NAT, fit
from ratings.fit.intransitivity import Intransitivity, intransitivity, large_signs, largest_singular, residuals
from ratings.fit.seat_effects import seat_effects
from ratings.fit.shown import shown_diagnostics
from ratings.points.finishes import played
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


def block(number: int, one: str, other: str, *, is_even: bool) -> list[Result]:
    """Two games of `tiny`; the first bot wins the first game, and the second unless the score is even."""
    at = ("tiny", number, 1)
    return [Result((one, other), (1, 2), at), Result((other, one), (1, 2) if is_even else (2, 1), at)]


def tiny() -> list[Result]:
    """E8: a circle of three that all draw with the fourth, and one more block."""
    lost = [("A", "B", False), ("B", "C", False), ("C", "A", False)]
    rounds = [*lost, *((bot, "D", True) for bot in "ABC")] * 3 + [("A", "D", False)]
    return [
        game
        for number, (one, other, is_even) in enumerate(rounds, start=1)
        for game in block(number, one, other, is_even=is_even)
    ]


def test_E8_the_fit_of_tiny() -> None:
    fitted = fit(tiny(), is_record=True)
    assert (fitted.sigma, fitted.phi, fitted.tau) == pytest.approx((0.333249, 1.106961, 0.646833), abs=5e-7)
    assert fitted.strengths == pytest.approx([0.063534, 0, 0, -0.063534], abs=5e-7)
    assert fitted.covariance is not None
    assert fitted.covariance.diagonal() == pytest.approx([0.054082, 0.055699, 0.055699, 0.054082], abs=5e-7)


def test_T8_12_the_residuals_of_tiny() -> None:
    """E8: e, w, d and h to the last digit."""
    found = residuals(played(tiny()), fit(tiny(), is_record=True))
    assert found is not None
    assert [f"{left}{right}" for left, right in zip(found.left, found.right, strict=True)] == [
        "01", "02", "03", "12", "13", "23",
    ]  # fmt: skip
    wanted = [2.904731, -3.095269, 0.746207, 3, -0.095269, -0.095269]
    assert found.excess == pytest.approx(wanted, abs=5e-7)
    assert found.weights == pytest.approx([1.498487, 1.498487, 1.991949, 1.5, 1.498487, 1.498487], abs=5e-7)
    assert found.apart == pytest.approx([0.146930, 0.146930, 0.142028, 0.148497, 0.146930, 0.146930], abs=5e-7)
    assert found.own == pytest.approx([0.482265, 0.482265, 0.570688, 0.500252, 0.482265, 0.482265], abs=5e-7)
    assert found.counts.all()
    of_round = [0.066300, 0.067074, 0.066300, 0.063894, 0.066300, 0.066300]
    assert found.hold == pytest.approx(of_round * 3 + of_round[3:4], abs=5e-7)
    assert found.names[:2] == ("tiny|1|1", "tiny|2|1")


def test_T8_12_the_flips_of_tiny() -> None:
    """E8: lambda, the first three lambda*, p, and the cycle."""
    fitted = fit(tiny(), is_record=True)
    found = residuals(played(tiny()), fitted)
    assert found is not None
    assert found.largest == pytest.approx(5.243286, abs=5e-7)
    assert found.flipped(1, 3) == pytest.approx([2.441138, 2.693405, 3.159111], abs=5e-7)
    said = intransitivity(tiny(), fitted)
    assert said.p == 0.007
    assert said.is_flagged
    assert said.cycle is not None
    assert said.cycle.bots == ("A", "B", "C")
    assert said.cycle.z == pytest.approx(9 / sqrt(3.984006), abs=5e-7)
    assert said.surprises == ()
    assert shown_diagnostics((), said) == [
        "strength is not one number here (p = 0.007)",
        "the clearest cycle: A beats B beats C beats A (z = 4.5)",
    ]


def test_T8_15_the_drift_of_tiny() -> None:
    """E8: gamma and its standard error to the last digit; nothing is flagged."""
    fitted = fit(tiny(), is_record=True)
    assert fitted.covariance is not None
    strengths = dict(zip(fitted.bots, fitted.strengths.tolist(), strict=True))
    found = drift(tiny(), 19, strengths, fitted.covariance, fitted.phi)
    changes = [(each.change, each.error) for each in found.by_bot.values()]
    wanted = [(0.3542, 1.5815), (0.4158, 1.8274), (0.4310, 1.8276), (-0.9743, 1.6937)]
    assert [value for pair in changes for value in pair] == pytest.approx(
        [v for pair in wanted for v in pair], abs=5e-5
    )
    assert found.statistic == pytest.approx(0.49, abs=5e-3)
    assert found.bound == pytest.approx(8.65, abs=5e-3)
    assert not found.is_flagged


def test_T8_15_a_field_that_learns_is_flagged_and_its_learners_rise() -> None:
    """Half of twelve bots lose everything to the others at first and win everything at last; anchors have no drift."""
    rng = np.random.default_rng(3)
    results = []
    for number in range(1, 21):
        order = rng.permutation(12)
        for table in range(6):
            one, other = sorted(order[2 * table : 2 * table + 2].tolist())
            rises = (number - 10.5) / 5 * ((one < 6) - (other < 6))
            for _ in range(2):
                first = rng.random() < 1 / (1 + np.exp(-rises))
                results.append(Result((name(one), name(other)), (1, 2) if first else (2, 1), ("cup", number, table)))
    fitted = fit(results, anchors={name(11): 1500.0})
    assert fitted.covariance is not None
    strengths = dict(zip(fitted.bots, fitted.strengths.tolist(), strict=True))
    found = drift(results, 20, strengths, fitted.covariance, fitted.phi)
    assert found.is_flagged
    assert set(found.by_bot) == {name(at) for at in range(11)}
    assert min(found.by_bot[name(at)].change for at in range(6)) > 0
    assert max(found.by_bot[name(at)].change for at in range(6, 11)) < 0
    early = [result for result in results if result.block is not None and result.block[1] == 1]
    assert drift(early, 20, strengths, fitted.covariance, fitted.phi).by_bot == {}


def test_T8_12_flips_are_the_same_in_any_portions() -> None:
    found = residuals(played(tiny()), fit(tiny()))
    assert found is not None
    assert intransitivity(tiny()[::-1], fit(tiny()[::-1], is_record=True)).p == 0.007, "whatever the order of matches"
    together = found.flipped(1, 60)
    assert list(islice(found.all_flipped(), 60)) == pytest.approx(together, rel=1e-12)
    assert [float(found.flipped(draw, draw)[0]) for draw in (7, 60)] == pytest.approx([together[6], together[59]])


def test_T8_12_pairs_that_do_not_fit_one_number_are_named() -> None:
    """Three in a circle, and a fourth that loses to all: every pair of the circle is far from its expectation."""
    circle = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    games = [Result(pair, (1, 2)) for pair in circle] * 40 + [Result(pair, (2, 1)) for pair in circle] * 5
    games += [Result((bot, "well"), places) for bot, _ in circle for places in [(1, 2), (1, 2), (2, 1)] * 2]
    found = intransitivity(games, fit(games))
    assert found.is_flagged
    assert found.cycle is not None
    assert found.cycle.bots == ("paper", "rock", "scissors")
    assert [(each.games, each.score) for each in found.surprises if each.z > 0] == [(45, 40.0), (45, 40.0)]
    assert {frozenset((each.one, each.other)) for each in found.surprises} == set(map(frozenset, circle))
    assert all(each.expected == pytest.approx(22.5) for each in found.surprises)


def test_T8_12_a_pool_of_the_model_is_not_flagged() -> None:
    """Nor is a cycle named in it, though its largest z is above 2 as in any pool."""
    rng = np.random.default_rng(8)
    sound = simulated(rng.normal(0, 1, 12), 400, 4, rng)
    found = intransitivity(sound, fit(sound))
    assert found.p is not None
    assert found.p > 0.05
    assert found.cycle is None
    assert shown_diagnostics((), found) == []


def test_T8_12_a_pair_with_fewer_than_eight_games_is_not_listed() -> None:
    """`a` beats everybody nine times of ten but `b`, which is as good as the others and beats it seven times."""
    places = [(1, 2)] * 36 + [(2, 1)] * 4
    games = [Result(("a", other), each) for other in "cdef" for each in places]
    games += [Result(pair, each) for pair in combinations("bcdef", 2) for each in [(1, 2), (2, 1)] * 20]
    games += [Result(("b", "a"), (1, 2))] * 7
    found = residuals(played(games), fit(games))
    assert found is not None
    assert float(np.abs(found.excess / np.sqrt(found.variances)).max()) > 4
    assert intransitivity(games, fit(games)).surprises == ()
    games.append(games[-1])
    listed = intransitivity(games, fit(games))
    assert [(each.one, each.other, each.games) for each in listed.surprises] == [("a", "b", 8)]
    said = shown_diagnostics((), listed)[-1]
    assert said.startswith("one surprise: a scored 0 of 8 against b; "), "a list writes it with a capital, a name never"


@pytest.mark.parametrize(("bots", "blocks"), [(3, 40), (4, 7)])
def test_T8_12_nothing_is_said_of_a_small_pool(bots: int, blocks: int) -> None:
    rng = np.random.default_rng(1)
    games = simulated(np.zeros(bots), blocks, 2, rng)
    assert intransitivity(games, fit(games)) == Intransitivity(None, None, ())


def test_T8_12_nothing_is_said_of_a_gauntlet() -> None:
    """One bot meets all others, who never meet: no circle can show, and the pull of the prior is no evidence."""
    rng = np.random.default_rng(0)
    strengths = rng.normal(0, 1, 8)
    games = [
        Result((name(0), name(other)), (1, 2) if rng.random() < chance else (2, 1), ("cup", number, other))
        for other in range(1, 8)
        for chance in [1 / (1 + np.exp(strengths[other] - strengths[0]))]
        for number in range(1, 9)
        for _ in range(2)
    ]
    found = residuals(played(games), fit(games))
    assert found is not None
    assert found.own == pytest.approx(np.ones(7))
    assert intransitivity(games, fit(games)) == Intransitivity(None, None, ())
    assert found.largest == 0
    with mock.patch.object(intransitivity_module, "LARGEST_OWN", 2):
        assert intransitivity(games, fit(games)).is_flagged, "a false alarm, were its pairs to count"


def test_T8_12_a_pair_that_a_long_test_has_fixed_does_not_count_and_the_others_do() -> None:
    """Also in two parts of a pool that never met."""
    rng = np.random.default_rng(8)
    games = simulated(np.zeros(6), 60, 2, rng)
    long = [Result((name(0), name(1)), (1, 2) if rng.random() < 0.6 else (2, 1), ("test", at, 1)) for at in range(200)]
    apart = [Result(("x", "y"), (1, 2)), Result(("y", "z"), (1, 2)), Result(("z", "x"), (1, 2))] * 4
    found = residuals(played(games + long + apart), fit(games + long + apart))
    assert found is not None
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    assert [pair for pair, counts in zip(pairs, found.counts, strict=True) if not counts] == [(0, 1)]
    assert found.own[-3:] == pytest.approx([2 / 3] * 3, abs=0.05), "three wires in a ring"
    assert float(found.own.sum()) == pytest.approx(9 - 2), "Foster: the bots less the parts"


def test_T20_11_a_pool_of_many_blocks_draws_signs_from_one_digest_per_block() -> None:
    rng = np.random.default_rng(4)
    games = simulated(rng.normal(0, 1, 8), 1001, 2, rng)
    found = residuals(played(games), fit(games))
    assert found is not None
    assert (found.is_large, found.draws) == (True, 199)
    signs = large_signs(["cup|3|1"])
    digest = sha256(b"flip|cup|3|1").digest()
    assert signs[:, 0].tolist() == [-1 if digest[at // 8] >> (7 - at % 8) & 1 else 1 for at in range(199)]
    p = intransitivity(games, fit(games)).p
    assert p is not None
    assert p > 0.05


def test_T20_11_lanczos_finds_the_largest_singular_value() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.normal(size=(2, 130, 130))
    skew = drawn - drawn.swapaxes(1, 2)
    assert largest_singular(skew) == pytest.approx(np.linalg.svd(skew, compute_uv=False)[:, 0], rel=1e-3)
    with mock.patch.object(intransitivity_module, "MAX_EXACT", 130):
        assert largest_singular(skew) == pytest.approx(np.linalg.svd(skew, compute_uv=False)[:, 0], rel=1e-12)
