"""The watchdog: a thread that notices when trio's loop is blocked, and when a thread keeps the server from stopping.

Its clock counts only the time in which this process could have run: a sleeping or busy machine is not the loop's
fault.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import trio
from grpc_health.v1 import health_pb2

from referee.logs import log

TICK_SECONDS = 0.1
LATE_SECONDS = 0.5  # after which it is logged
UNHEALTHY_SECONDS = 5.0  # after which health checks fail
STOP_SECONDS = 5.0  # for work that a thread had begun when the server was told to stop
SHOWN_FRAMES = 12  # of a stack
WORKER = ("_handle_job", "_thread_cache.py")  # the frame of one piece of work in a thread of trio


class Lag:
    """How late trio's loop is; may be read from any thread."""

    def __init__(self) -> None:
        self.seconds = 0.0
        """How long the loop has been blocked; 0 while it runs."""
        self.blockages = 0
        """How often it has been blocked for long so far."""
        self.blocked_seconds = 0.0
        """For how long in total."""
        self.beats = 0
        self.observe: Callable[[float], None] = lambda _late: None
        """Called in the loop with how late each beat was."""


lag = Lag()
"""That of this process."""


class _Watch(threading.Thread):
    """Checks the loop from outside."""

    def __init__(self, main: int) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.ended = threading.Event()
        self.is_stopping = False
        self._main = main
        self._stack: list[str] = []
        self._beats = lag.beats
        self._works: dict[int, FrameType] | None = None
        self._stop_seconds = 0.0

    def run(self) -> None:
        """Check repeatedly."""
        wall, burnt = time.monotonic(), time.process_time()
        while not self.ended.wait(TICK_SECONDS):
            now, used = time.monotonic(), time.process_time()
            # A call into C may hold the GIL and block this thread too: then CPU time has passed.
            seconds = min(now - wall, max(2 * TICK_SECONDS, used - burnt))
            wall, burnt = now, used
            self._look_at_loop(seconds)
            if self.is_stopping:
                self._look_at_threads(seconds)

    def _look_at_loop(self, seconds: float) -> None:
        if lag.beats == self._beats:
            lag.seconds += seconds
            if lag.seconds >= LATE_SECONDS and not self._stack:
                self._stack = stack_of(sys._current_frames().get(self._main))
            return
        self._beats = lag.beats
        seconds, lag.seconds = lag.seconds, 0.0
        if self._stack:
            lag.blocked_seconds += seconds
            lag.blockages += 1
            log.warning("loop.blocked", seconds=round(seconds, 1), calls=self._stack)
            self._stack = []

    def _look_at_threads(self, seconds: float) -> None:
        """End the process if a working thread keeps it from stopping: nothing can interrupt a thread."""
        works = _works()
        if self._works is None:
            self._works = works
            return
        self._stop_seconds += seconds
        left = [thread for thread, work in self._works.items() if works.get(thread) is work]
        if left and self._stop_seconds >= STOP_SECONDS:
            frames = sys._current_frames()
            # Everything already stored is safe, as after a kill.
            log.error("server.stop_forced", calls=[stack_of(frames.get(thread)) for thread in left])
            os._exit(1)


def _works() -> dict[int, FrameType]:
    """Return the work that trio's threads are doing, by thread; gRPC's loop ends on its own."""
    found = {}
    for thread, innermost in sys._current_frames().items():
        frame: FrameType | None = innermost
        work: FrameType | None = None
        while frame is not None:
            code = frame.f_code
            if code.co_name == "run_forever" and "asyncio" in code.co_filename:
                work = None
                break
            if (code.co_name, os.path.basename(code.co_filename)) == WORKER:
                work = frame
            frame = frame.f_back
        if work is not None:
            found[thread] = work
    return found


def stack_of(frame: FrameType | None) -> list[str]:
    """Return where a thread is, the innermost call last."""
    found: list[str] = []
    while frame is not None and len(found) < SHOWN_FRAMES:
        code = frame.f_code
        found.append(f"{os.path.basename(code.co_filename)}:{frame.f_lineno} {code.co_name}")
        frame = frame.f_back
    return found[::-1] or ["unknown"]


@contextmanager
def watching(stopping: trio.Event) -> Iterator[None]:
    """Watch the trio program in this thread, and make sure that it ends once told to stop."""
    watch = _Watch(threading.get_ident())

    async def beat() -> None:
        while not watch.ended.is_set():
            lag.beats += 1
            watch.is_stopping = stopping.is_set()
            due = trio.current_time() + TICK_SECONDS
            await trio.sleep_until(due)
            lag.observe(max(0.0, trio.current_time() - due))

    trio.lowlevel.spawn_system_task(beat)  # it continues while everything else is cancelled
    watch.start()
    try:
        yield
    finally:
        watch.ended.set()
        lag.seconds = 0.0


async def report_health(probe: Any, services: Sequence[str]) -> None:
    """Report services as not serving while the loop that answers their calls is blocked; in gRPC's loop."""
    was_well = True
    while True:
        is_well = lag.seconds < UNHEALTHY_SECONDS
        if is_well != was_well:
            was_well = is_well
            status = health_pb2.HealthCheckResponse
            for service in services:
                await probe.set(service, status.SERVING if is_well else status.NOT_SERVING)
        await asyncio.sleep(TICK_SECONDS)
