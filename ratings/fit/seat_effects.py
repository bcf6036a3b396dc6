"""T8.11: seat effects, a diagnostic that is always reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np

from ratings.fit.fit import ELO_PER_NAT, Fit
from ratings.fit.large_pool import MAX_DENSE
from ratings.fit.matches import Matches
from ratings.fit.newton import Descent, one_blas_thread
from ratings.fit.posterior import GRADIENT_TOLERANCE
from ratings.fit.prior import Prior
from ratings.points.finishes import SEAT_CLASSES, Finish, Floats, Integers, Played, played, seat_offset
from ratings.points.result import Result

SEAT_PRECISION = 1 / 4
"""Of a seat's effect around 0: a standard deviation of 2 nat, independent of sigma."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """The effect of a seat at tables of one size, in Elo; those of a table sum to zero."""

    seats: int
    seat: int
    elo: float
    error: float
    """Half of the 95 % interval."""


class SeatPoint:
    """T8.11: minus the log-likelihood of all matches, at given strengths followed by seat effects."""

    def __init__(self, whole: Played, values: Floats) -> None:
        self.bots, self.size = len(whole.bots), len(whole.bots) + SEAT_CLASSES
        self.finishes = whole.finishes
        self.values = values
        self.value = 0.0
        self.gradient = np.zeros(self.size)
        for finish in self.finishes:
            parameters, strengths = self._strengths(finish)
            tops = strengths.max(axis=0)
            powers = np.exp(strengths - tops)
            linear = np.array(finish.pattern.linear)[:, None]
            self.value -= float((linear * strengths).sum())
            own = np.repeat(-linear, strengths.shape[1], axis=1)
            for positions, weight in finish.pattern.terms:
                chosen = list(positions)
                sums = powers[chosen].sum(axis=0)
                self.value += weight * float((np.log(sums) + tops).sum())
                own[chosen] += weight * powers[chosen] / sums
            for each in parameters:
                self.gradient += np.bincount(each.ravel(), weights=own.ravel(), minlength=self.size)

    def _strengths(self, finish: Finish) -> tuple[tuple[Integers, Integers], Floats]:
        """The parameters of every position, and their sum: its strength."""
        parameters = (finish.bots, finish.seats + self.bots)
        return parameters, sum((self.values[each] for each in parameters), np.zeros(finish.bots.shape))

    def hessian(self) -> Floats:
        """The Hessian over all parameters."""
        flat = np.zeros(self.size * self.size)
        for finish in self.finishes:
            parameters, strengths = self._strengths(finish)
            powers = np.exp(strengths - strengths.max(axis=0))
            cells = np.zeros((len(powers), *powers.shape))
            for positions, weight in finish.pattern.terms:
                chosen = list(positions)
                shares = powers[chosen] / powers[chosen].sum(axis=0)
                for at, one in enumerate(positions):
                    cells[one, one] += weight * shares[at]
                    for beside, other in enumerate(positions):
                        cells[one, other] -= weight * shares[at] * shares[beside]
            for first, second in product(parameters, parameters):
                for one, other in product(range(len(powers)), repeat=2):
                    keys = first[one] * self.size + second[other]
                    flat += np.bincount(keys, weights=cells[one, other], minlength=self.size * self.size)
        found: Floats = flat.reshape(self.size, self.size)
        return found


@dataclass(frozen=True)
class _Evaluation:
    point: SeatPoint
    precision: Floats
    free: np.ndarray[tuple[int], np.dtype[np.intp]]
    phi: float
    is_loose: bool
    value: float
    gradient: Floats

    def matrix(self) -> Floats:
        found: Floats = (self.point.hessian() / self.phi + self.precision)[np.ix_(self.free, self.free)]
        if self.is_loose:
            # Nothing fixes the level of the strengths; any level will do.
            found[: self.point.bots, : self.point.bots] += 1.0
        return found

    def step(self) -> Floats:
        return np.asarray(np.linalg.solve(self.matrix(), self.gradient), dtype=np.float64)


def seat_effects(results: Sequence[Result] | Matches, fitted: Fit) -> tuple[SeatEffect, ...]:
    """T20.10: the effects, fitted with the strengths at the sigma and phi of the fit.

    In a pool too large for dense matrices the strengths are held at their fitted values.
    """
    whole = results.played if isinstance(results, Matches) else played(results)
    bots, size = len(whole.bots), len(whole.bots) + SEAT_CLASSES
    held = fitted.anchors if fitted.is_anchored else frozenset()
    prior = Prior.of(whole.bots, fitted.parents, held)
    precision = np.zeros((size, size))
    is_large = bots > MAX_DENSE
    if not is_large:
        prior.add_to(precision[:bots, :bots], 1 / fitted.sigma**2)
    seats = np.arange(bots, size)
    precision[seats, seats] = SEAT_PRECISION
    free = seats if is_large else np.concatenate([prior.free, seats])
    is_loose = not is_large and not prior.is_anchored

    def evaluate(at: Floats) -> _Evaluation:
        point = SeatPoint(whole, at)
        pull = precision @ at
        value = point.value / fitted.phi + float(at @ pull) / 2
        gradient = (point.gradient / fitted.phi + pull)[free]
        return _Evaluation(point, precision, free, fitted.phi, is_loose, value, gradient)

    def move(here: _Evaluation, step: Floats) -> Floats:
        there = here.point.values.copy()
        there[free] -= step
        return there

    start = np.concatenate([fitted.mode, np.zeros(SEAT_CLASSES)])
    with one_blas_thread():
        # A seat occurs in a share of all matches, not only of one bot's.
        found = Descent(evaluate, move).minimise(start, GRADIENT_TOLERANCE * whole.matches_per_bot)
        inverse = np.linalg.inv(found.matrix())[-SEAT_CLASSES:, -SEAT_CLASSES:]
    return _listed(whole, found.point.values[bots:], np.asarray(inverse), fitted.confidence)


def _listed(whole: Played, effects: Floats, covariance: Floats, confidence: float) -> tuple[SeatEffect, ...]:
    listed = []
    for seats in sorted({len(finish.ranking) for finish in whole.finishes}):
        part = slice(seat_offset(seats), seat_offset(seats) + seats)
        # Only differences between seats matter, so effects are relative to the mean of the table.
        centre = np.eye(seats) - 1 / seats
        values = centre @ effects[part]
        variances = np.diag(centre @ covariance[part, part] @ centre)
        for seat in range(seats):
            error = confidence * ELO_PER_NAT * sqrt(max(0.0, float(variances[seat])))
            listed.append(SeatEffect(seats, seat, ELO_PER_NAT * float(values[seat]), error))
    return tuple(listed)
