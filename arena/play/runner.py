"""The tournament runner: pair, play, store, close, round after round, until the plan is done or the night is over."""

from __future__ import annotations

import signal
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import trio

from arena.bots.directory import Bot
from arena.plan.claiming import ALL_PLACES, marks_of
from arena.plan.forecasting import Forecast, forecast, keep_forecast, needed
from arena.plan.luck import MAX_GAME_ATTEMPTS, Luck, check_shared_luck, game_seed, table_seeds
from arena.plan.rounds import History, counted, read_history, remaining, round_metrics, tables_of
from arena.plan.schedules import schedule_of
from arena.plan.stored_plan import stored_bot
from arena.plan.swiss import (
    PairedTable,
    Pairing,
    rating_scores,
)
from arena.plan.tournament_file import GamePlan, Plan, Verify, next_time
from arena.play.lease import holding_lease
from arena.play.live import OnAir
from arena.play.local_pool import open_here, start_here
from arena.play.match_to_play import Block, MatchToPlay
from arena.play.match_writer import MatchWriter, match_to_store
from arena.play.pool import Demands, OpenPool, Pool, StartBot, play_all
from arena.play.verifier import Verifier, open_verifier
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import Store
from arena.store.rows import MatchToStore, Recheck, StoredMatch, StoredRound, TournamentState
from ratings.ledger import chain, posting
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.points import MIN_SEATS, UNIT
from ratings.points.result import Fixture, LedgerResult
from ratings.sequential.claims import Claim, Mark, is_decided, stop_reason
from referee.logs import log
from referee.mistakes import UserError
from referee.order import Ending, MatchResult

if TYPE_CHECKING:
    from arena.fitting.fits import Fitter
    from ratings.fit.fit import Fit

SAMPLED = 10  # one record in so many is replayed when only a sample is


STOP_LOS, STOP_NEIGHBOURS, STOP_ERROR = 0.95, 10, 15.0  # T10: the stop rule


STOP_POLL_SECONDS = 0.5


class Watcher(Protocol):
    """Whoever follows a tournament while it runs."""

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """A round begins; some of its matches may be done from an earlier run."""

    def stored(self, match: MatchToStore) -> None:
        """A match has been stored."""

    def closed(self, round_number: int, seconds: float) -> None:
        """A round has entered the ledger."""

    def foretold(self, made: Forecast) -> None:
        """T16.5: a new forecast is available, before the first round and after every round."""


@dataclass(frozen=True, slots=True)
class BlockGame:
    """One game of the schedule: a table of a round in one rotation of its seats, at its first or second attempt."""

    table: PairedTable
    rotation: int
    attempt: int

    def fixture(self, plan: Plan, round_number: int) -> Fixture:
        """T2, T13: who sits where with which seed."""
        seats = len(self.table.bots)
        seating = tuple(self.table.bots[(seat - self.rotation) % seats] for seat in range(seats))
        seed = game_seed(plan.luck, plan.seed, round_number, self.table.number, self.rotation, self.attempt)
        return Fixture(plan.name, round_number, self.table.number, self.rotation, seating, seed)


