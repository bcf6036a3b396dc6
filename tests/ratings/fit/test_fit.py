"""T8: the rating of record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from math import log, sqrt
from statistics import NormalDist
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.fit import fit as fit_module
from ratings.fit import posterior as posterior_module
from ratings.fit import spread as spread_module
from ratings.fit.fit import (
    APPROXIMATE,
    DEPENDENT,
    ELO_PER_NAT,
    FEW_GAMES,
    NOT_COMPARABLE,
    ErrorSource,
    Fit,
    FittedRating,
    NothingToFitError,
    fit,
    normal,
)
from ratings.fit.large_pool import sampled
from ratings.fit.matches import Matches
from ratings.fit.newton import FitError, conjugate_gradients
from ratings.fit.posterior import Node, inverted
from ratings.fit.spread import search
from ratings.ledger.fit_record import list_digest
from ratings.points.finishes import Floats, among, played
from ratings.points.result import Result
from tests.ratings.fit.plain_fit import plain_fit
from tests.ratings.fit.simulated_pools import in_blocks, name, simulated, small_pools

PARENTS = {name(1): name(0), name(2): name(5), name(4): name(2), name(6): "without a match"}
ANCHORS = {name(0): 1600.0, name(3): 1450.0, "absent": 1200.0}

POOLS: dict[str, tuple[list[Result], dict[str, float], dict[str, str]]] = {
    "two seats": (in_blocks(1, 6, 8, 2, games=1), {}, {}),
    "three seats in blocks": (in_blocks(2, 6, 6, 3, games=3), {}, {}),
    "anchors": (in_blocks(3, 8, 5, 4, games=4), ANCHORS, {}),
    "anchors and versions": (in_blocks(4, 8, 5, 4, games=2), ANCHORS, PARENTS),
    "five seats and versions": (in_blocks(5, 10, 4, 5, games=2), {}, PARENTS),
    "few games": (in_blocks(6, 6, 2, 2, games=1, ties=0, spread=2.0), {}, {}),
    "mixed tables": (in_blocks(7, 8, 3, 4, games=2) + in_blocks(8, 8, 4, 2, games=2), {}, {}),
    "blocks and matches alone": (
        in_blocks(10, 8, 3, 4, games=3) + [replace(one, block=None) for one in in_blocks(11, 8, 4, 4, games=2)],
        ANCHORS, PARENTS,
    ),
    "versions of anchors alone": (
        in_blocks(9, 4, 6, 4, games=4), {name(0): 1500.0}, {name(at): name(0) for at in (1, 2, 3)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("pool", POOLS)
def test_T8_5_the_fit_is_the_text_word_for_word(pool: str) -> None:
    """Against lists, loops and subsets written out: 0.05 Elo and 1e-3 for a list, far less for an entry."""
    results, anchors, parents = POOLS[pool]
    wanted = plain_fit(results, anchors, parents)
    for is_record, elo, share in ((False, 0.05, 1e-3), (True, 1e-4, 1e-6)):
        found = fit(results, anchors=anchors, parents=parents, is_record=is_record)
        assert found.notes == ((DEPENDENT,) if wanted.phi >= 1.3 else ())
        assert {bot: found.rating(bot) for bot in found.bots} == pytest.approx(wanted.ratings, abs=elo)
        assert {bot: found.error(bot) / found.confidence for bot in found.bots} == pytest.approx(wanted.errors, abs=elo)
        assert (found.sigma, found.phi, found.tau) == pytest.approx((wanted.sigma, wanted.phi, wanted.tau), rel=share)
        assert found.pairing == pytest.approx(np.array(wanted.pairing), abs=elo / ELO_PER_NAT)
        assert found.covariance == pytest.approx(np.array(wanted.covariance), abs=1e-3 if not is_record else 1e-6)


@settings(max_examples=25, deadline=None)
@given(small_pools())
def test_T8_5_any_small_pool_is_fitted_as_the_text_says(pool: list[Result]) -> None:
    """Blocks with other bots from game to game, lone matches and parts that never met included."""
    wanted = plain_fit(pool)
    found = fit(pool, is_record=True)
    assert (FEW_GAMES in found.notes) == wanted.is_rough
    assert {bot: found.rating(bot) for bot in found.bots} == pytest.approx(wanted.ratings, abs=0.05)
    assert {bot: found.error(bot) / found.confidence for bot in found.bots} == pytest.approx(wanted.errors, abs=0.05)
    assert (found.sigma, found.phi, found.tau) == pytest.approx((wanted.sigma, wanted.phi, wanted.tau), rel=1e-3)


def test_T8_1_bots_that_only_tie_are_equal() -> None:
    fitted = fit([Result(("a", "b", "c", "d", "e"), (1, 1, 1, 1, 1))] * 7)
    assert [line.rating for line in fitted.ratings()] == [pytest.approx(1500)] * 5
    assert fitted.los("a", "b") == pytest.approx(0.5)
    assert fitted.los("a", "a") == 0.5


def test_T8_1_two_tied_for_first_stand_above_the_third() -> None:
    fitted = fit([Result(("a", "b", "c", "d", "e"), (1, 1, 3, 4, 5))])
    ratings = {line.bot: line.rating for line in fitted.ratings()}
    assert ratings["a"] == pytest.approx(ratings["b"])
    assert ratings["b"] > ratings["c"] > ratings["d"] > ratings["e"]


def test_T8_2_anchors_are_held_and_the_others_are_rated_against_them() -> None:
    rng = np.random.default_rng(3)
    results = simulated(np.array([0.0, 1.0, 0.5, -0.5]), 800, 4, rng)
    fitted = fit(results, anchors={name(0): 1700.0, "absent": 1200.0})
    assert fitted.rating(name(0)) == pytest.approx(1700)
    assert fitted.rating(name(1)) == pytest.approx(1700 + ELO_PER_NAT, abs=40)
    lines = {line.bot: line for line in fitted.ratings()}
    assert lines[name(0)].is_anchor
    assert (lines[name(0)].error, lines[name(0)].places) == (0, None)
    assert 0 < lines[name(1)].error < 40
    assert lines[name(1)].places == (1, 1)
    assert fitted.anchors == {name(0)}
    assert fitted.is_anchored


def test_T20_5_two_anchors_have_no_los() -> None:
    results = simulated(np.zeros(4), 60, 4, np.random.default_rng(1))
    fitted = fit(results, anchors={name(0): 1500.0, name(1): 1500.0})
    assert fitted.los(name(0), name(1)) is None
    assert fitted.los(name(0), name(2)) is not None


@pytest.mark.parametrize(
    ("results", "can_place"),
    [
        ([Result(("house", "new"), (1, 2))] * 9, False),
        ([Result(("house", "new"), (2, 1))] * 9, False),
        ([Result(("house", "new"), (1, 2)), Result(("house", "new"), (2, 1))], True),
        ([Result(("house", "new"), (1, 1))], True),
        ([Result(("child", "new"), (1, 2)), Result(("house", "new"), (2, 1))], True),
        ([Result(("house", "child"), (1, 2))] * 9, True),
        ([Result(("house", "child"), (1, 2)), Result(("new", "other"), (1, 2))], False),
    ],
)
def test_T20_4_anchors_that_cannot_place_the_pool_are_left_out_and_the_list_says_so(
    results: list[Result], can_place: bool
) -> None:
    """The others must once have come in at or before the anchors' family, and once at or behind."""
    fitted = fit(results, anchors={"house": 1800.0}, parents={"child": "house"})
    assert fitted.is_anchored == can_place
    assert (NOT_COMPARABLE in fitted.notes) == (not can_place)
    if can_place:
        assert fitted.rating("house") == 1800
    else:
        assert np.mean(fitted.strengths) == pytest.approx(0, abs=1e-12)
        assert fitted.error("house") > 0


