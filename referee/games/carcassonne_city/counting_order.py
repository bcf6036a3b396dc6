"""The order in which features are counted: that of a Python set of their roots.

Points are sums of fractions, which depend on their order in the last digit, and choices depend on the points. The
heuristic has always counted features as they stand in a set of integers; here that order is worked out, so that it is
the same in C and in every Python. A set is a hash table of 8, 32 or 128 slots here: a number stands at its last bits,
or, if that slot is taken, in one of the nine that follow, or at a place that its other bits lead to.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.components import STRIDE
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.state import State, node_of
from referee.rows import Int, Ints, Shorts

FREE = -1
SMALLEST = 8
SLOTS = 128  # enough for the features of all followers
LINEAR_PROBES = 9


def features_in_order(state: State, nodes: Shorts, count: Int, roots: Shorts) -> Int:
    """Fill in the roots of the features of so many nodes, each once, in the order of counting; return how many."""
    slots: Annotated[Ints, SLOTS] = [0] * SLOTS
    size = SMALLEST
    used = 0
    clear(slots, size)
    for at in range(count):
        key = state.part_numbers[find(state, nodes[at])]
        slot = key & size - 1
        if slots[slot] not in (FREE, key):
            slot = slot_for(slots, size, key)
        if slots[slot] == FREE:
            slots[slot] = key
            used += 1
            if used * 5 >= (size - 1) * 3:
                size = grown(slots, size, used)
    found = 0
    for slot in range(size):
        if slots[slot] != FREE:
            roots[found] = node_of(state, slots[slot] // STRIDE, slots[slot] % STRIDE)
            found += 1
    return found


def clear(slots: Ints, size: Int) -> None:
    """Make all slots free."""
    for slot in range(size):
        slots[slot] = FREE


def slot_for(slots: Ints, size: Int, key: Int) -> Int:
    """Return the slot of a number, or the free one where it would stand."""
    mask = size - 1
    first = key & mask
    rest = key
    while True:
        last = first + LINEAR_PROBES if first + LINEAR_PROBES <= mask else first
        for slot in range(first, last + 1):
            if slots[slot] in (FREE, key):
                return slot
        rest >>= 5
        first = first * 5 + 1 + rest & mask


def grown(slots: Ints, size: Int, used: Int) -> Int:
    """Move all numbers, as they stand, into a table with more slots than four for each; return its size."""
    before: Annotated[Ints, SLOTS] = [0] * SLOTS
    for slot in range(size):
        before[slot] = slots[slot]
    larger = SMALLEST
    while larger <= used * 4:
        larger *= 2
    clear(slots, larger)
    for slot in range(size):
        if before[slot] != FREE:
            slots[slot_for(slots, larger, before[slot])] = before[slot]
    return larger
