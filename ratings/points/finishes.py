"""T8.1: the matches of a pool as arrays, grouped by how they finished.

The fit sums floats in the order of these arrays, so any reordering here changes FIT entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations, compress, groupby
from math import comb

import numpy as np
from numpy.typing import NDArray

from ratings.points.points import check_places, competition_places
from ratings.points.result import Result

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pattern:
    """The terms of the likelihood for one finish, by position from the best place down."""

    linear: tuple[float, ...]
    """The weight of each position's own strength, less the terms of one position."""
    terms: tuple[tuple[tuple[int, ...], float], ...]
    """Positions and weight of every term log S that has at least two positions."""


@cache
def pattern_of(places: tuple[int, ...]) -> Pattern:
    """T20.1: the sets R = A u B_g with their weights c = 1/C(|G_g|, m), of places in rising order."""
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
    """All matches that finished in one pattern; every row is a position, from the best place down."""

    ranking: tuple[int, ...]
    """The place of every position."""
    bots: Integers
    seats: Integers
    """The seat of every position, numbered over all table sizes by `seat_offset`."""
    blocks: Integers
    """The number of each match's block."""

    @property
    def pattern(self) -> Pattern:
        """The terms of this finish."""
        return pattern_of(self.ranking)


@dataclass(frozen=True)
class Played:
    """The matches of a pool: its bots in the order of their names, and how their matches finished."""

    bots: tuple[str, ...]
    finishes: tuple[Finish, ...]
    matches: int
    appearances: Integers
    """Matches of every bot."""
    blocks: Mapping[object, int] = field(default_factory=dict, repr=False)
    """The numbers of the blocks; a match without a block is under its own number."""

    @property
    def is_mostly_alone(self) -> bool:
        """Whether there are fewer than two matches per block."""
        return self.matches < 2 * len(self.blocks)

    @property
    def matches_per_bot(self) -> float:
        """T20.7: seats/N."""
        return float(self.appearances.mean())


def seat_offset(seats: int) -> int:
    """The offset of tables of this size among all (size, seat): 2 seats at 0, 3 at 2, 4 at 5, 5 at 9."""
    return seats * (seats - 1) // 2 - 1


SEAT_CLASSES = seat_offset(6)
"""The number of (size, seat) for tables of 2 to 5."""


def played(results: Sequence[Result]) -> Played:
    """T20.1: number the bots and blocks of a pool, sort every match by place and group equal patterns."""
    return _played(results, tuple(sorted(set(chain.from_iterable(result.bots for result in results)))), {}, 0)


def played_on(before: Played, results: Sequence[Result]) -> tuple[Played, Played] | None:
    """Add matches to a pool: return the new ones, and all; None if a bot is new.

    The result for all is the same as if they had been sorted together.
    """
    if not set(chain.from_iterable(result.bots for result in results)) <= set(before.bots):
        return None
    more = _played(results, before.bots, before.blocks, before.matches)
    pieces: dict[tuple[int, ...], list[Finish]] = {}
    for finish in (*before.finishes, *more.finishes):
        pieces.setdefault(finish.ranking, []).append(finish)
    appearances = before.appearances + more.appearances
    return more, Played(before.bots, _joined(pieces), before.matches + more.matches, appearances, more.blocks)


def _played(results: Sequence[Result], bots: tuple[str, ...], known: Mapping[object, int], first: int) -> Played:
    """`known` are the blocks of earlier matches, and `first` is the number of these matches."""
    index = {bot: at for at, bot in enumerate(bots)}
    named = dict(known)
    blocks = _numbered_blocks(results, named, first)
    sizes = np.fromiter((len(result.bots) for result in results), dtype=np.int64, count=len(results))
    found: list[Finish] = []
    for size in present(sizes):
        chosen = np.flatnonzero(sizes == size)
        same = [results[at] for at in chosen.tolist()]
        for ranking in {result.places for result in same}:
            check_places(ranking)
        numbers = map(index.__getitem__, chain.from_iterable(result.bots for result in same))
        places = chain.from_iterable(result.places for result in same)
        members = _rows(numbers, len(same), size)
        found.extend(_sorted_by_place(members, _rows(places, len(same), size), blocks[chosen]))
    found.sort(key=lambda finish: (len(finish.ranking), finish.ranking))
    return Played(bots, tuple(found), len(results), _appearances(found, len(bots)), named)


