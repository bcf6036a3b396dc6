"""The guard: limits on all processes of a bot together, which no per-process limit can enforce.

All guards of an arena wake at the same moments and share one scan of the process table; a bot near a limit is checked
on its own, and more often. A bot that has used no CPU time since the last check cannot have allocated anything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import trio

from arena.sandbox import kernel_memory
from arena.sandbox.levels import Launch, Level
from arena.sandbox.processes import Process, family, read_process, scan, tree_in

LOOK_SECONDS = 0.5
CLOSE_LOOK_SECONDS = 0.05  # for a bot with many processes, or half of its memory used
MANY_PROCESSES = 12
TOLERANCE = 1.1  # times its processors: ticks are coarse, and the kernel's share for it is not exact
BURST_SECONDS = 2.0  # of CPU time beyond its share, before a bot gets the lowest priority
LAST_IN_QUEUE = 19
PAGES_PER_TABLE = 512  # page tables hold at most a 512th of the memory they map
PROCESSORS = os.cpu_count() or 1


class _Scans:
    """The latest scan of the process table, for all guards that wake at the same moment."""

    def __init__(self) -> None:
        self.moment = -1.0
        self.children: Mapping[int, list[Process]] = {}
        self.kills = kernel_memory.kills()

    def latest(self) -> Mapping[int, list[Process]]:
        """Return a scan that was taken since guards last woke, however long a busy machine takes to wake them all."""
        moment = trio.current_time() // LOOK_SECONDS
        if moment != self.moment:
            self.moment, self.children, self.kills = moment, scan(), kernel_memory.kills()
        return self.children


_scans: trio.lowlevel.RunVar[_Scans] = trio.lowlevel.RunVar("scans of the process table")


def _shared() -> _Scans:
    try:
        return _scans.get()
    except LookupError:
        _scans.set(scans := _Scans())
        return scans


class CpuBucket:
    """A leaky bucket of CPU time: it fills with a bot's usage and leaks at the rate of its share."""

    def __init__(self, processors: float) -> None:
        self.rate = processors
        self.level = 0.0
        self._seconds: dict[int, float] = {}

    def add(self, tree: Sequence[Process], seconds: float) -> float:
        """Count the CPU time that a bot's processes used in the last seconds, and return it.

        A new process may be one of many that came and went unseen: it counts for the whole time if it is running. So a
        stream of short processes costs its real time on average.
        """
        used = 0.0
        for process in tree:
            before = self._seconds.get(process.pid)
            if before is not None:
                used += max(0.0, process.seconds - before)
            elif process.is_running:
                used += seconds
        self._seconds = {process.pid: process.seconds for process in tree}
        used = min(used, PROCESSORS * seconds)
        self.level = max(0.0, self.level + used - TOLERANCE * self.rate * seconds)
        return used

    def is_over(self) -> bool:
        """Return whether the usage exceeds a burst."""
        return self.level > BURST_SECONDS * self.rate


class Guard:
    """Watches the processes of one launch."""

    def __init__(self, launch: Launch, pid: int) -> None:
        self.launch = launch
        self.pid = pid
        self.is_last = False
        self._bucket = CpuBucket(launch.limits.processors)
        self._looked = trio.current_time()
        self._held = 0  # kernel memory at the last look, in bytes
        self._seen: tuple[tuple[int, int], ...] = ()  # processes and their ticks at that look

    @staticmethod
    def oom_kills() -> int:
        """Return the number of OOM kills on this machine at the last look of any guard."""
        return _shared().kills

    async def verdict(self) -> str:
        """Return why the bot must be killed, once it must; until then enforce the milder limits."""
        pause = LOOK_SECONDS
        while True:
            await trio.sleep_until(_next_moment(pause))
            if pause == LOOK_SECONDS:
                tree = tree_in(_shared().latest(), self.pid)
            else:
                tree = [process for process in map(read_process, family(self.pid)) if process is not None]
            if reason := self._over_memory(tree) or self._over_threads(tree):
                return reason
            if trio.current_time() - self._looked > 0.8 * LOOK_SECONDS:
                self._share_processors(tree)
            pause = CLOSE_LOOK_SECONDS if self._is_large(tree) else LOOK_SECONDS

    def _is_large(self, tree: Sequence[Process]) -> bool:
        return len(tree) > MANY_PROCESSES or _resident(tree) + self._held > self._most / 2

    @property
    def _most(self) -> int:
        return self.launch.limits.memory_mb << 20

    def _over_memory(self, tree: Sequence[Process]) -> str:
        resident, self._held = _resident(tree), self._kernel_memory(tree)
        if resident + self._held <= self._most:
            return ""
        if sum(_share_of_memory(process) for process in tree) + self._held <= self._most:
            return ""
        kernel = self._held
        where = f", {kernel >> 20} of it in page tables, sockets and files" if kernel > self._most / 2 else ""
        return f"used more than its {self.launch.limits.memory_mb} MiB of memory{where}"

    def _kernel_memory(self, tree: Sequence[Process]) -> int:
        """Return a bot's kernel memory, checking only where it can have changed or matters."""
        seen = tuple((process.pid, process.ticks) for process in tree)
        if seen == self._seen:
            return self._held
        self._seen = seen
        held = sum(process.mapped for process in tree) // PAGES_PER_TABLE
        if _resident(tree) + held > self._most / 2:
            held = sum(kernel_memory.page_tables(process.pid) for process in tree)
        else:
            held = 0
        if self.launch.is_boxed:  # all but bubblewrap itself have their own network and scratch directories
            inner = [process.pid for process in tree[1:3]]
            held += max(map(kernel_memory.sockets, inner), default=0)
            held += max(map(kernel_memory.files, inner), default=0)
        return held

    def _over_threads(self, tree: Sequence[Process]) -> str:
        most = self.launch.limits.processes
        is_over = self.launch.level is Level.LANDLOCK and sum(process.threads for process in tree) > most
        return f"had more than its {most} processes and threads" if is_over else ""

    def _share_processors(self, tree: Sequence[Process]) -> None:
        """Give a bot that exceeds its CPU share the lowest priority, for good: a pause must not buy the next burst."""
        now = trio.current_time()
        self._bucket.add(tree, now - self._looked)
        self._looked = now
        self.is_last = self.is_last or self._bucket.is_over()
        if self.is_last:
            for process in tree:
                _put_last(process.pid)


def _next_moment(pause: float) -> float:
    """Return the next multiple of a pause: the same moments for all guards."""
    now = trio.current_time()
    moment = (now // pause + 1) * pause
    return moment if moment > now else moment + pause  # a float may round down to now


def _resident(tree: Sequence[Process]) -> int:
    return sum(process.resident for process in tree)


def _share_of_memory(process: Process) -> int:
    """Return a process's memory with each shared page divided among its users."""
    with suppress(OSError):
        for line in kernel_memory.told(f"/proc/{process.pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return process.resident


def _put_last(pid: int) -> None:
    """Give a process the lowest CPU priority."""
    # Where the kernel groups processes by session, as on most desktops, only the group's own priority counts
    # against other sessions, and every bot has its own session. Ordinary users may set one such priority per
    # tenth of a second: those already set are skipped, so that the next look sets another.
    with suppress(OSError):
        group = Path(f"/proc/{pid}/autogroup")
        if not group.read_text().rstrip().endswith(f" {LAST_IN_QUEUE}"):
            group.write_text(str(LAST_IN_QUEUE))
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                if os.getpriority(os.PRIO_PROCESS, int(thread)) != LAST_IN_QUEUE:
                    os.setpriority(os.PRIO_PROCESS, int(thread), LAST_IN_QUEUE)
