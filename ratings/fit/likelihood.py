"""T8.1, T8.3: the Plackett-Luce likelihood with ties, its gradient and its Hessian, for all matches together.

A match with tie groups G_1 > G_2 > ... and B_g all bots below group g has the log-likelihood

    sum_g [ sum over i in G_g of x_i - sum over non-empty A in G_g of log(S_A + S_B_g) / C(|G_g|, |A|) ]

where S is a sum of e^x. All code here computes its negative, which is convex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np

from ratings.points.finishes import Finish, Floats, Integers

AnyArray = TypeVar("AnyArray", Integers, Floats)

WHOLE = 60
"""Weights are exact multiples of 1/60 for tables of up to five."""

WIDEST_SAFE = 600.0
"""The widest range of strengths, in nats, in which no e^x underflows."""

CHUNK = 8192
"""Terms processed together: their numbers fit into the cache."""


@dataclass(frozen=True)
class Terms:
    """Terms log S over sets of members, equal ones merged; every row is a member.

    A column is one set, or a whole match without ties: the set of all, of all but the first, and so on.
    """

    members: Integers
    """Columns in order, each from its lowest member up, or from the first place down."""
    weights: Floats
    bots: int
    starts: tuple[int, ...] = (0,)
    """The sets of a column: from each of these rows to the last."""

    def with_more(self, more: Terms) -> Terms:
        """Add terms of the same kind, with the same result as merging all together."""
        if self.keys is None or more.keys is None:
            both = [(each.members, _in_parts(each.weights)) for each in (self, more)]
            return _merged(both, self.bots, self.starts)
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
            self.starts,
        )

    @cached_property
    def keys(self) -> Integers | None:
        """The members of every term as one sortable number; None with too many bots for that."""
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
    def runs(self) -> Integers:
        """The offsets of the terms of every lowest member."""
        return np.flatnonzero(np.diff(self.members[0], prepend=-1))

    def sets(self, values: Floats) -> Iterator[tuple[slice, list[MemberSet]]]:
        """The sets of the columns, chunk by chunk."""
        top = float(values.max())
        is_safe = top - float(values.min()) < WIDEST_SAFE
        known = np.exp(values - top) if is_safe else values
        for begin in range(0, self.members.shape[1], CHUNK):
            part = slice(begin, begin + CHUNK)
            chosen = known[self.members[:, part]]
            found = []
            for start in self.starts:
                powers = chosen[start:]
                tops: Floats | float = top
                if not is_safe:
                    tops = powers.max(axis=0)
                    powers = np.exp(powers - tops)
                sums = powers.sum(axis=0)
                found.append(MemberSet(start, powers * (1 / sums), sums, tops))
            yield part, found


class MemberSet(NamedTuple):
    """The members of some columns from one row on."""

    start: int
    shares: Floats
    """The share of each member in S."""
    sums: Floats
    tops: Floats | float
    """S is the sum times e^top."""

    @property
    def logs(self) -> Floats:
        """log S."""
        found: Floats = np.log(self.sums) + self.tops
        return found


class _Gathered:
    """Contributions of the terms to their members, summed by bot."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.to_lowest = np.empty(terms.members.shape[1])
        self.to_others = np.zeros(terms.bots)

    def add(self, part: slice, given: Floats) -> None:
        """Add the contributions of a chunk, one row per member."""
        self.to_lowest[part] = given[0]
        members = self.terms.members[1:, part]
        self.to_others += np.bincount(members.ravel(), weights=given[1:].ravel(), minlength=self.terms.bots)

    def total(self) -> Floats:
        """The sums by bot; the terms of a lowest member are contiguous."""
        found = self.to_others
        runs = self.terms.runs
        found[self.terms.members[0, runs]] += np.add.reduceat(self.to_lowest, runs)
        return found


