"""The shipped list of OpenSpiel's games: which are offered, what was found out about each, and which are proven.

`python -m arena_openspiel.prove` writes it; reading it does not load OpenSpiel.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

PREFIX = "spiel_"
FILE = Path(__file__).with_name("games.toml")


@dataclass(frozen=True, slots=True)
class Listed:
    """What is known about one game in its standard form."""

    title: str
    seats: tuple[int, int]
    """The smallest and the largest table."""
    has_secrets: bool
    has_chance: bool
    imagines: bool
    """Whether a seat's view holds a world to look ahead in."""
    moves_are_public: bool
    """Whether every seat sees what the others choose."""
    fault: str = ""
    """Why the game is not proven; empty for a proven one."""

    @property
    def is_proven(self) -> bool:
        """Return whether it keeps every promise of the game contract."""
        return not self.fault


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All of OpenSpiel's games in one version."""

    open_spiel: str
    games: Mapping[str, Listed]
    unsuitable: Mapping[str, str]
    """The games that are not offered, each with the reason."""


@cache
def catalogue() -> Catalogue:
    """Return the shipped list."""
    return read(FILE.read_text(encoding="utf-8"))


def read(text: str) -> Catalogue:
    """Return the list that a file holds."""
    held = tomllib.loads(text)
    games = {name: listed_from(facts) for name, facts in held.get("games", {}).items()}
    return Catalogue(held["open_spiel"], games, held.get("unsuitable", {}))


def listed_from(facts: Mapping[str, Any]) -> Listed:
    """Return what plain data says about a game."""
    return Listed(**{**facts, "seats": tuple(facts["seats"])})


def written(listed: Catalogue) -> str:
    """Return the text of the file that holds a list."""
    lines = [
        "# Written by python -m arena_openspiel.prove; a game without a fault keeps every promise of the contract.",
        "",
        f"open_spiel = {_quoted(listed.open_spiel)}",
    ]
    for name, facts in sorted(listed.games.items()):
        lines += ["", f"[games.{name}]"]
        values = asdict(facts)
        lines += [
            f"{field.name} = {_value(values[field.name])}" for field in fields(Listed) if values[field.name] != ""
        ]
    lines += ["", "[unsuitable]", *(f"{name} = {_quoted(why)}" for name, why in sorted(listed.unsuitable.items()))]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _quoted(value) if isinstance(value, str) else str(list(value)) if isinstance(value, tuple) else str(value)


def _quoted(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
