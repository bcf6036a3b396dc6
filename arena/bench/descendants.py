"""CPU time of everything that this process starts, at whatever remove, also of what nobody waits for.

The kernel adds up the time of children that a process waits for; forked referees and what runs in a sandbox are waited
for by others or by nobody. So every process is looked at ten times a second, and its last tenth may be missed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

SECONDS = 0.1  # between two looks


class Descendants:
    """Looks at all descendants of this process while the context is open."""

    def __init__(self) -> None:
        self.own = 0.0
        """The CPU time of looking, in seconds."""
        self._ticks: dict[tuple[int, int], int] = {}  # by process and the time it started: numbers are used again
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        self._thread.join()

    def seconds(self) -> float:
        """Return the CPU time of all descendants that were seen."""
        return sum(self._ticks.values()) / os.sysconf("SC_CLK_TCK")

    def _watch(self) -> None:
        while not self._closing.wait(SECONDS):
            self._look()
            self.own = time.thread_time()

    def _look(self) -> None:
        processes = {pid: (parent, started, ticks) for pid, parent, started, ticks in _processes()}
        known = {os.getpid()} | {pid for pid, (_, started, _) in processes.items() if (pid, started) in self._ticks}
        found = -1
        while found != len(known):
            found = len(known)
            known |= {pid for pid, (parent, _, _) in processes.items() if parent in known}
        for pid in known - {os.getpid()}:
            _, started, ticks = processes[pid]
            self._ticks[pid, started] = ticks


def _processes() -> Iterator[tuple[int, int, int, int]]:
    """Yield every process with its parent, the time it started, and its clock ticks so far."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):  # it has ended since
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                yield int(name), int(fields[1]), int(fields[19]), int(fields[11]) + int(fields[12])
