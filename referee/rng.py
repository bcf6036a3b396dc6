"""Chance: a small integer generator that is part of a state and gives the same sequence in every process."""

from __future__ import annotations

from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

MASK = 0xFFFF_FFFF_FFFF_FFFF
GAMMA = 0x9E37_79B9_7F4A_7C15


class Rng:
    """SplitMix64: one 64-bit word of state, cheap to copy, the same sequence everywhere."""

    __slots__ = ("word",)

    def __init__(self, word: int) -> None:
        self.word = word & MASK

    def next64(self) -> int:
        """Return the next 64 random bits."""
        word = self.word = (self.word + GAMMA) & MASK
        word = ((word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
        return word ^ (word >> 31)

    def index(self, count: int) -> int:
        """Return a uniform integer from 0 to count - 1."""
        if count <= 0:
            raise ValueError(f"cannot choose one of {count}")
        # Multiply and keep the high word; reject the few low words that would favour some results.
        product = self.next64() * count
        if (product & MASK) < count:
            threshold = (MASK + 1 - count) % count
            while (product & MASK) < threshold:
                product = self.next64() * count
        return product >> 64

    def choice(self, items: list[T] | tuple[T, ...]) -> T:
        """Return one of the items, each equally likely."""
        return items[self.index(len(items))]

    def shuffle(self, items: list[T]) -> None:
        """Put the items into a uniformly random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.index(last + 1)
            items[last], items[other] = items[other], items[last]

    def fork(self, name: str) -> Rng:
        """Return an independent generator for one named purpose, without advancing this one.

        Forking by name at set-up gives every deck the same order for a seed, whatever is played.
        """
        digest = blake2b(name.encode(), digest_size=8, key=self.word.to_bytes(8, "big")).digest()
        return Rng(int.from_bytes(digest, "big"))

    def clone(self) -> Rng:
        """Return a generator that will produce the same sequence."""
        return Rng(self.word)


def seeded(seed: int) -> Rng:
    """Return the root generator of a match; any integer is a seed."""
    digest = blake2b(str(seed).encode(), digest_size=8).digest()
    return Rng(int.from_bytes(digest, "big"))
