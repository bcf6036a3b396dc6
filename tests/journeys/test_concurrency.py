"""How many matches are played concurrently: as the bots declare, and never more thinking than there are processors."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play import local_pool
from arena.play.concurrency import MAX_MATCHES
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee.order import Ending, TimeControl
from tests.journeys.conftest import RANDOM_BOT
from tests.journeys.test_tournament import ARENA, SECONDS, run_whole
from tests.patience import patience

PATIENT = TimeControl(bank_ms=600_000, cap_ms=600_000, join_ms=600_000)
BOTS, SEATS = 8, 2


def made(folder: Path, before_answer: str, concurrency: int) -> BotDirectory:
    """Return a random bot that does something before every answer."""
    folder.mkdir()
    text = (RANDOM_BOT / "bot.py").read_text("utf-8")
    answer = "                    answer = choose("
    assert text.count(answer) == 1, "the starter bot has changed"
    (folder / "bot.py").write_text(text.replace(answer, before_answer + answer), "utf-8")
    manifest = f'name = "bot"\ncommand = ["python3", "bot.py"]\nconcurrency = {concurrency}\n'
    (folder / "bot.toml").write_text(manifest, "utf-8")
    return read_bot(folder)


THINKING = """                    import time
                    began = time.monotonic_ns()
                    time.sleep(0.02)
                    print("thought", began, time.monotonic_ns(), flush=True)
"""


def max_thinking(outputs: Iterable[str]) -> int:
    """Return the largest number of seats that thought at the same moment."""
    moments: list[tuple[int, int]] = []
    for began, ended in re.findall(r"thought (\d+) (\d+)", "\n".join(outputs)):
        moments += [(int(began), 1), (int(ended), -1)]
    thinking = most = 0
    for _moment, step in sorted(moments):
        thinking += step
        most = max(most, thinking)
    return most


def test_the_ledger_is_the_same_with_one_four_and_a_chosen_number_of_matches(tmp_path: Path) -> None:
    settings = {"rounds": 2, "referees": 2}
    chosen = run_whole(tmp_path / "chosen", **settings)
    assert len(chosen) > BOTS
    for number in (1, 4):
        assert run_whole(tmp_path / str(number), **settings, extra=f"concurrency = {number}\n") == chosen


@pytest.mark.parametrize("processors", [1, None])
def test_a_timed_tournament_thinks_on_no_more_processors_than_there_are(processors: int | None, tmp_path: Path) -> None:
    """Four tables and two referees could play four matches, each of which asks both of its seats together.

    Only where one match alone asks more seats than there are processors do they share them.
    """
    bot = made(tmp_path / "thinker", THINKING, 1)
    bots = "\n".join(f'[[bot]]\npath = "{bot.path}"\nname = "r{number}"\n' for number in range(BOTS))
    time = "time_control = { bank_ms = 600000, increment_ms = 500, cap_ms = 60000, join_ms = 120000 }\n"
    head = 'name = "cup"\ngame = "toy"\nseed = 11\nrounds = 1\nreferees = 2\nseats = 2\nmax_seats = 2\n'
    (tmp_path / "cup.toml").write_text(head + time + bots)
    usable = sorted(os.sched_getaffinity(0))[:processors]
    finished = subprocess.run(
        [*ARENA, "tournament", "run", "cup.toml"], cwd=tmp_path, capture_output=True, text=True,
        timeout=SECONDS, check=False, preexec_fn=partial(os.sched_setaffinity, 0, usable),
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    connection = sqlite3.connect(tmp_path / "arena.db")
    assert connection.execute("SELECT count(*) FROM match").fetchone()[0] == BOTS
    outputs = [text for (text,) in connection.execute("SELECT output FROM bot_output")]
    connection.close()
    assert 1 <= max_thinking(outputs) <= max(SEATS, len(usable))


async def max_played(bot: BotDirectory, pairs: int, go: Path, *, processors: int, expected: int) -> int:
    """Play a match of each of these pairs of bots, none of which ends before the expected number is played."""
    most = 0
    matches = [
        MatchToPlay(f"m{number}", "toy", {}, (bot.renamed(f"a{number}"), bot.renamed(f"b{number}")), 1, PATIENT)
        for number in range(pairs)
    ]
    endings: list[Ending] = []

    async def play(match: MatchToPlay) -> None:
        endings.append((await pool.play(match)).ending)

    with trio.fail_after(patience(30)):
        opened = open_pool(processors=processors, sandbox=SandboxPolicy.OFF, log_level="error")
        async with opened as pool, trio.open_nursery() as nursery:
            for match in matches:
                nursery.start_soon(play, match)
            while len(endings) < pairs:
                most = max(most, sum(referee.playing for referee in pool.referees))
                if most >= expected:
                    await trio.Path(go).touch()
                await trio.sleep(0.001)
    assert endings == [Ending.COMPLETED] * pairs
    return most


WAITING = """                    while not os.path.exists({!r}):
                        await asyncio.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("declared", "processors", "expected"), [(1, 1, 1), (1, 3, 1), (1, 4, 2), (2, 1, 2), (2, 2, 4), (64, 1, 6)]
)
def test_a_pool_plays_as_many_matches_as_bots_and_processors_allow(
    declared: int, processors: int, expected: int, tmp_path: Path
) -> None:
    """The game asks both seats together, so a match of two bots that think takes two processors."""
    go = tmp_path / "go"
    bot = made(tmp_path / "bot", WAITING.format(str(go)), declared)
    assert trio.run(partial(max_played, bot, 6, go, processors=processors, expected=expected)) == expected


def test_no_more_processes_play_at_a_referee_than_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that declare many matches may take many processes, one for each bot, and memory is short before time."""
    monkeypatch.setattr(local_pool, "MAX_PROCESSES", 5)
    go = tmp_path / "go"
    bot = made(tmp_path / "bot", WAITING.format(str(go)), MAX_MATCHES)
    assert trio.run(partial(max_played, bot, 4, go, processors=1, expected=2)) == 2
