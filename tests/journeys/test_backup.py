"""A backup of a running tournament, restored elsewhere, ends with the ledger of one that was never disturbed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.patience import patience

ARENA = (sys.executable, "-m", "arena")
BOT = Path(__file__).parents[2] / "sample_bots" / "python"
SECONDS = patience(30)
"""Of patience with a busy machine."""
PLAN = """name = "cup"\ngame = "toy"\nseed = 11\nrounds = 20\nreferees = 1\nseats = 2\nmax_seats = 2
time_control = { bank_ms = 3600000, cap_ms = 3600000, join_ms = 120000 }
"""


def arena(folder: Path, *words: str) -> None:
    done = subprocess.run([*ARENA, *words], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr


def prepare(folder: Path) -> None:
    """Write the tournament's file and put its bot into the bots folder of the database."""
    folder.mkdir()
    shutil.copytree(BOT, folder / "arena-bots" / "random", ignore=shutil.ignore_patterns("__pycache__"))
    bots = [f'[[bot]]\npath = "arena-bots/random"\nname = "r{number}"\n' for number in range(4)]
    (folder / "cup.toml").write_text(PLAN + "".join(bots))


def rows(db: Path, sql: str) -> list[Any]:
    connection = sqlite3.connect(db)
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def ledger(db: Path) -> list[Any]:
    return rows(db, "SELECT seq, key, kind, payload, prev, hash FROM entry ORDER BY seq")


@pytest.mark.long
def test_a_backup_of_a_running_tournament_resumes_elsewhere_with_the_same_ledger(tmp_path: Path) -> None:
    whole, disturbed, elsewhere = (tmp_path / name for name in ("whole", "disturbed", "elsewhere"))
    prepare(whole)
    arena(whole, "tournament", "run", "cup.toml", "--quiet")
    prepare(disturbed)
    run = subprocess.Popen(
        [*ARENA, "tournament", "run", "cup.toml", "--quiet"], cwd=disturbed, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + SECONDS
        while not rows(disturbed / "arena.db", "SELECT 1 FROM round WHERE number = 2"):
            assert run.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.killpg(run.pid, signal.SIGSTOP)  # wherever it is, also in the middle of a transaction
        arena(disturbed, "backup", str(tmp_path / "b.tar"))
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    shutil.rmtree(disturbed)
    elsewhere.mkdir()
    arena(elsewhere, "restore", str(tmp_path / "b.tar"), "--db", "moved.db")
    kept = ledger(elsewhere / "moved.db")
    arena(elsewhere, "tournament", "resume", "cup", "--db", "moved.db", "--quiet")
    assert ledger(elsewhere / "moved.db") == ledger(whole / "arena.db")
    assert kept == ledger(whole / "arena.db")[: len(kept)]
    assert not [key for _seq, key, *_rest in kept if key == "checkpoint:cup:20"], "it was half played"
    arena(elsewhere, "ledger", "verify", "--db", "moved.db")
