"""Child processes: supervised while they run, and ended with all their descendants."""

from __future__ import annotations

import array
import fcntl
import os
import signal
import subprocess
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import trio

from arena.sandbox import cgroups, kernel_memory
from arena.sandbox.levels import TIDY_ATTEMPTS, TIDY_SECONDS, Launch, Level

STOP_SECONDS = 1.0
LOOK_SECONDS = 0.5
CLOSE_LOOK_SECONDS = 0.05  # interval for a bot with many processes, or half of its memory used
MANY_PROCESSES = 12
SETTLE_SECONDS = 0.25  # CPU time that a child may take to go idle
MAX_SETTLE_SECONDS = 5.0  # however busy the machine is
LONG_SETTLE_SECONDS = 0.05
SETTLE_LOOK_SECONDS = 0.001
HOGGING_LOOKS = 4  # in a row, before a bot that uses more than its cores is deprioritised
LAST_IN_QUEUE = 19
FREE_OUTPUT = 64 << 20  # drained as fast as it comes
OUTPUT_RATE = 1 << 20  # bytes per second after that: a flood of output then costs the bot time, not us
CHUNK = 1 << 16
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


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
        self._first: int | None = None  # handle of the first process in the namespace

    @property
    def is_boxed(self) -> bool:
        """Return whether a process namespace holds everything that the child starts."""
        return self.launch.level in (Level.FULL, Level.DEFAULT)

    async def wait(self) -> int:
        """Wait for the end and return the exit code, negative for a signal."""
        if self._popen.poll() is None:
            await _ended(os.pidfd_open(self.pid))
        code = self._popen.wait()
        # bubblewrap reports a signal as a shell does.
        return 128 - code if self.is_boxed and code > 128 else code

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
        if self.is_boxed and self._popen.returncode < 0:
            return "its sandbox was killed from outside"
        if code != -signal.SIGKILL:
            return ""
        if self.launch.groups:
            is_short = cgroups.killed_for_others(self.launch.groups)
        else:
            is_short = kernel_memory.kills() > self._kills  # since the last check
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
                    used = sum(map(_processor_seconds, family(self.pid)))
                    most = used + SETTLE_SECONDS if most is None else most
                    if used >= most:
                        return

    def _is_quiet(self) -> bool:
        with suppress(OSError, trio.ClosedResourceError):
            unread = array.array("i", [0])
            fcntl.ioctl(self.stdout.fileno(), termios.FIONREAD, unread)
            return not unread[0] and all(map(_is_asleep, family(self.pid)))
        return True

    async def _guard(self) -> None:
        """Enforce what per-process limits cannot: the memory and CPU of all processes together."""
        limits = self.launch.limits
        most = limits.memory_mb << 20
        hogging, spent = 0, 0.0
        looked, pause = trio.current_time(), LOOK_SECONDS
        while True:
            await trio.sleep(pause)
            self._kills = kernel_memory.kills()
            tree = family(self.pid)
            each = [kernel_memory.footprint(pid) for pid in tree]
            resident, kernel = sum(one.resident for one in each), sum(one.tables for one in each)
            if self.is_boxed:  # all but bubblewrap itself have their own network and scratch directories
                kernel += max(map(kernel_memory.sockets, tree[1:3]), default=0)
                kernel += max(map(kernel_memory.files, tree[1:3]), default=0)
            if resident + kernel > most and sum(map(_share_of_memory, tree)) + kernel > most:
                where = f", {kernel >> 20} of it in page tables, sockets and files" if kernel > most / 2 else ""
                await self._condemn(f"used more than its {limits.memory_mb} MiB of memory{where}")
                return
            is_large = len(tree) > MANY_PROCESSES or resident + kernel > most / 2
            pause = CLOSE_LOOK_SECONDS if is_large else LOOK_SECONDS
            if self.launch.level is Level.LANDLOCK and sum(map(_threads, tree)) > limits.processes:
                await self._condemn(f"had more than its {limits.processes} processes and threads")
                return
            now, used = trio.current_time(), sum(map(_processor_seconds, tree))
            if now - looked < LOOK_SECONDS:
                continue
            is_hogging = used - spent > 1.25 * limits.processors * (now - looked)
            hogging = hogging + 1 if is_hogging else 0
            looked, spent = now, used
            if hogging >= HOGGING_LOOKS:
                for pid in tree:
                    _put_last(pid)

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
        while self.is_boxed and self._first is None and self._popen.poll() is None:
            for pid in _children(self.pid):
                with suppress(ProcessLookupError):
                    self._first = os.pidfd_open(pid)
                    self.launch.hold(pid)
                    for member in family(pid):
                        _offer_first(member)
                    return
            await trio.sleep(0.005)

    def ask(self) -> bool:
        """Send SIGTERM to the bot itself, since bubblewrap would just die of it; return whether there was a bot."""
        boxed = [pid for first in _children(self.pid) for pid in _children(first)] if self.is_boxed else []
        asked = False
        for pid, send in [(pid, os.kill) for pid in boxed] if self.is_boxed else [(self.pid, os.killpg)]:
            with suppress(ProcessLookupError, PermissionError):
                send(pid, signal.SIGTERM)
                asked = True
        return asked

    async def _kill(self) -> None:
        """Kill everything immediately and return when nothing is left."""
        self._is_ending = True
        if not self.is_boxed:
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
        if not self.is_boxed:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)


async def _ended(handle: int) -> None:
    """Wait for the end of a process by our own handle, then close it; several callers may wait for the same process."""
    try:
        await trio.lowlevel.wait_readable(handle)
    finally:
        os.close(handle)


def family(pid: int) -> list[int]:
    """Return a process and all its living descendants."""
    found = [pid]
    for member in found:
        found += _children(member)
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                children += map(int, kernel_memory.told(f"/proc/{pid}/task/{thread}/children").split())
    return children


def _threads(pid: int) -> int:
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/task"))
    return 0


def _is_asleep(pid: int) -> bool:
    """Return whether no thread of a process is running or runnable."""
    with suppress(OSError, IndexError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            state = kernel_memory.told(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()[0]
            if state in (b"R", b"D"):
                return False
    return True


def _share_of_memory(pid: int) -> int:
    """Return a process's memory with each shared page divided among its users."""
    with suppress(OSError):
        for line in kernel_memory.told(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return kernel_memory.footprint(pid).resident


def _processor_seconds(pid: int) -> float:
    with suppress(OSError, IndexError):
        fields = kernel_memory.told(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND
    return 0.0


def seconds_in_queue(pids: Iterable[int]) -> float:
    """Return how long the processes' threads have waited for a CPU in total; 0 where the kernel does not count it."""
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError, IndexError):
                    total += int(kernel_memory.told(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return total / 1e9


def _offer_first(pid: int) -> None:
    """Make this process and its descendants the first victims of the OOM killer."""
    with suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")


def _put_last(pid: int) -> None:
    """Give a process the lowest CPU priority."""
    # Where the kernel groups processes by session, as on most desktops, only the group's own priority counts
    # against other sessions, and every bot has its own session. Ordinary users may set one such priority per
    # tenth of a second: those already set are skipped, so that the next check sets another.
    with suppress(OSError):
        group = Path(f"/proc/{pid}/autogroup")
        if not group.read_text().rstrip().endswith(f" {LAST_IN_QUEUE}"):
            group.write_text(str(LAST_IN_QUEUE))
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, int(thread), LAST_IN_QUEUE)
