"""The ladder of every game: up to ten bots from random play on, named `level:1` to `level:10`.

A rung is a sample bot with settings of its own. It is written out as a bot directory, so that its version, the hash of
that directory, covers its files and its settings; the version it was measured with is kept beside its rating, and
anything else is refused.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.directory import BYTECODE, MANIFEST, BotDirectory, content_version, read_bot
from arena.bots.label import Label
from arena.bots.level import is_level, level_of
from arena.bots.samples import read_named, starter_bots
from arena.bots.scratch import make_folder
from arena.bots.toml_text import read_toml
from referee.mistakes import UserError
from referee.setting import Form, Setting, SettingError, refuse_unknown

FOLDER = Path(__file__).parent / "ladder"
"""`<game>.toml` says what the rungs are; `<game>.json` and the ledger beside it are written by the calibration."""
LARGEST_FILE = 64 << 10
LADDER_KEYS = (
    Setting("seats", Form.NUMBER, "The table at which the rungs are measured.", None, 2, 5),
    Setting("seed", Form.NUMBER, "The seed of the calibration.", 1494, 0, 1 << 62),
    Setting("budget", Form.NUMBER, "Matches beyond which the calibration ends undecided.", 20_000, 1, 1_000_000),
    Setting("rung", Form.TABLES, "The rungs, from the weakest to the strongest.", []),
)
RUNG_KEYS = (
    Setting("bot", Form.TEXT, "A sample bot, by its directory."),
    Setting("name", Form.TEXT, "Its name, if it has settings of its own.", ""),
    Setting("arguments", Form.TEXTS, "The arguments of its program, in place of those of its manifest.", ()),
)


class Measured(NamedTuple):
    """What the calibration found out about a rung."""

    version: str
    """The hash of its files, with which it is frozen."""
    rating: int
    """In Elo above the first rung."""
    error: int
    """Half of the 95 % interval of the fit."""
    matches: int


@dataclass(frozen=True, slots=True)
class Rung:
    """One bot of a ladder."""

    level: int
    bot: str
    name: str
    arguments: tuple[str, ...]
    measured: Measured | None


class RungClaim(NamedTuple):
    """T16: what the ledger of the calibration claims of two neighbours."""

    above: int
    below: int
    word: str
    round: int


@dataclass(frozen=True, slots=True)
class Ladder:
    """The rungs of one game, and how they were measured."""

    game: str
    seats: int | None
    seed: int
    budget: int
    rungs: tuple[Rung, ...]
    claims: tuple[RungClaim, ...] = ()
    head: str = ""
    """The head of its ledger; empty before it is measured."""
    matches: int = 0

    def rung(self, level: int) -> Rung:
        """Return the rung of a level; a UserError says which there are."""
        if not 1 <= level <= len(self.rungs):
            raise UserError(f"level: {level} is not a rung of {self.game}; expected 1 to {len(self.rungs)}")
        return self.rungs[level - 1]

    @property
    def ratings(self) -> tuple[float, ...]:
        """The rating of every rung; a UserError if they have not been measured."""
        found = [rung.measured for rung in self.rungs]
        if None in found:
            raise UserError(f"ladder: {self.game} is not measured yet; see arena ladder calibrate")
        return tuple(float(each.rating) for each in found if each is not None)


def rungs_of_versions(wanted: Collection[str]) -> list[Path]:
    """Return the directories of the shipped rungs among some versions."""
    rungs = [rung for game in games_with_ladder() for rung in read_ladder(game).rungs]
    return [written_out(rung).path for rung in rungs if rung.measured is not None and rung.measured.version in wanted]


@cache
def levels_by_version(game: str) -> Mapping[str, int]:
    """Return the level of every measured rung of a shipped ladder, by its version; none for a game without one."""
    if game not in games_with_ladder():
        return {}
    return {rung.measured.version: rung.level for rung in read_ladder(game).rungs if rung.measured is not None}


def games_with_ladder(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the games that have a ladder."""
    return tuple(sorted(file.stem for file in folder.glob("*.toml")))


def read_ladder(game: str, folder: Path = FOLDER) -> Ladder:
    """Return the ladder of a game; a UserError says which games have one."""
    file = folder / f"{game}.toml"
    if not file.is_file():
        raise UserError(f"ladder: {game!r} has none; expected one of: {', '.join(games_with_ladder(folder))}")
    try:
        plain = read_toml(file, LARGEST_FILE)
        refuse_unknown(plain, [setting.key for setting in LADDER_KEYS])
        seats, seed, budget, tables = (setting.of(plain) for setting in LADDER_KEYS)
        written = _measured(folder / f"{game}.json")
        by_name = {rung["name"]: Measured(**{key: rung[key] for key in Measured._fields}) for rung in written["rungs"]}
        rungs = tuple(_rung(level, table, by_name) for level, table in enumerate(tables, start=1))
    except SettingError as error:
        raise UserError(f"{file}: {error}") from None
    claims = tuple(RungClaim(**claim) for claim in written["claims"])
    return Ladder(game, seats, seed, budget, rungs, claims, written["head"], written["matches"])


