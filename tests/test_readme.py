"""The README's commands do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.rungs import levels_by_version, read_ladder, written_out
from arena.cli.demo_entrants import PLAYERS
from referee.games import BUILT_IN, GAMES
from tests.documents import blocks, commands
from tests.patience import patience
from tools.stubs import ROOT

README = ROOT / "README.md"
VENV = Path(sys.executable).parent.parent
SECONDS = patience(30)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A directory that looks like a checkout, so that what the commands write stays out of the real one."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for entry in ("Makefile", "pyproject.toml", "constraints.txt", "sample_bots", "tests", "arena", "referee"):
        (folder / entry).symlink_to(ROOT / entry)
    (folder / ".venv").symlink_to(VENV)
    return folder


def run(script: str, folder: Path) -> str:
    # What was said to the make that runs these tests is not meant for the ones that they run.
    ours = ("PYTEST_", "MAKE", "ARGS", "INSTALL", "WORKERS")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    done = subprocess.run(
        ["bash", "-euc", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def make(target: str, *flags: str) -> str:
    """Return a make command that takes the environment as it is: a test must not install anything."""
    return " ".join(("make", "-o", ".venv/.installed", "-o", ".venv/.playable", *flags, target))


def test_the_readme_shows_the_two_commands_and_a_match() -> None:
    shown = commands(README)
    assert shown[:2] == ["make demo", "make test"]
    assert all(block.language == "console" for block in blocks(README)), "a block of another kind would not be run"


def test_make_test_runs_this_suite(checkout: Path) -> None:
    planned = run(make("test", "-n"), checkout)
    assert "-m pytest" in planned
    assert 'testpaths = ["tests", "plugins"]' in (ROOT / "pyproject.toml").read_text()


def test_make_demo_ends_with_leaderboards_an_exciting_match_and_the_way_to_see_it(checkout: Path) -> None:
    """And says nothing else: no log lines, no reprs, no numbered copies.

    Nothing of it is left out: what is promised is a leaderboard of each game, with the champion on it, through
    make. What it thinks in Nuremberg, 12 of its 16 CPU-seconds, is the largest part of the demo.
    """
    out = run(f"{make('demo')} 2>&1", checkout)
    for slug in BUILT_IN:
        assert f"{GAMES[slug].title}\nrank " in out
    for bot in (player.name for player in PLAYERS):
        assert len(re.findall(rf"^ +\d+ +{bot} ", out, re.MULTILINE)) == len(BUILT_IN)
    assert "The most exciting match of the tournament" in out
    hint = re.search(r"^    (.*arena) web --db demo\.db$", out, re.MULTILINE)
    assert hint, out
    assert "version" in run(f"{hint[1]} --version", checkout), "it works when pasted"
    assert not re.search(r"\[(error|warning|info) *\]|<Level|Traceback", out)


def test_the_readme_says_which_rung_each_bot_of_the_demo_is() -> None:
    """The bots are the very ones that the ladders were measured with."""
    names = [player.name for player in PLAYERS]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in README.read_text().splitlines()]
    assert ["Level in", *names] in rows
    for slug in BUILT_IN:
        levels, rungs = levels_by_version(slug), len(read_ladder(slug).rungs)
        found = [levels.get(written_out(player).version) for player in PLAYERS]
        assert [GAMES[slug].title, *("–" if level is None else f"{level} of {rungs}" for level in found)] in rows


def test_the_other_commands_run_in_order(checkout: Path) -> None:
    """All of them in one shell, as a reader would type them."""
    script = "\n".join(line for line in commands(README) if not line.startswith("make "))
    out = run(script, checkout)
    assert "3 of 3 records verified" in out
    assert len(list((checkout / "records").glob("*.jsonl"))) == 3
