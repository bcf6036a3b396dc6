"""Entries: the bots of a tournament, named as submitted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.bots.directory import Bot, read_bot, remote_bot
from arena.bots.label import name_of
from arena.bots.level import is_level
from arena.bots.one_file import is_bot
from arena.bots.rungs import bot_of_level
from arena.bots.samples import read_named
from arena.bots.toml_text import parse_toml
from arena.plan.settings import TournamentSettings
from arena.plan.tournament_file import LARGEST_FILE, Plan, no_author, parse_plan, read_file
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
        raise OrderError("bot: on a server bots are named as submitted; expected bots = ['name', …]")

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

    refuse_seed(plain)
    return parse_plan(plain, find, partial(_author, store, begun), begun)


def refuse_seed(plain: Mapping[str, Any]) -> None:
    """T2.8: refuse a seed that is given for a tournament on a server."""
    if "seed" in plain:
        raise OrderError("seed: on a server it is drawn, and secret until the end; leave it out")


def local_plan(file: Path, store: Store | None) -> Plan:
    """Return the plan of a tournament file whose bots are directories, submitted to the same database, or samples.

    A directory beside the file comes before a submitted bot of the same name, and that before a sample bot. A
    tournament that has begun keeps the submitted versions that were entered.
    """
    plain = read_file(file)
    begun = None if store is None else _settings_begun(store, plain)

    def find(key: str, name: str) -> Sequence[Bot]:
        if is_level(name):
            return (bot_of_level(name, games_of(plain)),)
        if store is not None and key in LISTS and not is_bot(file.parent / name):
            if meant := _entered(store, begun, plain, key, name):
                return meant
            if name == EVERYBODY:
                return _everybody(store, plain, lambda _label: False)
            version = find_submitted(store, key, name)
            if version is not None and version.is_remote:
                raise OrderError(f"{key}: {name!r} runs elsewhere; it can only play on a server")
            if version is not None:
                return (bot_of(version),)
        return (read_named(name, file.parent),)

    author_of = no_author if store is None else partial(_author, store, begun)
    return parse_plan(plain, find, author_of, begun)


def _author(store: Store, begun: TournamentSettings | None, name: str) -> str | None:
    """T5.4: return the author of a bot; a tournament that has begun keeps the ones that were entered."""
    if begun is not None:
        return next((author for label, author in begun.authors.items() if name_of(label) == name), None)
    found = store.bots.by_name(name)
    return None if found is None else found.author


def bot_of(version: StoredVersion) -> Bot:
    """Return a stored bot version: from its files, or from its author's declaration."""
    if version.is_remote:
        manifest = version.manifest
        key = manifest.get("public_key", "")
        return remote_bot(version.name, manifest["games"], manifest["concurrency"], key)
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


def games_of(plain: Mapping[str, Any]) -> list[str]:
    """Return the games of a tournament file that are installed; none if it does not name them as it should."""
    games = plain.get("games", [plain.get("game")])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        return []
    return [find_game(game).slug for game in games]


def _everybody(store: Store, plain: dict[str, Any], remote_may_play: Callable[[str], bool]) -> list[Bot]:
    """Return the newest version of every bot that plays all games of the tournament and is not named separately."""
    games = games_of(plain)
    if not games:
        return []  # refused by name when the plan is read
    named = {name for key in LISTS for name in plain.get(key, ())}
    found: list[StoredVersion] = []
    for version in store.bots.newest():
        plays = version.manifest["games"]
        is_there = remote_may_play(version.label) if version.is_remote else is_bot(version.path)
        if is_there and not {version.name, version.label} & named and (not plays or set(games) <= set(plays)):
            found.append(version)
    if not found:
        raise OrderError(f"bots: no submitted bot plays {', '.join(games)}")
    return [bot_of(version) for version in _within_limit(store, plain, found, named)]


def _within_limit(
    store: Store, plain: dict[str, Any], versions: Sequence[StoredVersion], named: Collection[str]
) -> list[StoredVersion]:
    """T5.6: of every author keep only the versions submitted last, so that one author cannot stop a tournament."""
    limit = plain.get("bots_per_author", 0)
    if not isinstance(limit, int) or limit <= 0:
        return list(versions)  # refused by name when the plan is read
    room: dict[str, int] = {}
    for name in sorted(named):
        version = store.bots.version(name)
        author = None if version is None else store.bots.author_of(version.name)
        if author is not None:
            room[author] = room.get(author, limit) - 1
    order = {version.label: place for place, version in enumerate(store.bots.versions())}
    kept = set()
    for version in sorted(versions, key=lambda version: -order[version.label]):
        author = store.bots.author_of(version.name)
        if author is not None:
            room[author] = room.get(author, limit) - 1
        if author is None or room[author] >= 0:
            kept.add(version.label)
    return [version for version in versions if version.label in kept]
