"""Matches that are being played in this process, for those who look on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from arena.plan.tournament_file import Plan
from arena.play.pool import Pool
from arena.store.database import Store
from ratings.result import Fixture


class Running(Protocol):
    """A tournament that is being played."""

    plan: Plan
    pool: Pool | None
    unfinished: dict[str, Fixture]
    """The matches of this round that are not stored yet, by id."""


_on_air: dict[Path, list[Running]] = {}


@contextmanager
def on_air(store: Store, running: Running) -> Iterator[None]:
    """Let the web pages of this process look into the matches of a tournament while it runs."""
    file = store.path()
    _on_air.setdefault(file, []).append(running)
    try:
        yield
    finally:
        _on_air[file].remove(running)


def tournament_on_air(file: Path, name: str) -> Running | None:
    """Return a tournament if it is being played in this process."""
    return next((running for running in list(_on_air.get(file, ())) if running.plan.name == name), None)


def match_on_air(file: Path, match_id: str) -> tuple[Running, Fixture] | None:
    """Return a match that is being played in this process or waits for its turn, by the beginning of its id."""
    found = [
        (running, fixture)
        for running in list(_on_air.get(file, ()))
        for each, fixture in list(running.unfinished.items())
        if match_id and each.startswith(match_id)
    ]
    return found[0] if len(found) == 1 else None
