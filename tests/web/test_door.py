"""The door of the page: however slowly or strangely somebody asks, others are served, and the page goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.web.app import FORM_SECONDS, MAX_STREAMS, MAX_STREAMS_OF_ONE, create_app
from arena.web.door import ENOUGH_CONNECTIONS, IDLE_SECONDS, Door, WatchedStream, max_connections
from arena.web.serving import serve
from tests.web.filled_database import RUNNING
from tools.documents import prose
from tools.reference import FOLDER

PATIENCE = 300
CONNECT = bytes.fromhex("00000c0105000000010207") + b"CONNECT" + bytes.fromhex("010178")
"""A frame of HTTP/2 that asks for a tunnel and names no path."""
HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"

Dial = Callable[[str], Awaitable[trio.SocketStream]]


@asynccontextmanager
async def behind(door: Door, database: Path) -> AsyncIterator[Dial]:
    """Serve the page behind a door and lend what dials it from an address of this machine."""
    stop = trio.Event()
    with trio.fail_after(PATIENCE):
        async with AsyncExitStack() as open_streams, trio.open_nursery() as nursery:
            listening = partial(serve, create_app(database), "127.0.0.1:0", shutdown=stop.wait, door=door)
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


def test_whoever_holds_most_connections_makes_room_for_others(database: Path) -> None:
    """Requests that never end, from one address, sixty of them where eight fit."""

    async def main() -> None:
        async with behind(Door(most=8), database) as dial:
            reader = await dial("127.0.0.2")
            assert await status(reader, f"/tournaments/{RUNNING}/events") == b"HTTP/1.1 200"
            for _ in range(60):
                slow = await dial("127.0.0.3")
                await slow.send_all(b"GET / HTTP/1.1\r\nHost: are")
            assert await status(await dial("127.0.0.4")) == b"HTTP/1.1 404"
            told = b""
            while b"event: changed" not in told:
                data = bytes(await reader.receive_some())
                assert data, "the reader was not left alone"
                told += data

    trio.run(main)


class CountingDoor(Door):
    """Knows how many have ever come in, however soon they went."""

    came = 0

    @contextmanager
    def passing(self, stream: trio.SocketStream) -> Iterator[WatchedStream]:
        self.came += 1
        with super().passing(stream) as connection:
            yield connection


@pytest.mark.parametrize(
    "beginning",
    [HTTP_2, b"GET /static/replay.js HTTP/1.1\r\nHost: arena\r\n\r\n" * 200],
    ids=["silent", "reads nothing"],
)
def test_a_connection_over_which_nothing_goes_is_ended(database: Path, beginning: bytes) -> None:
    """Silence after the handshake of HTTP/2, and a reader who asks for much and takes nothing."""

    async def main() -> None:
        door = CountingDoor(idle_seconds=0.3)
        async with behind(door, database) as dial:
            silent = await dial("127.0.0.2")
            await silent.send_all(beginning)
            while not door.came or door.open:  # noqa: ASYNC110 - the door has no event for it
                await trio.sleep(0.01)

    trio.run(main)


def test_a_form_that_drips_is_answered_in_time(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.app.FORM_SECONDS", 0.3)

    async def main() -> None:
        async with behind(Door(), database) as dial:
            slow = await dial("127.0.0.2")
            await slow.send_all(b"POST /sign-in HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\ntok")
            assert b"did not come within" in await end_of(slow)

    trio.run(main)


def test_whoever_goes_away_in_the_middle_of_a_form_is_no_mistake_of_ours(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        async with behind(Door(), database) as dial:
            gone = await dial("127.0.0.2")
            await gone.send_all(b"POST /sign-in HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\ntok")
            await trio.sleep(0.1)
            await gone.aclose()
            assert await status(await dial("127.0.0.2")) == b"HTTP/1.1 404"

    trio.run(main)
    assert "page.failed" not in "".join(capsys.readouterr())


def test_no_frame_ends_more_than_its_own_connection(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is strange is hurried out: an answer may take as long as a busy machine needs for it."""
    monkeypatch.setattr("arena.web.door.LOOK_SECONDS", 0.1)

    async def main() -> None:
        door = Door()
        async with behind(door, database) as dial:
            for frame in (CONNECT, b"\0\0\1\1\5\0\0\0\1\xff", b"\xff" * 64):
                strange = await dial("127.0.0.2")
                await strange.send_all(HTTP_2 + frame)
                door.idle_seconds = 0.5
                await end_of(strange)
                door.idle_seconds = IDLE_SECONDS
                assert await status(await dial("127.0.0.2")) == b"HTTP/1.1 404", frame

    trio.run(main)


def test_one_address_cannot_take_all_the_streams(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy on this machine says whom it asks for; without that, nothing is known of whoever reads."""
    monkeypatch.setattr("arena.web.app.MAX_STREAMS_OF_ONE", 2)

    async def main() -> None:
        async with behind(Door(), database) as dial:

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


def test_the_page_on_the_site_says_what_its_limits_are() -> None:
    said = prose(FOLDER / "web.md")
    assert f"a quarter of the descriptors of its process, and {ENOUGH_CONNECTIONS:,}, as connections" in said
    assert f"At most {MAX_STREAMS} readers follow matches, and {MAX_STREAMS_OF_ONE} from one address" in said
    assert (IDLE_SECONDS, FORM_SECONDS) == (60, 10)
    assert "nothing goes for a minute ends, and a form has ten seconds to come" in said


def test_a_page_takes_a_quarter_of_the_descriptors_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _which: (1_024, 4_096))
    assert max_connections() == 256
