"""The kernel's process table: a bot's processes, and their usage."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from arena.sandbox import kernel_memory

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
RUNNING = b"R"


@dataclass(frozen=True, slots=True)
class Process:
    """One process, as its line in /proc/PID/stat has it."""

    pid: int
    parent: int
    is_running: bool
    """Running, or waiting for a CPU."""
    ticks: int
    """CPU time of all its threads, including ended ones."""
    threads: int
    mapped: int
    """Bytes of its address space."""
    resident: int
    """Bytes of it that are in memory."""

    @property
    def seconds(self) -> float:
        """Its CPU time."""
        return self.ticks / TICKS_A_SECOND


def read_process(pid: int) -> Process | None:
    """Return a process; None if it has ended."""
    try:
        line = kernel_memory.told(f"/proc/{pid}/stat")
    except OSError:
        return None
    words = line[line.rindex(b")") + 2 :].split(None, 23)
    return Process(
        pid, int(words[1]), words[0] == RUNNING, int(words[11]) + int(words[12]), int(words[17]), int(words[20]),
        int(words[21]) * PAGE,
    )  # fmt: skip


def scan() -> dict[int, list[Process]]:
    """Return all processes of this machine by their parent: one file per process, where a walk needs one per thread."""
    children: dict[int, list[Process]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal() and (process := read_process(int(name))) is not None:
            children.setdefault(process.parent, []).append(process)
    return children


def tree_in(children: Mapping[int, list[Process]], pid: int) -> list[Process]:
    """Return a process, unless it has ended, and all its descendants in a scan."""
    first = read_process(pid)
    found = [] if first is None else [first]
    for member in found:
        found += children.get(member.pid, ())
    return found


def family(pid: int) -> list[int]:
    """Return a process and all its living descendants, walking from it."""
    found = [pid]
    for member in found:
        found += children_of(member)
    return found


def children_of(pid: int) -> list[int]:
    """Return the children of a process."""
    children: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                children += map(int, kernel_memory.told(f"/proc/{pid}/task/{thread}/children").split())
    return children


def is_asleep(pid: int) -> bool:
    """Return whether no thread of a process is running or runnable."""
    with suppress(OSError, IndexError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            state = kernel_memory.told(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()[0]
            if state in (RUNNING, b"D"):
                return False
    return True


def seconds_of(pids: Iterable[int]) -> float:
    """Return the CPU time of the processes that are alive."""
    return sum(process.seconds for process in map(read_process, pids) if process is not None)


def seconds_in_queue(pids: Iterable[int]) -> float:
    """Return how long the processes' threads have waited for a CPU in total; 0 where the kernel does not count it."""
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError, IndexError):
                    total += int(kernel_memory.told(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return total / 1e9
