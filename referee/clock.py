"""Clocks: a bank of time for each seat, and a meter of our own stalls."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from referee.order import TimeControl

MS = 1_000_000  # nanoseconds
BEAT_NS = 10 * MS
HICCUP_NS = 2 * MS  # lateness below this is ordinary scheduling
MAX_STALL_NS = 5_000 * MS
STANDSTILL_NS = 2_000 * MS  # without a single beat: a bot that dialled meanwhile may have given up

Now = Callable[[], int]


class SeatClock:
    """One seat's time: the limit of an answer, and the time left after it."""

    __slots__ = ("bank_ns", "cap_ns", "increment_ns", "lag_ns")

    def __init__(self, control: TimeControl) -> None:
        self.bank_ns = control.bank_ms * MS
        self.increment_ns = control.increment_ms * MS
        self.cap_ns = control.cap_ms * MS
        self.lag_ns = control.lag_ms * MS

    def allowed_ns(self) -> int:
        """Return how long the next answer may take: the bank, but never more than the cap, where there is one."""
        return min(self.bank_ns, self.cap_ns) if self.cap_ns else self.bank_ns

    def transport_ns(self, elapsed_ns: int, thought_ns: int | None) -> int:
        """Return the transport time to forgive: time not spent thinking, up to the organiser's limit."""
        if thought_ns is None or not self.lag_ns:
            return 0
        return max(0, min(elapsed_ns - max(thought_ns, 0), self.lag_ns))

    def charge(self, used_ns: int) -> None:
        """Take an answer's time out of the bank and add the increment."""
        self.bank_ns = max(0, self.bank_ns - used_ns) + self.increment_ns


class StallMeter:
    """Our own process's stalls: a heartbeat that measures its own delay.

    The sum only grows; a question remembers it at its start and is not charged for later additions.
    """

    __slots__ = ("due_ns", "moved_ns", "now", "total_ns")

    def __init__(self, now: Now = time.monotonic_ns) -> None:
        self.now = now
        self.total_ns = 0
        self.due_ns = now() + BEAT_NS
        self.moved_ns = 0  # when the last standstill ended

    def read(self) -> int:
        """Return all time lost so far, including a stall that has just ended."""
        late = self.now() - self.due_ns
        return self.total_ns + (late if late > HICCUP_NS else 0)

    def has_stood_still(self, since_ns: int) -> bool:
        """Return whether a standstill has ended since then, perhaps just now."""
        return self.moved_ns > since_ns or self.now() - self.due_ns > STANDSTILL_NS

    def beat(self) -> None:
        """Measure the delay of this beat and expect the next."""
        if self.has_stood_still(self.now()):
            self.moved_ns = self.now()
        self.total_ns = self.read()
        self.due_ns = self.now() + BEAT_NS

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_NS / 1e9)
            self.beat()
