"""The arrays of one table: a seat's view and options, for a learner.

arrays = TableArrays(GAMES["norenberc"], seats=4)
arrays.observation(view)         # a vector, one number for each of arrays.view.columns
arrays.options(actions)          # a matrix, one row for each listed option, padded with zeros
arrays.mask(len(actions))        # 1 for each of those rows
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.lab.arrays import Layout, Row, action_layout, view_layout
from arena.lab.remembered import Remembered
from referee.game import AnyGame

MAX_OPTIONS = 512  # rows for a game that does not declare its number of options


class TableArrays:
    """Layouts of views and actions at one table, and the number of option rows."""

    def __init__(self, game: AnyGame, seats: int, options: Any = None, max_options: int | None = None) -> None:
        chosen = game.options({}) if options is None else options
        self.view: Layout = view_layout(game, seats, chosen)
        self.action: Layout = action_layout(game, seats, chosen)
        self.max_options: int = max_options or game.max_options or MAX_OPTIONS
        self._places = Remembered(self._make)
        self._made: Row = np.zeros((0, self.action.width), dtype=np.float32)

    def observation(self, view: Any) -> Row:
        """Return a view as a vector."""
        return self.view.array(view)

    def options(self, listed: Sequence[Any]) -> Row:
        """Return the listed options as the first rows of a zero matrix; options beyond its rows are left out."""
        matrix = np.zeros((self.max_options, self.action.width), dtype=np.float32)
        if listed:
            offered = listed[: self.max_options]
            self.write_rows(offered, matrix[: len(offered)])
        return matrix

    def rows(self, listed: Sequence[Any]) -> Row:
        """Return options as rows, without padding."""
        rows = np.empty((len(listed), self.action.width), dtype=np.float32)
        self.write_rows(listed, rows)
        return rows

    def write_rows(self, listed: Sequence[Any], rows: Row) -> None:
        """Write options into as many rows."""
        places = self._places.of(listed)  # which may make more rows
        self._made.take(places, axis=0, out=rows, mode="clip")

    def _make(self, new: Sequence[Any], first: int) -> Sequence[int]:
        """Make the rows of options that were not met before."""
        made = self.action.rows([self.action.flat(option) for option in new])
        count = first + len(new)
        if count > len(self._made):
            grown = np.zeros((2 * count, self.action.width), dtype=np.float32)
            grown[:first] = self._made[:first]
            self._made = grown
        self._made[first:count] = made
        return range(first, count)

    def mask(self, count: int) -> NDArray[np.int8]:
        """Return 1 for each row that is an option."""
        mask = np.zeros(self.max_options, dtype=np.int8)
        mask[:count] = 1
        return mask
