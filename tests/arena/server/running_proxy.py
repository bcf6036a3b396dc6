"""HAProxy with the configuration of the documentation, in front of a real server."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path

import grpc

from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from tests.arena.server.running_server import PATIENCE_SECONDS, ROOT, Server, bearer, certificate, running
from tests.parts import program

CONFIGURATION = ROOT / "docs/howto/haproxy.cfg"
NO_CHANGES: Mapping[str, str] = {}


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


def configured(folder: Path, changes: Mapping[str, str]) -> Path:
    """Write the configuration with this machine's addresses and files."""
    text = CONFIGURATION.read_text()
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "haproxy.cfg"
    path.write_text(text)
    return path


@contextmanager
def running_proxy(folder: Path, changes: Mapping[str, str] = NO_CHANGES) -> Iterator[Proxy]:
    """Lend a proxy and the server behind it, with some further changes to the configuration."""
    haproxy = program("haproxy")
    cert, key = certificate(folder)
    (folder / "arena.pem").write_text(cert.read_text() + key.read_text())
    with ExitStack() as stack:
        # The proxy inherits sockets that listen already, so that ports are free and nobody waits for its start.
        page, calls = (stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512)) for _ in range(2))
        public = f"127.0.0.1:{calls.getsockname()[1]}"
        server = stack.enter_context(running(folder, "--web", "127.0.0.1:0", "--public-address", public))
        here = {
            "/etc/haproxy/arena.pem": f"{folder}/arena.pem",
            "bind :443 ": f"bind fd@{page.fileno()} ",
            "bind :7494 ": f"bind fd@{calls.fileno()} ",
            "server page 127.0.0.1:8080 ": f"server page {server.web[0].removeprefix('http://')} ",
            "server grpc 127.0.0.1:7495 ": f"server grpc {server.addresses[0]} ",
        }
        process = subprocess.Popen(
            [haproxy, "-db", "-q", "-f", configured(folder, {**here, **changes})],
            pass_fds=(page.fileno(), calls.fileno()),
        )
        stack.callback(process.wait, PATIENCE_SECONDS)
        stack.callback(process.terminate)
        yield Proxy(server, cert, page.getsockname()[1], calls.getsockname()[1])
