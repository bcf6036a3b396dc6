"""Link previews and frames: what of a page is seen elsewhere."""

from __future__ import annotations

import html
import re
import struct
import threading
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trio
from playwright.sync_api import Page, expect
from starlette.types import Message

from arena.reports.reader import Reader
from arena.store.database import open_to_read
from arena.web.app import MAX_AWAITED, MAX_PICTURES, create_app
from arena.web.previews import Preview, board_of, card_of_match, preview, read_address
from arena.web.recent import Recent
from arena.web.rendering import CONTENT_POLICY
from arena.web.replays import Eyes, Replays
from arena.web.site import write_match
from referee.mistakes import UserError
from tests.arena.web.fetching import get
from tests.arena.web.filled_database import GAME_SLUGS, HOSTILE, RUNNING, filled_database
from tests.patience import patience


def meta(text: str) -> dict[str, str]:
    return {
        name: html.unescape(value) for name, value in re.findall(r'<meta property="(og:[\w:]+)" content="(.*?)">', text)
    }


@pytest.fixture(scope="module")
def paths(database: Path) -> dict[str, str]:
    """Pages that have previews, with the addresses of their pictures."""
    store = open_to_read(database)
    match = store.matches.of("cup-norenberc")[0].id
    store.close()
    return {
        "/": "/pictures/site.png",
        f"/matches/{match}": f"/pictures/matches/{match}.png",
        "/tournaments/cup-nuremberg": "/pictures/tournaments/cup-nuremberg.png",
        "/bots/ann": "/pictures/bots/ann.png",
        "/bots/a%2Fb%20%26%20c": "/pictures/bots/a%2Fb%20%26%20c.png",
    }


def test_a_page_says_what_a_link_to_it_shows_and_its_picture_is_a_png(address: str, paths: dict[str, str]) -> None:
    for path, picture in paths.items():
        found = meta(get(address + path)[1])
        assert found["og:title"], path
        assert found["og:description"], path
        assert found["og:url"] == path
        assert found["og:image"] == picture
        with urllib.request.urlopen(address + found["og:image"]) as answer:
            data = answer.read()
            assert answer.headers["content-type"] == "image/png"
            assert answer.headers["cache-control"] == "public, max-age=600"
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", data[16:24]) == (1200, 630), path


def test_a_hostile_name_is_escaped_in_a_preview(address: str, database: Path) -> None:
    store = open_to_read(database)
    match = next(each for each in store.matches.of("cup-toy") if any(HOSTILE in bot for bot in each.seating))
    store.close()
    text = get(f"{address}/matches/{match.id}")[1]
    assert HOSTILE not in text
    assert HOSTILE in meta(text)["og:description"]


HOSTS = ("evil.example", "evil.example:8080", "evil.example/path", "127.0.0.1:1")


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/", "/bots/ann", "/bots/", "/tournaments/", "//evil.example/bots/", "/nowhere"])
def test_the_host_of_a_request_is_never_repeated(address: str, host: str, path: str) -> None:
    """Neither in a preview nor in a redirect: a cache in between would give it to others."""
    server = urlsplit(address)
    assert server.hostname is not None
    connection = HTTPConnection(server.hostname, server.port)
    connection.request("GET", path, headers={"host": host})
    answer = connection.getresponse()
    text, location = answer.read().decode(), answer.headers.get("location", "")
    connection.close()
    assert host not in text.replace(html.escape(path), "")
    assert (location == "") == (answer.status < 300 or answer.status >= 400)
    assert not location or (location.startswith("/") and not location.startswith("//")), location


def test_a_configured_address_stands_before_every_path_of_a_preview() -> None:
    assert preview(None, "t", "d", "/", "/p.png") == Preview("t", "d", "/", "/p.png")
    site = "https://arena.example"
    assert preview(site, "t", "d", "/x", "/p.png") == Preview("t", "d", f"{site}/x", f"{site}/p.png")


def test_the_address_of_a_site_is_checked() -> None:
    assert read_address("https://arena.example/bots/", "--site") == "https://arena.example/bots"
    for wrong in (
        "arena.example",
        "ftp://arena.example",
        'https://a"b',
        "https://a.example?x",
        "javascript:alert(1)",
        "",
    ):
        with pytest.raises(UserError, match="--site"):
            read_address(wrong, "--site")


@pytest.mark.parametrize("slug", GAME_SLUGS)
def test_a_picture_shows_the_end_of_a_match_as_spectators_saw_it(database: Path, slug: str) -> None:
    reader = Reader(database)
    replays = Replays(reader.record)
    match = reader.store.matches.of(f"cup-{slug}")[0]
    replay = replays.get(match)
    assert board_of(reader, replays, match) == replay.moment(replay.steps, Eyes.SPECTATOR).drawing
    reader.close()


