"""The first page: running tournaments, the latest results, and the best of every game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.reports.latest import latest_tournament
from arena.reports.reader import Reader
from arena.reports.tournament import Progress, match_line, progress
from arena.web.live import LiveMatches
from arena.web.pages.leaderboards import best_of_all
from ratings.points.result import Fixture

MAX_RUNNING = 3
MAX_TABLES = 4  # running tournaments, and tables of each, on the first page


@dataclass(frozen=True, slots=True)
class Running:
    """A running tournament."""

    name: str
    progress: Progress
    live_tables: tuple[Fixture, ...]
    more: int  # running tables that are not shown


def home_page(reader: Reader, live: LiveMatches | None = None) -> dict[str, Any]:
    """The context of the first page; `live` are the matches played in this process."""
    latest = latest_tournament(reader)
    return best_of_all(reader) | {
        "running": _running(reader, live),
        "latest": latest,
        "drama": None if latest is None or latest.drama is None else match_line(latest.drama.match),
    }


def _running(reader: Reader, live: LiveMatches | None) -> list[Running]:
    found = []
    for each in reader.running()[:MAX_RUNNING]:
        tables = (live.tables(each.id) if live is not None else None) or []
        found.append(
            Running(
                each.id,
                reader.kept(("progress", each.id), lambda each=each: progress(reader.store, each)),  # type: ignore[misc] # bound now
                tuple(tables[:MAX_TABLES]),
                len(tables[MAX_TABLES:]),
            )
        )
    return found
