"""The test server: a scripted referee to which one bot connects, over real gRPC on a unix socket.

gRPC serves in its own threads, two for each connection; everything they receive is posted to the trio loop, where the
scripts run.
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import BotProcess
from arena.conformance.own_time import OwnTime
from arena.sandbox.levels import Level, SandboxPolicy
from referee import wire
from referee.v1 import play_pb2 as pb

MAX_CONNECTIONS = 32  # concurrent; a bot in a crash loop fills them and is told so
FOLDER_MODE = 0o755


class BotConnection:
    """One connection of the bot: frames in, frames out."""

    def __init__(self, post: Callable[..., None]) -> None:
        self._post = post
        self._outbox: queue.SimpleQueue[bytes | tuple[grpc.StatusCode, str]] = queue.SimpleQueue()
        self._heard, self._frames = trio.open_memory_channel[bytes](math.inf)

    def send(self, *messages: bytes) -> None:
        """Send serialised messages in one frame."""
        self._outbox.put(wire.frame(messages))

    def close(self, code: grpc.StatusCode, reason: str) -> None:
        """End the stream with a status that the bot sees."""
        self._outbox.put((code, reason))

    async def receive(self, patience: OwnTime) -> list[pb.BotMessage]:
        """Return the messages of the next frame; SilenceError or HungUpError if there is none."""
        return list(wire.read_frame(await patience.receive(self._frames)))

    def serve(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        """Run the connection in gRPC's thread until either side ends it."""
        context.add_callback(lambda: self._outbox.put((grpc.StatusCode.OK, "the bot has hung up")))
        threading.Thread(target=self._listen, args=(requests,), daemon=True).start()
        while isinstance(item := self._outbox.get(), bytes):
            yield item
        code, reason = item
        if code is not grpc.StatusCode.OK:
            context.abort(code, reason)

    def _listen(self, requests: Iterator[bytes]) -> None:
        with suppress(grpc.RpcError):
            for frame in requests:
                self._post(self._heard.send_nowait, frame)
        self._post(self._heard.close)


class TestedBot:
    """The bot's process and its connections to the test server."""

    def __init__(self, process: BotProcess, ticket: str) -> None:
        self.process = process
        self.ticket = ticket
        self.ended = trio.Event()
        self.ending = ""
        self._arrivals, self._connections = trio.open_memory_channel[BotConnection](math.inf)

    def arrives(self, connection: BotConnection) -> None:
        """Take a connection; one that comes after the end of the process is closed."""
        if self.ended.is_set():
            connection.close(grpc.StatusCode.UNAVAILABLE, "the process has ended")
        else:
            self._arrivals.send_nowait(connection)

    async def watch(self) -> None:
        """Wait for the process to end."""
        self.ending = await self.process.watch()
        self.ended.set()
        self._arrivals.close()

    def own_time(self, seconds: float) -> OwnTime:
        """Return a timeout of the bot's own time."""
        return OwnTime(self.process.process.pid, seconds)

    async def dials(self, patience: OwnTime) -> BotConnection:
        """Return the bot's next connection; SilenceError if it does not come, HungUpError if it has ended."""
        return await patience.receive(self._connections)

    async def leaves(self, seconds: float) -> bool:
        """Return whether the process ends on its own in time."""
        with suppress(trio.TooSlowError):
            await self.own_time(seconds).wait_for(self.ended.wait)
        return self.ended.is_set()


class TestServer:
    """The scripted referee: it listens on one address and hands every connection to the bot that is being tested."""

    def __init__(self, address: str, sandbox: SandboxPolicy | Level) -> None:
        self.address = address
        self.sandbox = sandbox
        self._token = trio.lowlevel.current_trio_token()
        self._bot: TestedBot | None = None
        self.grpc = grpc.server(ThreadPoolExecutor(MAX_CONNECTIONS), options=(("grpc.so_reuseport", 0),))
        handler = grpc.stream_stream_rpc_method_handler(self._play)  # frames travel as bytes
        self.grpc.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(wire.SERVICE, {"Play": handler}),))
        self.grpc.add_insecure_port(address)

    def _play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        connection = BotConnection(self._post)
        self._post(self._arrive, connection)
        return connection.serve(requests, context)

    def _post(self, act: Callable[..., Any], *values: Any) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(act, *values)

    def _arrive(self, connection: BotConnection) -> None:
        if self._bot is None:
            connection.close(grpc.StatusCode.UNAVAILABLE, "the session is over")
        else:
            self._bot.arrives(connection)

    @asynccontextmanager
    async def start_bot(self, bot: BotDirectory, ticket: str) -> AsyncIterator[TestedBot]:
        """Start the bot's process, and stop it on leaving; a BotStartError says why it cannot be started."""
        process = await BotProcess.start(bot, self.address, ticket, self.sandbox)
        self._bot = tested = TestedBot(process, ticket)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tested.watch)
            try:
                yield tested
            finally:
                self._bot = None
                await process.stop()
                with trio.CancelScope(shield=True), trio.move_on_after(1):
                    await tested.ended.wait()
                nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_test_server(folder: Path, sandbox: SandboxPolicy | Level) -> AsyncIterator[TestServer]:
    """Open a test server on a socket in its own directory, as a sandboxed bot needs it."""
    place = folder / "server"
    place.mkdir(mode=FOLDER_MODE)
    server = TestServer(f"unix:{place / 'socket'}", sandbox)
    server.grpc.start()
    try:
        yield server
    finally:
        server.grpc.stop(None)
