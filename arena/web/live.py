"""Live matches: those being played in this process, as a spectator sees them."""

from __future__ import annotations

import anyio
import anyio.to_thread

from arena.play.live import LiveTournaments, RunningTournament
from arena.play.pool import Pool
from arena.web.replays import LiveCourse
from ratings.points.result import Fixture
from referee.record import RecordError

FRESH_SECONDS = 0.3  # the referee is asked no more often than this, however many spectators there are
MAX_AT_A_TIME = 64  # referee answers read in a row before the page is shown
MAX_WATCHED = 64  # matches kept for spectators; the least recently used are dropped, and read again if needed
MAX_TABLES = 12  # live tables listed on a tournament's page


class LiveMatch:
    """One live match, as far as a spectator may see."""

    def __init__(self, live: LiveTournaments, running: RunningTournament, fixture: Fixture) -> None:
        self._live = live
        self.running = running
        self.fixture = fixture
        self.course: LiveCourse | None = None  # None until the first position is known
        self._lock = anyio.Lock()
        self._caught_up_at = float("-inf")

    @property
    def delay(self) -> int:
        """Return the delay in steps that the organiser has set."""
        return self.running.plan.run.spectator_delay

    @property
    def steps(self) -> int:
        """Return the number of steps that may be shown."""
        return 0 if self.course is None else max(0, self.course.steps - self.delay)

    @property
    def is_over(self) -> bool:
        """Return whether the match is stored or its tournament stopped."""
        is_live = self._live.tournament(self.running.plan.name) is self.running
        return not is_live or self.fixture.match_id not in self.running.unfinished

    async def catch_up(self) -> None:
        """Catch up with the referee, unless that was just done."""
        async with self._lock:
            if anyio.current_time() - self._caught_up_at < FRESH_SECONDS:
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
            self._caught_up_at = anyio.current_time()

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


class LiveMatches:
    """The live matches with spectators."""

    def __init__(self, live: LiveTournaments) -> None:
        self._live = live
        self._watched: dict[str, LiveMatch] = {}

    def find(self, match_id: str) -> LiveMatch | None:
        """Return a match that is being played or queued here, by an id prefix."""
        found = self._live.match(match_id)
        if found is None:
            return None
        running, fixture = found
        for each in [each for each, match in self._watched.items() if match.is_over]:
            del self._watched[each]
        match = self._watched.pop(fixture.match_id, None) or LiveMatch(self._live, running, fixture)
        self._watched[fixture.match_id] = match
        for each in list(self._watched)[:-MAX_WATCHED]:
            del self._watched[each]
        return match

    def tables(self, tournament: str) -> list[Fixture] | None:
        """Return a tournament's live matches; None if it is not played in this process."""
        running = self._live.tournament(tournament)
        if running is None or running.pool is None:
            return None
        return [each for match_id, each in list(running.unfinished.items()) if running.pool.is_played(match_id)]
