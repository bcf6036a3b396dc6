"""The server: bots' streams, each the current connection of a link that outlives it."""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio

from referee import wire
from referee.clock import StallMeter
from referee.codec import ProtocolError
from referee.listener import FOR_ONE_BOT, OPTIONS, BotListener
from referee.logs import log
from referee.match import Chair, ExcusedError, OpenPrompt
from referee.order import Ending
from referee.quiet_stop import leave_quietly
from referee.v1 import play_pb2 as pb

Tell = Callable[[str, object], None]
"""Sends the arena a message: a verb and its value."""

EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing from the published type stubs
SOON_SECONDS = 0.005
DELIVERY_SECONDS = 2.0  # that a match's result waits until its bots are notified of the end
TURNS_TO_WAIT = 4  # of the event loop, before a frame is sent to a bot with several matches
REMEMBERED_LATE = 256  # withdrawn questions whose late answers are ignored
GOODBYE_SECONDS = 0.5  # for a bot's last stream when its server is stopped
DIAL_SECONDS = 30.0  # that we wait to learn whether a bot could have connected

WINDOW_NS = 10_000_000_000
MAX_SPARE = 1_000  # frames within a window beyond those that answer a prompt
MAX_BYTES = 64 << 20  # within a window
MAX_OPENED = 64  # streams within a window
MIN_HEAVY = 1 << 20  # bytes within a window, before a bot can be the one that filled our memory


@dataclass(slots=True, eq=False)
class Stream:
    """One connection: its queue of messages, and whether it is to be closed."""

    outbox: deque[tuple[bytes, OpenPrompt | None]]
    wake: asyncio.Event
    closing: tuple[grpc.StatusCode, str] | None = None
    strays: int = 0
    is_writing: bool = False
    written: asyncio.Event = field(default_factory=asyncio.Event)
    """Set and cleared after every frame, for waiters."""

    async def sent(self) -> None:
        """Return once the queue is empty."""
        while (self.outbox or self.is_writing) and self.closing is None:
            await self.written.wait()

    def send(self, message: bytes, question: OpenPrompt | None = None) -> None:
        """Queue a message; everything queued until the writer wakes goes into one frame."""
        self.outbox.append((message, question))
        self.wake.set()

    def close(self, code: grpc.StatusCode, reason: str) -> None:
        """End the stream with a status that the bot sees."""
        self.closing = self.closing or (code, reason)
        self.wake.set()


class Leftovers:
    """Messages that can wait: they travel with the next prompt of their stream, or alone after a moment.

    One timer serves all streams, since starts and ends of matches come for all seats together.
    """

    def __init__(self) -> None:
        self._streams: list[Stream] = []

    def add(self, stream: Stream, message: bytes) -> None:
        """Queue a message of this kind."""
        stream.outbox.append((message, None))
        if not self._streams:
            asyncio.get_running_loop().call_later(SOON_SECONDS, self._send)
        self._streams.append(stream)

    def _send(self) -> None:
        for stream in self._streams:
            if stream.outbox:
                stream.wake.set()
        self._streams.clear()


class Window:
    """A bot's traffic within a time window."""

    __slots__ = ("began_ns", "frames", "opened", "received")

    def __init__(self) -> None:
        self.began_ns = self.frames = self.received = self.opened = 0

    def breach(self, now_ns: int) -> str:
        """Return the broken bound; empty if there is none, or if the window has ended and another begins."""
        if self.frames > MAX_SPARE:
            broken = f"more than {MAX_SPARE:,} frames that answer nothing"
        elif self.received > MAX_BYTES:
            broken = f"more than {MAX_BYTES >> 20} MiB"
        elif self.opened > MAX_OPENED:
            broken = f"more than {MAX_OPENED} streams"
        else:
            return ""
        if now_ns - self.began_ns > WINDOW_NS:
            self.began_ns = now_ns
            self.frames = self.received = self.opened = 0
            return ""
        return f"{broken} in {WINDOW_NS // 1_000_000_000} seconds"


