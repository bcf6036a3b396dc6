"""T8.5: the spread of the pool, the overdispersion, and the average over the uncertainty of ln sigma."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np

from ratings.fit.blocks import overdispersion
from ratings.fit.matches import Matches
from ratings.fit.newton import FitError
from ratings.fit.posterior import Node, Posterior
from ratings.points.finishes import Floats

NARROWEST, WIDEST = -4.0, 3.0
"""The range of ln sigma."""

LONGEST_STEP = 0.7
MAX_STEPS = 200

TOLERANCE_OF_LISTS = 1e-4
TOLERANCE_OF_RECORD = 1e-8
"""Of ln sigma: for lists, and from a cold start for a FIT entry."""

SHORT_STEP = 0.3
"""The longest step that counts as near the root."""

SLOPE_REACH = 0.1
"""G' is a difference over this distance on either side."""

FURTHEST = 4000 * log(10) / 400
"""T20.3: no rating further from 1500 is shown; in nats."""

# T20.6: not limited to the range of the search.
NODES = ((0.0, 2 / 3), (-sqrt(3), 1 / 6), (sqrt(3), 1 / 6))
"""Standard deviations tau from ln sigma, and weights."""


@dataclass(frozen=True)
class Spread:
    """The result of steps a to e."""

    sigma: float
    phi: float
    tau: float
    first: Node
    """The node of step a, whose mean pairs rating rounds."""
    centre: Node
    """At ln sigma, after step c."""
    strengths: Floats
    covariance: Floats = field(repr=False)
    is_rough: bool
    """T20.3: the third-order vector diverged and was set to zero."""


@dataclass(frozen=True)
class Width:
    """The result of steps a to c."""

    first: Node
    """The node of step a."""
    centre: Node
    """At ln sigma, after step c."""
    phi: float
    is_rough: bool
    """T20.3: the third-order vector diverged and was set to zero."""

    @property
    def sigma(self) -> float:
        """The standard deviation of true skill in the pool."""
        return exp(self.centre.ln_sigma)


class Surplus(NamedTuple):
    """G at some ln sigma."""

    ln_sigma: float
    surplus: float


def search(evaluate: Callable[[float, Node | None], Node], freedom: int, tolerance: float) -> Node:
    """T20.2: the root of G found from ln sigma = 0, or the end of the range nearest to it."""
    here = evaluate(0.0, None)
    path = [Surplus(here.ln_sigma, here.surplus)]  # not the nodes, which hold a matrix each
    below: float | None = None
    above: float | None = None
    for _ in range(MAX_STEPS):
        if here.surplus == 0:
            return here
        if here.surplus > 0:
            below = here.ln_sigma
        else:
            above = here.ln_sigma
        goal = here.ln_sigma + _step(path, freedom)
        if below is not None and above is not None and not below < goal < above:
            goal = (below + above) / 2
        goal = min(max(goal, NARROWEST), WIDEST)
        if abs(goal - here.ln_sigma) <= tolerance:
            return here
        here = evaluate(goal, here)
        path.append(Surplus(here.ln_sigma, here.surplus))
    raise FitError(f"T8.5: no sigma found in {MAX_STEPS} steps")


def _step(path: Sequence[Surplus], freedom: int) -> float:
    """A secant step; where its slope is not negative, the longest step in G's direction."""
    here = path[-1]
    if len(path) == 1:
        step = here.surplus / max(1, freedom)
    else:
        before = path[-2]
        slope = (here.surplus - before.surplus) / (here.ln_sigma - before.ln_sigma)
        step = -here.surplus / slope if slope < 0 else np.inf * np.sign(here.surplus)
        if slope <= -freedom / 2 and abs(step) <= SHORT_STEP:
            step = _sharpened(path[-3:], freedom, step)
    return float(min(max(step, -LONGEST_STEP), LONGEST_STEP))


