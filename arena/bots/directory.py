"""Bot directories: a manifest, a program, and a version that is the hash of their content."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Self

from arena.bots.label import Label
from arena.bots.names import fault_of
from arena.bots.one_file import check, files_of, is_one_file
from arena.bots.toml_text import parse_toml, read_toml
from referee.games import GAMES
from referee.mistakes import UserError
from referee.setting import Form, Setting, SettingError, refuse_unknown

MANIFEST = "bot.toml"
BYTECODE = "__pycache__"  # no part of a version: neither hashed, packed, unpacked nor run
LARGEST_MANIFEST = 8 << 10
CONCURRENCY = Setting("concurrency", Form.NUMBER, "Matches that one process can play concurrently.", 1, 1, 1_024)
DECLARED = (
    Setting(
        "name", Form.TEXT,
        "The bot's name: 1 to 64 letters and digits of one script, with single spaces, `.`, `_`, `-` and `+` between"
        " them.", default_said="required",
    ),
    Setting(
        "command", Form.TEXTS,
        "How to start it, in its own directory; a program without a slash is looked up on the path.", (),
        default_said="required",
    ),
    Setting("games", Form.TEXTS, "The games it plays; none means every game.", ()),
    Setting("build", Form.TEXTS, "A command that builds the bot before its first start.", ()),
    Setting("memory_mb", Form.NUMBER, "The memory it needs.", 512, 16, 16_384),
    CONCURRENCY,
    Setting(
        "lookahead", Form.FLAG,
        "Whether a helper with the rules runs beside it, within its limits: see"
        " [Search from any language](../howto/search_from_any_language.md).", False,
    ),
    Setting(
        "deterministic", Form.FLAG,
        "Whether its choices in a match depend only on the prompts of that match, so that another machine"
        " can check them.", False,
    ),
)  # fmt: skip
"""Every manifest key, in the order of the reference."""

KEYS = tuple(setting.key for setting in DECLARED)
TUNE = "tune"
"""The table of constants for `arena tune`, which alone reads it: it is no part of what a bot declares to others."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of bot.toml: how to start a bot and what it can do."""

    name: str
    command: tuple[str, ...]
    games: tuple[str, ...] = ()  # none means every game
    build: tuple[str, ...] = ()
    memory_mb: int = 512
    concurrency: int = 1
    lookahead: bool = False
    deterministic: bool = False

    def plays(self, game: str) -> bool:
        """Return whether the bot declares this game."""
        return not self.games or game in self.games


@dataclass(frozen=True, slots=True)
class VersionedBot:
    """A version of a bot, identified by its content: the same files or declaration are the same version everywhere."""

    manifest: Manifest
    version: str

    @property
    def label(self) -> str:
        """Return the name that records show: the bot's name and version."""
        return str(Label.of(self.manifest.name, self.version))

    def stored(self) -> dict[str, object]:
        """Return its manifest as the store keeps it with every version."""
        return asdict(self.manifest)

    def renamed(self, name: str) -> Self:
        """Return the same bot under another name."""
        return replace(self, manifest=replace(self.manifest, name=name))


@dataclass(frozen=True, slots=True)
class BotDirectory(VersionedBot):
    """A bot on disk: a directory, or a file that is a bot by itself."""

    path: Path
    is_remote: ClassVar[bool] = False
    public_key: ClassVar[str] = ""

    @property
    def location(self) -> str:
        """Return the path by which the store finds it again."""
        return str(self.path)


@dataclass(frozen=True, slots=True)
class RemoteBot(VersionedBot):
    """A bot that runs elsewhere, as its author declared it: without files or a command here."""

    public_key: str = ""
    """T22.9: that of its author, who signs all its answers with it; empty without one."""
    is_remote: ClassVar[bool] = True
    location: ClassVar[str] = ""
    """Empty: this is how the store recognises a bot that runs elsewhere."""

    def stored(self) -> dict[str, object]:
        """Return its declaration as the store keeps it."""
        return asdict(self.manifest) | ({"public_key": self.public_key} if self.public_key else {})


