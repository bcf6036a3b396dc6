"""9.8: the Plackett-Luce likelihood with ties, its gradient and its Hessian, for all matches at once.

A match with tie groups G_1 > G_2 > ... and B_g everybody below group g has the log-likelihood

    sum_g [ sum over i in G_g of x_i - sum over non-empty A in G_g of log(S_A + S_B_g) / C(|G_g|, |A|) ]

where S is a sum of e^x. Everything here is about its negative, which is convex.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby
from math import comb

import numpy as np
from numpy.typing import NDArray

from ratings.points import check_places
from ratings.result import Result

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a way of finishing adds to the likelihood, by position from the best place down."""

    linear: tuple[float, ...]
    """The weight of each position's own strength; terms of one position are already taken off."""
    terms: tuple[tuple[tuple[int, ...], float], ...]
    """Positions and weight of every term log S that has at least two positions."""


@cache
def pattern_of(places: tuple[int, ...]) -> Pattern:
    """9.8: the terms of places in rising order, ties first of all."""
    linear = [1.0] * len(places)
    terms = []
    for _, same in groupby(range(len(places)), key=lambda position: places[position]):
        group = tuple(same)
        below = tuple(range(group[-1] + 1, len(places)))
        for size in range(1, len(group) + 1):
            weight = 1 / comb(len(group), size)
            for subset in combinations(group, size):
                positions = subset + below
                if len(positions) == 1:
                    linear[positions[0]] -= weight
                else:
                    terms.append((positions, weight))
    return Pattern(tuple(linear), tuple(terms))


@dataclass(frozen=True, slots=True)
class Finish:
    """All matches that finished in one pattern: bots, seats and numbers, by position from the best place down."""

    ranking: tuple[int, ...]
    """The place of every position."""
    pattern: Pattern
    bots: Integers
    seats: Integers
    matches: Integers


def seat_offset(seats: int) -> int:
    """Where the seats of tables of this size begin among all (size, seat): 2 seats at 0, 3 at 2, 4 at 5, 5 at 9."""
    return seats * (seats - 1) // 2 - 1


SEAT_CLASSES = seat_offset(6)
"""How many (size, seat) there are for tables of 2 to 5."""


def finishes(results: Sequence[Result], index: dict[str, int]) -> list[Finish]:
    """Sort every match by place and put equal patterns together."""
    found = []
    sizes: dict[int, list[int]] = {}
    for number, result in enumerate(results):
        sizes.setdefault(len(result.bots), []).append(number)
    for size, numbers in sorted(sizes.items()):
        matches = np.array(numbers, dtype=np.int64)
        bots = np.array([[index[bot] for bot in results[number].bots] for number in numbers], dtype=np.int64)
        places = np.array([results[number].places for number in numbers], dtype=np.int64)
        order = np.argsort(places, axis=1, kind="stable")
        places = np.take_along_axis(places, order, axis=1)
        bots = np.take_along_axis(bots, order, axis=1)
        codes = places @ (10 ** np.arange(size, dtype=np.int64))
        for code in np.unique(codes):
            chosen = codes == code
            ranking = tuple(int(place) for place in places[chosen][0])
            check_places(ranking)
            found.append(
                Finish(ranking, pattern_of(ranking), bots[chosen], order[chosen] + seat_offset(size), matches[chosen])
            )
    return found


@dataclass(frozen=True, slots=True)
class Block:
    """Terms of equal length: parameters (rows of one or two columns a member) and weights."""

    bots: Integers
    seats: Integers | None
    weights: Floats


