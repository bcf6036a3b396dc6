"""T14: play the blocks of a test side by side, post and judge them in order, and stop at the verdict."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from math import ceil
from typing import Protocol

import trio

from arena.bots.directory import Bot
from arena.fitting.fits import post_fit
from arena.plan.luck import MAX_GAME_ATTEMPTS, Luck, check_shared_luck, game_seed, table_seeds
from arena.plan.test_plan import TestPlan
from arena.play.lease import holding_lease
from arena.play.local_pool import open_here, start_here
from arena.play.match_to_play import Block, MatchToPlay
from arena.play.match_writer import MatchWriter, match_to_store
from arena.play.pool import Demands, OpenPool, Pool, StartBot
from arena.play.verifier import open_verifier
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import Store
from arena.store.rows import RoundState, StoredMatch
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from ratings.sequential.evidence import block_by_seat
from ratings.sequential.test import SequentialTest
from ratings.sequential.test_table import seated_bot
from referee.logs import log
from referee.order import Ending

TABLE = 1
"""T14.1: a block is the only table of its round."""
GAMES_AHEAD = 8
"""T19.5: that keep a small machine busy; a long test goes further ahead, by a tenth of its blocks."""


class TestWatcher(Protocol):
    """Whoever follows a test."""

    def judged(self, runner: TestRunner) -> None:
        """A block was posted, and judged unless the verdict had fallen before."""


class TestRunner:
    """Plays one test on one store, from wherever it stands."""

    def __init__(
        self,
        plan: TestPlan,
        store: Store,
        now: Callable[[], datetime],
        *,
        referees: int = 2,
        at_once: int = 4,
        sandbox: SandboxPolicy = SandboxPolicy.AUTO,
        start_bot: StartBot = start_here,
        log_level: str = "error",
        open_pool: OpenPool = open_here,
        is_abandoned: bool = False,
    ) -> None:
        """`is_abandoned` says of a test that is only looked at that somebody ended it by hand."""
        self.plan = plan
        self.store = store
        self.now = now
        self.referees = referees
        self.at_once = at_once
        self.sandbox = sandbox
        self.start_bot = start_bot
        self.log_level = log_level
        self.open_pool = open_pool
        self.progress = SequentialTest(plan.test.terms)
        self.is_abandoned = is_abandoned
        self.posted = 0
        """The blocks that are in the ledger, judged or not."""
        self.forfeits = {plan.test.new: 0, plan.test.old: 0}
        """T14.10: by version hash, over the judged blocks."""
        self.game_differences: list[tuple[int, ...]] = []
        """T12.2: of every judged block, the differences of its games."""
        self._watcher: TestWatcher | None = None
        self._finished: set[int] = set()
        self._printed: dict[str, dict[int, str]] = {}
        self._writer = MatchWriter(store, now)
        self._changed = trio.Event()

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return self.plan.test.terms.seats

    def enter(self) -> None:
        """T17.1: enter the bots and the test, before the first game; one that is there is resumed where it stands."""
        if self.plan.test.luck == Luck.SHARED:
            check_shared_luck(self.plan.everybody, choose(self.sandbox))
        now = self.now().isoformat(timespec="seconds")
        # OLD before NEW: of two versions of one bot, NEW is the child.
        for bot in dict.fromkeys((self.plan.old, self.plan.new, *self.plan.bots.values())):
            self.store.bots.add(bot.label, bot.manifest.name, bot.version, bot.location, bot.stored(), now)
        if not self.store.tournaments.has(self.plan.test.id):
            self.store.tests.add(self.plan.test, self.plan.game, self.plan.rules_version, now)
        self.catch_up()

    def catch_up(self) -> None:
        """T14.8: judge again the blocks that were posted before."""
        by_block: dict[int, list[StoredMatch]] = {}
        for match in self.store.matches.of(self.plan.test.id):
            by_block.setdefault(match.round, []).append(match)
        for stored in self.store.tournaments.rounds(self.plan.test.id):
            if stored.state is RoundState.CLOSED:
                self.posted += 1
                self._judge(stored.number, by_block.get(stored.number, []))

    async def run(self, watcher: TestWatcher | None = None, *, obey_signals: bool = True) -> bool:
        """Play on to the verdict; False if somebody stopped it before, a UserError if another process plays it."""
        self._watcher = watcher
        async with holding_lease(self.store, self.plan.test.id):
            return await self._run(obey_signals=obey_signals)

    async def _run(self, *, obey_signals: bool) -> bool:
        is_over = False
        async with trio.open_nursery() as nursery:
            if obey_signals:
                nursery.start_soon(_stop_on_signal, nursery.cancel_scope)
            async with (
                open_verifier() as verifier,
                self.open_pool(
                    Demands(
                        referees=self.referees, at_once=self.at_once, fresh_process=self.plan.fresh_process,
                        log_level=self.log_level, sandbox=self.sandbox, start_bot=self.start_bot, heard=self._hear,
                        verify=lambda result: verifier.check(result.record), tournament=self.plan.test.id,
                    )
                ) as pool,
            ):  # fmt: skip
                await self._play_blocks(pool)
            await trio.to_thread.run_sync(self._end)
            is_over = True
            nursery.cancel_scope.cancel()
        return is_over

    def _end(self) -> None:
        """T17.3, T19.5: the fit first, so that an arena killed in between comes back to an open test."""
        if self.plan.test.terms.copies == 1:
            post_fit(self.store, self.plan.test.pool)
        self.store.tests.end(self.plan.test.id, self.progress, self.now().isoformat(timespec="seconds"))
        self.store.heads.publish()
        log.info("test.ended", test=self.plan.test.id, verdict=self.progress.verdict, blocks=self.progress.blocks)

    def abandon(self) -> None:
        """T17.3: end the test by hand; what was judged so far decides nothing."""
        self._end()
        self.is_abandoned = self.progress.verdict is None

    def _hear(self, match_id: str, seat: int, printed: str) -> None:
        self._printed.setdefault(match_id, {})[seat] = printed

    # Blocks.

    @property
    def _ahead(self) -> int:
        """T19.5: how many blocks run side by side, whatever the machine: those under way at the verdict are rated."""
        return ceil(GAMES_AHEAD / self.seats) + 1 + self.posted // 10

    async def _play_blocks(self, pool: Pool) -> None:
        """T14.7, T19.5: draw and post by number, each at its own turn, whatever finishes first."""
        games = trio.CapacityLimiter(pool.most_asked)
        async with trio.open_nursery() as nursery:
            last = 0
            for stored in await trio.to_thread.run_sync(self.store.tournaments.rounds, self.plan.test.id):
                last = stored.number
                if stored.state is RoundState.PAIRED:  # under way when the arena ended
                    nursery.start_soon(self._play_block, stored.number, pool, games)
            most = self.plan.test.terms.max_blocks
            while True:
                while self.progress.verdict is None and last < min(self.posted + self._ahead, most):
                    last += 1
                    await trio.to_thread.run_sync(self._draw, last)
                    nursery.start_soon(self._play_block, last, pool, games)
                if self.posted == last:
                    return
                while self.posted + 1 not in self._finished:
                    await self._changed.wait()
                await self._post(self.posted + 1)

    def _bots_of(self, block: int) -> list[Bot]:
        """T14.1: who sits where, by base seat."""
        return [self.plan.bots[seated_bot(bot)] for bot in self.plan.test.block_seating(block)]

    def _draw(self, block: int) -> None:
        """T17.2: a block is an ordinary round under the id of its test."""
        test_id, bots = self.plan.test.id, tuple(bot.label for bot in self._bots_of(block))
        seeds = table_seeds(Luck(self.plan.test.luck), test_id, block, TABLE, self.seats)
        tables = [RoundTable(TABLE, bots, seeds, self.seats)]
        self.store.tournaments.add_round(test_id, block, self.plan.game, True, tables)

    async def _play_block(self, block: int, pool: Pool, games: trio.CapacityLimiter) -> None:
        present = {match.id: match for match in await self._matches(block)}
        first = [self._fixture(block, rotation, 0).match_id for rotation in range(self.seats)]
        missing = sum(match_id not in present for match_id in first)
        async with trio.open_nursery() as nursery:
            for rotation in range(self.seats):
                nursery.start_soon(partial(self._play_game, block, rotation, missing, present, pool, games))
        self._finished.add(block)
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    async def _matches(self, block: int) -> list[StoredMatch]:
        return await trio.to_thread.run_sync(self.store.matches.of, self.plan.test.id, block)

    async def _play_game(
        self,
        block: int,
        rotation: int,
        missing: int,
        present: dict[str, StoredMatch],
        pool: Pool,
        games: trio.CapacityLimiter,
    ) -> None:
        """T14.2: play a game of a block; a void one is replayed once, with a new seed."""
        for attempt in range(MAX_GAME_ATTEMPTS):
            fixture = self._fixture(block, rotation, attempt)
            if fixture.match_id in present:
                ending = present[fixture.match_id].ending
            else:
                async with games:
                    ending = await self._play(fixture, attempt, missing if attempt == 0 else 1, pool)
            if ending is not Ending.VOIDED:
                return

    def _fixture(self, block: int, rotation: int, attempt: int) -> Fixture:
        bots = [bot.label for bot in self._bots_of(block)]
        seating = tuple(bots[(seat - rotation) % self.seats] for seat in range(self.seats))
        seed = game_seed(Luck(self.plan.test.luck), self.plan.test.id, block, TABLE, rotation, attempt)
        return Fixture(self.plan.test.id, block, TABLE, rotation, seating, seed)

    async def _play(self, fixture: Fixture, attempt: int, games: int, pool: Pool) -> Ending:
        plan = self.plan
        by_label = {bot.label: bot for bot in plan.bots.values()}
        bots = tuple(by_label[label] for label in fixture.seating)
        block = Block(f"{fixture.round}", games)
        order = MatchToPlay(fixture.match_id, plan.game, plan.options, bots, fixture.seed, plan.time_control, block)
        result = await pool.play(order)
        printed = self._printed.pop(result.match_id, {})
        await self._writer.add(match_to_store(pool, fixture, attempt, plan.game, result, printed))
        return result.ending

    # Posting and judging.

    async def _post(self, block: int) -> None:
        matches = await self._matches(block)
        await trio.to_thread.run_sync(self._close, block, matches)
        self.posted = block
        self._judge(block, matches)
        if self._watcher is not None:
            self._watcher.judged(self)

    def _close(self, block: int, matches: Sequence[StoredMatch]) -> None:
        test = self.plan.test
        hashes = {bot.label: bot.version for bot in self.plan.bots.values()}
        results = [
            LedgerResult(
                fixture=_fixture_of(match),
                pool=test.pool,
                places=match.places,
                engine=f"{test.pool}@{match.software}",
                bot_hashes=tuple(hashes[bot] for bot in match.seating),
                replay_digest=match.record_digest,
                ending=match.ending,
                scores=match.scores,
                forfeits=tuple(
                    seat for seat, ending in enumerate(match.seat_endings) if ending is not Ending.COMPLETED
                ),
                is_rated=test.terms.copies == 1,
            )
            for match in _played(matches)
        ]
        void = [(_fixture_of(match), test.pool, match.reason) for match in matches if match.ending is Ending.VOIDED]
        self.store.tournaments.close_round(test.id, block, results, void, 0.0)

    def _judge(self, block: int, matches: Sequence[StoredMatch]) -> None:
        """T14.2: D of a block; one that lacks a game is dropped."""
        if self.progress.verdict is not None:
            return
        played = sorted(_played(matches), key=lambda match: match.game_number)
        if len(played) < self.seats:
            self.progress.add(None)
            return
        bots = [bot.label for bot in self._bots_of(block)]
        new, old = self.plan.new.label, self.plan.old.label
        found = block_by_seat(bots, [match.places for match in played])
        self.progress.add(found.difference(new, old))
        self.game_differences.append(found.game_differences(new, old))
        for match in played:
            for label, ending in zip(match.seating, match.seat_endings, strict=True):
                for bot in (self.plan.new, self.plan.old):
                    self.forfeits[bot.version] += label == bot.label and ending is not Ending.COMPLETED


def _played(matches: Iterable[StoredMatch]) -> list[StoredMatch]:
    """T19.2: the games with a result; what was made void later still counts here."""
    return [match for match in matches if match.ending is not Ending.VOIDED]


def _fixture_of(match: StoredMatch) -> Fixture:
    return Fixture(match.tournament, match.round, match.table, match.game_number, match.seating, match.seed)


async def _stop_on_signal(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            scope.cancel()
