"""The queue of submissions: one is built and tried at a time, and authors take turns.

An author's own submissions are first in, first out; between authors, the least recently served is next. So an author
with many slow builds delays others by one build at most.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

MAX_OF_ONE = 3  # submissions of one author that wait or are being built


class QueueFullError(Exception):
    """An author has too many submissions in the queue."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A submission that is queued or being built."""

    author: str
    name: str
    has_turn: trio.Event = field(default_factory=trio.Event)


class BuildQueue:
    """Submissions in order of arrival."""

    def __init__(self, max_of_one: int = MAX_OF_ONE) -> None:
        self.max_of_one = max_of_one
        self._tickets: list[Ticket] = []
        self._turns = 0
        self._last_turn: dict[str, int] = {}

    @asynccontextmanager
    async def turn(self, author: str, name: str) -> AsyncIterator[None]:
        """Wait for a turn and hold it; a QueueFullError if the author has too many submissions in the queue."""
        if sum(ticket.author == author for ticket in self._tickets) >= self.max_of_one:
            raise QueueFullError(f"you already have {self.max_of_one} submissions in the queue")
        ticket = Ticket(author, name)
        self._tickets.append(ticket)
        self._pass_on()
        try:
            await ticket.has_turn.wait()
            yield
        finally:
            self._tickets.remove(ticket)
            self._pass_on()

    def _pass_on(self) -> None:
        if not self._tickets or any(ticket.has_turn.is_set() for ticket in self._tickets):
            return
        # min returns the first of equals, which arrived first.
        following = min(self._tickets, key=lambda ticket: self._last_turn.get(ticket.author, 0))
        self._turns += 1
        self._last_turn[following.author] = self._turns
        following.has_turn.set()

    def of(self, author: str | None) -> list[Ticket]:
        """Return an author's submissions in the queue, or everybody's for None."""
        return [ticket for ticket in self._tickets if author in (None, ticket.author)]