class Likelihood:
    """9.8: minus the log-likelihood of all matches as a function of the parameters: strengths, then seat effects."""

    def __init__(self, found: Sequence[Finish], bots: int, *, has_seats: bool) -> None:
        self.bots = bots
        self.size = bots + SEAT_CLASSES if has_seats else bots
        self.linear = np.zeros(self.size)
        pieces: dict[int, list[Block]] = {}
        for finish in found:
            count = len(finish.matches)
            for position, weight in enumerate(finish.pattern.linear):
                if weight:
                    self.linear += weight * np.bincount(finish.bots[:, position], minlength=self.size)
                    if has_seats:
                        self.linear += weight * np.bincount(bots + finish.seats[:, position], minlength=self.size)
            for positions, weight in finish.pattern.terms:
                columns = list(positions)
                seats = finish.seats[:, columns] if has_seats else None
                block = Block(finish.bots[:, columns], seats, np.full(count, weight))
                pieces.setdefault(len(columns), []).append(block)
        self.blocks = [self._joined(parts) for _, parts in sorted(pieces.items())]

    def _joined(self, parts: Sequence[Block]) -> Block:
        bots = np.concatenate([part.bots for part in parts])
        weights = np.concatenate([part.weights for part in parts])
        if parts[0].seats is not None:
            return Block(bots, np.concatenate([part.seats for part in parts if part.seats is not None]), weights)
        width = bots.shape[1]
        if self.bots**width < 2**62:
            # The same company again is the same term: add up the weights.
            bots = np.sort(bots, axis=1)
            keys = bots @ (self.bots ** np.arange(width, dtype=np.int64))
            _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
            bots, weights = bots[first], np.bincount(inverse, weights=weights)
        return Block(bots, None, weights)

    def _shares(self, block: Block, values: Floats) -> tuple[Floats, Floats]:
        """For every term log S and the share of each member in S."""
        strengths = values[block.bots]
        if block.seats is not None:
            strengths = strengths + values[self.bots + block.seats]
        top = strengths.max(axis=1)
        powers = np.exp(strengths - top[:, None])
        sums = powers.sum(axis=1)
        return top + np.log(sums), powers / sums[:, None]

    def _columns(self, block: Block) -> Iterator[Integers]:
        yield block.bots
        if block.seats is not None:
            yield block.seats + self.bots

    def value_and_gradient(self, values: Floats) -> tuple[float, Floats]:
        """Minus the log-likelihood, and its gradient."""
        value = -float(self.linear @ values)
        gradient = -self.linear
        for block in self.blocks:
            logs, shares = self._shares(block, values)
            value += float(block.weights @ logs)
            weighted = (block.weights[:, None] * shares).ravel()
            for columns in self._columns(block):
                gradient = gradient + np.bincount(columns.ravel(), weights=weighted, minlength=self.size)
        return value, gradient

    def diagonal(self, values: Floats) -> Floats:
        """The diagonal of the Hessian, seat effects left out."""
        found = np.zeros(self.size)
        for block in self.blocks:
            _, shares = self._shares(block, values)
            weighted = block.weights[:, None] * shares * (1 - shares)
            found += np.bincount(block.bots.ravel(), weights=weighted.ravel(), minlength=self.size)
        return found

    def hessian(self, values: Floats) -> Floats:
        """The Hessian: for every term weight * (diag(p) - p p')."""
        size = self.size
        found = np.zeros(size * size)
        for block in self.blocks:
            _, shares = self._shares(block, values)
            columns = list(self._columns(block))
            for one in range(shares.shape[1]):
                own = block.weights * shares[:, one]
                for first in columns:
                    for second in columns:
                        keys = first[:, one] * size + second[:, one]
                        found += np.bincount(keys, weights=own * (1 - shares[:, one]), minlength=size * size)
                        for other in range(one):
                            both = -own * shares[:, other]
                            keys = first[:, one] * size + second[:, other]
                            found += np.bincount(keys, weights=both, minlength=size * size)
                            keys = second[:, other] * size + first[:, one]
                            found += np.bincount(keys, weights=both, minlength=size * size)
        return found.reshape(size, size)

    def hessian_times(self, values: Floats, direction: Floats) -> Floats:
        """The Hessian times a vector, without ever writing it down; for strengths alone."""
        found = np.zeros(self.size)
        for block in self.blocks:
            _, shares = self._shares(block, values)
            along = direction[block.bots]
            mean = (shares * along).sum(axis=1)
            weighted = block.weights[:, None] * shares * (along - mean[:, None])
            found += np.bincount(block.bots.ravel(), weights=weighted.ravel(), minlength=self.size)
        return found


def match_gradients(found: Sequence[Finish], strengths: Floats) -> Iterator[tuple[Finish, Floats]]:
    """For every finish what each match adds to the gradient of minus the log-likelihood, by position."""
    for finish in found:
        values = strengths[finish.bots]
        gradients = np.tile(-np.array(finish.pattern.linear), (len(finish.matches), 1))
        for positions, weight in finish.pattern.terms:
            columns = list(positions)
            powers = np.exp(values[:, columns] - values[:, columns].max(axis=1, keepdims=True))
            gradients[:, columns] += weight * powers / powers.sum(axis=1, keepdims=True)
        yield finish, gradients


def clustered_scores(found: Sequence[Finish], strengths: Floats, clusters: Integers) -> Floats:
    """9.8: J, the sum over blocks of the outer product of their gradients; `clusters` numbers each match's block."""
    bots = len(strengths)
    keys, parts = [], []
    for finish, gradients in match_gradients(found, strengths):
        keys.append((clusters[finish.matches][:, None] * bots + finish.bots).ravel())
        parts.append(gradients.ravel())
    unique, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    sums = np.bincount(inverse, weights=np.concatenate(parts))
    members = unique % bots
    _, starts, counts = np.unique(unique // bots, return_index=True, return_counts=True)
    found_scores = np.zeros(bots * bots)
    for count in np.unique(counts):
        rows = starts[counts == count][:, None] + np.arange(count)
        for one in range(count):
            for other in range(count):
                pairs = members[rows[:, one]] * bots + members[rows[:, other]]
                products = sums[rows[:, one]] * sums[rows[:, other]]
                found_scores += np.bincount(pairs, weights=products, minlength=bots * bots)
    return found_scores.reshape(bots, bots)