def _sharpened(path: Sequence[Surplus], freedom: int, step: float) -> float:
    """Where G falls steeply and the root is near: a step by m'Q0 m + trace(Q0 V), which changes far less than G.

    It is modelled as a line or parabola through the last nodes, which finds the same root with fewer nodes; a step that
    disagrees with the secant's is not taken.
    """
    here = path[-1].ln_sigma
    apart = [node.ln_sigma - here for node in path]
    sums = [(node.surplus + freedom + node.ln_sigma) * exp(2 * node.ln_sigma) for node in path]
    curve = np.polynomial.Polynomial.fit(apart, sums, len(path) - 1)
    bend = curve.deriv()
    found = step
    for _ in range(10):
        at, whole = here + found, float(curve(found))
        fall = (float(bend(found)) - 2 * whole) * exp(-2 * at) - 1
        if not fall < 0:
            return step
        found -= (whole * exp(-2 * at) - freedom - at) / fall
        if abs(found - step) > abs(step) / 2:
            return step
    return found


def spread(matches: Matches, posterior: Posterior, tolerance: float) -> Spread:
    """T8.5: steps a to e.

    T20.3: the third-order vector can also diverge at an outer node; the whole fit is then repeated without it.
    """
    found = _steps(matches, posterior, tolerance, is_rough=False)
    if not found.is_rough and np.abs(found.strengths[posterior.prior.free]).max() > FURTHEST:
        return _steps(matches, posterior, tolerance, is_rough=True)
    return found


def pool_width(matches: Matches, posterior: Posterior, tolerance: float) -> Width:
    """T20.9: steps a to c alone, for a sample of which only sigma and phi are used."""
    found = _width(matches, posterior, tolerance, is_rough=False)
    if not found.is_rough and np.abs(found.centre.mean[posterior.prior.free]).max() > FURTHEST:
        return _width(matches, posterior, tolerance, is_rough=True)
    return found


def _width(matches: Matches, posterior: Posterior, tolerance: float, *, is_rough: bool) -> Width:
    """T8.5: steps a to c."""

    def evaluated(ln_sigma: float, phi: float, near: Node | None) -> Node:
        return posterior.at(ln_sigma, phi, near=near, third_order=not is_rough)

    def found(phi: float, near: Node | None) -> Node:
        nonlocal is_rough
        start = near
        while True:
            node = search(
                lambda ln_sigma, last: evaluated(ln_sigma, phi, last or start), posterior.prior.freedom, tolerance
            )
            if node.ln_sigma < WIDEST or is_rough:
                return node
            # T20.3: with few, nearly separable results the third-order vector can diverge.
            is_rough = True

    first = found(1.0, None)
    phi = overdispersion(matches.played, first.mean, first.covariance, posterior.prior.free, matches.layout)
    return Width(first, found(phi, first) if phi > 1 else first, phi, is_rough)


def _steps(matches: Matches, posterior: Posterior, tolerance: float, *, is_rough: bool) -> Spread:
    width = _width(matches, posterior, tolerance, is_rough=is_rough)
    centre, phi = width.centre, width.phi
    at = centre.ln_sigma

    def evaluated(ln_sigma: float) -> Node:
        return posterior.at(ln_sigma, phi, near=centre, third_order=not width.is_rough)

    wider, narrower = (evaluated(at + side * SLOPE_REACH).surplus for side in (1, -1))
    tau = 1 / sqrt(max(1.0, -(wider - narrower) / (2 * SLOPE_REACH)))
    nodes = [centre if not side else evaluated(at + side * tau) for side, _ in NODES]
    weights = [weight for _, weight in NODES]
    strengths = np.zeros_like(centre.mean)
    for weight, node in zip(weights, nodes, strict=True):
        strengths += weight * node.mean
    # sum of w (m - theta)(m - theta)', in one product
    apart = np.array([sqrt(weight) * (node.mean - strengths) for weight, node in zip(weights, nodes, strict=True)])
    covariance = apart.T @ apart
    for weight, node in zip(weights, nodes, strict=True):
        covariance += weight * node.covariance
    return Spread(exp(at), phi, tau, width.first, centre, strengths, covariance, width.is_rough)