def test_T8_2_a_new_version_starts_near_its_parent() -> None:
    rng = np.random.default_rng(4)
    results = simulated(np.array([2.0, 0.0, -0.5, -1.5]), 200, 4, rng)
    results.append(Result(("young", name(1)), (1, 1)))
    alone = fit(results)
    related = fit(results, parents={"young": name(0), name(2): "unknown"})
    assert related.rating("young") > alone.rating("young") + 100
    assert related.rating("young") < related.rating(name(0))


def test_T8_10_parts_that_never_met_are_told_apart_and_have_places_of_their_own() -> None:
    results = [Result(("a", "c"), (1, 2)), Result(("b", "d", "e"), (1, 2, 3)), Result(("c", "f"), (1, 1))]
    fitted = fit(results)
    assert dict(zip(fitted.bots, fitted.components, strict=True)) == {"a": 0, "c": 0, "f": 0, "b": 1, "d": 1, "e": 1}
    assert fitted.los("a", "b") is None
    assert fitted.place_intervals() == dict.fromkeys("abcdef", (1, 3))


def test_T8_9_los_and_places_come_from_the_covariance() -> None:
    results = in_blocks(11, 8, 12, 4, games=4)
    fitted = fit(results)
    assert fitted.covariance is not None
    places = fitted.place_intervals()
    v = fitted.covariance
    for one in fitted.bots:
        i = fitted.index[one]
        before = behind = 0
        for other in fitted.bots:
            j = fitted.index[other]
            if one != other:
                apart = (fitted.strengths[i] - fitted.strengths[j]) / sqrt(v[i, i] + v[j, j] - 2 * v[i, j])
                los = fitted.los(one, other)
                assert los == pytest.approx(NormalDist().cdf(float(apart)))
                before += los is not None and los <= 1 - 0.95
                behind += los is not None and los >= 0.95
        assert places[one] == (1 + before, 8 - behind)
    assert len(set(places.values())) > 1


