"""9.12: is B better than A? A sequential test over rotated same-seed blocks with both at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import erf, log, sqrt
from statistics import fmean, pvariance

from ratings.points import UNIT, game_points

VARIANCE_FLOOR = 1e-6


class Verdict(StrEnum):
    """Where a comparison stands."""

    GOING_ON = "going on"
    BETTER = "better"
    NOT_BETTER = "not better"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Terms:
    """9.12: what is tested: B is `elo0` better against B is `elo1` better, with these error rates and limits."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    first_look: int = 30
    most_blocks: int = 5000

    @property
    def lower(self) -> float:
        """At or below this the first hypothesis is taken."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this the second hypothesis is taken."""
        return log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Comparison:
    """9.12: what the blocks say so far."""

    blocks: int
    mean: float
    """Mean of points of B less points of A, in points a game."""
    variance: float
    """Of the blocks' means."""
    llr: float
    """The log-likelihood ratio of the two hypotheses."""
    verdict: Verdict
    elo: float
    error: float
    """Half of the 95 % interval of `elo`."""
    los: float
    """The likelihood that B is the stronger."""
    block_gain: float
    """How many single games with other seeds a game of a block is worth; 1: the same seeds are useless here."""


def slope(seats: int) -> float:
    """9.12: points a game that one Elo of difference is worth at a table of this size."""
    return log(10) / 1600 * seats / (seats - 1)


def difference(places: Sequence[int], seat_a: int, seat_b: int) -> int:
    """9.12: points of B less points of A in one game, in units."""
    points = game_points(places)
    return points[seat_b] - points[seat_a]


def compare(blocks: Sequence[Sequence[int]], seats: int, terms: Terms | None = None) -> Comparison:
    """9.12: judge the blocks played so far; each holds the differences of its games, in units."""
    terms = terms or Terms()
    if not blocks or not all(blocks):
        raise ValueError("9.12: there is nothing to compare without a block, or with an empty one")
    means = [fmean(block) / UNIT for block in blocks]
    count, mean = len(means), fmean(means)
    variance = max(VARIANCE_FLOOR, pvariance(means))
    per_elo = slope(seats)
    mu0, mu1 = terms.elo0 * per_elo, terms.elo1 * per_elo
    llr = count * (mu1 - mu0) * (2 * mean - mu0 - mu1) / (2 * variance)
    spread = sqrt(variance / count)
    return Comparison(
        blocks=count,
        mean=mean,
        variance=variance,
        llr=llr,
        verdict=_verdict(count, llr, terms),
        elo=mean / per_elo,
        error=1.96 * spread / per_elo,
        los=(1 + erf(mean / spread / sqrt(2))) / 2,
        block_gain=_block_gain(blocks, variance),
    )


def _verdict(count: int, llr: float, terms: Terms) -> Verdict:
    if count < terms.first_look:
        return Verdict.GOING_ON
    if llr >= terms.upper:
        return Verdict.BETTER
    if llr <= terms.lower:
        return Verdict.NOT_BETTER
    return Verdict.INCONCLUSIVE if count >= terms.most_blocks else Verdict.GOING_ON


def _block_gain(blocks: Sequence[Sequence[int]], variance: float) -> float:
    """9.12: the variance of single games over the games of a block, by the variance of blocks."""
    games = [game / UNIT for block in blocks for game in block]
    return pvariance(games) / (len(games) / len(blocks)) / variance
