"""The door of the web page: how many connections may be open, and who makes room when there are too many.

A browser needs no name here, so that nobody can be told from a stranger. Whoever holds most connections gives up the
oldest of his for the next that comes, and one over which nothing goes for a minute ends: however slowly somebody asks
or reads, others are served.
"""

from __future__ import annotations

import resource
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address

import trio

ENOUGH_CONNECTIONS = 1_024
IDLE_SECONDS = 60.0  # event streams say every fifteen seconds that they are still there
LOOK_SECONDS = 5.0
PIECE = 1 << 16
"""Bytes that a reader has to take within IDLE_SECONDS."""


def max_connections() -> int:
    """Return how many connections may be open: a quarter of our descriptors, and never more than one page needs."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENOUGH_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(ENOUGH_CONNECTIONS, soft // 4))


class WatchedStream:
    """One connection, as the web server sees its stream; it notes when something last went over it."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.socket = stream.socket
        self.address = _address_of(self.socket)
        self.moved_at = trio.current_time()
        self.scope = trio.CancelScope()
        """Of everything that is done for it."""

    async def receive_some(self, most: int) -> bytes:
        """Return what has come; nothing at its end."""
        data = await self.stream.receive_some(most)
        self.moved_at = trio.current_time()
        return bytes(data)

    async def send_all(self, data: bytes) -> None:
        """Send everything, piece by piece."""
        for start in range(0, len(data), PIECE):
            await self.stream.send_all(data[start : start + PIECE])
            self.moved_at = trio.current_time()

    async def send_eof(self) -> None:
        """Say that nothing more comes."""
        await self.stream.send_eof()

    async def aclose(self) -> None:
        """Give the connection up."""
        await self.stream.aclose()

    def cut(self) -> None:
        """End the connection for both sides, whatever somebody waits for."""
        self.scope.cancel()
        # For what is shielded against that: sending.
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Door:
    """The connections that are open, the oldest first."""

    def __init__(self, most: int | None = None, idle_seconds: float = IDLE_SECONDS) -> None:
        self.most = max_connections() if most is None else most
        self.idle_seconds = idle_seconds
        self.open: dict[WatchedStream, None] = {}

    @contextmanager
    def passing(self, stream: trio.SocketStream) -> Iterator[WatchedStream]:
        """Let a connection in, at the cost of the oldest of whoever holds most if there are too many."""
        connection = WatchedStream(stream)
        self.open[connection] = None
        if len(self.open) > self.most:
            self._make_room()
        try:
            yield connection
        finally:
            self.open.pop(connection, None)

    def _make_room(self) -> None:
        ((greedy, _count),) = Counter(each.address for each in self.open).most_common(1)
        oldest = next(each for each in self.open if each.address == greedy)
        del self.open[oldest]
        oldest.cut()

    async def watch(self) -> None:
        """End what stands still, until cancelled."""
        while True:
            await trio.sleep(min(LOOK_SECONDS, self.idle_seconds))
            for connection in self.open:
                if trio.current_time() - connection.moved_at > self.idle_seconds:
                    connection.cut()


def _address_of(its: trio.socket.SocketType) -> str:
    """Return what strangers are counted by: an address, or of the sixth version the network that one home has."""
    try:
        host = str(its.getpeername()[0])
        address = ip_address(host.partition("%")[0])
    except (OSError, ValueError, IndexError):
        return ""
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or (int(address) >> 64))
