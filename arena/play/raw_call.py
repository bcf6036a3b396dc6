"""One gRPC call in raw bytes of HTTP/2, for calls that must distinguish what a gRPC client reports alike.

Nothing here does I/O: a conversation is written whole, and answers are cut into frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS = 0, 1, 3, 4  # kinds of frames
END_STREAM, END_HEADERS = 0x1, 0x4
STREAM = 1  # the only one
EMPTY_MESSAGE = b"\0\0\0\0\0"
FRAME_HEAD = 9
CHUNK = 1 << 14  # to read at a time


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that came in."""

    kind: int
    flags: int
    stream: int
    payload: bytes


class FrameReader:
    """Cuts what has been received into frames."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def feed(self, data: bytes | bytearray) -> Iterator[Frame]:
        """Yield the frames that some more bytes complete."""
        unread = self._unread
        unread += data
        while len(unread) >= FRAME_HEAD and len(unread) >= (end := FRAME_HEAD + int.from_bytes(unread[:3], "big")):
            stream = int.from_bytes(unread[5:FRAME_HEAD], "big")
            yield Frame(unread[3], unread[4], stream, bytes(unread[FRAME_HEAD:end]))
            del unread[:end]


def conversation(path: str, message: bytes = b"", metadata: Sequence[tuple[str, str]] = ()) -> bytes:
    """Return all that a client sends for one call, with one message in gRPC's framing or with none."""
    headers = (
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "arena"), ("te", "trailers"),
        ("content-type", "application/grpc"), *metadata,
    )  # fmt: skip
    block = b"".join(_literal(name.encode(), value.encode()) for name, value in headers)
    frames = [_frame(SETTINGS, 0, 0), _frame(HEADERS, END_HEADERS | (0 if message else END_STREAM), STREAM, block)]
    if message:
        frames.append(_frame(DATA, END_STREAM, STREAM, message))
    return b"".join((PREFACE, *frames))


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _literal(name: bytes, value: bytes) -> bytes:
    """Return a header without table indexing; its parts are shorter than 127 bytes."""
    return bytes((0, len(name))) + name + bytes((len(value),)) + value
