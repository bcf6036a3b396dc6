"""gRPC is served whatever arrives: one frame does not end it, and what has died is replaced in its place."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from grpc._cython import cygrpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.server import bridge, probe, sturdy, survival
from arena.server.admission import PROBES
from arena.server.bridge import serve
from arena.server.probe import Sign
from arena.server.survival import Listener, Serving
from arena.v1 import arena_pb2 as pb
from referee.logs import configure_logs
from tests.arena.server.running_server import (
    NO_HURRY,
    PATIENCE_SECONDS,
    ROOT,
    bot_directory,
    certificate,
    enter_patient_bot,
    running,
    wait_until,
)
from tests.arena.server.test_bridge import SERVICE, Echo, say
from tests.arena.server.test_lifecycle import begin, rows
from tests.arena.server.test_remote import connected, wait_for_log
from tests.arena.web.fetching import get
from tests.fuzz.http2 import PREFACE, SETTINGS, call, frame, request

REFUSED = b"grpc-status\x0212"
"""The status UNIMPLEMENTED, as gRPC's server writes it."""
CUP = 'name = "long"\ngame = "toy"\nbots = ["patient", "far"]\nrounds = 3\n' + NO_HURRY
MORTAL = "from arena.server import survival; from tests.arena.server.test_survival import make_mortal; make_mortal(); "
SAME_SECRET = f"from arena.plan import tournament_file; tournament_file.new_secret = lambda: '{'5' * 32}'; "
"""A server draws the secret of its tournaments by chance; two that are compared draw the same one."""
THEN_MAIN = "from arena.cli import main; main()"


def bad_request() -> bytes:
    """A request whose path is not UTF-8; it ends the main loop of a plain grpc.aio server."""
    return PREFACE + frame(SETTINGS, 0, 0) + request(1, call(b"/\xff"))


def decoding(core: Any, method: bytes | None) -> Any:
    """Take calls as grpc.aio does; it decodes paths in its main loop and dies of some.

    What stays of ours is that memory is kept into which gRPC's core will write.
    """
    return core._ask(cygrpc.AioServer._make_request_call_future(core, method))


def make_mortal() -> None:
    """Let servers of this process die of a path."""
    sturdy._Core._make_request_call_future = decoding  # type: ignore[method-assign, assignment]  # on purpose


