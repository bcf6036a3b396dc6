"""Tournaments as an organiser lives them: run, stopped, killed, resumed, and always the same ledger."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.patience import patience

ARENA = (sys.executable, "-m", "arena")
BOT = Path(__file__).parents[2] / "sample_bots" / "python"
KILLS = 20
PAIRS: dict[str, Any] = {"bots": 4, "extra": "seats = 2\nmax_seats = 2\n"}
"""Two concurrent tables with four bots to start, where it does not matter how many sit at them."""
SECONDS = patience(30)
"""Of patience with a busy machine."""
UNHURRIED = "time_control = { bank_ms = 3600000, cap_ms = 3600000, join_ms = 120000 }\n"


def write_file(
    folder: Path, *, bots: int = 8, rounds: int = 3, referees: int = 1, bot: Path = BOT, extra: str = ""
) -> Path:
    lines = [f'name = "cup"\ngame = "toy"\nseed = 11\nrounds = {rounds}\nreferees = {referees}\n{UNHURRIED}{extra}']
    lines += [f'[[bot]]\npath = "{bot}"\nname = "r{number}"\n' for number in range(bots)]
    file = folder / "cup.toml"
    file.write_text("\n".join(lines))
    return file


def arena(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ARENA, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def run_whole(folder: Path, **settings: Any) -> list[tuple[Any, ...]]:
    folder.mkdir(exist_ok=True)
    finished = arena("tournament", "run", write_file(folder, **settings), folder=folder)
    assert finished.returncode == 0, finished.stderr
    return ledger_of(folder)


def ledger_of(folder: Path) -> list[tuple[Any, ...]]:
    """Return the whole chain, byte for byte."""
    connection = sqlite3.connect(folder / "arena.db")
    try:
        return connection.execute("SELECT seq, key, kind, payload, prev, hash FROM entry ORDER BY seq").fetchall()
    finally:
        connection.close()


def start(arguments: Sequence[object], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*ARENA, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def stored_matches(folder: Path) -> int:
    if not (folder / "arena.db").exists():
        return 0
    try:
        connection = sqlite3.connect(folder / "arena.db")
        try:
            count: int = connection.execute("SELECT count(*) FROM match").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0
    return count


@pytest.mark.long
def test_a_tournament_killed_at_twenty_random_instants_ends_with_the_same_ledger(tmp_path: Path) -> None:
    """SIGKILL the whole run again and again; what was stored stays, and the finished ledger has the same bytes."""
    settings = PAIRS | {"rounds": 20}
    whole = run_whole(tmp_path / "whole", **settings)
    folder = tmp_path / "killed"
    folder.mkdir()
    file = write_file(folder, **settings)
    dice = random.Random(5)
    killed = 0
    while killed < KILLS:
        before = stored_matches(folder)
        process = start(("tournament", "run", file), folder)
        if killed % 2:  # some die while they play, wherever they are by then, and some while they start
            more = dice.randint(1, 4)
            while process.poll() is None and stored_matches(folder) < before + more:
                time.sleep(0.02)
        time.sleep(dice.uniform(0.0, 0.1 if killed % 2 else 1.0))
        if process.poll() is not None:
            break  # finished: too quick for more kills
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        killed += 1
        assert stored_matches(folder) >= before, "a stored match was lost"
    assert killed >= 3
    finished = arena("tournament", "run", file, folder=folder)
    assert finished.returncode == 0, finished.stderr
    assert ledger_of(folder) == whole


def test_one_and_two_referees_give_the_same_ledger(tmp_path: Path) -> None:
    one, two = (run_whole(tmp_path / f"with {count}", referees=count, **PAIRS) for count in (1, 2))
    assert one == two


def test_killing_referee_processes_changes_nothing(tmp_path: Path) -> None:
    settings = PAIRS | {"rounds": 12, "referees": 2}
    whole = run_whole(tmp_path / "whole", **settings)
    folder = tmp_path / "killed"
    folder.mkdir()
    process = start(("tournament", "run", write_file(folder, **settings)), folder)
    killed = 0
    while process.poll() is None:
        time.sleep(0.05)
        # In three rounds that differ: a match whose referee is killed three times would be void.
        for pid in family_of(process.pid, "referee"):
            if killed < 3 and stored_matches(folder) > killed * 10:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
                    break
    assert process.returncode == 0
    assert killed >= 2
    assert ledger_of(folder) == whole


def family_of(parent: int, name: str) -> list[int]:
    """Return the processes below one that are called so: referees are forked by a child of the arena."""
    found, parents = [], {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            called, _, rest = status.read_text().partition("(")[2].rpartition(")")
            pid = int(status.parent.name)
            parents[pid] = int(rest.split()[1])
            if called == name:
                found.append(pid)

    def is_below(pid: int) -> bool:
        return pid in parents and (parents[pid] == parent or is_below(parents[pid]))

    return [pid for pid in found if is_below(pid)]


@pytest.fixture(scope="module")
def halting_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that halts in its second round until a directory is there, which is not among the files that it is."""
    place = tmp_path_factory.mktemp("halting")
    place.chmod(0o755)
    text = (BOT / "bot.py").read_text()
    before = "                    answer = choose("
    assert text.count(before) == 1, "the starter bot has changed"
    halt = """                    seen.add(prompt.match_id)
                    while len(seen) > 2 and not os.path.isdir("go"):
                        await asyncio.sleep(0.01)
"""
    (place / "bot.py").write_text(f"seen = set()\n{text.replace(before, halt + before)}")
    (place / "bot.toml").write_bytes((BOT / "bot.toml").read_bytes())
    return place


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, halting_bot: Path) -> list[tuple[Any, ...]]:
    """The ledger of four rounds that nobody stops."""
    (halting_bot / "go").mkdir()
    return run_whole(tmp_path_factory.mktemp("undisturbed"), rounds=4, bot=halting_bot, **PAIRS)


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "stop"])
def test_a_tournament_stops_cleanly_and_goes_on(
    tmp_path: Path, halting_bot: Path, undisturbed: list[tuple[Any, ...]], how: str
) -> None:
    folder = tmp_path / "stopped"
    folder.mkdir()
    with suppress(FileNotFoundError):
        (halting_bot / "go").rmdir()
    file = write_file(folder, rounds=4, bot=halting_bot, **PAIRS)
    process = start(("tournament", "run", file), folder)
    while stored_matches(folder) < 4:
        assert process.poll() is None
        time.sleep(0.05)
    if how == "stop":
        asked = arena("tournament", "stop", "cup", folder=folder)
        assert asked.returncode == 0, asked.stderr
    else:
        process.send_signal(getattr(signal, how))
    assert process.wait(timeout=SECONDS) == 130
    (halting_bot / "go").mkdir()
    listed = json.loads(arena("tournament", "list", "--json", folder=folder).stdout)
    assert listed[0]["state"] == "stopped"
    resumed = arena("tournament", "resume", "cup", folder=folder)
    assert resumed.returncode == 0, resumed.stderr
    assert ledger_of(folder) == undisturbed


