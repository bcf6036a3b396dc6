"""When nightly tournaments are due, over days, weeks and changes of the clocks; and what a wrong configuration is."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import TZPATH, ZoneInfo

import pytest

from arena.plan import timetable
from arena.plan.timetable import Nightly, machine_zone, night_of, parse_timetable, read_timetable
from referee.mistakes import UserError
from tests.server.running_server import arena

CUP: dict[str, Any] = {"name": "cup", "at": "02:30", "game": "toy"}


def nightly(timezone: str = "UTC", **changes: Any) -> Nightly:
    (found,) = parse_timetable({"timezone": timezone, "nightly": [CUP | changes]})
    return found


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def begins(nights: Nightly, after: str, count: int) -> list[str]:
    """Say when the next nights begin, in UTC."""
    found, now = [], moment(after)
    for _ in range(count):
        now = nights.next_night(now).begins
        found.append(now.strftime("%a %m-%d %H:%M"))
    return found


def test_a_night_is_due_once_a_day() -> None:
    assert begins(nightly(), "2026-11-16T02:29", 2) == ["Mon 11-16 02:30", "Tue 11-17 02:30"]
    assert begins(nightly(), "2026-11-16T02:30", 1) == ["Tue 11-17 02:30"]
    assert nightly().last_night(moment("2026-11-16T02:30")).tournament == "cup-2026-11-16"
    assert nightly().last_night(moment("2026-11-16T02:29")).tournament == "cup-2026-11-15"


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
    found = begins(nightly(days=days), "2026-11-16T00:00", len(expected))  # a Monday
    assert [each.partition(" ")[0] for each in found] == expected


def test_the_day_of_the_week_and_of_the_name_is_that_of_the_zone() -> None:
    """Monday 02:30 in Auckland is Sunday in UTC."""
    night = nightly("Pacific/Auckland", days="mon").next_night(moment("2026-11-14T00:00"))
    assert (night.tournament, night.begins) == ("cup-2026-11-16", moment("2026-11-15T13:30"))


def test_a_time_that_clocks_skip_comes_an_hour_later_and_one_that_they_show_twice_once() -> None:
    spring = begins(nightly("Europe/Berlin"), "2026-03-28T00:00", 3)
    assert spring == ["Sat 03-28 01:30", "Sun 03-29 01:30", "Mon 03-30 00:30"]  # on Sunday clocks then show 03:30
    autumn = begins(nightly("Europe/Berlin"), "2026-10-24T00:00", 3)
    assert autumn == ["Sat 10-24 00:30", "Sun 10-25 00:30", "Mon 10-26 01:30"]


@pytest.mark.parametrize(
    ("at", "until", "day", "ends"),
    [
        ("02:30", "07:00", "2026-11-16", "2026-11-16T06:00"),
        ("22:00", "07:00", "2026-11-16", "2026-11-17T06:00"),
        ("22:00", "07:00", "2026-03-28", "2026-03-29T05:00"),  # the short night
        ("22:00", "07:00", "2026-10-24", "2026-10-25T06:00"),  # the long one
        ("02:30", "02:30", "2026-11-16", "2026-11-17T01:30"),
    ],
)
def test_a_night_ends_the_next_time_that_clocks_show_until(at: str, until: str, day: str, ends: str) -> None:
    night = nightly("Europe/Berlin", at=at, until=until).night_of(f"cup-{day}")
    assert night is not None
    assert night.ends == moment(ends)
    assert nightly().next_night(moment("2026-11-16T00:00")).ends is None


def test_a_tournament_is_known_by_its_name_as_one_of_the_nights() -> None:
    nights = (nightly(), nightly(name="cup-b"))
    found = night_of(nights, "cup-b-2026-11-16")
    assert found is not None
    assert (found.nightly.name, found.begins) == ("cup-b", moment("2026-11-16T02:30"))
    for other in ("cup", "cup-2026-11-31", "cup-2026-11-16-b", "cups-2026-11-16", "2026-11-16"):
        assert night_of(nights, other) is None


def test_without_a_zone_it_is_that_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = tmp_path / "localtime"
    zones.write_bytes(zone_file("Asia/Tokyo"))
    monkeypatch.setattr(timetable, "MACHINE_ZONE", zones)
    monkeypatch.delenv("TZ", raising=False)
    night = parse_timetable({"nightly": [CUP]})[0].next_night(moment("2026-11-16T00:00"))
    assert night.begins == moment("2026-11-16T17:30")
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
    "no time": ({"at": None}, "nightly cup: at: missing; expected a time of day such as '02:00'"),
    "a wrong time": ({"at": "25:00"}, "nightly cup: at: '25:00' is not a time of day"),
    "a number": ({"at": 2}, "nightly cup: at: 2 is not a time of day"),
    "a time with a zone": ({"at": "02:00+01:00"}, "nightly cup: at: '02:00+01:00' is not a time of day"),
    "a wrong end": ({"until": "seven"}, "nightly cup: until: 'seven' is not a time of day"),
    "a wrong day": ({"days": "mon-frei"}, "nightly cup: days: 'mon-frei' is not allowed; expected days such as"),
    "half a range": ({"days": "mon-"}, "nightly cup: days: 'mon-' is not allowed"),
    "a list of days": ({"days": ["mon"]}, "nightly cup: days: ['mon'] is not allowed"),
    "no flag": ({"catch_up": "yes"}, "nightly cup: catch_up: 'yes' is not allowed; expected true or false"),
    "an unknown key": ({"when": "02:00"}, "nightly cup: when: unknown key; expected one of: at, days, catch_up,"),
    "a bot of files": ({"bot": [{"path": "."}]}, "nightly cup: bot: unknown key"),
    "no list": ({"bots": "all"}, "nightly cup: bots: 'all' is not allowed; expected a list of names"),
    "too few bots": ({"bots": ["lonely"]}, "nightly cup: bots: 1 bots cannot fill a table"),
    "a bot twice": ({"bots": ["ann", "ann"]}, "nightly cup: bots: ann@"),
    "no game": ({"game": None}, "nightly cup: game: expected exactly one of game = '…' and games = ['…', …]"),
    "an unknown game": ({"game": "chess"}, "nightly cup: game: 'chess' is unknown"),
    "too many seats": ({"seats": 5, "max_seats": 9}, "nightly cup: max_seats: 9 is not allowed"),
    "a wrong clock": ({"time_control": {"hours": 3}}, "nightly cup: time_control.hours: unknown key"),
    "a wrong anchor": ({"anchors": {"ann": 1000}}, "nightly cup: anchors.ann: is not a house bot"),
    "a wrong name": ({"name": "a b"}, "nightly 1: name: 'a b' is not allowed; expected letters"),
    "too long a name": ({"name": "x" * 54}, f"nightly 1: name: '{'x' * 54}' is not allowed"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_when_the_server_starts(case: str) -> None:
    changes, reason = WRONG[case]
    table = {key: value for key, value in (CUP | changes).items() if value is not None}
    with pytest.raises(UserError) as caught:
        parse_timetable({"timezone": "UTC", "nightly": [table]})
    assert str(caught.value).startswith(reason)


def test_what_will_do_once_bots_are_there_is_accepted() -> None:
    for changes in (
        {"house_bots": ["random"], "anchors": {"random": 1000}},
        {"format": "gauntlet", "challenger": "ann"},
        {"format": "gauntlet", "challenger": "ann", "bots": ["*", "ann@0123456789ab"]},
        {"bots": ["ann", "bob", "cat"], "rounds": 3, "seed": 1, "remote_bots": True, "catch_up": True},
    ):
        assert nightly(**changes).tournament["game"] == "toy"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        ("nightly = 3", "nightly: expected [[nightly]] tables"),
        ("at = ", "Invalid value"),
        ('zone = "UTC"', "zone: unknown key; expected one of: timezone, nightly"),
        ('timezone = "Berlin"', "timezone: 'Berlin' is unknown on this machine; expected one such as 'Europe/Berlin'"),
        ('timezone = "../secret"', "timezone: '../secret' is unknown on this machine"),
        ("timezone = 1", "timezone: 1 is not allowed"),
        ('[[nightly]]\nname = "a"\nat = "2:00"\ngame = "toy"', "nightly a: at: '2:00' is not a time of day"),
        (2 * '[[nightly]]\nname = "a"\nat = "02:00"\ngame = "toy"\n', "nightly a: appears twice"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "arena.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError) as caught:
        read_timetable(file)
    said = str(caught.value)
    assert said.startswith(f"--config: {file}: ")
    assert reason in said


def test_a_server_with_a_wrong_file_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "arena.toml"
    file.write_text('[[nightly]]\nname = "cup"\nat = "noon"\ngame = "toy"\n')
    refused = arena("serve", "--db", tmp_path / "arena.db", "--config", file)
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    expected = "'noon' is not a time of day; expected one such as '02:00'"
    assert line == f"arena: --config: {file}: nightly cup: at: {expected}"
    assert [each.name for each in tmp_path.iterdir()] == ["arena.toml"]
