"""T14: play the blocks of a test side by side, post and judge them in order, and stop at the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from math import ceil
from typing import Protocol

import trio

from arena.fitting.fits import post_fit
from arena.plan.settings import RunSettings
from arena.plan.swiss import PairedTable, Pairing
from arena.plan.test_plan import TestPlan
from arena.play.blocks import BlockRunner, stoppable
from arena.play.lease import holding_lease
from arena.play.local_pool import open_here, start_here
from arena.play.pool import OpenPool, StartBot
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import Store
from arena.store.rows import RoundState, StoredMatch
from ratings.sequential.evidence import Pairs, block_by_seat
from ratings.sequential.test import SequentialTest
from ratings.sequential.test_table import seated_bot
from referee.logs import log
from referee.order import Ending

TABLE = 1
"""T14.1: a block is the only table of its round."""
TEST_RUN = RunSettings()
GAMES_AHEAD = 8
"""T19.5: enough to keep a small machine busy; a long test plays further ahead, by a tenth of its blocks."""


class TestWatcher(Protocol):
    """Observes a running test."""

    def judged(self, runner: TestRunner) -> None:
        """A block was posted, and judged unless there was already a verdict."""


class TestRunner(BlockRunner):
    """Plays or resumes one test on one store."""

    def __init__(
        self,
        plan: TestPlan,
        store: Store,
        now: Callable[[], datetime],
        *,
        run: RunSettings = TEST_RUN,
        sandbox: SandboxPolicy = SandboxPolicy.AUTO,
        start_bot: StartBot = start_here,
        open_pool: OpenPool = open_here,
        is_abandoned: bool = False,
    ) -> None:
        """`is_abandoned` marks a test, opened for reading only, that was ended by hand."""
        super().__init__(
            plan.test.id, plan, plan.everybody, store, now,
            run=run, sandbox=sandbox, start_bot=start_bot, open_pool=open_pool,
        )  # fmt: skip
        self.plan = plan
        self.progress = SequentialTest(plan.test.terms)
        self.is_abandoned = is_abandoned
        self.posted = 0
        """The blocks in the ledger, judged or not."""
        self.forfeits = {plan.test.new: 0, plan.test.old: 0}
        """T14.10: by version hash, over the judged blocks."""
        self.game_differences: list[tuple[int, ...]] = []
        """T12.2: the game differences of every judged block."""
        self.pairs = Pairs()
        """T14.11: NEW against OLD by places, over the judged blocks."""
        self._watcher: TestWatcher | None = None
        self._finished: set[int] = set()
        self._changed = trio.Event()

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return self.plan.test.terms.seats

    def enter(self) -> None:
        """T17.1: enter the bots and the test before the first game; a test entered before is resumed."""
        # OLD before NEW: of two versions of one bot, NEW is the child.
        self.enter_bots(tuple(dict.fromkeys((self.plan.old, *self.plan.everybody))))
        if not self.store.tournaments.has(self.name):
            self.store.tests.add(self.plan.test, self.plan.game.slug, self.plan.game.rules_version, self.moment())
        self.catch_up()

    def catch_up(self) -> None:
        """T14.8: judge the blocks posted earlier again."""
        by_block: dict[int, list[StoredMatch]] = {}
        for match in self.store.matches.of(self.name):
            by_block.setdefault(match.round, []).append(match)
        for stored in self.store.tournaments.rounds(self.name):
            if stored.state is RoundState.CLOSED:
                self.posted += 1
                self._judge(stored.number, by_block.get(stored.number, []))

    async def run(self, watcher: TestWatcher | None = None, *, obey_signals: bool = True) -> bool:
        """Play to the verdict; False if stopped before, a UserError if another process plays it."""
        self._watcher = watcher
        is_over = False
        async with holding_lease(self.store, self.name), stoppable(obey_signals=obey_signals):
            async with self.opened():
                await self._play_blocks()
            await trio.to_thread.run_sync(self._end)
            is_over = True
        return is_over  # noqa: RET504  # a signal leaves the block before its end

    def _end(self) -> None:
        """T17.3, T19.5: end the test, the fit first, so that an arena killed in between finds an open test."""
        if self.plan.test.terms.copies == 1:
            post_fit(self.store, self.plan.test.pool)
        self.store.tests.end(self.name, self.progress, self.moment())
        self.store.heads.publish()
        log.info("test.ended", test=self.name, verdict=self.progress.verdict, blocks=self.progress.blocks)

    def abandon(self) -> None:
        """T17.3: end the test by hand; the blocks judged so far decide nothing."""
        self._end()
        self.is_abandoned = self.progress.verdict is None

    # Blocks.

    @property
    def _ahead(self) -> int:
        """T19.5: the number of blocks run concurrently on any machine; those in progress at the verdict are rated."""
        return ceil(GAMES_AHEAD / self.seats) + 1 + self.posted // 10

    async def _play_blocks(self) -> None:
        """T14.7, T19.5: draw and post blocks in order, whichever finishes first."""
        async with trio.open_nursery() as nursery:
            last = 0
            for stored in await trio.to_thread.run_sync(self.store.tournaments.rounds, self.name):
                last = stored.number
                if stored.state is RoundState.PAIRED:  # in progress when the arena ended
                    nursery.start_soon(self._play_block, stored.number)
            most = self.plan.test.terms.max_blocks
            while True:
                while self.progress.verdict is None and last < min(self.posted + self._ahead, most):
                    last += 1
                    await trio.to_thread.run_sync(self._draw, last)
                    nursery.start_soon(self._play_block, last)
                if self.posted == last:
                    return
                while self.posted + 1 not in self._finished:
                    await self._changed.wait()
                await self._post(self.posted + 1)

    def _table(self, block: int) -> PairedTable:
        """T14.1: return the seating of a block, by base seat."""
        bots = self.plan.bots
        return PairedTable(TABLE, tuple(bots[seated_bot(each)].label for each in self.plan.test.block_seating(block)))

    def _draw(self, block: int) -> None:
        """T17.2: a block is an ordinary round under the id of its test."""
        pairing = Pairing((self._table(block),), (), 0)
        self.draw(block, self.plan.game, pairing, is_rating=True, scores={}, metrics={})

    async def _play_block(self, block: int) -> None:
        await self.play(self.games_of(block, [self._table(block)]), self.plan.game, await self._matches(block))
        self._finished.add(block)
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    async def _matches(self, block: int) -> list[StoredMatch]:
        return await trio.to_thread.run_sync(self.store.matches.of, self.name, block)

    # Posting and judging.

    async def _post(self, block: int) -> None:
        matches = await self._matches(block)
        is_rated = self.plan.test.terms.copies == 1
        close = partial(self.close, block, self.plan.game, matches, _played(matches), is_rated=is_rated)
        await self.closing(self.plan.test.pool, close)
        self.posted = block
        self._judge(block, matches)
        if self._watcher is not None:
            self._watcher.judged(self)

    def _judge(self, block: int, matches: Sequence[StoredMatch]) -> None:
        """T14.2: judge D of a block; one that lacks a game is dropped."""
        if self.progress.verdict is not None:
            return
        played = sorted(_played(matches), key=lambda match: match.game_number)
        if len(played) < self.seats:
            self.progress.add(None)
            return
        new, old = self.plan.new.label, self.plan.old.label
        found = block_by_seat(self._table(block).bots, [match.places for match in played])
        self.progress.add(found.difference(new, old))
        self.game_differences.append(found.game_differences(new, old))
        self.pairs = self.pairs.plus(found.pairs(new, old))
        for match in played:
            for label, ending in zip(match.seating, match.seat_endings, strict=True):
                for bot in (self.plan.new, self.plan.old):
                    self.forfeits[bot.version] += label == bot.label and ending is not Ending.COMPLETED


def _played(matches: Iterable[StoredMatch]) -> list[StoredMatch]:
    """T19.2: return the games with a result; one voided later still counts here."""
    return [match for match in matches if match.ending is not Ending.VOIDED]
