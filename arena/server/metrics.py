"""Prometheus metrics for operators: figures of the whole server, without the name of any bot or person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, make_asgi_app
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from arena.play.live import LiveTournaments
from arena.sandbox.levels import Level
from arena.server.remote import RemoteBots
from arena.server.tests import Tests
from arena.server.tournaments import Tournaments
from arena.store.rows import MatchToStore
from referee.order import Ending

LAGS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class MatchCounters:
    """Counts the matches of tournaments as they are stored, and the lags of the loop that does everything else."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._matches = Counter("arena_matches", "Matches stored, by ending.", ["ending"], registry=self.registry)
        self._forfeits = Counter(
            "arena_forfeits", "Seats that forfeited, by ending.", ["ending"], registry=self.registry
        )
        self._lag = Histogram(
            "arena_loop_lag_seconds", "Lag of the server's event loop, measured by its watchdog.", buckets=LAGS,
            registry=self.registry,
        )  # fmt: skip
        for ending in Ending:
            self._matches.labels(ending)  # so that rates count the first match
            if ending.startswith("forfeit"):
                self._forfeits.labels(ending)

    def stored(self, match: MatchToStore) -> None:
        """Count a match that has just been stored."""
        self._matches.labels(match.result.ending).inc()
        for ending in match.result.seat_endings:
            if ending.startswith("forfeit"):
                self._forfeits.labels(ending).inc()

    def late(self, seconds: float) -> None:
        """Count one beat of the loop by how late it was."""
        self._lag.observe(seconds)


@dataclass(slots=True, eq=False)
class ServerGauges(Collector):
    """Current values, looked up when they are requested."""

    db: Path
    level: Level
    live: LiveTournaments
    tournaments: Tournaments
    tests: Tests
    remote: RemoteBots

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield every gauge."""
        running = self.live.all()
        unfinished = [(each.pool, match) for each in running for match in list(each.unfinished)]
        playing = sum(pool is not None and pool.is_played(match) for pool, match in unfinished)
        yield _gauge("arena_matches_playing", "Tournament matches being played.", playing)
        waiting = len(unfinished) - playing
        yield _gauge("arena_matches_waiting", "Matches of open rounds that are still waiting.", waiting)
        referees = sum(each.plan.run.referees for each in running if each.pool is not None)
        yield _gauge("arena_referees", "Referees of running tournaments.", referees)
        yield _gauge("arena_tournaments_running", "Running tournaments.", len(self.tournaments.running))
        yield _gauge("arena_tests_open", "Running or queued tests.", len(self.tests.playing))
        yield _gauge("arena_remote_bots", "Connected remote bots.", self.remote.connected)
        level = GaugeMetricFamily("arena_sandbox_level", "1 for the sandbox level in force.", labels=["level"])
        for each in Level:
            level.add_metric([each.value], float(each is self.level))
        yield level
        size = GaugeMetricFamily("arena_database_bytes", "Size of the database.", labels=["file"])
        for name, file in (("database", self.db), ("log", self.db.with_name(f"{self.db.name}-wal"))):
            size.add_metric([name], _size(file))
        yield size


def app_of(counters: MatchCounters, gauges: ServerGauges) -> Any:
    """Return the ASGI application that serves all metrics, with memory, CPU time and descriptors."""
    counters.registry.register(gauges)
    ProcessCollector(registry=counters.registry)
    return make_asgi_app(counters.registry)


def _gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, about, value=value)


def _size(file: Path) -> float:
    try:
        return float(file.stat().st_size)
    except OSError:
        return 0.0
