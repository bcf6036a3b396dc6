"""T8.4: the posterior of the strengths for a given width of the field and a given overdispersion."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp

import numpy as np

from ratings.finishes import Floats, Played
from ratings.likelihood import Likelihood, Point
from ratings.newton import Descent, FitError
from ratings.prior import Prior

GRADIENT_TOLERANCE = 1e-8
"""A mode is found when no gradient is above this many per match of a bot."""


@dataclass(frozen=True)
class Node:
    """The posterior for one sigma and phi: vectors in nat over all bots, anchors at their values."""

    ln_sigma: float
    mode: Floats
    mean: Floats
    covariance: Floats = field(repr=False)
    """Zero for anchors; seen from the mean of the pool if there are none."""
    surplus: float
    """G(ln sigma): positive where a wider field would fit better."""
    drift: Floats = field(repr=False)
    """How the mode moves with ln sigma."""


@dataclass(frozen=True)
class _Place:
    """Minus the log of the posterior at some strengths."""

    posterior: Posterior
    point: Point
    phi: float
    variance: float
    value: float
    gradient: Floats

    def precision(self) -> Floats:
        """M = H/phi + Q over the free bots; without anchors uu' is added, so that it can be inverted."""
        prior = self.posterior.prior
        found = self.point.hessian()
        found /= self.phi
        prior.add_to(found, 1 / self.variance)
        if prior.is_anchored:
            return np.ascontiguousarray(found[np.ix_(prior.free, prior.free)])
        if len(prior.roots) == prior.bots:
            found += 1.0
        else:
            found[np.ix_(prior.roots, prior.roots)] += 1.0
        return found

    def step(self) -> Floats:
        try:
            return np.asarray(np.linalg.solve(self.precision(), self.gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the system of a Newton step is singular") from None


class Posterior:
    """T8.4: likelihood and prior of a pool."""

    def __init__(self, played: Played, prior: Prior, values: Floats) -> None:
        """`values` has the anchors where they are held, and a first guess of the others."""
        self.likelihood = Likelihood(played.finishes, len(played.bots))
        self.prior = prior
        self.start = self.centred(values)
        self.tolerance = GRADIENT_TOLERANCE * played.matches_per_bot

    def centred(self, values: Floats) -> Floats:
        """Without anchors nothing fixes the level: take it from the mean of the pool."""
        return values if self.prior.is_anchored else values - values.mean()

    def mode(self, ln_sigma: float, phi: float, start: Floats) -> _Place:
        """T8.4: minimise -logL/phi + theta'Q theta/2."""
        variance = exp(2 * ln_sigma)

        def evaluate(values: Floats) -> _Place:
            point = self.likelihood.at(values)
            pull = self.prior.times(values) / variance
            value = point.value / phi + float(values @ pull) / 2
            return _Place(self, point, phi, variance, value, (point.gradient / phi + pull)[self.prior.free])

        def move(here: _Place, step: Floats) -> Floats:
            there = here.point.values.copy()
            there[self.prior.free] -= step
            return self.centred(there)

        return Descent(evaluate, move).minimise(start, self.tolerance)

    def at(self, ln_sigma: float, phi: float, *, near: Node | None = None, third_order: bool = True) -> Node:
        """T8.4. `near` is a node from which the mode is sought; `third_order` unset leaves t at zero."""
        start = self.start if near is None else near.mode + (ln_sigma - near.ln_sigma) * near.drift
        place = self.mode(ln_sigma, phi, start)
        mode = place.point.values
        covariance = self._inverse(place)
        mean = mode
        if third_order:
            third = place.point.third_order(covariance)
            mean = self.centred(mode - covariance @ third / (2 * phi))
        spread = float(mean @ self.prior.times(mean)) + self.prior.trace(covariance)
        surplus = spread / place.variance - self.prior.freedom - ln_sigma
        drift = covariance @ self.prior.times(mode) * (2 / place.variance)
        return Node(ln_sigma, mode, mean, covariance, surplus, drift)

    def _inverse(self, place: _Place) -> Floats:
        """T8.4: V over all bots."""
        try:
            inverse = np.asarray(np.linalg.inv(place.precision()), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise FitError("T20.4: the precision of the posterior is singular") from None
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
