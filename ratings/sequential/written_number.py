"""T14.5: numbers as people and clients write them, bounded before anything is computed with them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

MAX_DIGITS = 12
"""T14.5: significant digits, and digits behind the point."""
MAX_NUMBER = 10_000
LONGEST_TEXT = 64
EXPECTED = f"expected one such as 0.05, of at most {MAX_DIGITS} digits, from -{MAX_NUMBER} to {MAX_NUMBER}"


def read_number(text: str) -> Decimal:
    """T14.5: read a number exactly as written, without a float in between. A ValueError if it is not a number.

    Logarithms are taken of the exact fraction, so that a number such as 1e-3000000 would have to be multiplied out.
    """
    try:
        number = Decimal(text) if len(text) <= LONGEST_TEXT else Decimal("nan")
    except InvalidOperation:
        number = Decimal("nan")
    _sign, digits, exponent = number.as_tuple()
    # Without any arithmetic until both are known to be small: rounding may overflow.
    is_short = isinstance(exponent, int) and len(digits) <= MAX_DIGITS and abs(exponent) <= MAX_DIGITS
    if not is_short or abs(number) > MAX_NUMBER:
        raise ValueError(f"{text[:40]!r} is not a number; {EXPECTED}")
    return number
