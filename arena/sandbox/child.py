"""Child processes: supervised while they run, and ended with all their descendants."""

from __future__ import annotations

import array
import fcntl
import os
import signal
import subprocess
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import trio

from arena.sandbox import cgroups, kernel_memory
from arena.sandbox.guard import Guard
from arena.sandbox.levels import TIDY_ATTEMPTS, TIDY_SECONDS, Launch
from arena.sandbox.processes import children_of, family, is_asleep, seconds_of

OFFERS = 8  # looks at a starting sandbox, which forks twice; a bot that forks all the time must not hold us up
STOP_SECONDS = 1.0
SETTLE_SECONDS = 0.25  # CPU time that a child may take to go idle
MAX_SETTLE_SECONDS = 5.0  # however busy the machine is
LONG_SETTLE_SECONDS = 0.05
SETTLE_LOOK_SECONDS = 0.001
FREE_OUTPUT = 64 << 20  # drained at full speed
OUTPUT_RATE = 1 << 20  # bytes per second after that: a flood of output then costs the bot time, not us
CHUNK = 1 << 16


class Child:
    """A running process with its output.

    `verdict` says why we ended it, if we did, and `host_kill` why the host did, where that is certain.
    """

    def __init__(self, launch: Launch, result: int | None = None) -> None:
        """Start a launch; an OSError says why it cannot start.

        Its output is one log; with an open file for its `result`, only standard error is.
        """
        self.launch = launch
        self.verdict = ""
        self.host_kill = ""
        self.condemned: Callable[[str], object] = lambda verdict: None  # called before the verdict is carried out
        self._is_ending = False
        self._kills = kernel_memory.kills()
        reading, writing = os.pipe()
        try:
            # Never in a worker thread: bubblewrap ends its bot when the thread that started it ends.
            self._popen = subprocess.Popen(
                launch.argv, cwd=launch.directory, env=dict(launch.environment), pass_fds=launch.descriptors,
                stdin=subprocess.DEVNULL, stdout=writing if result is None else result, stderr=writing,
                start_new_session=True,
            )  # fmt: skip
        except BaseException:
            os.close(reading)
            launch.tidy()
            raise
        finally:
            os.close(writing)
        self.pid = self._popen.pid
        self.stdout = trio.lowlevel.FdStream(reading)
        self._guarding = Guard(launch, self.pid)
        self._first: int | None = None  # handle of the first process in the namespace

    async def wait(self) -> int:
        """Wait for the end and return the exit code, negative for a signal."""
        if self._popen.poll() is None:
            await _ended(os.pidfd_open(self.pid))
        code = self._popen.wait()
        # bubblewrap reports a signal as a shell does.
        return 128 - code if self.launch.is_boxed and code > 128 else code

    async def watch(self, keep: Callable[[bytes], object]) -> int:
        """Pass on the output and enforce the limits until the child ends; return its exit code."""
        async with trio.open_nursery() as nursery:
            drained = trio.Event()
            nursery.start_soon(self._meet)
            nursery.start_soon(self._drain, keep, drained)
            nursery.start_soon(self._guard)
            code = await self.wait()
            self.host_kill = self._find_host_kill(code)
            self._kill_session()  # so that nothing left behind holds the output open
            with trio.move_on_after(STOP_SECONDS):
                await drained.wait()
            nursery.cancel_scope.cancel()
        return code

    def _find_host_kill(self, code: int) -> str:
        """Return how the host killed a child; empty if the child may have done it itself, or we did.

        In a namespace nobody can signal bubblewrap, which is outside; and a process that kills itself is not
        counted as an out-of-memory kill.
        """
        if self._is_ending:
            return ""
        if self.launch.is_boxed and self._popen.returncode < 0:
            return "its sandbox was killed from outside"
        if code != -signal.SIGKILL:
            return ""
        if self.launch.groups:
            is_short = cgroups.killed_for_others(self.launch.groups)
        else:
            is_short = kernel_memory.kills() > max(self._kills, Guard.oom_kills())  # since the last look
        return "the machine had no memory left" if is_short else ""

    async def _drain(self, keep: Callable[[bytes], object], drained: trio.Event) -> None:
        total = 0
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with self.stdout:
                while chunk := await self.stdout.receive_some(CHUNK):
                    keep(chunk)
                    total += len(chunk)
                    if total > FREE_OUTPUT:
                        await trio.sleep(len(chunk) / OUTPUT_RATE)
        drained.set()

    async def settle(self) -> None:
        """Return once the child is idle and silent, or has had enough time for it.

        A process that was sent something is awake until it has processed it; two checks in a row that find all of its
        threads asleep, and nothing of its output unread, mean that it waits for more.
        """
        quiet, began = 0, trio.current_time()
        most: float | None = None  # CPU time; measured only when it takes long
        with trio.move_on_after(MAX_SETTLE_SECONDS):
            while quiet < 2 and self._popen.poll() is None:
                quiet = quiet + 1 if self._is_quiet() else 0
                await trio.sleep(SETTLE_LOOK_SECONDS)
                if trio.current_time() - began > LONG_SETTLE_SECONDS:
                    used = seconds_of(family(self.pid))
                    most = used + SETTLE_SECONDS if most is None else most
                    if used >= most:
                        return

    def _is_quiet(self) -> bool:
        with suppress(OSError, trio.ClosedResourceError):
            unread = array.array("i", [0])
            fcntl.ioctl(self.stdout.fileno(), termios.FIONREAD, unread)
            return not unread[0] and all(map(is_asleep, family(self.pid)))
        return True

    async def _guard(self) -> None:
        """Kill the child when all its processes together exceed a limit that the kernel does not enforce."""
        if not cgroups.hold_everything(self.launch.groups):
            await self._condemn(await self._guarding.verdict())

    async def _condemn(self, verdict: str) -> None:
        self.verdict = verdict
        self.condemned(verdict)
        await self._kill()

    async def stop(self) -> None:
        """End the child and all its descendants: SIGTERM first, SIGKILL after a second."""
        self._is_ending = True
        with trio.CancelScope(shield=True):
            # bubblewrap may end a moment before the namespace; the handle taken before lets us wait for that.
            with trio.move_on_after(STOP_SECONDS):
                await self._meet()
            if self._popen.poll() is None and self.ask():
                with trio.move_on_after(STOP_SECONDS):
                    await self.wait()
            await self._kill()
            if self._first is not None:
                await _ended(os.dup(self._first))
            if self._first is not None:  # not stopped concurrently
                os.close(self._first)
                self._first = None
            for _ in range(TIDY_ATTEMPTS):
                if self.launch.tidy():
                    break
                await trio.sleep(TIDY_SECONDS)
            await self.stdout.aclose()

    async def _meet(self) -> None:
        """Open a handle of the first process in the namespace, as soon as it exists."""
        while self.launch.is_boxed and self._first is None and self._popen.poll() is None:
            for pid in children_of(self.pid):
                with suppress(ProcessLookupError):
                    self._first = os.pidfd_open(pid)
                    self.launch.hold(pid)
                    _offer_first(pid)
                    return
            await trio.sleep(0.005)

    def ask(self) -> bool:
        """Send SIGTERM to the bot itself, since bubblewrap would just die of it; return whether there was a bot."""
        boxed = [pid for first in children_of(self.pid) for pid in children_of(first)] if self.launch.is_boxed else []
        asked = False
        for pid, send in [(pid, os.kill) for pid in boxed] if self.launch.is_boxed else [(self.pid, os.killpg)]:
            with suppress(ProcessLookupError, PermissionError):
                send(pid, signal.SIGTERM)
                asked = True
        return asked

    async def _kill(self) -> None:
        """Kill everything immediately and return when nothing is left."""
        self._is_ending = True
        if not self.launch.is_boxed:
            self._kill_session()
        elif self._popen.poll() is None:
            # The first process of a namespace takes all others with it. Killing bubblewrap instead, while it is
            # starting, would leave that first process waiting for it forever.
            with trio.move_on_after(STOP_SECONDS):
                await self._meet()
            if self._first is not None:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._first, signal.SIGKILL)
            else:
                self._popen.kill()
        await self.wait()

    def _kill_session(self) -> None:
        if not self.launch.is_boxed:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)


async def _ended(handle: int) -> None:
    """Wait for the end of a process by our own handle, then close it; several callers may wait for the same process."""
    try:
        await trio.lowlevel.wait_readable(handle)
    finally:
        os.close(handle)


def _offer_first(pid: int) -> None:
    """Make this process and its descendants the first victims of the OOM killer.

    Children inherit it, except those forked before it was set for their parent: these are found by looking again.
    """
    offered: set[int] = set()
    for _ in range(OFFERS):
        found = [member for member in family(pid) if member not in offered]
        for member in found:
            with suppress(OSError):
                Path(f"/proc/{member}/oom_score_adj").write_text("1000")
        offered.update(found)