class BotLink:
    """The link to one bot, named by its ticket: it keeps open questions across reconnects."""

    def __init__(self, ticket: str, bot: str, leftovers: Leftovers, meter: StallMeter, report: Tell | None) -> None:
        self.ticket = ticket
        self.bot = bot
        self.leftovers = leftovers
        self.meter = meter
        self.report = report
        self.window = Window()
        self.cut_reason = ""
        self.dialled: asyncio.Future[bool] | None = None
        self._admitted_ns = meter.now()
        self._has_come = False
        self.stream: Stream | None = None
        self.exit_detail: str | None = None
        self._there = asyncio.Event()
        self._chairs: dict[str, Chair] = {}
        self._open: dict[tuple[str, int], OpenPrompt] = {}
        self._late: deque[tuple[str, int]] = deque(maxlen=REMEMBERED_LATE)
        self._grace: asyncio.TimerHandle | None = None
        self._empty = 0  # frames without a message since its last answer

    def is_there(self) -> bool:
        """Return whether the bot has been connected."""
        return self._has_come

    async def arrived(self) -> None:
        """Return once the bot has been connected, or will never be."""
        await self._there.wait()

    async def absent(self) -> Ending:
        """Return how a bot that was never connected has failed; an ExcusedError says that we may be at fault."""
        ending = Ending.FORFEIT_DISCONNECT if self.exit_detail is None else Ending.FORFEIT_CRASH
        if self.cut_reason:
            return ending
        if self.report is not None and self.dialled is None:
            self.dialled = asyncio.get_running_loop().create_future()
            self.report("absent", self.ticket)
        is_reached = self.dialled is None
        if self.dialled is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(DIAL_SECONDS):
                    is_reached = await asyncio.shield(self.dialled)
        if self.meter.has_stood_still(self._admitted_ns):
            raise ExcusedError(f"the referee stalled while {self.bot} was joining")
        if not is_reached:
            raise ExcusedError(f"the referee could not be reached while {self.bot} was joining")
        return ending

    def join(self, seat: Chair) -> None:
        """Route this match's answers to the seat, and notify it when the bot is lost."""
        self._chairs[seat.told_id] = seat
        if self.cut_reason:
            seat.match.forfeit(seat, Ending.FORFEIT_DISCONNECT, self.cut_reason)
        elif not self._has_come:
            return  # the match waits for it
        elif self.exit_detail is not None:
            seat.match.forfeit(seat, Ending.FORFEIT_CRASH)
        elif self.stream is None:
            self._start_grace()  # lost while it had no match: the grace time starts only now

    def leave(self, seat: Chair) -> None:
        """Forget the seat."""
        self._chairs.pop(seat.told_id, None)

    def plays_several(self) -> bool:
        """Return whether the bot is in more than one match."""
        return len(self._chairs) > 1

    def ask(self, question: OpenPrompt) -> None:
        """Send a prompt, now or when the bot reconnects."""
        self._open[question.chair.told_id, question.prompt_id] = question
        if self.stream is not None:
            self.stream.send(question.message, question)

    def withdraw(self, question: OpenPrompt) -> None:
        """Stop waiting for an answer; one that still comes is late."""
        key = (question.chair.told_id, question.prompt_id)
        if self._open.pop(key, None) is not None:
            self._late.append(key)

    def tell(self, message: bytes) -> None:
        """Send a message that needs no answer, if the bot is connected; it may wait for the next frame."""
        if self.stream is not None:
            self.leftovers.add(self.stream, message)

    async def delivered(self) -> None:
        """Return once everything queued so far has been sent, or the bot is too slow to take it."""
        if self.stream is not None:
            self.stream.wake.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(DELIVERY_SECONDS):
                    await self.stream.sent()

    def connected(self, stream: Stream) -> None:
        """Use a new stream; a bot that reconnects gets its matches and its open questions."""
        if self.stream is not None:  # the bot reconnected before its old connection was seen to be dead
            self.stream.close(grpc.StatusCode.ABORTED, wire.TAKEN_OVER)
        self.stream = stream
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        stream.send(wire.welcome(self.bot))
        if self._has_come:
            for chair in self._chairs.values():
                stream.send(chair.started_message())
            for question in self._open.values():
                stream.send(question.message)
        self._has_come = True
        self._there.set()
        log.debug("seat.joined", bot=self.bot)

    def disconnected(self) -> None:
        """Give a lost bot its grace time to reconnect, by the strictest of its matches."""
        self.stream = None
        if self._chairs and self.exit_detail is None:
            self._start_grace()
        log.debug("seat.left", bot=self.bot)

    def _start_grace(self) -> None:
        if self._grace is not None:
            self._grace.cancel()
        grace_ms = min(chair.match.order.time_control.grace_ms for chair in self._chairs.values())
        loop = asyncio.get_running_loop()
        self._grace = loop.call_later(grace_ms / 1000, self._lose, Ending.FORFEIT_DISCONNECT)

    def exited(self, detail: str) -> None:
        """The bot's process has ended: it forfeits all its matches immediately, if it has ever connected."""
        self.exit_detail = detail
        if self._grace is not None:
            self._grace.cancel()
        if self._has_come:
            self._lose(Ending.FORFEIT_CRASH)
        self._there.set()

    def cut(self, stream: Stream | None, reason: str) -> None:
        """Cut off a bot that broke a bound; one with its own server forfeits all its matches immediately."""
        if stream is not None:
            stream.close(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
        if self.report is None or self.cut_reason:
            return
        self.cut_reason = f"cut off: {reason}"
        if self.stream is not None:
            self.stream.close(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
        self.report("cut", {"ticket": self.ticket, "reason": reason})
        self._lose(Ending.FORFEIT_DISCONNECT, self.cut_reason)
        self._there.set()

    def _lose(self, ending: Ending, reason: str = "") -> None:
        for chair in list(self._chairs.values()):
            chair.match.forfeit(chair, ending, reason)

    def opened(self) -> str:
        """Count a stream, and return the bound it breaks."""
        self.window.opened += 1
        return self.cut_reason or self.window.breach(self.meter.now())

    def receive(self, message: pb.BotMessage, stream: Stream, arrived_ns: int) -> None:
        """Route one message: an answer to its question, anything else to a strike."""
        if message.WhichOneof("kind") != "answer":
            self.stray(stream, 0, "expected an answer: hello is said once, at the start")
            return
        answer = message.answer
        key = (answer.match_id, answer.prompt_id)
        question = self._open.pop(key, None)
        if question is not None:
            self._empty = 0
            if self.window.frames:
                self.window.frames -= 1
            question.chair.match.answered(question, answer, arrived_ns)
        elif key in self._late:
            self._late.remove(key)
        elif answer.match_id not in self._chairs:
            self.stray(stream, answer.prompt_id, f"match {answer.match_id[:80]!r} is not being played by this bot")
        else:
            self.stray(stream, answer.prompt_id, f"prompt {answer.prompt_id} is not open for this bot")

    def nothing(self, stream: Stream) -> None:
        """Count a frame without a message: not a fault, but a flood of them would slow down other bots."""
        self._empty += 1
        if self._empty > wire.MAX_STRAYS:
            self.cut(stream, f"more than {wire.MAX_STRAYS} empty frames without an answer")

    def stray(self, stream: Stream, prompt_id: int, reason: str) -> None:
        """Count a message that answers no question: a strike in every match of this bot, and a cut past the limit."""
        stream.strays += 1
        if stream.strays > wire.MAX_STRAYS:
            self.cut(stream, f"more than {wire.MAX_STRAYS} messages that answer no question")
            return
        for chair in list(self._chairs.values()):
            chair.match.strike(chair, Ending.FORFEIT_ILLEGAL, prompt_id, "", reason)


class RefereeServer:
    """The gRPC service: admits links by ticket and serves their streams, at the common address or at their own.

    A bot with its own server can flood or crash it without harming any other bot.
    """

    def __init__(self, meter: StallMeter, report: Tell = lambda verb, value: None) -> None:
        self.meter = meter
        self.report = report
        """Gets {"absent": ticket} and {"cut": {"ticket", "reason"}} for bots with their own server."""
        self.links: dict[str, BotLink] = {}
        self._leftovers = Leftovers()
        self._common: BotListener | None = None
        self._own: dict[str, BotListener] = {}  # by ticket
        self._starting = asyncio.Lock()
        self._stopping: set[asyncio.Task[None]] = set()

    def admit(self, ticket: str, bot: str) -> BotLink:
        """Expect a bot with this ticket at the common address."""
        return self._admit(ticket, bot, None)

    def _admit(self, ticket: str, bot: str, report: Tell | None) -> BotLink:
        link = self.links[ticket] = BotLink(ticket, bot, self._leftovers, self.meter, report)
        return link

    def admit_at(self, address: str, ticket: str, bot: str) -> Awaitable[None]:
        """Expect a bot at its own address; await the result, which raises a RuntimeError if that is taken."""
        link = self._admit(ticket, bot, self._report)
        own = self._own[ticket] = BotListener(
            functools.partial(self._play, link), FOR_ONE_BOT, lambda: link.cut(None, "it crashed its server")
        )
        return self._open(own, address)

    def _report(self, verb: str, value: object) -> None:
        if isinstance(value, dict):  # a bot that was cut off floods nobody any longer
            self._close(self._own.pop(value["ticket"], None))
        self.report(verb, value)

    async def _open(self, own: BotListener, address: str) -> None:
        async with self._starting:
            await own.start([address])

    def dismiss(self, ticket: str) -> None:
        """Stop expecting a bot and say goodbye to it."""
        link, own = self.links.pop(ticket, None), self._own.pop(ticket, None)
        if link is not None and link.stream is not None:
            link.stream.send(wire.goodbye("the arena no longer needs this bot"))
            link.stream.close(grpc.StatusCode.OK, "goodbye")
        self._close(own)

    def _close(self, own: BotListener | None) -> None:
        if own is None:
            return
        task = asyncio.get_running_loop().create_task(own.stop(GOODBYE_SECONDS))
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)

    def heaviest(self) -> str:
        """Return the ticket of the bot that recently sent far more than all others together; "" without one."""
        weights = sorted((link.window.received, ticket) for ticket, link in self.links.items())
        if not weights:
            return ""
        (most, ticket), others = weights[-1], sum(received for received, _ in weights[:-1])
        return ticket if most > MIN_HEAVY and most > 2 * others else ""

    async def start(self, addresses: list[str]) -> list[str]:
        """Listen on addresses for all bots without their own, and return them with the bound ports."""
        if not addresses:
            return []
        self._common = BotListener(functools.partial(self._play, None), OPTIONS, lambda: log.error("server.ended"))
        async with self._starting:
            return await self._common.start(addresses)

    async def stop(self) -> None:
        """Say goodbye to every bot and hang up, within a second."""
        for link in self.links.values():
            if link.stream is not None:
                link.stream.send(wire.goodbye("the referee is shutting down"))
                link.stream.close(grpc.StatusCode.UNAVAILABLE, "the referee is shutting down")
        await asyncio.sleep(0)
        for listener in self._own.values():
            self._close(listener)
        self._own.clear()
        if self._common is not None:
            self._close(self._common)
        await asyncio.gather(*self._stopping)
        await leave_quietly()

    async def _play(self, own: BotLink | None, _requests: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        if own is not None and (reason := own.opened()):
            own.cut(None, reason)
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
        link = await self._greet(own, context)
        stream = Stream(deque(), asyncio.Event())
        link.connected(stream)
        reader = asyncio.create_task(self._read(link, stream, context))
        try:
            await self._write(link, stream, context)
        finally:
            reader.cancel()
            if link.stream is stream:
                link.disconnected()

    async def _greet(self, own: BotLink | None, context: grpc.aio.ServicerContext[bytes, bytes]) -> BotLink:
        """Read the hello and return the link of its ticket, or end the call with the right status."""
        try:
            async with asyncio.timeout(wire.HELLO_SECONDS):
                data = await context.read()
            messages = [] if data is EOF else wire.read_frame(data)
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"no hello within {wire.HELLO_SECONDS} seconds")
        except ProtocolError as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        if len(messages) != 1 or messages[0].WhichOneof("kind") != "hello":
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first frame must hold one hello")
        hello = messages[0].hello
        if hello.protocol_version != wire.PROTOCOL_VERSION:
            reason = f"protocol version {hello.protocol_version} is unknown; expected {wire.PROTOCOL_VERSION}"
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, reason)
        link = self.links.get(hello.ticket)
        if link is not None and link is not own and (own is not None or link.report is not None):
            link = None  # a ticket is valid at its own server only
        if link is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "invalid ticket")
        assert link is not None  # abort never returns
        return link

    async def _read(self, link: BotLink, stream: Stream, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Deliver frames as they arrive; when the bot hangs up, let the writer end the stream."""
        now, window = self.meter.now, link.window
        try:
            while (data := await context.read()) is not EOF:
                arrived_ns = now()
                window.frames += 1
                window.received += len(data)
                if (window.frames > MAX_SPARE or window.received > MAX_BYTES) and (reason := window.breach(arrived_ns)):
                    link.cut(stream, reason)
                    return
                try:
                    messages = wire.read_frame(data)
                except wire.FloodError as error:
                    link.cut(stream, str(error))
                    return
                except ProtocolError as error:
                    link.stray(stream, 0, str(error))
                    continue
                if not messages:
                    link.nothing(stream)
                if stream.closing is not None:
                    return
                for message in messages:
                    if stream.closing is None:
                        link.receive(message, stream, arrived_ns)
        finally:
            stream.close(grpc.StatusCode.OK, "the bot has hung up")

    async def _write(self, link: BotLink, stream: Stream, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Send everything queued, as one frame, until the stream is closed."""
        outbox, wake, meter = stream.outbox, stream.wake, self.meter
        while True:
            await wake.wait()
            if link.plays_several():
                # Answers that arrive meanwhile lead to more prompts: a frame costs more than the short wait.
                for _ in range(TURNS_TO_WAIT):
                    await asyncio.sleep(0)
            wake.clear()
            if outbox:
                batch = [outbox.popleft() for _ in range(len(outbox))]
                now_ns, stall_ns = meter.now(), meter.read()
                for _message, question in batch:
                    if question is not None:  # the bot's time starts when its prompt is sent
                        question.asked_ns, question.stall_before_ns = now_ns, stall_ns
                stream.is_writing = True
                await context.write(wire.frame([message for message, _question in batch]))
                stream.is_writing = False
                stream.written.set()
                stream.written.clear()
            if stream.closing is not None and not outbox:
                code, reason = stream.closing
                if code is not grpc.StatusCode.OK:
                    await context.abort(code, reason)
                return
