"""Admission: how many calls a client may hold open, so that no client can lock out another.

Every kind of call has its own budget. Probes (health and reflection) and bots that have not said hello yet are
anonymous: they are counted together and by address, and time out. Calls with a token are counted by that token alone,
so that neither another token nor an anonymous client can starve it.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import unquote

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from arena.server.probe import SECRET

PROBE_SECONDS = 60.0  # a probe may keep its stream; clients that need longer ask again
PROBES_BEGIN = ("/grpc.health.", "/grpc.reflection.")
ENOUGH_CONNECTIONS = 1 << 14
FORWARDED = "x-forwarded-for"

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Budget:
    """How many calls of one kind may be open: per client, and in total if that is limited."""

    of_one: int
    together: int | None = None


PROBES = Budget(of_one=16, together=128)  # by address
UNKNOWN_CALLERS = Budget(of_one=64, together=512)  # by address, while their token is looked up
UNKNOWN_BOTS = Budget(of_one=2_048, together=4_096)  # by address, until they have said hello
BOTS = Budget(of_one=2_048)  # by token


def max_connections() -> int:
    """Return the limit on open connections: half of our descriptors; the rest is for tournaments and the page."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENOUGH_CONNECTIONS if soft == resource.RLIM_INFINITY else min(ENOUGH_CONNECTIONS, soft // 2)


class FullError(Exception):
    """A client, or all clients together, have used up a budget."""


@dataclass(slots=True, eq=False)
class CallLimit:
    """Counts the open calls of one kind; used by one thread only."""

    name: str
    budget: Budget
    open: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def passing(self, client: str) -> Iterator[None]:
        """Count a call while it is open; a FullError if it exceeds the budget."""
        self.enter(client)
        try:
            yield
        finally:
            self.leave(client)

    def enter(self, client: str) -> None:
        """Count a call; a FullError if it exceeds the budget."""
        if self.open[client] >= self.budget.of_one:
            raise FullError(f"you already have {self.budget.of_one} open {self.name}")
        if self.budget.together is not None and self.open.total() >= self.budget.together:
            raise FullError(f"there are already {self.budget.together} open {self.name}; try again in a moment")
        self.open[client] += 1

    def leave(self, client: str) -> None:
        """Stop counting a call."""
        self.open[client] -= 1
        if not self.open[client]:
            del self.open[client]


def client_of(context: Any) -> str:
    """Return the address to count a call by; a proxy on this machine forwards its client's."""
    peer = context.peer()
    address = _address_of(peer)
    if address is None or address.is_loopback:
        named = [value for key, value in context.invocation_metadata() or () if key == FORWARDED]
        with suppress(IndexError, ValueError):
            return _network_of(ip_address(str(named[-1]).rpartition(",")[2].strip()))
    return peer if address is None else _network_of(address)


def _address_of(peer: str) -> Address | None:
    """Return the address in gRPC's name for a peer; None for a unix socket, which has none."""
    host = unquote(peer).partition(":")[2].rpartition(":")[0]
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _network_of(address: Address) -> str:
    """Return an IPv4 address unchanged, or the /64 network of an IPv6 address: the size of one household."""
    return str(address if address.version == 4 else ip_network((address, 64), strict=False))


class ProbeGuard(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """Limits probes to their budget and ends those that stay too long; the server's own carry a secret and pass."""

    def __init__(self, budget: Budget = PROBES, seconds: float = PROBE_SECONDS, own: str = "") -> None:
        self.limit = CallLimit("probes", budget)
        self.seconds = seconds
        self.own = own

    async def intercept_service(self, continuation: Callable[[Any], Any], details: Any) -> Any:
        """Guard health and reflection; other methods have their own budgets."""
        handler = await continuation(details)
        if handler is None or not details.method.startswith(PROBES_BEGIN) or self._is_own(details):
            return handler
        shapes = ("unary", "stream")
        kind = f"{shapes[handler.request_streaming]}_{shapes[handler.response_streaming]}"
        make: Any = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(
            self._guarded(getattr(handler, kind), None if handler.request_streaming else handler.request_deserializer),
            # The guard reads a single request itself: gRPC prints a traceback for an unreadable one.
            request_deserializer=handler.request_deserializer if handler.request_streaming else None,
            response_serializer=handler.response_serializer,
        )

    def _is_own(self, details: Any) -> bool:
        said = [value for key, value in details.invocation_metadata or () if key == SECRET]
        return bool(self.own) and said == [self.own]

    def _guarded(
        self, behaviour: Callable[[Any, Any], Any], read: Callable[[bytes], Any] | None
    ) -> Callable[[Any, Any], Any]:
        async def guarded(request: Any, context: Any) -> Any:
            try:
                with self.limit.passing(client_of(context)):
                    request = request if read is None else read(request)
                    async with asyncio.timeout(self.seconds):
                        return await _answer(behaviour, request, context)
            except FullError as error:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            except DecodeError:
                await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the message is not a request of this method")
            except TimeoutError:
                reason = f"a probe may keep its stream for {self.seconds:.0f} seconds; ask again"
                await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, reason)

        return guarded


async def _answer(behaviour: Callable[[Any, Any], Any], request: Any, context: Any) -> Any:
    answer = behaviour(request, context)
    if not hasattr(answer, "__aiter__"):
        return await answer
    async for message in answer:  # from a service written as a generator
        await context.write(message)
    return None
