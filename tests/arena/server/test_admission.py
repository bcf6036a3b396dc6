"""No client can lock out another: probes, anonymous calls, tokens and bots have budgets of their own."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from hypothesis import given
from hypothesis import strategies as st

from arena.server.admission import PROBES, Budget, CallLimit, FullError, ProbeGuard, client_of, max_connections
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.v1 import play_pb2 as play
from referee.v1 import play_pb2_grpc
from tests.arena.server.running_server import PATIENCE_SECONDS, Server, bearer, running, wait_until
from tests.arena.web.fetching import get

CODE = grpc.StatusCode
REFLECTION = "grpc.reflection.v1alpha.ServerReflection"
HANDSHAKE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""The first bytes of an HTTP/2 client."""


@contextmanager
def watching(server: Server, streams: int) -> Iterator[list[Any]]:
    """Hold many health streams open, over many connections, as an anonymous client can."""
    channels = [
        grpc.insecure_channel(server.addresses[0], options=(("grpc.use_local_subchannel_pool", 1),)) for _ in range(8)
    ]
    try:
        request = health_pb2.HealthCheckRequest()
        yield [health_pb2_grpc.HealthStub(channels[number % 8]).Watch(request) for number in range(streams)]
    finally:
        for channel in channels:
            channel.close()
        wait_until(lambda: is_answered(server))  # the server hears of it a moment later, and so would the next test


def is_answered(server: Server) -> bool:
    """Return whether there is room for a probe."""
    with grpc.insecure_channel(server.addresses[0]) as channel, suppress(grpc.RpcError):
        health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        return True
    return False


@pytest.mark.parametrize(
    "path", ["grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch", f"{REFLECTION}/ServerReflectionInfo"]
)
def test_a_probe_that_cannot_be_read_is_refused(server: Server, path: str) -> None:
    with grpc.insecure_channel(server.addresses[0]) as channel:
        stream: Any = channel.stream_stream
        with pytest.raises(grpc.RpcError) as caught:
            list(stream(f"/{path}")(iter([b"\xff"])))
    assert caught.value.code() is CODE.INVALID_ARGUMENT
    assert caught.value.details() == "the message is not a request of this method"


def first_of(stream: Any) -> grpc.StatusCode:
    """Return OK if a stream is being served, else the status that it was refused with."""
    try:
        next(stream)
    except grpc.RpcError as error:
        return error.code()
    return CODE.OK


def test_an_anonymous_client_with_hundreds_of_probes_locks_nobody_out(server: Server) -> None:
    """600 health streams without a token: the budget of probes is used up, and every call with a token is served."""
    token = server.token("ann")
    with watching(server, 600) as streams:
        codes = Counter(first_of(stream) for stream in streams)
        assert codes == {CODE.OK: PROBES.of_one, CODE.RESOURCE_EXHAUSTED: 600 - PROBES.of_one}
        with server.stub() as stub:
            for _ in range(20):
                stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS)
            ticket = stub.Connect(pb.ConnectRequest(name="far", games=["toy"]), metadata=bearer(token)).ticket
        assert ticket


def test_a_client_that_does_nothing_but_connect_leaves_descriptors_for_everything_else(tmp_path: Path) -> None:
    """Of 256 descriptors, connections may take 128: connected clients are served, and so is the page."""
    with (
        running(tmp_path, "--web", "127.0.0.1:0", descriptors=256) as server,
        server.stub() as stub,
        ExitStack() as idle,
    ):
        token = server.token("ann")
        stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS)
        host, _, port = server.addresses[0].rpartition(":")
        for _ in range(400):
            idle.enter_context(socket.create_connection((host, int(port))))
        stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS)
        status, _text, _headers = get(server.web[0])
        assert status == 200
        assert len(os.listdir(f"/proc/{server.process.pid}/fd")) < 200
        assert "Too many open files" not in server.log


def hello(ticket: str, over: threading.Event) -> Iterator[play.PlayRequest]:
    """Say hello for a bot, and nothing more until it is over."""
    yield play.PlayRequest(messages=[play.BotMessage(hello=play.Hello(ticket=ticket, protocol_version=1))])
    over.wait()


