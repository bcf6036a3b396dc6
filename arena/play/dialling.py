"""Dialling a referee ourselves, before an absent bot is blamed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import trio

SECONDS = 5.0  # in total
CHUNK = 1 << 14
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, SETTINGS = 1, 4  # kinds of frames
FRAME_HEAD = 9
END_OF_STREAM_AND_HEADERS = 0x5
STREAM = 1
REQUEST = (
    (b":method", b"POST"),
    (b":scheme", b"http"),
    (b":path", b"/referee.v1.RefereeService/Play"),
    (b":authority", b"referee"),
    (b"te", b"trailers"),
    (b"content-type", b"application/grpc"),
)
REFUSAL = b"must hold one hello"
CONNECTED = "03"  # the state of a unix socket


async def is_reached(socket: Path) -> bool:
    """Return whether a referee answers a call at its socket, as a bot would make it.

    The call has no hello and so is refused, which only the referee's own code can do: a server whose loop has ended
    still greets its clients.
    """
    with trio.move_on_after(SECONDS):
        try:
            async with await trio.open_unix_socket(socket) as stream:
                await stream.send_all(PREFACE + _frame(SETTINGS, 0, 0, b"") + _call())
                return await _is_answered(stream)
        except (OSError, trio.BrokenResourceError):
            return False
    return False


async def _is_answered(stream: trio.abc.ReceiveStream) -> bool:
    """Read frames until one ends our call, and return whether its status is the referee's."""
    unread = bytearray()
    while chunk := await stream.receive_some(CHUNK):
        unread += chunk
        while len(unread) >= (end := FRAME_HEAD + int.from_bytes(unread[:3], "big")):
            if unread[3] == HEADERS:
                return REFUSAL in unread[:end]
            del unread[:end]
    return False


def _call() -> bytes:
    body = b"".join(_literal(name, value) for name, value in REQUEST)
    return _frame(HEADERS, END_OF_STREAM_AND_HEADERS, STREAM, body)


def _frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    return len(body).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + body


def _literal(name: bytes, value: bytes) -> bytes:
    """Return a header without table indexing; its parts are shorter than 127 bytes."""
    return bytes((0, len(name))) + name + bytes((len(value),)) + value


def connections(socket: Path) -> int:
    """Return the number of connections of a listening socket."""
    return _connected(socket, Path("/proc/net/unix").read_text(errors="replace").splitlines())


def _connected(socket: Path, lines: Iterable[str]) -> int:
    """Count the accepted ends; the clients' ends have no path."""
    words = (line.split(maxsplit=7) for line in lines)
    return sum(len(each) == 8 and each[7] == str(socket) and each[5] == CONNECTED for each in words)
