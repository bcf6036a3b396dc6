"""Goods vectors in canonical order (B0.8): what can be bought, paid or stolen of some goods.

A vector is one number with four bits for every guild, the first lowest. All vectors that a rule may ask for stand in
tables, which are worked out once; a count above what a question can use is cut down to that before it is asked.
"""

from __future__ import annotations

from functools import cache
from typing import NewType

from referee.games.norenberc.codes import choice_of, vector_of
from referee.games.norenberc.components import GUILDS_BY_SEATS, HIRE_COSTS, PANES
from referee.games.norenberc.state import State
from referee.rows import Int, Ints, Listing, remembered

Vector = NewType("Vector", int)

MAX_PAID = max(own + other for costs in HIRE_COSTS for own, other in costs)
FEWEST_TYPES = min(GUILDS_BY_SEATS.values())
MAX_TYPES = max(GUILDS_BY_SEATS.values())
TYPES = range(FEWEST_TYPES, MAX_TYPES + 1)
SPARE_BITS = 0x888888  # the top bit of every good's four


@cache
def vectors(types: int, total: int) -> tuple[tuple[int, ...], ...]:
    """B0.8: all goods vectors of one total, the lexicographically larger first."""
    if types == 1:
        return ((total,),)
    return tuple((first, *rest) for first in range(total, -1, -1) for rest in vectors(types - 1, total - first))


def costs(types: int, house: int, pane: int) -> list[int]:
    """B5.13: every goods vector that pays for a window of a guild, whichever alternative of B5.12 it matches."""
    patterns = HIRE_COSTS[pane]
    totals = sorted({own + other for own, other in patterns})
    return [
        vector_of(vector)
        for total in totals
        for vector in vectors(types, total)
        if any(own + other == total and vector[house] >= own for own, other in patterns)
    ]


def starts(parts: list[list[int]]) -> list[int]:
    """Return where each part of a table begins, and where the last one ends."""
    return [sum(map(len, parts[:place])) for place in range(len(parts) + 1)]


def payable(own: int, total: int) -> int:
    """B5.12: bit set of the windows payable with this many goods of the guild's type among this many in all."""
    panes = 0
    for pane, patterns in enumerate(HIRE_COSTS):
        if any(own >= needed and total >= needed + other for needed, other in patterns):
            panes |= 1 << pane
    return panes


_VECTORS = [[vector_of(each) for each in vectors(types, total)] for types in TYPES for total in range(MAX_PAID + 1)]
_COSTS = [
    costs(types, house, pane) if house < types else []
    for types in TYPES
    for house in range(MAX_TYPES)
    for pane in range(PANES)
]
VECTORS: Ints = [vector for part in _VECTORS for vector in part]
VECTOR_STARTS: Ints = starts(_VECTORS)
COSTS: Ints = [vector for part in _COSTS for vector in part]
COST_STARTS: Ints = starts(_COSTS)
PAYABLE_PANES: Ints = [payable(own, total) for own in range(MAX_PAID + 1) for total in range(MAX_PAID + 1)]


def first_vector(types: Int, total: Int) -> Int:
    """Return the place of the first vector of a total; those of the next total follow."""
    return VECTOR_STARTS[(types - FEWEST_TYPES) * (MAX_PAID + 1) + total]


def first_cost(types: Int, house: Int, pane: Int) -> Int:
    """Return the place of the first vector that pays for a window; those for the next window follow."""
    return COST_STARTS[((types - FEWEST_TYPES) * MAX_TYPES + house) * PANES + pane]


def payable_panes(own: Int, total: Int) -> Int:
    """B5.12: bit set of the windows payable with this many goods of the guild's type among this many in all."""
    return PAYABLE_PANES[min(own, MAX_PAID) * (MAX_PAID + 1) + min(total, MAX_PAID)]


def count_in(vector: Vector, house: Int) -> Int:
    """B0.8: the entry of a goods vector for one guild."""
    return vector >> 4 * house & 15


def loose_goods(state: State, seat: Int, most: Int) -> Vector:
    """B0.8: the loose goods of a seat, every count cut down to the most that matters."""
    goods = 0
    for house in range(state.houses):
        goods |= min(state.loose[seat * state.houses + house], most) << 4 * house
    return Vector(goods)


def stored_goods(state: State, house: Int, most: Int) -> Vector:
    """B1.2: the goods of a storehouse, every count cut down to the most that matters."""
    goods = 0
    for good in range(state.houses):
        goods |= min(state.stores[house * state.houses + good], most) << 4 * good
    return Vector(goods)


@remembered
def offer_vectors(start: Int, stop: Int, goods: Vector, kind: Int, extra: Int, listing: Listing) -> None:
    """B0.8: offer those of the vectors from one place to another that the goods hold, with something else or 0.

    They hold a vector if no subtraction borrows from a spare bit.
    """
    held = goods | SPARE_BITS
    for place in range(start, stop):
        if (held - VECTORS[place]) & SPARE_BITS == SPARE_BITS:
            listing.add(choice_of(kind, VECTORS[place] | extra))


@remembered
def offer_costs(start: Int, stop: Int, goods: Vector, kind: Int, listing: Listing) -> None:
    """B5.13: offer those of the payments from one place to another that the goods hold."""
    held = goods | SPARE_BITS
    for place in range(start, stop):
        if (held - COSTS[place]) & SPARE_BITS == SPARE_BITS:
            listing.add(choice_of(kind, COSTS[place]))
