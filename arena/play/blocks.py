"""The block runner, shared by tournaments and tests: games are drawn, played, stored and entered in the ledger."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256

import trio

from arena.bots.directory import Bot
from arena.plan.seeding import MAX_GAME_ATTEMPTS, check_shared_seeds, game_seed, table_seeds
from arena.plan.settings import GameSettings, RunSettings, TournamentSettings, Verify
from arena.plan.swiss import PairedTable, Pairing
from arena.plan.swiss.seats import rotated
from arena.plan.test_plan import TestPlan
from arena.play.lease import is_held
from arena.play.match_to_play import Block, MatchToPlay
from arena.play.match_writer import MatchWriter, match_to_store
from arena.play.pool import OpenPool, Pool, PoolConfig, StartBot
from arena.play.verifier import Verifier, open_verifier
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import Store
from arena.store.rows import MatchToStore, Recheck, StoredMatch
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.order import Ending, MatchResult

SAMPLED = 10  # one record in ten is replayed when only a sample is
POLL_SECONDS = 0.5
FIT_POLL_SECONDS = 0.05
FIT_SECONDS = 60.0
"""How long another runner may take to enter the fit of a round that it closed; after that it is entered here."""


@dataclass(frozen=True, slots=True)
class BlockGame:
    """One game of the schedule: a table of a round in one rotation of its seats."""

    round: int
    table: PairedTable
    rotation: int


class BlockRunner:
    """Plays the blocks of one tournament or test on one store."""

    def __init__(
        self,
        name: str,
        terms: TournamentSettings | TestPlan,
        bots: Iterable[Bot],
        store: Store,
        now: Callable[[], datetime],
        *,
        run: RunSettings,
        sandbox: SandboxPolicy,
        start_bot: StartBot,
        open_pool: OpenPool,
    ) -> None:
        """`name` is that of the tournament, or the id of the test, which is the digest of its terms already (T19.7)."""
        self.name = name
        self.terms_digest = name
        """T13.16: what every record says of the settings."""
        self.terms = terms
        self.bots = {bot.label: bot for bot in bots}
        self.store = store
        self.now = now
        self.run_settings = run
        self.sandbox = sandbox
        self.start_bot = start_bot
        self.open_pool = open_pool
        self.pool: Pool | None = None
        self.unfinished: dict[str, Fixture] = {}
        """The matches of this round that are not stored yet, by id."""
        self._printed: dict[str, dict[int, str]] = {}  # by match and seat, until it is stored
        self._writer = MatchWriter(store, now)
        self._room: trio.CapacityLimiter

    def moment(self) -> str:
        """Return the time as the store keeps it."""
        return self.now().isoformat(timespec="seconds")

    def enter_bots(self, bots: Sequence[Bot]) -> None:
        """T2.5: store bots in this order, unless one could remember the seed of a game."""
        if self.terms.shares_secrets:
            check_shared_seeds(bots, choose(self.sandbox))
        for bot in bots:
            self.store.bots.add(bot.label, bot.manifest.name, bot.version, bot.location, bot.stored(), self.moment())

    # The pool.

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Pool]:
        """Open the pool, which verifies results as configured."""
        async with (
            open_verifier(self.run_settings.verifiers) as verifier,
            self.open_pool(
                PoolConfig(
                    self.run_settings, self.terms.fresh_process, log_level="error", sandbox=self.sandbox,
                    start_bot=self.start_bot, heard=self._hear, verify=partial(self._verify, verifier),
                    tournament=self.name, rechecked=self._rechecked,
                )
            ) as pool,
        ):  # fmt: skip
            self.pool, self._room = pool, trio.CapacityLimiter(pool.max_asked)
            yield pool

    def _hear(self, match_id: str, seat: int, printed: str) -> None:
        self._printed.setdefault(match_id, {})[seat] = printed

    async def _verify(self, verifier: Verifier, result: MatchResult) -> str | None:
        """Replay a record before its result counts, if configured."""
        verify = self.run_settings.verify
        is_sampled = sha256(result.match_id.encode()).digest()[0] % SAMPLED == 0
        wanted = verify is Verify.ALL or (verify is Verify.SAMPLE and is_sampled)
        return await verifier.check(result.record) if wanted else None

    async def _rechecked(self, recheck: Recheck) -> None:
        while not await trio.to_thread.run_sync(self.store.matches.has, recheck.match):  # noqa: ASYNC110  # not stored yet
            await trio.sleep(POLL_SECONDS)
        await trio.to_thread.run_sync(self.store.workers.add_recheck, recheck, self.moment())

    # Games.

    def games_at(self, table: PairedTable) -> int:
        """T2.2: the number of games that a table plays."""
        return len(table.bots) if self.terms.block else 1

    def games_of(self, number: int, tables: Iterable[PairedTable]) -> Iterator[BlockGame]:
        """Yield all games of a round, in canonical order."""
        return (BlockGame(number, table, rotation) for table in tables for rotation in range(self.games_at(table)))

    def draw(
        self,
        number: int,
        game: GameSettings,
        pairing: Pairing,
        *,
        is_rating: bool,
        scores: Mapping[str, int],
        metrics: Mapping[str, int],
        by_lot: bool = False,
    ) -> None:
        """T13.3: store a round as drawn, with the seeds of its games."""
        tables = []
        for table in pairing.tables:
            games = self.games_at(table)
            seeds = table_seeds(self.terms.seeding_in(number), self.terms.seed, number, table.number, games)
            tables.append(RoundTable(table.number, table.bots, seeds, games))
        self.store.tournaments.add_round(
            self.name, number, game.slug, is_rating, tables, pairing.byes, scores, metrics, by_lot=by_lot
        )

    def fixture(self, game: BlockGame, attempt: int = 0) -> Fixture:
        """T2, T13: return the seating and seed of a game."""
        place = (game.round, game.table.number, game.rotation)
        seed = game_seed(self.terms.seeding_in(game.round), self.terms.seed, *place, attempt)
        return Fixture(self.name, *place, rotated(game.table.bots, game.rotation), seed)

    def _due(self, game: BlockGame, endings: Mapping[str, Ending]) -> tuple[Fixture, int] | None:
        """T10.6, T14.2: return the next attempt at a game, None if it is done; a void game is replayed once."""
        for attempt in range(MAX_GAME_ATTEMPTS):
            fixture = self.fixture(game, attempt)
            ending = endings.get(fixture.match_id)
            if ending is None:
                return fixture, attempt
            if ending is not Ending.VOIDED:
                return None
        return None

    def _unplayed(
        self, games: Iterable[BlockGame], endings: Mapping[str, Ending]
    ) -> tuple[list[tuple[BlockGame, tuple[Fixture, int]]], dict[str, Fixture]]:
        """Return the games that are not stored yet with their next attempts, also by id; slow, where they are many."""
        due = [(each, found) for each in games if (found := self._due(each, endings)) is not None]
        return due, {fixture.match_id: fixture for _, (fixture, _attempt) in due}

    async def play(
        self,
        games: Iterable[BlockGame],
        game: GameSettings,
        present: Iterable[StoredMatch],
        stored: Callable[[MatchToStore], None] = lambda _match: None,
    ) -> None:
        """Play the games that are not stored yet, and report each match once it is stored."""
        endings = {match.id: match.ending for match in present}
        due, fixtures = await trio.to_thread.run_sync(self._unplayed, games, endings)
        self.unfinished |= fixtures
        still = Counter(each.table.number for each, _ in due)
        waiting = iter(due)

        async def play_on() -> None:
            for each, first in waiting:
                found: tuple[Fixture, int] | None = first
                count = still[each.table.number]
                while found is not None:
                    async with self._room:
                        match = await self._play(*found, game, count)
                    endings[match.fixture.match_id] = match.result.ending
                    stored(match)
                    found, count = self._due(each, endings), 1

        async with trio.open_nursery() as nursery:
            for _ in range(min(int(self._room.total_tokens), len(due))):
                nursery.start_soon(play_on)

    async def _play(self, fixture: Fixture, attempt: int, game: GameSettings, games: int) -> MatchToStore:
        assert self.pool is not None
        bots = tuple(self.bots[label] for label in fixture.seating)
        block = Block(f"{fixture.round}.{fixture.table}", games)
        self.unfinished[fixture.match_id] = fixture
        result = await self.pool.play(
            MatchToPlay(
                fixture.match_id, game.slug, game.options, bots, fixture.seed, self.terms.time_control, block,
                self.terms_digest,
            )
        )  # fmt: skip
        printed = self._printed.pop(result.match_id, {})
        match = match_to_store(self.pool, fixture, attempt, game.slug, result, printed)
        await self._writer.add(match)
        del self.unfinished[fixture.match_id]
        return match

    def close(
        self,
        number: int,
        game: GameSettings,
        matches: Iterable[StoredMatch],
        counting: Iterable[StoredMatch],
        *,
        seconds: float = 0.0,
        is_rated: bool = True,
    ) -> bool:
        """T9.5, T13: enter a round in canonical order, counting and void matches.

        T13.7: False, and nothing is entered, while the pool lacks the fit of another tournament's round.
        """
        results = [
            LedgerResult(
                fixture=match.fixture,
                pool=game.pool,
                places=match.places,
                engine=f"{game.pool}@{match.software}",
                bot_hashes=tuple(self.bots[label].version for label in match.seating),
                replay_digest=match.record_digest,
                ending=match.ending,
                scores=match.scores,
                forfeits=tuple(at for at, ending in enumerate(match.seat_endings) if ending is not Ending.COMPLETED),
                is_rated=is_rated,
            )
            for match in counting
        ]
        void = [(match.fixture, game.pool, match.reason) for match in matches if match.ending is Ending.VOIDED]
        with self.store.write():
            if self.store.pools.unfitted(game.pool) not in (None, self.name):
                return False
            self.store.tournaments.close_round(self.name, number, results, void, seconds)
            return True

    def post_fit(self, pool: str) -> bool:
        """T13.7: fit a pool as it stands and enter the fit; False if the last FIT entry holds."""
        from arena.fitting.fits import post_fit  # numpy takes long to load, and most runners share no pool

        return post_fit(self.store, pool)

    async def closing(self, pool: str, close: Callable[[], bool]) -> None:
        """T13.7: close a round once the pool has the fit of the round before, which may be another runner's.

        Its runner is about to enter the fit, so we wait for it; if it was killed in between, we enter the fit.
        """
        began = time.monotonic()
        while not await trio.to_thread.run_sync(close):
            is_overdue = time.monotonic() - began > FIT_SECONDS
            if is_overdue or not await trio.to_thread.run_sync(self._is_being_fitted, pool):
                await trio.to_thread.run_sync(self.post_fit, pool)
            else:
                await trio.sleep(FIT_POLL_SECONDS)

    def _is_being_fitted(self, pool: str) -> bool:
        waiting = self.store.pools.unfitted(pool)
        return waiting is not None and is_held(self.store, waiting)


@asynccontextmanager
async def stoppable(*, obey_signals: bool) -> AsyncIterator[trio.Nursery]:
    """Open a nursery that is cancelled on leaving, and by a signal if `obey_signals`."""
    async with trio.open_nursery() as nursery:
        if obey_signals:
            nursery.start_soon(_stop_on_signal, nursery.cancel_scope)
        yield nursery
        nursery.cancel_scope.cancel()


async def _stop_on_signal(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            scope.cancel()