@pytest.mark.parametrize(("pairs", "threes", "wanted"), [(3, 2, 2.1), (3, 3, 1.96), (0, 4, 1.96)])
def test_T8_5_intervals_are_wider_where_most_matches_have_two_seats(pairs: int, threes: int, wanted: float) -> None:
    results = [Result(("a", "b"), (1, 2))] * pairs + [Result(("c", "b", "a"), (1, 2, 3))] * threes
    fitted = fit(results)
    line = next(line for line in fitted.ratings() if line.bot == "a")
    assert fitted.covariance is not None
    assert line.error == pytest.approx(wanted * 400 / log(10) * sqrt(fitted.covariance[0, 0]))


def test_T8_5_blocks_that_share_their_luck_widen_the_intervals() -> None:
    """Every block of four games has one outcome: four times the games, but little more to learn."""
    rng = np.random.default_rng(5)
    once = simulated(rng.normal(0, 1, 8), 100, 4, rng)
    blocks = [Result(each.bots, each.places, ("cup", 1, at)) for at, each in enumerate(once) for _ in range(4)]
    together, apart = fit(blocks), fit([Result(each.bots, each.places) for each in blocks])
    assert together.phi > 3
    assert DEPENDENT in together.notes
    assert apart.phi < 1.3
    assert apart.notes == ()
    assert together.errors.mean() > 1.6 * apart.errors.mean()


def runaway() -> list[Result]:
    """T20.3: three rounds of two seats among bots far apart, found by trying seeds."""
    return in_blocks(RUNAWAY_SEED, 8, 3, 2, games=1, ties=0, spread=2.0)


RUNAWAY_SEED = 0


def test_T20_3_a_runaway_of_the_third_order_vector_is_stopped() -> None:
    results = runaway()
    fitted = fit(results)
    assert FEW_GAMES in fitted.notes
    assert plain_fit(results).is_rough
    assert all(abs(line.rating - 1500) < 4000 for line in fitted.ratings())


def test_T20_3_a_runaway_at_an_outer_node_is_stopped_too() -> None:
    """Four rounds in which the better bot always won: sigma is found, but 1.7 tau above it ratings reach 5,000."""
    rounds = ("31 42 05", "02 51 34", "35 04 21", "30 41 52")
    results = [
        Result((pair[0], pair[1]), (1, 2), ("cup", number, table))
        for number, tables in enumerate(rounds)
        for table, pair in enumerate(tables.split())
        for _ in range(2)
    ]
    fitted = fit(results)
    assert fitted.notes == (FEW_GAMES,)
    assert max(abs(line.rating - 1500) for line in fitted.ratings()) < 2000
    wanted = plain_fit(results)
    assert {bot: fitted.rating(bot) for bot in fitted.bots} == pytest.approx(wanted.ratings, abs=0.05)


def test_T8_5_a_fit_does_not_depend_on_where_it_starts_or_on_the_order_of_matches() -> None:
    rng = np.random.default_rng(7)
    results = simulated(rng.normal(0, 1, 15), 200, 3, rng)
    first = fit(results)
    again = fit(results[::-1], last=replace(first, mode=rng.normal(size=15)))
    assert np.abs(first.strengths - again.strengths).max() < 1e-8
    assert first.sigma == pytest.approx(again.sigma, abs=1e-9)


