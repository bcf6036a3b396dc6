"""The HAProxy configuration of the documentation, in front of a real server: it passes calls and holds attacks back."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from select import select

import grpc
import pytest

from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from referee.v1 import play_pb2 as play
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.arena.server.running_server import (
    PATIENCE_SECONDS,
    ROOT,
    Server,
    arena,
    bearer,
    bot_directory,
    certificate,
    running,
)
from tests.fuzz.http2 import (
    CONTINUATION,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PREFACE,
    SETTINGS,
    block,
    call,
    frame,
    literal,
    number,
)
from tests.parts import program

HEALTH = b"/grpc.health.v1.Health/Check"
CONFIGURATION = ROOT / "docs/howto/haproxy.cfg"
MAX_CONNECTIONS = 128
MAX_REQUESTS = 30
"""In ten seconds, instead of the 500 that a busy machine may not get through."""
ATTACKER = "127.0.0.2"
"""Another address than the 127.0.0.1 of everybody else."""


@dataclass
class Proxy:
    """A running proxy, the server behind it, and the certificate to trust."""

    server: Server
    certificate: Path
    page: int
    calls: int

    @contextmanager
    def channel(self) -> Iterator[grpc.Channel]:
        trusted = grpc.ssl_channel_credentials(self.certificate.read_bytes())
        options = (("grpc.use_local_subchannel_pool", 1),)
        with grpc.secure_channel(f"127.0.0.1:{self.calls}", trusted, options=options) as channel:
            yield channel

    @contextmanager
    def browser(self, source: str = "127.0.0.1") -> Iterator[HTTPSConnection]:
        browser = HTTPSConnection(
            "127.0.0.1", self.page, context=self.trusting(), source_address=(source, 0), timeout=PATIENCE_SECONDS
        )
        try:
            yield browser
        finally:
            browser.close()

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def asks_for(self, method: str, path: str, body: str | None = None, source: str = "127.0.0.1") -> int:
        """Return the status of a request on a new connection."""
        with self.browser(source) as browser:
            browser.request(method, path, body)
            return browser.getresponse().status

    def board(self, token: str) -> pb.GetLeaderboardResponse:
        with self.channel() as channel:
            answer: pb.GetLeaderboardResponse = rpc.ArenaServiceStub(channel).GetLeaderboard(
                pb.GetLeaderboardRequest(), metadata=bearer(token), timeout=PATIENCE_SECONDS
            )
        return answer


def configured(folder: Path, changes: dict[str, str]) -> Path:
    """Write the configuration with this machine's addresses and files."""
    text = CONFIGURATION.read_text()
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "haproxy.cfg"
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    haproxy, folder = program("haproxy"), tmp_path_factory.mktemp("proxy")
    cert, key = certificate(folder)
    (folder / "arena.pem").write_text(cert.read_text() + key.read_text())
    with ExitStack() as stack:
        # The proxy inherits sockets that listen already, so that ports are free and nobody waits for its start.
        page, calls = (stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512)) for _ in range(2))
        public = f"127.0.0.1:{calls.getsockname()[1]}"
        server = stack.enter_context(running(folder, "--web", "127.0.0.1:0", "--public-address", public))
        changes = {
            "/etc/haproxy/arena.pem": f"{folder}/arena.pem",
            "bind :443 ": f"bind fd@{page.fileno()} ",
            "bind :7494 ": f"bind fd@{calls.fileno()} ",
            "server page 127.0.0.1:8080 ": f"server page {server.web[0].removeprefix('http://')} ",
            "server grpc 127.0.0.1:7495 ": f"server grpc {server.addresses[0]} ",
            "timeout http-request 10s": "timeout http-request 1s",
            "sc0_http_req_rate gt 500": f"sc0_http_req_rate gt {MAX_REQUESTS}",
        }
        process = subprocess.Popen(
            [haproxy, "-db", "-q", "-f", configured(folder, changes)], pass_fds=(page.fileno(), calls.fileno())
        )
        stack.callback(process.wait, PATIENCE_SECONDS)
        stack.callback(process.terminate)
        yield Proxy(server, cert, page.getsockname()[1], calls.getsockname()[1])


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


def names_without_end() -> Iterator[bytes]:
    """Requests that name one header 14,000 times each, in as many bytes."""
    entry, stream = literal(b"x", b"y", 0x40), 1
    while True:
        headers = block(call(HEALTH)) + entry + number(62, 7, 0x80) * 14_000
        yield frame(HEADERS, END_HEADERS | END_STREAM, stream, headers)
        stream += 2


def one_block_without_end() -> Iterator[bytes]:
    """One request whose headers never end."""
    yield frame(HEADERS, END_STREAM, 1, block(call(HEALTH)))
    while True:
        yield frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 100) * 150)


@pytest.mark.parametrize("frames", [names_without_end, one_block_without_end])
def test_floods_of_headers_end_at_the_proxy(proxy: Proxy, frames: Callable[[], Iterator[bytes]]) -> None:
    """It closes the connection, and others are served."""
    context = proxy.trusting()
    context.set_alpn_protocols(["h2"])
    sent, most = 0, 64 << 20
    with (
        socket.create_connection(("127.0.0.1", proxy.calls), PATIENCE_SECONDS, (ATTACKER, 0)) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as link,
        suppress(OSError),
    ):
        link.sendall(PREFACE + frame(SETTINGS, 0, 0))
        for each in frames():
            link.sendall(each)
            sent += len(each)
            assert sent < most
    assert proxy.board(proxy.server.token("ann")) is not None


def test_no_upgrade_to_http2_reaches_the_page(proxy: Proxy) -> None:
    """It would restart the page: hypercorn fails on these settings."""
    with proxy.browser("127.0.0.3") as browser:
        browser.request("GET", "/", headers={"Upgrade": "h2c", "HTTP2-Settings": "%%%a", "Connection": "Upgrade"})
        assert browser.getresponse().status == 200
    assert "page.restarted" not in proxy.server.log
