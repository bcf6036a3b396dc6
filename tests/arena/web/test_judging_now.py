"""A match is judged from its page: by who is signed in or sits at this machine, once its round is closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect
from starlette.requests import Request as AppRequest

from arena.analysis.keeping import closest_first
from arena.store.database import open_to_read
from arena.web.judging import is_this_machine
from tests.arena.web.browser import served
from tests.arena.web.fetching import get
from tests.arena.web.filled_database import RUNNING, filled_database


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    return filled_database(tmp_path)


@pytest.fixture
def own(filled: Path) -> Iterator[str]:
    with served(filled) as address:
        yield address


def post(address: str, **headers: str) -> int:
    try:
        with urlopen(Request(address, b"", {key.replace("_", "-"): value for key, value in headers.items()})) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


def match_of(database: Path, tournament: str, number: int = 0) -> str:
    store = open_to_read(database)
    found = store.matches.of(tournament)[number].id
    store.close()
    return found


def test_a_button_judges_a_match_and_its_page_has_the_curve_and_the_advice(own: str, filled: Path, page: Page) -> None:
    """The real judge in its own process; afterwards nothing is left to judge."""
    page.goto(f"{own}/matches/{match_of(filled, 'cup-toy')}")
    expect(page.locator(".track-field")).to_have_attribute("data-kind", "strip")
    page.get_by_role("button", name="Judge this match").click()
    expect(page.locator(".track-field")).to_have_attribute("data-kind", "judged")
    expect(page.locator("#judgement")).to_be_visible()
    expect(page.get_by_role("button", name="Judge this match")).to_have_count(0)
    expect(page.locator(".error-band").first).to_be_attached()


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Forwarded_For": "203.0.113.9"},
        {"Host": "arena.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Origin": "http://evil.example"},
    ],
    ids=["through a proxy", "by another name", "from another site", "from another origin"],
)
def test_nobody_else_has_a_match_judged(filled: Path, own: str, headers: Mapping[str, str]) -> None:
    match = match_of(filled, "cup-toy")
    assert post(f"{own}/matches/{match}/judge", **headers) == 403
    store = open_to_read(filled)
    assert store.judgements.of(store.matches.find(match).record_digest, "3") == []
    store.close()


def test_a_match_of_an_open_round_is_not_judged_and_offers_no_button(filled: Path, own: str) -> None:
    store = open_to_read(filled)
    match = next(match.id for match in store.matches.of(RUNNING) if match.round == 2)
    store.close()
    assert post(f"{own}/matches/{match}/judge") == 403
    assert "Judge this match" not in get(f"{own}/matches/{match}")[1]


def asked(client: str, host: str, **headers: str) -> AppRequest:
    raw = [
        (b"host", host.encode()),
        *((key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()),
    ]
    scope = {
        "type": "http", "method": "POST", "scheme": "http", "path": "/", "query_string": b"", "headers": raw,
        "client": (client, 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    return AppRequest(scope)


def test_only_a_browser_here_that_asks_for_this_machine_by_name_is_here() -> None:
    for host in ("localhost:8080", "127.0.0.1", "[::1]:8080"):
        assert is_this_machine(asked("127.0.0.1", host), None)
    assert not is_this_machine(asked("192.0.2.7", "localhost"), None)
    assert not is_this_machine(asked("127.0.0.1", "rebound.example"), None)
    assert not is_this_machine(asked("127.0.0.1", "localhost"), "https://arena.example")
    assert not is_this_machine(asked("127.0.0.1", "localhost", via="1.1 proxy"), None)


def test_the_closest_finish_is_judged_first(filled: Path) -> None:
    store = open_to_read(filled)
    matches = [match for game in ("nuremberg", "norenberc", "furstenfeld") for match in store.matches.of(f"cup-{game}")]
    store.close()
    order = closest_first(matches)
    assert sorted(order) == sorted(match.id for match in matches)
    margins = []
    for match in sorted(matches, key=lambda each: order.index(each.id)):
        first, second = sorted(match.scores, reverse=True)[:2]
        margins.append((first - second) / max(1, abs(first)))
    assert margins == sorted(margins)
