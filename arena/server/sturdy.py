"""A grpc.aio server that survives any request path.

The grpc.aio server decodes the path of each request in its main loop, and a path that is not UTF-8 ends that loop:
after one such frame nobody is served. Here every method is registered with gRPC's core, which compares bytes, so
that only requests for unknown methods are left; they are refused without reading their path.

This uses private parts of grpcio. If a version lacks them, `server` returns a plain server, and
`arena.server.survival` replaces it when it dies.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import grpc
import grpc.aio
from grpc._cython import cygrpc
from grpc.aio import _server as plain

NEEDED = ("_make_request_call_future", "_request_call", "_serving_task_crash_handler", "add_registered_method_handlers")
NEEDED_FUNCTIONS = ("_handle_rpc", "_schedule_rpc_coro", "get_working_loop")

Died = Callable[[BaseException], None]


def is_sturdy() -> bool:
    """Return whether the installed grpcio has the parts that a sturdy server needs."""
    core = getattr(cygrpc, "AioServer", None)
    return all(hasattr(core, name) for name in NEEDED) and all(hasattr(cygrpc, name) for name in NEEDED_FUNCTIONS)


def server(options: Sequence[tuple[str, Any]], interceptors: Sequence[Any], died: Died) -> Any:
    """Return a server; `died` is called when its main loop has ended with an exception."""
    if is_sturdy():
        return _SturdyServer(options, interceptors, died)
    return grpc.aio.server(options=tuple(options), interceptors=tuple(interceptors))


def quieten() -> None:
    """Keep gRPC's core from writing to standard error, unless the environment asks for it.

    It would write client input unchanged, including lines that a client made up.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if hasattr(cygrpc, "reset_grpc_config_vars"):  # the environment was read when grpc was imported
        cygrpc.reset_grpc_config_vars()


def register(server: Any, service: str, handlers: Mapping[str, Any]) -> None:
    """Add the methods of a service as generated code does."""
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, dict(handlers)),))
    if isinstance(server, _SturdyServer):
        server.add_registered_method_handlers(service, dict(handlers))


class _Unknown:
    """Finds no method."""

    def resolve_handler(self, _details: object) -> None:
        return None


class _Core(cygrpc.AioServer):  # type: ignore[misc]  # compiled, without types
    """The compiled server, with another answer to unknown methods and to the end of its main loop."""

    died: Died
    asked: set[asyncio.Task[Any]]
    """Requests for a call that gRPC's core has not answered yet."""

    def _make_request_call_future(self, method: bytes | None) -> asyncio.Future[Any]:
        if method is None:
            return asyncio.get_running_loop().create_task(self._refuse_unknown())
        return self._ask(super()._make_request_call_future(method))

    def _ask(self, request: asyncio.Task[Any]) -> asyncio.Future[Any]:
        """Return a future that may be cancelled or dropped: the core writes into the request's memory later."""
        self.asked.add(request)
        request.add_done_callback(self._answered)
        return asyncio.shield(request)

    def _answered(self, request: asyncio.Task[Any]) -> None:
        self.asked.discard(request)
        if not request.cancelled():
            request.exception()  # otherwise asyncio would log that it was never retrieved

    async def _refuse_unknown(self) -> None:
        """Refuse requests for unknown methods until the server stops, which is an exception here."""
        loop = asyncio.get_running_loop()
        open_calls: set[asyncio.Task[None]] = set()
        while True:
            call = await self._ask(loop.create_task(self._request_call()))
            refusing = cygrpc._handle_rpc("unknown", _Unknown(), (), call, loop, False)
            task = loop.create_task(cygrpc._schedule_rpc_coro(refusing, call, loop, "unknown"))
            open_calls.add(task)
            task.add_done_callback(open_calls.discard)

    def _serving_task_crash_handler(self, task: asyncio.Task[None]) -> None:
        # The original stops the server and its open calls; here they may continue.
        if not task.cancelled() and (error := task.exception()) is not None:
            self.died(error)


class _SturdyServer(plain.Server):
    def __init__(self, options: Sequence[tuple[str, Any]], interceptors: Sequence[Any], died: Died) -> None:
        # As the original does, but with our own core.
        self._loop = cygrpc.get_working_loop()
        options = plain._augment_channel_arguments(tuple(options), None)
        self._server = _Core(self._loop, None, (), tuple(interceptors), options, None)
        self._server.died, self._server.asked = died, set()
