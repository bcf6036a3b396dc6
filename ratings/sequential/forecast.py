"""T16.5: a rough forecast of the games needed to decide the neighbours of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, floor, log, log10

from ratings.points.points import UNIT
from ratings.sequential.claims import Claims
from ratings.sequential.e_values import Counts
from ratings.sequential.test import SequentialTest

MIN_GAP = 12.5
"""T16.5: the smallest gap of a forecast, in Elo."""

OVERSHOOT = 1.2
"""T16.5: nats that evidence needs beyond the bound because the gap is not known in advance."""

FEW_BLOCKS = 10
"""The number of blocks from which a variance is measured."""

IDLE = 1.5
"""T16.5: the cost of games between decided pairs, ordinary rounds and wrong estimates."""


def default_variance(seats: int) -> float:
    """T19.12: the variance of a block's mean difference of points between equals, before anything is measured."""
    return (seats + 1) / (6 * (seats - 1) ** 2)


def block_variance(evidence: Iterable[Counts], seats: int) -> float:
    """T16.5: the measured variance of a block's mean difference, around the mean of its pair, at tables of this size.

    The default of T19.12 where no pair has met twice.
    """
    squares, freedom = 0.0, 0
    for counts in evidence:
        seen = [(found / (seats * UNIT), count) for (size, found), count in counts.items() if size == seats]
        blocks = sum(count for _, count in seen)
        if blocks > 1:
            mean = sum(value * count for value, count in seen) / blocks
            squares += sum(count * (value - mean) ** 2 for value, count in seen)
            freedom += blocks - 1
    return squares / freedom if freedom else default_variance(seats)


def games_needed(gaps: Iterable[float], entrants: int, seats: int, variance: float, alpha: float = 0.05) -> int:
    """T16.5: the number of games needed to decide neighbours with these estimated gaps, in Elo."""
    from ratings.sequential.compare import slope  # with numpy: a tournament can start without it

    needed = log(entrants * (entrants - 1) / alpha) + OVERSHOOT
    blocks = sum(2 * needed * variance / (slope(seats) * max(abs(gap), MIN_GAP)) ** 2 for gap in gaps)
    return ceil(IDLE * seats / (seats - 1) * blocks)


def blocks_to_verdict(progress: SequentialTest) -> int:
    """T14.10: a rough forecast of the blocks a test still needs, from the mean and variance so far.

    Evidence grows by half of (mean - null)^2 / variance per block, on the side that is further off.
    """
    agreed = progress.terms
    seats, judged = agreed.seats, progress.judged
    mean = sum(judged) / len(judged) / (seats * UNIT) if judged else 0.0
    variance = default_variance(seats) / agreed.copies
    if len(judged) >= FEW_BLOCKS:
        variance = sum((found / (seats * UNIT) - mean) ** 2 for found in judged) / (len(judged) - 1)
    up, down = mean - agreed.mu0 / 1e6, agreed.mu1 / 1e6 - mean
    distance, evidence, bound = (
        (up, progress.for_better.micronats, agreed.better_bound)
        if up > down
        else (down, progress.for_not_better.micronats, agreed.not_better_bound)
    )
    blocks = 2 * max(0.0, (bound - evidence) / 1e6) * variance / distance**2
    return max(1, min(ceil(blocks), agreed.max_blocks - progress.blocks))


def open_gaps(order: Sequence[tuple[str, float]], claims: Claims, top: int | None = None) -> list[float]:
    """T16.5: the estimated gaps, in Elo, of the open neighbours of a list of bots with their fitted ratings."""
    places = order if top is None else order[:top]
    return [
        rating - next_rating
        for (bot, rating), (next_bot, next_rating) in pairwise(places)
        if claims.is_open(bot, next_bot)
    ]


def forecast_words(games: int, seconds: float | None = None, top: int | None = None) -> str:
    """T16.5: the forecast as shown: "about 4,100 games, 1 h 50 min, until the first 10 places are decided"."""
    what = "every neighbour is" if top is None else f"the first {top} places are"
    time = "" if seconds is None else f" {_duration(seconds)},"
    return f"about {_two_digits(games):,} games,{time} until {what} decided"


def forecast_words_of_test(blocks: int, seats: int, seconds_per_block: float | None = None) -> str:
    """T14.10: the forecast of a test as shown: "about 340 games, 4 min, to go"."""
    time = "" if seconds_per_block is None else f" {_duration(blocks * seconds_per_block)},"
    return f"about {_two_digits(blocks * seats):,} games,{time} to go"


def _two_digits(count: int) -> int:
    """Round a forecast to two digits."""
    if count < 100:
        return count
    return int(round(count, 1 - floor(log10(count))))


def _duration(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    if minutes >= 60:
        minutes = round(minutes / 10) * 10
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"
