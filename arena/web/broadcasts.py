"""Broadcasts: matches being played in this process, as a spectator sees them."""

from __future__ import annotations

from dataclasses import dataclass

import anyio
import anyio.to_thread

from arena.play.live import OnAir, RunningTournament
from arena.play.pool import Pool
from arena.web.replays import LiveCourse
from ratings.points.result import Fixture
from referee.record import RecordError

FRESH_SECONDS = 0.3
"""The referee is asked no more often than this, however many spectators there are."""

MAX_AT_A_TIME = 64
"""Referee answers read in a row before the page is shown."""

MAX_FOLLOWED = 64
"""Matches kept for spectators; the least recently used are dropped, and read again if needed."""

MAX_TABLES = 12
"""Live tables listed on a tournament's page."""


@dataclass(frozen=True, slots=True)
class TableOnAir:
    """A live match on its tournament's page."""

    match_id: str
    round: int
    table: int
    bots: tuple[str, ...]


class Broadcast:
    """One live match, as far as a spectator may see."""

    def __init__(self, on_air: OnAir, running: RunningTournament, fixture: Fixture) -> None:
        self._on_air = on_air
        self.running = running
        self.fixture = fixture
        self.course: LiveCourse | None = None
        """None until the first position is known."""
        self._lock = anyio.Lock()
        self._looked_at = float("-inf")

    @property
    def delay(self) -> int:
        """Return the delay in steps that the organiser has set."""
        return self.running.plan.spectator_delay

    @property
    def steps(self) -> int:
        """Return how many steps may be shown."""
        return 0 if self.course is None else max(0, self.course.steps - self.delay)

    @property
    def is_over(self) -> bool:
        """Return whether the match is stored or its tournament stopped."""
        is_on_air = self._on_air.tournament(self.running.plan.name) is self.running
        return not is_on_air or self.fixture.match_id not in self.running.unfinished

    async def look(self) -> None:
        """Catch up with the referee, unless that was just done."""
        async with self._lock:
            if anyio.current_time() - self._looked_at < FRESH_SECONDS:
                return
            for _ in range(MAX_AT_A_TIME):
                pool = self.running.pool
                if pool is None or not pool.is_played(self.fixture.match_id):
                    break
                try:
                    if not await self._read_on(pool):
                        break
                except RecordError:
                    # The match was voided and restarted.
                    self.course = None
            self._looked_at = anyio.current_time()

    async def _read_on(self, pool: Pool) -> bool:
        course = self.course
        lines = await pool.peek(self.fixture.match_id, 0 if course is None else 1 + course.steps)
        if not lines:
            return False
        if course is None:
            course = await anyio.to_thread.run_sync(LiveCourse, lines.pop(0))
        await anyio.to_thread.run_sync(course.add, lines)
        self.course = course
        return True


class Broadcasts:
    """The live matches with spectators."""

    def __init__(self, on_air: OnAir) -> None:
        self._on_air = on_air
        self._followed: dict[str, Broadcast] = {}

    def find(self, match_id: str) -> Broadcast | None:
        """Return a match that is being played or queued here, by an id prefix."""
        found = self._on_air.match(match_id)
        if found is None:
            return None
        running, fixture = found
        for each in [each for each, broadcast in self._followed.items() if broadcast.is_over]:
            del self._followed[each]
        broadcast = self._followed.pop(fixture.match_id, None) or Broadcast(self._on_air, running, fixture)
        self._followed[fixture.match_id] = broadcast
        for each in list(self._followed)[:-MAX_FOLLOWED]:
            del self._followed[each]
        return broadcast

    def tables(self, tournament: str) -> list[TableOnAir] | None:
        """Return a tournament's live matches; None if it is not played in this process."""
        running = self._on_air.tournament(tournament)
        if running is None or running.pool is None:
            return None
        pool = running.pool
        return [
            TableOnAir(fixture.match_id, fixture.round, fixture.table, fixture.seating)
            for fixture in list(running.unfinished.values())
            if pool.is_played(fixture.match_id)
        ]
