"""Serving an application inside a trio program."""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import hypercorn.trio
import trio
from hypercorn.config import Config
from hypercorn.protocol.h11 import H11Protocol

from referee.logs import log
from referee.mistakes import UserError

GRACE_SECONDS = 0.5  # how long open responses may continue after shutdown; event streams never end on their own
IDLE_SECONDS = 15.0  # for the first request or the next one, headers complete
STALLED_SECONDS = 60  # after which the kernel drops a client that stopped reading
SILENT_SECONDS = 600  # after which a client that sends nothing is dropped; browsers reopen event streams on their own
RESTART_SECONDS = 0.1


async def _stay_with_http_1(_protocol: H11Protocol, _request: object) -> None:
    """Ignore an upgrade to HTTP/2; its preface is a request with an unknown method."""


# Hypercorn would upgrade any client, and fails on some settings; it waits for ever, with an open socket, for a response
# that a client of HTTP/2 left before it was made. Browsers speak HTTP/2 over TLS only, and a proxy need not.
upgrade_to_http_2 = H11Protocol._check_protocol
H11Protocol._check_protocol = _stay_with_http_1  # type: ignore[method-assign, assignment]  # there is no setting


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
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve an ASGI application until `shutdown` returns or the task is cancelled.

    Starting it in a nursery returns the addresses it listens on; a UserError says why it cannot. Hypercorn ends with
    any connection that it fails on, so it is restarted on the same listening sockets.
    """
    config = _config()
    sockets = _listening(config, read_listen(listen, option), option)
    try:
        while True:
            try:
                config.bind = [f"fd://{os.dup(each.fileno())}" for each in sockets]
                await hypercorn.trio.serve(
                    app, config, mode="asgi", shutdown_trigger=shutdown or trio.sleep_forever, task_status=task_status
                )
                return
            except Exception as error:
                log.warning("page.restarted", error=repr(_first(error)))
                task_status = trio.TASK_STATUS_IGNORED
                await trio.sleep(RESTART_SECONDS)
    finally:
        for each in sockets:
            each.close()


def _config() -> Config:
    config = Config()
    config.graceful_timeout = GRACE_SECONDS
    config.keep_alive_timeout = IDLE_SECONDS
    config.read_timeout = SILENT_SECONDS
    config.accesslog = config.errorlog = None  # the application logs its own errors
    config.loglevel = "WARNING"
    config.include_server_header = False
    return config


def _listening(config: Config, listen: str, option: str) -> list[socket.socket]:
    config.bind = [listen]
    try:
        sockets = config.create_sockets().insecure_sockets
        for each in sockets:
            # Accepted sockets inherit it: hypercorn itself waits without limit for a client to read.
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_SECONDS * 1000)
            each.listen(config.backlog)
    except OSError as error:
        raise UserError(f"{option}: cannot listen on {listen}: {error}") from None
    return sockets


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
