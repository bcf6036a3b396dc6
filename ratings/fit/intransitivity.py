"""T8.12: whether one rating per bot is enough: every pair's score against the fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np

from ratings.fit.fit import Fit
from ratings.fit.matches import Matches
from ratings.points.finishes import played
from ratings.points.result import Result

SURPRISING = 4.0
"""T8.12: pairs with a larger |z| are listed."""

FLAGGED = 3.0
"""T8.12: a pool with a larger T is flagged."""

FEWEST_GAMES = 8
"""T8.12: pairs with fewer games are not judged."""


@dataclass(frozen=True, slots=True)
class Surprise:
    """A pair whose score deviates from its ratings."""

    one: str
    other: str
    games: int
    score: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """T8.12: how badly one rating per bot fits the pairwise scores; about standard normal if it fits."""

    statistic: float
    """T; 0 where there are too few pairs to judge."""
    pairs: int
    """Pairs with enough games."""
    surprises: tuple[Surprise, ...]

    @property
    def is_flagged(self) -> bool:
        """T8.12: strength is not one number in this pool."""
        return self.statistic > FLAGGED


def intransitivity(results: Sequence[Result] | Matches, fitted: Fit) -> Intransitivity:
    """T8.12: T = (sum z^2 - dof)/sqrt(2 dof), dof = pairs - (bots - 1), over pairs with enough games."""
    whole = results.played if isinstance(results, Matches) else played(results)
    bots = len(fitted.bots)
    keys, scores = [], []
    for finish in whole.finishes:
        for one, other in combinations(range(len(finish.ranking)), 2):
            left, right = finish.bots[one], finish.bots[other]
            # Positions are in order of places: the first is better, unless both are tied.
            gained = 0.5 if finish.ranking[one] == finish.ranking[other] else 1.0
            is_upright = left < right
            keys.append(np.where(is_upright, left * bots + right, right * bots + left))
            scores.append(np.where(is_upright, gained, 1 - gained))
    pairs, inverse, games = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    enough = games >= FEWEST_GAMES
    totals = np.bincount(inverse, weights=np.concatenate(scores))[enough]
    pairs, games = pairs[enough], games[enough]
    left, right = pairs // bots, pairs % bots
    chance = 1 / (1 + np.exp(fitted.strengths[right] - fitted.strengths[left]))
    z = (totals - games * chance) / np.sqrt(games * chance * (1 - chance))
    freedom = len(pairs) - (bots - 1)
    statistic = (float((z**2).sum()) - freedom) / sqrt(2 * freedom) if freedom > 0 else 0.0
    surprises = [
        Surprise(
            fitted.bots[left[at]],
            fitted.bots[right[at]],
            int(games[at]),
            float(totals[at]),
            float(games[at] * chance[at]),
            float(z[at]),
        )
        for at in np.flatnonzero(np.abs(z) > SURPRISING)
    ]
    return Intransitivity(statistic, len(pairs), tuple(sorted(surprises, key=lambda each: (-abs(each.z), each.one))))
