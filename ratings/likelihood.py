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

WHOLE = 60
"""Weights are counted in sixtieths, exactly: all of tables of up to five are whole numbers of them."""

WIDEST_SAFE = 600.0
"""Nat between the strongest and the weakest up to which no e^x vanishes beside another."""


@dataclass(frozen=True)
class Terms:
    """All terms log S over sets of one size, equal sets merged; every row is a member."""

    members: Integers
    """Columns in order, each from its lowest member up."""
    weights: Floats
    bots: int

    def with_more(self, more: Terms) -> Terms:
        """These and further terms of the same size, exactly as if all had been merged together."""
        if self.keys is None or more.keys is None:
            return _merged([(each.members, _in_parts(each.weights)) for each in (self, more)], self.bots)
        places = np.searchsorted(self.keys, more.keys)
        is_known = np.zeros(len(places), dtype=bool)
        is_inside = places < len(self.keys)
        is_known[is_inside] = self.keys[places[is_inside]] == more.keys[is_inside]
        parts, added = _in_parts(self.weights), _in_parts(more.weights)
        parts[places[is_known]] += added[is_known]
        new = places[~is_known]
        return Terms(
            np.insert(self.members, new, more.members[:, ~is_known], axis=1),
            np.insert(parts, new, added[~is_known]) / WHOLE,
            self.bots,
        )

    @cached_property
    def keys(self) -> Integers | None:
        """The members of every term as one number, in order; None where there are too many bots for that."""
        if self.bots ** len(self.members) >= 2**62:
            return None
        found: Integers = self.members[0].copy()
        for row in self.members[1:]:
            found *= self.bots
            found += row
        return found

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

    def __init__(self, linear: Floats, terms: Sequence[Terms]) -> None:
        self.bots = len(linear)
        self.linear = linear
        self.terms = tuple(terms)

    @classmethod
    def of(cls, finishes: Sequence[Finish], bots: int) -> Likelihood:
        """The likelihood of matches between so many bots."""
        linear = np.zeros(bots, dtype=np.int64)
        pieces: dict[int, list[tuple[Integers, Integers]]] = {}
        for finish in finishes:
            pattern = finish.pattern
            for position, weight in enumerate(pattern.linear):
                if weight:
                    linear += _parts(weight) * np.bincount(finish.bots[position], minlength=bots)
            for positions, weight in pattern.terms:
                members = finish.bots[list(positions)]
                pieces.setdefault(len(positions), []).append((members, np.full(members.shape[1], _parts(weight))))
        return cls(linear / WHOLE, [_merged(parts, bots) for _, parts in sorted(pieces.items())])

    def with_more(self, finishes: Sequence[Finish]) -> Likelihood:
        """The likelihood of further matches of the same bots too, exactly as if all had come together."""
        more = Likelihood.of(finishes, self.bots)
        pieces: dict[int, list[Terms]] = {}
        for terms in (*self.terms, *more.terms):
            pieces.setdefault(len(terms.members), []).append(terms)
        linear = np.round((self.linear + more.linear) * WHOLE) / WHOLE
        merged = [parts[0] if len(parts) == 1 else parts[0].with_more(parts[1]) for _, parts in sorted(pieces.items())]
        return Likelihood(linear, merged)

    def at(self, values: Floats) -> Point:
        """Evaluate everything at given strengths."""
        return Point(self, values)


def _parts(weight: float) -> int:
    """A weight 1/C(|G_g|, m), or what of 1 these leave, in parts of `WHOLE`."""
    found = round(weight * WHOLE)
    if abs(found - weight * WHOLE) > 1e-6:
        raise ValueError(f"T20.1: the weight {weight} is not counted in parts of {WHOLE}: too many are tied")
    return found


def _in_parts(weights: Floats) -> Integers:
    found: Integers = np.round(weights * WHOLE).astype(np.int64)
    return found


def _merged(parts: Sequence[tuple[Integers, Integers]], bots: int) -> Terms:
    """T20.8: the same company again is the same term: add up the weights, given in parts of `WHOLE`."""
    members = np.concatenate([each for each, _ in parts], axis=1)
    weights = np.concatenate([each for _, each in parts])
    members = np.sort(members, axis=0)
    keys = Terms(members, weights, bots).keys
    order = np.lexsort(members[::-1]) if keys is None else np.argsort(keys, kind="stable")
    members = members[:, order]
    first = np.flatnonzero((np.diff(members, axis=1, prepend=-1) != 0).any(axis=0))
    return Terms(np.ascontiguousarray(members[:, first]), np.add.reduceat(weights[order], first) / WHOLE, bots)


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

    @cached_property
    def _products(self) -> list[Floats]:
        """For every pair of members of every term the product of their shares."""
        found = []
        for terms, shares in zip(self.likelihood.terms, self.shares, strict=True):
            products = np.empty((len(terms.pairs), shares.shape[1]))
            for row, (one, other) in zip(products, terms.pairs, strict=True):
                np.multiply(shares[one], shares[other], out=row)
            found.append(products)
        return found

    @cached_property
    def _links(self) -> Floats:
        """Minus the Hessian beside its diagonal: the products of all pairs, added up."""
        bots = self.likelihood.bots
        flat = np.zeros(bots * bots)
        for terms, products in zip(self.likelihood.terms, self._products, strict=True):
            weighted = products * terms.weights
            flat += np.bincount(terms.cells.ravel(), weights=weighted.ravel(), minlength=bots * bots)
        upper = flat.reshape(bots, bots)
        found: Floats = upper + upper.T
        return found

    def hessian(self, scale: float = 1.0) -> Floats:
        """T8.3: the Hessian, a graph Laplacian: pairs are added up, and the diagonal is minus the row's sum.

        It is returned times `scale`.
        """
        found: Floats = self._links * -scale
        # A bot meets nobody twice in a match, so the diagonal is still empty.
        found[np.diag_indices(self.likelihood.bots)] = -found.sum(axis=1)
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
        """T8.4: every term adds c p_j (q_j - sum p q) to t_j, with q_j = V_jj - 2 (V p)_j + p'V p.

        With D_ij = V_ii + V_jj - 2 V_ij, the variance of a difference, q_j is the sum of p_i D_ij less u, and sum p q
        is u, where u is the sum of p_i p_k D_ik over the pairs of the term. The first part adds up to the Hessian's
        pairs, so that only u is left to be worked out term by term.
        """
        variances = np.ascontiguousarray(covariance.diagonal())
        apart = covariance * -2
        apart += variances
        apart += variances[:, None]
        found: Floats = np.einsum("ij,ij->i", self._links, apart)
        flat = apart.ravel()
        for terms, shares, products in zip(self.likelihood.terms, self.shares, self._products, strict=True):
            between = np.einsum("ij,ij->j", products, flat[terms.cells])
            found -= 2 * self._gathered(terms.members, (terms.weights * between) * shares)
        return found
