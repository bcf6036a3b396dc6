"""A match: pending → ask → check → apply → record, with clocks, strikes, safe defaults and forfeits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from referee import wire
from referee.clock import MAX_STALL_NS, SeatClock, StallMeter
from referee.codec import ProtocolError
from referee.game import AnyGame, Decision, IllegalActionError, Outcome, Seat
from referee.keys import PublicKey
from referee.logs import log
from referee.order import Ending, MatchOrder, MatchResult, Strike, told_id
from referee.record import Choice, How, Recorder, places_after_forfeits
from referee.signed_choice import check_choice, prompt_digest
from referee.v1 import play_pb2 as pb

UNASKED_IN_A_ROW = 64  # steps played by the house before other matches get a turn
MAX_STRIKES, MAX_STRIKE_REASON = 200, 500  # reported per match, and characters of each


class StalledError(Exception):
    """Our own process stalled for too long to trust any clock."""


class ExcusedError(Exception):
    """A bot did not connect, possibly through our own fault; the message says what was wrong."""


class Link(Protocol):
    """The link to one bot, across its connections; the server's side is in `referee.server`."""

    bot: str

    def is_there(self) -> bool:
        """Return whether the bot has been connected."""

    async def arrived(self) -> None:
        """Return once the bot has been connected, or will never be."""

    async def absent(self) -> Ending:
        """Return how a bot that was never connected has failed; an ExcusedError says that we may be at fault."""

    def join(self, seat: Chair) -> None:
        """Route this match's answers to the seat, and notify it when the bot is lost."""

    def leave(self, seat: Chair) -> None:
        """Forget the seat."""

    def ask(self, question: OpenPrompt) -> None:
        """Send a prompt, now or when the bot reconnects."""

    def withdraw(self, question: OpenPrompt) -> None:
        """Stop waiting for an answer; one that still comes is late."""

    def tell(self, message: bytes) -> None:
        """Send a message if the bot is connected."""

    async def delivered(self) -> None:
        """Return once everything queued so far has been sent, or the bot is too slow to take it."""


@dataclass(slots=True, eq=False)
class OpenPrompt:
    """An open prompt: when it was sent, its time limit, and its options."""

    chair: Chair
    decision: Decision
    options: Sequence[Any]
    prompt_id: int
    message: bytes
    asked_ns: int
    allowed_ns: int
    stall_before_ns: int


class Chair:
    """One seat of one match: its link, clock, strikes, and unsent events."""

    __slots__ = (
        "clock", "ending", "failed_at", "key", "link", "match", "prompts", "question", "seat", "seen", "strikes",
        "told_id",
    )  # fmt: skip

    def __init__(self, match: Match, seat: Seat, link: Link) -> None:
        self.match = match
        self.seat = seat
        self.link = link
        self.told_id = told_id(match.order.seed, match.order.match_id, seat)
        """T2.7: what every message from and to its bot calls the match."""
        key = match.order.seats[seat].key
        self.key = PublicKey.parse(key) if key else None
        """T22.9: the key that signs its answers, if any does."""
        self.clock = SeatClock(match.order.time_control)
        self.seen = 0  # events already sent in prompts
        self.prompts = 0  # counted by seat: a shared counter would reveal who else was asked
        self.strikes = 0
        self.ending = Ending.COMPLETED
        self.failed_at: int | None = None
        self.question: OpenPrompt | None = None

    def started_message(self) -> bytes:
        """Return the MatchStarted of this seat, for the start and for every return."""
        match = self.match
        return match.wire.match_started(
            self.told_id, self.seat, len(match.chairs), match.options, match.order.time_control
        )


