"""A large round is drawn up beside the event loop, which serves everybody else meanwhile."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import trio

from arena.cli.watching import Silent
from arena.plan.swiss import PairedTable
from arena.plan.tournament_file import beside, parse_plan
from arena.play.blocks import BlockGame
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from tests.arena.small_tournament import small_plan

TABLES = 20_000
MAX_STEP_SECONDS = 0.05  # of the loop's CPU time, for everything that it does between two turns


class LongestStep(trio.abc.Instrument):
    """Measures the CPU time of the longest step of any task."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._began = time.thread_time()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        self.seconds = max(self.seconds, time.thread_time() - self._began)


def test_the_games_of_a_large_round_do_not_hold_up_the_loop(tmp_path: Path) -> None:
    """Each has a seed and an id to be computed, which takes a fraction of a second for all; none of them is played."""
    store = open_store(tmp_path / "arena.db", create=True)
    runner = Runner(parse_plan(small_plan(tmp_path), beside(tmp_path)), store, Silent(), local_now)
    labels = tuple(runner.bots)[:2]
    games = [BlockGame(1, PairedTable(number, labels), 0) for number in range(TABLES)]
    longest = LongestStep()
    due: list[str] = []

    async def main() -> None:
        runner._room = trio.CapacityLimiter(1)
        with trio.CancelScope() as scope:

            async def none_is_played(*_arguments: object) -> None:
                due.extend(runner.unfinished)
                scope.cancel()
                await trio.sleep_forever()

            runner._play = none_is_played  # type: ignore[assignment, method-assign]  # it never returns
            await runner.play(games, runner.settings.games[0], [])

    gc.disable()  # a collection of all that other tests have loaded would be counted too
    try:
        trio.run(main, instruments=[longest])
    finally:
        gc.enable()
    store.close()
    assert len(due) == TABLES
    assert longest.seconds < MAX_STEP_SECONDS
