"""The server: bots' streams, each the current connection of a link that outlives it."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio

from referee import wire
from referee.clock import StallMeter
from referee.codec import ProtocolError
from referee.logs import log
from referee.match import Chair, OpenPrompt
from referee.order import Ending
from referee.quiet_stop import stop_quietly
from referee.v1 import play_pb2 as pb

EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing from the published type stubs
SOON_SECONDS = 0.005
DELIVERY_SECONDS = 2.0  # that a match's result waits for its bots to be told of the end
TURNS_TO_WAIT = 4  # of the event loop, before a frame is sent to a bot with several matches
REMEMBERED_LATE = 256  # withdrawn questions whose late answers are ignored
LARGEST_FRAME = 1 << 20

OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_FRAME),
    ("grpc.max_send_message_length", -1),
    # A frozen bot is noticed in about fifteen seconds; without the ping timeout it takes a minute. A shorter one would
    # drop bots that wait on a busy machine: on two cores at a load of thirteen, one second was too short.
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.so_reuseport", 0),
)


@dataclass(slots=True, eq=False)
class Stream:
    """One connection: what waits to be sent, and whether it is to be closed."""

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


class BotLink:
    """The link to one bot, named by its ticket: it keeps open questions across reconnects."""

    def __init__(self, ticket: str, bot: str, leftovers: Leftovers) -> None:
        self.ticket = ticket
        self.bot = bot
        self.leftovers = leftovers
        self.stream: Stream | None = None
        self.exit_detail: str | None = None
        self._there = asyncio.Event()
        self._chairs: dict[str, Chair] = {}
        self._open: dict[tuple[str, int], OpenPrompt] = {}
        self._late: deque[tuple[str, int]] = deque(maxlen=REMEMBERED_LATE)
        self._grace: asyncio.TimerHandle | None = None
        self._empty = 0  # frames without a message since its last answer

    def is_there(self) -> bool:
        """Return whether the bot has been connected, or will never be."""
        return self._there.is_set()

    async def arrived(self) -> None:
        """Return once the bot is connected, or will never be."""
        await self._there.wait()

    def join(self, seat: Chair) -> None:
        """Route this match's answers to the seat, and notify it when the bot is lost."""
        self._chairs[seat.match.order.match_id] = seat
        if self.exit_detail is not None:
            seat.match.forfeit(seat, Ending.FORFEIT_CRASH)
        elif self.stream is None and self._there.is_set():
            self._start_grace()  # lost while it had no match: the grace time starts only now

    def leave(self, seat: Chair) -> None:
        """Forget the seat."""
        self._chairs.pop(seat.match.order.match_id, None)

    def plays_several(self) -> bool:
        """Return whether the bot is in more than one match."""
        return len(self._chairs) > 1

    def ask(self, question: OpenPrompt) -> None:
        """Send a prompt, now or when the bot reconnects."""
        self._open[question.chair.match.order.match_id, question.prompt_id] = question
        if self.stream is not None:
            self.stream.send(question.message, question)

    def withdraw(self, question: OpenPrompt) -> None:
        """Stop waiting for an answer; one that still comes is late."""
        key = (question.chair.match.order.match_id, question.prompt_id)
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
        if self._there.is_set():
            for chair in self._chairs.values():
                stream.send(chair.started_message())
            for question in self._open.values():
                stream.send(question.message)
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
        """The bot's process has ended: it forfeits all its matches immediately."""
        self.exit_detail = detail
        if self._grace is not None:
            self._grace.cancel()
        self._lose(Ending.FORFEIT_CRASH)
        self._there.set()

    def _lose(self, ending: Ending) -> None:
        for chair in list(self._chairs.values()):
            chair.match.forfeit(chair, ending)

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
            question.chair.match.answered(question, answer, arrived_ns)
        elif key in self._late:
            self._late.remove(key)
        elif answer.match_id not in self._chairs:
            self.stray(stream, answer.prompt_id, f"match {answer.match_id[:80]!r} is not being played by this bot")
        else:
            self.stray(stream, answer.prompt_id, f"prompt {answer.prompt_id} is not open for this bot")

    def nothing(self, stream: Stream) -> None:
        """Count a frame without a message: no fault, but a flood of them would slow other bots down."""
        self._empty += 1
        if self._empty > wire.MAX_STRAYS:
            reason = f"more than {wire.MAX_STRAYS} empty frames without an answer"
            stream.close(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)

    def stray(self, stream: Stream, prompt_id: int, reason: str) -> None:
        """Count a message that fits no question: a strike in every match of this bot, and a cut past the limit."""
        stream.strays += 1
        if stream.strays > wire.MAX_STRAYS:
            stream.close(
                grpc.StatusCode.RESOURCE_EXHAUSTED, f"more than {wire.MAX_STRAYS} messages that fit no question"
            )
            return
        for chair in list(self._chairs.values()):
            chair.match.strike(chair, Ending.FORFEIT_ILLEGAL, prompt_id, "", reason)


class RefereeServer:
    """The gRPC service: admits links by ticket and serves their streams."""

    def __init__(self, meter: StallMeter) -> None:
        self.meter = meter
        self.links: dict[str, BotLink] = {}
        self._leftovers = Leftovers()
        self._server: Any = None

    def admit(self, ticket: str, bot: str) -> BotLink:
        """Expect a bot with this ticket."""
        link = self.links[ticket] = BotLink(ticket, bot, self._leftovers)
        return link

    def dismiss(self, ticket: str) -> None:
        """Stop expecting a bot and say goodbye to it."""
        link = self.links.pop(ticket, None)
        if link is not None and link.stream is not None:
            link.stream.send(wire.goodbye("the arena needs this bot no longer"))
            link.stream.close(grpc.StatusCode.OK, "goodbye")

    async def start(self, addresses: list[str]) -> list[str]:
        """Listen on these addresses and return them with the ports that were bound."""
        self._server = grpc.aio.server(options=OPTIONS)
        # Frames travel as bytes: garbage becomes a strike of one bot instead of an error inside gRPC.
        handler = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(wire.SERVICE, {"Play": handler}),))
        bound = []
        for address in addresses:
            port = self._server.add_insecure_port(address)
            bound.append(address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}")
        await self._server.start()
        return bound

    async def stop(self) -> None:
        """Say goodbye to every bot and hang up, within a second."""
        for link in self.links.values():
            if link.stream is not None:
                link.stream.send(wire.goodbye("the referee is shutting down"))
                link.stream.close(grpc.StatusCode.UNAVAILABLE, "the referee is shutting down")
        await asyncio.sleep(0)
        await stop_quietly(self._server, 0.5)

    async def _play(self, _requests: Any, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        link = await self._greet(context)
        stream = Stream(deque(), asyncio.Event())
        link.connected(stream)
        reader = asyncio.create_task(self._read(link, stream, context))
        try:
            await self._write(link, stream, context)
        finally:
            reader.cancel()
            if link.stream is stream:
                link.disconnected()

    async def _greet(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> BotLink:
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
        if link is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "invalid ticket")
        assert link is not None  # abort never returns
        return link

    async def _read(self, link: BotLink, stream: Stream, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        """Deliver frames as they arrive; when the bot hangs up, let the writer end the stream."""
        now = self.meter.now
        try:
            while (data := await context.read()) is not EOF:
                arrived_ns = now()
                try:
                    messages = wire.read_frame(data)
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
