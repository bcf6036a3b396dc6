"""Entries: the bots of a tournament that are named as they were submitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.bots.directory import Bot, read_bot, remote_bot
from arena.bots.label import name_of
from arena.bots.toml_text import parse_toml
from arena.plan.settings import TournamentSettings
from arena.plan.tournament_file import LARGEST_FILE, Plan, parse_plan, read_file
from arena.store.database import Store
from arena.store.rows import StoredVersion
from referee.order import OrderError, find_game
from referee.setting import did_you_mean

EVERYBODY = "*"
LISTS = ("bots", "house_bots")


def read_entries(text: str) -> dict[str, Any]:
    """Read the text of a tournament file."""
    return parse_toml(text, "toml", LARGEST_FILE)


def submitted_plan(store: Store, plain: dict[str, Any], remote_may_play: Callable[[str], bool]) -> Plan:
    """Return the plan of a tournament whose bots were submitted; an OrderError names the wrong key.

    A name means the newest version, a label that version; `remote_may_play` says by label which remote bots "*" means
    as well. A tournament that has begun keeps the versions that were entered.
    """
    if "bot" in plain:
        raise OrderError("bot: on a server bots are named as they were submitted; expected bots = ['name', …]")

    begun = _settings_begun(store, plain)

    def find(key: str, name: str) -> Sequence[Bot]:
        if meant := _entered(store, begun, plain, key, name):
            return meant
        if name == EVERYBODY:
            return _everybody(store, plain, remote_may_play)
        version = find_submitted(store, key, name)
        if version is None:
            hint = did_you_mean(name, store.bots.names())
            raise OrderError(f"{key}: {name!r} was not submitted; see arena bots list{hint}")
        return (bot_of(version),)

    return parse_plan(plain, find)


def local_plan(file: Path, store: Store | None) -> Plan:
    """Return the plan of a tournament file whose bots are directories, or were submitted to the same database.

    A directory beside the file comes before a submitted bot of the same name. A tournament that has begun keeps the
    submitted versions that were entered.
    """
    plain = read_file(file)
    begun = None if store is None else _settings_begun(store, plain)

    def find(key: str, name: str) -> Sequence[Bot]:
        if store is not None and key in LISTS and not (file.parent / name).is_dir():
            if meant := _entered(store, begun, plain, key, name):
                return meant
            if name == EVERYBODY:
                return _everybody(store, plain, lambda _label: False)
            version = find_submitted(store, key, name)
            if version is not None and version.is_remote:
                raise OrderError(f"{key}: {name!r} runs elsewhere; it can play on a server only")
            if version is not None:
                return (bot_of(version),)
        return (read_bot(file.parent / name),)

    return parse_plan(plain, find)


def bot_of(version: StoredVersion) -> Bot:
    """Return a bot version that is in the store: from its files, or from what its author declared."""
    if version.is_remote:
        manifest = version.manifest
        return remote_bot(version.name, manifest["games"], manifest["concurrency"])
    return read_bot(Path(version.path))


def find_submitted(store: Store, key: str, name: str) -> StoredVersion | None:
    """Return the version of a submitted bot, if there is one; an OrderError if the bot is retired."""
    version = store.bots.version(name)
    if version is not None and version.is_retired:
        raise OrderError(f"{key}: {name!r} is retired")
    return version


def _settings_begun(store: Store, plain: dict[str, Any]) -> TournamentSettings | None:
    """Return the settings of a file's tournament if it has begun, else None."""
    name = plain.get("name")
    if not isinstance(name, str) or not store.tournaments.has(name):
        return None
    return TournamentSettings.of(store.tournaments.find(name))


def _entered(store: Store, begun: TournamentSettings | None, plain: dict[str, Any], key: str, name: str) -> list[Bot]:
    """Return the bots that a listed name means in a tournament that has begun; none if it was not entered."""
    entered = {} if begun is None else {"bots": begun.bots, "house_bots": begun.house_bots}
    named = {each for each_key in LISTS for each in plain.get(each_key, ())}
    found = []
    for label in entered.get(key, ()):
        its_name = name_of(label)
        is_meant = its_name == name or (name == EVERYBODY and its_name not in named)
        version = store.bots.version(label) if is_meant and label not in named else None
        if version is not None:
            found.append(bot_of(version))
    return found


def _everybody(store: Store, plain: dict[str, Any], remote_may_play: Callable[[str], bool]) -> list[Bot]:
    """Return the newest version of every bot that plays all games of the tournament and is not named as well."""
    games = plain.get("games", [plain.get("game")])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        return []  # refused by name when the plan is read
    for game in games:
        find_game(game)
    named = {name for key in LISTS for name in plain.get(key, ())}
    found = []
    for version in store.bots.newest():
        plays = version.manifest["games"]
        is_there = remote_may_play(version.label) if version.is_remote else Path(version.path).is_dir()
        if is_there and not {version.name, version.label} & named and (not plays or set(games) <= set(plays)):
            found.append(bot_of(version))
    if not found:
        raise OrderError(f"bots: nobody who was submitted plays {', '.join(games)}")
    return found
