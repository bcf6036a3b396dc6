"""Rules that may crash their process: a crash voids its own match, and no other match is lost or played again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.play import local_pool
from arena.play.local_pool import open_pool, runs_apart
from arena.play.match_to_play import MatchToPlay
from referee import games
from referee.order import Ending, MatchResult
from tests.contract import installed
from tests.patience import patience

SECONDS = patience(20)
DOOMED = 13
CRASHING = f"""
import os, signal
from arena_toy.game import Toy

class Crashing(Toy):
    slug = "crashing"
    runs_apart = {{runs_apart}}
    _is_doomed = False

    def new(self, seats, seed, options):
        self._is_doomed = self._is_doomed or seed == {DOOMED}
        return super().new(seats, seed, options)

    def apply(self, state, choices):
        if self._is_doomed:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().apply(state, choices)

GAME = Crashing()
"""


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *, is_apart: bool) -> None:
    """Install a game that crashes in one match, for this process and those that it starts."""
    rules = CRASHING.format(runs_apart=is_apart)
    entry_points = "[arena.games]\ncrashing = crashing_rules:GAME\n"
    found = installed.install(folder, "crashing_rules", entry_points, {"crashing_rules.py": rules})
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", found["PYTHONPATH"])
    monkeypatch.delitem(sys.modules, "crashing_rules", raising=False)
    games._plug_ins.cache_clear()
    games._load.cache_clear()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    games._plug_ins.cache_clear()
    games._load.cache_clear()


class Heard:
    """The log of a pool: which matches were interrupted by the end of their referee."""

    def __init__(self) -> None:
        self.interrupted: list[str] = []

    def warning(self, event: str, **facts: Any) -> None:
        if event == "match.interrupted":
            self.interrupted.append(facts["match_id"])

    error = info = debug = warning


def played(bot: BotDirectory, monkeypatch: pytest.MonkeyPatch) -> tuple[list[MatchResult], list[str]]:
    """Play matches concurrently, one of them doomed; return the results and what was interrupted."""
    heard = Heard()
    results: dict[str, MatchResult] = {}
    monkeypatch.setattr(local_pool, "log", heard)
    fixtures = [MatchToPlay(f"m{seed}", "crashing", {}, (bot,) * 2, seed) for seed in range(DOOMED - 6, DOOMED + 2)]

    async def journey() -> None:
        async def one(fixture: MatchToPlay) -> None:
            results[fixture.match_id] = await pool.play(fixture)

        async with open_pool(referees=2, concurrency=4, log_level="error") as pool:
            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    for fixture in fixtures:
                        nursery.start_soon(one, fixture)

    trio.run(journey)
    return [results[fixture.match_id] for fixture in fixtures], heard.interrupted


def test_a_crash_voids_its_own_match_and_harms_no_other(
    random_bot: BotDirectory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, is_apart=True)
    assert runs_apart("crashing")
    assert not runs_apart("toy")
    results, interrupted = played(random_bot, monkeypatch)
    assert [result.ending for result in results if result.match_id != f"m{DOOMED}"] == [Ending.COMPLETED] * 7
    (doomed,) = (result for result in results if result.match_id == f"m{DOOMED}")
    assert (doomed.ending, doomed.reason) == (Ending.VOIDED, "the referee process has ended")
    assert set(interrupted) == {f"m{DOOMED}"}


def test_without_the_declaration_a_crash_interrupts_its_neighbours(
    random_bot: BotDirectory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So the test above would notice if matches shared a referee."""
    install(monkeypatch, tmp_path, is_apart=False)
    results, interrupted = played(random_bot, monkeypatch)
    assert results[6].ending is Ending.VOIDED
    assert len(set(interrupted)) > 1
