"""The bridge: grpc.aio serves in its own thread, and tasks of the trio program answer the calls.

Every call is one task. It receives and sends messages one at a time, so that a client that floods or stalls delays
only itself; a client that disconnects cancels its task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import grpc
import grpc.aio
import trio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.server import sturdy
from arena.server.admission import UNKNOWN_CALLERS, CallLimit, FullError, ProbeGuard, client_of, max_connections
from arena.server.sturdy import Died
from arena.server.survival import Listener, ServedListeners, Serving, one_line
from arena.server.watchdog import report_health
from referee.quiet_stop import stop_quietly

EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing from the published type stubs
GONE: type[Exception] = grpc.aio.InternalError  # a read or write after the client disconnected
LARGEST_MESSAGE = 1 << 20
GRACE_SECONDS = 1.0

OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", 16 << 10),
    ("grpc.max_concurrent_streams", 128),
    # A connection without a call only costs a descriptor.
    ("grpc.max_connection_idle_ms", 30_000),
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Detects a dead client within a minute; without the ping timeout, never.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.http2.ping_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.so_reuseport", 0),
)

CallStatus = tuple[grpc.StatusCode, str]
DONE: CallStatus = (grpc.StatusCode.OK, "")
CLOSING: CallStatus = (grpc.StatusCode.UNAVAILABLE, "the server is shutting down")


class Streams(Protocol):
    """A service whose streams run entirely in gRPC's loop."""

    def run_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note the loop."""

    async def play(self, requests: Any, context: Any) -> None:
        """Serve one stream of bytes."""

    def close(self) -> None:
        """End all streams with a status."""


class CannotListenError(Exception):
    """The server cannot listen on an address."""


@dataclass(slots=True, eq=False)
class _Step:
    """A request of a task to its call: read a message, write one, or end."""

    kind: str
    value: Any = None
    done: trio.Event = field(default_factory=trio.Event)


class Call:
    """One call as its task sees it; messages are bytes."""

    def __init__(self, method: str, metadata: Mapping[str, str], client: str, unknown: CallLimit) -> None:
        self.method = method
        self.metadata = metadata
        self.client = client
        self._unknown: CallLimit | None = unknown
        self.scope = trio.CancelScope()
        self._loop = asyncio.get_running_loop()
        self._steps: asyncio.Queue[_Step] = asyncio.Queue()

    async def receive(self) -> bytes | None:
        """Return the client's next message; None at the end of its stream."""
        data: bytes | None = await self._take(_Step("read"))
        return data

    async def send(self, message: bytes) -> None:
        """Send a message; returns once gRPC has accepted it."""
        await self._take(_Step("write", message))

    async def _take(self, step: _Step) -> Any:
        self._post(step)
        await step.done.wait()
        return step.value

    def admit(self) -> None:
        """Stop counting the caller as anonymous: its token is valid."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.leave)

    def leave(self) -> None:
        """Leave the limit on anonymous calls, once; in gRPC's loop."""
        if self._unknown is not None:
            self._unknown.leave(self.client)
            self._unknown = None

    def end(self, ending: CallStatus) -> None:
        """End the call with a status that the client sees."""
        self._post(_Step("end", ending))

    def _post(self, step: _Step) -> None:
        with suppress(RuntimeError):  # the loop has ended, and all connections with it
            self._loop.call_soon_threadsafe(self._steps.put_nowait, step)

    async def carry_out(self, context: Any, to_trio: Callable[..., None]) -> None:
        """Carry out the task's steps in gRPC's loop until it ends the call."""
        while True:
            step = await self._steps.get()
            if step.kind == "end":
                code, detail = step.value
                if code is not grpc.StatusCode.OK:
                    await context.abort(code, detail)
                return
            if step.kind == "read":
                data = await context.read()
                step.value = None if data is EOF else data
            else:
                await context.write(step.value)
            to_trio(step.done.set)


Answer = Callable[[Call], Awaitable[CallStatus]]
NO_STREAMS: Mapping[str, Streams] = {}


