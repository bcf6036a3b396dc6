"""A probe: one health check over a new connection, as a client would make it.

It is written in raw bytes, because it must work with any certificate, cost little, and distinguish a listener that is
gone, one that has no room for another connection, and one that does not answer.
"""

from __future__ import annotations

import asyncio
import ssl
from enum import Enum
from functools import cache

from arena.play.raw_call import (
    CHUNK,
    DATA,
    EMPTY_MESSAGE,
    END_STREAM,
    HEADERS,
    RST_STREAM,
    STREAM,
    FrameReader,
    conversation,
)

PATIENCE_SECONDS = 1.0
SECRET = "arena-probe"
"""The metadata by which a server recognises its own probes."""

HEALTH = "/grpc.health.v1.Health/Check"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "::1", "": "localhost"}  # where a listener on all addresses is found


class Sign(Enum):
    """What a probe found."""

    SERVING = "it answers"
    GONE = "nothing listens"
    SILENT = "it does not answer"
    UNWELL = "it reports NOT_SERVING"
    FULL = "it closes new connections"


async def look(address: str, *, is_tls: bool, secret: str) -> Sign:
    """Ask the server at an address, as gRPC names it, whether it serves."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            reader, writer = await _dial(address, is_tls=is_tls)
            try:
                writer.write(conversation(HEALTH, EMPTY_MESSAGE, ((SECRET, secret),)))
                return await _answer(reader)
            finally:
                writer.transport.abort()
    except (ConnectionRefusedError, FileNotFoundError):
        return Sign.GONE
    except (ConnectionResetError, BrokenPipeError):
        return Sign.FULL
    except (TimeoutError, OSError):  # also when out of descriptors, or after a failed handshake
        return Sign.SILENT


async def _dial(address: str, *, is_tls: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if address.startswith("unix:"):
        return await asyncio.open_unix_connection(address.removeprefix("unix:"))
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(
        EVERYWHERE.get(host, host.strip("[]")), int(port), ssl=_any_certificate() if is_tls else None
    )


@cache
def _any_certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # it is our own certificate; whether clients accept it does not matter here
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


async def _answer(reader: asyncio.StreamReader) -> Sign:
    """Return the result in the answer; a connection closed before it had no room for us."""
    frames = FrameReader()
    while chunk := await reader.read(CHUNK):
        for frame in frames.feed(chunk):
            if frame.stream != STREAM:
                continue
            if frame.kind == DATA and frame.payload:
                is_serving = frame.payload.endswith(b"\x08\x01")  # of a HealthCheckResponse: status = SERVING
                return Sign.SERVING if is_serving else Sign.UNWELL
            if frame.kind == RST_STREAM or (frame.kind == HEADERS and frame.flags & END_STREAM):
                return Sign.SILENT
    return Sign.FULL
