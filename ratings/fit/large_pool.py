"""T20.9: pools too large for dense matrices: the mode for the sigma of a sample, with errors from the diagonal."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from ratings.fit.matches import Matches
from ratings.fit.posterior import Posterior, SparsePoint
from ratings.fit.prior import Prior
from ratings.points.finishes import Floats

MAX_DENSE = 3000
"""The most bots for dense matrices, and the size of the sample of a larger pool."""


def sampled(bots: tuple[str, ...], count: int) -> list[int]:
    """A reproducible random sample of the bots: those with the smallest SHA-256("sample|bot")."""
    keys = sorted((sha256(f"sample|{bot}".encode()).digest(), at) for at, bot in enumerate(bots))
    return sorted(at for _, at in keys[:count])


def large_mode(matches: Matches, prior: Prior, values: Floats, ln_sigma: float, phi: float) -> tuple[Floats, Floats]:
    """T20.9: the mode for given sigma and phi, and SE = 1/sqrt(H_ii/phi + 1/sigma^2); anchors have none."""
    posterior = Posterior(matches.likelihood, prior, values, matches.played.matches_per_bot)
    found = posterior.descent(ln_sigma, phi, SparsePoint).minimise(values, posterior.tolerance)
    errors = np.zeros(prior.bots)
    errors[prior.free] = 1 / np.sqrt((found.point.diagonal() / phi)[prior.free] + 1 / found.variance)
    return found.point.values, errors
