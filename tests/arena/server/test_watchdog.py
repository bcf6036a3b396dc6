"""The watchdog notices a blocked loop, and ends a server that a thread keeps from stopping."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.server import bridge, watchdog
from arena.server.survival import Listener
from arena.server.watchdog import lag, watching
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import PATIENCE_SECONDS, bearer, by_name, running, wait_until

STATUS = health_pb2.HealthCheckResponse


def hold_up(is_seen: Callable[[], bool]) -> None:
    """Block the loop until it has been seen."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_seen():
        assert time.monotonic() < deadline, "nobody has seen it"
        time.sleep(0.01)


def test_a_loop_that_stands_still_is_logged_once_with_what_holds_it_up() -> None:
    before, seconds_before = lag.blockages, lag.blocked_seconds
    said = io.StringIO()

    def blocked() -> list[str]:
        """On a busy machine the loop may be late by itself, too."""
        return [line for line in said.getvalue().splitlines() if "loop.blocked" in line and "hold_up" in line]

    def have_come(number: int) -> None:
        wait_until(lambda: len(blocked()) >= number, said.getvalue)

    async def main() -> None:
        with watching(trio.Event()):
            for number in (1, 2):
                hold_up(lambda: lag.seconds >= watchdog.LATE_SECONDS)
                await trio.to_thread.run_sync(have_come, number)

    with redirect_stderr(said):
        trio.run(main)
    assert len(blocked()) == 2
    assert lag.blockages >= before + 2
    assert lag.blocked_seconds >= seconds_before + 2 * watchdog.LATE_SECONDS
    assert lag.seconds == 0


def test_health_says_not_serving_while_the_loop_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "UNHEALTHY_SECONDS", watchdog.LATE_SECONDS)
    seen: list[int] = []

    def probe(address: str) -> None:
        """Watch from outside until it has been well, ill and well again."""
        with grpc.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            for said in stub.Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE_SECONDS):
                seen.append(said.status)
                if len(seen) == 3:
                    return

    async def answer(_call: bridge.Call) -> bridge.CallStatus:
        return bridge.DONE

    async def main() -> None:
        with watching(trio.Event()):
            async with trio.open_nursery() as nursery:
                listeners = (Listener("127.0.0.1:0"),)
                (address,) = await nursery.start(bridge.serve, "test.v1.Service", ("Do",), listeners, answer)
                client = threading.Thread(target=probe, args=(address,))
                client.start()
                await trio.to_thread.run_sync(wait_until, lambda: seen)
                hold_up(lambda: len(seen) == 2)
                await trio.to_thread.run_sync(client.join)
                nursery.cancel_scope.cancel()

    trio.run(main)
    assert seen == [STATUS.SERVING, STATUS.NOT_SERVING, STATUS.SERVING]


STUCK = """
import time
from pathlib import Path

import arena.cli
from arena.server import service
from arena.v1 import arena_pb2 as pb


def for_ever(*_arguments):
    Path(__file__).with_name("begun").touch()
    while True:
        time.sleep(0.001)


service.METHODS["ListTests"] = service.Method(service.EVERYBODY, service._unary(pb.ListTestsRequest, for_ever))
arena.cli.main()
"""


def test_a_signal_ends_a_server_whose_thread_computes_for_ever(tmp_path: Path) -> None:
    """Nothing interrupts a thread, so the process ends without it; what was stored is there."""
    script, begun = tmp_path / "stuck.py", tmp_path / "begun"
    script.write_text(STUCK)
    with running(tmp_path / "arena", program=(sys.executable, str(script))) as server:
        token = server.token("ann", "author")
        with grpc.insecure_channel(server.addresses[0]) as channel:
            waiting = by_name(channel, "ListTests").future(b"", metadata=bearer(token))
            wait_until(begun.exists, lambda: server.log)
            server.call("ListBots", pb.ListBotsRequest(), token)  # others are answered meanwhile
            assert server.stop() == 1
            assert waiting.code() is grpc.StatusCode.UNAVAILABLE
        assert "server.stop_forced" in server.log
        assert "for_ever" in server.log
    checked = subprocess.run(
        [sys.executable, "-m", "arena", "ledger", "verify", "--db", str(server.db)], capture_output=True, check=False
    )
    assert checked.returncode == 0
