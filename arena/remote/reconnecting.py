"""Reconnecting: a remote bot survives a restart of its server."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Iterator

import grpc

from arena.bots.directory import BotDirectory
from arena.remote.address import ServerAddress
from arena.remote.client import ServerError, connect
from arena.remote.forwarding import play_elsewhere
from arena.v1 import arena_pb2 as pb
from referee.keys import Signer
from referee.logs import log
from referee.mistakes import UserError

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds
REFUSALS = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.UNIMPLEMENTED,
    }
)  # fmt: skip
"""The codes that waiting does not change; after any other the server is asked again."""


def pauses() -> Iterator[float]:
    """Yield the seconds to wait before each attempt: twice as long each time, up to a minute.

    A random part is subtracted, so that the bots of a restarted server do not all come back at the same moment.
    """
    longest = FIRST_PAUSE
    while True:
        yield longest * random.uniform(0.5, 1.0)
        longest = min(2 * longest, LONGEST_PAUSE)


def enter(bot: BotDirectory, server: ServerAddress, signer: Signer | None = None) -> pb.ConnectResponse:
    """Enter a bot that runs here; a ServerError if the server refuses it or cannot be reached."""
    manifest = bot.manifest
    public_key = "" if signer is None else str(signer.public_key)
    with connect(server) as client:
        entered = client.connect(manifest.name, manifest.games, manifest.concurrency, public_key)
    if entered.public_key != public_key:
        raise UserError(f"key: {server.address} keeps no signatures; expected a server of a later version")
    return entered


def stay_connected(bot: BotDirectory, server: ServerAddress, ticket: str, signer: Signer | None = None) -> int:
    """Play with a ticket, and with a new one after every loss of the server; return the exit code of the bot.

    A UserError if the server no longer accepts the bot: its token was revoked, or its name retired or taken.
    """
    waits = pauses()
    while True:
        ended = asyncio.run(play_elsewhere(bot, server, ticket, signer))
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # like an interruption, even while waiting
        if not ended.lost:
            return ended.exit_code
        if ended.was_welcomed:
            waits = pauses()
        ticket = _new_ticket(bot, server, ended.lost, waits, signer)


def _new_ticket(
    bot: BotDirectory, server: ServerAddress, reason: str, waits: Iterator[float], signer: Signer | None
) -> str:
    """Wait for a lost server, and enter the bot again; return its new ticket."""
    while True:
        seconds = next(waits)
        log.warning("server.lost", server=server.address, reason=reason, retry_seconds=round(seconds, 1))
        time.sleep(seconds)
        try:
            entered = enter(bot, server, signer)
            with connect(server) as client:
                if client.bot(entered.label, last=1).is_retired:
                    raise UserError(f"name: {bot.manifest.name!r} was retired")
        except ServerError as error:
            if error.code in REFUSALS:
                raise
            reason = str(error)
        else:
            log.info("bot.connected", bot=entered.label, server=server.address)
            return entered.ticket
