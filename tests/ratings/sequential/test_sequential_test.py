"""T14: is NEW better than OLD?"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction
from math import floor, isqrt, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.points import UNIT
from ratings.sequential.e_process import WEIGHT_UNIT, EProcess, opening_processes
from ratings.sequential.exact_log import ceil_log, floor_log
from ratings.sequential.test import SeedBy, SequentialTest, Verdict, error_bound, judge, percent, terms
from ratings.sequential.test_words import (
    COPIES_WARNING,
    e_value,
    evidence_words,
    repeats_words,
    seed_words,
    verdict_sentence,
)

WORKED = (1920, -960, 2880)


def words_of(progress: SequentialTest, new: str = "NEW") -> tuple[str, str]:
    return evidence_words(progress.for_better.micronats, progress.for_not_better.micronats, progress.terms, new)


def test_T14_E1_the_worked_constants() -> None:
    agreed = terms(4)
    better, not_better = opening_processes(agreed.mu0, agreed.mu1, 4)
    assert (agreed.mu0, agreed.mu1) == (0, 38_350)
    assert (agreed.better_bound, agreed.not_better_bound, agreed.max_blocks) == (2_995_733, 2_995_733, 5000)
    for process, cap in ((better, 943_718), (not_better, 908_863)):
        assert process.scale == 5_760_000_000
        assert process.step == 220_896_000
        assert process.squares == 30_720_000_000_000_000_000
        assert process.cap == cap


def test_T14_E1_the_worked_blocks_of_four() -> None:
    progress = SequentialTest(terms(4))
    seen = []
    for difference in WORKED:
        weights = (progress.for_better.weight, progress.for_not_better.weight)
        assert progress.add(difference) is None
        seen.append((weights, progress.for_better.micronats, progress.for_not_better.micronats))
    assert seen == [
        ((434_299, 434_299), 129_325, -130_310),
        ((426_543, 436_690), 59_120, -48_379),
        ((453_181, 457_409), 254_763, -273_250),
    ]


def test_T14_E2_the_worked_blocks_over_and_over_are_better_at_block_30() -> None:
    progress = judge(terms(4), WORKED * 100)
    assert (progress.verdict, progress.blocks, progress.for_better.micronats) == (Verdict.BETTER, 30, 3_148_594)
    assert words_of(progress)[0] == "NEW better: 23 to 1, needs 20 to 1"


def test_T14_E3_the_worked_blocks_of_two() -> None:
    progress = SequentialTest(terms(2))
    seen = []
    for difference in (2880, 0, -1440):
        progress.add(difference)
        seen.append((progress.for_better.micronats, progress.for_not_better.micronats))
    assert seen == [(108_855, -114_726), (108_855, -108_569), (49_634, -45_320)]


def test_T14_E4_draws_for_ever_are_not_better_at_block_95() -> None:
    progress = judge(terms(4), [0] * 5000)
    assert (progress.verdict, progress.blocks, progress.for_not_better.micronats) == (Verdict.NOT_BETTER, 95, 3_002_874)


def test_T14_9_copies_halve_the_starting_squares() -> None:
    once, _ = opening_processes(0, 30_000, 4)
    twice, _ = opening_processes(0, 30_000, 4, copies=2)
    assert once.squares == 2 * twice.squares
    assert judge(terms(4, copies=2), [0] * 5000).verdict is Verdict.NOT_BETTER


def test_T14_5_block_1_may_be_judged() -> None:
    """There is no first look: bold terms are decided by the first block."""
    bold = terms(2, elo1=Decimal(900), alpha=Decimal("0.6"))
    assert judge(bold, [2880]).verdict is Verdict.BETTER


def test_T14_5_better_is_judged_first_and_the_limit_last() -> None:
    agreed = terms(4, max_blocks=30)
    assert judge(agreed, WORKED * 10).verdict is Verdict.BETTER
    progress = judge(terms(4, max_blocks=29), WORKED * 10)
    assert (progress.verdict, progress.blocks) == (Verdict.INCONCLUSIVE, 29)


def test_T14_7_nothing_is_judged_after_the_verdict() -> None:
    progress = judge(terms(4), WORKED * 10)
    with pytest.raises(ValueError, match=r"T14\.7: the verdict better stands"):
        progress.add(0)


@pytest.mark.parametrize(("elo0", "elo1"), [(-10, 0), (0, 20), (5, 6), (-100, -50)])
def test_T18_not_worse_is_asked_like_better(elo0: int, elo1: int) -> None:
    """At elo0 - 50 every question ends in `not better`, at elo1 + 50 in `better`."""
    agreed = terms(4, elo0=Decimal(elo0), elo1=Decimal(elo1), max_blocks=100_000)
    for shift, wanted in ((Decimal(elo0 - 50), Verdict.NOT_BETTER), (Decimal(elo1 + 50), Verdict.BETTER)):
        mean = terms(4, elo0=shift, elo1=shift + 1).mu0 * 4 * UNIT // 10**6
        swings = [mean + swing for swing in (-2000, 2000, 700, -700)] * 2000
        assert judge(agreed, swings).verdict is wanted


def test_T19_8_one_dropped_block_is_forgiven_and_two_in_a_hundred() -> None:
    agreed = terms(4, max_blocks=100)
    quiet = [240, -240] * 100
    longer = terms(4, elo1=Decimal(1), max_blocks=100)
    assert judge(agreed, [None, *WORKED * 10]).verdict is Verdict.BETTER
    progress = judge(agreed, [None, None, *WORKED * 10])
    assert (progress.verdict, progress.blocks, progress.dropped) == (Verdict.INVALID, 32, 2)
    assert judge(longer, [None, None, *quiet]).verdict is Verdict.INCONCLUSIVE
    assert judge(longer, [None, None, None, *quiet]).verdict is Verdict.INVALID


def test_T19_8_dropped_blocks_alone_decide_nothing_before_the_limit_that_counts_them() -> None:
    progress = judge(terms(4, max_blocks=10), [None] * 9)
    assert progress.verdict is None
    assert (progress.add(None), progress.blocks, progress.judged) == (Verdict.INVALID, 10, [])


def test_T14_6_the_sentences() -> None:
    agreed = terms(4)
    would = "this verdict would have come with probability at most 5 %, over all looks."
    where = "at these tables, while this was played"
    assert verdict_sentence(Verdict.BETTER, agreed) == f"NEW scores more than OLD {where}; had it not, {would}"
    assert verdict_sentence(Verdict.NOT_BETTER, agreed, "mine", "yours") == (
        f"mine is not 20 Elo better {where}; had it been, {would}"
    )
    for verdict in Verdict:
        assert "sure" not in verdict_sentence(verdict, agreed)


def test_T14_6_other_questions_get_their_own_words() -> None:
    worse = terms(3, elo0=Decimal(-10), elo1=Decimal(0), alpha=Decimal("0.025"))
    assert verdict_sentence(Verdict.BETTER, worse).startswith(
        "NEW is less than 10 Elo worse than OLD at these tables, while this was played; had it not been, this verdict"
        " would have come with probability at most 2.5 %"
    )
    assert verdict_sentence(Verdict.NOT_BETTER, worse).startswith(
        "NEW scores less than OLD at these tables, while this was played; had it not,"
    )
    more = terms(3, elo0=Decimal("7.5"), elo1=Decimal(30))
    assert verdict_sentence(Verdict.BETTER, more).startswith("NEW is more than 7.5 Elo better than OLD")
    less = terms(3, elo0=Decimal(-30), elo1=Decimal(-10))
    assert verdict_sentence(Verdict.NOT_BETTER, less).startswith(
        "NEW is more than 10 Elo worse at these tables, while this was played; had it not been,"
    )


def test_T14_8_tests_of_one_pair_are_counted() -> None:
    assert repeats_words(1, terms(4)) == "the first test of this pair in this ledger"
    assert repeats_words(3, terms(4)) == "test 3 of this pair in this ledger; over all of them: alpha <= 3 x 0.05"


def test_T14_13_who_chose_the_seed_is_said() -> None:
    assert seed_words(SeedBy.ARENA) == "seed drawn by the arena"
    assert seed_words(SeedBy.CALLER) == "seed chosen by the caller"
    assert seed_words("") == "nobody knows who chose its seed"


def test_T14_9_what_is_printed_with_copies() -> None:
    assert "half of the seats were NEW" in COPIES_WARNING


def test_T19_12_an_e_value_is_rounded_down_and_its_need_is_not() -> None:
    assert [e_value(micronats) for micronats in (0, 693_147, 693_148, 2_995_732, 2_995_733, -5)] == [1, 1, 2, 19, 20, 0]
    third = SequentialTest(terms(4, alpha=Decimal("0.03"), beta=Decimal("0.0001")))
    assert words_of(third, "mine") == (
        "mine better: 1 to 1, needs 34 to 1",
        "mine not better: 1 to 1, needs 10,000 to 1",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": Decimal(20)},
        {"elo1": Decimal(-1)},
        {"elo1": Decimal(100_000)},
        {"alpha": Decimal(0)},
        {"beta": Decimal(1)},
        {"max_blocks": 0},
        {"copies": 2, "seats": 3},
    ],
)
def test_T14_5_terms_that_make_no_sense_are_refused(wrong: dict[str, Decimal]) -> None:
    with pytest.raises(ValueError, match=r"T14"):
        terms(**{"seats": 4, **wrong})  # type: ignore[arg-type]  # that is the point


def test_T14_2_a_difference_beyond_the_block_is_refused() -> None:
    with pytest.raises(ValueError, match=r"T14\.2"):
        SequentialTest(terms(2)).add(2881)


def test_T14_5_the_terms_say_what_was_asked() -> None:
    asked = terms(5, elo0=Decimal("-2.5"), elo1=Decimal("12.25"), alpha=Decimal("0.01"), beta=Decimal("0.2"))
    assert (asked.elo0, asked.elo1) == (Decimal("-2.5"), Decimal("12.25"))
    assert (asked.alpha, asked.beta) == (Decimal("0.01"), Decimal("0.2"))
    assert (percent(asked.alpha), percent(Decimal("0.10")), percent(Decimal("0.001"))) == ("1 %", "10 %", "0.1 %")


def exact_floor_log(value: Fraction) -> int:
    with localcontext() as context:
        context.prec = 80
        return floor((Decimal(value.numerator) / Decimal(value.denominator)).ln() * 10**6)


@given(st.integers(1, 10**30), st.integers(1, 10**30))
def test_T14_4_logarithms_are_rounded_down_exactly(numerator: int, denominator: int) -> None:
    expected = exact_floor_log(Fraction(numerator, denominator)) if numerator != denominator else 0
    assert floor_log(numerator, denominator) == expected
    assert ceil_log(denominator, numerator) == -expected


@given(st.integers(-2_000_000, 2_000_000), st.integers(-3, 3))
def test_T14_4_logarithms_near_a_whole_number_are_rounded_down_exactly(wanted: int, off: int) -> None:
    """The fraction nearest to e^(wanted/10^6) with a denominator of 10^24, and its neighbours: no float can tell."""
    with localcontext() as context:
        context.prec = 60
        numerator = int((Decimal(wanted) / 10**6).exp() * 10**24) + off
    expected = exact_floor_log(Fraction(numerator, 10**24)) if numerator != 10**24 else 0
    assert floor_log(numerator, 10**24) == expected


tables = st.sampled_from([(2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (5, 2)])
blocks = st.lists(st.integers(-UNIT * 2, UNIT * 2), max_size=60)


@given(tables, blocks, st.sampled_from([(0, 20), (-10, 0), (0, 400), (-700, 700), (3, 4)]))
def test_T14_4_the_capitals_are_those_of_the_clause_written_once_more(
    table: tuple[int, int], differences: list[int], elos: tuple[int, int]
) -> None:
    """Plain fractions and eighty digits, with the evidence of every step checked: it is never gone."""
    seats, copies = table
    agreed = terms(seats, copies=copies, elo0=Decimal(elos[0]), elo1=Decimal(elos[1]))
    for process, null, sign in zip(
        opening_processes(agreed.mu0, agreed.mu1, seats, copies), (agreed.mu0, agreed.mu1), (1, -1), strict=True
    ):
        scale = 10**6 * seats * UNIT
        step = (agreed.mu1 - agreed.mu0) * seats * UNIT
        n, a, q = 10, 0, floor(Fraction(10 * scale**2 * (seats + 1), 6 * (seats - 1) ** 2) / copies)
        cap = floor(Fraction(2**20 * 9 * 10**6, 10 * (10**6 + abs(null))))
        micronats = 0
        for difference in differences:
            z = sign * (10**6 * difference - null * seats * UNIT)
            weight = min(cap, floor(Fraction(max(step * n, a - isqrt(q)) * scale * 2**20, q)))
            factor = 1 + Fraction(weight * z, 2**20 * scale)
            assert weight >= 0
            assert factor >= Fraction(1, 10)
            micronats += exact_floor_log(factor) if factor != 1 else 0
            a, q, n = a + z, q + z * z, n + 1
            assert process.weight == weight
            process.add(difference)
        assert (process.micronats, process.total, process.squares, process.blocks) == (micronats, a, q, n)


def outcomes(seats: int, mean: int) -> Sequence[tuple[int, Fraction]]:
    """A lottery over the two ends of a block that has exactly this mean, in millionths."""
    high = (Fraction(mean, 10**6) + 1) / 2
    return ((seats * UNIT, high), (-seats * UNIT, 1 - high))


@given(tables, st.lists(st.integers(-UNIT * 2, UNIT * 2), max_size=20))
def test_T14_4_evidence_expects_no_gain_under_its_null(table: tuple[int, int], differences: list[int]) -> None:
    """Whatever came before, the mean of the next factor is 1 on the boundary, and rounding only takes away."""
    seats, copies = table
    agreed = terms(seats, copies=copies)
    for process in opening_processes(agreed.mu0, agreed.mu1, seats, copies):
        for difference in differences:
            process.add(difference)
        expected, rounded = Fraction(0), Decimal(0)
        for difference, chance in outcomes(seats, process.null):
            z = process.direction * (10**6 * difference - process.null * seats * UNIT)
            expected += chance * (1 + Fraction(process.weight * z, WEIGHT_UNIT * process.scale))
            after = _copy(process)
            after.add(difference)
            gain = (Decimal(after.micronats - process.micronats) / 10**6).exp()
            rounded += Decimal(chance.numerator) / Decimal(chance.denominator) * gain
        assert expected == 1
        assert rounded <= 1 + Decimal(10) ** (2 - getcontext().prec)


def _copy(process: EProcess) -> EProcess:
    return EProcess(**{name: getattr(process, name) for name in EProcess.__slots__})


@given(st.lists(st.integers(-UNIT * 4, UNIT * 4), max_size=40), st.integers(0, 40))
def test_T14_7_a_verdict_depends_on_no_later_block(differences: list[int], cut: int) -> None:
    agreed = terms(4, elo1=Decimal(200), alpha=Decimal("0.2"), beta=Decimal("0.2"), max_blocks=30)
    whole, part = judge(agreed, differences), judge(agreed, differences[:cut])
    if part.verdict is not None:
        assert part == whole
    elif whole.verdict is not None:
        assert whole.blocks > len(differences[:cut])


def test_T14_5_bounds_are_rounded_up() -> None:
    assert error_bound(Decimal("0.05")) == 2_995_733 > 1e6 * log(20)
    assert error_bound(Decimal("0.05"), sides=2) == 3_688_880
    assert error_bound(Decimal("0.5")) == 693_148
