"""Student's distribution and Holm's procedure, as T21.6 uses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, sqrt

TERMS = 500
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class TailTest:
    """A one-sided test of a mean against a margin."""

    mean: float
    error: float
    """The standard error of the mean."""
    freedom: float

    def p(self, margin: float) -> float:
        """T21.6: the chance of such a mean or a larger one, were the true mean the margin."""
        return upper_tail(_ratio(self.mean - margin, self.error), self.freedom)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """T21.9: the interval that holds the true mean with this probability."""
        width = quantile((1 - level) / 2, self.freedom) * self.error
        return self.mean - width, self.mean + width


def _ratio(gain: float, error: float) -> float:
    if error > 0:
        return gain / error
    return inf if gain > 0 else -inf


def tail_test(values: Sequence[float]) -> TailTest:
    """T21.6: the test of a mean by the values of at least two blocks."""
    count, mean, variance = _moments(values)
    return TailTest(mean, sqrt(variance / count), count - 1)


def welch(ones: Sequence[float], others: Sequence[float]) -> TailTest:
    """T21.8: the test of a difference of means by Welch, the first less the second."""
    (count, mean, variance), (other_count, other_mean, other_variance) = _moments(ones), _moments(others)
    part, other_part = variance / count, other_variance / other_count
    below = part**2 / (count - 1) + other_part**2 / (other_count - 1)
    freedom = (part + other_part) ** 2 / below if below else count + other_count - 2
    return TailTest(mean - other_mean, sqrt(part + other_part), freedom)


def _moments(values: Sequence[float]) -> tuple[int, float, float]:
    count = len(values)
    mean = sum(values) / count
    return count, mean, sum((value - mean) ** 2 for value in values) / (count - 1)


def upper_tail(t: float, freedom: float) -> float:
    """Return the chance that Student's t is at least this."""
    if t in (inf, -inf):
        return float(t < 0)
    half = beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return half if t >= 0 else 1 - half


def quantile(tail: float, freedom: float) -> float:
    """Return the t, at least 0, whose upper tail is this share of at most one half."""
    low, high = 0.0, 1.0
    while upper_tail(high, freedom) > tail:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, freedom) > tail else (low, middle)
    return high


def beta_share(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # there the fraction converges slowly, and its mirror image fast
        return 1 - beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / _kept_off_zero(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, TERMS):
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _kept_off_zero(1 + top * d)
            c = _kept_off_zero(1 + top / c)
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * found


def _kept_off_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def holm(chances: Sequence[float]) -> list[float]:
    """T21.6: the p of every hypothesis adjusted by Holm for all of them, in the order given."""
    adjusted = [0.0] * len(chances)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda place: chances[place])):
        largest = max(largest, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = largest
    return adjusted
