"""Serving an application inside a trio program."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import trio
from hypercorn.config import Config
from hypercorn.trio import serve as hypercorn_serve

from referee.mistakes import UserError

GRACE_SECONDS = 0.5
"""How long open answers may go on after the end; streams have no end of their own."""


def read_listen(text: str, option: str = "--listen") -> str:
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
    option: str = "--listen",
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve an ASGI application until `shutdown` returns or the task is cancelled.

    Starting it in a nursery gives the addresses it listens on; a UserError says why it cannot.
    """
    config = Config()
    config.bind = [read_listen(listen, option)]
    config.graceful_timeout = GRACE_SECONDS
    config.accesslog = None
    config.loglevel = "WARNING"
    config.include_server_header = False
    try:
        await hypercorn_serve(app, config, shutdown_trigger=shutdown, task_status=task_status)
    except (OSError, BaseExceptionGroup) as error:  # not `except*`, which wraps what it raises until Python 3.11.4
        if isinstance(error, BaseExceptionGroup) and error.split(OSError)[1] is not None:
            raise
        raise UserError(f"{option}: {listen} cannot be listened on: {_first(error)}") from None


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
