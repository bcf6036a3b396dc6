"""Bot directories: a manifest, a program, and a version that is the hash of their content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.bots.names import fault_of
from arena.bots.toml_text import parse_toml
from referee.games import GAMES
from referee.order import OrderError, did_you_mean

MANIFEST = "bot.toml"
REMOTE_COMMAND = "arena-remote"  # stands in a manifest for a program that runs elsewhere


LARGEST_MANIFEST = 64 * 1024


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

    def stored(self) -> dict[str, object]:
        """Return what the store keeps of it with every version."""
        return {"name": self.name, "command": list(self.command), "games": list(self.games)}

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
    def is_remote(self) -> bool:
        """Whether the bot runs elsewhere."""
        return self.manifest.command == (REMOTE_COMMAND,)

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
    plain = parse_toml(file.read_bytes(), str(file))
    return BotDirectory(path.resolve(), _parse_manifest(file, plain), content_version(path))


def missing_program(bot: BotDirectory) -> str | None:
    """Return the program or file of a bot's command that its build step has yet to make; None if nothing is missing."""
    first, *others = bot.manifest.command
    made = [word for word in others if word.startswith(("build/", "./build/"))]
    needed = [first, *made] if "/" in first else made
    missing = (word for word in needed if not (bot.path / word).exists())
    return next(missing, None) if bot.manifest.build else None


def _parse_manifest(file: Path, plain: Mapping[str, object]) -> Manifest:
    for key in plain:
        if key not in KEYS:
            raise OrderError(f"{file}: {key}: unknown key; expected one of: {', '.join(KEYS)}{did_you_mean(key, KEYS)}")
    name = plain.get("name")
    if fault := fault_of(name):
        raise OrderError(f"{file}: name: {fault}")
    games = _words(file, plain, "games")
    for game in games:
        if game not in GAMES:
            raise OrderError(f"{file}: games: {game!r} is unknown; expected some of: {', '.join(GAMES)}")
    command = _words(file, plain, "command")
    if not command:
        raise OrderError(f"{file}: command: missing; expected a list such as ['python3', 'bot.py']")
    return Manifest(
        name=str(name),
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
