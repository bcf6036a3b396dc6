"""Logarithms of fractions in whole millionths, rounded in a known direction, the same on every machine."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import floor, log1p

MILLION = 1_000_000

FLOAT_MARGIN = 1e-6
"""A float this far from a whole number has the right floor; its error is below a hundredth of that."""

DIGITS = 50
MAX_DIGITS = 400


def floor_log(numerator: int, denominator: int) -> int:
    """T14.4: floor(10^6 ln(numerator / denominator)), exactly.

    A float64 decides where its floor cannot be wrong, decimal arithmetic of 50 digits and more elsewhere.
    """
    gain = (numerator - denominator) / denominator
    if -0.95 < gain < 100.0:
        value = log1p(gain) * 1e6
        if abs(value - round(value)) > FLOAT_MARGIN:
            return floor(value)
    return _floor_by_decimals(numerator, denominator)


def ceil_log(numerator: int, denominator: int) -> int:
    """T14.5: ceil(10^6 ln(numerator / denominator)), exactly."""
    return -floor_log(denominator, numerator)


def _floor_by_decimals(numerator: int, denominator: int) -> int:
    if numerator == denominator:
        return 0
    digits = DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            value = (Decimal(numerator) / Decimal(denominator)).ln() * MILLION
            found = whole_part(value, digits)
        if found is not None:
            return found
        digits *= 2


def whole_part(value: Decimal, digits: int) -> int | None:
    """The floor of a value known to `digits` digits, or None if they do not suffice.

    The logarithm of a fraction other than 1 is irrational, so more digits suffice in the end; a value that hundreds of
    digits do not tell from a whole number is that number.
    """
    nearest = round(value)
    if abs(value - nearest) < Decimal(10) ** (20 - digits):
        return nearest if digits >= MAX_DIGITS else None
    return nearest if nearest < value else nearest - 1


def exp_micronats(micronats: int) -> Decimal:
    """e to the power of this many micro-nats, to 40 digits."""
    with localcontext() as context:
        context.prec = 40
        return (Decimal(micronats) / MILLION).exp()