class Likelihood:
    """T8.1: minus the log-likelihood of all matches as a function of the bots' strengths in nats."""

    def __init__(self, linear: Floats, terms: Sequence[Terms], *, by_match: bool) -> None:
        self.bots = len(linear)
        self.linear = linear
        self.terms = tuple(terms)
        self.by_match = by_match

    @classmethod
    def of(cls, finishes: Sequence[Finish], bots: int, *, by_match: bool = False) -> Likelihood:
        """The likelihood of matches between `bots` bots.

        `by_match` keeps the sets of a match without ties together, which saves lookups; otherwise equal sets of all
        matches are merged, which is better where the same bots meet again.
        """
        linear = np.zeros(bots, dtype=np.int64)
        pieces: dict[tuple[int, tuple[int, ...]], list[tuple[Integers, Integers]]] = {}
        for finish in finishes:
            pattern = finish.pattern
            for position, weight in enumerate(pattern.linear):
                if weight:
                    linear += _parts(weight) * np.bincount(finish.bots[position], minlength=bots)
            count = finish.bots.shape[1]
            size = len(finish.ranking)
            if by_match and len(set(finish.ranking)) == size > 2:
                pieces.setdefault((size, tuple(range(size - 1))), []).append((finish.bots, np.full(count, WHOLE)))
                continue
            for positions, weight in pattern.terms:
                members = np.sort(finish.bots[list(positions)], axis=0)
                pieces.setdefault((len(positions), (0,)), []).append((members, np.full(count, _parts(weight))))
        merged = [_merged(parts, bots, starts) for (_, starts), parts in sorted(pieces.items())]
        return cls(linear / WHOLE, merged, by_match=by_match)

    def with_more(self, finishes: Sequence[Finish]) -> Likelihood:
        """Add matches of the same bots, with the same result as building from all together."""
        more = Likelihood.of(finishes, self.bots, by_match=self.by_match)
        pieces: dict[tuple[int, tuple[int, ...]], list[Terms]] = {}
        for terms in (*self.terms, *more.terms):
            pieces.setdefault((len(terms.members), terms.starts), []).append(terms)
        linear = np.round((self.linear + more.linear) * WHOLE) / WHOLE
        merged = [parts[0] if len(parts) == 1 else parts[0].with_more(parts[1]) for _, parts in sorted(pieces.items())]
        return Likelihood(linear, merged, by_match=self.by_match)

    @cached_property
    def cells(self) -> Integers:
        """The cell of every pair of members of every term in a flat matrix of all bots, pair by pair."""
        found = np.empty(sum(len(terms.pairs) * terms.members.shape[1] for terms in self.terms), dtype=np.int64)
        for terms, cells in zip(self.terms, self.by_pair(found), strict=True):
            for row, (one, other) in zip(cells, terms.pairs, strict=True):
                np.multiply(terms.members[one], self.bots, out=row)
                row += terms.members[other]
        return found

    def by_pair(self, flat: AnyArray) -> list[AnyArray]:
        """Split a flat array into one array per size of terms, with one row per pair."""
        found = []
        begin = 0
        for terms in self.terms:
            end = begin + len(terms.pairs) * terms.members.shape[1]
            found.append(flat[begin:end].reshape(len(terms.pairs), -1))
            begin = end
        return found

    def at(self, values: Floats) -> LikelihoodPoint:
        """Evaluate everything at given strengths."""
        return LikelihoodPoint(self, values)


def _parts(weight: float) -> int:
    """A weight 1/C(|G_g|, m), or the rest of 1, in parts of `WHOLE`."""
    found = round(weight * WHOLE)
    if abs(found - weight * WHOLE) > 1e-6:
        raise ValueError(f"T20.1: the weight {weight} is not a multiple of 1/{WHOLE}: too many are tied")
    return found


def _in_parts(weights: Floats) -> Integers:
    found: Integers = np.round(weights * WHOLE).astype(np.int64)
    return found


def _merged(parts: Sequence[tuple[Integers, Integers]], bots: int, starts: tuple[int, ...]) -> Terms:
    """T20.8: merge equal terms by adding their weights, given in parts of `WHOLE`."""
    members = np.concatenate([each for each, _ in parts], axis=1)
    weights = np.concatenate([each for _, each in parts])
    keys = Terms(members, weights, bots).keys
    order = np.lexsort(members[::-1]) if keys is None else np.argsort(keys, kind="stable")
    members = members[:, order]
    first = np.flatnonzero((np.diff(members, axis=1, prepend=-1) != 0).any(axis=0))
    return Terms(np.ascontiguousarray(members[:, first]), np.add.reduceat(weights[order], first) / WHOLE, bots, starts)


