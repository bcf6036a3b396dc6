"""However slow or malformed a request is, other clients are served and the page stays up."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from hypercorn.protocol.h11 import H11Protocol

from arena.web.app import FORM_SECONDS, MAX_STREAMS, MAX_STREAMS_OF_ONE, create_app
from arena.web.serving import IDLE_SECONDS, SILENT_SECONDS, STALLED_SECONDS, serve, upgrade_to_http_2
from tests.arena.web.filled_database import RUNNING
from tests.documents import prose
from tests.patience import patience
from tools.reference import FOLDER

PATIENCE = patience(30)
CONNECT = bytes.fromhex("00000c0105000000010207") + b"CONNECT" + bytes.fromhex("010178")
"""A frame of HTTP/2 that asks for a tunnel and names no path."""
HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"

Dial = Callable[[str], Awaitable[trio.SocketStream]]


@asynccontextmanager
async def served(database: Path) -> AsyncIterator[Dial]:
    """Serve the page and lend a function that dials it from an address of this machine."""
    stop = trio.Event()
    with trio.fail_after(PATIENCE):
        async with AsyncExitStack() as open_streams, trio.open_nursery() as nursery:
            listening = partial(serve, create_app(database), "127.0.0.1:0", shutdown=stop.wait)
            (address,) = await nursery.start(listening)
            host, _, port = address.removeprefix("http://").rpartition(":")

            async def dial(source: str) -> trio.SocketStream:
                stream = await trio.open_tcp_stream(host, int(port), local_address=source)
                open_streams.push_async_callback(stream.aclose)
                return stream

            yield dial
            stop.set()


async def status(stream: trio.SocketStream, path: str = "/rules/toy", **headers: str) -> bytes:
    """Ask for something and return the beginning of the answer."""
    lines = (f"GET {path} HTTP/1.1", "Host: arena", *(f"{key}: {value}" for key, value in headers.items()), "", "")
    await stream.send_all("\r\n".join(lines).encode())
    said = b""
    while len(said) < 12 and (data := await stream.receive_some(12 - len(said))):
        said += bytes(data)
    return said


async def end_of(stream: trio.SocketStream) -> bytes:
    """Return what comes until the other side hangs up."""
    said = b""
    try:
        while data := await stream.receive_some(1 << 16):
            said += bytes(data)
    except trio.BrokenResourceError:
        pass
    return said


@pytest.mark.parametrize(
    ("setting", "beginning"),
    [
        ("IDLE_SECONDS", b""),
        ("IDLE_SECONDS", b"GET / HTTP/1.1\r\nHost: are"),
        ("IDLE_SECONDS", b"GET /rules/toy HTTP/1.1\r\nHost: arena\r\n\r\n"),
        ("SILENT_SECONDS", HTTP_2),
        ("SILENT_SECONDS", f"GET /tournaments/{RUNNING}/events HTTP/1.1\r\nHost: arena\r\n\r\n".encode()),
    ],
    ids=["no request", "half a request", "no second request", "HTTP/2 without a request", "an event stream"],
)
def test_an_idle_connection_is_closed(
    database: Path, monkeypatch: pytest.MonkeyPatch, setting: str, beginning: bytes
) -> None:
    monkeypatch.setattr(f"arena.web.serving.{setting}", 1)

    async def main() -> None:
        async with served(database) as dial:
            silent = await dial("127.0.0.2")
            await silent.send_all(beginning)
            await end_of(silent)

    trio.run(main)


def test_a_client_that_stops_reading_is_dropped_even_while_the_page_shuts_down(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypercorn waits for such a client without limit; `served` could not end if the kernel did not drop it."""
    monkeypatch.setattr("arena.web.serving.STALLED_SECONDS", 1)

    async def main() -> None:
        async with served(database) as dial:
            stalled = await dial("127.0.0.2")
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await stalled.send_all(b"GET /static/replay.js HTTP/1.1\r\nHost: arena\r\n\r\n" * 400)
            await trio.testing.wait_all_tasks_blocked(0.2)

    trio.run(main)