@pytest.mark.parametrize("games", [1, 4])
@pytest.mark.parametrize("has_anchors", [False, True])
def test_T8_6_a_fit_that_takes_up_where_the_last_one_ended_is_the_same_to_the_last_bit(
    games: int, has_anchors: bool
) -> None:
    """After one round or several, after blocks cut in two, from a fit of other results, and cold."""
    results = in_blocks(11, 12, 30, 4, games=games)
    anchors = {name(0): 1500.0, name(5): 1620.0} if has_anchors else {}
    parents = {name(3): name(2)}
    cold = fit(results, anchors=anchors, parents=parents, is_record=True)
    others = fit(in_blocks(12, 12, 30, 4, games=games), anchors=anchors, parents=parents)
    for known in (16, 50, len(results) - 4, len(results) - 3, len(results)):
        matches = Matches.of(results[:known])
        last = fit(matches, anchors=anchors, parents=parents, is_record=True)
        whole = matches.with_more(results[known:])
        if whole is None:
            assert last.bots != cold.bots
            whole = Matches.of(results)
        for start in (last, others, replace(last, mode=-last.mode)):
            warm = fit(whole, anchors=anchors, parents=parents, last=start, is_record=True)
            assert warm.record(0) == cold.record(0)
            for vector in ("strengths", "errors", "covariance", "pairing", "mode", "appearances"):
                assert np.array_equal(getattr(warm, vector), getattr(cold, vector)), vector
            assert (warm.sigma, warm.phi, warm.tau, warm.notes) == (cold.sigma, cold.phi, cold.tau, cold.notes)


@settings(max_examples=15, deadline=None)
@given(small_pools(), st.data())
def test_T8_6_matches_added_in_any_parts_are_what_they_are_together(pool: list[Result], data: st.DataObject) -> None:
    """Ties, tables of different sizes and bots that come later included."""
    cuts = sorted(data.draw(st.lists(st.integers(1, len(pool)), max_size=3)))
    found: Matches | None = None
    for begin, end in pairwise([0, *cuts, len(pool)]):
        grown = found.with_more(pool[begin:end]) if found is not None else None
        found = grown or Matches.of(pool[:end])
    wanted = Matches.of(pool)
    assert found is not None
    assert found.played.bots == wanted.played.bots
    assert np.array_equal(found.likelihood.linear, wanted.likelihood.linear)
    for one, other in zip(found.likelihood.terms, wanted.likelihood.terms, strict=True):
        assert one.starts == other.starts
        assert np.array_equal(one.members, other.members)
        assert np.array_equal(one.weights, other.weights)
    assert found.layout.count == wanted.layout.count
    assert np.array_equal(found.layout.keys, wanted.layout.keys)
    for part in ("alone", "together", "slots"):
        for mine, theirs in zip(getattr(found.layout, part), getattr(wanted.layout, part), strict=True):
            assert np.array_equal(mine, theirs), part
    for ours, yours in zip(found.played.finishes, wanted.played.finishes, strict=True):
        assert ours.ranking == yours.ranking
        assert np.array_equal(ours.bots, yours.bots)
        assert np.array_equal(ours.blocks, yours.blocks)
    if len(wanted.played.bots) > 1:
        assert fit(found, is_record=True).record(0) == fit(pool, is_record=True).record(0)


@pytest.mark.parametrize("pool", POOLS)
def test_T20_2_the_short_way_to_the_root_changes_nothing_that_is_stored(pool: str) -> None:
    """Against secants alone, and against Newton steps alone."""
    results, anchors, parents = POOLS[pool]
    found = fit(results, anchors=anchors, parents=parents, is_record=True).record(0)
    with mock.patch.object(spread_module, "SHORT_STEP", 0.0):
        assert fit(results, anchors=anchors, parents=parents, is_record=True).record(0) == found
    with mock.patch.object(posterior_module, "MAX_FOLLOWED", 0):
        assert fit(results, anchors=anchors, parents=parents, is_record=True).record(0) == found


