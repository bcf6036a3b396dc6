"""Hosting: bot directories with their manifest, and bot processes started from them."""

from __future__ import annotations

import os
import shutil
import signal
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.child import Child
from arena.runtimes import READ_TOO
from arena.sandbox import Level, Limits, Policy, choose, launch, runtime_environment, search_path, sockets_seen
from referee.games import GAMES
from referee.order import OrderError

MANIFEST = "bot.toml"
LARGEST_MANIFEST = 64 * 1024
KEPT_OUTPUT = 32 * 1024  # of each end of what a bot prints
KEPT_OF_A_MATCH = 4 * 1024  # of the end of what it prints in one that it plays to the end
OUT_OF_MEMORY = ("SIGKILL", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGTRAP")  # how languages end at a memory limit
KEYS = ("name", "games", "command", "build", "memory_mb", "concurrency")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What bot.toml says: how to start a bot and what it can do."""

    name: str
    command: tuple[str, ...]
    games: tuple[str, ...] = ()  # none means every game
    build: tuple[str, ...] = ()
    memory_mb: int = 512
    concurrency: int = 1

    def plays(self, game: str) -> bool:
        """Tell whether the bot declares this game."""
        return not self.games or game in self.games


@dataclass(frozen=True, slots=True)
class BotDirectory:
    """A bot on disk, named by its content: the same files are the same version everywhere."""

    path: Path
    manifest: Manifest
    version: str

    @property
    def label(self) -> str:
        """Return the name a record keeps: who, and in which version."""
        return f"{self.manifest.name}@{self.version[:12]}"


def read_bot(path: Path) -> BotDirectory:
    """Read a bot directory; an OrderError says what is wrong with it."""
    file = path / MANIFEST
    if not path.is_dir():
        raise OrderError(f"{path}: not a bot directory")
    if not file.is_file():
        raise OrderError(f"{path}: has no {MANIFEST}")
    if file.stat().st_size > LARGEST_MANIFEST:
        raise OrderError(f"{file}: is larger than {LARGEST_MANIFEST} bytes")
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OrderError(f"{file}: {error}") from None
    return BotDirectory(path.resolve(), _parse_manifest(file, plain), content_version(path))


def _parse_manifest(file: Path, plain: Mapping[str, object]) -> Manifest:
    for key in plain:
        if key not in KEYS:
            raise OrderError(f"{file}: {key}: unknown key; expected one of: {', '.join(KEYS)}")
    name = plain.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= 64 or not name.isprintable() or name != name.strip():
        raise OrderError(f"{file}: name: {name!r} is not allowed; expected 1 to 64 printable characters")
    games = _words(file, plain, "games")
    for game in games:
        if game not in GAMES:
            raise OrderError(f"{file}: games: {game!r} is unknown; expected some of: {', '.join(GAMES)}")
    command = _words(file, plain, "command")
    if not command:
        raise OrderError(f"{file}: command: missing; expected a list such as ['python3', 'bot.py']")
    return Manifest(
        name=name,
        command=command,
        games=games,
        build=_words(file, plain, "build"),
        memory_mb=_number(file, plain, "memory_mb", 512, 16, 16_384),
        concurrency=_number(file, plain, "concurrency", 1, 1, 1_024),
    )


def _words(file: Path, plain: Mapping[str, object], key: str) -> tuple[str, ...]:
    words = plain.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) and word and "\0" not in word for word in words):
        raise OrderError(f"{file}: {key}: {words!r} is not allowed; expected a list of strings")
    return tuple(words)


def _number(file: Path, plain: Mapping[str, object], key: str, default: int, least: int, most: int) -> int:
    number = plain.get(key, default)
    if type(number) is not int or not least <= number <= most:
        raise OrderError(f"{file}: {key}: {number!r} is not allowed; expected a whole number from {least} to {most}")
    return number


def content_version(path: Path) -> str:
    """Return the hash of a directory's files, names and contents, whatever their order on disk."""
    digest = sha256()
    for file in sorted(path.rglob("*"), key=lambda file: file.relative_to(path).as_posix()):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


class KeptOutput:
    """The first and the last of what a bot prints; a flood in between is counted and dropped."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        """Keep a piece as far as there is room."""
        room = KEPT_OUTPUT - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        if len(self.tail) > KEPT_OUTPUT:
            self.dropped += len(self.tail) - KEPT_OUTPUT
            del self.tail[:-KEPT_OUTPUT]

    @property
    def total(self) -> int:
        """How many bytes there were."""
        return len(self.head) + self.dropped + len(self.tail)

    def since(self, mark: int) -> str:
        """Return the end of what came after a `total` of before, as far as it was kept."""
        gone = len(self.head) + self.dropped  # what comes before the tail
        new = bytes(self.head[mark:] + self.tail[max(0, mark - gone) :])
        cut = f"… {self.total - mark - KEPT_OF_A_MATCH} bytes dropped …\n"
        is_cut = self.total - mark > KEPT_OF_A_MATCH
        return (cut if is_cut else "") + new[-KEPT_OF_A_MATCH:].decode("utf-8", "replace")

    def text(self) -> str:
        """Return what was kept, with a note where something is missing."""
        gap = f"\n… {self.dropped} bytes dropped …\n".encode() if self.dropped else b""
        return bytes(self.head + gap + self.tail).decode("utf-8", "replace")


class BotProcess:
    """A running bot: started once, used for many matches, ended with everything it has started."""

    def __init__(self, process: Child) -> None:
        self.process = process
        self.level = process.launch.level
        self.output = KeptOutput()

    @staticmethod
    async def start(bot: BotDirectory, address: str, ticket: str, sandbox: Policy | Level = Policy.AUTO) -> BotProcess:
        """Start a bot's command in its directory; it finds address and ticket in its environment."""
        level = choose(sandbox) if isinstance(sandbox, Policy) else sandbox
        limits = Limits(memory_mb=bot.manifest.memory_mb)
        command = (_find(bot, level), *bot.manifest.command[1:])
        sockets, seen = _socket(address, level)
        environment = {
            "HOME": str(bot.path),
            **runtime_environment(level),
            "ARENA_ADDRESS": seen,
            "ARENA_TICKET": ticket,
        }
        try:
            with launch(level, command, bot.path, environment, limits, sockets=sockets) as ready:
                process = Child(ready)
        except OSError as error:
            name, program = bot.manifest.name, bot.manifest.command[0]
            raise BotStartError(f"{name}: cannot start {program}: {error.strerror}") from None
        return BotProcess(process)

    async def watch(self) -> str:
        """Drain the bot's output until it ends, and say how it ended."""
        code = await self.process.watch(self.output.add)
        if self.process.verdict:
            self.output.add(f"\narena: ended this bot: it {self.process.verdict}\n".encode())  # for its author
            return self.process.verdict
        if code >= 0:
            return f"exit code {code}"
        if -code not in set(signal.Signals):
            return f"killed by signal {-code}"
        name = signal.Signals(-code).name
        hint = " (perhaps for want of memory)" if name in OUT_OF_MEMORY and self.level is not Level.NONE else ""
        return f"killed by {name}{hint}"

    async def wait(self) -> None:
        """Wait for the process to end by itself."""
        await self.process.wait()

    async def stop(self) -> None:
        """End the process and everything it has started: asked first, killed after a second."""
        await self.process.stop()


class BotStartError(Exception):
    """A bot's command cannot be started."""


def _find(bot: BotDirectory, level: Level) -> str:
    """Return the program of a bot's command: a path relative to its directory, or a name on the search path."""
    command = bot.manifest.command[0]
    if level is not Level.NONE and os.getuid() == 0:
        _check_readable(bot)
    if os.sep in command:
        return command
    folders = search_path(level)
    found = shutil.which(command, path=os.pathsep.join(folders))
    if found is not None:
        return found
    elsewhere = shutil.which(command)
    if elsewhere is not None:
        place = f"it is at {elsewhere}, outside the sandbox; {READ_TOO} can let bots read its directory"
        raise BotStartError(f"command: {command!r} is not in {', '.join(folders)}; {place}")
    raise BotStartError(f"command: {command!r} is not on this machine")


def _check_readable(bot: BotDirectory) -> None:
    """Refuse a directory that the bot's own uid could not read, with advice, before it fails in a riddle."""
    modes = (bot.path.stat().st_mode & 0o005, (bot.path / MANIFEST).stat().st_mode & 0o004)
    if modes != (0o005, 0o004):
        raise BotStartError(f"{bot.path}: the user of sandboxed bots may not read it; chmod -R a+rX it")


def _socket(address: str, level: Level) -> tuple[Path | None, str]:
    """Return the directory of the referee's socket and the address as a bot at this level sees it."""
    if level is Level.NONE:
        return None, address
    if not address.startswith("unix:"):
        raise BotStartError(f"a sandboxed bot has no network; expected a unix socket, not {address}")
    file = Path(address.removeprefix("unix:")).absolute()
    return file.parent, f"unix:{sockets_seen(level, file.parent) / file.name}"
