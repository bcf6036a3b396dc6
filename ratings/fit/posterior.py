"""T8.4: the posterior of the strengths for a given width of the field and a given overdispersion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp

import numpy as np

from ratings.fit.likelihood import Likelihood, LikelihoodPoint
from ratings.fit.newton import Descent, FitError
from ratings.fit.prior import Prior
from ratings.points.finishes import Floats

GRADIENT_TOLERANCE = 1e-8
"""A mode is found when no gradient is above this many per match of a bot."""

ROUNDED = 1e-4
"""The first mode is found with this share of the tolerance before it is rounded."""

MAX_FOLLOWED = 8
"""Steps with the matrix of the last width, before the matrix is made anew for each."""

GRID = 2.0**-20
"""In nat: the first mode is rounded to this and found again from there, so that nothing of where the search began is
left in it, not even in the last bit."""

SMALL = 64
"""Bots up to which numpy inverts a matrix at once."""


@dataclass(frozen=True)
class Node:
    """The posterior for one sigma and phi: vectors in nat over all bots, anchors at their values."""

    ln_sigma: float
    phi: float
    mode: Floats
    mean: Floats
    covariance: Floats = field(repr=False)
    """Zero for anchors; seen from the mean of the pool if there are none."""
    surplus: float
    """G(ln sigma): positive where a wider field would fit better."""
    drift: Floats = field(repr=False)
    """How the mode moves with ln sigma."""


@dataclass(frozen=True)
class _Evaluation:
    """Minus the log of the posterior at some strengths."""

    posterior: Posterior
    point: LikelihoodPoint
    phi: float
    variance: float
    value: float
    gradient: Floats

    def precision(self) -> Floats:
        """M = H/phi + Q over the free bots; without anchors uu' is added, so that it can be inverted."""
        prior = self.posterior.prior
        found = self.point.hessian(1 / self.phi)
        if prior.is_flat:
            # Q and uu' at once: a million numbers are not passed twice.
            found += 1.0 - 1 / (self.variance * prior.bots)
            found[np.diag_indices(prior.bots)] += 1 / self.variance
            return found
        prior.add_to(found, 1 / self.variance)
        if prior.is_anchored:
            return np.ascontiguousarray(found[np.ix_(prior.free, prior.free)])
        found[np.ix_(prior.roots, prior.roots)] += 1.0
        return found

    def step(self) -> Floats:
        try:
            return np.asarray(np.linalg.solve(self.precision(), self.gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the system of a Newton step is singular") from None


@dataclass(frozen=True)
class Guess:
    """A covariance of all bots that may be near, and the overdispersion that is in it."""

    covariance: Floats = field(repr=False)
    phi: float


class Posterior:
    """T8.4: likelihood and prior of a pool."""

    def __init__(
        self, likelihood: Likelihood, prior: Prior, values: Floats, matches_per_bot: float, guess: Guess | None = None
    ) -> None:
        """`values` has the anchors where they are held, and a first guess of the others.

        Neither these nor `guess` leave a trace in what is found.
        """
        self.likelihood = likelihood
        self.prior = prior
        self.start = self.centred(values)
        self.guess = guess
        self.tolerance = GRADIENT_TOLERANCE * matches_per_bot

    def centred(self, values: Floats) -> Floats:
        """Without anchors nothing fixes the level: take it from the mean of the pool."""
        return values if self.prior.is_anchored else values - values.mean()

    def mode(self, ln_sigma: float, phi: float, near: Node | None = None) -> _Evaluation:
        """T8.4: minimise -logL/phi + theta'Q theta/2, from where the mode of a node nearby leads, or from the start."""
        variance = exp(2 * ln_sigma)

        def evaluate(values: Floats) -> _Evaluation:
            point = self.likelihood.at(values)
            pull = self.prior.times(values) / variance
            value = point.value / phi + float(values @ pull) / 2
            return _Evaluation(self, point, phi, variance, value, (point.gradient / phi + pull)[self.prior.free])

        def move(here: _Evaluation, step: Floats) -> Floats:
            there = here.point.values.copy()
            there[self.prior.free] -= step
            return self.centred(there)

        descent = Descent(evaluate, move)
        if near is None:
            return self._first_mode(descent)
        # The mode moves nearly in proportion to the prior's weight 1/sigma^2.
        start = near.mode + (1 - exp(2 * (near.ln_sigma - ln_sigma))) / 2 * near.drift
        approach = self._approach(near.covariance, phi / near.phi)
        return descent.onward(descent.followed(start, approach, self.tolerance, MAX_FOLLOWED), self.tolerance)

    def _first_mode(self, descent: Descent[_Evaluation]) -> _Evaluation:
        """The mode where the search begins, the same to the last bit from wherever it is sought.

        It is found closely enough to be rounded alike, and the last step is taken from what it is rounded to.
        """
        if self.guess is None:
            found = descent.minimise(self.start, 0.0)
        else:
            approach = self._approach(self.guess.covariance, 1 / self.guess.phi)
            near = descent.followed(self.start, approach, ROUNDED * self.tolerance, MAX_FOLLOWED)
            found = descent.onward(near, ROUNDED * self.tolerance)
        values = found.point.values.copy()
        values[self.prior.free] = np.round(values[self.prior.free] / GRID) * GRID
        return descent.minimise(self.centred(values), 0.0)

    def _approach(self, covariance: Floats, scale: float) -> Callable[[Floats], Floats]:
        """What to step by while a covariance of all bots is nearly the inverse of M."""
        among_free = covariance
        if self.prior.is_anchored:
            among_free = covariance[np.ix_(self.prior.free, self.prior.free)]
        return lambda gradient: among_free @ gradient * scale

    def at(self, ln_sigma: float, phi: float, *, near: Node | None = None, third_order: bool = True) -> Node:
        """T8.4. `near` is a node from which the mode is sought; `third_order` unset leaves t at zero."""
        found = self.mode(ln_sigma, phi, near)
        mode = found.point.values
        covariance = self._inverse(found)
        mean = mode
        if third_order:
            third = found.point.third_order(covariance)
            mean = self.centred(mode - covariance @ third / (2 * phi))
        spread = float(mean @ self.prior.times(mean)) + self.prior.trace(covariance)
        surplus = spread / found.variance - self.prior.freedom - ln_sigma
        drift = covariance @ self.prior.times(mode) * (2 / found.variance)
        return Node(ln_sigma, phi, mode, mean, covariance, surplus, drift)

    def _inverse(self, found: _Evaluation) -> Floats:
        """T8.4: V over all bots."""
        try:
            inverse = inverted(found.precision())
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the precision of the posterior is singular") from None
        if self.prior.is_flat:
            # H and Q vanish along 1 and uu' = 11' does not: what it has added to the inverse is known.
            inverse -= 1 / self.prior.bots**2
            return inverse
        if not self.prior.is_anchored:
            # P V P with P = I - 11'/N.
            means = inverse.mean(axis=0)
            inverse += means.mean()
            inverse -= means
            inverse -= means[:, None]
            return inverse
        whole = np.zeros((self.prior.bots, self.prior.bots))
        whole[np.ix_(self.prior.free, self.prior.free)] = inverse
        return whole


def inverted(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive matrix, by halves: numpy's own takes twice as long, for it knows neither."""
    count = len(matrix)
    if count <= SMALL:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    half = count // 2
    corner = inverted(matrix[:half, :half])
    across = corner @ matrix[:half, half:]
    rest = inverted(matrix[half:, half:] - symmetric(matrix[half:, :half], across))
    product = across @ rest
    found = np.empty_like(matrix)
    np.add(corner, symmetric(product, across.T), out=found[:half, :half])
    found[:half, half:] = -product
    found[half:, :half] = -product.T
    found[half:, half:] = rest
    return found


def symmetric(one: Floats, other: Floats) -> Floats:
    """A product that is known to be symmetric: what is below the diagonal is not worked out again."""
    count = len(one)
    if count <= SMALL:
        return one @ other
    half = count // 2
    found = np.empty((count, count))
    found[:half, :half] = symmetric(one[:half], other[:, :half])
    found[:half, half:] = one[:half] @ other[:, half:]
    found[half:, :half] = found[:half, half:].T
    found[half:, half:] = symmetric(one[half:], other[:, half:])
    return found