@pytest.mark.parametrize("pool", POOLS)
def test_T20_7_a_first_mode_found_without_a_matrix_changes_nothing_that_is_stored(pool: str) -> None:
    results, anchors, parents = POOLS[pool]
    found = fit(results, anchors=anchors, parents=parents, is_record=True).record(0)
    steps = []

    def counted(times: Callable[[Floats], Floats], wanted: Floats, scale: Floats) -> Floats:
        steps.append(conjugate_gradients(times, wanted, scale))
        return steps[-1]

    with (
        mock.patch.object(posterior_module, "FEWEST_SPARSE", 1),
        mock.patch.object(posterior_module, "MATRIX_COST", 0),
        mock.patch.object(posterior_module, "conjugate_gradients", counted),
    ):
        assert fit(results, anchors=anchors, parents=parents, is_record=True).record(0) == found
    assert steps


def test_T20_7_conjugate_gradients_solve_the_system() -> None:
    rng = np.random.default_rng(16)
    some = rng.normal(size=(60, 60))
    matrix = some @ some.T + np.diag(rng.exponential(60, 60))
    wanted = rng.normal(size=60)
    found = conjugate_gradients(lambda direction: matrix @ direction, wanted, matrix.diagonal())
    assert found == pytest.approx(np.linalg.solve(matrix, wanted), rel=1e-8)


def test_T8_4_a_matrix_is_inverted_by_halves_as_well_as_at_once() -> None:
    rng = np.random.default_rng(15)
    some = rng.normal(size=(301, 301))
    matrix = some @ some.T + np.diag(rng.exponential(1, 301))
    assert inverted(matrix) @ matrix == pytest.approx(np.eye(301), abs=1e-8)


def test_T20_2_the_search_takes_the_root_reached_from_zero() -> None:
    """Safeguarded secant steps of at most 0.7; beyond the range the nearer end."""

    def found(surplus: object, tolerance: float = 1e-8) -> tuple[float, list[float]]:
        visited: list[float] = []

        def evaluate(ln_sigma: float, _: Node | None) -> Node:
            visited.append(ln_sigma)
            zero = np.zeros(1)
            return Node(ln_sigma, 1.0, zero, zero, np.zeros((1, 1)), surplus(ln_sigma), zero)  # type: ignore[operator] # a function

        return search(evaluate, 10, tolerance).ln_sigma, visited

    root, visited = found(lambda x: 5 * (0.3 - x))
    assert root == pytest.approx(0.3, abs=1e-8)
    assert visited[:2] == [0.0, 5 * 0.3 / 10]
    assert found(lambda x: -np.expm1(3 * (x - 2)))[0] == pytest.approx(2, abs=1e-8)
    assert found(lambda x: -100 * np.tanh(x + 1))[0] == pytest.approx(-1, abs=1e-8)
    # Three roots: from 0 upwards the first is at 1.
    assert found(lambda x: -(x - 1) * (x - 1.5) * (x - 2.5))[0] == pytest.approx(1, abs=1e-8)
    assert found(lambda x: 20 + x)[0] == 3
    assert found(lambda x: -20 + x)[0] == -4
    steps = np.diff(found(lambda x: 20 + x)[1])
    assert np.abs(steps).max() <= 0.7 + 1e-12


def test_T13_the_canonical_list_and_its_digest() -> None:
    fitted = fit([Result(("b", "a"), (1, 2))] * 3 + [Result(("b", "a"), (2, 1))], is_record=True)
    lines = fitted.canonical_list()
    assert [bot for bot, _, _ in lines] == ["a", "b"]
    assert lines[0][1] + lines[1][1] == 3_000_000
    assert lines[1][1] == round(1000 * fitted.rating("b"))
    assert lines[1][2] == round(1000 * fitted.error("b") / fitted.confidence)
    (a, b) = lines
    text = f'[["a",{a[1]},{a[2]}],["b",{b[1]},{b[2]}]]'
    assert list_digest(lines) == sha256(text.encode()).hexdigest()
    assert fitted.head == {
        "sigma": round(fitted.sigma * 10**6), "phi": 10**6, "tau": round(fitted.tau * 10**6),
    }  # fmt: skip