@dataclass
class Place:
    """A listener as a client knows it."""

    listener: Listener
    address: str = ""
    certificate: bytes = b""

    def channel(self) -> grpc.Channel:
        options = (("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 100))
        if self.listener.credentials is None:
            return grpc.insecure_channel(self.address, options=options)
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(self.certificate), options=options)

    def dial(self) -> socket.socket:
        if self.address.startswith("unix:"):
            with ExitStack() as closing:
                connection = closing.enter_context(socket.socket(socket.AF_UNIX))
                connection.settimeout(PATIENCE_SECONDS)
                connection.connect(self.address.removeprefix("unix:"))
                closing.pop_all()
            return connection
        host, _, port = self.address.rpartition(":")
        connection = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
        if self.listener.credentials is None:
            return connection
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        return context.wrap_socket(connection)

    def send_bad_request(self) -> bytes:
        """Send it and return what comes back, until there is a status or the connection ends."""
        said = b""
        with self.dial() as connection, suppress(OSError):
            connection.sendall(bad_request())
            while b"grpc-status" not in said and (data := connection.recv(1 << 16)):
                said += data
        return said

    def is_listened_on(self) -> bool:
        try:
            self.dial().close()
        except OSError:
            return False
        return True

    def health(self) -> Any:
        """Return what a new client is told, as soon as it is told anything."""
        with self.channel() as channel:
            request = health_pb2.HealthCheckRequest()
            stub = health_pb2_grpc.HealthStub(channel)
            return stub.Check(request, wait_for_ready=True, timeout=PATIENCE_SECONDS).status


@pytest.fixture
def tcp() -> Place:
    return Place(Listener("127.0.0.1:0"))


@pytest.fixture(params=["tcp", "tls", "unix"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "tcp":
        return Place(Listener("127.0.0.1:0"))
    if request.param == "unix":
        return Place(Listener(f"unix:{tmp_path / 'socket'}"))
    cert, key = (file.read_bytes() for file in certificate(tmp_path))
    return Place(Listener("127.0.0.1:0", grpc.ssl_server_credentials([(key, cert)])), certificate=cert)


class Lines:
    """The lines of the log so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.text = ""

    def of(self, event: str) -> list[dict[str, Any]]:
        self.text += self.capsys.readouterr().err
        lines = [json.loads(line) for line in self.text.splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    def wait_for(self, event: str, count: int = 1) -> list[dict[str, Any]]:
        wait_until(lambda: len(self.of(event)) >= count, lambda: self.text)
        return self.of(event)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Lines]:
    configure_logs("warning", as_json=True)
    yield Lines(capsys)
    configure_logs("warning", as_json=False)


@pytest.fixture
def mortal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers die of a path."""
    monkeypatch.setattr(sturdy._Core, "_make_request_call_future", decoding)


@pytest.fixture
def signs(monkeypatch: pytest.MonkeyPatch) -> list[Sign]:
    """What the server's own probes find."""
    found: list[Sign] = []

    async def look(*arguments: Any, **named: Any) -> Sign:
        found.append(await probe.look(*arguments, **named))
        return found[-1]

    monkeypatch.setattr(survival, "look", look)
    return found


def with_served(place: Place, use: Callable[[Serving], None]) -> Echo:
    """Serve while a client works in a thread."""
    echo, state = Echo(), Serving()

    async def main() -> None:
        with trio.fail_after(PATIENCE_SECONDS):
            async with trio.open_nursery() as nursery:
                (place.address,) = await nursery.start(
                    serve, SERVICE, ("Say",), (place.listener,), echo.answer, bridge.NO_STREAMS, state
                )
                await trio.to_thread.run_sync(use, state)
                nursery.cancel_scope.cancel()

    trio.run(main)
    assert not state.is_serving
    return echo


class Conversation:
    """A call that stays open, and says one word more whenever it is asked to."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._next = threading.Semaphore(0)
        self._answers = say(channel)(self._words())
        self.goes_on()

    def _words(self) -> Iterator[bytes]:
        while True:
            self._next.acquire()
            yield b"word"

    def goes_on(self) -> None:
        self._next.release()
        assert next(self._answers) == b"word"

    def ending(self) -> grpc.StatusCode:
        """Wait for the end and return its status."""
        with pytest.raises(grpc.RpcError) as caught:
            next(self._answers)
        return caught.value.code()

    def close(self) -> None:
        self._answers.cancel()
        self._next.release()


def test_the_installed_grpc_has_the_parts_that_a_sturdy_server_needs() -> None:
    assert sturdy.is_sturdy()


def test_a_bare_server_of_grpc_still_dies_of_such_a_path() -> None:
    """When a new grpcio does not, sturdy.py can go, and the threat model says so."""
    shown = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "explanation" / "bad_path.py")],
        capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True,
    )  # fmt: skip
    assert shown.stdout.startswith(f"grpcio {grpc.__version__}: UnicodeDecodeError(")
    assert shown.stdout.endswith("; the server listens no longer\n")
    assert f"grpcio {grpc.__version__}" in (ROOT / "docs" / "explanation" / "threat_model.md").read_text()


def test_a_path_that_is_not_text_is_refused_like_any_unknown_method(place: Place, lines: Lines) -> None:
    def use(state: Serving) -> None:
        with place.channel() as channel:
            talk = Conversation(channel)
            for _ in range(3):
                assert REFUSED in place.send_bad_request()
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary("/nothing/Here")(b"", timeout=PATIENCE_SECONDS)  # type: ignore[call-arg]  # unknown to the stubs
            assert (caught.value.code(), caught.value.details()) == (
                grpc.StatusCode.UNIMPLEMENTED, "Method not found!",
            )  # fmt: skip
            talk.goes_on()
            assert state.is_serving
            talk.close()

    with_served(place, use)
    assert lines.of("server.restarted") == lines.of("server.task_failed") == []


def test_others_are_served_while_a_client_sends_it_in_a_loop(tcp: Place, lines: Lines) -> None:
    def use(_state: Serving) -> None:
        def attack() -> None:
            for _ in range(200):
                tcp.send_bad_request()

        attacker = threading.Thread(target=attack)
        attacker.start()
        while attacker.is_alive():
            with tcp.channel() as channel:
                assert list(say(channel)(iter([b"one"]))) == [b"one"]

    with_served(tcp, use)
    assert lines.of("server.restarted") == []


@pytest.mark.usefixtures("mortal")
def test_a_dead_server_is_replaced_at_its_address_and_its_calls_go_on(place: Place, lines: Lines) -> None:
    def use(state: Serving) -> None:
        with place.channel() as channel:
            talk = Conversation(channel)
            for number in (1, 2):
                assert REFUSED not in place.send_bad_request()
                line = lines.wait_for("server.restarted", number)[-1]
                assert line["address"] == place.address
                assert line["cause"].startswith("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff")
                assert place.health() == health_pb2.HealthCheckResponse.SERVING
                assert state.is_serving
            talk.goes_on()
            with place.channel() as another:
                assert list(say(another)(iter([b"one", b"two"]))) == [b"one", b"two"]
            talk.close()

    echo = with_served(place, use)
    assert echo.open == 0
    assert len(lines.of("server.restarted")) == 2
    assert "Traceback" not in lines.text


@pytest.mark.usefixtures("mortal")
@pytest.mark.parametrize("way", ["told", "probed"])
def test_each_way_to_notice_a_death_is_enough(
    tcp: Place, lines: Lines, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The server tells that its main loop has ended; or it ends as grpc.aio does, and a probe is refused."""
    if way == "told":
        monkeypatch.setattr(survival, "LOOK_SECONDS", 3600.0)
    else:
        handler = cygrpc.AioServer._serving_task_crash_handler
        monkeypatch.setattr(sturdy._Core, "_serving_task_crash_handler", handler)

    def use(_state: Serving) -> None:
        assert REFUSED not in tcp.send_bad_request()
        (line,) = lines.wait_for("server.restarted")
        # When a task that nobody waits for has failed is known only once it is collected as garbage.
        assert line["cause"].startswith(("UnicodeDecodeError: ", "nothing listens")[: 1 + (way == "probed")])
        assert tcp.health() == health_pb2.HealthCheckResponse.SERVING

    with_served(tcp, use)


def test_a_failure_that_nobody_waits_for_is_one_line_if_the_server_is_well(
    tcp: Place, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("odd")

    looks: list[Sign] = []

    async def look(*arguments: Any, **named: Any) -> Sign:
        if not looks:
            asyncio.get_running_loop().call_soon(fail)
        looks.append(await probe.look(*arguments, **named))
        return looks[-1]

    monkeypatch.setattr(survival, "look", look)

    def use(_state: Serving) -> None:
        assert [line["error"] for line in lines.wait_for("server.task_failed")] == ["RuntimeError: odd"]
        wait_until(lambda: len(looks) > 3)

    with_served(tcp, use)
    assert len(lines.of("server.task_failed")) == 1
    assert lines.of("server.restarted") == []
    assert "Traceback" not in lines.text


def test_a_server_that_does_not_answer_is_replaced(
    tcp: Place, lines: Lines, signs: list[Sign], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server takes no health checks, the second does."""
    monkeypatch.setattr(probe, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(survival, "SILENT_PROBES", 3)
    take = sturdy._Core._make_request_call_future
    servers: list[Any] = []

    def deaf_at_first(core: Any, method: bytes | None) -> Any:
        if core not in servers:
            servers.append(core)
        if method is not None and method.endswith(b"/Check") and core is servers[0]:
            return asyncio.get_running_loop().create_future()
        return take(core, method)

    monkeypatch.setattr(sturdy._Core, "_make_request_call_future", deaf_at_first)

    def use(state: Serving) -> None:
        wait_until(lambda: Sign.SILENT in signs)
        wait_until(lambda: not state.is_serving)
        (line,) = lines.wait_for("server.restarted")
        monkeypatch.setattr(probe, "PATIENCE_SECONDS", PATIENCE_SECONDS)
        assert line["cause"] == "it does not answer"
        assert signs[:3] == [Sign.SILENT] * 3
        assert tcp.health() == health_pb2.HealthCheckResponse.SERVING

    with_served(tcp, use)


def test_a_server_without_room_for_connections_is_not_replaced(
    tcp: Place, lines: Lines, signs: list[Sign], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "max_connections", lambda: 4)
    monkeypatch.setattr(survival, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(survival, "SILENT_PROBES", 3)

    def use(state: Serving) -> None:
        with tcp.channel() as channel, ExitStack() as held:
            talk = Conversation(channel)
            while Sign.FULL not in signs:
                held.enter_context(tcp.dial())
                time.sleep(0.01)
            del signs[:]
            wait_until(lambda: signs.count(Sign.FULL) > 10)
            talk.goes_on()
            assert state.is_serving
            talk.close()

    with_served(tcp, use)
    assert lines.of("server.restarted") == []


def test_own_probes_pass_where_the_probes_of_others_have_used_up_their_budget(tcp: Place, signs: list[Sign]) -> None:
    def use(_state: Serving) -> None:
        with tcp.channel() as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            watches = [stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(PROBES.of_one)]
            for watch in watches:
                assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
            del signs[:]
            wait_until(lambda: len(signs) > 2)
            for watch in watches:
                watch.cancel()

    with_served(tcp, use)
    assert Sign.FULL not in signs
    assert Sign.SERVING in signs


@pytest.mark.usefixtures("mortal")
def test_a_flood_of_deaths_leads_to_few_restarts(tcp: Place, lines: Lines) -> None:
    began = time.monotonic()

    def use(_state: Serving) -> None:
        while len(lines.of("server.restarted")) < 3:
            with suppress(OSError):
                tcp.send_bad_request()
        assert tcp.health() == health_pb2.HealthCheckResponse.SERVING

    with_served(tcp, use)
    restarts = len(lines.of("server.restarted"))
    assert restarts <= (time.monotonic() - began) / survival.RESTART_SECONDS + 1


@pytest.mark.usefixtures("mortal")
def test_calls_of_the_oldest_of_many_dead_servers_are_cancelled(
    tcp: Place, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survival, "MAX_RETIRED", 1)

    def use(_state: Serving) -> None:
        with tcp.channel() as first, tcp.channel() as second:
            oldest = Conversation(first)
            tcp.send_bad_request()
            lines.wait_for("server.restarted", 1)
            newer = Conversation(second)
            tcp.send_bad_request()
            assert oldest.ending() is grpc.StatusCode.UNAVAILABLE
            lines.wait_for("server.restarted", 2)
            newer.goes_on()
            newer.close()
            oldest.close()

    echo = with_served(tcp, use)
    assert echo.open == 0


@pytest.mark.usefixtures("mortal")
def test_until_it_is_served_again_it_says_so_and_ends_when_told_to(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survival, "RESTART_SECONDS", 3600.0)

    def use(state: Serving) -> None:
        assert state.is_serving
        place.send_bad_request()
        wait_until(lambda: not state.is_serving)
        wait_until(lambda: not place.is_listened_on())

    with_served(place, use)


@pytest.mark.usefixtures("mortal")
def test_an_address_that_somebody_else_has_meanwhile_is_waited_for(
    tcp: Place, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve_again = survival.ServedListeners._serve_again
    others: list[socket.socket] = []

    async def too_late(served: survival.ServedListeners, post: Any) -> None:
        host, _, port = post.address.rpartition(":")
        while not others:
            with suppress(OSError):  # the dead server may still be letting go of it
                others.append(socket.create_server((host, int(port))))
            await asyncio.sleep(0.01)
        await serve_again(served, post)

    monkeypatch.setattr(survival.ServedListeners, "_serve_again", too_late)

    def use(state: Serving) -> None:
        tcp.send_bad_request()
        (line,) = lines.wait_for("server.waiting")
        assert tcp.address in line["error"]
        assert not state.is_serving
        others[0].close()
        lines.wait_for("server.restarted")
        assert tcp.health() == health_pb2.HealthCheckResponse.SERVING

    with_served(tcp, use)


@pytest.mark.long
def test_a_tournament_with_a_remote_bot_does_not_notice_the_death_of_a_server(tmp_path: Path) -> None:
    """Its ledger has the same matches to the byte as that of a server which did not die."""

    def played(name: str, *, dies: bool) -> list[tuple[Any, ...]]:
        program = (sys.executable, "-c", MORTAL + SAME_SECRET + THEN_MAIN)
        with running(tmp_path / name, "--web", "127.0.0.1:0", program=program) as server:
            far = bot_directory(tmp_path / f"{name}-bots", "far")
            patient = enter_patient_bot(server.db, tmp_path / f"{name}-bots")
            with connected(far, server.addresses[0], server.token("ann")):
                wait_for_log(server, "bot.connected")
                begin(server, CUP)
                wait_until(lambda: rows(server.db, "SELECT 1 FROM match"))
                if dies:
                    place = Place(Listener(server.addresses[0]), server.addresses[0])
                    place.send_bad_request()
                    wait_for_log(server, "server.restarted")
                    assert place.health() == health_pb2.HealthCheckResponse.SERVING
                    assert get(server.web[0].rstrip("/") + "/health")[:2] == (200, "serving\n")
                patient.go_on()
                wait_until(lambda: rows(server.db, "SELECT state FROM tournament") == [("finished",)])
                assert "bot.disconnected" not in server.log
            assert server.stop() == 0
            assert server.log.count("server.restarted") == dies
            assert "Traceback" not in server.log
            return rows(server.db, "SELECT key, payload FROM entry WHERE kind = 'MATCH' ORDER BY seq")

    matches = played("calm", dies=False)
    assert len(matches) == 6
    assert played("hit", dies=True) == matches


def test_health_tells_the_truth_and_sigterm_in_the_middle_of_a_restart_ends_the_server(tmp_path: Path) -> None:
    program = (sys.executable, "-c", MORTAL + "survival.RESTART_SECONDS = 3600.0; " + THEN_MAIN)
    with running(tmp_path / "arena", "--web", "127.0.0.1:0", program=program) as server:
        page = server.web[0].rstrip("/") + "/health"
        assert get(page)[:2] == (200, "serving\n")
        place = Place(Listener(server.addresses[0]), server.addresses[0])
        place.send_bad_request()
        wait_until(lambda: get(page)[:2] == (503, "gRPC is not served\n"))
        wait_until(lambda: not place.is_listened_on())
        assert server.stop() == 0
    assert "Traceback" not in server.log
    assert "server.stopped" in server.log


def test_one_bad_request_does_not_touch_the_server_as_it_is(tmp_path: Path) -> None:
    with running(tmp_path / "arena", "--unix", tmp_path / "socket") as server:
        for address in server.addresses:
            place = Place(Listener(address), address)
            assert REFUSED in place.send_bad_request()
            assert place.health() == health_pb2.HealthCheckResponse.SERVING
        listed = server.call("ListBots", pb.ListBotsRequest(), server.token("sam", "spectator"))
        assert not listed.bots
        assert server.stop() == 0
    assert "server.restarted" not in server.log
