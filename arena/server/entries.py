"""Entries: the bots of a tournament file that are named as they were submitted."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from arena.config import Plan, parse_plan
from arena.store import Store
from referee.order import OrderError, find_game

EVERYBODY = "*"


def submitted_plan(store: Store, text: str) -> Plan:
    """Read a tournament file whose bots are names or labels of submitted bots; an OrderError names the wrong key."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OrderError(f"toml: {error}") from None
    if "bot" in plain:
        raise OrderError("bot: on a server bots are named as they were submitted; expected bots = ['name', …]")
    for key in ("bots", "house_bots"):
        names = plain.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise OrderError(f"{key}: {names!r} is not allowed; expected a list of names")
        plain[key] = [path for name in names for path in _paths(store, key, name, plain)]
    return parse_plan(plain, Path("/"))


def _paths(store: Store, key: str, name: str, plain: dict[str, Any]) -> list[str]:
    if name == EVERYBODY:
        return _everybody(store, plain)
    rows = store.read(
        """SELECT v.path, b.is_retired FROM bot b JOIN bot_version v ON v.name = b.name
        WHERE v.label = ? OR (b.name = ? AND v.label = b.newest)""",
        name,
        name,
    )
    if not rows:
        raise OrderError(f"{key}: {name!r} was not submitted; see arena bots list")
    path, is_retired = rows[0]
    if is_retired:
        raise OrderError(f"{key}: {name!r} is retired")
    return [path]


def _everybody(store: Store, plain: dict[str, Any]) -> list[str]:
    """Return the newest version of every bot that plays all games of the tournament and is not named elsewhere."""
    games = plain.get("games", [plain.get("game")])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        return []  # refused by name when the plan is read
    for game in games:
        find_game(game)
    house = set(plain.get("house_bots", ()))
    rows = store.read(
        """SELECT b.name, v.label, v.path, v.manifest FROM bot b JOIN bot_version v ON v.label = b.newest
        WHERE NOT b.is_retired ORDER BY b.name"""
    )
    found = []
    for name, label, path, manifest in rows:
        plays = json.loads(manifest)["games"]
        if not {name, label} & house and (not plays or set(games) <= set(plays)):
            found.append(path)
    if not found:
        raise OrderError(f"bots: nobody who was submitted plays {', '.join(games)}")
    return found