class LikelihoodPoint:
    """The likelihood at given strengths: its value and gradient, and higher derivatives on demand."""

    def __init__(self, likelihood: Likelihood, values: Floats) -> None:
        self.likelihood = likelihood
        self.values = values
        self.value = -float(likelihood.linear @ values)
        self.gradient = -likelihood.linear
        for terms in likelihood.terms:
            gathered = _Gathered(terms)
            for part, sets in terms.sets(values):
                weights = terms.weights[part]
                given = sets[0].shares
                self.value += float(weights @ sets[0].logs)
                for each in sets[1:]:
                    self.value += float(weights @ each.logs)
                    given[each.start :] += each.shares
                given *= weights
                gathered.add(part, given)
            self.gradient += gathered.total()

    @cached_property
    def _links(self) -> Floats:
        """Minus the Hessian off its diagonal: the summed products of the shares of every pair of members."""
        likelihood = self.likelihood
        products = np.empty(len(likelihood.cells))
        for terms, rows in zip(likelihood.terms, likelihood.by_pair(products), strict=True):
            for part, sets in terms.sets(self.values):
                for row, (one, other) in zip(rows, terms.pairs, strict=True):
                    product = sets[0].shares[one] * sets[0].shares[other]
                    for each in sets[1 : 1 + one]:
                        product += each.shares[one - each.start] * each.shares[other - each.start]
                    np.multiply(product, terms.weights[part], out=row[part])
        flat = np.bincount(likelihood.cells, weights=products, minlength=likelihood.bots**2)
        upper = flat.astype(np.float64, copy=False).reshape(likelihood.bots, -1)
        found: Floats = upper + upper.T
        return found

    def hessian(self, scale: float = 1.0) -> Floats:
        """T8.3: the Hessian times `scale`: a graph Laplacian, whose diagonal is minus the row sum."""
        found: Floats = self._links * -scale
        # No bot meets itself in a match, so the diagonal is still empty.
        found[np.diag_indices(self.likelihood.bots)] = -found.sum(axis=1)
        return found

    def diagonal(self) -> Floats:
        """The diagonal of the Hessian."""
        return self._given(lambda _terms, _part, each: each.shares * (1 - each.shares))

    def hessian_times(self, direction: Floats) -> Floats:
        """The Hessian times a vector, without forming the matrix."""

        def given(terms: Terms, part: slice, each: MemberSet) -> Floats:
            along = direction[terms.members[each.start :, part]]
            mean = (each.shares * along).sum(axis=0)
            found: Floats = each.shares * (along - mean)
            return found

        return self._given(given)

    def _given(self, given: Callable[[Terms, slice, MemberSet], Floats]) -> Floats:
        """Contributions of the sets to their members, weighted and summed by bot."""
        found = np.zeros(self.likelihood.bots)
        for terms in self.likelihood.terms:
            gathered = _Gathered(terms)
            for part, sets in terms.sets(self.values):
                total = given(terms, part, sets[0])
                for each in sets[1:]:
                    total[each.start :] += given(terms, part, each)
                gathered.add(part, total * terms.weights[part])
            found += gathered.total()
        return found

    def third_order(self, covariance: Floats) -> Floats:
        """T8.4: every term adds c p_j (q_j - sum p q) to t_j, with q_j = V_jj - 2 (V p)_j + p'V p.

        With D_ij = V_ii + V_jj - 2 V_ij, the variance of a difference, q_j is the sum of p_i D_ij less u, and sum p q
        is u, where u is the sum of p_i p_k D_ik over the pairs of the term. The first part sums to the Hessian's
        pairs, so only u is computed term by term.
        """
        likelihood = self.likelihood
        variances = np.ascontiguousarray(covariance.diagonal())
        apart = covariance * -2
        apart += variances
        apart += variances[:, None]
        found: Floats = np.einsum("ij,ij->i", self._links, apart)
        flat = apart.ravel()
        for terms, cells in zip(likelihood.terms, likelihood.by_pair(likelihood.cells), strict=True):
            gathered = _Gathered(terms)
            for part, sets in terms.sets(self.values):
                between = [np.zeros(len(sets[0].sums)) for _ in sets]
                for row, (one, other) in zip(cells, terms.pairs, strict=True):
                    variance = flat[row[part]]
                    for total, each in zip(between[: 1 + one], sets, strict=False):
                        product = each.shares[one - each.start] * each.shares[other - each.start]
                        product *= variance
                        total += product
                given = sets[0].shares
                given *= between[0]
                for total, each in zip(between[1:], sets[1:], strict=True):
                    given[each.start :] += each.shares * total
                given *= terms.weights[part]
                gathered.add(part, given)
            found -= 2 * gathered.total()
        return found
