"""Numbers of values that a game lists again and again, found by identity before they are looked up by value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

MAX_REMEMBERED = 50_000


class Remembered:
    """A number for every value; `numbered` gives those of new values, with the number of values before them."""

    def __init__(self, numbered: Callable[[Sequence[Any], int], Sequence[int]]) -> None:
        self._numbered = numbered
        self._by_value: dict[Any, int] = {}
        self._by_id: dict[int, int] = {}
        self._held: list[Any] = []  # the values behind the ids, so that no other value gets one of them
        self._is_listed_again = True

    def of(self, values: Sequence[Any]) -> list[int]:
        """Return the number of every value."""
        try:
            return [*map(self._by_id.__getitem__, map(id, values))]
        except KeyError:
            return self._looked_up(values)

    def _looked_up(self, values: Sequence[Any]) -> list[int]:
        known = self._by_value
        new = list(dict.fromkeys([value for value in values if value not in known]))
        if new:
            if len(known) + len(new) > MAX_REMEMBERED:
                known.clear()
                self._forget_ids()
                new = list(dict.fromkeys(values))
            known.update(zip(new, self._numbered(new, len(known)), strict=True))
        found = [known[value] for value in values]
        if self._is_listed_again:
            if len(self._held) + len(values) > MAX_REMEMBERED:
                # A game that makes a new object for every listed option is better looked up by value.
                self._is_listed_again = len(self._held) < 4 * len(known)
                self._forget_ids()
            self._held.extend(values)
            self._by_id.update(zip(map(id, values), found, strict=True))
        return found

    def _forget_ids(self) -> None:
        self._by_id.clear()
        self._held.clear()
