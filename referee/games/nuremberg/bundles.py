"""N0.3: bundles, amounts of the six commodities, as one number, and the numbers by which trades name them.

An amount has five bits, wood the lowest; so has each of the five resources where there is no gold. Where two bundles
are compared the top bit of every amount is spare: up to 15 units of each can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NewType

from referee.games.nuremberg.components import COMMODITY_COUNT, RESOURCE_COUNT, UNITS_PER_SIDE
from referee.rows import Int, Ints

Amounts = NewType("Amounts", int)

NOTHING = Amounts(0)
MAX_COMPARED = 15  # units of a commodity
ALL_AMOUNTS = Amounts(sum(MAX_COMPARED << 5 * kind for kind in range(COMMODITY_COUNT)))
SPARE_BITS = sum(16 << 5 * kind for kind in range(COMMODITY_COUNT))


@cache
def count_bundles(kinds: int, units: int) -> int:
    """Return how many bundles of so many commodities have at most so many units."""
    return sum([count_bundles(kinds - 1, units - amount) for amount in range(units + 1)]) if kinds else 1


BUNDLE_COUNTS: Ints = [
    count_bundles(kinds, units) for kinds in range(COMMODITY_COUNT + 1) for units in range(UNITS_PER_SIDE + 1)
]


def amount_of(amounts: Amounts, kind: Int) -> Int:
    """Return how much of a commodity there is."""
    return amounts >> 5 * kind & 31


def units_of(kind: Int, count: Int) -> Amounts:
    """Return so many units of a commodity, and nothing else."""
    return Amounts(count << 5 * kind)


def unit_count(amounts: Amounts) -> Int:
    """Return how many units there are in all."""
    found = 0
    left: Int = amounts
    while left:
        found += left & 31
        left >>= 5
    return found


def covers(held: Amounts, cost: Amounts) -> bool:
    """Return whether there is enough of everything: no subtraction borrows from a spare bit."""
    return ((held | SPARE_BITS) - cost) & SPARE_BITS == SPARE_BITS


def bundle_count(kinds: Int, units: Int) -> Int:
    """Return how many bundles of so many commodities have at most so many units."""
    return BUNDLE_COUNTS[kinds * (UNITS_PER_SIDE + 1) + units]


def bundle_number(amounts: Amounts) -> Int:
    """N5.16: the number of a bundle of at most ten units, of which there are 8,008: its place in ascending order."""
    number = 0
    left = UNITS_PER_SIDE
    for kind in range(COMMODITY_COUNT):
        amount = amount_of(amounts, kind)
        number += bundle_count(COMMODITY_COUNT - kind, left) - bundle_count(COMMODITY_COUNT - kind, left - amount)
        left -= amount
    return number


def bundle_numbered(number: Int) -> Amounts:
    """N5.16: the bundle with this number."""
    amounts = 0
    left = UNITS_PER_SIDE
    for kind in range(COMMODITY_COUNT):
        most = bundle_count(COMMODITY_COUNT - kind, left)
        amount = 0
        while amount < left and number >= most - bundle_count(COMMODITY_COUNT - kind, left - amount - 1):
            amount += 1
        number -= most - bundle_count(COMMODITY_COUNT - kind, left - amount)
        amounts |= amount << 5 * kind
        left -= amount
    return Amounts(amounts)


# Values


def amounts_of(counts: Iterable[int]) -> Amounts:
    """N0.3: the number of a bundle, or of resource cards, that is a value."""
    return Amounts(sum([count << 5 * kind for kind, count in enumerate(counts)]))


def bundle_in(amounts: int) -> tuple[int, ...]:
    """N0.3: six amounts as a value."""
    return tuple([amounts >> 5 * kind & 31 for kind in range(COMMODITY_COUNT)])


def cards_in(amounts: int) -> tuple[int, ...]:
    """N0.3: five amounts of resource cards as a value."""
    return tuple([amounts >> 5 * kind & 31 for kind in range(RESOURCE_COUNT)])
