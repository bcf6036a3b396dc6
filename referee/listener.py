"""A gRPC server that takes bots' streams, bounded and with a notice when it dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import grpc
import grpc.aio

from referee.logs import log
from referee.order import MAX_CONNECTIONS
from referee.wire import SERVICE

LARGEST_FRAME = 1 << 20
MAX_STREAMS = 4  # of each connection
MAX_METADATA = 8 << 10
IDLE_MS = 10_000  # after which a connection without a stream is closed

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
    ("grpc.max_metadata_size", MAX_METADATA),
    ("grpc.absolute_max_metadata_size", MAX_METADATA),
)
FOR_ONE_BOT = (
    *OPTIONS,
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.max_concurrent_streams", MAX_STREAMS),
    ("grpc.max_connection_idle_ms", IDLE_MS),
)
MAIN_LOOP = "AioServer._server_main_loop"

Play = Callable[[Any, Any], Awaitable[None]]


class BotListener:
    """One gRPC server; `died` is called if it ends on its own."""

    def __init__(self, play: Play, options: Sequence[tuple[str, int]], died: Callable[[], None]) -> None:
        self._died = died
        self._is_stopping = False
        self._server: Any = grpc.aio.server(options=options)
        # Frames travel as bytes: garbage becomes a strike of one bot instead of an error inside gRPC.
        handler = grpc.stream_stream_rpc_method_handler(play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))

    async def start(self, addresses: Sequence[str]) -> list[str]:
        """Listen on these addresses and return them with the ports that were bound; a RuntimeError if one is taken.

        No two listeners may be started concurrently.
        """
        bound = []
        for address in addresses:
            port = self._server.add_insecure_port(address)
            bound.append(address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}")
        before = asyncio.all_tasks()
        await self._server.start()
        # One request whose path is not UTF-8 ends the loop of a server without notice: not even wait_for_termination
        # returns. So we find its task and watch it.
        for task in asyncio.all_tasks() - before:
            if getattr(task.get_coro(), "__qualname__", "") == MAIN_LOOP:
                task.add_done_callback(self._ended)
        return bound

    def _ended(self, _task: asyncio.Task[Any]) -> None:
        if not self._is_stopping:
            self._died()

    async def stop(self, grace: float) -> None:
        """Take no more streams, give the open ones a moment, and close the socket."""
        self._is_stopping = True
        with suppress(UnicodeDecodeError):  # by which its loop has ended
            await self._server.stop(grace)
        self._server = None  # it refers to us through its handler; without this it would wait for the collector


def tell_mistakes(loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """Log the error of a task that nobody awaits: in one line, if it is gRPC's own, caused by a hostile client."""
    error = context.get("exception")
    if isinstance(error, UnicodeDecodeError) or type(error).__module__.startswith("grpc."):
        log.debug("grpc.failed", error=f"{type(error).__name__}: {error}"[:200])
    else:
        loop.default_exception_handler(dict(context))
