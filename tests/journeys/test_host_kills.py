"""Bots that the host kills void their match, and bots that kill themselves forfeit: told apart by what is certain."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import BotProcess
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox import cgroups
from arena.sandbox.levels import SandboxPolicy
from arena.sandbox.processes import family
from referee.order import Ending, MatchResult
from tests import parts
from tests.control_groups import lent_groups
from tests.journeys.attackers import hostile_bot
from tests.journeys.test_hostile_bots import ENDED, PATIENT, SECONDS


@pytest.fixture(autouse=True)
def _needs_a_sandbox() -> None:
    parts.sandbox_for_untrusted_bots()


def sandbox_of(pool: LocalPool, label: str) -> int:
    """Return the process that is outside the sandbox of a bot."""
    for client in pool.referees[0].clients.values() if pool.referees else ():
        if client.bot.label == label and isinstance(client.process, BotProcess):
            return client.process.process.pid
    return 0


def play_and_kill(bots: tuple[BotDirectory, ...], victim: str, which: int) -> tuple[MatchResult, str]:
    """Play a match in which one seat waits, and kill a process of that seat from outside."""

    async def journey() -> tuple[MatchResult, str]:
        results: list[MatchResult] = []
        async with open_pool(sandbox=SandboxPolicy.REQUIRED) as pool:

            async def one() -> None:
                results.append(await pool.play(MatchToPlay("killed", "toy", {}, bots, 5, PATIENT)))

            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(one)
                    while not (pid := sandbox_of(pool, victim)) or "waiting" not in pool.output_of(victim):  # noqa: ASYNC110  # says so in its output
                        await trio.sleep(0.02)
                    os.kill(family(pid)[which], signal.SIGKILL)
            return results[0], pool.output_of(victim)

    return trio.run(journey)


def waiting_bot(folder: Path) -> BotDirectory:
    bot = hostile_bot(folder, "sleeper", 512, {})
    text = "from player import play\nimport time\n\n\ndef wait(number):\n    print('waiting', flush=True)\n"
    (bot.path / "bot.py").write_text(f"{text}    time.sleep(3_600)\n\n\nplay(wait)\n")
    return bot


def test_a_sandbox_that_is_killed_from_outside_voids_the_match(tmp_path: Path, random_bot: BotDirectory) -> None:
    bot = waiting_bot(tmp_path)
    result, output = play_and_kill((random_bot, bot, random_bot), bot.label, 0)
    assert result.ending is Ending.VOIDED
    assert result.reason == f"{bot.label} was killed by the host: its sandbox was killed from outside"
    assert "did not end by itself" in output


def test_a_bot_that_is_killed_itself_may_have_done_it_and_forfeits(tmp_path: Path, random_bot: BotDirectory) -> None:
    """Nothing tells the operator's signal from its own: it counts, so that nobody escapes a game by it."""
    bot = waiting_bot(tmp_path)
    result, _ = play_and_kill((random_bot, bot, random_bot), bot.label, -1)
    assert result.seat_endings[1] in ENDED
    assert result.ending is not Ending.VOIDED


def test_a_bot_that_kills_itself_forfeits(tmp_path: Path, random_bot: BotDirectory) -> None:
    bot = hostile_bot(tmp_path, "self_killer", 512, {})

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool(sandbox=SandboxPolicy.REQUIRED) as pool:
            with trio.fail_after(SECONDS):
                result = await pool.play(MatchToPlay("escaped", "toy", {}, (random_bot, bot, random_bot), 5, PATIENT))
            return result, pool.output_of(bot.label)

    result, output = trio.run(journey)
    assert result.seat_endings[1] in ENDED
    assert result.ending is not Ending.VOIDED
    assert "held: the sandbox stands" in output


@pytest.fixture
def small_host() -> Iterator[None]:
    """Lend the arena control groups with less memory in all than one bot may have: a machine that is too small."""
    with lent_groups(memory_mb=300):
        yield


def test_a_bot_that_the_kernel_kills_for_want_of_others_memory_voids_the_match(
    small_host: None, tmp_path: Path, random_bot: BotDirectory
) -> None:
    bot = hostile_bot(tmp_path, "memory_bomb", 900, {})

    async def journey() -> MatchResult:
        async with open_pool(sandbox=SandboxPolicy.REQUIRED) as pool:
            with trio.fail_after(SECONDS):
                return await pool.play(MatchToPlay("crowded", "toy", {}, (random_bot, bot), 5, PATIENT))

    result = trio.run(journey)
    assert result.ending is Ending.VOIDED
    assert result.reason.endswith("was killed by the host: the machine had no memory left")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n"}, True),
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n"}, False),
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 0\noom_kill 0\n"}, False),
        ({"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "memory.failcnt": "0\n"}, True),
        ({"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "memory.failcnt": "7\n"}, False),
        ({"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"}, False),
        ({}, False),
    ],
)
def test_the_books_of_both_versions_are_read(files: dict[str, str], expected: bool, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert cgroups.killed_for_others([tmp_path]) is expected
