"""Worlds by handle: every world is freed with its parent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.lookahead.playing import Rules

MAX_WORLDS = 10_000  # in one process


class NoSuchWorldError(LookupError):
    """A handle names no world: it was never given, or it is free."""


class TooManyWorldsError(Exception):
    """No room for more worlds until some are freed."""


@dataclass(frozen=True, slots=True)
class World:
    """A state of a game, drawn as a determinization or reached by moves."""

    rules: Rules
    state: Any
    seats: int


@dataclass(slots=True)
class _Node:
    world: World | None  # None for a tree, which is not a world itself
    parent: int
    children: list[int] = field(default_factory=list)


class WorldTree:
    """The worlds of one process."""

    def __init__(self, most: int = MAX_WORLDS) -> None:
        self._nodes: dict[int, _Node] = {}
        self._most = most
        self._last = 0
        self.count = 0

    def check_room(self, more: int) -> None:
        """Refuse to make more worlds if there is no room for all of them."""
        if self.count + more > self._most:
            have = f"there are {self.count} worlds of at most {self._most}"
            raise TooManyWorldsError(f"{have}, and no room for {more} more; free some")

    def plant(self) -> int:
        """Return the handle of a new tree."""
        return self._add(None, 0)

    def add(self, world: World, parent: int) -> int:
        """Keep a world under its parent, and return its handle."""
        handle = self._add(world, parent)
        self._nodes[parent].children.append(handle)
        self.count += 1
        return handle

    def _add(self, world: World | None, parent: int) -> int:
        self._last += 1
        self._nodes[self._last] = _Node(world, parent)
        return self._last

    def get(self, handle: int) -> World:
        """Return a world."""
        node = self._nodes.get(handle)
        if node is None or node.world is None:
            what = "a tree, not a world" if node is not None else "not a world, or already free"
            raise NoSuchWorldError(f"handle {handle} is {what}")
        return node.world

    def free(self, handles: Iterable[int]) -> None:
        """Free these handles with everything derived from them; one that is already free is not an error."""
        for handle in handles:
            node = self._nodes.get(handle)
            if node is None:
                continue
            if node.parent in self._nodes:
                self._nodes[node.parent].children.remove(handle)
            rest = [handle]
            while rest:
                gone = self._nodes.pop(rest.pop())
                self.count -= gone.world is not None
                rest += gone.children
