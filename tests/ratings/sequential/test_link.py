"""T14.3: Elo into points, and points into Elo."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from math import exp, log, tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.sequential.compare import slope
from ratings.sequential.link import check_table, elo_of_mean, elo_tenths, greatest_mean, mean_of_elo, slope_at

TABLES = [(2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (5, 2)]


def test_T14_twenty_elo_are_38350_millionths_at_a_table_of_four() -> None:
    assert mean_of_elo(Decimal(20), 4) == 38_350


def test_T14_3_the_link_is_that_of_plackett_luce_with_fillers_half_way() -> None:
    """Two bots at +-d/2 and a filler at 0: the share of opponents beaten, from the model itself."""
    d = 100 * log(10) / 400
    new, old, filler = exp(d / 2), exp(-d / 2), 1.0

    def beats(one: float, other: float) -> float:
        return one / (one + other)

    expected = (
        2 * beats(new, old) - 1 + beats(new, filler) - beats(old, filler)
    ) / 2  # points of a table of three are halves of an opponent
    assert mean_of_elo(Decimal(100), 3) == pytest.approx(1e6 * expected, abs=0.5)


def test_T14_9_the_link_of_copies() -> None:
    d = 50 * log(10) / 400
    assert mean_of_elo(Decimal(50), 5, copies=2) == round(1e6 * (2 * tanh(d / 2) + tanh(d / 4)) / 4)
    assert mean_of_elo(Decimal(50), 4, copies=2) == round(1e6 * 2 * tanh(d / 2) / 3)


@pytest.mark.parametrize(("seats", "copies"), TABLES)
def test_T14_3_halves_are_rounded_away_from_zero_on_both_sides(seats: int, copies: int) -> None:
    assert mean_of_elo(Decimal(0), seats, copies) == 0
    for tenths in range(1, 3000, 7):
        elo = Decimal(tenths) / 10
        assert mean_of_elo(-elo, seats, copies) == -mean_of_elo(elo, seats, copies) < 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_T14_3_the_slope_at_0_is_that_of_9_12(seats: int) -> None:
    assert mean_of_elo(Decimal(1), seats) == pytest.approx(1e6 * slope(seats), abs=0.51)
    assert slope_at(Decimal(0), seats) == pytest.approx(slope(seats))


@pytest.mark.parametrize(("seats", "copies"), [(2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (5, 2)])
@pytest.mark.parametrize("elo", [-500, -40, 0, 120, 700])
def test_T14_11_the_slope_of_the_link_is_what_20_elo_more_or_less_gain(seats: int, copies: int, elo: int) -> None:
    gained = mean_of_elo(Decimal(elo + 10), seats, copies) - mean_of_elo(Decimal(elo - 10), seats, copies)
    assert slope_at(Decimal(elo), seats, copies) == pytest.approx(gained / 20 / 1e6, rel=2e-3)


@pytest.mark.parametrize(("seats", "copies"), TABLES)
def test_T14_3_a_mean_beyond_every_difference_has_no_elo(seats: int, copies: int) -> None:
    greatest = greatest_mean(seats, copies)
    assert greatest == (1 if copies == 1 else Fraction(2, 3) if seats == 4 else Fraction(3, 4))
    assert elo_of_mean(greatest, seats, copies) is None
    assert elo_of_mean(-greatest, seats, copies) is None
    assert elo_tenths(Fraction(-1), seats, copies, rounding=ROUND_FLOOR) is None
    assert elo_of_mean(greatest - Fraction(1, 10**6), seats, copies) is not None


@given(st.integers(-8000, 8000), st.sampled_from(TABLES))
def test_T14_3_the_inverse_gives_back_the_elo(tenths: int, table: tuple[int, int]) -> None:
    """Within what the rounding of the mean to a millionth hides, which grows towards the ends."""
    elo = Decimal(tenths) / 10
    mean = mean_of_elo(elo, *table)
    found = elo_of_mean(Fraction(mean, 10**6), *table)
    assert found is not None
    step = elo_of_mean(Fraction(abs(mean) + 1, 10**6), *table)
    assert step is not None
    assert abs(found - elo) <= step - abs(found) + Decimal("1e-12")


@given(st.integers(-9999, 9999), st.sampled_from(TABLES[:4]))
def test_T15_3_elo_is_rounded_outwards(mean: int, table: tuple[int, int]) -> None:
    exact = elo_of_mean(Fraction(mean, 10_000), *table)
    lower, upper = (elo_tenths(Fraction(mean, 10_000), *table, rounding=end) for end in (ROUND_FLOOR, ROUND_CEILING))
    assert exact is not None
    assert lower is not None
    assert upper is not None
    assert lower <= 10 * exact <= upper
    assert upper - lower == (mean != 0)


@pytest.mark.parametrize(("seats", "copies"), [(1, 1), (6, 1), (3, 2), (2, 2), (4, 3), (4, 0)])
def test_T14_9_a_table_that_cannot_be_is_refused(seats: int, copies: int) -> None:
    with pytest.raises(ValueError, match=r"T14"):
        check_table(seats, copies)
