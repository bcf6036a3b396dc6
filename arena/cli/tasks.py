"""Tasks of a command that serves: how signals stop them, and how their errors are raised."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import trio


@contextmanager
def unwrapped(*kinds: type[Exception]) -> Iterator[None]:
    """Raise the first error of some kinds by itself if a group holds nothing else.

    `except*` will not do: before Python 3.11.4 it wraps the exception it raises in another group.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        if group.split(kinds)[1] is not None:
            raise
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None


@asynccontextmanager
async def signalled() -> AsyncIterator[trio.Event]:
    """Yield an event that the first SIGINT or SIGTERM sets; a second one ends the program immediately."""
    stopping = trio.Event()

    async def listen(task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for _number in signals:
                if stopping.is_set():
                    os._exit(130)
                stopping.set()

    async with trio.open_nursery() as nursery:
        await nursery.start(listen)
        yield stopping
        nursery.cancel_scope.cancel()
