"""The first page: what happens now, who won the latest tournament, and the best of every game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.reports.latest import latest_tournament
from arena.reports.reader import Reader
from arena.reports.tournament import Progress, match_line, progress
from arena.store.rows import TournamentState
from arena.web.broadcasts import Broadcasts, TableOnAir
from arena.web.pages.leaderboards import best_of_all
from arena.web.pages.tournaments import name_of, version_of

MAX_RUNNING = 3
MAX_TABLES = 4
"""Tournaments that run now, and tables of each, that the first page shows."""


@dataclass(frozen=True, slots=True)
class Running:
    """A tournament that is being played."""

    name: str
    progress: Progress
    on_air: tuple[TableOnAir, ...]
    more: int
    """Tables that are played besides."""


def home_page(reader: Reader, broadcasts: Broadcasts | None = None) -> dict[str, Any]:
    """What the first page shows; `broadcasts` are the matches that are played in this process."""
    latest = latest_tournament(reader)
    return best_of_all(reader) | {
        "running": _running(reader, broadcasts),
        "latest": latest,
        "drama": None if latest is None or latest.drama is None else match_line(latest.drama.match),
        "name_of": name_of,
        "version_of": version_of,
    }


def _running(reader: Reader, broadcasts: Broadcasts | None) -> list[Running]:
    found = []
    stored = [each for each in reader.store.tournaments() if each.state is TournamentState.RUNNING]
    for each in stored[::-1][:MAX_RUNNING]:
        tables = (broadcasts.tables(each.id) if broadcasts is not None else None) or []
        found.append(
            Running(
                each.id,
                reader.kept(("progress", each.id), lambda each=each: progress(reader.store, each)),  # type: ignore[misc] # bound now
                tuple(tables[:MAX_TABLES]),
                len(tables[MAX_TABLES:]),
            )
        )
    return found