def test_a_form_that_drips_is_answered_in_time(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.app.FORM_SECONDS", 0.3)

    async def main() -> None:
        async with served(database) as dial:
            slow = await dial("127.0.0.2")
            await slow.send_all(b"POST /sign-in HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\ntok")
            assert b"did not arrive within" in await end_of(slow)

    trio.run(main)


def test_a_client_that_disconnects_in_the_middle_of_a_form_is_not_logged_as_an_error(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        async with served(database) as dial:
            gone = await dial("127.0.0.2")
            await gone.send_all(b"POST /sign-in HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\ntok")
            await trio.sleep(0.1)
            await gone.aclose()
            assert await status(await dial("127.0.0.2")) == b"HTTP/1.1 404"

    trio.run(main)
    assert "page.failed" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("frame", [CONNECT, b"\0\0\1\1\5\0\0\0\1\xff", b"\0\0\0\1\5\0\0\0\1"])
def test_a_malformed_frame_ends_no_other_connection(database: Path, frame: bytes) -> None:
    async def main() -> None:
        async with served(database) as dial:
            reader = await dial("127.0.0.3")
            assert await status(reader, f"/tournaments/{RUNNING}/events") == b"HTTP/1.1 200"
            malformed = await dial("127.0.0.2")
            await malformed.send_all(HTTP_2 + frame)
            await end_of(malformed)
            said = b""
            while b"event: changed" not in said:
                data = bytes(await reader.receive_some())
                assert data, "the reader was disconnected"
                said += data

    trio.run(main)


UPGRADE = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: %s\r\n\r\n"


@pytest.mark.parametrize("settings", [b"AAMAAABk", b"%%%a"])
def test_an_upgrade_to_http_2_is_ignored(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: bytes
) -> None:
    """A client that upgrades and leaves would keep its connection open for ever."""
    monkeypatch.setattr("arena.web.serving.IDLE_SECONDS", 1)

    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    async def main() -> None:
        async with served(database) as dial:
            upgrading = await dial("127.0.0.2")
            await upgrading.send_all(UPGRADE % settings)
            assert bytes(await upgrading.receive_some(12)) == b"HTTP/1.1 200"
            before = descriptors()
            for _ in range(20):
                gone = await dial("127.0.0.2")
                await gone.send_all(UPGRADE % settings)
                await gone.aclose()
            while descriptors() > before:  # noqa: ASYNC110  # nothing tells when they are closed
                await trio.sleep(0.05)

    trio.run(main)
    assert "page.restarted" not in "".join(capsys.readouterr())


def test_a_request_that_hypercorn_fails_on_restarts_the_page_on_the_same_address(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings of an upgrade to HTTP/2 are not base64: hypercorn as it is ends with them, and is started again."""
    monkeypatch.setattr(H11Protocol, "_check_protocol", upgrade_to_http_2)

    async def main() -> None:
        async with served(database) as dial:
            for _ in range(3):
                malformed = await dial("127.0.0.2")
                await malformed.send_all(UPGRADE % b"%%%a")
                await end_of(malformed)
                assert await status(await dial("127.0.0.2")) == b"HTTP/1.1 404"

    trio.run(main)
    assert "".join(capsys.readouterr()).count("page.restarted") == 3


def test_one_address_cannot_take_all_the_streams(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy on this machine forwards the address; without that, the reader is unknown."""
    monkeypatch.setattr("arena.web.app.MAX_STREAMS_OF_ONE", 2)

    async def main() -> None:
        async with served(database) as dial:

            async def follow(**headers: str) -> bytes:
                stream = await dial("127.0.0.1")
                return await status(stream, f"/tournaments/{RUNNING}/events", **headers)

            greedy = {"X-Forwarded-For": "10.0.0.9, 192.0.2.1"}
            assert [await follow(**greedy) for _ in range(3)] == [b"HTTP/1.1 200", b"HTTP/1.1 200", b"HTTP/1.1 429"]
            assert await follow(**{"X-Forwarded-For": "192.0.2.2"}) == b"HTTP/1.1 200"
            assert [await follow() for _ in range(4)] == [b"HTTP/1.1 200"] * 4
            together: list[bytes] = []

            async def follow_beside_others() -> None:
                together.append(await follow(**{"X-Forwarded-For": "192.0.2.3"}))

            async with trio.open_nursery() as nursery:
                for _ in range(8):
                    nursery.start_soon(follow_beside_others)
            assert sorted(together) == [b"HTTP/1.1 200"] * 2 + [b"HTTP/1.1 429"] * 6

    trio.run(main)


def test_the_reference_states_the_limits() -> None:
    said = prose(FOLDER / "web.md")
    assert f"{IDLE_SECONDS:.0f} seconds for a request" in said
    assert f"{STALLED_SECONDS} seconds without reading" in said
    assert f"{SILENT_SECONDS // 60} minutes without sending" in said
    assert f"{FORM_SECONDS:.0f} seconds for a form" in said
    assert f"At most {MAX_STREAMS} readers follow matches, and {MAX_STREAMS_OF_ONE} from one address" in said
