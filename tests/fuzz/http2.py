"""HTTP/2 as no client would send it: frames made of bytes, in conversations with a real server.

A conversation is all that a client sends after the preface. Some are right, most have one thing or several wrong.
"""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.server.service import METHODS, SERVICE
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.wire import SERVICE as PLAY_SERVICE
from tests.arena.server.running_server import Server, bearer, running
from tests.fuzz.mutation import TOKENS, mutated
from tests.kept_folder import kept_folder
from tests.patience import patience

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, WITH_PRIORITY = 0x1, 0x4, 0x8, 0x20
MOST = 2**31 - 1
FLOOD = 2_000  # frames of a flood
SETTLE_SECONDS = 0.2  # for what comes back, if anything does
PATIENCE_SECONDS = patience(6)  # for an ordinary call afterwards
LARGEST_MB = 512  # of the server's memory
CALLERS = 24  # tokens by turns, since one may call 20 times a second

PATHS = (
    *(f"/{SERVICE}/{method}".encode() for method in METHODS),
    f"/{PLAY_SERVICE}/Play".encode(), b"/grpc.health.v1.Health/Check", b"/grpc.health.v1.Health/Watch",
    b"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", b"/", b"", b"*", b"//", b"/a", b"/a/b/c",
)  # fmt: skip
NOT_TEXT = (
    b"/\xff", b"\xff", b"/\xc3", b"/arena.v1.ArenaService/\xed\xa0\x80", b"/\xf8\x88\x80\x80\x80", b"\x80" * 40,
    b"/\0", b"/\n", "/ä".encode("latin-1"), b"\xff" * 20_000,
)  # fmt: skip
Header = tuple[bytes, bytes]


class BrokenPromiseError(Exception):
    """After one input the server did not do what is promised."""

    def __init__(self, item: bytes, reason: str, *, is_slow: bool = False) -> None:
        super().__init__(reason)
        self.item = item
        self.is_slow = is_slow
        """Whether a busy machine alone may explain it."""


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", size: int | None = None) -> bytes:
    """Return a frame; `size` is a lie about its length."""
    length = len(payload) if size is None else size
    return (length & 0xFFFFFF).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def number(value: int, bits: int, first: int = 0) -> bytes:
    """Return an integer of HPACK with a prefix of some bits."""
    most = (1 << bits) - 1
    if value < most:
        return bytes((first | value,))
    found, value = [first | most], value - most
    while value >= 128:
        found.append(value % 128 | 128)
        value //= 128
    return bytes((*found, value))


def literal(name: bytes, value: bytes, first: int = 0, huffman: int = 0) -> bytes:
    """Return a header in full: 0x40 also enters it in the table, and `huffman` = 0x80 claims that it is compressed."""
    return bytes((first,)) + number(len(name), 7, huffman) + name + number(len(value), 7, huffman) + value


def call(path: bytes = PATHS[0], **changes: bytes) -> list[Header]:
    """Return the headers of a call; a change of `te` is called te, of `:path` path."""
    headers = {
        b":method": b"POST", b":scheme": b"http", b":path": path, b":authority": b"arena",
        b"content-type": b"application/grpc", b"te": b"trailers",
    }  # fmt: skip
    for name, value in changes.items():
        key = name.replace("_", "-").encode()
        headers[b":" + key if b":" + key in headers else key] = value
    return list(headers.items())


def block(headers: Sequence[Header], first: int = 0) -> bytes:
    """Return headers as HPACK writes them."""
    return b"".join(literal(name, value, first) for name, value in headers)


def request(stream: int, headers: Sequence[Header], flags: int = END_HEADERS | END_STREAM) -> bytes:
    """Return a HEADERS frame."""
    return frame(HEADERS, flags, stream, block(headers))


def message(stream: int, content: bytes = b"", prefix: bytes | None = None, flags: int = END_STREAM) -> bytes:
    """Return a DATA frame with a message of gRPC."""
    prefix = b"\0" + len(content).to_bytes(4, "big") if prefix is None else prefix
    return frame(DATA, flags, stream, prefix + content)


Case = Callable[[Random, int], bytes]
"""Draws frames of one kind, with a stream of its own."""


def ordinary(random: Random, stream: int) -> bytes:
    """A call as it should be, with contents that need not be."""
    content = random.choice((b"", b"\x0a\x03abc", random.randbytes(random.randrange(40)), b"\xff" * 2_000))
    return request(stream, call(random.choice(PATHS)), END_HEADERS) + message(stream, content)