class Match:
    """One match being played."""

    def __init__(
        self, order: MatchOrder, game: AnyGame, options: Any, links: Sequence[Link], meter: StallMeter
    ) -> None:
        self.order = order
        self.game = game
        self.options = options
        self.meter = meter
        self.wire = wire.wire_for(game)
        self.chairs = [Chair(self, seat, link) for seat, link in enumerate(links)]
        self.state, self.opening = game.begin(len(links), order.seed, options)
        self.recorder = Recorder(order, game, options, game.digest(self.state), self.wire.action_json)
        self.replies: dict[Seat, Choice] = {}
        self.outstanding = 0
        self.settled: asyncio.Future[None] | None = None
        self.choices = 0
        self.events: list[tuple[Any, bytes]] = []  # with the bytes for seats that see all of it
        self.unrecorded: list[Choice] = []
        self.watch: Callable[[Any], None] | None = None  # called with every event as it happens
        self.look: Callable[[], None] | None = None  # called when the position has changed
        self.mistake: Exception | None = None
        self.strikes: list[Strike] = []

    async def play(self, report: Callable[[MatchResult], None] | None = None) -> MatchResult:
        """Play to the end and return the result; any fault on our side voids the match.

        The result is reported before the bots are notified, so that the next match can be ordered meanwhile, unless the
        order asks for the reverse.
        """
        started = time.monotonic()
        try:
            await self._gather()
            await self._play_steps()
            result = self._result()
        except StalledError:
            result = self._voided("the referee stalled")
        except ExcusedError as excuse:
            result = self._voided(str(excuse))
        except asyncio.CancelledError:
            self._part(self._voided("the match was cancelled"))
            raise
        except Exception:
            log.exception("match.aborted", match_id=self.order.match_id, game=self.order.game)
            result = self._voided("internal referee error")
        if self.order.parts_first:
            self._part(result)
            async with asyncio.TaskGroup() as group:
                for chair in self.chairs:
                    group.create_task(chair.link.delivered())
        if report is not None:
            report(result)
        if not self.order.parts_first:
            self._part(result)
        log.info(
            "match.finished", match_id=self.order.match_id, game=self.order.game, ending=result.ending,
            ranks=result.ranks, decisions=result.decisions, asked=result.asked,
            elapsed_ms=int((time.monotonic() - started) * 1000),
        )  # fmt: skip
        return result

    async def _gather(self) -> None:
        """Wait for the bots; one that does not join in time forfeits before the first decision.

        Unless it could not: a bot that never said hello is blamed only if it could have connected.
        """
        excuses: list[ExcusedError] = []

        async def gather(chair: Chair) -> None:
            await self._await_bot(chair.link)
            if chair.link.is_there() or chair.failed_at is not None:
                return
            try:
                ending = await chair.link.absent()
            except ExcusedError as excuse:
                excuses.append(excuse)
            else:
                self.forfeit(chair, ending)

        for chair in self.chairs:
            chair.link.join(chair)
        missing = [chair for chair in self.chairs if not chair.link.is_there()]
        if missing:
            async with asyncio.TaskGroup() as group:
                for chair in missing:
                    group.create_task(gather(chair))
        if excuses:
            raise excuses[0]
        for chair in self.chairs:
            if chair.failed_at is None:
                chair.link.tell(chair.started_message())
        log.debug("match.started", match_id=self.order.match_id, game=self.order.game, seed=self.order.seed)

    async def _await_bot(self, link: Link) -> None:
        """Wait until a bot has joined or its time to join is up; stalls of our own process do not count."""
        loop, left = asyncio.get_running_loop(), self.order.time_control.join_ms / 1000
        while left > 0:
            began, stall_ns = loop.time(), self.meter.read()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await link.arrived()
                return
            left -= loop.time() - began - (self.meter.read() - stall_ns) / 1e9

    async def _play_steps(self) -> None:
        game, state, apply = self.game, self.state, self.game.apply_checked
        self._tell(self.opening)
        unasked = 0
        while pending := game.pending(state):
            self.replies.clear()
            asked = [question for decision in pending if (question := self._open(decision)) is not None]
            if asked:
                await self._ask(asked)
                unasked = 0
            elif (unasked := unasked + 1) % UNASKED_IN_A_ROW == 0:
                await asyncio.sleep(0)
            choices = [self.replies[decision.seat] for decision in pending]
            self._record_last()
            events = apply(state, {choice.seat: choice.action for choice in choices})
            self.unrecorded = choices
            self._tell(events)
        self._record_last()

    def _tell(self, events: Sequence[Any]) -> None:
        """Keep the events for the next prompt of every seat, and pass them to spectators."""
        self.events += [(event, self.wire.event(event)) for event in events]
        if self.watch is not None:
            for event in events:
                self.watch(event)
        if self.look is not None:
            self.look()

    def _record_last(self) -> None:
        """Record the last step; the state has not changed since, so this can wait until the next prompt is sent."""
        if self.unrecorded:
            self.recorder.add(self.unrecorded, self.game.digest(self.state))
            self.choices += len(self.unrecorded)
            self.unrecorded = []

    def _open(self, decision: Decision) -> tuple[Chair, Decision, Sequence[Any]] | None:
        """Settle a decision without a question if possible, otherwise return the question."""
        chair = self.chairs[decision.seat]
        options = self.game.legal_actions(self.state, decision.seat)
        if len(options) == 1 and not decision.open_ended:
            self.replies[chair.seat] = Choice(chair.seat, options[0], How.FORCED)
        elif chair.failed_at is not None:
            self._play_default(chair, How.HOUSE)
        else:
            return chair, decision, options
        return None

    def _play_default(
        self, chair: Chair, how: How, times_us: tuple[int, int, int] = (0, 0, 0), comment: str = ""
    ) -> None:
        action = self.game.default_action(self.state, chair.seat)
        self.replies[chair.seat] = Choice(chair.seat, action, how, times_us, comment)

    async def _ask(self, asked: Sequence[tuple[Chair, Decision, Sequence[Any]]]) -> None:
        """Ask all these seats concurrently and return when every one has answered or run out of time."""
        loop = asyncio.get_running_loop()
        self.settled = loop.create_future()
        self.outstanding = len(asked)
        now_ns, stall_ns = self.meter.now(), self.meter.read()
        for chair, decision, options in asked:
            self._pose(chair, decision, options, now_ns, stall_ns)
        await asyncio.sleep(0)  # send the prompts; the bots think while we record the last step
        self._record_last()
        while not self.settled.done() and self.mistake is None:
            wait_ns = min(self._left_ns(chair.question) for chair, _, _ in asked if chair.question is not None)
            timer = loop.call_later(max(wait_ns, 0) / 1e9, _wake, self.settled)
            try:
                await self.settled
            finally:
                timer.cancel()
            if self.outstanding and self.mistake is None:
                self.settled = loop.create_future()
                self._expire([chair.question for chair, _, _ in asked if chair.question is not None])

        if self.mistake is not None:
            raise self.mistake

    def _pose(self, chair: Chair, decision: Decision, options: Sequence[Any], now_ns: int, stall_ns: int) -> None:
        chair.prompts += 1
        clock = chair.clock
        allowed_ns = clock.allowed_ns()
        message = self.wire.prompt(
            chair.told_id,
            chair.prompts,
            decision,
            self.game.observe(self.state, chair.seat),
            self._news(chair),
            options,
            clock.bank_ns,
            allowed_ns,
            # In a game with secrets a clock that ran would tell that a seat had a choice.
            () if self.game.has_secrets else [each.clock.bank_ns for each in self.chairs],
        )
        question = OpenPrompt(chair, decision, options, chair.prompts, message, now_ns, allowed_ns, stall_ns)
        chair.question = question
        chair.link.ask(question)

    def _left_ns(self, question: OpenPrompt) -> int:
        """Return how much of its own time a bot has left for an open question."""
        own_ns = self.meter.now() - question.asked_ns - (self.meter.read() - question.stall_before_ns)
        # A bot that reports its thinking may be late by the transport time it is forgiven.
        return question.allowed_ns + question.chair.clock.lag_ns - own_ns

    def _expire(self, questions: Sequence[OpenPrompt]) -> None:
        for question in questions:
            if self._left_ns(question) <= 0:
                if self.meter.read() - question.stall_before_ns > MAX_STALL_NS:
                    raise StalledError
                chair = question.chair
                chair.link.withdraw(question)
                chair.clock.charge(question.allowed_ns)
                self._play_default(chair, How.LATE, (question.allowed_ns // 1000, 0, 0))
                seconds = question.allowed_ns / 1e9
                self.strike(chair, Ending.FORFEIT_TIMEOUT, question.prompt_id, "", f"no answer within {seconds:g} s")
                self._settle(chair)

    def answered(self, question: OpenPrompt, answer: pb.Answer, arrived_ns: int) -> None:
        """Take the answer to an open question: measure, check, and play it or the safe default."""
        try:
            self._take(question, answer, arrived_ns)
        except Exception as mistake:
            # Raised here it would end the bot's stream, as if the bot had hung up; abort the match instead.
            self.mistake = mistake
            if self.settled is not None:
                _wake(self.settled)

    def _take(self, question: OpenPrompt, answer: pb.Answer, arrived_ns: int) -> None:
        chair = question.chair
        elapsed_ns = arrived_ns - question.asked_ns
        stall_ns = min(self.meter.read() - question.stall_before_ns, elapsed_ns)
        transport_ns = chair.clock.transport_ns(elapsed_ns - stall_ns, wire.thought_ns(answer))
        own_ns = elapsed_ns - stall_ns - transport_ns
        times_us = (own_ns // 1000, stall_ns // 1000, transport_ns // 1000)
        comment = wire.comment_of(answer) if answer.comment else ""
        chair.clock.charge(own_ns)
        if own_ns > question.allowed_ns:
            self._play_default(chair, How.LATE, times_us, comment)
            reason = f"the answer took {own_ns / 1e9:.3f} s of {question.allowed_ns / 1e9:g} s"
            self.strike(chair, Ending.FORFEIT_TIMEOUT, question.prompt_id, "", reason)
        else:
            try:
                action = self.wire.chosen(answer, question.options)
                if answer.HasField("action"):
                    self.game.check(self.state, chair.seat, action)
                signed = None if chair.key is None else _signed(question, answer, chair.key)
                self.replies[chair.seat] = Choice(chair.seat, action, How.ANSWERED, times_us, comment, signed)
            except (IllegalActionError, ProtocolError) as error:
                clause, reason = (
                    (error.clause, error.reason) if isinstance(error, IllegalActionError) else ("", str(error))
                )
                self._play_default(chair, How.REFUSED, times_us, comment)
                self.strike(chair, Ending.FORFEIT_ILLEGAL, question.prompt_id, clause, reason)
        self._settle(chair)

    def _settle(self, chair: Chair) -> None:
        chair.question = None
        self.outstanding -= 1
        if not self.outstanding and self.settled is not None:
            _wake(self.settled)

    def strike(self, chair: Chair, kind: Ending, prompt_id: int, clause: str, reason: str) -> None:
        """Count a strike and tell the bot; one over the limit forfeits the seat."""
        if chair.failed_at is not None:
            return
        chair.strikes += 1
        self._note(chair, clause, reason)
        chair.link.tell(wire.refused(chair.told_id, prompt_id, clause, reason, chair.strikes))
        log.debug("action.refused", match_id=self.order.match_id, seat=chair.seat, clause=clause, reason=reason)
        if chair.strikes > self.order.time_control.strike_limit:
            self.forfeit(chair, kind)

    def _note(self, chair: Chair, clause: str, reason: str) -> None:
        """Keep a seat's strike for the result."""
        if len(self.strikes) < MAX_STRIKES:
            played = self.recorder.step + bool(self.unrecorded)
            self.strikes.append((played + 1, chair.seat, clause, reason[:MAX_STRIKE_REASON]))

    def forfeit(self, chair: Chair, ending: Ending, reason: str = "") -> None:
        """Hand the seat to the house for the rest of the match; a reason is noted among the strikes."""
        if chair.failed_at is not None:
            return
        self._record_last()
        if reason:
            self._note(chair, "", reason)
        chair.failed_at = self.recorder.step + 1  # the step that is being played
        chair.ending = ending
        log.warning(
            "seat.forfeited", match_id=self.order.match_id, seat=chair.seat, bot=chair.link.bot, ending=ending,
            step=chair.failed_at,
        )  # fmt: skip
        question = chair.question
        if question is not None:
            chair.link.withdraw(question)
            if chair.seat not in self.replies:
                self._play_default(chair, How.HOUSE)
                self._settle(chair)

    def _news(self, chair: Chair) -> list[bytes]:
        """Return the events that a seat saw since it was last asked."""
        witness, encode, seat = self.game.witness, self.wire.event, chair.seat
        news = []
        for event, whole in self.events[chair.seen :]:
            seen = witness(event, seat)
            if seen is not None:
                news.append(whole if seen is event else encode(seen))
        chair.seen = len(self.events)
        return news

    def _result(self) -> MatchResult:
        outcome = self.game.outcome(self.state)
        assert isinstance(outcome, Outcome), "a game without open decisions has an outcome"
        failures = [chair.failed_at for chair in self.chairs]
        failed = [chair for chair in self.chairs if chair.failed_at is not None]
        ending = min(failed, key=lambda chair: chair.failed_at or 0).ending if failed else Ending.COMPLETED
        return self._close(ending, outcome.reason, places_after_forfeits(outcome.ranks, failures), outcome.scores)

    def _voided(self, reason: str) -> MatchResult:
        for chair in self.chairs:
            chair.ending = Ending.VOIDED
        return self._close(Ending.VOIDED, reason, (), ())

    def _close(self, ending: Ending, reason: str, ranks: tuple[int, ...], scores: tuple[int, ...]) -> MatchResult:
        endings = tuple(chair.ending for chair in self.chairs)
        result: Mapping[str, Any] = {
            "ending": ending,
            "reason": reason,
            "ranks": list(ranks),
            "scores": list(scores),
            "seat_endings": list(endings),
            "forfeited_at": [chair.failed_at for chair in self.chairs],
        }
        record = self.recorder.finish(result)
        asked = sum(chair.prompts for chair in self.chairs)
        return MatchResult(
            self.order.match_id, ending, reason, ranks, scores, endings, self.choices, asked, record,
            tuple(self.strikes), self.recorder.digest,
        )  # fmt: skip

    def _part(self, result: MatchResult) -> None:
        for chair in self.chairs:
            if chair.question is not None:
                chair.link.withdraw(chair.question)
            chair.link.tell(wire.match_ended(chair.told_id, result.ranks, result.scores, result.reason, chair.ending))
            chair.link.leave(chair)


def _signed(question: OpenPrompt, answer: pb.Answer, key: PublicKey) -> tuple[bytes, bytes]:
    """T22.9: return what the author of a bot signed of an answer; a ProtocolError refuses it."""
    digest = prompt_digest(pb.RefereeMessage.FromString(question.message).prompt.game)
    check_choice(answer, question.chair.told_id, question.prompt_id, digest, key)
    return answer.signed_choice.statement, answer.signed_choice.signature


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
