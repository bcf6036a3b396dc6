"""Streams: a tournament's page hears of changes, and a reader who goes away is forgotten."""

from __future__ import annotations

import gzip
import html
import json
import re
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from starlette.applications import Starlette
from starlette.routing import Mount

from arena.reports import closed_rounds
from arena.reports.reader import Reader
from arena.reports.tournament import RoundLine, progress, round_lines
from arena.store.database import Store
from arena.web.app import create_app
from arena.web.pages import tournaments
from arena.web.pages.listing import ListQuery
from arena.web.serving import read_listen, serve
from referee.mistakes import UserError
from tests.arena.web.filled_database import RUNNING, filled_database, fixture_left, go_on, stored_pair
from tests.patience import patience

PATIENCE = patience(30)


@asynccontextmanager
async def listening(path: Path, prefix: str = "") -> AsyncIterator[tuple[Starlette, str, int]]:
    """Serve a database in this process, as a larger trio program would, perhaps below a prefix."""
    app = create_app(path, prefix=prefix)
    if prefix:
        app = Starlette(routes=[Mount(prefix, app)])
    stop = trio.Event()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            (address,) = await nursery.start(partial(serve, app, "127.0.0.1:0", shutdown=stop.wait))
            host, _, port = address.removeprefix("http://").rpartition(":")
            yield app, host, int(port)
            stop.set()


async def follow(host: str, port: int) -> trio.SocketStream:
    stream = await trio.open_tcp_stream(host, port)
    await ask(stream, f"/tournaments/{RUNNING}/events")
    return stream


async def ask(stream: trio.SocketStream, path: str) -> None:
    lines = (f"GET {path} HTTP/1.1", "Host: arena", "Accept-Encoding: gzip", "", "")
    await stream.send_all("\r\n".join(lines).encode())


async def get(host: str, port: int, path: str) -> tuple[int, str]:
    """Return a page, sent compressed or not."""

    def fetch() -> tuple[int, str]:
        request = urllib.request.Request(f"http://{host}:{port}{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            is_packed = answer.headers.get("content-encoding") == "gzip"
            return answer.status, (gzip.decompress(body) if is_packed else body).decode()

    return await trio.to_thread.run_sync(fetch)


async def next_head(stream: trio.SocketStream) -> str:
    """Return what the next event says."""
    text = b""
    while b"data: " not in text or not text.endswith(b"\n\n\r\n"):
        text += await stream.receive_some()
    head: str = json.loads(text.rpartition(b"data: ")[2].split(b"\n")[0])["head"]
    return head


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the server has no event for it
        await trio.sleep(0.01)


def test_a_stream_tells_of_a_stored_match_and_is_forgotten_when_its_reader_goes(tmp_path: Path) -> None:
    path = filled_database(tmp_path)

    async def main() -> None:
        async with listening(path) as (app, host, port):
            site = app.state.site
            stream = await follow(host, port)
            before = await next_head(stream)
            assert before.startswith("running.")
            assert site.streams.total() == 1
            cup = go_on(path)
            await trio.to_thread.run_sync(cup.play, fixture_left(cup))
            after = await next_head(stream)
            assert after != before
            cup.store.close()
            await stream.aclose()
            await until(lambda: not site.streams)

    trio.run(main)


def test_the_server_ends_while_somebody_follows(tmp_path: Path) -> None:
    path = filled_database(tmp_path)

    async def main() -> None:
        async with listening(path) as (_app, host, port):
            stream = await follow(host, port)
            await next_head(stream)
        await stream.aclose()

    trio.run(main)


def test_too_many_followers_are_sent_away_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.app.MAX_STREAMS", 1)
    path = filled_database(tmp_path)

    async def main() -> None:
        async with listening(path) as (_app, host, port):
            first, second = await follow(host, port), None
            await next_head(first)
            second = await follow(host, port)
            answer = b""
            while b"Too many" not in answer:
                answer += await second.receive_some()
            assert answer.startswith(b"HTTP/1.1 503")
            await first.aclose()
            await second.aclose()

    trio.run(main)


def test_pages_can_live_below_a_prefix_of_a_larger_program(tmp_path: Path) -> None:
    path = filled_database(tmp_path)

    async def main() -> None:
        async with listening(path, "/web") as (_app, host, port):
            status, body = await get(host, port, "/web/games/toy")
            assert status == 200
            links = re.findall(r'(?:href|src)="(/[^"]*)"', body)
            assert len(links) > 10
            assert all(link.startswith("/web/") for link in links)
            for link in sorted(set(links)):
                assert (await get(host, port, html.unescape(link)))[0] == 200, link

    trio.run(main)


def test_standings_are_worked_out_anew_when_a_round_closes_and_progress_with_every_match(tmp_path: Path) -> None:
    path = filled_database(tmp_path)
    reader = Reader(path)
    stored = reader.store.tournaments.find(RUNNING)
    first, summaries = closed_rounds.standings(reader, stored), reader.summaries()
    assert reader.summaries() is summaries
    assert progress(reader.store, stored).sentence == "Round 2 of 2: 1 of 2 matches played."
    cup = go_on(path)
    (earlier,) = cup.store.matches.of(RUNNING, 2)
    fixture = fixture_left(cup)
    result = cup.play(fixture)
    assert closed_rounds.standings(reader, stored) is first
    assert reader.summaries() is not summaries
    assert progress(reader.store, stored).sentence == "Round 2 of 2: 2 of 2 matches played."
    cup.close(2, [stored_pair(cup, earlier), (fixture, result)])
    cup.store.close()
    after = closed_rounds.standings(reader, stored)
    assert {line.rounds for line in first} == {1}
    assert {line.rounds for line in after} == {2}
    reader.close()


def test_a_page_that_was_made_while_a_match_was_stored_is_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its head is not of later than what it shows, or its reader would never see the match."""
    path = filled_database(tmp_path)
    reader, cup = Reader(path), go_on(path)
    before = reader.store.tournaments.etag(RUNNING)

    def meanwhile(store: Store, tournament: str) -> list[RoundLine]:
        cup.play(fixture_left(cup))
        return round_lines(store, tournament)

    monkeypatch.setattr(tournaments, "round_lines", meanwhile)
    shown = tournaments.live_part(reader, RUNNING, ListQuery())
    assert shown["progress"].sentence == "Round 2 of 2: 1 of 2 matches played."
    assert reader.store.tournaments.etag(RUNNING) != before
    assert shown["head"] == before
    cup.store.close()
    reader.close()


@pytest.mark.parametrize("listen", ["", "localhost", ":80", "host:", "host:65536", "host:²"])
def test_an_address_that_is_none_is_refused(listen: str) -> None:
    with pytest.raises(UserError, match="expected HOST:PORT"):
        read_listen(listen)
