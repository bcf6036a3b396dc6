"""A tournament over OpenSpiel's games and one of ours, killed and resumed: the ledger is that of a whole one."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

ARENA = (sys.executable, "-m", "arena")
BOTS = Path(__file__).parents[3] / "sample_bots"
GAMES = ("spiel_hearts", "spiel_goofspiel", "spiel_leduc_poker", "spiel_chess", "norenberc")
KILLED_AFTER = (1, 8, 19, 31)  # matches stored, of 40
SECONDS = 900.0  # of patience with a busy machine
NIGHT = f"""
name = "night"
games = {list(GAMES)}
seed = 20
rounds = {len(GAMES)}
preset = "quick"
referees = 2
verify = "all"
time_control = {{ bank_ms = 3600000, cap_ms = 3600000, join_ms = 120000 }}
"""


def night(folder: Path) -> Path:
    """Write its file: seven bots that play at random and one that searches."""
    folder.mkdir()
    searching = folder / "search"
    shutil.copytree(BOTS / "search", searching)
    manifest = searching / "bot.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('"32"', '"2"'), "utf-8")
    entrants = [(f"r{number}", BOTS / "python") for number in range(7)] + [("searching", searching)]
    file = folder / "night.toml"
    file.write_text(NIGHT + "".join(f'[[bot]]\npath = "{path}"\nname = "{name}"\n' for name, path in entrants), "utf-8")
    return file


def asked(folder: Path, sql: str) -> list[tuple[object, ...]]:
    try:
        with closing(sqlite3.connect(f"file:{folder / 'arena.db'}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def ledger_of(folder: Path) -> list[tuple[object, ...]]:
    return asked(folder, "SELECT seq, key, kind, payload, prev, hash FROM entry ORDER BY seq")


def run(file: Path) -> subprocess.CompletedProcess[str]:
    words = (*ARENA, "tournament", "run", str(file), "-q")
    return subprocess.run(words, cwd=file.parent, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.long
def test_a_night_killed_and_resumed_ends_with_the_bytes_of_a_whole_one(tmp_path: Path) -> None:
    whole = night(tmp_path / "whole")
    finished = run(whole)
    assert finished.returncode == 0, finished.stderr
    ledger = ledger_of(whole.parent)
    endings = asked(whole.parent, "SELECT game, ending, count(*) FROM match GROUP BY game, ending")
    assert endings == sorted((game, "completed", 8) for game in GAMES)
    tables = asked(whole.parent, "SELECT DISTINCT game, count(*) FROM match JOIN seat ON match = id GROUP BY id")
    assert {("spiel_goofspiel", 4), ("spiel_leduc_poker", 3)} <= {*tables}

    killed = night(tmp_path / "killed")
    for stored in KILLED_AFTER:
        kill_after(stored, killed)
    resumed = run(killed)
    assert resumed.returncode == 0, resumed.stderr
    assert ledger_of(killed.parent) == ledger
    verified = subprocess.run(
        [*ARENA, "ledger", "verify", "--replay"],
        cwd=killed.parent, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "40 records replayed: no faults" in verified.stdout


def kill_after(stored: int, file: Path) -> None:
    """Run a tournament until this number of matches is stored, and kill all of its processes."""
    process = subprocess.Popen(
        [*ARENA, "tournament", "run", str(file), "-q"],
        cwd=file.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + SECONDS
    while stored_in(file.parent) < stored:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < until, f"{stored_in(file.parent)} matches are stored"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def stored_in(folder: Path) -> int:
    """Return how many matches its database holds; none where there is no database yet."""
    return sum(int(str(count)) for (count,) in asked(folder, "SELECT count(*) FROM match"))
