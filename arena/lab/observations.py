"""Observations of seats as arrays, in memory that is used again as soon as nobody holds it.

An observation belongs to its holder for as long as it is held: only arrays that nobody refers to any more, not even by
a view of them, are written again. Learners that copy observations thus get the same few arrays over and over, and those
that keep them get their own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from arena.lab.arrays import Row
from arena.lab.numbered_actions import ActionIds, ids_at
from arena.lab.table_arrays import TableArrays
from referee.game import AnyGame

Observation: TypeAlias = dict[str, Any]


class ArraySet:
    """The arrays of one observation."""

    __slots__ = ("mask", "options", "used", "vector")

    def __init__(self, width: int, choices: int, option_width: int) -> None:
        self.vector = np.zeros(width, dtype=np.float32)
        self.mask = np.zeros(choices, dtype=np.int8)
        self.options = np.zeros((choices, option_width), dtype=np.float32) if option_width else None
        self.used = 0
        """The rows of `options` that are not zero."""


# References to an array that only its frame holds, as counted here; without them nothing can be used again.
_probe = ArraySet(1, 1, 1)
_COUNTS_REFERENCES = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
UNHELD = sys.getrefcount(_probe.vector) if _COUNTS_REFERENCES else 0


class Frames:
    """Frames of one shape, of which up to `count` are kept to be used again."""

    def __init__(self, count: int, width: int, choices: int, option_width: int = 0) -> None:
        self._count, self._shape = count, (width, choices, option_width)
        self._frames: list[ArraySet] = []

    def unheld(self) -> ArraySet:
        """Return a frame that nobody else holds any array of."""
        count_of = sys.getrefcount
        for frame in self._frames:
            if (
                count_of(frame.vector) == UNHELD
                and count_of(frame.mask) == UNHELD
                and (frame.options is None or count_of(frame.options) == UNHELD)
            ):
                return frame
        made = ArraySet(*self._shape)
        if len(self._frames) >= self._count:
            del self._frames[0]  # its holders have it alone now
        self._frames.append(made)
        return made


class Encoding(Protocol):
    """How a table's seats are told what they may choose, and name what they choose."""

    arrays: TableArrays
    choices: int
    """The size of the action space."""

    def numbers_of(self, listed: Sequence[Any]) -> Sequence[int]:
        """Return the action of every option, -1 for an option that has none."""
        ...

    def observation(self, vector: Row, listed: Sequence[Any], numbers: Sequence[int]) -> Observation:
        """Return a seat's observation, with the options that it is asked about."""
        ...


class Rows:
    """Options as rows of a matrix; an action is a row."""

    def __init__(self, arrays: TableArrays, seats: int) -> None:
        self.arrays, self.choices = arrays, arrays.max_options
        self._frames = Frames(2 * seats + 1, arrays.view.width, self.choices, arrays.action.width)

    def numbers_of(self, listed: Sequence[Any]) -> Sequence[int]:
        """Return the row of every option."""
        count = len(listed)
        return range(count) if count <= self.choices else (*range(self.choices), *(-1,) * (count - self.choices))

    def observation(self, vector: Row, listed: Sequence[Any], numbers: Sequence[int]) -> Observation:
        """Return a seat's vector, the rows of its options, and a mask of those rows."""
        frame, count = self._frames.unheld(), min(len(listed), self.choices)
        matrix, mask = frame.options, frame.mask
        assert matrix is not None  # rows have a width
        frame.vector[:] = vector
        if count:
            self.arrays.write_rows(listed[:count] if count < len(listed) else listed, matrix[:count])
        if frame.used > count:
            matrix[count : frame.used] = 0
        frame.used = count
        mask.fill(0)
        mask[:count] = 1
        return {"observation": frame.vector, "options": matrix, "action_mask": mask}


class Flat:
    """Options as the ids of their actions; an action is an id."""

    def __init__(self, arrays: TableArrays, ids: ActionIds, seats: int) -> None:
        self.arrays, self.ids, self.choices = arrays, ids, ids.size
        self._frames = Frames(2 * seats + 1, arrays.view.width, self.choices)

    def numbers_of(self, listed: Sequence[Any]) -> Sequence[int]:
        """Return the id of every option."""
        return self.ids.of(listed)

    def observation(self, vector: Row, listed: Sequence[Any], numbers: Sequence[int]) -> Observation:
        """Return a seat's vector, and a mask of the ids."""
        frame = self._frames.unheld()
        frame.vector[:] = vector
        mask = frame.mask
        mask.fill(0)
        if numbers:
            mask[numbers if min(numbers) >= 0 else [each for each in numbers if each >= 0]] = 1
        return {"observation": frame.vector, "action_mask": mask}


def encoding_at(game: AnyGame, seats: int, options: Any, max_options: int | None, *, flat: bool) -> Encoding:
    """Return how a table's seats are told what they may choose."""
    arrays = TableArrays(game, seats, options, max_options)
    return Flat(arrays, ids_at(game, seats, options), seats) if flat else Rows(arrays, seats)
