"""T9: the running Elo."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.elo import CERTAIN, START, RatedSeat, expected, expected_below, factor, rate, round_half_away
from ratings.points.points import competition_places

ratings = st.integers(-500_000, 4_000_000)
players = st.builds(RatedSeat, rating=ratings, games=st.integers(0, 2000), is_anchor=st.booleans())


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[RatedSeat], tuple[int, ...]]:
    table = draw(st.lists(players, min_size=2, max_size=5))
    keys = draw(st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table)))
    return table, competition_places(keys)


def test_T9_equals_who_tie_do_not_move() -> None:
    changes, bank = rate([RatedSeat(START, 0)] * 4, (1, 1, 1, 1))
    assert [change.delta for change in changes] == [0, 0, 0, 0]
    assert bank == 0


def test_T9_a_tie_moves_the_lower_rated_up() -> None:
    (low, high), bank = rate([RatedSeat(1_400_000, 460), RatedSeat(1_600_000, 460)], (1, 1))
    # K = 4 Elo, expected 0.240253073: 4000 * (0.5 - 0.240253073) = 1038.99
    assert (low.delta, high.delta, bank) == (1039, -1039, 0)
    assert (low.before + low.delta, high.before + high.delta) == (1_401_039, 1_598_961)


def test_T9_a_win_among_equal_newcomers_is_worth_half_the_factor() -> None:
    (winner, loser), bank = rate([RatedSeat(START, 0), RatedSeat(START, 0)], (1, 2))
    assert (winner.delta, loser.delta, bank) == (48_000, -48_000, 0)


def test_T9_places_at_a_table_are_the_mean_of_the_pairs() -> None:
    changes, bank = rate([RatedSeat(START, 100)] * 4, (1, 2, 3, 4))
    assert [change.delta for change in changes] == [8_001, 2_667, -2_667, -8_001]
    assert bank == 0


def test_T9_the_bank_takes_what_unequal_factors_leave() -> None:
    (newcomer, veteran), bank = rate([RatedSeat(START, 0), RatedSeat(START, 1000)], (2, 1))
    assert (newcomer.delta, veteran.delta, bank) == (-48_000, 2_000, 46_000)


def test_T9_anchors_do_not_move_and_the_bank_pays() -> None:
    (anchor, other), bank = rate([RatedSeat(1_700_000, 5, is_anchor=True), RatedSeat(START, 20)], (2, 1))
    assert (anchor.delta, anchor.factor, other.factor) == (0, 0, 48_000)
    assert bank == -other.delta < 0


@given(matches())
def test_T9_deltas_and_bank_sum_to_zero(match: tuple[list[RatedSeat], tuple[int, ...]]) -> None:
    changes, bank = rate(*match)
    assert sum(change.delta for change in changes) + bank == 0


@given(matches())
def test_T9_the_order_of_seats_does_not_matter(match: tuple[list[RatedSeat], tuple[int, ...]]) -> None:
    table, places = match
    changes, bank = rate(table, places)
    turned, turned_bank = rate(table[::-1], places[::-1])
    assert (turned[::-1], turned_bank) == (changes, bank)


@given(ratings, ratings)
def test_T9_both_expectations_add_up_to_one(own: int, other: int) -> None:
    assert expected(own, other) + expected(other, own) == CERTAIN
    if own < other:
        assert expected(own, other) < CERTAIN // 2


def test_T9_the_table_is_the_logistic_curve_rounded() -> None:
    table = tuple(map(expected_below, range(1_201)))
    assert len(table) == 1201
    assert table[0] == 500_000_000
    assert table[200] == 240_253_073
    assert table[400] == 90_909_091
    assert table[1200] == 999_001
    with localcontext() as context:
        context.prec = 40
        for difference in range(0, 1201, 37):
            exact = Decimal(10**9) / (1 + Decimal(10) ** (Decimal(difference) / 400))
            assert abs(exact - table[difference]) <= Decimal("0.5")


def test_T9_between_whole_elo_the_expectation_is_interpolated_downwards() -> None:
    table = tuple(map(expected_below, range(1_201)))
    assert expected(0, 500) == table[0] - (table[0] - table[1]) * 500 // 1000
    assert expected(0, 1_199_999) == table[1199] - (table[1199] - table[1200]) * 999 // 1000


def test_T9_differences_beyond_1200_elo_count_no_further() -> None:
    assert expected(0, 1_200_000) == expected(0, 3_000_000) == expected_below(1_200)


@pytest.mark.parametrize(("games", "elo"), [(0, 96), (20, 48), (100, 16), (460, 4), (461, 4), (10_000, 4)])
def test_T9_the_factor_falls_with_the_games(games: int, elo: int) -> None:
    assert factor(games) == elo * 1000


@given(st.integers(-(10**15), 10**15), st.integers(1, 10**10))
def test_T9_halves_are_rounded_away_from_zero(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    result = round_half_away(numerator, denominator)
    assert abs(exact - result) <= Fraction(1, 2)
    if abs(exact - result) == Fraction(1, 2):
        assert abs(result) > abs(exact)


def test_T9_places_that_do_not_fit_the_players_are_refused() -> None:
    with pytest.raises(ValueError, match=r"T9"):
        rate([RatedSeat(START, 0)] * 3, (1, 2))
