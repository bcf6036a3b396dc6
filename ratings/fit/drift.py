"""T8.15: whether strengths changed during a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ratings.fit.blocks import match_derivatives
from ratings.points.finishes import Floats, Integers, played
from ratings.points.result import Result

FEWEST_BOTS, FEWEST_BLOCKS = 4, 8
"""T8.15: of a smaller tournament nothing is said."""

ONE_SIDED = 1.645
"""T8.15: standard deviations of the sum of z^2 above its mean."""


@dataclass(frozen=True, slots=True)
class BotDrift:
    """T8.15: by how much a bot's strength changed from the first to the last round, in nat, and its standard error."""

    change: float
    error: float

    @property
    def z(self) -> float:
        """The change in standard errors."""
        return self.change / self.error


@dataclass(frozen=True, slots=True)
class Drift:
    """T8.15: the drift of all bots of a tournament."""

    by_bot: Mapping[str, BotDrift]

    @property
    def statistic(self) -> float:
        """The sum of z^2 over the bots."""
        return sum(each.z**2 for each in self.by_bot.values())

    @property
    def bound(self) -> float:
        """The largest sum of z^2 that says nothing."""
        return len(self.by_bot) + ONE_SIDED * sqrt(2 * len(self.by_bot))

    @property
    def is_flagged(self) -> bool:
        """T8.15: strengths changed during the tournament."""
        return bool(self.by_bot) and self.statistic > self.bound


def drift(
    results: Sequence[Result], rounds: int, strengths: Mapping[str, float], covariance: Floats, phi: float
) -> Drift:
    """T8.15: gamma of every bot of a tournament, at the ratings of its pool.

    Every result has its block, whose second part is the round. `strengths` are in the order of the covariance's rows;
    bots without a variance are anchors, which have no drift.
    """
    blocks = {result.block for result in results}
    if len(blocks) < FEWEST_BLOCKS:
        return Drift({})
    whole = played(results)
    number = {bot: row for row, bot in enumerate(strengths)}
    at = np.array([number[bot] for bot in whole.bots])
    theta, variance = np.array(list(strengths.values()))[at], covariance[np.ix_(at, at)]
    round_of = np.array([key[1] if isinstance(key, tuple) else 0 for key in whole.blocks])
    moments = (round_of - 0.5) / rounds - 0.5
    bots = len(whole.bots)
    pieces: list[tuple[Integers, Floats, Floats, Floats]] = []
    for finish in whole.finishes:
        slopes, links = match_derivatives(finish.pattern, theta[finish.bots])
        size = len(finish.ranking)
        hessian = np.zeros((size, size, len(finish.blocks)))
        for (one, other), linked in links.items():
            hessian[one, other] = hessian[other, one] = -linked
        for seat in range(size):
            hessian[seat, seat] = -hessian[seat].sum(axis=0)
        pieces.append((finish.bots, slopes, hessian, moments[finish.blocks]))
    own = np.zeros(bots)
    centre = np.zeros(bots)
    for members, _, hessian, moment in pieces:
        for seat, rows in enumerate(members):
            np.add.at(own, rows, hessian[seat, seat])
            np.add.at(centre, rows, moment * hessian[seat, seat])
    centre /= np.maximum(own, 1e-300)
    slope, square, shared = np.zeros(bots), np.zeros(bots), np.zeros((bots, bots))
    for members, slopes, hessian, moment in pieces:
        for seat, rows in enumerate(members):
            apart = moment - centre[rows]
            np.add.at(slope, rows, -apart * slopes[seat])
            np.add.at(square, rows, apart**2 * hessian[seat, seat])
            for beside, others in enumerate(members):
                np.add.at(shared, (rows, others), apart * hessian[seat, beside])
    information = square - np.einsum("ij,jk,ik->i", shared, variance, shared, optimize=True) / phi
    free = (variance.diagonal() > 0) & (information > 1e-9)
    found = {
        whole.bots[bot]: BotDrift(float(slope[bot] / information[bot]), sqrt(phi / float(information[bot])))
        for bot in np.flatnonzero(free)
    }
    return Drift(found if len(found) >= FEWEST_BOTS else {})