Bot = BotDirectory | RemoteBot
"""A hosted or a remote bot."""


def remote_bot(name: str, games: Sequence[str], concurrency: int, public_key: str = "") -> RemoteBot:
    """Return a bot that runs elsewhere; the same declaration is the same version, and a key is a part of it."""
    bot = RemoteBot(Manifest(name, (), tuple(games), concurrency=concurrency), "", public_key)
    return replace(bot, version=declared_version(bot.stored()))


def declared_version(stored: Mapping[str, object]) -> str:
    """T22.9: return the version of a bot that runs elsewhere, by its declaration as the store keeps it."""
    return sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def read_bot(path: Path) -> BotDirectory:
    """Read a bot directory or a one-file bot; a UserError says what is wrong with it."""
    if is_one_file(path):
        return _read_file(path)
    file = path / MANIFEST
    if not os.path.isdir(path):  # which a name too long for the system does not make raise
        raise UserError(f"{path}: not a bot directory")
    if not file.is_file():
        raise UserError(f"{path}: has no {MANIFEST}")
    manifest = _parse_manifest(file, read_toml(file, LARGEST_MANIFEST))
    return BotDirectory(manifest, content_version(path), path.resolve())


def _read_file(path: Path) -> BotDirectory:
    files = files_of(path)
    if fault := fault_of(path.stem):
        raise UserError(f"{path}: its name becomes the bot's name, and {fault}")
    check(path)
    manifest = _parse_manifest(path, parse_toml(files[MANIFEST], str(path), LARGEST_MANIFEST))
    return BotDirectory(manifest, _hash_of(files), path.resolve())


def missing_program(bot: BotDirectory) -> str | None:
    """Return the program or file of a bot's command that its build step has yet to create; None if all exist."""
    first, *others = bot.manifest.command
    made = [word for word in others if word.startswith(("build/", "./build/"))]
    needed = [first, *made] if "/" in first else made
    missing = (word for word in needed if not (bot.path / word).exists())
    return next(missing, None) if bot.manifest.build else None


def _parse_manifest(file: Path, plain: Mapping[str, object]) -> Manifest:
    try:
        refuse_unknown(plain, (*KEYS, TUNE))
        values = {setting.key: setting.of(plain) for setting in DECLARED if setting.key != "name"}
    except SettingError as error:
        raise UserError(f"{file}: {error}") from None
    if fault := fault_of(plain.get("name")):
        raise UserError(f"{file}: name: {fault}")
    for game in values["games"]:
        if game not in GAMES:
            raise UserError(f"{file}: games: {game!r} is unknown; expected some of: {', '.join(GAMES)}")
    if not values["command"]:
        raise UserError(f"{file}: command: missing; expected a list such as ['python3', 'bot.py']")
    return Manifest(name=str(plain["name"]), **values)


def content_version(path: Path) -> str:
    """T22.1: return the hash of a directory's file names and contents, whatever their order on disk.

    Bytecode is left out, because it is never run (see arena.bots.clean_copy). A link to a directory counts by its
    text: all files that it may lead to are hashed where they are. A one-file bot has the version of its directory.
    """
    if is_one_file(path):
        return _hash_of(files_of(path))
    digest = sha256()
    for file in sorted(path.rglob("*"), key=lambda file: file.relative_to(path).as_posix()):
        name = file.relative_to(path)
        if BYTECODE in name.parts:
            continue
        if file.is_file():
            digest.update(f"{name.as_posix()}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
        elif file.is_symlink() and file.is_dir():
            digest.update(f"{name.as_posix()}\0-> {file.readlink()}\0".encode())
    return digest.hexdigest()


def _hash_of(files: Mapping[str, bytes]) -> str:
    """T22.1: return the hash of the files of a directory, by name."""
    digest = sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
