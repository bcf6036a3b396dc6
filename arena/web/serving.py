"""Serving an application inside a trio program."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

import trio
from hypercorn.config import Config
from hypercorn.trio.lifespan import Lifespan
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import repr_socket_addr, wrap_app

from arena.web.door import Door
from referee.logs import log
from referee.mistakes import UserError

GRACE_SECONDS = 0.5
"""How long open answers may go on after the end; streams have no end of their own."""


def read_listen(text: str, option: str = "listen") -> str:
    """Return HOST:PORT as given, checked; a UserError says what was expected."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise UserError(f"{option}: {text!r} is not an address; expected HOST:PORT, such as 127.0.0.1:8080")
    return text


async def serve(
    app: Any,
    listen: str,
    *,
    shutdown: Callable[[], Awaitable[None]] | None = None,
    option: str = "listen",
    door: Door | None = None,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve an ASGI application until `shutdown` returns or the task is cancelled.

    Starting it in a nursery gives the addresses it listens on; a UserError says why it cannot. Nothing that comes over
    a connection ends more than that connection.
    """
    config = Config()
    config.bind = [read_listen(listen, option)]
    config.graceful_timeout = GRACE_SECONDS
    config.accesslog = None
    config.errorlog = None  # our own mistakes are logged by the application, and those of strangers below
    config.loglevel = "WARNING"
    config.include_server_header = False
    door = Door() if door is None else door
    try:
        sockets = config.create_sockets().insecure_sockets
        for each in sockets:
            each.listen(config.backlog)
    except OSError as error:
        raise UserError(f"{option}: {listen} cannot be listened on: {error}") from None
    context = WorkerContext(None)
    wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
    lifespan = Lifespan(wrapped, config, {})

    async def handle(stream: trio.SocketStream) -> None:
        with door.passing(stream) as connection:
            try:
                with connection.scope:
                    await TCPServer(wrapped, config, context, ConnectionState({}), cast("Any", connection))
            except Exception as error:  # a group too: whatever a stranger has sent, others are served on
                log.info("connection.failed", peer=connection.address, error=_first(error).__class__.__name__)

    async with trio.open_nursery() as around:
        await around.start(lifespan.handle_lifespan)
        await lifespan.wait_for_startup()
        around.start_soon(door.watch)
        async with trio.open_nursery() as handlers:
            listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(each)) for each in sockets]
            task_status.started([f"http://{repr_socket_addr(each.family, each.getsockname())}" for each in sockets])
            try:
                async with trio.open_nursery() as accepting:
                    accepting.start_soon(partial(trio.serve_listeners, handle, listeners, handler_nursery=handlers))
                    await (trio.sleep_forever if shutdown is None else shutdown)()
                    accepting.cancel_scope.cancel()
            finally:
                await context.terminated.set()
                handlers.cancel_scope.deadline = trio.current_time() + GRACE_SECONDS
        await lifespan.wait_for_shutdown()
        around.cancel_scope.cancel()


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
