"""Matches that are being played in this process, for spectators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from arena.plan.tournament_file import Plan
from arena.play.pool import Pool
from ratings.points.result import Fixture


class RunningTournament(Protocol):
    """A tournament that is being played."""

    plan: Plan
    pool: Pool | None
    unfinished: dict[str, Fixture]
    """The matches of this round that are not stored yet, by id."""


class LiveTournaments:
    """The tournaments played in this process, shared by the runners and the web page."""

    def __init__(self) -> None:
        self._running: list[RunningTournament] = []

    @contextmanager
    def announced(self, running: RunningTournament) -> Iterator[None]:
        """Publish a tournament to the web page while it runs."""
        self._running.append(running)
        try:
            yield
        finally:
            self._running.remove(running)

    def all(self) -> list[RunningTournament]:
        """Return all tournaments that are being played here."""
        return list(self._running)

    def tournament(self, name: str) -> RunningTournament | None:
        """Return a tournament if it is being played here."""
        return next((running for running in list(self._running) if running.plan.name == name), None)

    def match(self, match_id: str) -> tuple[RunningTournament, Fixture] | None:
        """Return a match that is being played or queued here, by the beginning of its id."""
        found = [
            (running, fixture)
            for running in list(self._running)
            for each, fixture in list(running.unfinished.items())
            if match_id and each.startswith(match_id)
        ]
        return found[0] if len(found) == 1 else None
