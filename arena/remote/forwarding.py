"""Forwarding: a local bot plays on a remote server, over TLS if need be, without knowing it.

The bot finds a unix socket in ARENA_ADDRESS, as if it were hosted; frames are forwarded to the server and back. A bot
may come back to the same match after a lost connection; one whose ticket is no longer valid needs a new one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from arena.bots.directory import BotDirectory
from arena.bots.one_file import as_directory
from arena.bots.process import LOOKAHEAD, beside
from arena.bots.scratch import scratch_folder
from arena.remote.address import ServerAddress
from arena.remote.client import OPTIONS, credentials_for
from arena.remote.signing import SigningStream
from referee.keys import Signer
from referee.mistakes import UserError
from referee.quiet_stop import stop_quietly
from referee.wire import SERVICE

GRACE_SECONDS = 2.0  # for a bot that is asked to end
EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # missing from the published type stubs
CONNECTED_AGAIN = "the bot was connected again"
"""The detail with which a server ends the stream of a bot that was entered again, here or elsewhere."""
LOST = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED}
)
"""How a stream ends that neither side ended on purpose, with or without proxies on the way."""


@dataclass(slots=True)
class _Connection:
    """The state of a bot's newest stream to the server."""

    was_welcomed: bool = False
    code: grpc.StatusCode | None = None  # of its end
    detail: str = ""
    is_over: asyncio.Event = field(default_factory=asyncio.Event)  # no further stream can use this ticket

    def end(self, code: grpc.StatusCode, detail: str) -> None:
        """Note how the stream has ended."""
        self.code, self.detail = code, detail
        if code is grpc.StatusCode.UNAUTHENTICATED or self.was_taken:
            self.is_over.set()

    @property
    def was_taken(self) -> bool:
        """Return whether the bot was entered again; asking for a ticket would end that connection in turn."""
        return self.code is grpc.StatusCode.CANCELLED and self.detail == CONNECTED_AGAIN

    @property
    def was_lost(self) -> bool:
        return self.is_over.is_set() or self.code in LOST


@dataclass(frozen=True, slots=True)
class PlayedElsewhere:
    """How a bot's run on a server has ended."""

    exit_code: int
    lost: str  # why its server is lost; empty if the bot ended on its own
    was_welcomed: bool  # by the server, at least once


async def play_elsewhere(
    bot: BotDirectory, server: ServerAddress, ticket: str, signer: Signer | None = None
) -> PlayedElsewhere:
    """Run a bot's command, with its stream forwarded, until it ends or its ticket has become invalid.

    With a key, all its answers are signed on their way.
    """
    credentials = credentials_for(server)
    if credentials is None:
        channel = grpc.aio.insecure_channel(server.address, options=OPTIONS)
    else:
        channel = grpc.aio.secure_channel(server.address, credentials, options=OPTIONS)
    with scratch_folder() as folder:
        address = f"unix:{folder / 'socket'}"
        here: Any = grpc.aio.server(options=(("grpc.max_receive_message_length", -1),))
        connection = _Connection()
        handler = grpc.stream_stream_rpc_method_handler(partial(_forward, channel, connection, signer))
        here.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
        here.add_insecure_port(address)
        await here.start()
        try:
            async with channel, _ending_on_request():
                with as_directory(bot.path) as directory:
                    exit_code = await _run(bot, directory, address, ticket, folder / "lookahead", connection.is_over)
        finally:
            await stop_quietly(here, 0)
    if connection.was_taken:
        raise UserError(f"{connection.detail} with its token, here or elsewhere")
    lost = (connection.detail or str(connection.code)) if connection.was_lost else ""
    return PlayedElsewhere(exit_code, lost, connection.was_welcomed)


@asynccontextmanager
async def _ending_on_request() -> AsyncIterator[None]:
    """Turn SIGTERM into an interruption, so that the bot is stopped and nothing is left behind."""
    loop, task, is_asked = asyncio.get_running_loop(), asyncio.current_task(), False
    assert task is not None

    def end() -> None:
        nonlocal is_asked
        is_asked = True
        task.cancel()

    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        yield
    except asyncio.CancelledError:
        if is_asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


async def _run(
    bot: BotDirectory, directory: Path, address: str, ticket: str, socket: Path, is_over: asyncio.Event
) -> int:
    """Run a bot until it ends on its own, or is stopped because its ticket is invalid; return its exit code."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    environment = os.environ | {"PATH": path, "ARENA_ADDRESS": address, "ARENA_TICKET": ticket}
    environment.pop("ARENA_TOKEN", None)  # a bot needs only the ticket
    command = bot.manifest.command
    if bot.manifest.lookahead:
        command, environment[LOOKAHEAD] = beside(socket, command), f"unix:{socket}"
    try:
        process = await asyncio.create_subprocess_exec(*command, cwd=directory, env=environment, stdout=sys.stderr)
    except OSError as error:
        raise UserError(f"command: cannot start {bot.manifest.command[0]}: {error.strerror}") from None
    ended, over = asyncio.create_task(process.wait()), asyncio.create_task(is_over.wait())
    try:
        await asyncio.wait((ended, over), return_when=asyncio.FIRST_COMPLETED)
    finally:
        ended.cancel()
        over.cancel()
        if process.returncode is None:
            process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE_SECONDS)
        if process.returncode is None:
            process.kill()
            await process.wait()
    return await process.wait()


async def _forward(channel: Any, connection: _Connection, signer: Signer | None, _requests: Any, context: Any) -> None:
    """Connect one stream of the bot to one of the server, and pass frames on, unchanged but for signatures."""
    call = channel.stream_stream(f"/{SERVICE}/Play")()
    signing = None if signer is None else SigningStream(signer)
    up = asyncio.create_task(_pass_up(call, context, signing))
    connection.code = None  # the end of an earlier stream no longer matters
    try:
        while (data := await call.read()) is not EOF:
            connection.was_welcomed = True
            if signing is not None:
                signing.note(data)
            await context.write(data)
        code, detail = await call.code(), await call.details()
    except grpc.aio.AioRpcError as error:
        code, detail = error.code(), error.details()
    finally:
        up.cancel()
        call.cancel()
    connection.end(code, detail or "")  # before the bot hears of it and ends
    if code is not grpc.StatusCode.OK:
        await context.abort(code, detail)


async def _pass_up(call: Any, context: Any, signing: SigningStream | None) -> None:
    while (data := await context.read()) is not EOF:
        await call.write(data if signing is None else signing.signed(data))
    await call.done_writing()