def _measured(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {"rungs": [], "claims": [], "head": "", "matches": 0}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _rung(level: int, table: dict[str, Any], by_name: dict[str, Measured]) -> Rung:
    refuse_unknown(table, [setting.key for setting in RUNG_KEYS], "rung.")
    bot, name, arguments = (setting.of(table, "rung.") for setting in RUNG_KEYS)
    if bool(name) != bool(arguments):
        raise SettingError(f"rung {level}: a rung with arguments has a name of its own, and no other has")
    if not name:
        name = read_bot(starter_bots() / bot).manifest.name
    return Rung(level, bot, name, tuple(arguments), by_name.get(name))


def bot_of_level(name: str, games: Iterable[str]) -> BotDirectory:
    """Return the bot of a level in all of these games; a UserError if they have different ones."""
    level = level_of(name)
    bots = {game: rung_bot(read_ladder(game), level) for game in games}
    if not bots:
        raise UserError(f"{name}: the game is missing; expected it beside the level")
    if len({bot.version for bot in bots.values()}) > 1:
        told = ", ".join(f"{bot.manifest.name} in {game}" for game, bot in bots.items())
        raise UserError(f"{name}: is not the same bot in every game ({told}); expected one game")
    return next(iter(bots.values()))


def named_bot(name: str | Path, games: Iterable[str]) -> BotDirectory:
    """Return a bot by its directory or file, by its level in these games, or a sample bot by its name."""
    return bot_of_level(str(name), games) if is_level(str(name)) else read_named(str(name))


def rung_bot(ladder: Ladder, level: int) -> BotDirectory:
    """Return the bot of a rung; a UserError if it is not the one that was measured."""
    rung = ladder.rung(level)
    bot = written_out(rung)
    if rung.measured is not None and bot.version != rung.measured.version:
        raise UserError(
            f"level:{level} of {ladder.game} was measured as {Label.of(rung.name, rung.measured.version)}, but is"
            f" {bot.label} here; run arena ladder calibrate {ladder.game}"
        )
    return bot


def written_out(rung: Rung) -> BotDirectory:
    """Return the bot directory of a rung: the sample bot itself, or a copy with settings of its own, kept for later."""
    sample = starter_bots() / rung.bot
    if not rung.arguments:
        return read_bot(sample)
    folder = make_folder()
    try:
        copy = folder / rung.name
        shutil.copytree(sample, copy, ignore=shutil.ignore_patterns(BYTECODE))
        _set(copy / MANIFEST, read_bot(sample), rung)
        return read_bot(_kept(copy))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _set(file: Path, sample: BotDirectory, rung: Rung) -> None:
    """Write a manifest with the name and the arguments of a rung; everything else stays as in the sample."""
    program = [*sample.manifest.command[:2], *rung.arguments]
    lines = file.read_text(encoding="utf-8").splitlines()
    values = {"name": json.dumps(rung.name), "command": json.dumps(program)}
    changed = [
        f"{key} = {values[key]}" if (key := line.partition("=")[0].strip()) in values else line for line in lines
    ]
    if not sample.manifest.deterministic:
        changed.append("deterministic = true   # the budget of a rung is one of nodes")
    file.write_text("\n".join(changed) + "\n", encoding="utf-8")


def _kept(copy: Path) -> Path:
    """Move a directory to where tournaments and tests find it again, by the hash of its files."""
    place = kept_folder() / content_version(copy)
    fresh = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.parent.chmod(0o755)
        if not place.is_dir():
            shutil.copytree(copy, fresh)
            fresh.chmod(0o755)  # readable by a sandboxed bot's uid
            os.rename(fresh, place)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        if not place.is_dir():  # no other process was faster either
            raise UserError(f"level: cannot write {place}: {error.strerror}; set XDG_CACHE_HOME") from None
    if content_version(place) != place.name:
        raise UserError(f"level: the files in {place} were changed; remove that directory")
    return place


def kept_folder() -> Path:
    """Return the folder of the rungs that were written out."""
    cache_folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache_folder).absolute() / "meistersinger" / "ladder"
