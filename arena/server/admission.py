"""Admission: who may hold how many calls open, so that nobody can shut the door on others.

Every kind of caller has a budget of its own. Probes (health and reflection) and bots that have not said who they are
yet are strangers: they are counted together and by address, and end by themselves. Callers with a token are counted by
that token alone, so that no token can starve another, and neither can a stranger.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any
from urllib.parse import unquote

import grpc
import grpc.aio

PROBE_SECONDS = 60.0  # that a probe may keep its stream; whoever wants to know on asks again
PROBES_BEGIN = ("/grpc.health.", "/grpc.reflection.")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many calls of one kind may be open: of one caller, and of all together if that is bounded."""

    of_one: int
    together: int | None = None


PROBES = Budget(of_one=16, together=128)  # by address
UNKNOWN_CALLERS = Budget(of_one=64, together=512)  # by address, while their token is looked up
UNKNOWN_BOTS = Budget(of_one=2_048, together=4_096)  # by address, until they have said hello
BOTS = Budget(of_one=2_048)  # by token


class FullError(Exception):
    """A caller has as many calls open as it may, or its kind has."""


@dataclass(slots=True, eq=False)
class Turnstile:
    """Counts the open calls of one kind; it is used by one thread only."""

    name: str
    budget: Budget
    open: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def passing(self, caller: str) -> Iterator[None]:
        """Count a call while it is open; a FullError if it would be one too many."""
        self.enter(caller)
        try:
            yield
        finally:
            self.leave(caller)

    def enter(self, caller: str) -> None:
        """Count a call; a FullError if it would be one too many."""
        if self.open[caller] >= self.budget.of_one:
            raise FullError(f"{self.budget.of_one} {self.name} of yours are open already")
        if self.budget.together is not None and self.open.total() >= self.budget.together:
            raise FullError(f"{self.budget.together} {self.name} are open already; try again in a moment")
        self.open[caller] += 1

    def leave(self, caller: str) -> None:
        """Count a call no longer."""
        self.open[caller] -= 1
        if not self.open[caller]:
            del self.open[caller]


def host_of(peer: str) -> str:
    """Return what strangers are counted by: their address, or of the sixth version the network that one home has."""
    kind, _, rest = unquote(peer).partition(":")
    if kind == "unix":
        return peer
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    if kind == "ipv6":
        with suppress(ValueError):
            return f"{kind}:{ip_network((host, 64), strict=False)}"
    return f"{kind}:{host}"


class ProbeGuard(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """Lets probes in by their budget, and ends those that stay too long."""

    def __init__(self, budget: Budget = PROBES, seconds: float = PROBE_SECONDS) -> None:
        self.turnstile = Turnstile("probes", budget)
        self.seconds = seconds

    async def intercept_service(self, continuation: Callable[[Any], Any], details: Any) -> Any:
        """Put the guard before health and reflection; other methods have budgets of their own."""
        handler = await continuation(details)
        if handler is None or not details.method.startswith(PROBES_BEGIN):
            return handler
        kind = f"{_shape(handler.request_streaming)}_{_shape(handler.response_streaming)}"
        make: Any = getattr(grpc, f"{kind}_rpc_method_handler")
        return make(
            self._guarded(getattr(handler, kind)),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _guarded(self, behaviour: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        async def guarded(request: Any, context: Any) -> Any:
            try:
                with self.turnstile.passing(host_of(context.peer())):
                    async with asyncio.timeout(self.seconds):
                        return await _answer(behaviour, request, context)
            except FullError as error:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            except TimeoutError:
                reason = f"a probe may keep its stream for {self.seconds:.0f} seconds; ask again"
                await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, reason)

        return guarded


async def _answer(behaviour: Callable[[Any, Any], Any], request: Any, context: Any) -> Any:
    answer = behaviour(request, context)
    if not hasattr(answer, "__aiter__"):
        return await answer
    async for message in answer:  # of a service that is written as a generator
        await context.write(message)
    return None


def _shape(is_streaming: bool) -> str:
    return "stream" if is_streaming else "unary"
