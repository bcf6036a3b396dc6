"""The guard: CPU time in a leaky bucket, one scan for all bots, and nothing read that cannot have changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.sandbox import guard, kernel_memory, processes
from arena.sandbox.guard import BURST_SECONDS, CLOSE_LOOK_SECONDS, LOOK_SECONDS, CpuBucket, Guard
from arena.sandbox.levels import Launch, Level, Limits
from arena.sandbox.processes import TICKS_A_SECOND, Process, read_process, scan, tree_in

TWO_PROCESSORS = 2.0
TEN_LOOKS = 10 * LOOK_SECONDS


def process(pid: int, seconds: float, *, is_running: bool = True) -> Process:
    return Process(pid, 1, is_running, round(seconds * TICKS_A_SECOND), 1, 1 << 20, 1 << 20)


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "PROCESSORS", 2)


def looks_until_over(burning: Callable[[float], float], seconds: float = 60.0) -> float | None:
    """Return when a bot whose CPU time is given by the moment comes last; None if it does not in a minute."""
    bucket = CpuBucket(1.0)
    bucket.add([process(7, burning(0.0))], 0.0)
    for look in range(1, int(seconds / LOOK_SECONDS)):
        bucket.add([process(7, burning(look * LOOK_SECONDS))], LOOK_SECONDS)
        if bucket.is_over():
            return look * LOOK_SECONDS
    return None


def pulses(burn: float, rest: float) -> Callable[[float], float]:
    """Return the CPU time of a bot that burns two processors and rests in turns."""
    period = burn + rest

    def used(now: float) -> float:
        return TWO_PROCESSORS * (now // period * burn + min(now % period, burn))

    return used


def test_steady_burning_comes_last_after_a_burst() -> None:
    when = looks_until_over(pulses(1.0, 0.0))
    assert when is not None
    assert BURST_SECONDS < when < 2 * BURST_SECONDS


@pytest.mark.parametrize(("burn", "rest"), [(1.2, 0.3), (0.9, 0.1), (1.9, 0.6), (0.3, 0.1), (3.0, 1.5)])
def test_burning_in_pulses_comes_last_too(burn: float, rest: float) -> None:
    assert looks_until_over(pulses(burn, rest)) is not None


@pytest.mark.parametrize(("burn", "rest"), [(1.0, 1.0), (1.5, 2.0), (0.25, 0.25)])
def test_a_bot_within_its_share_on_average_never_comes_last(burn: float, rest: float) -> None:
    assert looks_until_over(pulses(burn, rest)) is None


def test_a_bot_that_thinks_without_pause_on_one_processor_never_comes_last() -> None:
    assert looks_until_over(lambda now: 1.02 * now, seconds=3600.0) is None


def test_a_stream_of_short_processes_counts_as_much_as_one_that_stays() -> None:
    """None of them is ever seen twice, so their ticks say nothing; that they run whenever one looks says all."""
    bucket = CpuBucket(1.0)
    for look in range(100):
        bucket.add([process(1_000 + 2 * look + each, 0.01) for each in range(2)], LOOK_SECONDS)
    assert bucket.is_over()


def test_processes_that_come_and_sleep_cost_nothing() -> None:
    bucket = CpuBucket(1.0)
    for look in range(100):
        bucket.add([process(1_000 + look, 0.0, is_running=False)], LOOK_SECONDS)
    assert bucket.level == 0.0


def test_no_bot_is_charged_for_more_than_the_machine_has() -> None:
    """Forty processes that wait for two processors use two."""
    bucket = CpuBucket(1.0)
    assert bucket.add([process(pid, 0.0) for pid in range(40)], LOOK_SECONDS) == 2 * LOOK_SECONDS


def test_a_scan_finds_a_process_and_its_descendants() -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        grandchild = os.fork()
        os.read(reading, 1)  # until the test closes its end
        if grandchild:
            os.waitpid(grandchild, 0)
        os._exit(0)
    os.close(reading)
    try:
        while len(found := tree_in(scan(), child)) < 2:
            pass
        assert [one.pid for one in found] == processes.family(child)
        assert found[1].parent == child
        own = read_process(os.getpid())
        assert own is not None
        assert own.resident <= own.mapped
        assert own.resident == pytest.approx(resident_of_this_process(), rel=0.2)
    finally:
        os.close(writing)
        os.waitpid(child, 0)
    assert tree_in(scan(), child) == []


def resident_of_this_process() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("VmRSS")]
    return int(line.split()[1]) << 10


def plain_launch() -> Launch:
    return Launch(Level.NONE, ("true",), {}, Path("/"), Limits())


def test_all_guards_share_one_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def counted() -> dict[int, list[Process]]:
        taken.append(1)
        return {}

    monkeypatch.setattr(guard, "scan", counted)
    monkeypatch.setattr(processes, "read_process", lambda pid: process(pid, 0.0))  # of a small bot

    async def journey() -> None:
        with trio.move_on_after(TEN_LOOKS):
            async with trio.open_nursery() as nursery:
                for number in range(20):
                    await trio.sleep(LOOK_SECONDS / 50)  # as bots start, one after another
                    nursery.start_soon(Guard(plain_launch(), number).verdict)

    trio.run(journey, clock=trio.testing.MockClock(autojump_threshold=0))
    assert 8 <= len(taken) <= 11


def test_guards_wake_at_the_same_moments_and_never_at_the_present_one() -> None:
    async def journey() -> None:
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, trio.testing.MockClock)
        for _ in range(500):
            now = trio.current_time()
            moment = guard._next_moment(CLOSE_LOOK_SECONDS)
            assert now < moment <= now + 1.01 * CLOSE_LOOK_SECONDS
            clock.jump(moment - now)

    trio.run(journey, clock=trio.testing.MockClock())


def test_a_bot_that_has_used_no_processor_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def page_tables(pid: int) -> int:
        looked.append(pid)
        return 0

    monkeypatch.setattr(kernel_memory, "page_tables", page_tables)

    async def journey() -> None:
        limits = Limits(memory_mb=1)  # so that it is near its limit
        watching = Guard(Launch(Level.NONE, ("true",), {}, Path("/"), limits), 7)
        for seconds in (1.0, 1.0, 1.0, 2.0):
            watching._kernel_memory([process(7, seconds)])

    trio.run(journey)
    assert looked == [7, 7], "at first, and after it had worked"
