"""T14.11, T15.7, T15.8: one line that answers whether NEW is better, for tests and comparisons alike."""

from __future__ import annotations

from decimal import Decimal
from statistics import NormalDist, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.points import UNIT
from ratings.sequential.compare import compare, elo_error_tenths, evidence_curves, one_look_los
from ratings.sequential.evidence import Pairs
from ratings.sequential.result_line import any_look_words, result_line
from ratings.sequential.test import Verdict, judge, terms

ELO0, ELO1, ALPHA = Decimal(0), Decimal(20), Decimal("0.05")
WORKED = (2880,) * 8 + (1440, -1440)


def test_T14_E10_the_worked_line() -> None:
    found = compare(WORKED, 2)
    assert found.mean == Decimal("0.8")
    assert stdev(difference / 2880 for difference in WORKED) == pytest.approx(0.483046, abs=1e-6)
    assert (found.elo_tenths, found.elo_error_tenths) == (3817, 2889)
    assert result_line(Pairs(17, 2, 1), 2, 20, 381.7, 288.9, "better") == (
        "W-D-L 17-2-1, Elo +381.7 ± 288.9 (95 %, one look), 20 games: better"
    )


def test_T14_11_what_a_line_says_at_larger_tables_and_without_an_elo() -> None:
    assert result_line(Pairs(1200, 3, 900), 4, 2103, -3.25, None, "open", "a mark") == (
        "pairs by places 1,200-3-900, Elo -3.2 ± unknown, 2,103 games: open (a mark)"
    )
    assert result_line(Pairs(28, 0, 0), 2, 28, None, None, "better") == (
        "W-D-L 28-0-0, no Elo: every point won, 28 games: better"
    )
    assert result_line(Pairs(0, 0, 2), 2, 2, None, None, "open") == (
        "W-D-L 0-0-2, no Elo: every point lost, 2 games: open"
    )
    assert result_line(Pairs(), 2, 0, None, None, "abandoned") == "W-D-L 0-0-0, no Elo, 0 games: abandoned"


@pytest.mark.parametrize("differences", [(), (720,), (720, 720, 720), (2880, 2880)])
def test_T14_11_an_error_is_unknown_before_blocks_differ(differences: tuple[int, ...]) -> None:
    assert elo_error_tenths(differences, 2) is None


def test_T14_11_the_error_covers_the_truth_in_95_percent_of_planned_looks() -> None:
    """Between equals at tables of two: a block is won, split or lost."""
    draw = NormalDist().samples(200 * 100, seed=11)
    blocks = [2880 if value > 0.6745 else -2880 if value < -0.6745 else 0 for value in draw]
    held = 0
    for first in range(0, len(blocks), 100):
        found = compare(blocks[first : first + 100], 2)
        assert found.elo_tenths is not None
        assert found.elo_error_tenths is not None
        held += abs(found.elo_tenths) <= found.elo_error_tenths
    assert 0.92 <= held / 200 <= 0.98


blocks_of_two = st.lists(st.integers(-2, 2).map(lambda number: 1440 * number), min_size=2, max_size=60)


@given(blocks_of_two)
def test_T14_11_the_likelihood_never_contradicts_the_line(differences: list[int]) -> None:
    """An Elo beyond its error is a likelihood beyond 97.5 %, from the same mean and the same standard error."""
    found = compare(differences, 2)
    if found.elo_tenths is not None and found.elo_error_tenths and abs(found.elo_tenths) > found.elo_error_tenths:
        los = one_look_los([difference / (2 * UNIT) for difference in differences])
        assert max(los, 1 - los) > 0.97


def test_T15_8_a_bound_stands_only_where_it_says_something() -> None:
    assert any_look_words(-64.0, None, ELO0, ELO1, ALPHA) == "", "not: better, at least -64"
    assert any_look_words(None, 975.1, ELO0, ELO1, ALPHA) == "", "not: lost 19 of 20, at most +975"
    assert any_look_words(None, None, ELO0, ELO1, ALPHA) == ""
    assert any_look_words(-64.0, 20.1, ELO0, ELO1, ALPHA) == ""
    assert any_look_words(121.8, None, ELO0, ELO1, ALPHA) == "at any look: at least +121.8 Elo (95 %)"
    assert any_look_words(None, 20.0, ELO0, ELO1, Decimal("0.01")) == "at any look: at most +20.0 Elo (99 %)"
    assert any_look_words(70.9, 169.7, ELO0, ELO1, ALPHA) == "at any look: +70.9 to +169.7 Elo (95 %)"
    assert any_look_words(-4.0, 20.1, Decimal(-10), Decimal(0), ALPHA) == "at any look: -4.0 to +20.1 Elo (95 %)"


def test_T15_7_a_test_and_a_comparison_of_its_blocks_agree() -> None:
    for worked, word in (((1920, -960, 2880) * 20, Verdict.BETTER), ((0,) * 95, Verdict.NOT_BETTER)):
        ended = judge(terms(4), worked)
        assert ended.verdict is word
        judged = ended.judged
        found = evidence_curves(judged, 4)
        assert found.verdict is word
        assert (found.for_better[-1], found.for_not_better[-1]) == (
            ended.for_better.micronats,
            ended.for_not_better.micronats,
        )
        assert found.bound == terms(4).better_bound
        assert len(found.for_better) == len(found.for_not_better) == len(judged) + 1
        assert evidence_curves(judged[:-1], 4).word == "open"
        # Blocks that were under way at the verdict may lower the evidence again.
        later = evidence_curves([*judged, -960 if word is Verdict.BETTER else 960], 4)
        assert later.verdict is word


def test_T15_7_blocks_that_contradict_an_early_verdict_take_it_back() -> None:
    rise = [1920] * 40
    assert evidence_curves(rise, 4).verdict is Verdict.BETTER
    assert evidence_curves(rise + [-1920] * 400, 4).verdict is Verdict.NOT_BETTER
    fall = [-difference for difference in rise]
    assert evidence_curves(fall, 4).verdict is Verdict.NOT_BETTER
    assert evidence_curves(fall + [1920] * 400, 4).verdict is Verdict.BETTER


def test_T15_7_a_smaller_error_rate_needs_more() -> None:
    judged = judge(terms(4), (1920, -960, 2880) * 20).judged
    assert evidence_curves(judged, 4, Decimal("0.01")).word == "open"
