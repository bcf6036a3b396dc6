"""T15: the better of two bots and how certain that is, by an interval valid at every look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import StrEnum
from fractions import Fraction
from math import erf, log, sqrt
from statistics import fmean, pvariance, variance

import numpy as np

from ratings.points.finishes import Floats
from ratings.points.points import UNIT
from ratings.sequential.e_process import opening_processes
from ratings.sequential.e_values import DOWN, UP, WEIGHTS, log_e_value
from ratings.sequential.exact_log import MILLION, exp_micronats
from ratings.sequential.link import elo_of_mean, elo_tenths, mean_of_elo, slope_at
from ratings.sequential.test import DEFAULT_ELO0, DEFAULT_ELO1, DEFAULT_ERROR, Verdict, error_bound

GRID = 10_000
"""T15.3: the ends of an interval are multiples of this part of a point."""

VARIANCE_FLOOR = 1e-6
"""T12: the smallest variance of block differences."""

NORMAL_95 = 1.96
"""T14.11: standard errors to either side that hold the truth in 95 % of cases, at one look."""

OPEN = "open"
"""T15.7: the word of a comparison that decides nothing yet."""

ANY_LOOK_VARIANCE = 8.4
"""T15.5: tunes the model's interval for any look."""


class Leader(StrEnum):
    """T15.4: the bot that the evidence favours."""

    A = "A"
    B = "B"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Interval:
    """T15.3: the means that are not ruled out, in 1/10,000 of a point; -1 and 1 are open ends."""

    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class Certainty:
    """T15.4: the largest e-value of either side at any look, and the certainty that follows."""

    for_a: int
    """The largest ln K+(0) over all looks, in micro-nats."""
    for_b: int
    leader: Leader
    sure: int
    """In tenths of a percent, rounded down."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """T15: the comparison of A and B at tables of one size; differences are A minus B (T19.1)."""

    seats: int
    blocks: int
    total: int
    """The sum of D over the blocks, in units."""
    interval: Interval
    elo_tenths: int | None
    """The mean as Elo; None where it has none, as before the first block."""
    elo_error_tenths: int | None
    """T14.11: its error at one look; None where it is unknown."""
    lower_elo_tenths: int | None
    """Rounded outwards; None where the interval is open on this side."""
    upper_elo_tenths: int | None
    certainty: Certainty

    @property
    def mean(self) -> Fraction:
        """The mean difference of points per game."""
        return mean_difference(self.total, self.blocks, self.seats)


def compare(differences: Sequence[int], seats: int, alpha: Decimal = DEFAULT_ERROR, copies: int = 1) -> Comparison:
    """T15: judge the blocks of one table size, given by D in canonical order (T19.4)."""
    interval = interval_at_any_look(differences, seats, alpha)
    total = sum(differences)
    return Comparison(
        seats=seats,
        blocks=len(differences),
        total=total,
        interval=interval,
        elo_tenths=elo_tenths(mean_difference(total, len(differences), seats), seats, copies) if differences else None,
        elo_error_tenths=elo_error_tenths(differences, seats, copies),
        lower_elo_tenths=elo_tenths(Fraction(interval.lower, GRID), seats, copies, rounding=ROUND_FLOOR),
        upper_elo_tenths=elo_tenths(Fraction(interval.upper, GRID), seats, copies, rounding=ROUND_CEILING),
        certainty=certainty(differences, seats),
    )


def mean_difference(total: int, blocks: int, seats: int) -> Fraction:
    """T15.2: the mean of x = D/(kU); 0 before the first block."""
    return Fraction(total, blocks * seats * UNIT) if blocks else Fraction(0)


def elo_error_tenths(differences: Sequence[int], seats: int, copies: int = 1) -> int | None:
    """T14.11: the error of the Elo difference at one look, in tenths; None where it is unknown.

    That is so before the second block, where all blocks are alike, and at a mean without an Elo.
    """
    if len(set(differences)) < 2:
        return None
    elo = elo_of_mean(mean_difference(sum(differences), len(differences), seats), seats, copies)
    if elo is None:
        return None
    spread = _standard_error([difference / (seats * UNIT) for difference in differences])
    return round(10 * NORMAL_95 * spread / slope_at(elo, seats, copies))


def _standard_error(means: Sequence[float]) -> float:
    """T12.1: the standard error of the mean over blocks."""
    return sqrt(max(VARIANCE_FLOOR, variance(means)) / len(means))


@dataclass(frozen=True, slots=True)
class EvidenceCurves:
    """T15.7: the evidence of T14.4 after 0, 1, 2, ... blocks, in micro-nats, and what it decides."""

    for_better: tuple[int, ...]
    for_not_better: tuple[int, ...]
    bound: int
    verdict: Verdict | None

    @property
    def word(self) -> str:
        """The verdict as it is shown."""
        return OPEN if self.verdict is None else self.verdict.value


def evidence_curves(
    differences: Sequence[int], seats: int, alpha: Decimal = DEFAULT_ERROR, copies: int = 1
) -> EvidenceCurves:
    """T15.7: the verdict of a comparison: the question of T14 put to blocks that were played anyway.

    Evidence that once reached its bound keeps its error rate at every later look; the mean of all blocks takes a
    verdict back that they contradict.
    """
    mu0, mu1 = (mean_of_elo(elo, seats, copies) for elo in (DEFAULT_ELO0, DEFAULT_ELO1))
    better, not_better = opening_processes(mu0, mu1, seats, copies)
    bound = error_bound(alpha)
    curves: tuple[list[int], list[int]] = ([0], [0])
    for difference in differences:
        for process, curve in zip((better, not_better), curves, strict=True):
            process.add(difference)
            curve.append(process.micronats)
    mean = mean_difference(sum(differences), len(differences), seats) * MILLION
    verdict = None
    if max(curves[0]) >= bound and mean > mu0:
        verdict = Verdict.BETTER
    elif max(curves[1]) >= bound and mean < mu1:
        verdict = Verdict.NOT_BETTER
    return EvidenceCurves(tuple(curves[0]), tuple(curves[1]), bound, verdict)


def interval_at_any_look(differences: Sequence[int], seats: int, alpha: Decimal = DEFAULT_ERROR) -> Interval:
    """T15.3: the interval that holds the true mean at every look with probability 1 - alpha.

    Lower is the largest m with K+(m) >= 2/alpha, upper the smallest with K-(m) >= 2/alpha; -1 and 1 if there is none.
    """
    counts = Counter((seats, difference) for difference in differences)
    bound = error_bound(alpha, sides=2)

    def is_ruled_out(side: int, mean: int) -> bool:
        return log_e_value(counts, side, {seats: mean * (MILLION // GRID)}) >= bound

    lower = _last(lambda mean: is_ruled_out(UP, mean))
    upper = _last(lambda mean: is_ruled_out(DOWN, -mean))
    return Interval(lower, -upper)


def _last(is_true: Callable[[int], bool]) -> int:
    """Find the last true mean of the grid by bisection, or -1: e-values are monotone in the mean."""
    low, high = -GRID, GRID
    while low < high:
        middle = (low + high + 1) // 2
        if is_true(middle):
            low = middle
        else:
            high = middle - 1
    return low


def certainty(differences: Sequence[int], seats: int) -> Certainty:
    """T15.4 and T19.3: the largest K+(0) and K-(0) after 0, 1, 2, ... blocks, and the certainty that follows."""
    for_a, for_b = (max_log_e_value(differences, seats, side) for side in (UP, DOWN))
    leader = Leader.NOBODY if for_a == for_b else Leader.A if for_a > for_b else Leader.B
    sure = 0 if leader is Leader.NOBODY else sure_tenths(max(for_a, for_b))
    return Certainty(for_a, for_b, leader, sure)


def sure_tenths(micronats: int) -> int:
    """T15.4: max(0, 1 - 2/e) in tenths of a percent, rounded down; e is given in micro-nats."""
    return max(0, int(1000 - 2000 * exp_micronats(-micronats)))


def max_log_e_value(differences: Sequence[int], seats: int, side: int) -> int:
    """T19.3: the largest floor(10^6 ln K(0)) after 0, 1, 2, ... blocks."""
    # A draw changes no e-value, so looks differ by more than the floats' error, rare near ties aside.
    decisive = [difference for difference in differences if difference]
    curve = e_value_curve(decisive, seats, side)
    near = np.flatnonzero(curve >= curve.max() - 1.0)
    return max(log_e_value(Counter((seats, found) for found in decisive[:look]), side) for look in near.tolist())


def e_value_curve(differences: Sequence[int], seats: int, side: int) -> Floats:
    """T19.3: 10^6 ln K(0) after 0, 1, 2, ... blocks, in floats: for charts, not for verdicts."""
    found = np.asarray(differences, dtype=np.int64)
    values, codes = np.unique(found, return_inverse=True)
    weights = np.array([float(weight) for weight in WEIGHTS])
    logs = np.log1p(side * values[:, None] / (seats * UNIT) * weights[None, :])
    sums = np.zeros((len(found) + 1, len(WEIGHTS)))
    # Counts are exact, so the floats' error does not grow from look to look.
    for code in range(len(values)):
        sums[1:] += np.cumsum(codes == code)[:, None] * logs[code]
    most = sums.max(axis=1)
    curve: Floats = 1e6 * (most + np.log(np.exp(sums - most[:, None]).mean(axis=1)))
    return curve


def block_gain(games: Sequence[Sequence[int]]) -> float:
    """T12.2: the number of independent games that a game of a block is worth; 1 means that shared seeds gain nothing.

    `games` holds the differences of every block's games, in units.
    """
    if not games or not all(games):
        raise ValueError("T12: the block gain needs at least one block, and none empty")
    singles = [game / UNIT for block in games for game in block]
    means = [sum(block) / len(block) / UNIT for block in games]
    return pvariance(singles) / (len(singles) / len(games)) / max(VARIANCE_FLOOR, pvariance(means))


def one_look_los(means: Sequence[float]) -> float:
    """T12.1: the likelihood that A is better, from the mean difference of each block; label it "LOS (one look)".

    It holds for one look planned beforehand, and MUST NOT decide anything (T15.4).
    """
    return (1 + erf(fmean(means) / _standard_error(means) / sqrt(2))) / 2


def slope(seats: int) -> float:
    """T12.3: points per game for one Elo of difference between equals at a table of this size."""
    return log(10) / 1600 * seats / (seats - 1)


def watched_half_width(error: float, alpha: float = 0.05) -> float:
    """T15.5: half of a fitted rating's interval valid at any look; label it "by the model". It decides nothing.

    `error` is the standard error in nats, and so is the result.
    """
    spread = ANY_LOOK_VARIANCE * error**2
    return error * sqrt((1 + spread) * log((1 + 1 / spread) / alpha**2))