class Runner:
    """Runs one tournament on one store, from wherever it stands."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        watcher: Watcher,
        now: Callable[[], datetime],
        *,
        start_bot: StartBot = start_here,
        deadline: datetime | None = None,
        sandbox: SandboxPolicy = SandboxPolicy.AUTO,
        on_air: OnAir | None = None,
        log_level: str = "error",
        open_pool: OpenPool = open_here,
    ) -> None:
        """Check the plan's schedule; `deadline` is used in the place of the next time that clocks show `until`."""
        self.plan = plan
        self.store = store
        self.watcher = watcher
        self.now = now
        self.start_bot = start_bot
        self.sandbox = sandbox
        self.on_air = OnAir() if on_air is None else on_air
        self.log_level = log_level
        self.open_pool = open_pool
        self.bots: dict[str, Bot] = {bot.label: bot for bot in (*plan.bots, *plan.house_bots)}
        self.house = tuple(bot.label for bot in plan.house_bots)
        self.deadline = deadline or (next_time(plan.until, now()) if plan.until else None)
        self.schedule, self.terms = schedule_of(plan.settings())
        self.printed: dict[str, dict[int, str]] = {}  # by match and seat, until it is stored
        self.history: History | None = None
        """What the closed rounds add up to, as far as they have been read."""
        self._entered_claims: set[Claim] = set()
        self._foretold: Forecast | None = None
        self.writer = MatchWriter(store, now)
        self.pool: Pool | None = None
        self.unfinished: dict[str, Fixture] = {}
        """The matches of this round that are not stored yet, by id."""

    @cached_property
    def _fitter(self) -> Fitter:
        """What fits ratings, with numpy: it takes long to load, and the first round can start without it."""
        from arena.fitting.fits import Fitter

        return Fitter(self.store)

    def enter(self) -> bool:
        """Enter bots and tournament in the store; False if the tournament was there already."""
        now = self.now().isoformat(timespec="seconds")
        begun = next((each for each in self.store.tournaments.all() if each.id == self.plan.name), None)
        if begun is not None:
            self.plan = self.plan.as_begun(begun.settings)
            self.schedule, self.terms = schedule_of(self.plan.settings())
        if self.plan.luck is Luck.SHARED:
            check_shared_luck(self.bots.values(), choose(self.sandbox))
        for bot in self.bots.values():
            self.store.bots.add(bot.label, bot.manifest.name, bot.version, bot.location, bot.stored(), now)
        pools = [(game.pool, game.slug, game.rules_version) for game in self.plan.games]
        is_new = self.store.tournaments.add(self.plan.name, self.plan.settings(), self.plan.running(), pools, now)
        try:
            with self.store.write() as connection:
                for pool, _game, _rules_version in pools:
                    for label, rating in self.plan.anchors.items():
                        posting.record_anchor(connection, pool, label, rating * 1000)
        except chain.LedgerError as error:
            raise UserError(f"anchors: {error}") from None
        return is_new

    async def run(self, *, obey_signals: bool = True) -> TournamentState:
        """Play on until the tournament is finished, or stopped: by request or, unless others listen, by a signal.

        A UserError if another runner plays it.
        """
        async with holding_lease(self.store, self.plan.name):
            return await self._run(obey_signals=obey_signals)

    async def _run(self, *, obey_signals: bool) -> TournamentState:
        self._set_state(TournamentState.RUNNING, "")
        reason = "stopped"
        async with trio.open_nursery() as nursery:
            if obey_signals:
                nursery.start_soon(self._stop_on_signal, nursery.cancel_scope)
            nursery.start_soon(self._stop_on_request, nursery.cancel_scope)
            reason = await self._play_rounds()
            nursery.cancel_scope.cancel()
        state = TournamentState.STOPPED if reason == "stopped" else TournamentState.FINISHED
        self._set_state(state, reason)
        log.info("tournament.ended", tournament=self.plan.name, state=state, reason=reason)
        return state

    def _set_state(self, state: TournamentState, reason: str) -> None:
        self.store.tournaments.set_state(self.plan.name, state, reason, self.now().isoformat(timespec="seconds"))

    async def _stop_on_signal(self, scope: trio.CancelScope) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _number in signals:
                scope.cancel()

    async def _stop_on_request(self, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(STOP_POLL_SECONDS)
            if await trio.to_thread.run_sync(self.store.tournaments.is_stop_requested, self.plan.name):
                scope.cancel()

    async def _play_rounds(self) -> str:
        """Play round after round and return why there are no more."""
        async with (
            open_verifier(self.plan.verifiers) as verifier,
            self.open_pool(
                Demands(
                    referees=self.plan.referees, at_once=self.plan.at_once, fresh_process=self.plan.fresh_process,
                    log_level=self.log_level, sandbox=self.sandbox, start_bot=self.start_bot, heard=self._hear,
                    verify=partial(self._verify, verifier), tournament=self.plan.name, chunk=self.plan.chunk,
                    cluster_class=self.plan.cluster_class or "", recheck=self.plan.recheck, rechecked=self._rechecked,
                )
            ) as pool,
        ):  # fmt: skip
            self.pool = pool
            with self.on_air.announced(self):
                while True:
                    stored = await trio.to_thread.run_sync(self._current_round)
                    if isinstance(stored, str):
                        return stored
                    self._foretell()
                    await self._play_round(stored, pool)

    async def _rechecked(self, recheck: Recheck) -> None:
        now = self.now().isoformat(timespec="seconds")
        while not await trio.to_thread.run_sync(self.store.matches.has, recheck.match):  # noqa: ASYNC110  # not stored yet
            await trio.sleep(STOP_POLL_SECONDS)
        await trio.to_thread.run_sync(self.store.workers.add_recheck, recheck, now)

    def _hear(self, match_id: str, seat: int, printed: str) -> None:
        self.printed.setdefault(match_id, {})[seat] = printed

    # Pairing.

    def _current_round(self) -> StoredRound | str:
        """Return the round to be played, paired now if it is not in the store yet, or why there is none."""
        history = self._history_now()
        number = len(history.rounds) + 1
        # Here and not where a round closes, so that an arena killed in between makes up for it.
        if history.rounds and self._fitter.post(self._game_of(number - 1).pool):
            self.store.heads.publish()
        self._enter_claims(history)
        self._forecast(history)
        if paired := self.store.tournaments.rounds(self.plan.name, number):
            return paired[0]
        over = self._reason_to_end(history)
        if over:
            return over
        game = self._game_of(number)
        for bot, rounds in history.forfeited_rounds.items():
            if rounds >= self.plan.withdraw_after:
                log.warning("bot.withdrawn", bot=bot, reason=f"forfeited every game of {rounds} rounds in a row")
        scores = self._scores(game, self.schedule.seeded(self.terms, history))
        drawn = self.schedule.draw(self.terms, history, scores)
        if drawn is None:
            return "too few bots are left"
        if self._is_beyond_budget(history, number, drawn):
            return self._unfinished(history, "the budget is used up")
        with self.store.write():
            # A match made void meanwhile, or a bot that has joined or left, would have changed the draw.
            state = (self.store.corrections.count(self.plan.name), len(self.store.tournaments.changes(self.plan.name)))
            if state == (history.corrections, history.changes):
                self._store_pairing(history, game, number, drawn, scores)
                return self.store.tournaments.rounds(self.plan.name, number)[0]
        return self._current_round()

    def _scores(self, game: GamePlan, bots: Iterable[str]) -> dict[str, int]:
        """T4.3: the fitted strengths of bots as the integers that a round is drawn from."""
        wanted = list(bots)
        fitted = self._fitter.fit(game.pool) if wanted else None
        strengths = {} if fitted is None else fitted.pairing_strengths()
        return rating_scores({bot: strengths.get(bot, 0.0) for bot in wanted}, UNIT)

    def _game_of(self, round_number: int) -> GamePlan:
        """Rounds go through the games in turn."""
        return self.plan.games[(round_number - 1) % len(self.plan.games)]

    def _history_now(self) -> History:
        """Return what all closed rounds add up to; only those that have closed since the last time are read."""
        if self.history is not None and self.history.corrections != self.store.corrections.count(self.plan.name):
            self.history = None
        self.history = read_history(
            self.store, self.store.tournaments.find(self.plan.name), self.history, with_claims=True
        )
        for label in self.history.entrants:
            if label not in self.bots:
                self.bots[label] = stored_bot(self.store, label)
        return self.history

    def _reason_to_end(self, history: History) -> str:
        number = len(history.rounds) + 1
        if over := self.schedule.is_over(self.terms, history):
            return over
        # A round is expected to take as long as the longest so far, so that none is cut off.
        if self.deadline is not None and (self.deadline - self.now()).total_seconds() < history.longest_seconds:
            return self._unfinished(history, f"no further round can end by {self.plan.until}")
        if self.schedule.is_rating(self.terms, number):
            if self.terms.top is not None:
                marks = self._marks(history)
                return self._unfinished(history, "") if marks and is_decided(marks) else ""
            if self.schedule.is_rating(self.terms, number - 1) and self._is_decided():
                return "the rule of its time ended it: likelihoods of 95 %, or narrow intervals; the order may be wrong"
        return ""

    def _marks(self, history: History) -> tuple[Mark, ...]:
        """T16.3: what stands between neighbours of the fitted order, game after game; nothing before there is one."""
        marks: list[Mark] = []
        active = {entrant.bot for entrant in remaining(history, self.plan.withdraw_after)}
        for at, game in enumerate(self.plan.games):
            claims = None if history.claims is None else history.claims.by_game.get(at)
            fitted = self._fitter.fit(game.pool)
            if claims is None or fitted is None:
                return ()
            order = [line.bot for line in fitted.ratings() if line.bot in active]
            marks += marks_of(order, claims, self.terms.top or ALL_PLACES)
        return tuple(marks)

    def _unfinished(self, history: History, cause: str) -> str:
        """T16.3: why the tournament ends, and how many neighbours are open by then."""
        marks = () if self.terms.top is None else self._marks(history)
        return stop_reason(marks, cause, top=self.terms.top or None) if marks else cause

    def _enter_claims(self, history: History) -> None:
        """T17.4: enter what has been claimed since the last time; here, like fits, to make up for an arena killed."""
        if history.claims is None:
            return
        for at, claims in history.claims.by_game.items():
            made = [claim for claim in claims.made.values() if claim not in self._entered_claims]
            if made:
                name = self.plan.games[at].slug if len(self.plan.games) > 1 else None
                self.store.tournaments.enter_claims(self.plan.name, claims, made, name)
                self._entered_claims.update(made)

    def _forecast(self, history: History) -> None:
        """T16.5: work out and keep what is still needed, if the order is to be decided at all."""
        if self.terms.top is None or not self.terms.rating_rounds or not self.plan.is_block:
            return
        active = {entrant.bot for entrant in remaining(history, self.plan.withdraw_after)}
        if len(active) < MIN_SEATS:
            return
        needs = []
        for at, game in enumerate(self.plan.games):
            claims = None if history.claims is None else history.claims.by_game.get(at)
            entrants = len(active) if claims is None else len(claims.entrants)
            needs.append(needed(self._list(game, active), claims, entrants, game.sizes.preferred, self.terms.top))
        pace = history.seconds / history.matches if history.matches else None
        budget = max(0, self.plan.match_budget - history.matches)
        made = forecast(len(history.rounds), needs, pace, self.terms.top, budget)
        keep_forecast(self.store, self.plan.name, made)
        self._foretold = made

    def _list(self, game: GamePlan, active: set[str]) -> list[tuple[str, float]]:
        """T16.5: the bots by the last fit that is kept; those that it does not know stand last, with no gap."""
        from arena.fitting.fits import read_fit  # likewise

        fitted = read_fit(self.store, None, game.pool)
        known = [] if fitted is None else [(line.bot, line.rating) for line in fitted.ratings if line.bot in active]
        known.sort(key=lambda each: -each[1])
        lowest = known[-1][1] if known else 0.0
        return known + [(bot, lowest) for bot in sorted(active - {bot for bot, _ in known})]

    def _foretell(self) -> None:
        if self._foretold is not None:
            made, self._foretold = self._foretold, None
            log.info("forecast.made", tournament=self.plan.name, round=made.round, games=made.games, words=made.words)
            self.watcher.foretold(made)

    def _is_beyond_budget(self, history: History, number: int, drawn: Pairing) -> bool:
        """T10: rating rounds end where the next one, as it is drawn, has more matches than are left."""
        matches = sum(self._games_at(table) for table in drawn.tables)
        return self.schedule.is_rating(self.terms, number) and history.matches + matches > self.plan.match_budget

    def _is_decided(self) -> bool:
        """T10: the stop rule, in every game of the tournament."""
        return all(_is_clear(fitted) for game in self.plan.games if (fitted := self._fitter.fit(game.pool)) is not None)

    def _store_pairing(
        self, history: History, game: GamePlan, number: int, pairing: Pairing, scores: dict[str, int]
    ) -> None:
        is_rating = self.schedule.is_rating(self.terms, number)
        metrics = round_metrics(history, pairing, game.sizes.preferred, self.house, is_rating=is_rating)
        plan = self.plan
        tables = []
        for table in pairing.tables:
            games = self._games_at(table)
            seeds = table_seeds(plan.luck, plan.seed, number, table.number, games)
            tables.append(RoundTable(table.number, table.bots, seeds, games))
        self.store.tournaments.add_round(plan.name, number, game.slug, is_rating, tables, pairing.byes, scores, metrics)

    def _games_at(self, table: PairedTable) -> int:
        return len(table.bots) if self.plan.is_block else 1

    # Playing.

    async def _play_round(self, stored: StoredRound, pool: Pool) -> None:
        started = time.monotonic()
        game = next(game for game in self.plan.games if game.slug == stored.game)
        tables = tables_of(stored)
        schedule = [BlockGame(table, rotation, 0) for table in tables for rotation in range(self._games_at(table))]
        present = {match.id: match for match in self.store.matches.of(self.plan.name, stored.number)}
        rounds = sum(self.schedule.planned(self.terms, stored.number))
        self.watcher.paired(stored.number, rounds, game.slug, len(schedule), len(present))
        log.info("round.paired", tournament=self.plan.name, round=stored.number, game=game.slug, tables=len(tables))
        for attempt in range(MAX_GAME_ATTEMPTS):
            games = [BlockGame(each.table, each.rotation, attempt) for each in schedule]
            missing = [each for each in games if each.fixture(self.plan, stored.number).match_id not in present]
            await self._play_games(missing, stored, game, pool)
            present = {match.id: match for match in self.store.matches.of(self.plan.name, stored.number)}
            schedule = [
                each
                for each in games
                if present[each.fixture(self.plan, stored.number).match_id].ending is Ending.VOIDED
            ]
            if not schedule:
                break
        seconds = time.monotonic() - started
        await trio.to_thread.run_sync(self._close, stored, game, seconds)
        log.info(
            "round.finished",
            tournament=self.plan.name,
            round=stored.number,
            matches=len(present),
            seconds=round(seconds, 1),
        )
        self.watcher.closed(stored.number, seconds)

    async def _play_games(self, games: Sequence[BlockGame], stored: StoredRound, game: GamePlan, pool: Pool) -> None:
        fixtures = [each.fixture(self.plan, stored.number) for each in games]
        self.unfinished = {fixture.match_id: fixture for fixture in fixtures}
        still = Counter(fixture.table for fixture in fixtures)
        orders = [
            MatchToPlay(
                fixture.match_id, game.slug, game.options, tuple(self.bots[bot] for bot in fixture.seating),
                fixture.seed,
                self.plan.time_control,
                Block(f"{stored.number}.{fixture.table}", still[fixture.table]),
            )
            for fixture in fixtures
        ]  # fmt: skip

        async def report(number: int, result: MatchResult) -> None:
            printed = self.printed.pop(result.match_id, {})
            match = match_to_store(pool, fixtures[number], games[number].attempt, game.slug, result, printed)
            await self.writer.add(match)
            self.unfinished.pop(result.match_id, None)
            self.watcher.stored(match)

        await play_all(pool, orders, pool.most_asked, report)

    async def _verify(self, verifier: Verifier, result: MatchResult) -> str | None:
        """Replay a record before its result counts, if the plan asks for it."""
        wanted = self.plan.verify is Verify.ALL or (self.plan.verify is Verify.SAMPLE and _is_sampled(result.match_id))
        return await verifier.check(result.record) if wanted else None

    def _close(self, stored: StoredRound, game: GamePlan, seconds: float) -> None:
        """T9.5, T13: enter the round in canonical order: what counts, and what is void."""
        matches = self.store.matches.of(self.plan.name, stored.number)
        results = [self._ledger_result(match, game) for match in counted(matches).values()]
        given_up = [
            (_fixture_of(self.plan.name, match), game.pool, match.reason)
            for match in matches
            if match.ending is Ending.VOIDED
        ]
        self.store.tournaments.close_round(self.plan.name, stored.number, results, given_up, stored.seconds + seconds)

    def _ledger_result(self, match: StoredMatch, game: GamePlan) -> LedgerResult:
        return LedgerResult(
            fixture=_fixture_of(self.plan.name, match),
            pool=game.pool,
            places=match.places,
            engine=f"{game.pool}@{match.software}",
            bot_hashes=tuple(self.bots[bot].version for bot in match.seating),
            replay_digest=match.record_digest,
            ending=match.ending,
            scores=match.scores,
            forfeits=tuple(seat for seat, ending in enumerate(match.seat_endings) if ending is not Ending.COMPLETED),
        )


def _fixture_of(tournament: str, match: StoredMatch) -> Fixture:
    return Fixture(tournament, match.round, match.table, match.game_number, match.seating, match.seed)


def _is_sampled(match_id: str) -> bool:
    return sha256(match_id.encode()).digest()[0] % SAMPLED == 0


def _is_clear(fitted: Fit) -> bool:
    """T10: the first neighbours are told apart, or the intervals are narrow enough."""
    lines = [line for line in fitted.ratings() if not line.is_anchor]
    if statistics.median(line.error for line in lines) <= STOP_ERROR:
        return True
    neighbours = list(pairwise(lines))[:STOP_NEIGHBOURS]
    return all((fitted.los(better.bot, worse.bot) or 0) >= STOP_LOS for better, worse in neighbours)
