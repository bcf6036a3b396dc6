"""Floods of headers on a few connections without a token: how long others wait, and how much the server grows.

    python -m tests.header_floods [--seconds 10] [--connections 3] [--proxy] [--results DIR]

Every kind of flood meets a new server. Each of its connections is made by a process of its own, which dials again when
it is closed. Meanwhile somebody else makes ordinary calls, one after the other, each over a new connection. A flood
ends early when the server holds more than a GiB. With `--proxy` HAProxy stands in between.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import grpc

from arena.bench.figures import VARIABLE, Figures, save
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from tests.arena.server.running_proxy import running_proxy
from tests.arena.server.running_server import bearer, running
from tests.fuzz.http2 import (
    CONTINUATION,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PREFACE,
    SETTINGS,
    block,
    call,
    frame,
    literal,
    memory_mb,
    number,
)

HEALTH = b"/grpc.health.v1.Health/Check"
ACKNOWLEDGED = 0x1  # of SETTINGS
ATTACKER = "127.0.0.2"  # another address than everybody else's
MAX_MB = 1_024
CALL_SECONDS = 30.0  # for one call of somebody else
CALLERS = 24  # tokens by turns, since one may call 20 times a second

NOTHING = "nothing"
"""The kind of flood to compare the others with."""

Flood = Callable[[], Iterator[bytes]]


def many_names() -> Iterator[bytes]:
    """Requests that name one header 14,000 times each, in as many bytes."""
    headers = block(call(HEALTH)) + literal(b"x", b"y", 0x40) + number(62, 7, 0x80) * 14_000
    for stream in count(1, 2):
        yield frame(HEADERS, END_HEADERS | END_STREAM, stream, headers)


def acknowledged() -> Iterator[bytes]:
    """The same after the server's settings have been acknowledged, and with them its limits."""
    yield frame(SETTINGS, ACKNOWLEDGED, 0)
    yield from many_names()


def one_block() -> Iterator[bytes]:
    """One request whose headers never end."""
    yield frame(HEADERS, END_STREAM, 1, block(call(HEALTH)))
    while True:
        yield frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 100) * 150)


def empty_continuations() -> Iterator[bytes]:
    """One request whose headers never end, and have nothing in them."""
    yield frame(HEADERS, END_STREAM, 1, block(call(HEALTH)))
    while True:
        yield frame(CONTINUATION, 0, 1) * 1_500


FLOODS: dict[str, tuple[str, Flood]] = {
    "names": ("one header named 14,000 times in each request", many_names),
    "acknowledged": ("the same, settings acknowledged", acknowledged),
    "block": ("CONTINUATION frames without end", one_block),
    "empty": ("empty CONTINUATION frames without end", empty_continuations),
}


@dataclass
class Address:
    """Where to dial, and by which certificate if any."""

    port: int
    certificate: Path | None = None

    def dial(self) -> socket.socket:
        """Connect as an attacker does."""
        link = socket.create_connection(("127.0.0.1", self.port), CALL_SECONDS, (ATTACKER, 0))
        if self.certificate is None:
            return link
        context = ssl.create_default_context(cafile=str(self.certificate))
        context.set_alpn_protocols(["h2"])
        return context.wrap_socket(link, server_hostname="127.0.0.1")

    def channel(self) -> grpc.Channel:
        """Connect as a client does."""
        options, address = (("grpc.use_local_subchannel_pool", 1),), f"127.0.0.1:{self.port}"
        if self.certificate is None:
            return grpc.insecure_channel(address, options=options)
        trusted = grpc.ssl_channel_credentials(self.certificate.read_bytes())
        return grpc.secure_channel(address, trusted, options=options)


def flood(kind: str, where: Address, seconds: float, ready: Any, sent: Any, dialled: Any) -> None:
    """Send one kind of flood until the time is over, and count bytes and connections; all begin together."""
    ready.wait()
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with suppress(OSError), where.dial() as link:
            dialled.value += 1
            link.settimeout(1.0)
            link.sendall(PREFACE + frame(SETTINGS, 0, 0))
            for each in FLOODS[kind][1]():
                if time.monotonic() >= ends:
                    return
                link.sendall(each)
                sent.value += len(each)


@dataclass
class Waited:
    """What a flood came to for the others."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0
    before_mb: int = 0
    largest_mb: int = 0
    sent_mb: float = 0.0
    connections: int = 0


def measured(kind: str, seconds: float, connections: int, *, is_proxied: bool) -> Waited:
    """Flood a new server, and call it meanwhile."""
    found = Waited()
    with tempfile.TemporaryDirectory(prefix="floods-") as text, ExitStack() as stack:
        folder = Path(text)
        if is_proxied:
            proxy = stack.enter_context(running_proxy(folder))
            server, where = proxy.server, Address(proxy.calls, proxy.certificate)
        else:
            server = stack.enter_context(running(folder))
            where = Address(int(server.addresses[0].rpartition(":")[2]))
        tokens = [server.token(f"caller{each}", "spectator") for each in range(CALLERS)]
        process = server.process.pid

        def ordinary(number: int) -> None:
            began = time.monotonic()
            with where.channel() as channel:
                try:
                    rpc.ArenaServiceStub(channel).ListBots(
                        pb.ListBotsRequest(), metadata=bearer(tokens[number % CALLERS]), timeout=CALL_SECONDS
                    )
                except grpc.RpcError as error:
                    found.failed += 1
                    print(f"{kind}: {error.code()}: {error.details()}", file=sys.stderr, flush=True)
            found.seconds.append(time.monotonic() - began)

        ordinary(0)
        found.seconds.clear()
        found.before_mb = memory_mb(process)
        spawn = multiprocessing.get_context("spawn")
        sent, dialled = spawn.Value("Q", 0), spawn.Value("Q", 0)
        ready = spawn.Barrier(connections + 1)
        words = (kind, where, seconds, ready, sent, dialled)
        flooding = [spawn.Process(target=flood, args=words) for _ in range(connections)]
        for each in flooding:
            each.start()
        ready.wait()
        ends = time.monotonic() + seconds
        try:
            for turn in count(1):
                ordinary(turn)
                found.largest_mb = max(found.largest_mb, memory_mb(process))
                if time.monotonic() >= ends or found.largest_mb > MAX_MB:
                    break
                time.sleep(0.05)
        finally:
            for each in flooding:
                each.terminate()
                each.join()
        found.sent_mb, found.connections = sent.value / 1e6, dialled.value
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Measure every kind and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--connections", type=int, default=3)
    parser.add_argument("--kind", choices=(NOTHING, *FLOODS), action="append", help="this one only; repeatable")
    parser.add_argument("--proxy", action="store_true", help="through HAProxy")
    parser.add_argument("--results", help="the directory for the figures as JSON")
    options = parser.parse_args(words)
    if options.results:
        os.environ[VARIABLE] = options.results
    table = Figures(("Flood", "Calls", "Failed", "Longest, s", "MB before", "MB at most", "MB sent", "Connections"))
    for kind in options.kind or (NOTHING, *FLOODS):
        name, connections = (kind, 0) if kind == NOTHING else (FLOODS[kind][0], options.connections)
        found = measured(kind, options.seconds, connections, is_proxied=options.proxy)
        waits = (len(found.seconds), found.failed, round(max(found.seconds), 2))
        table.add(name, *waits, found.before_mb, found.largest_mb, round(found.sent_mb, 1), found.connections)
    save("header_floods_proxied" if options.proxy else "header_floods", {"floods": table})
    return 0


if __name__ == "__main__":
    sys.exit(main())
