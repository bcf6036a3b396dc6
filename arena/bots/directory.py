"""Bot directories: a manifest, a program, and a version that is the hash of their content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from arena.bots.label import Label
from arena.bots.names import fault_of
from arena.bots.toml_text import parse_toml
from referee.games import GAMES
from referee.mistakes import UserError
from referee.setting import Form, Setting, SettingError, refuse_unknown

MANIFEST = "bot.toml"


REMOTE = "remote"  # how the store marks a bot that runs elsewhere
REMOTE_MARK = "arena-remote"  # part of what its version is the hash of, so that bots of earlier arenas keep theirs


LARGEST_MANIFEST = 64 * 1024


CONCURRENCY = Setting("concurrency", Form.NUMBER, "How many matches one process can play at once.", 1, 1, 1_024)
DECLARED = (
    Setting(
        "name", Form.TEXT,
        "Who the bot is: 1 to 64 letters and digits of one script, with single spaces, `.`, `_`, `-` and `+` between"
        " them.", default_said="required",
    ),
    Setting(
        "command", Form.TEXTS,
        "How to start it, in its own directory; a program without a slash is searched on the path.", (),
        default_said="required",
    ),
    Setting("games", Form.TEXTS, "The games it plays; none means every game.", ()),
    Setting("build", Form.TEXTS, "A command that makes the bot before it is first started.", ()),
    Setting("memory_mb", Form.NUMBER, "The memory it needs.", 512, 16, 16_384),
    CONCURRENCY,
    Setting(
        "lookahead", Form.FLAG,
        "Whether a helper with the rules runs beside it, within its limits: see"
        " [Search from any language](../howto/search_from_any_language.md).", False,
    ),
    Setting(
        "deterministic", Form.FLAG,
        "Whether its choices in a match depend on nothing but what it is shown in that match, so that another machine"
        " can check them.", False,
    ),
)  # fmt: skip
"""Every key of a manifest, in the order of the reference."""

KEYS = tuple(setting.key for setting in DECLARED)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What bot.toml says: how to start a bot and what it can do."""

    name: str
    command: tuple[str, ...]
    games: tuple[str, ...] = ()  # none means every game
    build: tuple[str, ...] = ()
    memory_mb: int = 512
    concurrency: int = 1
    lookahead: bool = False
    deterministic: bool = False

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
        """It runs here."""
        return False

    @property
    def label(self) -> str:
        """Return the name a record keeps: who, and in which version."""
        return str(Label.of(self.manifest.name, self.version))

    @property
    def location(self) -> str:
        """Where the store finds it again."""
        return str(self.path)

    def stored(self) -> dict[str, object]:
        """Return what the store keeps of its manifest with every version."""
        manifest = self.manifest
        return {"name": manifest.name, "command": list(manifest.command), "games": list(manifest.games)}

    def renamed(self, name: str) -> BotDirectory:
        """Return the same bot under another name."""
        return replace(self, manifest=replace(self.manifest, name=name))


@dataclass(frozen=True, slots=True)
class RemoteBot:
    """A bot that runs elsewhere, as its author declared it: it has neither files nor a command here."""

    manifest: Manifest
    version: str

    @property
    def is_remote(self) -> bool:
        """It runs elsewhere."""
        return True

    @property
    def label(self) -> str:
        """Return the name a record keeps: who, and in which version."""
        return str(Label.of(self.manifest.name, self.version))

    @property
    def location(self) -> str:
        """It has none here."""
        return ""

    def stored(self) -> dict[str, object]:
        """Return what the store keeps of it with every version."""
        manifest = self.manifest
        games = list(manifest.games)
        return {"name": manifest.name, "games": games, "concurrency": manifest.concurrency, "hosting": REMOTE}

    def renamed(self, name: str) -> RemoteBot:
        """Return the same bot under another name."""
        return replace(self, manifest=replace(self.manifest, name=name))


Bot = BotDirectory | RemoteBot
"""A bot is hosted or remote."""


def remote_bot(name: str, games: Sequence[str], concurrency: int) -> RemoteBot:
    """Return a bot that runs elsewhere; the same declaration is the same version."""
    fields = {"name": name, "games": list(games), "command": [REMOTE_MARK], "concurrency": concurrency}
    text = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items()).encode()
    version = sha256(f"{MANIFEST}\0{len(text)}\0".encode() + text).hexdigest()
    return RemoteBot(Manifest(name, (), tuple(games), concurrency=concurrency), version)


def read_bot(path: Path) -> BotDirectory:
    """Read a bot directory; a UserError says what is wrong with it."""
    file = path / MANIFEST
    if not path.is_dir():
        raise UserError(f"{path}: not a bot directory")
    if not file.is_file():
        raise UserError(f"{path}: has no {MANIFEST}")
    if file.stat().st_size > LARGEST_MANIFEST:
        raise UserError(f"{file}: is larger than {LARGEST_MANIFEST} bytes")
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
    try:
        refuse_unknown(plain, KEYS)
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
    """Return the hash of a directory's files, names and contents, whatever their order on disk."""
    digest = sha256()
    for file in sorted(path.rglob("*"), key=lambda file: file.relative_to(path).as_posix()):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
