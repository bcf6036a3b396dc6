"""Nightly tournaments: each begins at its scheduled time, with every eligible bot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

import trio

from arena.plan.timetable import Night, Nightly
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
        while (seconds := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110  # nobody tells when clocks are set
            await trio.sleep(min(seconds, LONGEST_SLEEP_SECONDS))


async def keep_timetable(timetable: Sequence[Nightly], tournaments: Tournaments, clock: Clock) -> None:
    """Begin every night of a timetable when it is due, for ever; one that cannot begin is logged and skipped."""
    async with trio.open_nursery() as nursery:
        for nightly in timetable:
            nursery.start_soon(_keep, nightly, tournaments, clock)


async def _keep(nightly: Nightly, tournaments: Tournaments, clock: Clock) -> None:
    now = clock.now()
    night = nightly.last_night(now)
    if nightly.catch_up and (night.ends is None or now < night.ends):
        await _begin(night, tournaments)
    while True:
        night = nightly.next_night(max(now, night.begins))
        log.info("night.planned", tournament=night.tournament, begins=_said(night.begins), ends=_said(night.ends))
        await clock.sleep_until(night.begins)
        now = clock.now()
        if now - night.begins > LATEST and not nightly.catch_up:
            log.warning("night.missed", tournament=night.tournament, late=str(now - night.begins))
        else:
            await _begin(night, tournaments)


async def _begin(night: Night, tournaments: Tournaments) -> None:
    """Begin a night unless it was already begun or the previous one is still running."""
    nightly = night.nightly
    before = [name for name in tournaments.running if nightly.night_of(name) is not None]
    try:
        if before:
            raise BusyError(f"{before[0]} is still running")
        if await trio.to_thread.run_sync(tournaments.is_known, night.tournament):
            raise BusyError("it has already begun")
        await tournaments.start_night(night)
    except (BusyError, TooManyError) as error:
        log.warning("night.skipped", tournament=night.tournament, reason=str(error))
    except UserError as error:
        log.error("night.refused", tournament=night.tournament, reason=str(error))
    except Exception:
        log.exception("night.failed", tournament=night.tournament)  # the server and its other nights carry on


def _said(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")
