"""A tournament of one match that a test steps forward, with the web site in the same process.

python -m tests.arena.web.live_tournament FOLDER GAME DELAY plays and serves it until its input ends.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from arena.web.app import create_app
from arena.web.serving import serve
from referee.logs import configure_logs
from tests.patience import patience

RANDOM_BOT = Path(__file__).parents[3] / "sample_bots" / "python"
NAME = "live"
PATIENCE_SECONDS = patience(30)
PLAYERS = ("ann", "bob")

PATIENT_BOT = """
import time
from pathlib import Path
import bot

gate, answered = Path(__file__).parent / "gate", 0

def choose(prompt, dice):
    global answered
    while answered >= int(gate.read_text()):
        time.sleep(0.02)
    answered += 1
    return bot.at_random(prompt, dice)

bot.main(choose)
"""
"""Answers up to the number of questions that the file `gate` beside it allows."""


@dataclass
class LiveTournament:
    """A tournament in its own process."""

    address: str
    database: Path
    gate: Path

    def allow(self, answers: int) -> None:
        """Let each bot answer up to this many questions in all."""
        fresh = self.gate.with_suffix(".new")
        fresh.write_text(str(answers))
        fresh.rename(self.gate)

    def finish(self) -> None:
        """Let the match finish."""
        self.allow(1_000_000)


def patient_bot(folder: Path) -> Path:
    """Make a bot that may not answer yet, and return its gate."""
    bot = folder / "patient"
    bot.mkdir()
    shutil.copy(RANDOM_BOT / "bot.py", bot)
    (bot / "patient.py").write_text(PATIENT_BOT)
    (bot / "bot.toml").write_text('name = "patient"\ncommand = ["python3", "patient.py"]\n')
    (bot / "gate").write_text("0")
    return bot / "gate"


@contextmanager
def live_tournament(folder: Path, game: str, delay: int = 0) -> Iterator[LiveTournament]:
    """Play a match of two bots and serve the web site; nobody may answer yet."""
    gate = patient_bot(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(folder), game, str(delay)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield LiveTournament(process.stdout.readline().strip(), folder / "arena.db", gate)
    finally:
        process.stdin.close()
        process.wait(timeout=PATIENCE_SECONDS)
        process.stdout.close()


async def run(folder: Path, game: str, delay: int) -> None:
    """Play and serve until the input ends."""
    plain = {
        "name": NAME, "game": game, "seed": 7, "rounds": 1, "seats": 2, "block": False, "referees": 1,
        "bot": [{"path": "patient", "name": name} for name in PLAYERS], "spectator_delay": delay,
        "time_control": {"bank_ms": 3_600_000, "cap_ms": 3_600_000, "join_ms": 300_000},
    }  # fmt: skip
    store = open_store(folder / "arena.db", create=True)
    runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now)
    runner.enter()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.run)
        app = create_app(folder / "arena.db", live=runner.live)
        addresses = await nursery.start(partial(serve, app, "127.0.0.1:0", shutdown=trio.sleep_forever))
        sys.stdout.write(f"{addresses[0]}\n")
        sys.stdout.flush()
        await trio.to_thread.run_sync(sys.stdin.read)
        nursery.cancel_scope.cancel()
    store.close()


if __name__ == "__main__":
    configure_logs("warning", as_json=False)  # to standard error: the first line of output is the address
    trio.run(run, Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