def not_text(random: Random, stream: int) -> bytes:
    """A header that is not UTF-8, or not what it should be."""
    bad = random.choice((*NOT_TEXT, *TOKENS))
    names = (b":path", b":authority", b":method", b":scheme", b"content-type", b"te", b"grpc-timeout", b"grpc-encoding")
    others = (b"authorization", b"user-agent", b"x-bin", b"grpc-trace-bin", b"x-forwarded-for", b"grpc-status", bad)
    name = random.choice((*names, *others))
    headers = dict(call(random.choice(PATHS)))
    if random.random() < 0.2:
        name = name + b"-bin"
    headers[name] = bad
    return request(stream, list(headers.items()), random.choice((END_HEADERS, END_HEADERS | END_STREAM)))


def odd_headers(random: Random, stream: int) -> bytes:
    """Headers that are missing, repeated, in the wrong order, or too many."""
    headers = call(random.choice(PATHS))
    match random.randrange(8):
        case 0:
            headers.pop(random.randrange(len(headers)))
        case 1:
            headers.append(random.choice(headers))
        case 2:
            random.shuffle(headers)
        case 3:
            headers += [(b"x", b"y")] * random.choice((100, 5_000))
        case 4:
            headers.append((b"x" * random.choice((1, 20_000)), b"y" * random.choice((1, 20_000))))
        case 5:
            headers.append(random.choice(((b"Upper", b"x"), (b"connection", b"close"), (b":status", b"200"))))
        case 6:
            headers.append(
                (b"grpc-timeout", random.choice((b"0n", b"99999999H", b"-1S", b"1", b"S", b"9" * 30 + b"n")))
            )
        case _:
            headers.append((b"grpc-encoding", random.choice((b"gzip", b"deflate", b"snappy", b"\xff"))))
    flags = random.choice((END_HEADERS, END_HEADERS | END_STREAM))
    return request(stream, headers, flags) + message(stream, b"\x1f\x8b", b"\1\0\0\0\2")


def compression(random: Random, stream: int) -> bytes:
    """HPACK: indices, sizes of the table, numbers and Huffman codes that cannot be."""
    good = block(call(random.choice(PATHS)))
    entry = literal(b"x-large", b"y" * random.choice((10, 4_000)), 0x40)
    wrong = (
        number(0, 7, 0x80), number(62, 7, 0x80), number(2**40, 7, 0x80), b"\xff" * 12, number(4_096, 5, 0x20),
        number(2**32, 5, 0x20), number(0, 5, 0x20) + number(62, 7, 0x80), literal(b":path", b"\xff" * 4, 0, 0x80),
        literal(b"\xff", b"\0", 0, 0x80), b"\0" + number(2**30, 7), b"\x40" + number(5, 7),
        number(70, 6, 0x40) + b"\1a",
        entry + number(62, 7, 0x80) * random.choice((1, 100, 8_000)), entry * 50, number(4, 4, 0x10) + b"\2/\xff",
    )  # fmt: skip
    parts = [good, random.choice(wrong)]
    random.shuffle(parts)
    return cut(random, stream, b"".join(parts), END_STREAM)


def cut(random: Random, stream: int, content: bytes, flags: int) -> bytes:
    """Return a block of headers as a HEADERS frame and as many CONTINUATION frames as it needs, or more."""
    size = random.choice((16_384, 16_384, 100, 1)) if len(content) < 2_000 else 16_384
    pieces = [content[at : at + size] for at in range(0, len(content), size)] or [b""]
    frames = [frame(HEADERS, flags, stream, pieces[0])]
    frames += [frame(CONTINUATION, 0, stream, piece) for piece in pieces[1:]]
    return b"".join((*frames, frame(CONTINUATION, END_HEADERS, stream)))


def continuations(random: Random, stream: int) -> bytes:
    """CONTINUATION without end, without beginning, or of another stream."""
    begun = frame(HEADERS, END_STREAM, stream, block(call()))
    match random.randrange(6):
        case 0:
            return begun + frame(CONTINUATION, 0, stream) * FLOOD
        case 1:
            return begun + frame(CONTINUATION, 0, stream, literal(b"x", b"y" * 100) * 10) * 200
        case 2:
            return frame(CONTINUATION, END_HEADERS, stream, block(call()))
        case 3:
            return begun + frame(CONTINUATION, END_HEADERS, stream + 2)
        case 4:
            return begun + random.choice((frame(PING, 0, 0, b"12345678"), message(stream), frame(SETTINGS, 0, 0)))
        case _:
            return begun


