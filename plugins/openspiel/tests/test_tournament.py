"""A tournament over OpenSpiel's games and one of ours, killed and resumed: the ledger is that of a whole one."""

from __future__ import annotations

import os
import random
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
KILLS = 2
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
    """Write its file: three bots that play at random and one that searches."""
    folder.mkdir()
    searching = folder / "search"
    shutil.copytree(BOTS / "search", searching)
    manifest = searching / "bot.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('"32"', '"2"'), "utf-8")
    entrants = [(f"r{number}", BOTS / "python") for number in range(3)] + [("searching", searching)]
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
    began = time.monotonic()
    finished = run(whole)
    usual = time.monotonic() - began
    assert finished.returncode == 0, finished.stderr
    ledger = ledger_of(whole.parent)
    endings = asked(whole.parent, "SELECT game, ending, count(*) FROM match GROUP BY game, ending")
    assert {(game, ending) for game, ending, _ in endings} == {(game, "completed") for game in GAMES}

    killed, dice = night(tmp_path / "killed"), random.Random(7)
    for _ in range(KILLS):
        process = subprocess.Popen(
            [*ARENA, "tournament", "run", str(killed), "-q"],
            cwd=killed.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        time.sleep(dice.uniform(0.1, 0.35) * usual)
        assert process.poll() is None, "it was through before it could be killed"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    resumed = run(killed)
    assert resumed.returncode == 0, resumed.stderr
    assert ledger_of(killed.parent) == ledger
    verified = subprocess.run(
        [*ARENA, "ledger", "verify"], cwd=killed.parent, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
