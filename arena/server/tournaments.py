"""Tournaments inside the server: started, watched, stopped, and resumed when the server restarts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import trio

from arena.plan.entrants import enter_bot, find_entry
from arena.plan.entries import read_entries, submitted_plan
from arena.plan.forecasting import Forecast
from arena.plan.stored_plan import plan_of
from arena.plan.timetable import ScheduledRun, ScheduledTournament, run_of
from arena.plan.tournament_file import Plan
from arena.play.live import LiveTournaments
from arena.play.runner import Runner
from arena.play.warm import ForkingError
from arena.remote.messages import fill, state_of
from arena.server.served import Served
from arena.store.rows import MatchToStore, TournamentState
from arena.v1 import arena_pb2 as pb
from referee.logs import log
from referee.mistakes import UserError
from referee.order import Ending

MAX_RUNNING = 8
KEPT_EVENTS = 1_000  # that a slow watcher may lag
SCHEDULED = "scheduled"  # in place of an organiser, followed by a space, which no token name has

Event = pb.WatchTournamentResponse


class BusyError(Exception):
    """A tournament is in the wrong state: running or not running."""


class TooManyError(Exception):
    """Too many tournaments are running."""


class Watchers:
    """The watchers of one tournament; as its Watcher, it passes events on to them."""

    def __init__(self, count: Callable[[MatchToStore], None] | None = None, *, is_over: bool = False) -> None:
        self._count = count
        self._watchers: list[trio.MemorySendChannel[Event]] = []
        self.is_over = is_over
        self.has_left = trio.Event()  # set once the tournament has left this process, a moment after its end was stored

    @contextmanager
    def watch(self) -> Iterator[trio.MemoryReceiveChannel[Event]]:
        """Lend a channel of events; it is closed if its reader lags too far."""
        send, receive = trio.open_memory_channel[Event](KEPT_EVENTS)
        if self.is_over:
            send.close()
        else:
            self._watchers.append(send)
        with send, receive:
            try:
                yield receive
            finally:
                if send in self._watchers:
                    self._watchers.remove(send)

    def tell(self, event: Event) -> None:
        """Send an event to all followers; drop those that lag too far."""
        for watcher in list(self._watchers):
            try:
                watcher.send_nowait(event)
            except (trio.WouldBlock, trio.BrokenResourceError):
                self._watchers.remove(watcher)
                watcher.close()

    def end(self, event: Event) -> None:
        """Send the last event and close all channels."""
        self.tell(event)
        self.is_over = True
        for watcher in self._watchers:
            watcher.close()
        self._watchers.clear()
        self.has_left.set()

    # The methods of a Watcher.

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """A round begins."""
        paired = pb.RoundPaired(round=round_number, rounds=rounds, game=game, matches=matches, done=done)
        self.tell(Event(round_paired=paired))

    def stored(self, match: MatchToStore) -> None:
        """A match has been stored."""
        if self._count is not None:
            self._count(match)
        result, fixture = match.result, match.fixture
        is_void = result.ending is Ending.VOIDED
        seats = [
            pb.SeatResult(
                bot=bot,
                place=None if is_void else result.ranks[seat],
                score=None if is_void else result.scores[seat],
                ending=result.seat_endings[seat],
            )
            for seat, bot in enumerate(fixture.seating)
        ]
        finished = pb.MatchFinished(
            match_id=fixture.match_id, round=fixture.round, table=fixture.table, game=match.game,
            ending=result.ending, seats=seats,
        )  # fmt: skip
        self.tell(Event(match_finished=finished))

    def closed(self, round_number: int, seconds: float) -> None:
        """A round has entered the ledger."""
        self.tell(Event(round_closed=pb.RoundClosed(round=round_number, seconds=seconds)))

    def foretold(self, made: Forecast) -> None:
        """T16.5: a new forecast is available."""
        self.tell(fill(Event(), forecast=made))


OVER = Watchers(is_over=True)  # for a tournament that is not running here: it has no events


@dataclass(slots=True, eq=False, kw_only=True)
class Tournaments(Served):
    """The tournaments of one server."""

    timetable: Sequence[ScheduledTournament]
    live: LiveTournaments
    count: Callable[[MatchToStore], None] | None = None
    """Counts every match that is stored, for metrics."""
    running: dict[str, Watchers] = field(default_factory=dict, init=False)

    async def start(self, text: str, organiser: str) -> Plan:
        """Start or resume a file's tournament; a UserError names the wrong key."""
        plain = await trio.to_thread.run_sync(read_entries, text)
        return await self._start(plain, organiser, self.remote.is_connected)

    async def start_run(self, run: ScheduledRun) -> Plan:
        """Start a scheduled run with every eligible bot."""
        scheduled = run.scheduled
        plain = {**scheduled.tournament, "name": run.tournament}
        may_play = self.remote.is_connected if scheduled.remote_bots else lambda _label: False
        return await self._start(plain, f"{SCHEDULED} {scheduled.name}", may_play)

    async def _start(self, plain: dict[str, Any], organiser: str, remote_may_play: Callable[[str], bool]) -> Plan:
        async with self._asking:
            plan = await trio.to_thread.run_sync(submitted_plan, self.store, plain, remote_may_play)
            leaving = self.running.get(plan.name)
            if leaving is not None and not await trio.to_thread.run_sync(self._is_stored_as_running, plan.name):
                await leaving.has_left.wait()  # a client that sees its end may restart it immediately
            if plan.name in self.running:
                raise BusyError(f"tournament: {plan.name} is already running")
            if len(self.running) >= MAX_RUNNING:
                raise TooManyError(f"tournament: {MAX_RUNNING} are already running; stop one first")
            await self._begin(plan, organiser)
            return plan

    def _is_stored_as_running(self, name: str) -> bool:
        return self.store.tournaments.has(name) and self.store.tournaments.find(name).state is TournamentState.RUNNING

    async def _begin(self, plan: Plan, organiser: str) -> None:
        plan = replace(plan, run=replace(plan.run, referees=min(plan.run.referees, os.cpu_count() or 1)))
        watchers = Watchers(self.count)
        run = run_of(self.timetable, plan.name)
        runner = Runner(
            plan, self.store, watchers, self.now, sandbox=self.sandbox,
            start_bot=self.remote.starter(plan.run.remote_wait_ms / 1000),
            deadline=None if run is None else run.ends,  # its own, even when resumed later
            live=self.live,
            open_pool=self.open_pool,
        )  # fmt: skip
        self.running[plan.name] = watchers  # first, so that it is never in the database alone
        try:
            await trio.to_thread.run_sync(self._enter, runner, organiser)
        except BaseException:
            del self.running[plan.name]
            stopped = pb.TournamentStatus(tournament=plan.name, state=state_of(TournamentState.STOPPED))
            watchers.end(Event(status=stopped))
            raise
        self.nursery.start_soon(self._run, runner, watchers)
        log.info("tournament.started", tournament=plan.name, organiser=organiser, bots=len(plan.bots))

    def _enter(self, runner: Runner, organiser: str) -> None:
        runner.enter()
        self._store_state(runner.plan.name, TournamentState.RUNNING, "", is_wanted=True)
        self.store.tournaments.serve(runner.plan.name, organiser)

    async def go_on(self) -> None:
        """Resume the tournaments that were running when the server stopped or was killed."""
        async with self._asking:
            for name, organiser in await trio.to_thread.run_sync(self.store.tournaments.wanted):
                try:
                    await self._begin(await trio.to_thread.run_sync(self._stored_plan, name), organiser)
                except UserError as error:
                    log.error("tournament.refused", tournament=name, reason=str(error))
                    await self._note(name, TournamentState.STOPPED, f"it could not be resumed: {error}")

    def _stored_plan(self, name: str) -> Plan:
        return plan_of(self.store, self.store.tournaments.find(name))

    async def _run(self, runner: Runner, watchers: Watchers) -> None:
        name = runner.plan.name
        state, reason = TournamentState.STOPPED, "the server was stopped"
        is_wanted = True
        try:
            state = await runner.run(obey_signals=False)
            with trio.CancelScope(shield=True):  # it has ended, whatever happens next
                reason = (await trio.to_thread.run_sync(self.store.tournaments.find, name)).reason
            is_wanted = False
        except* ForkingError:  # a fault of this machine: a restarted server resumes it
            reason = "no referee could be started"
            log.error("tournament.failed", tournament=name, reason=reason)
        except* Exception:
            log.exception("tournament.failed", tournament=name)
            state, reason, is_wanted = TournamentState.STOPPED, "internal error; see the server log", False
        finally:
            await self._note(name, state, reason, is_wanted=is_wanted)
            del self.running[name]
            status = pb.TournamentStatus(tournament=name, state=state_of(state), reason=reason)
            watchers.end(Event(status=status))

    def enter(self, name: str, bot: str) -> tuple[str, int]:
        """T10.3: let a submitted bot join a tournament; return its label and the first round that it plays."""
        found = find_entry(self.store, bot)
        return found.label, enter_bot(self.store, name, found, self.now().isoformat(timespec="seconds"))

    def stop(self, name: str) -> None:
        """Ask a tournament to stop; a UserError if there is none, a BusyError if it is not running here."""
        stored = self.store.tournaments.find(name)
        if name not in self.running or stored.state is not TournamentState.RUNNING:
            raise BusyError(f"tournament: {name} is {stored.state}, not running")
        self.store.tournaments.request_stop(name)