def resets(random: Random, stream: int) -> bytes:
    """RST_STREAM: floods of calls that are given up, and resets of what is not there."""
    if random.random() < 0.5:
        path = random.choice(PATHS)
        count = random.choice((10, FLOOD // 4))
        pairs = (
            request(stream + 2 * each, call(path), END_HEADERS) + frame(RST_STREAM, 0, stream + 2 * each, b"\0\0\0\x08")
            for each in range(count)
        )
        return b"".join(pairs)
    where = random.choice((0, stream, 2, MOST))
    return frame(RST_STREAM, 0, where, random.choice((b"", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0" * 5)))


def settings(random: Random, _stream: int) -> bytes:
    """SETTINGS of wrong sizes, extreme values, or far too many."""
    keys = (1, 2, 3, 4, 5, 6, 8, 0, 0xFE03, 0xFFFF)
    values = (0, 1, 2, 16_383, 16_384, 65_535, 2**24, MOST, 2**31, 2**32 - 1)
    one = random.choice(keys).to_bytes(2, "big") + random.choice(values).to_bytes(4, "big")
    match random.randrange(5):
        case 0:
            return frame(SETTINGS, 0, 0, one[: random.randrange(6)])
        case 1:
            return frame(SETTINGS, 0, 0, one) * FLOOD
        case 2:
            return frame(SETTINGS, 1, 0, random.choice((b"", one)))
        case 3:
            return frame(SETTINGS, 0, random.choice((1, 2)), one)
        case _:
            return frame(SETTINGS, 0, 0, one * random.choice((1, 3, 1_000)))


def control(random: Random, stream: int) -> bytes:
    """PRIORITY, PING, WINDOW_UPDATE, GOAWAY, PUSH_PROMISE and kinds that nobody knows."""
    where = random.choice((0, stream, stream + 2, MOST))
    words = (0, 1, stream, MOST, 2**31, 2**32 - 1)
    word = random.choice(words).to_bytes(4, "big")
    match random.randrange(7):
        case 0:
            return frame(PRIORITY, 0, where, where.to_bytes(4, "big") + b"\xff")  # depends on itself
        case 1:
            return frame(PRIORITY, 0, where, word * random.randrange(3))
        case 2:
            return frame(PING, random.choice((0, 1)), where, b"12345678"[: random.choice((8, 8, 7, 0))]) * FLOOD
        case 3:
            return frame(WINDOW_UPDATE, 0, where, word[: random.choice((4, 4, 3))]) * random.choice((1, 3, FLOOD))
        case 4:
            return frame(GOAWAY, 0, where, word + word + random.choice((b"", b"\xff" * 100)))
        case 5:
            return frame(PUSH_PROMISE, END_HEADERS, where, word + block(call()))
        case _:
            return frame(random.randrange(10, 256), random.randrange(256), where, random.randbytes(20))


def data(random: Random, stream: int) -> bytes:
    """DATA where it must not be, with padding or a message length that cannot be."""
    begun = request(stream, call(random.choice(PATHS)), END_HEADERS)
    wrong = (
        message(stream + 2), message(0), message(2), message(stream) * 2, message(stream, b"", b"\0\xff\xff\xff\xff"),
        message(stream, b"x" * 100, b"\7\0\0\0\4"), message(stream, b"", b"\0\0"), frame(DATA, 0, stream) * FLOOD,
        frame(DATA, PADDED, stream, b"\xff\0"), frame(DATA, PADDED, stream), message(stream, b"x" * 16_000) * 20,
        frame(DATA, 0, stream, b"\0\0\0\0\0" * 3_000) * 10,
    )  # fmt: skip
    return begun + random.choice(wrong)


def shapes(random: Random, stream: int) -> bytes:
    """HEADERS on streams that must not be, and frames that are larger than they may be or than they say."""
    headers = block(call(random.choice(PATHS)))
    flags = random.randrange(256)
    wrong = (
        frame(HEADERS, END_HEADERS, random.choice((0, 2, MOST, 2**31 + stream)), headers),
        request(stream + 10, call()) + request(stream, call()), request(stream, call()) * 2,
        frame(HEADERS, END_HEADERS | PADDED, stream, b"\xff" + headers),
        frame(HEADERS, END_HEADERS | WITH_PRIORITY, stream, stream.to_bytes(4, "big") + b"\xff" + headers),
        frame(HEADERS, END_HEADERS | WITH_PRIORITY | PADDED, stream, b"\1"), frame(HEADERS, flags, stream, headers),
        frame(HEADERS, END_HEADERS, stream, headers, size=0xFFFFFF), frame(DATA, 0, stream, b"x" * 100_000),
        frame(SETTINGS, 0, 0, b"", size=16_385), PREFACE, b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n", b"\0" * 9, b"",
    )  # fmt: skip
    return random.choice(wrong)


CASES: tuple[Case, ...] = (
    ordinary, not_text, not_text, odd_headers, compression, continuations, resets, settings, control, data, shapes,
)  # fmt: skip


def conversations() -> list[bytes]:
    """Return a conversation of each kind."""
    random = Random(7540)
    return [frame(SETTINGS, 0, 0) + case(random, 1) for case in CASES for _ in range(4)]


def drawn(seed: int) -> Iterator[bytes]:
    """Yield conversations without end: some kinds one after another, and sometimes bytes that have been changed."""
    random = Random(seed)
    while True:
        parts = [] if random.random() < 0.05 else [frame(SETTINGS, 0, 0)]
        parts += [random.choice(CASES)(random, 1 + 2_000 * each) for each in range(random.choice((1, 1, 1, 2, 4)))]
        talk = b"".join(parts)
        yield mutated(random, [talk]) if random.random() < 0.3 else talk


@dataclass
class Watched:
    """A server that is asked after each conversation whether it does what is promised."""

    server: Server
    channel: grpc.Channel
    tokens: Iterator[str] = field(init=False)
    read: int = 0
    """How much of the log has been read."""

    def __post_init__(self) -> None:
        self.tokens = cycle([self.server.token(f"fuzz{each}", "spectator") for each in range(CALLERS)])

    def converse(self, talk: bytes) -> None:
        """Send a conversation and wait a moment for its end."""
        host, _, port = self.server.addresses[0].rpartition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as connection:
            connection.settimeout(SETTLE_SECONDS)
            with suppress(OSError):
                connection.sendall(PREFACE + talk + frame(PING, 0, 0, b"all sent"))
                came = b""
                while data := connection.recv(1 << 16):
                    came = came[-64:] + data
                    if b"all sent" in came:
                        break

    def check(self, talk: bytes) -> None:
        """Raise a BrokenPromiseError if the conversation has harmed the server."""
        if self.server.process.poll() is not None:
            raise BrokenPromiseError(talk, f"the server ended with {self.server.process.returncode}")
        began = time.monotonic()
        try:
            health = health_pb2_grpc.HealthStub(self.channel)
            status = health.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS).status
            rpc.ArenaServiceStub(self.channel).ListBots(
                pb.ListBotsRequest(), metadata=bearer(next(self.tokens)), timeout=PATIENCE_SECONDS
            )
        except grpc.RpcError as error:
            took = time.monotonic() - began
            reason = f"{error.code()} after {took:.1f} s: {error.details()}"
            is_slow = error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            raise BrokenPromiseError(talk, reason, is_slow=is_slow) from None
        if status != health_pb2.HealthCheckResponse.SERVING:
            raise BrokenPromiseError(talk, f"health is {status}")
        if (used := memory_mb(self.server.process.pid)) > LARGEST_MB:
            raise BrokenPromiseError(talk, f"the server uses {used} MB")
        for line in self.new_lines():
            try:
                event = json.loads(line)["event"]
            except ValueError:
                raise BrokenPromiseError(talk, f"the log has a line that is not ours: {line!r}") from None
            if event in ("server.restarted", "server.task_failed", "call.failed"):
                raise BrokenPromiseError(talk, line.decode())

    def new_lines(self) -> list[bytes]:
        """Return the lines that the log has got since the last time."""
        with (self.server.folder / "server.log").open("rb") as log:
            log.seek(self.read)
            new = log.read()
        complete, _, _rest = new.rpartition(b"\n")
        self.read += len(complete) + bool(complete)
        return complete.splitlines()


def memory_mb(process: int) -> int:
    """Return the resident memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) // 1024 if found else 0


@contextmanager
def watched() -> Iterator[Watched]:
    """Lend a server."""
    with running(kept_folder("arena-fuzz-http2") / "arena", "--log-json") as server:
        options = (("grpc.use_local_subchannel_pool", 1),)
        with grpc.insecure_channel(server.addresses[0], options=options) as channel:
            yield Watched(server, channel)


def take_conversations(items: Sequence[bytes]) -> None:
    """After each conversation, health and an ordinary call are answered by the same process, which has not grown."""
    with watched() as server:
        for item in items:
            server.converse(item)
            server.check(item)
