"""Referees and verifiers that start fast: forked from a process that has already loaded everything."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress

import trio

from referee.logs import log
from referee.mistakes import UserError

RETRY_SECONDS = 60.0  # to get a process from warm processes that keep ending
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0  # between two attempts
MAX_ANSWER = 1 << 12
HANDLE_BYTES = 4
MAX_SECONDS_LISTED = 1.0  # the wait for a dead process to leave the process list


class Forked:
    """A process forked for us, with the part of trio.Process that we need."""

    def __init__(self, pid: int, handle: int, stdin: int, stdout: int) -> None:
        self.pid = pid
        self.stdin = trio.lowlevel.FdStream(stdin)
        self.stdout = trio.lowlevel.FdStream(stdout)
        self._handle: int | None = handle  # a pidfd: it never means another process that reuses the number
        self._waiting = trio.Lock()

    async def wait(self) -> None:
        """Wait until it has ended and left the process list."""
        async with self._waiting:
            if self._handle is None:
                return
            await trio.lowlevel.wait_readable(self._handle)
            # It is dead, but listed until its parent has reaped it; an orphan may stay listed for long.
            with trio.move_on_after(MAX_SECONDS_LISTED), suppress(ProcessLookupError):
                while True:
                    signal.pidfd_send_signal(self._handle, 0)
                    await trio.sleep(0.001)
            os.close(self._handle)
            self._handle = None

    def kill(self) -> None:
        """Kill it, unless it is known to have ended."""
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    async def end(self) -> None:
        """Kill it, close its streams and wait until it is gone."""
        self.kill()
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.stdin)
            await trio.aclose_forcefully(self.stdout)
            await self.wait()


class ForkingError(UserError):
    """The warm process keeps ending: a fault of this machine, such as a lack of memory."""


class WarmProcess:
    """Forks referees and verifiers; started on first use, and restarted if it has ended."""

    def __init__(self) -> None:
        self.users = 0
        self._process: trio.Process | None = None
        self._control: trio.socket.SocketType | None = None
        self._asking = trio.Lock()

    @property
    def pid(self) -> int | None:
        """The process, if it runs."""
        return self._process.pid if self._process is not None else None

    async def fork(self, program: str, arguments: Sequence[str], game: str = "") -> Forked:
        """Return a new process that runs a program, with a game loaded if it is built in.

        The warm process may be killed at any moment: another is started and asked again. An OSError says why this
        machine refuses, a ForkingError that nothing helped.
        """
        request = json.dumps({"program": program, "arguments": list(arguments), "game": game}).encode()
        async with self._asking:
            deadline, pause = trio.current_time() + RETRY_SECONDS, FIRST_PAUSE
            while True:
                if self._control is None:
                    await self._start()
                # The answer is always awaited: a cancelled caller must know the new process in order to end it.
                with trio.CancelScope(shield=True):
                    forked = await self._ask(request)
                if forked is not None:
                    break
                log.warning("forking_process.ended", retry_seconds=pause)
                if trio.current_time() + pause > deadline:
                    raise ForkingError(f"the process that forks referees kept ending for {RETRY_SECONDS:.0f} seconds")
                await trio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            try:
                await trio.lowlevel.checkpoint_if_cancelled()
            except trio.Cancelled:
                await forked.end()
                raise
            return forked

    async def _ask(self, request: bytes) -> Forked | None:
        """Request a process; None if the warm process has ended."""
        assert self._control is not None
        with ExitStack() as ours:
            theirs, kept = [], []
            for is_input in (True, False):
                read, write = os.pipe()
                kept.append(write if is_input else read)
                theirs.append(read if is_input else write)
                ours.callback(os.close, kept[-1])
            try:
                await self._control.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, _as_bytes(theirs))])
                answer, passed, _flags, _address = await self._control.recvmsg(
                    MAX_ANSWER, socket.CMSG_SPACE(HANDLE_BYTES), socket.MSG_CMSG_CLOEXEC
                )
            except OSError:
                answer = b""
            finally:
                for file in theirs:
                    os.close(file)
            if not answer:
                await self.close()
                return None
            said = json.loads(answer)
            if "error" in said:
                raise OSError(said["error"])
            if not passed:  # the kernel drops a handle when this process has no descriptor left
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            ours.pop_all()
            (_level, _kind, handle), *_ = passed
            return Forked(said["pid"], int.from_bytes(handle[:HANDLE_BYTES], sys.byteorder), *kept)

    async def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = trio.socket.from_stdlib_socket(ours)
        with theirs:
            self._process = await trio.lowlevel.open_process(
                [sys.executable, "-m", "referee.warm"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    async def close(self) -> None:
        """End it; the processes it has forked live on."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


def _as_bytes(files: Sequence[int]) -> bytes:
    return b"".join(file.to_bytes(HANDLE_BYTES, sys.byteorder) for file in files)


_shared: trio.lowlevel.RunVar[WarmProcess] = trio.lowlevel.RunVar("warm process")


@asynccontextmanager
async def open_warm_process() -> AsyncIterator[WarmProcess]:
    """Open the warm process, which all concurrent users share; the last to leave ends it."""
    try:
        warm = _shared.get()
    except LookupError:
        warm = WarmProcess()
        _shared.set(warm)
    warm.users += 1
    try:
        yield warm
    finally:
        warm.users -= 1
        if not warm.users:
            await warm.close()
