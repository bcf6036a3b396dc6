"""Nobody can shut the door on others: probes, strangers, tokens and bots have budgets of their own."""

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

from arena.server.admission import PROBES, Budget, FullError, ProbeGuard, Turnstile, host_of
from arena.v1 import arena_pb2 as pb
from referee.v1 import play_pb2_grpc
from tests.server.running_server import PATIENCE_SECONDS, Server, bearer, running, wait_until
from tests.web.fetching import get

CODE = grpc.StatusCode


@contextmanager
def watching(server: Server, streams: int) -> Iterator[list[Any]]:
    """Hold many health streams open, over many connections, as a stranger can."""
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
    """Tell whether there is room for a probe."""
    with grpc.insecure_channel(server.addresses[0]) as channel, suppress(grpc.RpcError):
        health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        return True
    return False


def first_of(stream: Any) -> grpc.StatusCode:
    """Return OK if a stream is being served, else the status that it was refused with."""
    try:
        next(stream)
    except grpc.RpcError as error:
        return error.code()
    return CODE.OK


def test_a_stranger_with_hundreds_of_probes_shuts_nobody_out(server: Server) -> None:
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


def test_a_stranger_who_does_nothing_but_connect_leaves_descriptors_for_everything_else(tmp_path: Path) -> None:
    """Of 256 descriptors, connections may take 128: whoever is connected is served, and so is the page."""
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


def test_streams_that_say_no_hello_shut_nobody_out(server: Server) -> None:
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
def test_a_turnstile_never_counts_more_than_its_budget_and_forgets_who_left(steps: list[tuple[str, bool]]) -> None:
    turnstile = Turnstile("calls", Budget(of_one=3, together=5))
    inside: Counter[str] = Counter()
    for caller, comes in steps:
        if comes:
            try:
                turnstile.enter(caller)
                inside[caller] += 1
            except FullError:
                assert inside[caller] == 3 or inside.total() == 5
        elif inside[caller]:
            turnstile.leave(caller)
            inside[caller] -= 1
        assert +inside == turnstile.open
        assert inside.total() <= 5


def test_peers_are_counted_by_address() -> None:
    assert host_of("ipv4:127.0.0.1:4711") == "ipv4:127.0.0.1"
    assert host_of("ipv6:%5B2001:db8:1:2:3::4%5D:4711") == "ipv6:2001:db8:1:2::/64", "the network that one home has"
    assert host_of("ipv6:%5B::1%5D:4711") == "ipv6:::/64"
    assert host_of("unix:") == "unix:"
