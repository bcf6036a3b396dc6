"""T20.9: pools too large for dense matrices: the mode for the sigma of a sample, with errors from the diagonal."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import numpy as np

from ratings.fit.matches import Matches
from ratings.fit.posterior import Posterior, PosteriorPoint
from ratings.fit.prior import Prior
from ratings.points.finishes import Floats

MAX_DENSE = 3000
"""The most bots for dense matrices, and the size of the sample of a larger pool."""


def sampled(bots: tuple[str, ...], count: int) -> list[int]:
    """A reproducible random sample of the bots: those with the smallest SHA-256("sample|bot")."""
    keys = sorted((sha256(f"sample|{bot}".encode()).digest(), at) for at, bot in enumerate(bots))
    return sorted(at for _, at in keys[:count])


class _SparsePoint(PosteriorPoint):
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


def large_mode(matches: Matches, prior: Prior, values: Floats, ln_sigma: float, phi: float) -> tuple[Floats, Floats]:
    """T20.9: the mode for given sigma and phi, and SE = 1/sqrt(H_ii/phi + 1/sigma^2); anchors have none."""
    posterior = Posterior(matches.likelihood, prior, values, matches.played.matches_per_bot)
    found = posterior.descent(ln_sigma, phi, _SparsePoint).minimise(values, posterior.tolerance)
    errors = np.zeros(prior.bots)
    errors[prior.free] = 1 / np.sqrt((found.point.diagonal() / phi)[prior.free] + 1 / found.variance)
    return found.point.values, errors


def conjugate_gradients(times: Callable[[Floats], Floats], wanted: Floats, scale: Floats) -> Floats:
    """Solve a positive definite system, preconditioned by its diagonal."""
    solution = np.zeros_like(wanted)
    rest = wanted.copy()
    direction = rest / scale
    product = float(rest @ direction)
    goal = 1e-20 * product
    for _ in range(500):
        if product <= goal:
            break
        image = times(direction)
        length = product / float(direction @ image)
        solution = solution + length * direction
        rest = rest - length * image
        scaled = rest / scale
        following = float(rest @ scaled)
        direction = scaled + (following / product) * direction
        product = following
    return solution
