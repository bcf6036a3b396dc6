"""The first page: running tournaments, the latest results, and the best of every game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.reports.night import last_night
from arena.reports.reader import Reader
from arena.reports.tournament import Progress, match_line, progress
from arena.web.broadcasts import Broadcasts, TableOnAir
from arena.web.pages.leaderboards import best_of_all
from arena.web.pages.tournaments import name_of, version_of

MAX_RUNNING = 3
MAX_TABLES = 4
"""Running tournaments, and tables of each, on the first page."""


@dataclass(frozen=True, slots=True)
class Running:
    """A running tournament."""

    name: str
    progress: Progress
    on_air: tuple[TableOnAir, ...]
    more: int
    """Running tables that are not shown."""


def home_page(reader: Reader, broadcasts: Broadcasts | None = None) -> dict[str, Any]:
    """The context of the first page; `broadcasts` are the matches played in this process."""
    night = last_night(reader)
    return best_of_all(reader) | {
        "running": _running(reader, broadcasts),
        "night": night,
        "drama": None if night is None or night.drama is None else match_line(night.drama.match),
        "name_of": name_of,
        "version_of": version_of,
    }


def _running(reader: Reader, broadcasts: Broadcasts | None) -> list[Running]:
    found = []
    for each in reader.running()[:MAX_RUNNING]:
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
