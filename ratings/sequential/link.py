"""T14.3: Elo differences as mean differences of points at a shared table, and back."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import log

from ratings.points.points import MAX_SEATS, MIN_SEATS
from ratings.sequential.exact_log import MILLION

DIGITS = 50
COPIES_SEATS = (4, 5)
"""T14.9: the tables that can seat two copies of each."""


def check_table(seats: int, copies: int = 1) -> None:
    """T14.9: raise ValueError unless a table of this size can hold these copies of both bots."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"T14.1: a table has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
    if copies not in (1, 2) or (copies == 2 and seats not in COPIES_SEATS):
        raise ValueError(f"T14.9: one copy of each bot, or two at tables of 4 or 5 seats, not {copies} at {seats}")


@lru_cache(maxsize=1024)
def mean_of_elo(elo: Decimal, seats: int, copies: int = 1) -> int:
    """T14.3: mu(e), the expected difference of points per game in millionths, halves rounded away from zero.

    With d = e ln10/400 it is [c tanh(d/2) + (k-2c) tanh(d/4)]/(k-1) for c copies of each bot (T14.9).
    """
    check_table(seats, copies)
    with localcontext() as context:
        context.prec = DIGITS
        root = Decimal(10) ** (elo / 800)  # e^(d/2)
        direct = (root * root - 1) / (root * root + 1)
        by_fillers = (root - 1) / (root + 1)
        mean = (copies * direct + (seats - 2 * copies) * by_fillers) / (seats - 1)
        return int((mean * MILLION).to_integral_value(ROUND_HALF_UP))


def greatest_mean(seats: int, copies: int = 1) -> Fraction:
    """T14.3: the mean that no difference of Elo reaches: 1, or less where copies take points from each other."""
    return Fraction(seats - copies, seats - 1)


@lru_cache(maxsize=4096)
def elo_of_mean(mean: Fraction, seats: int, copies: int = 1) -> Decimal | None:
    """T14.3: the Elo difference that gives this mean of points; None where none does, as at +-1.

    t = tanh(d/4) is the root of 2ct/(1+t^2) + (k-2c)t = (k-1)m, which rises with t.
    """
    check_table(seats, copies)
    if mean == 0:
        return Decimal(0)
    if abs(mean) >= greatest_mean(seats, copies):
        return None
    with localcontext() as context:
        context.prec = DIGITS
        wanted = (seats - 1) * abs(Decimal(mean.numerator) / Decimal(mean.denominator))
        low, high = Decimal(0), Decimal(1)
        # Bisection: 150 steps leave less than 10^-45.
        for _ in range(150):
            middle = (low + high) / 2
            if 2 * copies * middle / (1 + middle * middle) + (seats - 2 * copies) * middle < wanted:
                low = middle
            else:
                high = middle
        elo = 800 * ((1 + low) / (1 - low)).log10()
        return elo if mean > 0 else -elo


def slope_at(elo: Decimal, seats: int, copies: int = 1) -> float:
    """T14.11: points per game for one Elo more, at this difference: the slope of the link of T14.3.

    With t = tanh(d/4) the slopes of tanh(d/4) and tanh(d/2) are (1 - t^2)/4 and ((1 - t^2)/(1 + t^2))^2/2 per nat.
    """
    root = 10 ** (float(elo) / 800)  # e^(d/2)
    tangent = (root - 1) / (root + 1)
    by_fillers = 1 - tangent**2
    direct = (by_fillers / (1 + tangent**2)) ** 2
    per_nat = (copies * direct / 2 + (seats - 2 * copies) * by_fillers / 4) / (seats - 1)
    return per_nat * log(10) / 400


def elo_tenths(mean: Fraction, seats: int, copies: int = 1, *, rounding: str = ROUND_HALF_EVEN) -> int | None:
    """T15.3: the Elo of a mean in tenths, rounded as asked; None where there is none."""
    elo = elo_of_mean(mean, seats, copies)
    return None if elo is None else int((elo * 10).to_integral_value(rounding))