def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    first = run_whole(tmp_path, **PAIRS)
    again = arena("tournament", "run", write_file(tmp_path, **PAIRS), folder=tmp_path)
    assert again.returncode == 0
    assert ledger_of(tmp_path) == first


def test_a_changed_bot_cannot_go_on_under_its_old_name(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    for name in ("bot.py", "bot.toml"):
        (bot / name).write_bytes((BOT / name).read_bytes())
    file = tmp_path / "cup.toml"
    entries = "".join(f'[[bot]]\npath = "bot"\nname = "r{number}"\n' for number in range(4))
    file.write_text(f'name = "cup"\ngame = "toy"\nseed = 1\nrounds = 1\n{entries}')
    assert arena("tournament", "run", file, folder=tmp_path).returncode == 0
    (bot / "bot.py").write_text("print('changed')\n")
    resumed = arena("tournament", "resume", "cup", folder=tmp_path)
    assert resumed.returncode == 2
    assert "have changed" in resumed.stderr
    assert len(resumed.stderr.splitlines()) == 1


def test_a_bot_that_keeps_failing_is_withdrawn(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "bot.toml").write_text('name = "bad"\ncommand = ["python3", "-c", "raise SystemExit(3)"]\n')
    file = write_file(tmp_path, bots=8, rounds=4, extra='bots = ["bad"]\n')
    finished = arena("tournament", "run", file, folder=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert "bot.withdrawn" in finished.stderr
    shown = json.loads(arena("tournament", "show", "cup", "--json", folder=tmp_path).stdout)
    assert [row["tables"] for row in shown["rounds"]] == [2, 2, 2, 2]
    connection = sqlite3.connect(tmp_path / "arena.db")
    rounds = connection.execute("SELECT key, payload FROM entry WHERE kind = 'ROUND' ORDER BY seq").fetchall()
    outputs = connection.execute("SELECT count(*) FROM bot_output").fetchone()[0]
    connection.close()
    seated = [
        any("bad@" in bot for table in json.loads(pairing)["tables"] for bot in table["seats"]) for _, pairing in rounds
    ]
    assert seated == [True, True, False, False]
    assert outputs > 0


def test_T9_house_bots_with_a_rating_are_anchors(tmp_path: Path) -> None:
    """Seven bots and one house bot fill two tables; the anchor's rating never moves."""
    extra = f'house_bots = ["{BOT}"]\nseats = 4\nmin_seats = 4\nmax_seats = 4\nanchors = {{ random = 1100 }}\n'
    finished = arena("tournament", "run", write_file(tmp_path, bots=7, rounds=2, extra=extra), folder=tmp_path)
    assert finished.returncode == 0, finished.stderr
    connection = sqlite3.connect(tmp_path / "arena.db")
    rows = connection.execute("SELECT bot, rating, is_anchor, matches FROM standing ORDER BY is_anchor DESC").fetchall()
    connection.close()
    assert rows[0][0].startswith("random@")
    assert rows[0][1:3] == (1_100_000, 1)
    assert rows[0][3] > 0
    assert sum(row[2] for row in rows) == 1


def test_rounds_go_through_the_games_in_turn(tmp_path: Path) -> None:
    entries = "".join(f'[[bot]]\npath = "{BOT}"\nname = "r{number}"\n' for number in range(4))
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "cup"\ngames = ["toy", "norenberc"]\nseed = 1\nrounds = 2\nblock = false\n'
        f"[options.toy]\nrounds = 2\n{entries}"
    )
    finished = arena("tournament", "run", file, folder=tmp_path)
    assert finished.returncode == 0, finished.stderr
    shown = json.loads(arena("tournament", "show", "cup", "--json", folder=tmp_path).stdout)
    assert [row["game"] for row in shown["rounds"]] == ["toy", "norenberc"]


@pytest.mark.parametrize(("form", "extra"), [("round_robin", ""), ("gauntlet", 'challenger = "r0"\n')])
def test_fixed_schedules_are_played_to_their_end(tmp_path: Path, form: str, extra: str) -> None:
    entries = "".join(f'[[bot]]\npath = "{BOT}"\nname = "r{number}"\n' for number in range(4))
    file = tmp_path / "cup.toml"
    file.write_text(
        f'name = "cup"\ngame = "toy"\nseats = 2\nmax_seats = 2\nseed = 1\nformat = "{form}"\n{extra}{entries}'
    )
    finished = arena("tournament", "run", file, "--json", folder=tmp_path)
    assert finished.returncode == 0, finished.stderr
    standings = json.loads(finished.stdout)["standings"]
    assert len(standings) == 4
    assert sum(row["points"] for row in standings) == pytest.approx(6 if form == "round_robin" else 3)
