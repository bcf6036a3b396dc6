"""Tests inside the server: an author asks whether a version is better, within a quota."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, timedelta
from functools import partial
from typing import Any

import trio

from arena.bots.directory import Bot
from arena.plan.entrants import find_entry
from arena.plan.test_plan import TestPlan
from arena.plan.test_request import TestQuestion, TestRequest, house_bots, request_test, stored_test
from arena.play.test_runner import TEST_RUN, TestRunner
from arena.reports.test_report import TestReport, report_of_test
from arena.server.served import Served
from arena.server.submissions import NotYoursError, QuotaError
from arena.store.rows import TournamentState
from arena.store.tokens import Role, Token
from arena.store.tournaments import SHOWN_ID
from ratings.ledger.test_entries import TestEntry
from ratings.sequential.test import Verdict
from referee.logs import log
from referee.mistakes import NotFoundError, UserError

MAX_PLAYING = 2  # tests played concurrently, of all authors; the others are queued
MAX_OF_ONE = 3  # tests of one author that are queued or being played
QUOTA_GAMES = 20_000  # test games per author and day, unless the server says otherwise: 5,000 blocks of 4
QUOTA_TIME = timedelta(hours=24)
REMOTE_WAIT_SECONDS = 60.0
MIN_PREFIX = 8  # digits of an id that name a test


@dataclass(slots=True, eq=False)
class Playing:
    """A test that is being played or queued, and its watchers."""

    runner: TestRunner
    asker: str
    latest: TestReport
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    changed: trio.Event = field(default_factory=trio.Event)
    ended: trio.Event = field(default_factory=trio.Event)
    is_abandoned: bool = False
    fault: str = ""
    """Why it failed."""

    def judged(self, runner: TestRunner) -> None:
        """Publish a judged block; a slow watcher sees the latest only."""
        if runner.progress.verdict is None:  # the final report is slow, and made when the test has ended
            self._publish(report_of_test(runner))

    async def end(self) -> None:
        """Publish the final report."""
        with trio.CancelScope(shield=True):
            report = await trio.to_thread.run_sync(report_of_test, self.runner)
        self.ended.set()
        self._publish(report)

    def _publish(self, report: TestReport) -> None:
        self.latest = report
        changed, self.changed = self.changed, trio.Event()
        changed.set()


@dataclass(slots=True, eq=False, kw_only=True)
class Tests(Served):
    """The tests of one server."""

    quota: int
    playing: dict[str, Playing] = field(default_factory=dict, init=False)
    _turns: trio.CapacityLimiter = field(default_factory=partial(trio.CapacityLimiter, MAX_PLAYING), init=False)

    async def start(
        self, new: str, old: str, question: TestQuestion, fillers: Sequence[str], token: Token
    ) -> tuple[TestReport, bool]:
        """Start a test, or resume the open one on the same terms; return its report and whether it was open.

        A UserError says why it cannot be tested; NotYoursError and QuotaError refuse other authors' bots and excess.
        """
        async with self._asking:
            request = await trio.to_thread.run_sync(self._request, new, old, question, token)
            opened = await trio.to_thread.run_sync(request.open_test, self.store)
            if opened is not None and opened.id in self.playing:
                return self.playing[opened.id].latest, True
            await trio.to_thread.run_sync(self._check_quota, request, token)
            plan = await trio.to_thread.run_sync(partial(self._plan, request, opened, fillers))
            playing = await self._begin(plan, token.name)
            return playing.latest, opened is not None

    def _request(self, new: str, old: str, question: TestQuestion, token: Token) -> TestRequest:
        if question.seed is not None:
            raise UserError("seed: the server draws it, since it decides what comes")
        pair = [find_entry(self.store, name) for name in (new, old)]
        if token.role is not Role.ORGANISER:
            for bot in pair:
                if self.store.bots.author_of(bot.manifest.name) != token.name:
                    raise NotYoursError(f"bot: {bot.manifest.name!r} is not yours; expected two bots of your own")
        return request_test(pair[0], pair[1], question, may_be_remote=self._is_here)

    def _is_here(self, bot: Bot) -> bool:
        if not self.remote.is_connected(bot.label):
            raise UserError(f"bot: {bot.label} is remote and not connected; connect it first")
        return True

    def _check_quota(self, request: TestRequest, token: Token) -> None:
        """Raise a QuotaError if an author has too many tests, or too many test games."""
        if token.role is Role.ORGANISER:
            return
        if sum(playing.asker == token.name for playing in self.playing.values()) >= MAX_OF_ONE:
            raise QuotaError(f"test: you already have {MAX_OF_ONE} tests queued or being played")
        most = request.question.max_blocks * request.sizes[0]
        if most > self.quota:
            raise QuotaError(
                f"max_blocks: {request.question.max_blocks:,} blocks of {request.sizes[0]} games exceed the limit of"
                f" {self.quota:,} games per test"
            )
        since = (self.now().astimezone(UTC) - QUOTA_TIME).isoformat(timespec="seconds")
        used = self.store.tests.games_since(token.name, since)
        if used >= self.quota:
            raise QuotaError(f"test: quota exceeded: {used:,} of {self.quota:,} games within a day; try later")

    def _plan(self, request: TestRequest, opened: TestEntry | None, fillers: Sequence[str]) -> TestPlan:
        if opened is not None:
            return request.resumed(self.store, opened)
        chosen = [find_entry(self.store, name) for name in fillers] if fillers else None
        # A house bot must not be taken for a version of an author's bot of the same name.
        found = ((bot, self.store.bots.by_name(bot.manifest.name)) for bot in house_bots())
        house = [bot for bot, named in found if named is None or named.author is None]
        return request.begun(self.store, chosen, house)

    async def _begin(self, plan: TestPlan, asker: str) -> Playing:
        runner = TestRunner(
            plan, self.store, self.now, run=replace(TEST_RUN, referees=1), sandbox=self.sandbox,
            start_bot=self.remote.starter(REMOTE_WAIT_SECONDS), open_pool=self.open_pool,
        )  # fmt: skip
        await trio.to_thread.run_sync(runner.enter)
        playing = Playing(runner, asker, await trio.to_thread.run_sync(report_of_test, runner))
        await trio.to_thread.run_sync(self.store.tournaments.serve, plan.test.id, asker)
        self.playing[plan.test.id] = playing
        self.nursery.start_soon(self._run, playing)
        log.info("test.started", test=plan.test.id[:SHOWN_ID], asker=asker, new=plan.new.label, old=plan.old.label)
        return playing

    async def go_on(self) -> None:
        """Resume the tests that were open when the server stopped or was killed."""
        for test_id, asker in await trio.to_thread.run_sync(self.store.tests.wanted):
            try:
                test, _verdict = await trio.to_thread.run_sync(self.find, test_id)
                await self._begin(await trio.to_thread.run_sync(stored_test, self.store, test), asker)
            except UserError as error:
                log.error("test.refused", test=test_id[:SHOWN_ID], reason=str(error))
                await self._note(test_id, TournamentState.STOPPED, f"it could not be resumed: {error}", is_wanted=False)

    async def _run(self, playing: Playing) -> None:
        test_id = playing.runner.plan.test.id
        is_wanted = True  # again when the server starts, unless it ends here
        try:
            with playing.scope:
                async with self._turns:
                    await self._note(test_id, TournamentState.RUNNING, "", is_wanted=True)
                    await playing.runner.run(playing, obey_signals=False)
            if playing.is_abandoned:
                await trio.to_thread.run_sync(playing.runner.abandon)
            is_wanted = False
        except UserError as error:
            playing.fault, is_wanted = str(error), False
            log.error("test.refused", test=test_id[:SHOWN_ID], reason=playing.fault)
        except Exception:
            playing.fault, is_wanted = "internal error; see the server log", False
            log.exception("test.failed", test=test_id[:SHOWN_ID])
        finally:
            if not playing.runner.progress.verdict and not playing.runner.is_abandoned:
                await self._note(test_id, TournamentState.STOPPED, playing.fault, is_wanted=is_wanted)
            else:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(self.store.tournaments.set_wanted, test_id, False)
            try:
                await playing.end()
            finally:
                del self.playing[test_id]

    async def abandon(self, new: str, old: str, question: TestQuestion, token: Token) -> TestReport:
        """T17.3: end the open test on these terms without a verdict; a UserError if there is none."""
        async with self._asking:
            request = await trio.to_thread.run_sync(self._request, new, old, question, token)
            opened = await trio.to_thread.run_sync(request.open_test, self.store)
            if opened is None:
                raise UserError("abandon: no test of these two bots with these settings is open")
            playing = self.playing.get(opened.id)
            if playing is None:
                plan = await trio.to_thread.run_sync(request.resumed, self.store, opened)
                runner = TestRunner(plan, self.store, self.now)
                await trio.to_thread.run_sync(runner.enter)
                await trio.to_thread.run_sync(runner.abandon)
                return await trio.to_thread.run_sync(report_of_test, runner)
            playing.is_abandoned = True
            playing.scope.cancel()
            await playing.ended.wait()
            return playing.latest

    def find(self, wanted: str) -> tuple[TestEntry, Any]:
        """Return the test with this id prefix and its verdict, if any; a NotFoundError unless there is exactly one."""
        found = [(test, verdict) for test, verdict in self.store.tests.all() if test.id.startswith(wanted)]
        if len(wanted) < MIN_PREFIX or len(found) != 1:
            raise NotFoundError(f"test: {wanted[:64]!r} not found; expected the beginning of one test's id")
        return found[0]

    def may_watch(self, test: TestEntry, token: Token) -> bool:
        """Return whether a token may watch a test: its asker, the tested bot's author, or an organiser."""
        if token.role is Role.ORGANISER or self.store.tests.askers().get(test.id) == token.name:
            return True
        versions = self.store.bots.by_hash((test.new,))
        return test.new in versions and self.store.bots.author_of(versions[test.new].name) == token.name

    def report(self, test: TestEntry, verdict: Any) -> TestReport:
        """T14.10: report on a test that is not being played here."""
        is_abandoned = verdict is not None and verdict["word"] == Verdict.ABANDONED
        runner = TestRunner(stored_test(self.store, test), self.store, self.now, is_abandoned=is_abandoned)
        runner.catch_up()
        return report_of_test(runner)
