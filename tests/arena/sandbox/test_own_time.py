"""Patience with a bot in time of its own: waiting for a processor is the machine's fault, silence is the bot's."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
import trio
from trio.testing import MockClock

from arena.conformance import own_time
from arena.conformance.own_time import LOOK_SECONDS, MAX_STRETCH, OwnTime
from arena.sandbox.processes import seconds_in_queue
from tests.patience import patience


def seconds_taken(patience: float) -> float:
    """Return after how long patience with somebody who never answers is at an end, on a clock of the test's own."""

    async def main() -> float:
        began = trio.current_time()
        with pytest.raises(trio.TooSlowError):
            await OwnTime(os.getpid(), patience).wait_for(trio.sleep_forever)
        return trio.current_time() - began

    return trio.run(main, clock=MockClock(autojump_threshold=0))


def keep_waiting(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """Let everybody wait for a processor for so large a share of the time."""
    monkeypatch.setattr(own_time, "seconds_in_queue", lambda _pids: share * trio.current_time())


def test_silence_counts_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_waiting(monkeypatch, 0.0)
    assert seconds_taken(3.0) == pytest.approx(3.0)


def test_time_in_the_queue_for_a_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_waiting(monkeypatch, 0.75)
    assert seconds_taken(3.0) == pytest.approx(4 * 3.0, abs=4 * LOOK_SECONDS)


def test_patience_ends_even_if_nobody_ever_gets_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_waiting(monkeypatch, 1.0)
    assert seconds_taken(3.0) == pytest.approx(MAX_STRETCH * 3.0, abs=2 * LOOK_SECONDS)


def test_what_comes_in_time_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_waiting(monkeypatch, 0.0)

    async def answer() -> str:
        return "answered"

    async def main() -> str:
        return await OwnTime(os.getpid(), 1.0).wait_for(answer)

    assert trio.run(main) == "answered"


BUSY = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
while True:
    pass
"""


def test_the_kernel_counts_how_long_two_wait_for_one_processor() -> None:
    with subprocess.Popen([sys.executable, "-c", BUSY]) as one, subprocess.Popen([sys.executable, "-c", BUSY]) as other:
        try:
            end = time.monotonic() + patience(12)
            while (waited := seconds_in_queue((one.pid, other.pid))) < 0.05 and time.monotonic() < end:
                time.sleep(0.01)
        finally:
            one.kill()
            other.kill()
    assert waited >= 0.05
