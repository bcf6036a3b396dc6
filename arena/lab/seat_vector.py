"""The vector of one seat's views, kept from one observation to the next.

Most of a view is as it was when the seat was asked before, so only the differences are encoded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.lab.arrays import Layout, MisfitError, Row


class SeatVector:
    """The last view of a seat, and its vector."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._view: Any = None
        self._vector: Row = np.zeros(layout.width, dtype=np.float32)

    def of(self, view: Any) -> Row:
        """Return the vector of the seat's next view, in memory of its own; a MisfitError names what does not fit."""
        before, self._view = self._view, None  # so that nothing builds on a vector that is half written
        if before is None or not self._update(before, view):
            flat = self._layout.flat(view)
            self._vector = self._layout.rows([flat])[0]
            self._layout.learn(flat, self._vector)
        self._view = view
        return self._vector.copy()

    def _update(self, before: Any, view: Any) -> bool:
        """Encode what differs; return False if some of it was not met before, or does not fit."""
        vector, places, encoded = self._vector, self._layout.places, self._layout.encoded
        try:
            for slot, code in self._layout.differences(before, view):
                vector[places[slot]] = encoded[slot][code]
        except (KeyError, MisfitError):
            return False
        return True
