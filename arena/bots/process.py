"""Hosted bots: processes started from bot directories."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import trio

from arena.bots.clean_copy import clean_copy
from arena.bots.directory import MANIFEST, BotDirectory
from arena.bots.one_file import is_one_file
from arena.bots.scratch import make_folder
from arena.sandbox.child import Child
from arena.sandbox.levels import (
    Level,
    Limits,
    SandboxPolicy,
    choose,
    launch,
    runtime_environment,
    search_path,
    sockets_seen,
)
from arena.sandbox.runtimes import READ_TOO

KEPT_OUTPUT = 32 * 1024  # bytes of a bot's output, at each end
KEPT_OF_A_MATCH = 4 * 1024  # bytes of the end of its output in a match that it finishes
LOOKAHEAD = "ARENA_LOOKAHEAD"  # the address of the look-ahead helper
OUT_OF_MEMORY = ("SIGKILL", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGTRAP")  # how programs end at a memory limit


class KeptOutput:
    """The head and the tail of a bot's output; anything in between is counted and dropped."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        """Keep a chunk as far as there is room."""
        room = KEPT_OUTPUT - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        if len(self.tail) > KEPT_OUTPUT:
            self.dropped += len(self.tail) - KEPT_OUTPUT
            del self.tail[:-KEPT_OUTPUT]

    @property
    def total(self) -> int:
        """Return the number of bytes seen."""
        return len(self.head) + self.dropped + len(self.tail)

    def since(self, offset: int) -> str:
        """Return the kept end of the output since an earlier `total`."""
        gone = len(self.head) + self.dropped  # bytes before the tail
        new = bytes(self.head[offset:] + self.tail[max(0, offset - gone) :])
        kept = new[-KEPT_OF_A_MATCH:]
        if self.total - offset > KEPT_OF_A_MATCH and b"\n" in kept[:-1]:
            kept = kept.partition(b"\n")[2]  # begin at a line
        dropped = self.total - offset - len(kept)
        return (f"… {dropped} bytes dropped …\n" if dropped else "") + kept.decode("utf-8", "replace")

    def text(self) -> str:
        """Return the kept output, with a note where bytes are missing."""
        gap = f"\n… {self.dropped} bytes dropped …\n".encode() if self.dropped else b""
        return bytes(self.head + gap + self.tail).decode("utf-8", "replace")


class BotProcess:
    """A running bot: started once, used for many matches, ended with all its child processes."""

    def __init__(self, process: Child, *folders: Path | None) -> None:
        """`folders` are removed once it has ended."""
        self.process = process
        self.folders = folders
        self.level = process.launch.level
        self.output = KeptOutput()
        process.condemned = self._tell_author

    @property
    def host_kill(self) -> str:
        """Return why the host killed it, where that is certain; empty otherwise."""
        return self.process.host_kill

    def _tell_author(self, verdict: str) -> None:
        self.output.add(f"\narena: killed this bot: it {verdict}\n".encode())

    @staticmethod
    async def start(
        bot: BotDirectory, address: str, ticket: str, sandbox: SandboxPolicy | Level = SandboxPolicy.AUTO
    ) -> BotProcess:
        """Start a bot's command in its directory, with address and ticket in its environment."""
        level = choose(sandbox) if isinstance(sandbox, SandboxPolicy) else sandbox
        limits = Limits(memory_mb=bot.manifest.memory_mb)
        command = (_find(bot, level), *bot.manifest.command[1:])
        sockets, seen = _socket(address, level)
        try:
            copy = await trio.to_thread.run_sync(clean_copy, bot)
        except OSError as error:
            raise BotStartError(f"{bot.manifest.name}: cannot be copied without its bytecode: {error}") from None
        directory = bot.path if copy is None else copy
        own = {"ARENA_ADDRESS": seen, "ARENA_TICKET": ticket}
        environment = {"HOME": str(directory), **runtime_environment(level), **own}
        listening: Path | None = None
        if bot.manifest.lookahead:
            listening, socket = _own_socket(level)
            command, environment[LOOKAHEAD] = beside(socket, command), f"unix:{socket}"
        try:
            with launch(level, command, directory, environment, limits, sockets=sockets, listening=listening) as ready:
                process = Child(ready)
        except OSError as error:
            _remove(copy, listening)
            name, program = bot.manifest.name, bot.manifest.command[0]
            raise BotStartError(f"{name}: cannot start {program}: {error.strerror}") from None
        return BotProcess(process, copy, listening)

    async def watch(self) -> str:
        """Drain the bot's output until it ends, and return how it ended."""
        code = await self.process.watch(self.output.add)
        if self.process.verdict:
            return self.process.verdict
        if self.host_kill:
            self.output.add(f"\narena: this bot did not end by itself: {self.host_kill}\n".encode())
            return self.host_kill
        if code >= 0:
            return f"exit code {code}"
        if -code not in set(signal.Signals):
            return f"killed by signal {-code}"
        name = signal.Signals(-code).name
        hint = " (perhaps out of memory)" if name in OUT_OF_MEMORY and self.level is not Level.NONE else ""
        return f"killed by {name}{hint}"

    async def settle(self) -> None:
        """Wait until it has processed everything it was sent, so that its output so far belongs to that."""
        await self.process.settle()

    async def wait(self) -> None:
        """Wait for the process to end on its own."""
        await self.process.wait()

    def ask(self) -> None:
        """Ask it to end, by SIGTERM."""
        self.process.ask()

    async def stop(self) -> None:
        """End the process and all its child processes: SIGTERM first, SIGKILL after a second."""
        await self.process.stop()
        _remove(*self.folders)


