"""T15.2: the money of five gamblers against "A does not score more than B by m", whatever the order of the blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import exp, floor, fsum, log, log1p

from ratings.points.points import UNIT
from ratings.sequential.exact_log import DIGITS, FLOAT_MARGIN, MILLION, whole_part

STAKES = tuple(Fraction(9, 10 * 2**j) for j in range(5))
"""T15.2: the share of what could be lost that each of the five bets on every block."""

FLOAT_ERROR = 2.0**-48
"""The greatest relative error of a sum of logarithms in floats: their own, and that of a product with a count."""

PointsDifference = tuple[int, int]
"""The seats of a block and its D (T14.2): money depends on how often each was seen, and on nothing else."""

Counts = Mapping[PointsDifference, int]
Means = Mapping[int, int]
"""For every table size the mean that is bet against, in millionths."""

UP, DOWN = 1, -1
"""The two sides: UP bets against "mean <= m", DOWN against "mean >= m"."""

NOUGHT: Means = dict.fromkeys(range(2, 6), 0)


def counts_of(differences: Iterable[PointsDifference]) -> Counter[PointsDifference]:
    """T15.2: how often each difference was seen at each size of table."""
    return Counter(differences)


def mirrored(counts: Counts) -> dict[PointsDifference, int]:
    """T19.1: the same blocks, as the other bot sees them."""
    return {(seats, -difference): count for (seats, difference), count in counts.items()}


def log_money(counts: Counts, side: int, means: Means = NOUGHT) -> int:
    """T15.2: floor(10^6 ln K), exactly, for K = (1/5) sum_j prod_b (1 +- s_j (x_b - m)/(1 + |m|)).

    Floats decide where their floor cannot be wrong, decimal arithmetic of 50 digits and more elsewhere.
    """
    rows = [
        (count, _float_logs(seats, difference, means[seats], side))
        for (seats, difference), count in counts.items()
        if count and MILLION * difference != means[seats] * seats * UNIT  # a bet that changes nothing
    ]
    if not rows:
        return 0
    sums = [fsum(count * logs[stake] for count, logs in rows) for stake in range(len(STAKES))]
    most = max(sums)
    value = 1e6 * (most + log(fsum(exp(each - most) for each in sums) / len(STAKES)))
    # The largest stake moves most, so its logarithms bound the error of all.
    error = 1e6 * FLOAT_ERROR * (1 + sum(count * max(map(abs, logs)) for count, logs in rows))
    if abs(value - round(value)) > FLOAT_MARGIN + error:
        return floor(value)
    return _log_money_by_decimals(counts, side, means)


def _factor(seats: int, difference: int, mean: int, side: int, stake: Fraction) -> Fraction:
    """T15.2: what a block does to the money of one gambler."""
    block = seats * UNIT
    return 1 + side * stake * Fraction(MILLION * difference - mean * block, block * (MILLION + abs(mean)))


@lru_cache(maxsize=1 << 16)
def _float_logs(seats: int, difference: int, mean: int, side: int) -> tuple[float, ...]:
    block = seats * UNIT
    gain = side * (MILLION * difference - mean * block) / (block * (MILLION + abs(mean)))
    # Stakes below 1 keep every factor at 0.1 or more, so that log1p loses nothing near -1.
    return tuple(log1p(gain * float(stake)) for stake in STAKES)


def _log_money_by_decimals(counts: Counts, side: int, means: Means) -> int:
    digits = DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits + 10
            money = Decimal(0)
            for stake in STAKES:
                total = Decimal(0)
                for (seats, difference), count in counts.items():
                    factor = _factor(seats, difference, means[seats], side, stake)
                    total += count * (Decimal(factor.numerator) / Decimal(factor.denominator)).ln()
                money += total.exp() / len(STAKES)
            found = whole_part(money.ln() * MILLION, digits)
        if found is not None:
            return found
        digits *= 2
