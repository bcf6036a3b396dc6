"""The timetable of a server: which tournaments start automatically, on which days and at what time.

A time of day is local time in the timetable's zone. One that is skipped in spring counts as if the clocks had not
been put forward yet; one that occurs twice in autumn means the first, so that every day has exactly one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from arena.bots.directory import remote_bot
from arena.bots.label import name_of
from arena.plan.entries import EVERYBODY, refuse_seed
from arena.plan.tournament_file import KEYS as TOURNAMENT_KEYS
from arena.plan.tournament_file import NAME, parse_plan, read_file
from referee.mistakes import UserError
from referee.order import OrderError
from referee.setting import Form, Setting, SettingError, refuse_unknown

KEYS = ("timezone", "scheduled")
OWN_KEYS = ("at", "days", "catch_up", "remote_bots")  # the others are those of a tournament file
CATCH_UP = Setting("catch_up", Form.FLAG, "Whether a missed start is made up for.", False)
REMOTE_BOTS = Setting("remote_bots", Form.FLAG, "Whether connected bots that run elsewhere take part.", False)
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONGEST_NAME = 64 - len("-2026-11-16")
MACHINE_ZONE = Path("/etc/localtime")
STAND_INS = 5  # as many as the largest table seats


@dataclass(frozen=True, slots=True)
class ScheduledTournament:
    """A tournament that begins on every day of a list at the same time."""

    name: str
    at: time
    until: time | None
    days: frozenset[int]
    """Days of the week, Monday being 0."""
    zone: tzinfo
    catch_up: bool
    """Whether a missed start is made up for."""
    remote_bots: bool
    """Whether bots that run elsewhere and are connected take part."""
    tournament: Mapping[str, Any]
    """The keys of its tournament file, without the name."""

    def next_run(self, after: datetime) -> ScheduledRun:
        """Return the first run that begins after a moment."""
        return min(run for run in self._runs_near(after) if run.begins > after)

    def last_run(self, now: datetime) -> ScheduledRun:
        """Return the last run that has begun."""
        return max(run for run in self._runs_near(now) if run.begins <= now)

    def run_of(self, tournament: str) -> ScheduledRun | None:
        """Return the run whose tournament has this name; None if there is none."""
        found = re.fullmatch(re.escape(self.name) + r"-(\d{4}-\d\d-\d\d)", tournament)
        try:
            return None if found is None else ScheduledRun(self, date.fromisoformat(found[1]))
        except ValueError:
            return None

    def _runs_near(self, moment: datetime) -> Iterable[ScheduledRun]:
        """Yield the runs of the week before and the week after: at least one each, whatever the days."""
        today = moment.astimezone(self.zone).date()
        for day in (today + timedelta(days=number) for number in range(-8, 9)):
            if day.weekday() in self.days:
                yield ScheduledRun(self, day)

    def moment(self, day: date, at: time) -> datetime:
        """Return the moment, in UTC, at which clocks in the zone first show a time of day on a date."""
        return datetime.combine(day, at, self.zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """One run of a scheduled tournament, on one day."""

    scheduled: ScheduledTournament
    day: date

    def __lt__(self, other: ScheduledRun) -> bool:
        return self.day < other.day

    @property
    def tournament(self) -> str:
        """The name of its tournament: that of the schedule and the day on which it begins."""
        return f"{self.scheduled.name}-{self.day.isoformat()}"

    @property
    def begins(self) -> datetime:
        """The moment at which it is due, in UTC."""
        return self.scheduled.moment(self.day, self.scheduled.at)

    @property
    def ends(self) -> datetime | None:
        """The moment by which its last round should be over, in UTC: the next time clocks show `until`."""
        if self.scheduled.until is None:
            return None
        day = self.day if self.scheduled.until > self.scheduled.at else self.day + timedelta(days=1)
        return self.scheduled.moment(day, self.scheduled.until)


def run_of(timetable: Iterable[ScheduledTournament], tournament: str) -> ScheduledRun | None:
    """Return the run of a timetable whose tournament has this name."""
    return next((run for scheduled in timetable if (run := scheduled.run_of(tournament)) is not None), None)


def read_timetable(file: Path) -> tuple[ScheduledTournament, ...]:
    """Read the configuration of a server; an OrderError names the wrong key and says what was expected."""
    try:
        plain = read_file(file)
    except UserError as error:
        raise OrderError(f"config: {error}") from None
    try:
        return parse_timetable(plain)
    except UserError as error:
        raise OrderError(f"config: {file}: {error}") from None


def parse_timetable(plain: Mapping[str, Any]) -> tuple[ScheduledTournament, ...]:
    """Check the keys of a configuration."""
    try:
        refuse_unknown(plain, KEYS)
    except SettingError as error:
        raise OrderError(str(error)) from None
    zone = _zone(plain.get("timezone"))
    tables = plain.get("scheduled", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise OrderError("scheduled: expected [[scheduled]] tables")
    found: list[ScheduledTournament] = []
    for number, table in enumerate(tables, start=1):
        name = table.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            expected = f"expected letters from a to z, digits, '.', '_' and '-', at most {LONGEST_NAME}"
            raise OrderError(f"scheduled {number}: name: {name!r} is not allowed; {expected}")
        if any(name == scheduled.name for scheduled in found):
            raise OrderError(f"scheduled {name}: appears twice; give one of them another name")
        try:
            found.append(_scheduled(name, table, zone))
        except (UserError, SettingError) as error:
            raise OrderError(f"scheduled {name}: {error}") from None
    return tuple(found)


def _scheduled(name: str, table: Mapping[str, Any], zone: tzinfo) -> ScheduledTournament:
    refuse_unknown(table, [key for key in (*OWN_KEYS, *TOURNAMENT_KEYS) if key != "bot"])  # named as submitted
    tournament = {"bots": [EVERYBODY]} | {key: table[key] for key in table if key not in ("name", *OWN_KEYS)}
    at = _time_of_day(table, "at")
    if at is None:
        raise OrderError("at: missing; expected a time of day such as '02:00'")
    until, days = _time_of_day(table, "until"), _days(table.get("days", "mon-sun"))
    catch_up, remote_bots = CATCH_UP.of(table), REMOTE_BOTS.of(table)
    _rehearse(name, tournament)
    return ScheduledTournament(name, at, until, days, zone, catch_up, remote_bots, tournament)


def _zone(name: object) -> tzinfo:
    if name is None:
        return machine_zone()
    if not isinstance(name, str):
        raise OrderError(f"timezone: {name!r} is not allowed; expected a name such as 'Europe/Berlin'")
    if name == "UTC":
        return UTC  # known even where there is no time zone database
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise OrderError(
            f"timezone: {name!r} is unknown on this machine; expected one such as 'Europe/Berlin'"
        ) from None


def machine_zone() -> tzinfo:
    """Return this machine's time zone with its daylight saving, from TZ or the system's settings."""
    name = os.environ.get("TZ", "").removeprefix(":")
    if name:
        return _zone(name)
    try:
        with MACHINE_ZONE.open("rb") as file:
            return ZoneInfo.from_file(file)
    except (OSError, ValueError):
        return UTC


def _time_of_day(table: Mapping[str, Any], key: str) -> time | None:
    value = table.get(key)
    if value is None:
        return None
    try:
        found = time.fromisoformat(value)
    except (ValueError, TypeError):
        found = None
    if found is None or found.tzinfo is not None:
        raise OrderError(f"{key}: {value!r} is not a time of day; expected one such as '02:00'")
    return found


def _days(text: object) -> frozenset[int]:
    """Read days of the week: 'mon-fri', 'sat,sun', and 'fri-mon' over the weekend."""
    found: set[int] = set()
    for part in text.lower().split(",") if isinstance(text, str) else [""]:
        first, dash, last = part.strip().partition("-")
        if first not in DAYS or (last or first) not in DAYS or (dash and not last):
            raise OrderError(f"days: {text!r} is not allowed; expected days such as 'mon-fri' or 'sat,sun'")
        begin, end = DAYS.index(first), DAYS.index(last or first)
        found.update((begin + number) % len(DAYS) for number in range((end - begin) % len(DAYS) + 1))
    return frozenset(found)


def _rehearse(name: str, tournament: Mapping[str, Any]) -> None:
    """Read a tournament with stand-ins for bots not yet submitted, so that errors show now and not later."""
    refuse_seed(tournament)
    for key in ("beacon", "nonces"):
        if key in tournament:
            raise OrderError(f"{key}: a scheduled tournament begins at its time and waits for nobody; leave it out")
    entrants, house = _names(tournament, "bots"), _names(tournament, "house_bots")
    if EVERYBODY in entrants:
        challenger = tournament.get("challenger")
        named = [each for each in entrants if each != EVERYBODY]
        missing = [challenger] if isinstance(challenger, str) and challenger not in map(name_of, named) else []
        entrants = [*named, *missing, *(f"stand-in {number}" for number in range(STAND_INS))]
    names = {"bots": entrants, "house_bots": house}
    parse_plan({**tournament, **names, "name": name}, lambda _key, bot: (remote_bot(name_of(bot), (), 1),))


def _names(tournament: Mapping[str, Any], key: str) -> list[str]:
    names = tournament.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise OrderError(f"{key}: {names!r} is not allowed; expected a list of names")
    return names
