"""What bots print: for their authors and organisers, on the page as elsewhere, and for nobody else."""

from __future__ import annotations

import html
import re
import shutil
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import quote, unquote, urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from arena.store.database import open_store, open_to_read
from arena.store.token_secrets import create
from arena.store.tokens import Role
from arena.web.app import create_app
from arena.web.site import write_leaderboards, write_tournament
from arena.web.visitors import MAX_SESSIONS, MAX_SESSIONS_OF_ONE, Visitors, comes_from_elsewhere
from tests.arena.web.browser import served
from tests.arena.web.fetching import get
from tests.arena.web.filled_database import AUTHOR, LAST_WORDS, QUITTER, REFUSAL, RUNNING, comment, label

NOW = "2026-01-01T00:00:00+00:00"
WORDS = html.escape(LAST_WORDS)
SAID = html.escape(comment(0))
OF_A_KIND = 4
"""Addresses that are tried of every kind."""
PAGE = f"/bots/{quote(QUITTER, safe='')}"


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def send(address: str, fields: dict[str, str], **headers: str) -> tuple[int, str, dict[str, str]]:
    """Send a form and return status, text and headers of the answer itself, wherever that leads."""
    request = urllib.request.Request(address, urlencode(fields).encode(), headers)
    try:
        with urllib.request.build_opener(_Stay).open(request) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers.items())
    except urllib.error.HTTPError as error:
        with error:
            found = {key.lower(): value for key, value in error.headers.items()}
            return error.code, error.read().decode(), found


def page_for(address: str, cookie: str) -> tuple[str, dict[str, str]]:
    """Return a page as somebody with a cookie gets it."""
    request = urllib.request.Request(address, headers={"cookie": cookie})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode(), {key.lower(): value for key, value in answer.headers.items()}


@pytest.fixture(scope="module")
def copied(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copy(database, tmp_path_factory.mktemp("privacy") / "arena.db"))


@pytest.fixture(scope="module")
def texts(copied: Path) -> dict[str, str]:
    """Tokens: the author of the quitter, another author, a spectator, an organiser."""
    roles = {AUTHOR: Role.AUTHOR, "bob": Role.AUTHOR, "sam": Role.SPECTATOR, "olga": Role.ORGANISER}
    store = open_store(copied)
    found = {name: create(store, name, role, NOW)[1] for name, role in roles.items()}
    store.close()
    return found


@pytest.fixture(scope="module")
def private(copied: Path, texts: dict[str, str]) -> Iterator[str]:
    with served(copied) as found:
        yield found


def test_a_passer_by_never_reads_what_a_bot_has_printed(private: str) -> None:
    status, text, _ = get(private + PAGE)
    assert status == 200
    assert WORDS not in text
    assert "I cannot" not in text
    assert "Forfeits" in text, "that it forfeited is no secret"