class BotStartError(Exception):
    """A bot's command cannot be started."""


def _find(bot: BotDirectory, level: Level) -> str:
    """Return the program of a bot's command: a path relative to its directory, or a name on the search path."""
    command = bot.manifest.command[0]
    if level is not Level.NONE and os.getuid() == 0 and not is_one_file(bot.path):
        _check_readable(bot)
    if os.sep in command:
        return command
    folders = search_path(level)
    found = shutil.which(command, path=os.pathsep.join(folders))
    if found is not None:
        return found
    elsewhere = shutil.which(command)
    if elsewhere is not None:
        hint = f"it is at {elsewhere}, outside the sandbox; {READ_TOO} can let bots read its directory"
        raise BotStartError(f"command: {command!r} is not in {', '.join(folders)}; {hint}")
    raise BotStartError(f"command: {command!r} is not installed on this machine")


def _check_readable(bot: BotDirectory) -> None:
    """Refuse a directory that the bot's own uid could not read, with advice, before it fails obscurely."""
    modes = (bot.path.stat().st_mode & 0o005, (bot.path / MANIFEST).stat().st_mode & 0o004)
    if modes != (0o005, 0o004):
        raise BotStartError(f"{bot.path}: sandboxed bots may not read it; run chmod -R a+rX on it")


def beside(socket: Path, command: Sequence[str]) -> tuple[str, ...]:
    """Return a command that becomes this one, with the look-ahead helper beside it."""
    # With -P, so that a directory of stubs beside the bot does not shadow ours.
    return (sys.executable, "-P", "-m", "referee.lookahead", "--beside", str(socket), "--", *command)


def _own_socket(level: Level) -> tuple[Path | None, Path]:
    """Return the directory for the bot's own socket, if it has to be created, and the socket."""
    if level in (Level.FULL, Level.DEFAULT):
        return None, Path("/tmp/lookahead")  # in its own namespace
    folder = make_folder()
    return folder, folder / "s"


def _remove(*folders: Path | None) -> None:
    for folder in folders:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _socket(address: str, level: Level) -> tuple[Path | None, str]:
    """Return the directory of the referee's socket and its address as seen by a bot at this level."""
    if level is Level.NONE:
        return None, address
    if not address.startswith("unix:"):
        raise BotStartError(f"a sandboxed bot has no network; expected a unix socket, not {address}")
    file = Path(address.removeprefix("unix:")).absolute()
    return file.parent, f"unix:{sockets_seen(level, file.parent) / file.name}"
