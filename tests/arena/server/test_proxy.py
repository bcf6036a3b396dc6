"""The HAProxy configuration of the documentation, in front of a real server: it passes calls and holds attacks back."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from select import select

import pytest

from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.v1 import play_pb2 as play
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.arena.server.running_proxy import Proxy, configured, running_proxy
from tests.arena.server.running_server import PATIENCE_SECONDS, arena, bearer, bot_directory, certificate
from tests.fuzz.http2 import PREFACE, SETTINGS, frame
from tests.header_floods import FLOODS
from tests.parts import program

MAX_CONNECTIONS = 128
MAX_REQUESTS = 30
"""In ten seconds, instead of the 500 that a busy machine may not get through."""
ATTACKER = "127.0.0.2"
"""Another address than the 127.0.0.1 of everybody else."""


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    changes = {
        "timeout http-request 10s": "timeout http-request 1s",
        "sc0_http_req_rate gt 500": f"sc0_http_req_rate gt {MAX_REQUESTS}",
    }
    with running_proxy(tmp_path_factory.mktemp("proxy"), changes) as proxy:
        yield proxy


def test_haproxy_accepts_the_configuration_without_a_warning(tmp_path: Path) -> None:
    haproxy = program("haproxy")
    cert, key = certificate(tmp_path)
    (tmp_path / "arena.pem").write_text(cert.read_text() + key.read_text())
    path = configured(tmp_path, {"/etc/haproxy/arena.pem": f"{tmp_path}/arena.pem"})
    checked = subprocess.run([haproxy, "-c", "-f", path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "WARNING" not in checked.stderr


def test_authors_submit_play_and_read_through_the_proxy(proxy: Proxy, tmp_path: Path) -> None:
    """A submission with its smoke match, a tournament, its leaderboard and its live page."""
    ann, olga = proxy.server.token("ann"), proxy.server.token("olga", "organiser")
    where = ("--server", f"127.0.0.1:{proxy.calls}", "--tls-ca", proxy.certificate)
    for name in ("one", "two"):
        done = arena("bots", "submit", bot_directory(tmp_path, name), *where, ARENA_TOKEN=ann)
        assert done.returncode == 0, done.stderr
    (tmp_path / "cup.toml").write_text('name = "cup"\ngame = "toy"\nbots = ["*"]\nrounds = 1\n')
    done = arena("tournament", "run", tmp_path / "cup.toml", *where, ARENA_TOKEN=olga)
    assert done.returncode == 0, done.stderr
    done = arena("leaderboard", "--json", *where, ARENA_TOKEN=ann)
    assert done.returncode == 0, done.stderr
    assert {"one", "two"} <= set(re.findall(r'"(\w+)@', done.stdout))
    assert proxy.asks_for("GET", "/tournaments/cup") == 200
    with proxy.browser() as browser:
        browser.request("GET", "/tournaments/cup/events")
        events = browser.getresponse()
        lines = [events.readline() for _ in range(3)]
    assert events.headers["strict-transport-security"]
    assert lines[2] == b"event: changed\n", lines


def test_a_remote_bot_keeps_its_stream_through_the_proxy(proxy: Proxy) -> None:
    token, over = proxy.server.token("ann"), threading.Event()

    def hello(ticket: str) -> Iterator[play.PlayRequest]:
        yield play.PlayRequest(messages=[play.BotMessage(hello=play.Hello(ticket=ticket, protocol_version=1))])
        over.wait()

    with proxy.channel() as channel, ExitStack() as stack:
        stack.callback(over.set)
        request = pb.ConnectRequest(name="far", games=["toy"])
        admitted = rpc.ArenaServiceStub(channel).Connect(request, metadata=bearer(token), timeout=PATIENCE_SECONDS)
        assert admitted.address == f"127.0.0.1:{proxy.calls}"
        stream = RefereeServiceStub(channel).Play(hello(admitted.ticket))
        assert next(stream).messages[0].welcome.bot == admitted.label
        stream.cancel()


def test_authors_sign_in_through_the_proxy(proxy: Proxy) -> None:
    with proxy.browser() as browser:
        browser.request("POST", "/sign-in", f"token={proxy.server.token('ann')}")
        answer = browser.getresponse()
    assert answer.status == 303
    assert "Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize("kind", ["page", "calls"])
def test_one_address_holds_a_limited_number_of_connections_and_others_are_served(proxy: Proxy, kind: str) -> None:
    token, port = proxy.server.token("ann"), getattr(proxy, kind)
    with ExitStack() as stack:
        held = {
            stack.enter_context(socket.create_connection(("127.0.0.1", port), source_address=(ATTACKER, 0)))
            for _ in range(MAX_CONNECTIONS + 40)
        }
        while len(held) > MAX_CONNECTIONS:  # the others say nothing, so that they can be read from once they are closed
            closed, _, _ = select(held, (), (), PATIENCE_SECONDS)
            held -= set(closed)
        assert len(held) == MAX_CONNECTIONS
        assert proxy.asks_for("GET", "/") == 200
        assert proxy.board(token) is not None


def test_a_client_that_sends_its_request_too_slowly_is_dropped(proxy: Proxy) -> None:
    with (
        socket.create_connection(("127.0.0.1", proxy.page), PATIENCE_SECONDS, (ATTACKER, 0)) as plain,
        proxy.trusting().wrap_socket(plain, server_hostname="127.0.0.1") as slow,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: are")
        said = b""
        with suppress(ssl.SSLEOFError, ConnectionResetError):
            while data := slow.recv(1 << 12):
                said += data
    assert said.startswith(b"HTTP/1.1 408 ")


def test_one_address_that_asks_too_often_is_refused_and_others_are_served(proxy: Proxy) -> None:
    statuses: list[int] = []
    with proxy.browser(ATTACKER) as browser:
        while 429 not in statuses and len(statuses) < 4 * MAX_REQUESTS:
            browser.request("GET", "/static/icon.svg")
            answer = browser.getresponse()
            answer.read()
            statuses.append(answer.status)
    assert 429 in statuses
    assert proxy.asks_for("GET", "/") == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [("POST", "/sign-in", "token=" + 2_000 * "x", 413), ("PUT", "/", None, 405)],
)
def test_requests_the_page_has_no_use_for_are_refused_by_the_proxy(
    proxy: Proxy, method: str, path: str, body: str | None, status: int
) -> None:
    assert proxy.asks_for(method, path, body, "127.0.0.3") == status


@pytest.mark.parametrize("kind", FLOODS)
def test_floods_of_headers_end_at_the_proxy(proxy: Proxy, kind: str) -> None:
    """It closes the connection, or reads empty frames for as long as they come; others are served meanwhile."""
    context, token = proxy.trusting(), proxy.server.token("ann")
    context.set_alpn_protocols(["h2"])
    sent, most = 0, 64 << 20
    with (
        socket.create_connection(("127.0.0.1", proxy.calls), PATIENCE_SECONDS, (ATTACKER, 0)) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as link,
        suppress(OSError),
    ):
        link.sendall(PREFACE + frame(SETTINGS, 0, 0))
        for each in FLOODS[kind][1]():
            link.sendall(each)
            sent += len(each)
            if sent >= most:
                assert kind == "empty"
                assert proxy.board(token) is not None
                break
    assert proxy.board(token) is not None


def test_no_upgrade_to_http2_reaches_the_page(proxy: Proxy) -> None:
    """It would restart the page: hypercorn fails on these settings."""
    with proxy.browser("127.0.0.3") as browser:
        browser.request("GET", "/", headers={"Upgrade": "h2c", "HTTP2-Settings": "%%%a", "Connection": "Upgrade"})
        assert browser.getresponse().status == 200
    assert "page.restarted" not in proxy.server.log
