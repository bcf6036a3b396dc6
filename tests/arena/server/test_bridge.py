"""The bridge between gRPC's thread and trio: nothing is lost, nobody waits for ever, the end is told."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import grpc
import pytest
import trio

from arena.server import bridge
from arena.server.bridge import DONE, Call, CallStatus, CannotListenError, serve
from arena.server.survival import Listener
from tests.arena.server.running_server import PATIENCE_SECONDS

SERVICE = "test.v1.EchoService"
CODE = grpc.StatusCode


class Echo:
    """Answers every message with itself, until told otherwise."""

    def __init__(self) -> None:
        self.cancelled = 0
        self.open = 0
        self.max_open = 0
        self.is_waiting = threading.Event()
        self.has_ended = threading.Event()

    async def answer(self, call: Call) -> CallStatus:
        self.open += 1
        self.max_open = max(self.open, self.max_open)
        try:
            while (message := await call.receive()) is not None:
                if message == b"refuse":
                    return CODE.DATA_LOSS, "as asked"
                if message == b"wait":
                    self.is_waiting.set()
                    await trio.sleep_forever()
                await call.send(message)
            return DONE
        except trio.Cancelled:
            self.cancelled += 1
            raise
        finally:
            self.open -= 1
            self.has_ended.set()


def with_echo(use: Callable[[str], Any], echo: Echo | None = None) -> tuple[Echo, Any]:
    """Serve while a client works in a thread; return what both found."""
    echo = echo or Echo()
    found: list[Any] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            listener = Listener("127.0.0.1:0")
            (address,) = await nursery.start(serve, SERVICE, ("Say",), (listener,), echo.answer)
            found.append(await trio.to_thread.run_sync(use, address))
            nursery.cancel_scope.cancel()

    with_limit = partial(trio.run, _within, main)
    with_limit()
    return echo, found[0]


async def _within(main: Callable[[], Any]) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        await main()


def say(channel: grpc.Channel) -> Any:
    stream: Any = channel.stream_stream
    return stream(f"/{SERVICE}/Say")


def test_every_message_of_many_streams_comes_back_in_order() -> None:
    streams, messages = 60, 50

    def use(address: str) -> list[list[bytes]]:
        answers: list[list[bytes]] = [[] for _ in range(streams)]
        with grpc.insecure_channel(address) as channel:

            def one(number: int) -> None:
                sent = (f"{number} {n}".encode() for n in range(messages))
                answers[number] = list(say(channel)(sent))

            threads = [threading.Thread(target=one, args=(number,)) for number in range(streams)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        return answers

    echo, answers = with_echo(use)
    assert answers == [[f"{number} {n}".encode() for n in range(messages)] for number in range(streams)]
    assert echo.open == 0


def test_a_refusal_reaches_the_client_as_it_was_said() -> None:
    def use(address: str) -> tuple[Any, Any]:
        with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError) as caught:
            list(say(channel)(iter([b"refuse"])))
        return caught.value.code(), caught.value.details()

    assert with_echo(use)[1] == (CODE.DATA_LOSS, "as asked")


def test_a_client_that_goes_away_cancels_its_task() -> None:
    echo = Echo()

    def use(address: str) -> None:
        with grpc.insecure_channel(address) as channel:
            call = say(channel)(iter([b"hello", b"wait"]))
            assert next(call) == b"hello"
            assert echo.is_waiting.wait(PATIENCE_SECONDS)
            call.cancel()
            # Here, while the server still serves: its own end would cancel every task.
            assert echo.has_ended.wait(PATIENCE_SECONDS)
            assert (echo.cancelled, echo.open) == (1, 0)
            assert list(say(channel)(iter([b"after"]))) == [b"after"]

    with_echo(use, echo)


def test_shutting_down_tells_those_who_wait() -> None:
    ended: list[tuple[Any, Any]] = []
    threads: list[threading.Thread] = []

    def use(address: str) -> None:
        channel = grpc.insecure_channel(address)
        call = say(channel)(iter([b"hello", b"wait"]))
        assert next(call) == b"hello"

        def wait() -> None:
            with pytest.raises(grpc.RpcError) as caught:
                next(call)
            ended.append((caught.value.code(), caught.value.details()))
            channel.close()

        threads.append(threading.Thread(target=wait))
        threads[0].start()

    with_echo(use)
    threads[0].join(timeout=PATIENCE_SECONDS)
    assert ended == [(CODE.UNAVAILABLE, "the server is shutting down")]


@pytest.mark.parametrize(
    ("option", "beginning"),
    [
        ("grpc.server_handshake_timeout_ms", b""),
        ("grpc.max_connection_idle_ms", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"),
    ],
    ids=["silent", "without a call"],
)
def test_an_idle_connection_is_closed(monkeypatch: pytest.MonkeyPatch, option: str, beginning: bytes) -> None:
    options = tuple((name, 500 if name == option else value) for name, value in bridge.OPTIONS)
    monkeypatch.setattr(bridge, "OPTIONS", options)

    def use(address: str) -> None:
        host, _, port = address.rpartition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as idle:
            idle.sendall(beginning)
            with suppress(ConnectionResetError):
                while idle.recv(1 << 16):
                    pass

    with_echo(use)


def test_an_address_that_cannot_be_had_is_an_error_at_once() -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(serve, SERVICE, ("Say",), (Listener("203.0.113.1:1"),), Echo().answer)

    with pytest.raises(ExceptionGroup) as caught:
        trio.run(_within, main)
    assert caught.group_contains(CannotListenError)


def test_cancelled_at_any_point_of_its_start_it_ends() -> None:
    """Twelve moments from the first one on, in which the thread is starting, has started, or listens."""

    async def main() -> None:
        for step in range(12):
            with trio.move_on_after(step * 0.004):
                await serve(SERVICE, ("Say",), (Listener("127.0.0.1:0"),), Echo().answer)

    before = set(threading.enumerate())  # those of other tests in this process
    trio.run(_within, main)
    assert not [thread.name for thread in set(threading.enumerate()) - before if "asyncio" in thread.name]
