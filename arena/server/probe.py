"""A probe: one health check over a new connection, as a client would make it.

It is written in raw bytes, because it must work with any certificate, cost little, and distinguish a listener that is
gone, one that has no room for another connection, and one that does not answer.
"""

from __future__ import annotations

import asyncio
import ssl
from enum import Enum
from functools import cache

PATIENCE_SECONDS = 1.0
SECRET = "arena-probe"
"""The metadata by which a server recognises its own probes."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4
END_STREAM, END_HEADERS = 1, 4
FRAME_HEADER = 9
LARGEST_ANSWER = 1 << 16
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
                writer.write(_request(secret))
                return await _answer(reader)
            finally:
                writer.transport.abort()
    except (ConnectionRefusedError, FileNotFoundError):
        return Sign.GONE
    except (ConnectionResetError, BrokenPipeError, asyncio.IncompleteReadError):
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


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return an HTTP/2 frame."""
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def header(name: bytes, value: bytes) -> bytes:
    """Return a short header as HPACK encodes it without tables."""
    return b"\0" + bytes((len(name),)) + name + bytes((len(value),)) + value


def _request(secret: str) -> bytes:
    """Return a whole conversation: is the server as such serving?"""
    headers = (
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/grpc.health.v1.Health/Check"),
        (b":authority", b"arena"), (b"content-type", b"application/grpc"), (b"te", b"trailers"),
        (SECRET.encode(), secret.encode()),
    )  # fmt: skip
    block = b"".join(header(name, value) for name, value in headers)
    empty_message = b"\0\0\0\0\0"
    return b"".join(
        (
            PREFACE,
            frame(SETTINGS, 0, 0),
            frame(HEADERS, END_HEADERS, 1, block),
            frame(DATA, END_STREAM, 1, empty_message),
        )
    )


async def _answer(reader: asyncio.StreamReader) -> Sign:
    """Return the result in the answer; an IncompleteReadError if the connection is closed before it."""
    while True:
        head = await reader.readexactly(FRAME_HEADER)
        size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        payload = await reader.readexactly(min(size, LARGEST_ANSWER))
        if head[5:] != b"\0\0\0\1":
            continue
        if kind == DATA and payload:
            is_serving = payload.endswith(b"\x08\x01")  # of a HealthCheckResponse: status = SERVING
            return Sign.SERVING if is_serving else Sign.UNWELL
        if kind == RST_STREAM or (kind == HEADERS and flags & END_STREAM):
            return Sign.SILENT
