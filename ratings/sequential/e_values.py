"""T15.2: e-values: the evidence against "A does not score more than B by m", whatever the order of the blocks."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import exp, floor, fsum, log, log1p

from ratings.points.points import UNIT
from ratings.sequential.exact_log import DIGITS, FLOAT_MARGIN, MILLION, whole_part

WEIGHTS = tuple(Fraction(9, 10 * 2**j) for j in range(5))
"""T15.2: the weights of a block in the five products whose mean is the e-value."""

FLOAT_ERROR = 2.0**-48
"""The largest relative error of a sum of logarithms in floats: their own, and that of a product with a count."""

PointsDifference = tuple[int, int]
"""The seats of a block and its D (T14.2): an e-value depends on how often each was seen, and on nothing else."""

Counts = Mapping[PointsDifference, int]
Means = Mapping[int, int]
"""The mean of the hypothesis for every table size, in millionths."""

UP, DOWN = 1, -1
"""The two sides: UP is evidence against "mean <= m", DOWN against "mean >= m"."""

NOUGHT: Means = dict.fromkeys(range(2, 6), 0)


def mirrored(counts: Counts) -> dict[PointsDifference, int]:
    """T19.1: the same blocks, as the other bot sees them."""
    return {(seats, -difference): count for (seats, difference), count in counts.items()}


def log_e_value(counts: Counts, side: int, means: Means = NOUGHT) -> int:
    """T15.2: floor(10^6 ln K), exactly, for K = (1/5) sum_j prod_b (1 +- s_j (x_b - m)/(1 + |m|)).

    Floats decide where their floor cannot be wrong, decimal arithmetic of 50 digits and more elsewhere.
    """
    rows = [
        (count, _float_logs(seats, difference, means[seats], side))
        for (seats, difference), count in counts.items()
        if count and MILLION * difference != means[seats] * seats * UNIT  # else its factors are 1
    ]
    if not rows:
        return 0
    sums = [fsum(count * logs[at] for count, logs in rows) for at in range(len(WEIGHTS))]
    most = max(sums)
    value = 1e6 * (most + log(fsum(exp(each - most) for each in sums) / len(WEIGHTS)))
    # The largest weight moves most, so its logarithms bound the error of all.
    error = 1e6 * FLOAT_ERROR * (1 + sum(count * max(map(abs, logs)) for count, logs in rows))
    if abs(value - round(value)) > FLOAT_MARGIN + error:
        return floor(value)
    return _log_e_value_by_decimals(counts, side, means)


@lru_cache(maxsize=1 << 16)
def _float_logs(seats: int, difference: int, mean: int, side: int) -> tuple[float, ...]:
    block = seats * UNIT
    gain = side * (MILLION * difference - mean * block) / (block * (MILLION + abs(mean)))
    # Weights below 1 keep every factor at 0.1 or more, so that log1p loses nothing near -1.
    return tuple(log1p(gain * float(weight)) for weight in WEIGHTS)


def _log_e_value_by_decimals(counts: Counts, side: int, means: Means) -> int:
    digits = DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits + 10
            e_value = Decimal(0)
            for weight in WEIGHTS:
                total = Decimal(0)
                for (seats, difference), count in counts.items():
                    mean, block = means[seats], seats * UNIT
                    gain = Fraction(MILLION * difference - mean * block, block * (MILLION + abs(mean)))
                    factor = 1 + side * weight * gain
                    total += count * (Decimal(factor.numerator) / Decimal(factor.denominator)).ln()
                e_value += total.exp() / len(WEIGHTS)
            found = whole_part(e_value.ln() * MILLION, digits)
        if found is not None:
            return found
        digits *= 2
