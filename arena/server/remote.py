"""Remote bots: they dial the public endpoint with a ticket, and their frames are forwarded to their referees.

A remote bot has one stream for all its matches; here every match has its own route to its referee. A bot that loses
its connection and returns finds its matches again, because each referee keeps its prompts.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio
import trio

from arena.bots.directory import Bot, RemoteBot
from arena.bots.process import BotProcess, KeptOutput
from arena.play.pool import RunningBot, StartBot
from arena.remote.forwarding import CONNECTED_AGAIN
from arena.sandbox.levels import Level
from arena.server.admission import BOTS, UNKNOWN_BOTS, Budget, CallLimit, FullError, client_of, max_connections
from arena.server.bridge import EOF, GONE
from referee.codec import ProtocolError
from referee.logs import log
from referee.v1 import play_pb2 as pb
from referee.wire import HELLO_SECONDS, MAX_STRAYS, PROTOCOL_VERSION, SERVICE, TAKEN_OVER, read_frame

LOOK_SECONDS = 0.1  # between two checks whether a bot has connected
CLIENT_OPTIONS = (("grpc.max_receive_message_length", -1),)
FOR_THIS_STREAM_ONLY = ("welcome", "goodbye")  # from a referee to the route, not to the bot


@dataclass(slots=True, eq=False)
class _Way:
    """The route from one seat at a referee to its bot."""

    address: str
    ticket: str
    task: asyncio.Task[None] | None = None
    remote: _Remote | None = None
    call: Any = None
    knock: asyncio.Task[None] | None = None


@dataclass(slots=True, eq=False)
class _Remote:
    """A bot that holds a ticket."""

    label: str
    token_id: str
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    context: Any = None
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    routes: dict[str, _Way] = field(default_factory=dict)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    ending: tuple[grpc.StatusCode, str] = (grpc.StatusCode.OK, "")
    strays: int = 0
    empty: int = 0  # frames without a message since its last answer


class _CutError(Exception):
    """A stream is ended because of its contents."""

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class RemoteBots:
    """A server's remote bots; everything except `connect`, `start` and `run_in` runs in gRPC's loop."""

    def __init__(self, is_good: Callable[[str], bool]) -> None:
        self.is_good = is_good  # whether a token is still valid, by its id
        self._unknown = CallLimit("streams without a hello", UNKNOWN_BOTS)
        # One token may not use up everybody's connections.
        self._known = CallLimit("bots", Budget(of_one=min(BOTS.of_one, max(1, max_connections() // 2))))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._by_label: dict[str, _Remote] = {}
        self._by_ticket: dict[str, _Remote] = {}
        self._ways: dict[str, dict[str, _Way]] = {}  # by label and ticket at the referee

    def run_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note the loop of the streams."""
        self._loop = loop

    def connect(self, label: str, token_id: str) -> str:
        """Return a new ticket for a bot; the previous one and its stream end."""
        remote = _Remote(label, token_id)
        self._post(self._admit, remote)
        return remote.ticket

    def is_connected(self, label: str) -> bool:
        """Return whether a bot is connected."""
        remote = self._by_label.get(label)
        return remote is not None and remote.context is not None

    @property
    def connected(self) -> int:
        """The number of connected bots."""
        return sum(remote.context is not None for remote in list(self._by_label.values()))

    def starter(self, wait_seconds: float) -> StartBot:
        """Return a function that starts the bots of one tournament, waiting once for each remote one."""
        until: dict[str, float] = {}

        async def start(bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
            if isinstance(bot, RemoteBot) and not self.is_connected(bot.label):
                log.info("bot.awaited", bot=bot.label, seconds=wait_seconds)
                with trio.move_on_at(until.setdefault(bot.label, trio.current_time() + wait_seconds)):
                    while not self.is_connected(bot.label):  # noqa: ASYNC110  # it happens in gRPC's thread
                        await trio.sleep(LOOK_SECONDS)
            return await self.start(bot, address, ticket, level)

        return start

    async def start(self, bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
        """Start a bot for a pool: a process here, or a route to a remote bot."""
        if not isinstance(bot, RemoteBot):
            return await BotProcess.start(bot, address, ticket, level)
        self._post(self._seat, bot.label, _Way(address, ticket))
        return _Elsewhere(lambda: self._post(self._leave, bot.label, ticket))

    def _post(self, function: Callable[..., object], *arguments: object) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended, and all streams with it
            self._loop.call_soon_threadsafe(function, *arguments)

    # In gRPC's loop.

    def _admit(self, remote: _Remote) -> None:
        before = self._by_label.get(remote.label)
        if before is not None:
            del self._by_ticket[before.ticket]
            _end(before, grpc.StatusCode.CANCELLED, CONNECTED_AGAIN)
        self._by_label[remote.label] = self._by_ticket[remote.ticket] = remote

    def _take_over(self, before: _Remote) -> _Remote:
        """Replace a connection by a new one with the same ticket."""
        remote = _Remote(before.label, before.token_id, before.ticket, empty=before.empty)
        self._by_label[remote.label] = self._by_ticket[remote.ticket] = remote
        _end(before, grpc.StatusCode.ABORTED, TAKEN_OVER)
        return remote

    def close(self) -> None:
        """Tell all bots that the server is shutting down."""
        for remote in self._by_label.values():
            _end(remote, grpc.StatusCode.UNAVAILABLE, "the server is shutting down")

    def _seat(self, label: str, way: _Way) -> None:
        self._ways.setdefault(label, {})[way.ticket] = way
        remote = self._by_label.get(label)
        if remote is not None and remote.context is not None:
            self._open(remote, way)
        else:
            way.knock = asyncio.get_running_loop().create_task(self._knock(way))

    def _leave(self, label: str, ticket: str) -> None:
        way = self._ways.get(label, {}).pop(ticket, None)
        for task in () if way is None else (way.task, way.knock):
            if task is not None:
                task.cancel()

    def _open(self, remote: _Remote, way: _Way) -> None:
        if way.task is not None:
            way.task.cancel()
        way.remote = remote
        way.task = asyncio.get_running_loop().create_task(self._pass_down(remote, way))

    async def play(self, _requests: Any, context: Any) -> None:
        """Serve one bot's stream, from its hello until either side disconnects."""
        try:
            with self._unknown.passing(client_of(context)):
                remote = await self._greet(context)
            self._known.enter(remote.token_id)
        except FullError as error:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        remote.context = context
        log.info("bot.connected", bot=remote.label)
        try:
            await self._write(
                remote, pb.RefereeMessage(welcome=pb.Welcome(protocol_version=PROTOCOL_VERSION, bot=remote.label))
            )
            for way in self._ways.get(remote.label, {}).values():
                self._open(remote, way)
            await self._read(remote, context)
        except _CutError as error:
            await context.abort(error.code, str(error))
        finally:
            self._known.leave(remote.token_id)
            remote.context = None
            remote.routes.clear()
            for way in self._ways.get(remote.label, {}).values():
                if way.task is not None and way.remote is remote:  # otherwise a newer connection has taken over
                    way.task.cancel()
            log.info("bot.disconnected", bot=remote.label)

    async def _read(self, remote: _Remote, context: Any) -> None:
        """Forward the bot's frames until it disconnects; a _CutError ends it from our side."""
        loop = asyncio.get_running_loop()
        reading, ended = loop.create_task(self._pass_all_up(remote, context)), loop.create_task(remote.ended.wait())
        try:
            await asyncio.wait((reading, ended), return_when=asyncio.FIRST_COMPLETED)
            if remote.ended.is_set():
                raise _CutError(*remote.ending)
            await reading
        finally:
            reading.cancel()
            ended.cancel()

    async def _pass_all_up(self, remote: _Remote, context: Any) -> None:
        while (data := await context.read()) is not EOF:
            await self._pass_up(remote, data)

    async def _greet(self, context: Any) -> _Remote:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                data = await context.read()
            messages = [] if data is EOF else read_frame(data)
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"no hello within {HELLO_SECONDS} seconds")
        except ProtocolError as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        if len(messages) != 1 or messages[0].WhichOneof("kind") != "hello":
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first frame must hold one hello")
        ticket = messages[0].hello.ticket
        remote = self._by_ticket.get(ticket)
        if remote is not None and await asyncio.to_thread(self.is_good, remote.token_id):
            remote = self._by_ticket.get(ticket)  # again: the ticket may have ended meanwhile
        else:
            remote = None
        if remote is None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "invalid ticket")
        assert remote is not None  # abort never returns
        if messages[0].hello.protocol_version != PROTOCOL_VERSION:
            reason = f"protocol version {messages[0].hello.protocol_version} is unknown; expected {PROTOCOL_VERSION}"
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, reason)
        if remote.context is not None:  # the bot is back before its old connection was found dead
            remote = self._take_over(remote)
        return remote

    async def _write(self, remote: _Remote, *messages: pb.RefereeMessage) -> None:
        async with remote.writing:  # several referees write to one bot
            if remote.context is not None:
                with suppress(GONE):
                    await remote.context.write(pb.PlayResponse(messages=messages).SerializeToString())

    async def _knock(self, way: _Way) -> None:
        """Dial a referee for an absent bot and disconnect, so that its grace period begins."""
        with suppress(grpc.aio.AioRpcError):
            async with grpc.aio.insecure_channel(way.address, options=CLIENT_OPTIONS) as channel:
                call = await _greet_referee(channel, way)
                await call.read()  # the welcome: the referee has seen it
                call.cancel()

    async def _pass_down(self, remote: _Remote, way: _Way) -> None:
        """Dial a referee on the bot's behalf and forward its messages until either disconnects."""
        try:
            if way.knock is not None:  # our own hello, arriving later, would take the seat over
                await asyncio.wait((way.knock,))
            async with grpc.aio.insecure_channel(way.address, options=CLIENT_OPTIONS) as channel:
                way.call = await _greet_referee(channel, way)
                while (data := await way.call.read()) is not EOF:
                    kept = [
                        message
                        for message in pb.PlayResponse.FromString(data).messages
                        if _is_for(remote, way, message)
                    ]
                    if kept:
                        await self._write(remote, *kept)
        except grpc.aio.AioRpcError as error:
            log.debug("referee.left", bot=remote.label, code=error.code().name)
        finally:
            if way.task is asyncio.current_task():
                way.call = way.task = None

    async def _pass_up(self, remote: _Remote, data: bytes) -> None:
        """Forward a bot's answers to the referees that asked."""
        try:
            messages = read_frame(data)
        except ProtocolError as error:
            raise _CutError(grpc.StatusCode.INVALID_ARGUMENT, str(error)) from None
        if not messages:
            remote.empty += 1
            if remote.empty > MAX_STRAYS:
                reason = f"more than {MAX_STRAYS} empty frames without an answer"
                raise _CutError(grpc.StatusCode.RESOURCE_EXHAUSTED, reason)
        by_way: dict[int, tuple[_Way, list[pb.BotMessage]]] = {}
        for message in messages:
            way = remote.routes.get(message.answer.match_id)
            if way is None or way.call is None:
                remote.strays += 1
                continue
            by_way.setdefault(id(way), (way, []))[1].append(message)
        if remote.strays > MAX_STRAYS:
            raise _CutError(grpc.StatusCode.RESOURCE_EXHAUSTED, f"more than {MAX_STRAYS} messages for unknown matches")
        if by_way:
            remote.empty = 0
        for way, answers in by_way.values():
            await _answer(way.call, pb.PlayRequest(messages=answers).SerializeToString())


