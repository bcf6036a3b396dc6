"""When scheduled tournaments are due, over days, weeks and changes of the clocks; and what a wrong configuration is."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import TZPATH, ZoneInfo

import pytest

from arena.plan import timetable
from arena.plan.timetable import ScheduledTournament, machine_zone, parse_timetable, read_timetable, run_of
from referee.mistakes import UserError
from tests.arena.server.running_server import arena

CUP: dict[str, Any] = {"name": "cup", "at": "02:30", "game": "toy"}


def scheduled(timezone: str = "UTC", **changes: Any) -> ScheduledTournament:
    (found,) = parse_timetable({"timezone": timezone, "scheduled": [CUP | changes]})
    return found


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def begins(runs: ScheduledTournament, after: str, count: int) -> list[str]:
    """Say when the next runs begin, in UTC."""
    found, now = [], moment(after)
    for _ in range(count):
        now = runs.next_run(now).begins
        found.append(now.strftime("%a %m-%d %H:%M"))
    return found


def test_a_run_is_due_once_a_day() -> None:
    assert begins(scheduled(), "2026-11-16T02:29", 2) == ["Mon 11-16 02:30", "Tue 11-17 02:30"]
    assert begins(scheduled(), "2026-11-16T02:30", 1) == ["Tue 11-17 02:30"]
    assert scheduled().last_run(moment("2026-11-16T02:30")).tournament == "cup-2026-11-16"
    assert scheduled().last_run(moment("2026-11-16T02:29")).tournament == "cup-2026-11-15"


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ("mon-fri", ["Mon", "Tue", "Wed", "Thu", "Fri", "Mon"]),
        ("sat,sun", ["Sat", "Sun", "Sat"]),
        ("fri-mon", ["Mon", "Fri", "Sat", "Sun", "Mon"]),
        ("Wed", ["Wed", "Wed"]),
        ("mon-sun", ["Mon", "Tue", "Wed"]),
        ("mon, thu-fri", ["Mon", "Thu", "Fri", "Mon"]),
    ],
)
def test_only_on_some_days_of_the_week(days: str, expected: list[str]) -> None:
    found = begins(scheduled(days=days), "2026-11-16T00:00", len(expected))  # a Monday
    assert [each.partition(" ")[0] for each in found] == expected


def test_the_day_of_the_week_and_of_the_name_is_that_of_the_zone() -> None:
    """Monday 02:30 in Auckland is Sunday in UTC."""
    run = scheduled("Pacific/Auckland", days="mon").next_run(moment("2026-11-14T00:00"))
    assert (run.tournament, run.begins) == ("cup-2026-11-16", moment("2026-11-15T13:30"))


def test_a_time_that_clocks_skip_comes_an_hour_later_and_one_that_they_show_twice_once() -> None:
    spring = begins(scheduled("Europe/Berlin"), "2026-03-28T00:00", 3)
    assert spring == ["Sat 03-28 01:30", "Sun 03-29 01:30", "Mon 03-30 00:30"]  # on Sunday clocks then show 03:30
    autumn = begins(scheduled("Europe/Berlin"), "2026-10-24T00:00", 3)
    assert autumn == ["Sat 10-24 00:30", "Sun 10-25 00:30", "Mon 10-26 01:30"]


@pytest.mark.parametrize(
    ("at", "until", "day", "ends"),
    [
        ("02:30", "07:00", "2026-11-16", "2026-11-16T06:00"),
        ("22:00", "07:00", "2026-11-16", "2026-11-17T06:00"),
        ("22:00", "07:00", "2026-03-28", "2026-03-29T05:00"),  # the short run
        ("22:00", "07:00", "2026-10-24", "2026-10-25T06:00"),  # the long one
        ("02:30", "02:30", "2026-11-16", "2026-11-17T01:30"),
    ],
)
def test_a_run_ends_the_next_time_that_clocks_show_until(at: str, until: str, day: str, ends: str) -> None:
    run = scheduled("Europe/Berlin", at=at, until=until).run_of(f"cup-{day}")
    assert run is not None
    assert run.ends == moment(ends)
    assert scheduled().next_run(moment("2026-11-16T00:00")).ends is None


def test_a_tournament_is_known_by_its_name_as_one_of_the_runs() -> None:
    runs = (scheduled(), scheduled(name="cup-b"))
    found = run_of(runs, "cup-b-2026-11-16")
    assert found is not None
    assert (found.scheduled.name, found.begins) == ("cup-b", moment("2026-11-16T02:30"))
    for other in ("cup", "cup-2026-11-31", "cup-2026-11-16-b", "cups-2026-11-16", "2026-11-16"):
        assert run_of(runs, other) is None


def test_without_a_zone_it_is_that_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = tmp_path / "localtime"
    zones.write_bytes(zone_file("Asia/Tokyo"))
    monkeypatch.setattr(timetable, "MACHINE_ZONE", zones)
    monkeypatch.delenv("TZ", raising=False)
    run = parse_timetable({"scheduled": [CUP]})[0].next_run(moment("2026-11-16T00:00"))
    assert run.begins == moment("2026-11-16T17:30")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert machine_zone() == ZoneInfo("Europe/Berlin")
    monkeypatch.delenv("TZ")
    monkeypatch.setattr(timetable, "MACHINE_ZONE", tmp_path / "nothing")
    assert machine_zone() is UTC


def zone_file(name: str) -> bytes:
    """Return a zone as it would be at /etc/localtime, from wherever this machine has its zones."""
    for folder in map(Path, TZPATH):
        if (folder / name).is_file():
            return (folder / name).read_bytes()
    return files("tzdata").joinpath("zoneinfo", *name.split("/")).read_bytes()


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no time": ({"at": None}, "scheduled cup: at: missing; expected a time of day such as '02:00'"),
    "a wrong time": ({"at": "25:00"}, "scheduled cup: at: '25:00' is not a time of day"),
    "a number": ({"at": 2}, "scheduled cup: at: 2 is not a time of day"),
    "a time with a zone": ({"at": "02:00+01:00"}, "scheduled cup: at: '02:00+01:00' is not a time of day"),
    "a wrong end": ({"until": "seven"}, "scheduled cup: until: 'seven' is not a time of day"),
    "a wrong day": ({"days": "mon-frei"}, "scheduled cup: days: 'mon-frei' is not allowed; expected days such as"),
    "half a range": ({"days": "mon-"}, "scheduled cup: days: 'mon-' is not allowed"),
    "a list of days": ({"days": ["mon"]}, "scheduled cup: days: ['mon'] is not allowed"),
    "no flag": ({"catch_up": "yes"}, "scheduled cup: catch_up: 'yes' is not allowed; expected true or false"),
    "an unknown key": ({"when": "02:00"}, "scheduled cup: when: unknown key; expected one of: at, days, catch_up,"),
    "a seed": ({"seed": 1}, "scheduled cup: seed: on a server it is drawn, and secret until the end; leave it out"),
    "a beacon": ({"beacon": "drand"}, "scheduled cup: beacon: a scheduled tournament begins at its time and waits"),
    "a bot of files": ({"bot": [{"path": "."}]}, "scheduled cup: bot: unknown key"),
    "no list": ({"bots": "all"}, "scheduled cup: bots: 'all' is not allowed; expected a list of names"),
    "too few bots": ({"bots": ["lonely"]}, "scheduled cup: bots: 1 bots cannot fill a table"),
    "a bot twice": ({"bots": ["ann", "ann"]}, "scheduled cup: bots: ann is entered twice"),
    "no game": ({"game": None}, "scheduled cup: game: expected exactly one of game = '…' and games = ['…', …]"),
    "an unknown game": ({"game": "halma"}, "scheduled cup: game: 'halma' is unknown"),
    "too many seats": ({"seats": 5, "max_seats": 9}, "scheduled cup: max_seats: 9 is not allowed"),
    "a wrong clock": ({"time_control": {"hours": 3}}, "scheduled cup: time_control.hours: unknown key"),
    "a wrong anchor": ({"anchors": {"ann": 1000}}, "scheduled cup: anchors.ann: is not a house bot"),
    "a wrong name": ({"name": "a b"}, "scheduled 1: name: 'a b' is not allowed; expected letters"),
    "too long a name": ({"name": "x" * 54}, f"scheduled 1: name: '{'x' * 54}' is not allowed"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_when_the_server_starts(case: str) -> None:
    changes, reason = WRONG[case]
    table = {key: value for key, value in (CUP | changes).items() if value is not None}
    with pytest.raises(UserError) as caught:
        parse_timetable({"timezone": "UTC", "scheduled": [table]})
    assert str(caught.value).startswith(reason)


def test_what_will_do_once_bots_are_there_is_accepted() -> None:
    for changes in (
        {"house_bots": ["random"], "anchors": {"random": 1000}},
        {"format": "gauntlet", "challenger": "ann"},
        {"format": "gauntlet", "challenger": "ann", "bots": ["*", "ann@0123456789ab"]},
        {"bots": ["ann", "bob", "cat"], "rounds": 3, "remote_bots": True, "catch_up": True},
    ):
        assert scheduled(**changes).tournament["game"] == "toy"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        ("scheduled = 3", "scheduled: expected [[scheduled]] tables"),
        ("at = ", "Invalid value"),
        ('zone = "UTC"', "zone: unknown key; expected one of: timezone, scheduled"),
        ('timezone = "Berlin"', "timezone: 'Berlin' is unknown on this machine; expected one such as 'Europe/Berlin'"),
        ('timezone = "../secret"', "timezone: '../secret' is unknown on this machine"),
        ("timezone = 1", "timezone: 1 is not allowed"),
        ('[[scheduled]]\nname = "a"\nat = "2:00"\ngame = "toy"', "scheduled a: at: '2:00' is not a time of day"),
        (2 * '[[scheduled]]\nname = "a"\nat = "02:00"\ngame = "toy"\n', "scheduled a: appears twice"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "arena.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError) as caught:
        read_timetable(file)
    said = str(caught.value)
    assert said.startswith(f"config: {file}: ")
    assert reason in said


def test_a_server_with_a_wrong_file_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    file.write_text('[[scheduled]]\nname = "cup"\nat = "noon"\ngame = "toy"\n')
    refused = arena("serve", "--db", tmp_path / "arena.db", "--config", file)
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    expected = "'noon' is not a time of day; expected one such as '02:00'"
    assert line == f"arena: --config: {file}: scheduled cup: at: {expected}"
    assert [each.name for each in tmp_path.iterdir()] == ["arena.toml"]
