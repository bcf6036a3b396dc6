"""Timeouts that do not charge a bot for a busy machine: waiting for a CPU is not its fault."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from arena.sandbox.processes import family, seconds_in_queue

LOOK_SECONDS = 0.1
MAX_STRETCH = 30  # times the requested timeout, whatever the machine does

Found = TypeVar("Found")


class HungUpError(Exception):
    """The bot has ended its stream or its process."""


class SilenceError(Exception):
    """Nothing arrived in time."""


class OwnTime:
    """A bot's own seconds: time that it, or we, spend waiting for a CPU does not count."""

    def __init__(self, pid: int, seconds: float) -> None:
        self.left = seconds
        self._pid = pid
        self._latest = trio.current_time() + MAX_STRETCH * seconds
        self._looked = trio.current_time()
        self._in_queue: float | None = None  # most waits end before the first check

    def count(self) -> None:
        """Count the time since the last check."""
        now, in_queue = trio.current_time(), seconds_in_queue((os.getpid(), *family(self._pid)))
        # A thread that ends takes its sum with it; a check that came late was late for us as well.
        waited = 0.0 if self._in_queue is None else max(0.0, in_queue - self._in_queue)
        self.left -= max(0.0, min(now - self._looked, 2 * LOOK_SECONDS) - waited)
        if now > self._latest:
            self.left = 0.0
        self._looked, self._in_queue = now, in_queue

    async def wait_for(self, event: Callable[[], Awaitable[Found]]) -> Found:
        """Wait for something that can be awaited repeatedly; a TooSlowError when the time is up."""
        while self.left > 0:
            with trio.move_on_after(min(LOOK_SECONDS, self.left)):
                return await event()
            self.count()
        raise trio.TooSlowError

    async def receive(self, channel: trio.MemoryReceiveChannel[Found]) -> Found:
        """Return the next item of a channel; a SilenceError if none comes in time, a HungUpError at its end."""
        try:
            return await self.wait_for(channel.receive)
        except trio.TooSlowError:
            raise SilenceError from None
        except trio.EndOfChannel:
            raise HungUpError from None