def is_served_on_a_new_connection(server: Server, token: str) -> bool:
    """Return whether a client that connects now is served."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    with grpc.insecure_channel(server.addresses[0], options=options) as channel, suppress(grpc.RpcError):
        rpc.ArenaServiceStub(channel).ListBots(
            pb.ListBotsRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS, wait_for_ready=False
        )
        return True
    return False


def test_a_client_that_holds_every_connection_disturbs_no_connected_bot_or_author(tmp_path: Path) -> None:
    """400 idle HTTP/2 connections where 128 fit; new clients are served as soon as they are gone."""
    over = threading.Event()
    with running(tmp_path, descriptors=256) as server, ExitStack() as stack, ExitStack() as held:
        stack.callback(over.set)
        ann, bob = server.token("ann"), server.token("bob")
        stub = stack.enter_context(server.stub())
        ticket = stub.Connect(pb.ConnectRequest(name="far", games=["toy"]), metadata=bearer(ann)).ticket
        channel = stack.enter_context(grpc.insecure_channel(server.addresses[0]))
        bot = play_pb2_grpc.RefereeServiceStub(channel).Play(hello(ticket, over))
        assert next(bot).messages[0].welcome.bot.startswith("far@")
        host, _, port = server.addresses[0].rpartition(":")
        for _ in range(400):
            idle = held.enter_context(socket.create_connection((host, int(port)), source_address=("127.0.0.2", 0)))
            with suppress(OSError):  # closed already
                idle.sendall(HANDSHAKE)
        stub.ListBots(pb.ListBotsRequest(), metadata=bearer(ann), timeout=PATIENCE_SECONDS)
        assert bot.is_active()
        held.close()
        wait_until(lambda: is_served_on_a_new_connection(server, bob))
        assert "bot.disconnected" not in server.log
        bot.cancel()


def test_streams_that_say_no_hello_lock_nobody_out(server: Server) -> None:
    token = server.token("ann")
    over = threading.Event()

    def never() -> Iterator[Any]:
        over.wait()
        yield from ()

    with grpc.insecure_channel(server.addresses[0]) as channel, ExitStack() as stack:
        stack.callback(over.set)
        silent = [play_pb2_grpc.RefereeServiceStub(channel).Play(never()) for _ in range(100)]
        with server.stub() as stub:
            stub.ListBots(pb.ListBotsRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS)
        for stream in silent:
            stream.cancel()


async def note_all(call: Any, seen: list[Any]) -> None:
    """Note every status that a stream tells, until it ends."""
    while True:
        seen.append((await call.read()).status)


def test_a_probe_that_stays_too_long_is_ended_and_one_that_asks_again_is_served() -> None:
    async def main() -> tuple[grpc.StatusCode, list[Any]]:
        guard = ProbeGuard(Budget(of_one=2), seconds=0.3)
        server = grpc.aio.server(interceptors=(guard,))
        probe = health.aio.HealthServicer()  # type: ignore[attr-defined]  # missing from the published type stubs
        health_pb2_grpc.add_HealthServicer_to_server(probe, server)
        await probe.set("", health_pb2.HealthCheckResponse.SERVING)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            seen: list[Any] = []
            for _ in range(100):  # on a busy machine its time may be over before the first word
                call = stub.Watch(health_pb2.HealthCheckRequest())
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await note_all(call, seen)
                if seen:
                    break
            guard.seconds = PATIENCE_SECONDS
            seen.append((await stub.Check(health_pb2.HealthCheckRequest())).status)
        await server.stop(None)
        return caught.value.code(), seen

    code, seen = asyncio.run(main())
    assert code is CODE.DEADLINE_EXCEEDED
    assert seen == [health_pb2.HealthCheckResponse.SERVING] * 2


def test_reflection_is_answered_through_the_guard(server: Server) -> None:
    with grpc.insecure_channel(server.addresses[0]) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = stub.ServerReflectionInfo(iter([request]))
    assert "arena.v1.ArenaService" in {each.name for each in answer.list_services_response.service}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60))
def test_a_limit_never_counts_more_than_its_budget_and_forgets_clients_that_left(steps: list[tuple[str, bool]]) -> None:
    limit = CallLimit("calls", Budget(of_one=3, together=5))
    inside: Counter[str] = Counter()
    for caller, comes in steps:
        if comes:
            try:
                limit.enter(caller)
                inside[caller] += 1
            except FullError:
                assert inside[caller] == 3 or inside.total() == 5
        elif inside[caller]:
            limit.leave(caller)
            inside[caller] -= 1
        assert +inside == limit.open
        assert inside.total() <= 5


class FakeContext:
    """A call from a peer, with metadata."""

    def __init__(self, peer: str, *forwarded: str) -> None:
        self._peer, self._forwarded = peer, forwarded

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return tuple(("x-forwarded-for", value) for value in self._forwarded)


@pytest.mark.parametrize(
    ("context", "client"),
    [
        (FakeContext("ipv4:192.0.2.1:4711"), "192.0.2.1"),
        (FakeContext("ipv6:%5B2001:db8:1:2:3::4%5D:4711"), "2001:db8:1:2::/64"),
        (FakeContext("ipv6:%5B::ffff:192.0.2.1%5D:4711"), "192.0.2.1"),
        (FakeContext("ipv6:%5B::1%5D:4711"), "::/64"),
        (FakeContext("unix:"), "unix:"),
        (FakeContext("ipv4:127.0.0.1:4711", "198.51.100.7", "10.0.0.9, 203.0.113.5"), "203.0.113.5"),
        (FakeContext("ipv6:%5B::ffff:127.0.0.1%5D:4711", "2001:db8:1:2:3::4"), "2001:db8:1:2::/64"),
        (FakeContext("unix:", "203.0.113.5"), "203.0.113.5"),
        (FakeContext("ipv4:127.0.0.1:4711", "not an address"), "127.0.0.1"),
        (FakeContext("ipv4:192.0.2.1:4711", "203.0.113.5"), "192.0.2.1"),
    ],
)
def test_calls_are_counted_by_the_address_of_the_client(context: FakeContext, client: str) -> None:
    """For IPv6 by its /64 network; only a proxy on this machine may name another address."""
    assert client_of(context) == client


def test_failures_of_one_client_behind_a_proxy_are_not_counted_against_another(server: Server) -> None:
    with server.stub() as stub:

        def codes(client: str, count: int) -> set[grpc.StatusCode]:
            found = set()
            for _ in range(count):
                with pytest.raises(grpc.RpcError) as caught:
                    stub.ListBots(pb.ListBotsRequest(), metadata=(*bearer("no.token"), ("x-forwarded-for", client)))
                found.add(caught.value.code())
            return found

        assert CODE.RESOURCE_EXHAUSTED in codes("192.0.2.1", 60)
        assert codes("192.0.2.2", 3) == {CODE.UNAUTHENTICATED}


def test_connections_take_half_of_the_descriptors_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _which: (1_024, 4_096))
    assert max_connections() == 512