def _appearances(finishes: Iterable[Finish], bots: int) -> Integers:
    found = np.zeros(bots, dtype=np.int64)
    for finish in finishes:
        found += np.bincount(finish.bots.ravel(), minlength=bots)
    return found


def among(whole: Played, some: Collection[int]) -> Played:
    """Restrict every match to some of the bots, by number; their order follows the same model."""
    kept = np.zeros(len(whole.bots), dtype=bool)
    kept[list(some)] = True
    number = np.cumsum(kept) - 1
    pieces: dict[tuple[int, ...], list[Finish]] = {}
    for finish in whole.finishes:
        is_here = kept[finish.bots]
        codes = (1 << np.arange(len(finish.ranking))) @ is_here
        for code in present(codes):
            rows = [row for row in range(len(finish.ranking)) if code >> row & 1]
            if len(rows) < 2:
                continue
            columns = np.flatnonzero(codes == code)
            ranking = competition_places([finish.ranking[row] for row in rows])
            bots, seats = finish.bots[rows][:, columns], finish.seats[rows][:, columns]
            piece = Finish(ranking, number[bots], seats, finish.blocks[columns])
            pieces.setdefault(ranking, []).append(piece)
    finishes = _joined(pieces)
    names = tuple(compress(whole.bots, kept.tolist()))
    return Played(names, finishes, sum(len(finish.blocks) for finish in finishes), _appearances(finishes, len(names)))


def _joined(pieces: Mapping[tuple[int, ...], Sequence[Finish]]) -> tuple[Finish, ...]:
    """Join the matches of every pattern."""
    return tuple(
        Finish(
            ranking,
            np.concatenate([each.bots for each in parts], axis=1),
            np.concatenate([each.seats for each in parts], axis=1),
            np.concatenate([each.blocks for each in parts]),
        )
        for ranking, parts in sorted(pieces.items(), key=lambda piece: (len(piece[0]), piece[0]))
    )


def present(values: Integers) -> list[int]:
    """The distinct values of small non-negative integers, in order."""
    return np.flatnonzero(np.bincount(values)).tolist()


def _rows(values: Iterable[int], count: int, size: int) -> Integers:
    return np.fromiter(values, dtype=np.int64, count=count * size).reshape(count, size)


def _numbered_blocks(results: Sequence[Result], named: dict[object, int], first: int) -> Integers:
    """T20.1: number the blocks; a match without one is its own.

    `named` has the blocks of the `first` earlier matches, and gets the new ones.
    """
    setdefault = named.setdefault
    keys = (at if result.block is None else result.block for at, result in enumerate(results, first))
    return np.fromiter((setdefault(key, len(named)) for key in keys), dtype=np.int64, count=len(results))


def _sorted_by_place(members: Integers, places: Integers, blocks: Integers) -> list[Finish]:
    """One finish per pattern among matches of one size, given as one row per match."""
    size = members.shape[1]
    order = np.argsort(places, axis=1, kind="stable")
    places = np.take_along_axis(places, order, axis=1)
    members = np.take_along_axis(members, order, axis=1)
    codes = places @ (10 ** np.arange(size, dtype=np.int64))
    found = []
    for code in present(codes):
        chosen = codes == code
        ranking = tuple(places[np.argmax(chosen)].tolist())
        rows = np.ascontiguousarray(members[chosen].T)
        seats = np.ascontiguousarray(order[chosen].T) + seat_offset(size)
        found.append(Finish(ranking, rows, seats, blocks[chosen]))
    return found
