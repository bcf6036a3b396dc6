"""The doorkeeper: when connections grow scarce, whoever holds most of them makes room for the next that comes.

gRPC bounds how many connections are open, and not whose they are, so that one stranger could hold all of them. A bot
that plays is never touched: tokens have a budget of bots. Everybody else is a guest, counted by token once a call has
shown one, and by address until then.
"""

from __future__ import annotations

import asyncio
import math
import os
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote

from arena.server.admission import host_of
from referee.logs import log

LOOK_SECONDS = 0.05
SHARE = 0.05  # of the time that looking may take, however many there are
TELL_SECONDS = 10.0
ENOUGH_GUESTS = 4_096
DESCRIPTORS = "/dev/fd"
MAPPED = "::ffff:"  # before an address of version 4 that came to a socket of version 6

Peer = tuple[str, int]
"""Address and port of the other end."""


def peer_of(text: str) -> Peer | None:
    """Return the other end of a connection as gRPC names it; None for a unix socket, which has no address."""
    kind, _, rest = unquote(text).partition(":")
    host, _, port = rest.rpartition(":")
    return (_plain(host.strip("[]")), int(port)) if kind in ("ipv4", "ipv6") and port.isdigit() else None


@dataclass(frozen=True, slots=True)
class CountedConnection:
    """A connection as the kernel knows it."""

    peer: Peer
    descriptor: int

    def cut(self) -> None:
        """End it for both sides; gRPC finds it closed."""
        with suppress(OSError), _borrowed(self.descriptor) as found:
            if _peer_name(found) == self.peer:  # else the number has gone to another meanwhile
                found.shutdown(socket.SHUT_RDWR)


class Doorkeeper:
    """Knows whose connections are; used in gRPC's loop only."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.ports: set[int] = set()
        self._bots: Counter[Peer | None] = Counter()
        self._tokens: dict[Peer, str] = {}
        self._seen_at: dict[Peer, float] = {}

    def vouch(self, peer: str, token: str) -> None:
        """Note that a token was shown over a connection."""
        if (found := peer_of(peer)) is not None:
            self._tokens[found] = token

    @contextmanager
    def playing(self, peer: str) -> Iterator[None]:
        """Leave a connection alone while a bot plays over it."""
        found = peer_of(peer)
        self._bots[found] += 1
        try:
            yield
        finally:
            self._bots[found] -= 1
            if not self._bots[found]:
                del self._bots[found]

    def surplus(self, found: Iterable[CountedConnection], now: float) -> list[CountedConnection]:
        """Return the guests that are to go, after a look at everybody who is there."""
        connections = list(found)
        self._tokens = {each.peer: self._tokens[each.peer] for each in connections if each.peer in self._tokens}
        self._seen_at = {each.peer: self._seen_at.get(each.peer, now) for each in connections}
        groups: dict[str, list[CountedConnection]] = defaultdict(list)
        for each in connections:
            if each.peer not in self._bots:
                token = self._tokens.get(each.peer)
                groups[f"address {_network(each.peer)}" if token is None else f"token {token}"].append(each)
        for group in groups.values():
            group.sort(key=lambda each: self._seen_at[each.peer], reverse=True)
        guests = sum(map(len, groups.values()))
        going: list[CountedConnection] = []
        while guests - len(going) > self._allowed(len(connections) - guests):
            going.append(max(groups.values(), key=len).pop())
        return going

    def _allowed(self, bots: int) -> int:
        """How many guests may stay: half of all, as far as bots leave room, and always some."""
        return min(ENOUGH_GUESTS, max(self.most // 2 - bots, self.most // 8, 1))

    async def watch(self) -> None:
        """Keep the door, until cancelled."""
        pause, told_at, cut = LOOK_SECONDS, -math.inf, 0
        while True:
            await asyncio.sleep(pause)
            began = time.monotonic()
            descriptors = len(os.listdir(DESCRIPTORS))
            is_crowded = descriptors > min(self.most // 2, ENOUGH_GUESTS)
            if is_crowded or len(self._tokens) > 2 * descriptors:
                going = self.surplus(await asyncio.to_thread(connections_to, self.ports), began)
                for each in going:
                    each.cut()
                cut += len(going)
            if cut and began > told_at + TELL_SECONDS:
                log.warning("connections.cut", count=cut, reason="too many are open")
                told_at, cut = began, 0
            pause = max(LOOK_SECONDS, (time.monotonic() - began) / SHARE)


def connections_to(ports: Collection[int]) -> list[CountedConnection]:
    """Return the connections of this process to ports of its own."""
    found = []
    for name in os.listdir(DESCRIPTORS):
        with suppress(OSError), _borrowed(int(name)) as one:
            if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] in ports:
                found.append(CountedConnection(_peer_name(one), int(name)))
    return found


@contextmanager
def _borrowed(descriptor: int) -> Iterator[socket.socket]:
    """Lend a connection by its number; an OSError if it is none.

    Nothing is closed, not even a duplicate: closing any descriptor of a file gives up all locks that this process has
    on it, and the database's must stay.
    """
    one = socket.socket(fileno=descriptor)
    try:
        yield one
    finally:
        one.detach()


def _peer_name(one: socket.socket) -> Peer:
    host, port = one.getpeername()[:2]
    return _plain(host), port


def _plain(host: str) -> str:
    return host.partition("%")[0].removeprefix(MAPPED)


def _network(peer: Peer) -> str:
    host, port = peer
    return host_of(f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}")
