"""T8.1, T8.3: the Plackett-Luce likelihood with ties, its gradient and its Hessian, for all matches at once.

A match with tie groups G_1 > G_2 > ... and B_g everybody below group g has the log-likelihood

    sum_g [ sum over i in G_g of x_i - sum over non-empty A in G_g of log(S_A + S_B_g) / C(|G_g|, |A|) ]

where S is a sum of e^x. Everything here is about its negative, which is convex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from ratings.finishes import Finish, Floats, Integers

WIDEST_SAFE = 600.0
"""Nat between the strongest and the weakest up to which no e^x vanishes beside another."""


@dataclass(frozen=True)
class Terms:
    """All terms log S over sets of one size, equal sets merged; every row is a member."""

    members: Integers
    weights: Floats
    bots: int

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every pair of rows."""
        return tuple(combinations(range(len(self.members)), 2))

    @cached_property
    def cells(self) -> Integers:
        """Where every pair of members stands in a flat matrix of all bots; a row a pair."""
        return np.stack([self.members[one] * self.bots + self.members[other] for one, other in self.pairs])

    def shares(self, values: Floats) -> tuple[Floats, Floats]:
        """For every term log S, and the share of each member in S."""
        top = values.max()
        if top - values.min() < WIDEST_SAFE:
            powers = np.exp(values - top)[self.members]
            sums = powers.sum(axis=0)
            return np.log(sums) + top, powers / sums
        strengths = values[self.members]
        tops = strengths.max(axis=0)
        powers = np.exp(strengths - tops)
        sums = powers.sum(axis=0)
        return np.log(sums) + tops, powers / sums


class Likelihood:
    """T8.1: minus the log-likelihood of all matches as a function of the bots' strengths in nat."""

    def __init__(self, finishes: Sequence[Finish], bots: int) -> None:
        self.bots = bots
        self.linear = np.zeros(bots)
        pieces: dict[int, list[tuple[Integers, Floats]]] = {}
        for finish in finishes:
            pattern = finish.pattern
            for position, weight in enumerate(pattern.linear):
                if weight:
                    self.linear += weight * np.bincount(finish.bots[position], minlength=bots)
            for positions, weight in pattern.terms:
                members = finish.bots[list(positions)]
                pieces.setdefault(len(positions), []).append((members, np.full(members.shape[1], weight)))
        self.terms = tuple(self._merged(parts) for _, parts in sorted(pieces.items()))

    def _merged(self, parts: Sequence[tuple[Integers, Floats]]) -> Terms:
        """T20.8: the same company again is the same term: add up the weights."""
        members = np.concatenate([each for each, _ in parts], axis=1)
        weights = np.concatenate([each for _, each in parts])
        width = len(members)
        if self.bots**width < 2**62:
            members = np.sort(members, axis=0)
            keys = members[0].copy()
            for row in members[1:]:
                keys *= self.bots
                keys += row
            _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
            members, weights = members[:, first], np.bincount(inverse, weights=weights)
        return Terms(np.ascontiguousarray(members), weights, self.bots)

    def at(self, values: Floats) -> Point:
        """Evaluate everything at given strengths."""
        return Point(self, values)


class Point:
    """The likelihood at given strengths: its value and gradient, and on demand what comes of further derivatives."""

    def __init__(self, likelihood: Likelihood, values: Floats) -> None:
        self.likelihood = likelihood
        self.values = values
        self.value = -float(likelihood.linear @ values)
        self.gradient = -likelihood.linear
        self.shares: list[Floats] = []
        for terms in likelihood.terms:
            logs, shares = terms.shares(values)
            self.value += float(terms.weights @ logs)
            self.gradient = self.gradient + self._gathered(terms.members, terms.weights * shares)
            self.shares.append(shares)

    def _gathered(self, members: Integers, parts: Floats) -> Floats:
        found = np.bincount(members.ravel(), weights=parts.ravel(), minlength=self.likelihood.bots)
        return found.astype(np.float64, copy=False)  # the same array: numpy's types do not know of weights

    def hessian(self) -> Floats:
        """T8.3: the Hessian, a graph Laplacian: pairs are added up, and the diagonal is minus the row's sum."""
        bots = self.likelihood.bots
        flat = np.zeros(bots * bots)
        for terms, shares in zip(self.likelihood.terms, self.shares, strict=True):
            weighted = terms.weights * shares
            for cells, (one, other) in zip(terms.cells, terms.pairs, strict=True):
                flat += np.bincount(cells, weights=weighted[one] * shares[other], minlength=bots * bots)
        upper = flat.reshape(bots, bots)
        found: Floats = -(upper + upper.T)
        # A bot meets nobody twice in a match, so the diagonal is still empty.
        found[np.diag_indices(bots)] = -found.sum(axis=1)
        return found

    def diagonal(self) -> Floats:
        """The diagonal of the Hessian."""
        found = np.zeros(self.likelihood.bots)
        for terms, shares in zip(self.likelihood.terms, self.shares, strict=True):
            found += self._gathered(terms.members, terms.weights * shares * (1 - shares))
        return found

    def hessian_times(self, direction: Floats) -> Floats:
        """The Hessian times a vector, without ever writing it down."""
        found = np.zeros(self.likelihood.bots)
        for terms, shares in zip(self.likelihood.terms, self.shares, strict=True):
            along = direction[terms.members]
            mean = (shares * along).sum(axis=0)
            found += self._gathered(terms.members, terms.weights * shares * (along - mean))
        return found

    def third_order(self, covariance: Floats) -> Floats:
        """T8.4: every term adds c p_j (q_j - sum p q) to t_j, with q_j = V_jj - 2 (V p)_j + p'V p."""
        found = np.zeros(self.likelihood.bots)
        variances = np.ascontiguousarray(covariance.diagonal())
        flat = covariance.ravel()
        for terms, shares in zip(self.likelihood.terms, self.shares, strict=True):
            own = variances[terms.members]
            along = own * shares
            mean = along.sum(axis=0)
            for cells, (one, other) in zip(terms.cells, terms.pairs, strict=True):
                both = flat[cells]
                along[one] += both * shares[other]
                along[other] += both * shares[one]
            whole = (shares * along).sum(axis=0)
            # q_j less its mean: p'V p cancels once and stays once.
            found += self._gathered(terms.members, terms.weights * shares * (own - 2 * along + (2 * whole - mean)))
        return found
