"""Budgets: of nodes, of time, or of both, whichever is spent first."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf

FIRST_NODES = 8  # after these, a budget of time knows about how many it is good for
MARGIN = 2.0  # a node may take this many times as long as the slowest so far
OVERHEAD_SECONDS = 0.005  # to read a prompt and to send the answer


class SearchBudget:
    """What a search may spend; with nodes alone no clock is read."""

    def __init__(
        self, nodes: int | None = None, seconds: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Time begins to run now."""
        self.max_nodes, self.seconds, self.clock = nodes, seconds, clock
        self.spent = 0
        self._is_over = False
        self._started = self._last = clock() if seconds is not None else 0.0
        self._slowest = 0.0

    def take(self) -> bool:
        """Count one more node, and return whether there is enough left for it; once there is not, there never is."""
        if self._is_over or (self.max_nodes is not None and self.spent >= self.max_nodes):
            return False
        if self.seconds is not None:
            now = self.clock()
            self._slowest = max(self._slowest, now - self._last)
            self._last = now
            if now + MARGIN * self._slowest > self._started + self.seconds:
                self._is_over = True
                return False
        self.spent += 1
        return True

    @property
    def is_estimated(self) -> bool:
        """Whether `nodes` says anything yet."""
        return self.seconds is None or self.spent >= FIRST_NODES

    @property
    def nodes(self) -> float:
        """The number of nodes in all; of a budget of time what it seems to be good for."""
        share = self.share
        nodes = inf if self.max_nodes is None else self.max_nodes
        return nodes if self.seconds is None or not share else min(nodes, self.spent / share)

    @property
    def share(self) -> float:
        """How much of it is spent, from 0 to 1."""
        nodes = self.spent / max(1, self.max_nodes) if self.max_nodes is not None else 0.0
        if self.seconds is None:
            return nodes
        return max(nodes, (self._last - self._started) / self.seconds if self.seconds > 0 else 1.0)


def time_for(ms: float, time_left: float, deadline: float) -> float:
    """Return the seconds for a decision: no more than a twentieth of the bank or half of the prompt's deadline."""
    return max(0.0, min(ms / 1000, time_left / 20, deadline / 2) - OVERHEAD_SECONDS)
