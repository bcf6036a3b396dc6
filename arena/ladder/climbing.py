"""Climbing: a bot finds its place among rungs whose ratings are known, in tens of games.

What is known of its rating is a distribution, the likelihood of Plackett and Luce (T8.1) of its games on a grid. The
next table is drawn where that distribution is: far apart at first, so that a few games tell beginner from champion, and
among the nearest rungs at the end. The number of games depends on the precision asked for and not on the rungs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, log, sqrt

import numpy as np

from ratings.points.finishes import Floats
from referee.mistakes import UserError

STEP, BEYOND = 5.0, 800.0
"""The grid, in Elo: its step, and how far it reaches beyond the first and the last rung."""
PRIOR_DEVIATION = 1_000.0
"""Around the middle of the ladder: wide enough to say next to nothing."""
NAT = log(10) / 400
CONFIDENCE = 1.96
PRECISION = 40
"""Half of a 95 % interval, in Elo, at which a climb ends."""
MAX_GAMES = 400


@dataclass(slots=True)
class Climb:
    """What the games of a bot against some rungs say of its rating."""

    ratings: Sequence[float]
    """The rungs', by level from 1, in Elo."""
    seats: int
    precision: float = PRECISION
    max_games: int = MAX_GAMES
    games: int = 0
    grid: Floats = field(init=False)
    _log_density: Floats = field(init=False)

    def __post_init__(self) -> None:
        if len(self.ratings) < self.seats - 1:
            raise UserError(f"ladder: {len(self.ratings)} rungs do not fill a table of {self.seats}")
        low, high = min(self.ratings), max(self.ratings)
        self.grid = np.arange(low - BEYOND, high + BEYOND + STEP, STEP)
        self._log_density = -0.5 * ((self.grid - (low + high) / 2) / PRIOR_DEVIATION) ** 2

    @property
    def density(self) -> Floats:
        """Return the probability of every rating of the grid."""
        found = np.exp(self._log_density - self._log_density.max())
        shares: Floats = found / found.sum()
        return shares

    @property
    def rating(self) -> float:
        """Return the mean rating, in Elo."""
        return float(self.density @ self.grid)

    @property
    def error(self) -> float:
        """Return half of its 95 % interval, as if the ratings of the rungs were exact."""
        density = self.density
        variance = float(density @ (self.grid - density @ self.grid) ** 2)
        return CONFIDENCE * sqrt(variance)

    @property
    def level(self) -> int:
        """Return the highest level that is rated no higher than the bot; 0 below the first."""
        return max((level for level, rating in enumerate(self.ratings, start=1) if rating <= self.rating), default=0)

    @property
    def is_over(self) -> bool:
        """Return whether the rating is known well enough, or all games are played."""
        return self.games > 0 and (self.error <= self.precision or self.games + self.seats > self.max_games)

    def next_levels(self) -> tuple[int, ...]:
        """Return the opponents of the next table: the rungs nearest to evenly spaced quantiles, each once."""
        reached = self.density.cumsum()
        chosen: list[int] = []
        for part in range(1, self.seats):
            aim = self.grid[np.searchsorted(reached, part / self.seats)]
            free = [level for level in range(1, len(self.ratings) + 1) if level not in chosen]
            chosen.append(min(free, key=lambda level: abs(self.ratings[level - 1] - aim)))
        return tuple(sorted(chosen))

    def add(self, levels: Sequence[int], places: Sequence[int]) -> None:
        """Add a game: the bot's place first, then those of the levels, in their order."""
        strengths = [self.grid * NAT, *(np.full_like(self.grid, self.ratings[level - 1] * NAT) for level in levels)]
        self._log_density = self._log_density + log_likelihood(strengths, places)
        self.games += 1


def log_likelihood(strengths: Sequence[Floats], places: Sequence[int]) -> Floats:
    """T8.1: return the log-likelihood of the places of a match, for many vectors of strengths in nats together."""
    powers = [np.exp(strength) for strength in strengths]
    total = np.zeros_like(strengths[0])
    for place in sorted(set(places)):
        group = [seat for seat, other in enumerate(places) if other == place]
        worse = sum((powers[seat] for seat, other in enumerate(places) if other > place), np.zeros_like(total))
        for seat in group:
            total = total + strengths[seat]
        for size in range(1, len(group) + 1):
            for chosen in combinations(group, size):
                total = total - np.log(sum((powers[seat] for seat in chosen), worse)) / comb(len(group), size)
    return total


PlayBlock = Callable[[tuple[int, ...]], Sequence[Sequence[int]]]
"""Plays a bot against some levels, once in every seat; returns its place and theirs, game by game."""


def climb_to_the_end(climb: Climb, play: PlayBlock, told: Callable[[Climb], None] = lambda _climb: None) -> Climb:
    """Play tables until the climb is over, and tell of it after every one."""
    while not climb.is_over:
        levels = climb.next_levels()
        for places in play(levels):
            climb.add(levels, places)
        told(climb)
    return climb