def test_nothing_of_an_open_round_is_in_a_picture(database: Path) -> None:
    reader = Reader(database)
    replays = Replays(reader.record)
    match = next(each for each in reader.store.matches.of(RUNNING) if each.round == 2)
    assert board_of(reader, replays, match) is None
    _, draw = card_of_match(reader, replays, match.id)
    assert draw().count("<svg") == 1, "no figure"
    reader.close()


def test_a_match_of_an_open_round_is_not_written_as_a_file(database: Path, tmp_path: Path) -> None:
    reader = Reader(database)
    running, ended = (next(each.id for each in reader.store.matches.of(RUNNING) if each.round == at) for at in (2, 1))
    reader.close()
    with pytest.raises(UserError, match="once its round is closed"):
        write_match(database, running, tmp_path / "match.html")
    with pytest.raises(UserError, match=r"expected FILE\.html"):
        write_match(database, ended, tmp_path / "match")
    assert not list(tmp_path.iterdir())


def test_a_cache_makes_a_value_once_and_keeps_the_recent_ones() -> None:
    pictures: Recent[str] = Recent(MAX_PICTURES)
    made = []

    def draw() -> str:
        made.append(1)
        return '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"></svg>'

    first = pictures.get(0, draw)
    assert pictures.get(0, draw) is first
    assert len(made) == 1
    for key in range(1, MAX_PICTURES + 1):
        pictures.get(key, draw)
    pictures.get(0, draw)
    assert len(made) == MAX_PICTURES + 2, "the one that was asked for longest ago was forgotten"


def test_pictures_that_wait_are_few_and_keep_no_page_waiting(database: Path, paths: dict[str, str]) -> None:
    """One is held up for as long as the others ask; a page is answered meanwhile."""
    app = create_app(database)
    site = app.state.site
    is_released = threading.Event()
    site.pictures.get = lambda _key, _draw: is_released.wait(patience(6)) and b"drawn"

    async def ask(path: str) -> int:
        status: list[int] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        scope = {
            "type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [], "scheme": "http",
            "http_version": "1.1", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "root_path": "",
        }  # fmt: skip
        await app(scope, receive, send)
        return status[0]

    async def many() -> tuple[list[int], int]:
        found: list[int] = []
        are_refused = trio.Event()

        async def one() -> None:
            found.append(await ask("/pictures/site.png"))
            if len(found) == 8:
                are_refused.set()

        async with trio.open_nursery() as nursery:
            for _ in range(MAX_AWAITED + 8):
                nursery.start_soon(one)
            await are_refused.wait()
            page = await ask("/tournaments")
            is_released.set()
        return found, page

    found, page = trio.run(many)
    assert page == 200
    assert sorted(found) == [200] * MAX_AWAITED + [503] * 8
    site.reader.close()


def test_only_the_embedded_match_may_be_framed(address: str, paths: dict[str, str]) -> None:
    match = next(path for path in paths if path.startswith("/matches/"))
    for path in (f"{match}/embed", f"{match}/embed?step=3&seat=spectator"):
        status, text, headers = get(address + path)
        assert status == 200
        assert headers["content-security-policy"] == CONTENT_POLICY.replace("; frame-ancestors 'none'", "")
        assert "x-frame-options" not in headers
        assert '<div class="moment"' in text, "it is there without a script"
    for path in (match, f"{match}/step?step=1", f"{match}/embed/step?step=1", "/", "/sign-in", "/matches/zzz/embed"):
        _, _, headers = get(address + path)
        assert headers["content-security-policy"] == CONTENT_POLICY, path
        assert headers["x-frame-options"] == "DENY", path


def test_an_embedded_match_can_be_stepped_through_on_a_page_of_others(
    page: Page, address: str, paths: dict[str, str]
) -> None:
    match = next(path for path in paths if path.startswith("/matches/"))
    page.set_content(f'<iframe src="{address}{match}/embed?step=3" width="600" height="700"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.locator(".moment")).to_have_attribute("data-step", "3")
    frame.get_by_label("Step forward").click()
    expect(frame.locator(".moment")).to_have_attribute("data-step", "4")
    expect(frame.locator("#judgement polyline.curve").first).to_be_visible()
    leading = frame.locator("a:not([data-step]):not(#controls a)").evaluate_all("all => all.map(each => each.target)")
    assert set(leading) <= {"_blank", ""}
    assert frame.locator("a.bot, a.clause").count() == 0, "other pages refuse to be shown in a frame"


def test_what_an_embedded_match_shows_of_an_open_round_is_what_spectators_saw(tmp_path: Path, address: str) -> None:
    reader = Reader(filled_database(tmp_path))
    match = next(each for each in reader.store.matches.of(RUNNING) if each.round == 2)
    reader.close()
    for eyes in ("open", "0", "spectator"):
        text = get(f"{address}/matches/{match.id}/embed?step=5&seat={eyes}")[1]
        assert "other games of this table" in text
        assert text.count("hidden-fact") == 0