class _Thread:
    """The part in gRPC's thread: the server, and a coroutine per call."""

    def __init__(
        self,
        service: str,
        methods: Sequence[str],
        listeners: Sequence[Listener],
        spawn: Callable[[Call], None],
        streams: Mapping[str, Streams],
        state: Serving,
    ) -> None:
        self.streams = streams
        self.service = service
        self.methods = methods
        self.served = ServedListeners(listeners, self._create, state)
        self.guard = ProbeGuard(own=self.served.secret)
        self.health = health.aio.HealthServicer()  # type: ignore[attr-defined]  # missing from the published type stubs
        self.spawn = spawn
        self.unknown = CallLimit("calls", UNKNOWN_CALLERS)
        self.token = trio.lowlevel.current_trio_token()
        self.ready = trio.Event()
        self.bound: list[str] = []
        self.error = ""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.stopping: asyncio.Event | None = None

    def to_trio(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function soon, in trio's thread."""
        with suppress(trio.RunFinishedError):
            self.token.run_sync_soon(partial(function, *arguments))

    def stop(self) -> None:
        """Ask the thread to end; may be called from trio's thread any time after `ready`."""
        if self.loop is not None and self.stopping is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.stopping.set)

    async def run(self) -> None:
        """Serve until asked to stop; a failure to listen is stored in `error`."""
        self.loop, self.stopping = asyncio.get_running_loop(), asyncio.Event()
        for streams in self.streams.values():
            streams.run_in(self.loop)
        self.loop.set_exception_handler(self._note)
        for name in ("", self.service):
            await self.health.set(name, health_pb2.HealthCheckResponse.SERVING)
        try:
            self.bound = await self.served.start()
        except RuntimeError as error:
            self.error = str(error)
            await stop_quietly(self.served, 0.0)
            return
        finally:
            self.to_trio(self.ready.set)  # always, or trio would wait for ever
        async with asyncio.TaskGroup() as group:
            keeping = (self.served.keep(), report_health(self.health, ("", self.service)))
            tasks = [group.create_task(each) for each in keeping]
            await self.stopping.wait()
            for task in tasks:
                task.cancel()
        for streams in self.streams.values():
            streams.close()
        await self.health.enter_graceful_shutdown()
        await stop_quietly(self.served, GRACE_SECONDS)

    def _note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle a failed task that nobody awaits; asyncio would print its traceback."""
        error = context.get("exception")
        self.served.suspect(str(context.get("message")) if error is None else one_line(error))

    def _create(self, died: Died) -> Any:
        # No limit on all calls together: one client could use it up and lock out everybody else.
        # Connections are limited, or a client that only connects would leave us no descriptors.
        options = (*OPTIONS, ("grpc.max_allowed_incoming_connections", max_connections()))
        server = sturdy.server(options, (self.guard,), died)
        # On the wire a single message is a stream of one, so every method can be served as a stream of bytes.
        handlers = {
            method: grpc.stream_stream_rpc_method_handler(partial(self._serve, method)) for method in self.methods
        }
        sturdy.register(server, self.service, handlers)
        for name, streams in self.streams.items():
            sturdy.register(server, name, {"Play": grpc.stream_stream_rpc_method_handler(streams.play)})
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        names = (self.service, *self.streams, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        return server

    async def _serve(self, method: str, _requests: Any, context: Any) -> None:
        client = client_of(context)
        try:
            self.unknown.enter(client)
        except FullError as error:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        call = Call(method, metadata, client, self.unknown)
        self.to_trio(self.spawn, call)
        try:
            with suppress(GONE):
                await call.carry_out(context, self.to_trio)
        finally:
            call.leave()
            self.to_trio(call.scope.cancel)


async def serve(
    service: str,
    methods: Sequence[str],
    listeners: Sequence[Listener],
    answer: Answer,
    streams: Mapping[str, Streams] = NO_STREAMS,
    state: Serving | None = None,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve a gRPC service, with health and reflection, until cancelled; `started` gives the addresses bound.

    `state` says at any time whether it is served.
    """

    async def run(call: Call) -> None:
        ending = CLOSING
        try:
            with call.scope:
                ending = await answer(call)
        finally:
            call.end(ending)

    async with trio.open_nursery() as nursery:

        def spawn(call: Call) -> None:
            nursery.start_soon(run, call)

        thread = _Thread(service, methods, listeners, spawn, streams, Serving() if state is None else state)

        async def run_thread() -> None:
            # Shielded, so that a thread once begun is always started, and always joined.
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(asyncio.run, thread.run())

        with trio.CancelScope(shield=True):
            nursery.start_soon(run_thread)
            await thread.ready.wait()
        if thread.error:
            raise CannotListenError(thread.error)
        task_status.started(thread.bound)
        try:
            await trio.sleep_forever()
        finally:
            thread.stop()
