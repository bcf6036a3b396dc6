"""T18: the promises of T14 to T16 on simulated pools: a small part, with fixed seeds, of `arena bench sequential`."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from arena.bench.sequential import holds_at_every_look, named_by_peeking, simulate, widths
from arena.bench.sequential_models import (
    BlockModel,
    Lottery,
    WanderingLottery,
    collapsing,
    ladder,
    lottery,
    run_tournament,
    tilted,
)
from ratings.sequential.test import terms

RUNS = 300
SLACK = 2 * (0.05 * 0.95 / RUNS) ** 0.5


def even_blocks(seats: int) -> Lottery:
    """Blocks of few values that look like those between equals; nothing has to be played for them."""
    step = seats * 1440 // 6
    return Lottery(seats, step * np.arange(-3, 4), np.array([0.04, 0.12, 0.2, 0.28, 0.2, 0.12, 0.04]))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_T18_2_a_wrong_better_between_equals_is_rare(seats: int) -> None:
    found = simulate(terms(seats), even_blocks(seats), RUNS, np.random.default_rng(seats))
    assert found.rate(1) <= 0.05 + SLACK
    assert found.rate(-1) >= 0.9


@pytest.mark.parametrize("seats", [2, 4])
def test_T18_2_a_wrong_not_better_at_elo1_is_rare(seats: int) -> None:
    agreed = terms(seats)
    truth = tilted(even_blocks(seats), agreed.mu1 / 1e6)
    found = simulate(agreed, truth, RUNS, np.random.default_rng(seats))
    assert found.rate(-1) <= 0.05 + SLACK
    assert found.rate(1) >= 0.9


@pytest.mark.parametrize("correlation", [0.99, 0.0])
def test_T14_4_a_strength_that_wanders_breaks_the_promise_and_fresh_processes_keep_it(correlation: float) -> None:
    """NEW scores as much as OLD over many blocks; the correlation of its strength from block to block decides."""
    rng = np.random.default_rng(8)
    truth = WanderingLottery(even_blocks(4), RUNS, deviation=52.0, correlation=correlation, rng=rng)
    found = simulate(terms(4, elo1=Decimal(40), max_blocks=1500), truth, RUNS, rng)
    if correlation:
        assert found.rate(1) > 0.2
    else:
        assert found.rate(1) <= 0.05 + SLACK


def test_T18_2_rare_collapses_fool_nobody() -> None:
    """The test that this one replaced was wrong in 35 % of these."""
    found = simulate(terms(4), collapsing(), RUNS, np.random.default_rng(3))
    assert found.rate(1) <= 0.05 + SLACK


def test_T18_a_gain_of_100_elo_is_found_in_170_games_at_tables_of_four() -> None:
    found = simulate(terms(4), lottery(BlockModel(4, elo=100)), RUNS, np.random.default_rng(4))
    assert found.rate(1) > 0.98
    assert found.games <= 170


def test_T18_the_interval_holds_at_every_look_and_watched_likelihoods_do_not() -> None:
    truth = even_blocks(4)
    assert holds_at_every_look(truth, RUNS, 400, np.random.default_rng(5))[-1] >= 0.95
    assert named_by_peeking(truth, RUNS, 400, np.random.default_rng(5))[-1] > 0.4


def test_T18_the_interval_is_at_most_1_75_times_as_wide_as_at_one_look() -> None:
    found = widths(even_blocks(4), 3, np.random.default_rng(6))
    assert all(wide <= 1.75 * narrow for blocks, (wide, narrow) in found.items() if blocks >= 400)


def test_T18_focus_rounds_decide_a_ladder_without_a_wrong_claim() -> None:
    """Six bots 150 Elo apart, so that it is quick; sorted tables need more."""
    focus, plain = (run_tournament(ladder(6, 150.0), 3, way=way, seed=7, cap=6_000) for way in ("focus", "sorted"))
    assert (focus.open, focus.wrong, plain.wrong) == (0, 0, 0)
    assert focus.games < plain.games
