"""T8.4: the posterior of the strengths for a given spread sigma and overdispersion phi."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp
from typing import TypeVar

import numpy as np

from ratings.fit.likelihood import Likelihood, LikelihoodPoint
from ratings.fit.newton import Descent, FitError, conjugate_gradients
from ratings.fit.prior import Prior
from ratings.points.finishes import Floats

GRADIENT_TOLERANCE = 1e-8
"""A mode is found when no gradient exceeds this per match of a bot."""

ROUNDED = 1e-4
"""The first mode is found with this share of the tolerance before it is rounded."""

FEWEST_SPARSE = 1000
MATRIX_COST = 50_000
"""The first mode is approached without a matrix from this number of bots on, if the cube of their number is larger than
this times the members of all terms: a step by a matrix costs the one, a step without the other."""

MAX_FOLLOWED = 8
"""Steps with the matrix of the last sigma, before a new matrix is formed for each."""

GRID = 2.0**-20
"""In nats: the first mode is rounded to this and refound from there, so that no bit of it depends on the start."""

SMALL = 64
"""The most bots for which numpy inverts a matrix in one piece."""


@dataclass(frozen=True)
class Node:
    """The posterior for one sigma and phi: vectors in nats over all bots, anchors at their values."""

    ln_sigma: float
    phi: float
    mode: Floats
    mean: Floats
    covariance: Floats = field(repr=False)
    """Zero for anchors; relative to the mean of the pool if there are none."""
    surplus: float
    """G(ln sigma): positive where a larger sigma would fit better."""
    drift: Floats = field(repr=False)
    """How the mode moves with ln sigma."""


@dataclass(frozen=True)
class PosteriorPoint:
    """Minus the log of the posterior at some strengths."""

    prior: Prior
    point: LikelihoodPoint
    phi: float
    variance: float
    value: float
    gradient: Floats

    def precision(self) -> Floats:
        """M = H/phi + Q over the free bots; without anchors plus uu', to make it invertible."""
        prior = self.prior
        found = self.point.hessian(1 / self.phi)
        if prior.is_flat:
            # Q and uu' in one pass over the matrix.
            found += 1.0 - 1 / (self.variance * prior.bots)
            found[np.diag_indices(prior.bots)] += 1 / self.variance
            return found
        prior.add_to(found, 1 / self.variance)
        if prior.is_anchored:
            return np.ascontiguousarray(found[np.ix_(prior.free, prior.free)])
        found[np.ix_(prior.roots, prior.roots)] += 1.0
        return found

    def step(self) -> Floats:
        """The Newton step, by a dense matrix."""
        try:
            return np.asarray(np.linalg.solve(self.precision(), self.gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the system of a Newton step is singular") from None


class SparsePoint(PosteriorPoint):
    """A point whose Newton step needs no matrix."""

    def step(self) -> Floats:
        """The Newton step, by conjugate gradients."""
        free = self.prior.free
        scale = (self.point.diagonal() / self.phi)[free] + 1 / self.variance

        def times(direction: Floats) -> Floats:
            full = np.zeros(self.prior.bots)
            full[free] = direction
            product: Floats = (self.point.hessian_times(full) / self.phi + self.prior.times(full) / self.variance)[free]
            return product

        return conjugate_gradients(times, self.gradient, scale)


@dataclass(frozen=True)
class Guess:
    """An approximate covariance of all bots, and its overdispersion."""

    covariance: Floats = field(repr=False)
    phi: float


AnyPoint = TypeVar("AnyPoint", bound=PosteriorPoint)


class Posterior:
    """T8.4: likelihood and prior of a pool."""

    def __init__(
        self, likelihood: Likelihood, prior: Prior, values: Floats, matches_per_bot: float, guess: Guess | None = None
    ) -> None:
        """`values` has the anchors at their values, and a first guess of the others.

        The result depends on neither that guess nor `guess`.
        """
        self.likelihood = likelihood
        self.prior = prior
        self.start = self.centred(values)
        self.guess = guess
        self.tolerance = GRADIENT_TOLERANCE * matches_per_bot

    def centred(self, values: Floats) -> Floats:
        """Centre at the mean of the pool unless anchors fix the level."""
        return values if self.prior.is_anchored else values - values.mean()

    def descent(self, ln_sigma: float, phi: float, point_type: type[AnyPoint]) -> Descent[AnyPoint]:
        """T8.4: -logL/phi + theta'Q theta/2 as a function to minimise."""
        variance = exp(2 * ln_sigma)

        def evaluate(values: Floats) -> AnyPoint:
            point = self.likelihood.at(values)
            pull = self.prior.times(values) / variance
            value = point.value / phi + float(values @ pull) / 2
            return point_type(self.prior, point, phi, variance, value, (point.gradient / phi + pull)[self.prior.free])

        def move(here: AnyPoint, step: Floats) -> Floats:
            there = here.point.values.copy()
            there[self.prior.free] -= step
            return self.centred(there)

        return Descent(evaluate, move)

    def mode(self, ln_sigma: float, phi: float, near: Node | None = None) -> PosteriorPoint:
        """T8.4: the mode, found from that of a nearby node or from the start."""
        if near is None:
            return self._first_mode(ln_sigma, phi)
        descent = self.descent(ln_sigma, phi, PosteriorPoint)
        # The mode moves nearly in proportion to the prior's weight 1/sigma^2.
        start = near.mode + (1 - exp(2 * (near.ln_sigma - ln_sigma))) / 2 * near.drift
        approach = self._approach(near.covariance, phi / near.phi)
        return descent.onward(descent.followed(start, approach, self.tolerance, MAX_FOLLOWED), self.tolerance)

    def _first_mode(self, ln_sigma: float, phi: float) -> PosteriorPoint:
        """The first mode, the same to the last bit from any start.

        It is found closely enough to round to the same value, and the last step is taken from that.
        """
        descent = self.descent(ln_sigma, phi, PosteriorPoint)
        if self.guess is None and self._is_sparse:
            found: PosteriorPoint = self.descent(ln_sigma, phi, SparsePoint).minimise(
                self.start, ROUNDED * self.tolerance
            )
        elif self.guess is None:
            found = descent.minimise(self.start, 0.0)
        else:
            approach = self._approach(self.guess.covariance, 1 / self.guess.phi)
            near = descent.followed(self.start, approach, ROUNDED * self.tolerance, MAX_FOLLOWED)
            found = descent.onward(near, ROUNDED * self.tolerance)
        values = found.point.values.copy()
        values[self.prior.free] = np.round(values[self.prior.free] / GRID) * GRID
        return descent.minimise(self.centred(values), 0.0)

    @property
    def _is_sparse(self) -> bool:
        """Whether a step without a matrix costs less."""
        members = sum(terms.members.size for terms in self.likelihood.terms)
        return self.prior.bots >= FEWEST_SPARSE and self.prior.bots**3 > MATRIX_COST * members

    def _approach(self, covariance: Floats, scale: float) -> Callable[[Floats], Floats]:
        """Steps by a covariance of all bots that approximates the inverse of M."""
        among_free = covariance
        if self.prior.is_anchored:
            among_free = covariance[np.ix_(self.prior.free, self.prior.free)]
        return lambda gradient: among_free @ gradient * scale

    def at(self, ln_sigma: float, phi: float, *, near: Node | None = None, third_order: bool = True) -> Node:
        """T8.4: the node at ln sigma. `near` is a node to start from; `third_order` unset leaves t at zero."""
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

    def _inverse(self, found: PosteriorPoint) -> Floats:
        """T8.4: V over all bots."""
        try:
            inverse = inverted(found.precision())
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the precision of the posterior is singular") from None
        if self.prior.is_flat:
            # H and Q vanish along 1 and uu' = 11' does not, so its part of the inverse is known.
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
    """The inverse of a symmetric positive definite matrix, by halves: twice as fast as numpy's general one."""
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
    """A product known to be symmetric: only one triangle is computed."""
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