def test_T20_9_a_pool_too_large_for_matrices_gets_the_mode_and_says_so() -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(0, 1, 40)
    results = simulated(truth, 600, 4, rng)
    parents = {name(3): name(4)}
    dense = fit(results, parents=parents)
    with mock.patch.object(fit_module, "MAX_DENSE", 30):
        large = fit(results, parents=parents)
        assert fit(results, parents=parents).strengths == pytest.approx(large.strengths, abs=1e-12)
    assert large.error_source is ErrorSource.APPROXIMATE
    assert large.covariance is None
    assert large.notes == (APPROXIMATE,)
    assert large.tau == 0
    assert large.sigma == pytest.approx(dense.sigma, rel=0.3)
    assert np.corrcoef(large.strengths, dense.strengths)[0, 1] > 0.995
    assert large.errors == pytest.approx(dense.errors, rel=0.25)
    assert large.los(name(1), name(2)) is not None
    assert len(large.place_intervals()) == 40
    assert dense.error_source is ErrorSource.POSTERIOR


def test_T20_9_sigma_and_phi_are_those_of_a_sample_fitted_by_itself() -> None:
    """Whose matches are read as the order of its own bots, with games that depend on each other, and a prior."""
    results, parents = in_blocks(17, 40, 12, 4, games=4), {name(3): name(4)}
    with mock.patch.object(fit_module, "MAX_DENSE", 30):
        large = fit(results, parents=parents, is_record=True)
    whole = played(results)
    part = Matches.among(among(whole, sampled(whole.bots, 30)))
    alone = fit(part, parents=parents, is_record=True)
    assert large.phi == alone.phi > 1
    assert large.sigma == alone.sigma
    assert large.tau == 0 < alone.tau


def test_T20_9_the_sample_reads_each_match_as_the_order_of_its_own_bots() -> None:
    results = [Result(("a", "b", "c", "d"), (3, 1, 1, 4)), Result(("a", "e"), (1, 2)), Result(("d", "b"), (1, 2))]
    part = among(played(results), [1, 2, 3])
    wanted = played([Result(("b", "c", "d"), (1, 1, 3)), Result(("d", "b"), (1, 2))])
    assert part.bots == wanted.bots == ("b", "c", "d")
    assert part.matches == 2
    assert sorted((each.ranking, each.bots.tolist()) for each in part.finishes) == sorted(
        (each.ranking, each.bots.tolist()) for each in wanted.finishes
    )
    assert part.appearances.tolist() == wanted.appearances.tolist()


def test_T8_5_tau_after_a_hundred_games() -> None:
    """100 bots at tables of four, strengths with a spread of one nat."""
    taus = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0, 1, 100)
        fitted = fit(simulated(truth, 2500, 4, rng))
        found = np.sign(fitted.strengths[:, None] - fitted.strengths[None, :])
        true = np.sign(truth[:, None] - truth[None, :])
        taus.append((found * true).sum() / (100 * 99))
        assert fitted.sigma == pytest.approx(truth.std(), rel=0.1)
    assert np.mean(taus) >= 0.88


def test_T20_1_without_a_free_bot_there_is_no_fit() -> None:
    with pytest.raises(NothingToFitError, match="T20"):
        fit([])
    with pytest.raises(NothingToFitError, match="anchors"):
        fit([Result(("a", "b"), (2, 1))], anchors={"a": 1500.0, "b": 1400.0})


def test_T20_4_an_error_names_the_pool() -> None:
    with (
        mock.patch("ratings.fit.newton.MAX_STEPS", 1),
        pytest.raises(FitError, match=r"pool toy:1: .*Newton"),
    ):
        fit([Result(("a", "b", "c"), (1, 2, 3))] * 40, pool="toy:1")


def test_T8_8_the_normal_distribution() -> None:
    assert normal(0) == 0.5
    assert normal(1.96) == pytest.approx(0.975, abs=1e-5)


def line_of(fitted: Fit, bot: str) -> FittedRating:
    return next(line for line in fitted.ratings() if line.bot == bot)


def test_T11_the_rating_order_is_best_first_with_places() -> None:
    fitted = fit(in_blocks(12, 8, 10, 4, games=4))
    lines = fitted.ratings()
    assert [line.rating for line in lines] == sorted((line.rating for line in lines), reverse=True)
    for rank, line in enumerate(lines, start=1):
        assert line.places is not None
        assert line.places[0] <= rank <= line.places[1]
        assert line.matches == 40
    assert line_of(fitted, lines[0].bot).rating == fitted.rating(lines[0].bot)