@pytest.mark.parametrize(("name", "may_read"), [(AUTHOR, True), ("olga", True), ("bob", False), ("sam", False)])
def test_its_author_and_organisers_read_it_after_signing_in(
    private: str, texts: dict[str, str], name: str, may_read: bool
) -> None:
    status, _, headers = send(private + "/sign-in", {"token": texts[name]})
    assert status == 303
    assert texts[name] not in headers["location"] + headers["set-cookie"], "the token itself goes nowhere"
    cookie = SimpleCookie(headers["set-cookie"])["arena_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"
    text, answered = page_for(private + PAGE, f"arena_session={cookie.value}")
    assert (WORDS in text) is may_read
    assert name in text
    if may_read:
        assert answered["cache-control"] == "no-store"
    assert send(private + "/sign-out", {}, cookie=f"arena_session={cookie.value}")[0] == 303
    assert WORDS not in page_for(private + PAGE, f"arena_session={cookie.value}")[0]


@pytest.mark.parametrize(
    ("name", "may_read"), [(AUTHOR, True), ("olga", True), ("bob", False), ("sam", False), (None, False)]
)
def test_crash_and_refusals_stand_at_their_steps_for_its_author_and_organisers(
    private: str, copied: Path, texts: dict[str, str], name: str | None, may_read: bool
) -> None:
    """The quitter crashed before the first step, and an answer of it was refused at the first."""
    store = open_to_read(copied)
    match = next(each for each in store.matches.of("cup-toy") if any(label(QUITTER) == bot for bot in each.seating))
    store.close()
    cookie = "" if name is None else send(private + "/sign-in", {"token": texts[name]})[2]["set-cookie"].split(";")[0]
    for path in ("", "/step"):
        text, headers = page_for(f"{private}/matches/{match.id}{path}?step=0", cookie)
        assert "forfeited here" in text, "that it crashed is no secret"
        assert "it crashed" in text
        assert (WORDS in text) is may_read
        assert (headers["cache-control"] == "no-store") is (name is not None)
        text, _ = page_for(f"{private}/matches/{match.id}{path}?step=1", cookie)
        assert (html.escape(REFUSAL) in text) is may_read
        assert "forfeited here" not in text
        assert REFUSAL not in text


def test_a_revoked_token_ends_its_sessions_at_once(private: str, copied: Path) -> None:
    store = open_store(copied)
    token, text = create(store, AUTHOR, Role.AUTHOR, NOW)
    cookie = send(private + "/sign-in", {"token": text})[2]["set-cookie"].partition(";")[0]
    assert WORDS in page_for(private + PAGE, cookie)[0]
    store.tokens.revoke(token.id, NOW)
    store.close()
    assert WORDS not in page_for(private + PAGE, cookie)[0]
    assert send(private + "/sign-in", {"token": text})[0] == 403


def test_what_is_no_token_opens_nothing(private: str, texts: dict[str, str]) -> None:
    for wrong in ("", "x", f"{texts[AUTHOR]}x", texts[AUTHOR].partition(".")[0], "ü.ü", "\0", "." * 300):
        status, text, headers = send(private + "/sign-in", {"token": wrong})
        assert status == 403, wrong
        assert "set-cookie" not in headers
        assert "unknown or revoked" in text
    for cookie in ("arena_session=x", f"arena_session={texts[AUTHOR]}", "arena_session=", 'arena_session="\\'):
        assert WORDS not in page_for(private + PAGE, cookie)[0]
    assert WORDS not in get(f"{private}{PAGE}?token={texts[AUTHOR]}")[1], "never from an address"
    assert get(f"{private}/sign-in?token={texts[AUTHOR]}")[0] == 200
    assert send(private + "/sign-in", {"token": "x" * 2_000})[0] == 413


def test_other_sites_cannot_sign_a_visitor_in(private: str, texts: dict[str, str]) -> None:
    assert send(private + "/sign-in", {"token": texts[AUTHOR]}, **{"sec-fetch-site": "cross-site"})[0] == 403


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"]
)
def test_a_browser_that_names_no_fetch_site_is_judged_by_its_origin(
    private: str, texts: dict[str, str], origin: str
) -> None:
    assert send(private + "/sign-in", {"token": texts[AUTHOR]}, origin=origin)[0] == 403
    assert send(private + "/sign-in", {"token": texts[AUTHOR]}, origin=private)[0] == 303


def test_a_form_of_the_configured_site_is_its_own_whatever_host_a_proxy_asks_for() -> None:
    headers = [(b"host", b"127.0.0.1:8080"), (b"origin", b"https://arena.example")]
    request = Request({"type": "http", "headers": headers})
    assert comes_from_elsewhere(request, None)
    assert not comes_from_elsewhere(request, "https://arena.example/bots")


def test_one_token_cannot_end_the_sessions_of_another(copied: Path, texts: dict[str, str]) -> None:
    """However often it signs in, it ends its own sessions only, the oldest first."""
    visitors = Visitors(create_app(copied).state.site.reader, "")

    def sign_in(name: str) -> Request:
        request = Request({"type": "http", "scheme": "http", "server": ("127.0.0.1", 80), "path": "/", "headers": []})
        response = Response()
        assert visitors.sign_in(request, urlencode({"token": texts[name]}).encode(), response) is not None
        cookie = response.headers["set-cookie"].partition(";")[0]
        return Request({"type": "http", "headers": [(b"cookie", cookie.encode())]})

    bob = sign_in("bob")
    own = [sign_in(AUTHOR) for _ in range(MAX_SESSIONS + 1)]
    found = visitors.of(bob)
    assert found is not None
    assert found.name == "bob"
    assert [visitors.of(each) is not None for each in own[-20:]] == [False] * 4 + [True] * MAX_SESSIONS_OF_ONE