async def _greet_referee(channel: Any, way: _Way) -> Any:
    """Open a stream to a referee and say hello."""
    hello = pb.BotMessage(hello=pb.Hello(ticket=way.ticket, protocol_version=PROTOCOL_VERSION))
    call = channel.stream_stream(f"/{SERVICE}/Play")()
    await call.write(pb.PlayRequest(messages=[hello]).SerializeToString())
    return call


async def _answer(call: Any, frame: bytes) -> None:
    """Write to a referee that may have disconnected, or that the bot has just left."""
    if call is None:
        return
    try:
        await call.write(frame)
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return
    except asyncio.CancelledError:
        if not call.cancelled():  # then the bot's own stream ends
            raise


def _is_for(remote: _Remote, way: _Way, message: pb.RefereeMessage) -> bool:
    """Note the route of each match, and return whether a message is for the bot."""
    kind = message.WhichOneof("kind")
    if kind == "match_started":
        remote.routes[message.match_started.match_id] = way
    elif kind == "match_ended":
        remote.routes.pop(message.match_ended.match_id, None)
    return kind not in FOR_THIS_STREAM_ONLY


def _end(remote: _Remote, code: grpc.StatusCode, reason: str) -> None:
    remote.ending = (code, reason)
    remote.ended.set()


class _Elsewhere:
    """A remote bot as a pool sees it: running until no longer needed."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.output = KeptOutput()
        self.host_kill = ""  # unknown on another machine
        self._leave = leave
        self._over = trio.Event()

    async def watch(self) -> str:
        """Wait until the pool no longer needs it; the referee sees whether it is connected."""
        await self._over.wait()
        return "no longer needed"

    async def settle(self) -> None:
        """Its output stays on its own machine."""

    async def wait(self) -> None:
        """A remote bot outlives its matches."""

    async def stop(self) -> None:
        """Remove the route to it."""
        self._leave()
        self._over.set()
