"""The order in which features are counted: that of a Python set of their roots.

Points are sums of fractions, which depend on their order in the last digit, and choices depend on the points. The
heuristic has always counted features as they stand in a set of integers; here that order is worked out, so that it is
the same in C and in every Python. A set is a hash table of 8, 32 or 128 slots here: a number stands at its last bits,
or, if that slot is taken, in one of the nine that follow, or at a place that its other bits lead to.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.state import State
from referee.rows import Int, Ints, Shorts, copy_part

FREE = 0  # in a slot; otherwise it is the root plus one
SMALLEST = 8
SLOTS = 128  # enough for the features of all followers
LINEAR_PROBES = 9


def features_in_order(state: State, nodes: Shorts, count: Int, roots: Shorts) -> Int:
    """Fill in the roots of the features of so many nodes, each once, in the order of counting; return how many."""
    slots: Annotated[Ints, SLOTS] = [0] * SLOTS
    size = SMALLEST
    used = 0
    for node in nodes[:count]:
        root = find(state, node)
        key = state.part_numbers[root]
        slot = key & size - 1
        if slots[slot] != FREE and slots[slot] != root + 1:
            slot = slot_for(slots, size, key, root)
        if slots[slot] == FREE:
            slots[slot] = root + 1
            used += 1
            if used * 5 >= (size - 1) * 3:
                size = grown(state, slots, size, used)
    found = 0
    for held in slots[:size]:
        if held != FREE:
            roots[found] = held - 1
            found += 1
    return found


def slot_for(slots: Ints, size: Int, key: Int, root: Int) -> Int:
    """Return the slot of a root, or the free one where its number leads."""
    mask = size - 1
    first = key & mask
    rest = key
    while True:
        last = first + LINEAR_PROBES if first + LINEAR_PROBES <= mask else first
        for slot in range(first, last + 1):
            if slots[slot] == FREE or slots[slot] == root + 1:
                return slot
        rest >>= 5
        first = first * 5 + 1 + rest & mask


def grown(state: State, slots: Ints, size: Int, used: Int) -> Int:
    """Move all roots, as they stand, into a table with more slots than four for each; return its size."""
    before: Annotated[Ints, SLOTS] = [0] * SLOTS
    copy_part(slots, 0, size, before, 0)
    larger = SMALLEST
    while larger <= used * 4:
        larger *= 2
    for slot in range(size):
        slots[slot] = FREE
    for held in before[:size]:
        if held != FREE:
            key = state.part_numbers[held - 1]
            slot = key & larger - 1
            slots[slot if slots[slot] == FREE else slot_for(slots, larger, key, held - 1)] = held
    return larger
