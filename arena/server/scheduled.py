"""Scheduled tournaments: each begins at its scheduled time, with every eligible bot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

import trio

from arena.plan.timetable import ScheduledRun, ScheduledTournament
from arena.server.tournaments import BusyError, TooManyError, Tournaments
from arena.store.local_time import local_now
from referee.logs import log
from referee.mistakes import UserError

LATEST = timedelta(minutes=5)  # a start later than this was missed
LONGEST_SLEEP_SECONDS = 30.0  # clocks are set, and machines sleep: look again this often


class Clock(Protocol):
    """A source of time that can wait."""

    def now(self) -> datetime:
        """Return the current time, with a zone."""

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until a moment."""


class WallClock:
    """This machine's clock."""

    def now(self) -> datetime:
        """Return the current time, in this machine's zone."""
        return local_now()

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until a moment, or until soon after it if the clock was set or the machine slept."""
        while (seconds := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110  # no event reports a set clock
            await trio.sleep(min(seconds, LONGEST_SLEEP_SECONDS))


async def keep_timetable(timetable: Sequence[ScheduledTournament], tournaments: Tournaments, clock: Clock) -> None:
    """Begin every run of a timetable when it is due, for ever; one that cannot begin is logged and skipped."""
    async with trio.open_nursery() as nursery:
        for scheduled in timetable:
            nursery.start_soon(_keep, scheduled, tournaments, clock)


async def _keep(scheduled: ScheduledTournament, tournaments: Tournaments, clock: Clock) -> None:
    now = clock.now()
    run = scheduled.last_run(now)
    if scheduled.catch_up and (run.ends is None or now < run.ends):
        await _begin(run, tournaments)
    while True:
        run = scheduled.next_run(max(now, run.begins))
        ends = None if run.ends is None else run.ends.isoformat(timespec="seconds")
        log.info("run.planned", tournament=run.tournament, begins=run.begins.isoformat(timespec="seconds"), ends=ends)
        await clock.sleep_until(run.begins)
        now = clock.now()
        if now - run.begins > LATEST and not scheduled.catch_up:
            log.warning("run.missed", tournament=run.tournament, late=str(now - run.begins))
        else:
            await _begin(run, tournaments)


async def _begin(run: ScheduledRun, tournaments: Tournaments) -> None:
    """Begin a run unless it was already begun or the previous one is still running."""
    scheduled = run.scheduled
    before = [name for name in tournaments.running if scheduled.run_of(name) is not None]
    try:
        if before:
            raise BusyError(f"{before[0]} is still running")
        if await trio.to_thread.run_sync(tournaments.store.tournaments.has, run.tournament):
            raise BusyError("it has already begun")
        await tournaments.start_run(run)
    except (BusyError, TooManyError) as error:
        log.warning("run.skipped", tournament=run.tournament, reason=str(error))
    except UserError as error:
        log.error("run.refused", tournament=run.tournament, reason=str(error))
    except Exception:
        log.exception("run.failed", tournament=run.tournament)  # the server and its other runs carry on