def test_behind_tls_the_cookie_is_for_tls_only(private: str, texts: dict[str, str]) -> None:
    cookie = send(private + "/sign-in", {"token": texts[AUTHOR]}, **{"x-forwarded-proto": "https"})[2]["set-cookie"]
    assert "; Secure" in cookie


def shape_of(app: Starlette, address: str) -> tuple[str, tuple[str, ...]]:
    """Return the route that answers an address, and the names of what it asks for."""
    path, query = unquote(urlsplit(address).path), urlsplit(address).query
    scope = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
    found = (route for route in app.routes if route.matches(scope)[0] is Match.FULL)
    return getattr(next(found, None), "path", ""), tuple(sorted({pair.partition("=")[0] for pair in query.split("&")}))


def every_page(base: str, app: Starlette, cookie: str) -> dict[str, str]:
    """Follow links from the first page, to some addresses of every kind, and return the pages."""
    kinds: Counter[tuple[str, tuple[str, ...]]] = Counter()
    pages: dict[str, str] = {}
    found = [
        "/",
        f"{PAGE}?all=1",
        "/rules/norenberc",
        "/nowhere",
        "/health",
        f"/tournaments/{RUNNING}/rounds/2",
        f"/tournaments/{RUNNING}",
    ]
    while found:
        address = found.pop()
        kind = shape_of(app, address)
        if address in pages or kinds[kind] >= OF_A_KIND or kind[0].endswith("/events"):
            continue
        kinds[kind] += 1
        request = urllib.request.Request(base + quote(address, safe="/%?&=:"), headers={"cookie": cookie})
        try:
            with urllib.request.urlopen(request) as answer:
                pages[address] = answer.read().decode("utf-8", "replace")  # a picture is no text
        except urllib.error.HTTPError as error:
            with error:
                pages[address] = error.read().decode()
        # What a page says of itself to link previews has whole addresses.
        for link in re.findall(rf'(?:href|src|data-[a-z]+|content)="(?:{re.escape(base)})?(/[^"#]*)', pages[address]):
            found.append(html.unescape(link))
    return pages


@pytest.mark.parametrize("name", ["", "bob", "sam"])
def test_no_page_of_the_site_shows_it_to_anybody_else(
    private: str, copied: Path, texts: dict[str, str], name: str
) -> None:
    """To a passer-by, another author and a spectator; what an open round has been told stays hidden too."""
    app = create_app(copied)
    cookie = send(private + "/sign-in", {"token": texts[name]})[2]["set-cookie"].partition(";")[0] if name else ""
    pages = every_page(private, app, cookie)
    asked = {shape_of(app, address)[0] for address in pages}
    routes = {route.path for route in app.routes if isinstance(route, Route) and "GET" in (route.methods or ())}
    assert {path for path in routes if not path.endswith("/events")} <= asked, "every page is reached"
    assert PAGE in pages
    assert not [address for address, text in pages.items() if WORDS in text or "I cannot" in text]
    store = open_to_read(copied)
    open_round = [match.id for match in store.matches.of(RUNNING) if match.round == 2]
    store.close()
    assert not [address for address, text in pages.items() if SAID in text and any(m in address for m in open_round)]


def test_sites_of_files_have_nothing_of_it(copied: Path, tmp_path: Path) -> None:
    written = [*write_leaderboards(copied, tmp_path / "boards"), *write_leaderboards(copied, tmp_path / "one.html")]
    written += write_tournament(copied, "cup-toy", tmp_path / "cup")
    pages = [path.read_text() for path in written if path.suffix == ".html"]
    assert any(QUITTER in page and "Forfeits" in page for page in pages)
    assert not [page for page in pages if WORDS in page or "I cannot" in page]


def test_comments_are_shown_when_the_round_is_closed_and_not_before(private: str, copied: Path) -> None:
    store = open_to_read(copied)
    ended = next(match for match in store.matches.of(RUNNING) if match.round == 1)
    running = next(match for match in store.matches.of(RUNNING) if match.round == 2)
    store.close()
    said = html.escape(comment(0))
    assert said in get(f"{private}/matches/{ended.id}?step=1&seat=0")[1]
    for eyes in ("open", "0", "spectator"):
        for page in ("", "/step"):
            status, text, _ = get(f"{private}/matches/{running.id}{page}?step=1&seat={eyes}")
            assert status == 200
            assert said not in text
    assert get(f"{private}/matches/{running.id}/record")[0] == 403
