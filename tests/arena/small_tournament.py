"""A small real tournament in a database: real referees, real bots, made once a process and copied for every test."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import trio

from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.heads import heads_file
from arena.store.local_time import local_now
from tests.kept_folder import kept_folder

ROOT = Path(__file__).parent.parent.parent
BOTS = ("ann", "bob", "cat", "dan", "eve", "fay")
QUITTER = "quitter"
"""Leaves at its first question, after a last word on standard error."""

QUITTING_BOT = """
import sys
print("I cannot bear it \\x1b[31many longer", file=sys.stderr, flush=True)
sys.exit(3)
"""


def small_plan(folder: Path, **changes: Any) -> dict[str, Any]:
    """The plan of a tournament of six random bots and one that quits, three rounds at tables of two to four."""
    quitter = folder / QUITTER
    quitter.mkdir(parents=True, exist_ok=True)
    (quitter / "bot.py").write_text(QUITTING_BOT)
    (quitter / "bot.toml").write_text(f'name = "{QUITTER}"\ncommand = ["python3", "bot.py"]\n')
    random_bot = str(ROOT / "sample_bots" / "python")
    plain: dict[str, Any] = {
        "name": "cup", "game": "toy", "seed": 7, "rounds": 2, "rating_rounds": 1, "seats": 3, "max_seats": 4,
        "bot": [*({"path": random_bot, "name": name} for name in BOTS), {"path": str(quitter), "name": QUITTER}],
        "time_control": {"join_ms": 60_000, "grace_ms": 0}, "withdraw_after": 1,
    }  # fmt: skip
    return plain | changes


def play(database: Path, plain: dict[str, Any]) -> None:
    """Play a tournament to its end."""
    store = open_store(database, create=True)
    runner = Runner(parse_plan(plain, beside(database.parent)), store, Silent(), local_now)
    runner.enter()
    trio.run(runner.run)
    store.close()


@cache
def _played() -> Path:
    folder = kept_folder("arena-cup")
    play(folder / "arena.db", small_plan(folder))
    return folder / "arena.db"


def small_database(folder: Path) -> Path:
    """Return a database of its own with the small tournament in it."""
    played = _played()
    shutil.copy(heads_file(played), heads_file(folder / "arena.db"))
    return Path(shutil.copy(played, folder / "arena.db"))


def play_at_two_seats(folder: Path) -> Path:
    """Play a tournament of four at tables of two: one points round and four rating rounds."""
    plan = small_plan(folder, seats=2, max_seats=2, rounds=1, rating_rounds=4)
    plan["bot"] = [bot for bot in plan["bot"] if bot["name"] in BOTS[:4]]
    play(folder / "arena.db", plan)
    return folder / "arena.db"


@cache
def _two_seats() -> Path:
    return play_at_two_seats(kept_folder("arena-two-seats"))


def two_seat_database(folder: Path) -> Path:
    """Return a database of its own with the tournament at tables of two in it."""
    return Path(shutil.copy(_two_seats(), folder / "arena.db"))


@cache
def _unfitted() -> Path:
    folder = kept_folder("arena-unfitted")
    bots = [{"path": str(ROOT / "sample_bots" / "python"), "name": name} for name in BOTS[:4]]
    post, left_out = Runner.post_fit, iter([True])
    with mock.patch.object(Runner, "post_fit", lambda runner, pool: not next(left_out, False) and post(runner, pool)):
        play(folder / "arena.db", small_plan(folder, bot=bots, rounds=2, rating_rounds=0))
    return folder / "arena.db"


def unfitted_database(folder: Path) -> Path:
    """Return a database of its own with a tournament whose first round has no fit, as earlier versions could leave it.

    Another arena would have closed a round of the pool in between.
    """
    played = _unfitted()
    shutil.copy(heads_file(played), heads_file(folder / "arena.db"))
    return Path(shutil.copy(played, folder / "arena.db"))
