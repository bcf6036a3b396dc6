"""The verifier: records replayed in fresh processes before their result counts."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import trio

from arena.play.lines import as_line, read_lines
from arena.play.warm import Forked, WarmProcess, open_warm_process

NICENESS = 5  # replays yield to the bots on this machine, whose clocks are running
MAX_ATTEMPTS = 2  # processes that one record may crash


class Verifier:
    """Processes that replay one record at a time; another is started when all are busy, up to a limit."""

    def __init__(self, processes: int, warm: WarmProcess) -> None:
        self.processes = processes
        self._warm = warm
        self._turns = trio.CapacityLimiter(processes)
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()

    @property
    def pids(self) -> tuple[int, ...]:
        """The running processes."""
        return tuple(process.process.pid for process in self._all)

    async def check(self, record: str) -> str | None:
        """Return None for a record that replays to the byte, else its fault."""
        async with self._turns:
            for _attempt in range(MAX_ATTEMPTS):
                process = self._idle.pop() if self._idle else await self._start()
                try:
                    error = await process.check(record)
                except (trio.BrokenResourceError, trio.ClosedResourceError, StopAsyncIteration):
                    await self._end(process)
                except BaseException:
                    await self._end(process)  # its next answer would be to this record
                    raise
                else:
                    self._idle.append(process)
                    return error
        return "the process that replayed it has ended"

    async def _start(self) -> _Process:
        process = _Process(await self._warm.fork("verify", ()))
        self._all.add(process)
        return process

    async def _end(self, process: _Process) -> None:
        self._all.discard(process)
        with trio.CancelScope(shield=True):
            await process.end()

    async def close(self) -> None:
        """End every process."""
        for process in list(self._all):
            await self._end(process)


class _Process:
    """One process that replays records."""

    def __init__(self, process: Forked) -> None:
        self.process = process
        self._answers = read_lines(process.stdout)
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)

    async def check(self, record: str) -> str | None:
        await self.process.stdin.send_all(as_line({"id": 0, "record": record}))
        error: str | None = json.loads(await anext(self._answers))["error"]
        return error

    async def end(self) -> None:
        await self._answers.aclose()
        await self.process.end()


@asynccontextmanager
async def open_verifier(processes: int | None = None) -> AsyncIterator[Verifier]:
    """Open a verifier of up to `processes`, by default one per processor, and stop them on leaving."""
    async with open_warm_process() as warm:
        verifier = Verifier(processes or len(os.sched_getaffinity(0)), warm)
        try:
            yield verifier
        finally:
            await verifier.close()
