"""The tournament runner: pairs, plays and closes round after round until the plan is done or the time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

import trio

from arena.plan.ending import BUDGET, TOO_FEW, deadline_cause, why_it_ends, words_between
from arena.plan.forecasting import Forecast, forecast, keep_forecast, needed
from arena.plan.rounds import History, counted, read_history, remaining, round_metrics, tables_of
from arena.plan.schedules import SCHEDULES
from arena.plan.seeding import UNDRAWN
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.stored_plan import stored_bot
from arena.plan.swiss import Pairing, lot_scores, rating_scores
from arena.plan.tournament_file import Plan, next_time
from arena.play.blocks import POLL_SECONDS, BlockRunner, stoppable
from arena.play.lease import holding_lease
from arena.play.live import LiveTournaments
from arena.play.local_pool import open_here, start_here
from arena.play.pool import OpenPool, StartBot
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import Store
from arena.store.rows import MatchToStore, StoredRound, TournamentState
from ratings.ledger import chain, posting
from ratings.ledger.entry_bodies import terms_digest, tournament_body
from ratings.points.points import MIN_SEATS, UNIT
from ratings.sequential.claims import Claim, ClaimWord, is_decided
from referee.logs import log
from referee.mistakes import UserError

if TYPE_CHECKING:
    from arena.fitting.fits import Fitter


class Watcher(Protocol):
    """Observes a running tournament."""

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """A round begins; some of its matches may be done from an earlier run."""

    def stored(self, match: MatchToStore) -> None:
        """A match has been stored."""

    def closed(self, round_number: int, seconds: float) -> None:
        """A round has entered the ledger."""

    def foretold(self, made: Forecast) -> None:
        """T16.5: a new forecast is available, before the first round and after every other."""


class Runner(BlockRunner):
    """Runs or resumes one tournament on one store."""

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
        live: LiveTournaments | None = None,
        open_pool: OpenPool = open_here,
    ) -> None:
        """`deadline` overrides the next occurrence of `until`."""
        super().__init__(
            plan.name, plan.settings, (*plan.bots, *plan.house_bots), store, now,
            run=plan.run, sandbox=sandbox, start_bot=start_bot, open_pool=open_pool,
        )  # fmt: skip
        self.terms_digest = terms_digest(tournament_body(plan.name, plan.settings.to_plain()))
        self.plan = plan
        self.watcher = watcher
        self.live = LiveTournaments() if live is None else live
        self.settings = plan.settings
        self.schedule = SCHEDULES[self.settings.format]
        self.deadline = deadline or (next_time(plan.run.until, now()) if plan.run.until else None)
        self.history: History | None = None
        """The closed rounds read so far."""
        self._entered_claims: set[Claim] = set()
        self._foretold: Forecast | None = None

    @cached_property
    def _fitter(self) -> Fitter:
        """The fitter; numpy takes long to load, and the first round can start without it."""
        from arena.fitting.fits import Fitter

        return Fitter(self.store)

    def post_fit(self, pool: str) -> bool:
        """T13.7: as for any runner, reusing what this one has already read of the pool; publish the head."""
        is_new = self._fitter.post(pool)
        if is_new:
            self.store.heads.publish()
        return is_new

    def enter(self) -> bool:
        """Enter bots and tournament in the store; return whether the tournament is new."""
        self.enter_bots(tuple(self.bots.values()))
        pools = [(game.pool, game.slug, game.rules_version) for game in self.settings.games]
        settings, run = self.settings.to_plain(), self.plan.run.to_plain()
        is_new = self.store.tournaments.add(self.name, settings, run, pools, self.moment(), self.plan.secret)
        if is_new and self.settings.commitment:
            self.store.heads.publish()  # T2.8: a kept head holds the organiser to the commitment
        try:
            with self.store.write() as connection:
                for pool, _game, _rules_version in pools:
                    for label, rating in self.settings.anchors.items():
                        posting.record_anchor(connection, pool, label, rating * 1000)
        except chain.LedgerError as error:
            raise UserError(f"anchors: {error}") from None
        return is_new

    async def run(self, *, obey_signals: bool = True) -> TournamentState:
        """Play until the tournament is finished, or stopped by request or signal.

        A UserError if another runner plays it. T10.8: nothing is played after its end.
        """
        if await trio.to_thread.run_sync(self.store.tournaments.has_ended, self.name):
            return TournamentState.FINISHED
        async with holding_lease(self.store, self.name):
            if missing := await trio.to_thread.run_sync(self._settle_seed):
                reason = f"it waits for {' and '.join(missing)}: see arena tournament nonce"
                await self._set_state(TournamentState.STOPPED, reason)
                return TournamentState.STOPPED
            await self._set_state(TournamentState.RUNNING, "")
            reason = "stopped"
            async with stoppable(obey_signals=obey_signals) as nursery:
                nursery.start_soon(self._stop_on_request, nursery.cancel_scope)
                reason = await self._play_rounds()
            state = TournamentState.STOPPED if reason == "stopped" else TournamentState.FINISHED
            if state is TournamentState.FINISHED:
                await self._finish(reason)
            else:
                await self._set_state(state, reason)
            log.info("tournament.ended", tournament=self.name, state=state, reason=reason)
            return state

    async def _set_state(self, state: TournamentState, reason: str) -> None:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self.store.tournaments.set_state, self.name, state, reason, self.moment())

    async def _finish(self, reason: str) -> None:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self.store.tournaments.finish, self.name, reason, self.moment())
            await trio.to_thread.run_sync(self.store.heads.publish)

    def _settle_seed(self) -> list[str]:
        """T2.9: take the seed that follows from all nonces; return the sources that are missing."""
        if self.settings.seed != UNDRAWN:
            return []
        missing = self.store.tournaments.missing_nonces(self.name)
        if not missing:
            self.settings = self.terms = TournamentSettings.of(self.store.tournaments.find(self.name))
            self.plan = replace(self.plan, settings=self.settings)
        return missing

    async def _stop_on_request(self, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(POLL_SECONDS)
            if await trio.to_thread.run_sync(self.store.tournaments.is_stop_requested, self.name):
                scope.cancel()

    async def _play_rounds(self) -> str:
        """Play round after round and return why there are no more."""
        async with self.opened():
            with self.live.announced(self):
                while True:
                    stored = await trio.to_thread.run_sync(self._current_round)
                    if isinstance(stored, str):
                        return stored
                    self._foretell()
                    await self._play_round(stored)

    # Pairing.

    def _current_round(self) -> StoredRound | str:
        """Return the round to play, paired now if it is not stored yet, or why there is none."""
        history = self._history_now()
        number = len(history.rounds) + 1
        # Here rather than where a round closes, so that an arena killed in between catches up.
        if history.rounds:
            self.post_fit(self.settings.game_in(number - 1).pool)
        self._enter_claims(history)
        self._forecast(history)
        if paired := self.store.tournaments.rounds(self.name, number):
            return paired[0]
        if over := self._reason_to_end(history):
            return over
        game = self.settings.game_in(number)
        for bot, rounds in history.forfeited_rounds.items():
            if rounds >= self.settings.withdraw_after:
                log.warning("bot.withdrawn", bot=bot, reason=f"forfeited every game of {rounds} rounds in a row")
        by_lot = self.schedule.is_by_lot(self.settings, history)
        scores = self._scores(game, self.schedule.seeded(self.settings, history), number if by_lot else None)
        draw = self.schedule.draw_by_lot if by_lot else self.schedule.draw
        drawn = draw(self.settings, history, scores)
        if drawn is None:
            return TOO_FEW
        if self._is_beyond_budget(history, number, drawn):
            return self._unfinished(history, BUDGET)
        with self.store.write():
            # A match voided meanwhile, or a bot that joined or left, would have changed the draw.
            state = (self.store.corrections.count(self.name), len(self.store.tournaments.changes(self.name)))
            if state == (history.corrections, history.changes):
                self._store_pairing(history, game, number, drawn, scores, by_lot=by_lot)
                return self.store.tournaments.rounds(self.name, number)[0]
        return self._current_round()

    def _scores(self, game: GameSettings, bots: Iterable[str], lots: int | None) -> dict[str, int]:
        """T4.3: return the fitted strengths of bots as the integers that a round is drawn from.

        `lots` is the number of a round that is drawn by lot instead (T4.4).
        """
        wanted = list(bots)
        if lots is not None:
            return lot_scores(wanted, UNIT, seed=self.settings.seed, round_number=lots)
        fitted = self._fitter.fit(game.pool) if wanted else None
        strengths = {} if fitted is None else fitted.pairing_strengths()
        return rating_scores({bot: strengths.get(bot, 0.0) for bot in wanted}, UNIT)

    def _history_now(self) -> History:
        """Return the history of all closed rounds; only newly closed ones are read."""
        if self.history is not None and self.history.corrections != self.store.corrections.count(self.name):
            self.history = None
        self.history = read_history(self.store, self.store.tournaments.find(self.name), self.history, with_claims=True)
        for label in self.history.entrants:
            if label not in self.bots:
                self.bots[label] = stored_bot(self.store, label)
        return self.history

    def _reason_to_end(self, history: History) -> str:
        number = len(history.rounds) + 1
        if over := self.schedule.is_over(self.settings, history):
            return over
        # A round is expected to take as long as the longest so far, so that none is cut off.
        if self.deadline is not None and (self.deadline - self.now()).total_seconds() < history.longest_seconds:
            return self._unfinished(history, deadline_cause(self.plan.run.until))
        if self.schedule.is_rating(self.settings, number):
            words = self._claims_between(history)
            return self._unfinished(history, "") if words and is_decided(words) else ""
        return ""

    def _claims_between(self, history: History) -> tuple[ClaimWord, ...]:
        """T16.3: return the claims between neighbours of the fitted order, game by game; empty without a fit."""
        fits = {game.pool: self._fitter.fit(game.pool) for game in self.settings.games}
        orders = {pool: [line.bot for line in fit.ratings()] for pool, fit in fits.items() if fit is not None}
        return words_between(self.settings, history, orders)

    def _unfinished(self, history: History, cause: str) -> str:
        """T16.3: return why the tournament ends, and the number of neighbours still open."""
        words = self._claims_between(history) if self.settings.makes_claims else ()
        return why_it_ends(self.settings, words, cause)

    def _enter_claims(self, history: History) -> None:
        """T17.4: enter new claims; here, like fits, so that a killed arena catches up."""
        if history.claims is None:
            return
        for at, claims in history.claims.by_game.items():
            made = [claim for claim in claims.made.values() if claim not in self._entered_claims]
            if made:
                name = self.settings.games[at].slug if len(self.settings.games) > 1 else None
                self.store.tournaments.enter_claims(self.name, claims, made, name)
                self._entered_claims.update(made)

    def _forecast(self, history: History) -> None:
        """T16.5: compute and keep a forecast, if the tournament is to decide the order."""
        if self.settings.top is None or not self.settings.rating_rounds or not self.settings.block:
            return
        active = {entrant.bot for entrant in remaining(history, self.settings.withdraw_after)}
        if len(active) < MIN_SEATS:
            return
        needs = []
        for at, game in enumerate(self.settings.games):
            claims = None if history.claims is None else history.claims.by_game.get(at)
            entrants = len(active) if claims is None else len(claims.entrants)
            needs.append(needed(self._list(game, active), claims, entrants, game.sizes.preferred, self.settings.top))
        pace = history.seconds / history.matches if history.matches else None
        budget = max(0, self.settings.match_budget - history.matches)
        made = forecast(len(history.rounds), needs, pace, self.settings.top, budget)
        keep_forecast(self.store, self.name, made)
        self._foretold = made

    def _list(self, game: GameSettings, active: set[str]) -> list[tuple[str, float]]:
        """T16.5: return the bots by the last kept fit; unknown ones come last, with no gap."""
        from arena.fitting.fits import read_fit  # likewise

        fitted = read_fit(self.store, None, game.pool)
        known = [] if fitted is None else [(line.bot, line.rating) for line in fitted.ratings if line.bot in active]
        known.sort(key=lambda each: -each[1])
        lowest = known[-1][1] if known else 0.0
        return known + [(bot, lowest) for bot in sorted(active - {bot for bot, _ in known})]

    def _foretell(self) -> None:
        if self._foretold is not None:
            made, self._foretold = self._foretold, None
            log.info("forecast.made", tournament=self.name, round=made.round, games=made.games, words=made.words)
            self.watcher.foretold(made)

    def _is_beyond_budget(self, history: History, number: int, drawn: Pairing) -> bool:
        """T10: rating rounds end where the next one, as drawn, has more matches than are left."""
        matches = sum(map(self.games_at, drawn.tables))
        return self.schedule.is_rating(self.settings, number) and history.matches + matches > self.settings.match_budget

    def _store_pairing(
        self,
        history: History,
        game: GameSettings,
        number: int,
        pairing: Pairing,
        scores: dict[str, int],
        *,
        by_lot: bool,
    ) -> None:
        is_rating = self.schedule.is_rating(self.settings, number)
        metrics = round_metrics(history, pairing, game.sizes.preferred, self.settings.house_bots, is_rating=is_rating)
        self.draw(number, game, pairing, is_rating=is_rating, scores=scores, metrics=metrics, by_lot=by_lot)

    # Playing.

    async def _play_round(self, stored: StoredRound) -> None:
        started = time.monotonic()
        game = next(game for game in self.settings.games if game.slug == stored.game)
        tables = await trio.to_thread.run_sync(tables_of, stored)
        games = await trio.to_thread.run_sync(lambda: list(self.games_of(stored.number, tables)))
        present = await trio.to_thread.run_sync(self.store.matches.of, self.name, stored.number)
        rounds = sum(self.schedule.planned(self.settings, stored.number))
        self.watcher.paired(stored.number, rounds, game.slug, len(games), len(present))
        log.info("round.paired", tournament=self.name, round=stored.number, game=game.slug, tables=len(tables))
        await self.play(games, game, present, self.watcher.stored)
        seconds = time.monotonic() - started
        matches = await trio.to_thread.run_sync(self.store.matches.of, self.name, stored.number)
        total = stored.seconds + seconds
        counting = await trio.to_thread.run_sync(counted, matches)
        close = partial(self.close, stored.number, game, matches, counting.values(), seconds=total)
        await self.closing(game.pool, close)
        log.info(
            "round.finished", tournament=self.name, round=stored.number, matches=len(matches), seconds=round(seconds, 1)
        )
        self.watcher.closed(stored.number, seconds)
