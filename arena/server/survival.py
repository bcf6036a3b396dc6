"""Survival: each listener is served again within moments of its gRPC server's death, whatever the cause.

A dying server may report its end, and is probed twice a second in any case. Its successor takes over address and port;
calls that are open on the dead server continue there until they end.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arena.server.probe import Sign, look
from arena.server.sturdy import Died
from referee.logs import log

LOOK_SECONDS = 0.5  # between two probes
SILENT_PROBES = 15
"""Probes in a row without an answer, a second each, until a server is replaced: on a busy machine some are late."""
RESTART_SECONDS = 0.25  # between two starts, so that a server that keeps dying does not use up a processor
BIND_SECONDS = (0.02, 5.0)  # between two attempts to bind an address again: at first, and at most
UNLINK_SECONDS = 1.0  # for the file of a unix socket; a server that hangs may keep it
MAX_RETIRED = 8  # dead servers whose calls continue; beyond that the calls of the oldest are cancelled
UNLIMITED_SECONDS = 1e9  # for calls that continue
LONGEST_CAUSE = 200
LATE_SECONDS = 5.0  # after the grace time, for servers that do not end

Create = Callable[[Died], Any]
"""Returns a new server that neither listens nor has started; it calls the function if it dies and notices."""


@dataclass(frozen=True, slots=True)
class Listener:
    """An address to listen on, with credentials for TLS."""

    address: str
    credentials: Any = None  # grpc.ServerCredentials


@dataclass(slots=True)
class Serving:
    """Whether every listener is served now; to be read in any thread."""

    is_serving: bool = False


@dataclass(slots=True, eq=False)
class _Post:
    """A listener and its current server."""

    address: str
    credentials: Any
    server: Any = None
    started: float = 0.0
    is_serving: bool = False
    is_dead: bool = False
    cause: str = ""
    alarm: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is a reason to check now."""


class ServedListeners:
    """Serves every listener with its own server, so that the death of one does not affect the others."""

    def __init__(self, listeners: Sequence[Listener], create: Create, state: Serving) -> None:
        self.secret = secrets.token_urlsafe(24)
        """Sent with our own probes, so that they do not count against clients' probes."""
        self._create = create
        self._state = state
        self._posts = [_Post(each.address, each.credentials) for each in listeners]
        self._retired: dict[Any, asyncio.Task[None]] = {}
        self._suspicion = ""

    async def start(self) -> list[str]:
        """Serve all listeners and return the bound addresses; a RuntimeError if one cannot be bound."""
        for post in self._posts:
            await self._serve(post)
        return [post.address for post in self._posts]

    async def keep(self) -> None:
        """Replace servers that have died, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for post in self._posts:
                group.create_task(self._keep(post))

    def suspect(self, reason: str) -> None:
        """Check all servers now: a task of this loop has failed, and may have been part of one."""
        self._suspicion = reason
        for post in self._posts:
            post.alarm.set()

    async def stop(self, grace: float) -> None:
        """Stop all servers; their calls may continue for the grace period, in seconds."""
        self._state.is_serving = False
        servers = [*self._retired, *(post.server for post in self._posts if post.server is not None)]
        if servers:
            ending = [asyncio.create_task(_stop(server, grace)) for server in servers]
            await asyncio.wait(ending, timeout=grace + LATE_SECONDS)

    async def _serve(self, post: _Post) -> None:
        """Start a server; a RuntimeError if the address cannot be bound."""
        post.is_dead, post.cause = False, ""
        post.alarm.clear()
        server = self._create(lambda error: self._notice(post, server, error))
        if post.credentials is None:
            port = server.add_insecure_port(post.address)
        else:
            port = server.add_secure_port(post.address, post.credentials)
        if not post.address.startswith("unix:"):
            post.address = f"{post.address.rpartition(':')[0]}:{port}"
        post.server, post.started = server, time.monotonic()
        await server.start()
        self._note(post, is_serving=True)

    def _note(self, post: _Post, *, is_serving: bool) -> None:
        post.is_serving = is_serving
        self._state.is_serving = all(each.is_serving for each in self._posts)

    def _notice(self, post: _Post, server: Any, error: BaseException) -> None:
        if post.server is server:  # not one that was replaced long ago
            post.is_dead, post.cause = True, one_line(error)
            post.alarm.set()

    async def _keep(self, post: _Post) -> None:
        while True:
            await self._death(post)
            self._note(post, is_serving=False)
            noticed, cause, self._suspicion = time.monotonic(), post.cause, ""
            await self._retire(post)
            await _unlinked(post.address)
            await asyncio.sleep(max(0.0, post.started + RESTART_SECONDS - noticed))
            await self._serve_again(post)
            seconds = round(time.monotonic() - noticed, 3)
            log.warning("server.restarted", address=post.address, cause=cause, seconds=seconds)

    async def _death(self, post: _Post) -> None:
        """Return when a server is dead."""
        silent = 0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await post.alarm.wait()
            if post.is_dead:
                return
            post.alarm.clear()
            sign = await look(post.address, is_tls=post.credentials is not None, secret=self.secret)
            silent = silent + 1 if sign is Sign.SILENT else 0
            if sign is Sign.GONE or silent == SILENT_PROBES:
                post.cause = self._suspicion or sign.value
                return
            if sign is Sign.SERVING and self._suspicion:
                log.warning("server.task_failed", error=self._suspicion)
                self._suspicion = ""
            if sign is not Sign.FULL:  # then connected clients are being served
                self._note(post, is_serving=sign is Sign.SERVING)

    async def _retire(self, post: _Post) -> None:
        """Retire a server: it stops listening, and its calls continue."""
        server, post.server = post.server, None
        task = asyncio.create_task(_stop(server, UNLIMITED_SECONDS))
        self._retired[server] = task
        task.add_done_callback(lambda _task: self._retired.pop(server, None))
        for oldest in list(self._retired)[:-MAX_RETIRED]:
            ending = asyncio.create_task(_stop(oldest, 0.0))
            self._retired[oldest].add_done_callback(partial(_hold, ending))
        await asyncio.sleep(0)  # it begins to stop

    async def _serve_again(self, post: _Post) -> None:
        """Serve an address again, however long it takes until it can be bound."""
        pause, most = BIND_SECONDS
        while True:
            try:
                return await self._serve(post)
            except RuntimeError as error:
                if pause == BIND_SECONDS[0]:
                    log.warning("server.waiting", address=post.address, error=str(error))
            await asyncio.sleep(pause)
            pause = min(2 * pause, most)


async def _unlinked(address: str) -> None:
    """Wait until gRPC has removed the socket file of a retired server, before it can remove its successor's."""
    path, waits = address.removeprefix("unix:").removeprefix("//"), int(UNLINK_SECONDS / BIND_SECONDS[0])
    while address.startswith("unix:") and waits and os.path.exists(path):  # noqa: ASYNC240  # one stat of a local file
        await asyncio.sleep(BIND_SECONDS[0])
        waits -= 1


def one_line(error: BaseException) -> str:
    """Return an error as logged: without the client's bytes that some errors contain."""
    return f"{type(error).__name__}: {error}"[:LONGEST_CAUSE]


def _hold(_held: object, _task: object) -> None:
    """Hold a reference to a task until another one has ended; the loop does not."""


async def _stop(server: Any, grace: float) -> None:
    """Stop a server that may be dead."""
    try:
        await server.stop(grace)
    except Exception:  # of a dead server's main loop, which is raised here, once
        with suppress(Exception):
            await server.stop(grace)
