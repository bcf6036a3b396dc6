"""T2.10: games whose seed only draws an opening share it within a block, in tournaments and tests, with any bots."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.installed import install
from tests.patience import patience

ROOT = Path(__file__).parents[2]
BOOK_NIM = """
from tests.contract.open_games import NimFromABook

GAME = NimFromABook()
"""
CUP = """
name = "cup"
game = "book_nim"
seed = 340282366920938463463374607431768211507
rounds = 4

[[bot]]
path = "{bots}/python"
name = "ann"

[[bot]]
path = "{bots}/python"
name = "bob"

[[bot]]
path = "{bots}/python"
name = "cat"

[[bot]]
path = "{bots}/python"
name = "dan"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    made = install(tmp_path / "site", "book", "[arena.games]\nbook_nim = book_nim:GAME\n", {"book_nim.py": BOOK_NIM})
    return {**made, "PYTHONPATH": f"{made['PYTHONPATH']}:{ROOT}"}


def arena(environment: dict[str, str], folder: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=patience(20),
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done


def seeds_by_table(folder: Path) -> dict[tuple[str, int, int], list[int]]:
    with sqlite3.connect(folder / "arena.db") as rows:
        found: dict[tuple[str, int, int], list[int]] = {}
        for tournament, round_number, table, seed in rows.execute(
            "SELECT tournament, round, table_number, seed FROM match ORDER BY round, table_number, game_number"
        ):
            found.setdefault((tournament, round_number, table), []).append(int(seed))
    return found


def test_T2_10_a_block_plays_one_opening_from_both_seats_without_fresh_processes(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "cup.toml").write_text(CUP.format(bots=ROOT / "sample_bots"), "utf-8")
    arena(environment, tmp_path, "tournament", "run", "cup.toml", "--quiet")
    tables = seeds_by_table(tmp_path)
    assert len(tables) == 8
    assert all(len(seeds) == 2 and seeds[0] == seeds[1] for seeds in tables.values())
    assert len({seeds[0] for seeds in tables.values()}) == 8, "every table has an opening of its own"
    arena(environment, tmp_path, "ledger", "verify", "--replay")
    shown = json.loads(arena(environment, tmp_path, "tournament", "show", "cup", "--json").stdout)
    assert shown is not None


def test_T2_10_a_test_plays_pairs_of_one_opening(environment: dict[str, str], tmp_path: Path) -> None:
    for name in ("python", "greedy"):
        (tmp_path / name).symlink_to(ROOT / "sample_bots" / name)
    arena(
        environment, tmp_path, "test", "python", "--against", "greedy", "--game", "book_nim", "--max-blocks", "3",
        "--keep-processes", "--quiet", code=3,
    )  # fmt: skip
    tables = seeds_by_table(tmp_path)
    assert len(tables) >= 1
    assert all(len(seeds) == 2 and seeds[0] == seeds[1] for seeds in tables.values())
    arena(environment, tmp_path, "ledger", "verify")


def test_T2_10_rotating_seats_play_an_opening_each_whether_played_or_simulated(
    environment: dict[str, str], tmp_path: Path
) -> None:
    bot = str(ROOT / "sample_bots" / "python")
    words = ("book_nim", "--bot", bot, "--bot", bot, "--matches", "6", "--seed", "5", "--json")
    run = json.loads(arena(environment, tmp_path, "play", *words, "--rotate").stdout)
    seeds = [match["seed"] for match in run["matches"]]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 3
    apart = json.loads(arena(environment, tmp_path, "play", *words).stdout)
    assert len({match["seed"] for match in apart["matches"]}) == 6
    arena(
        environment, tmp_path, "simulate", "book_nim", "--bot", "random", "--bot", "random", "--games", "6",
        "--seed", "5", "--rotate", "--out", "played.jsonl",
    )  # fmt: skip
    lines = [json.loads(line) for line in (tmp_path / "played.jsonl").read_text("utf-8").splitlines()]
    assert [line["seed"] for line in lines] == seeds
