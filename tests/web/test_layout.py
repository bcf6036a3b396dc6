"""Where things are on the page: on a phone and on a desk, with long names, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from arena.store.database import open_to_read
from tests.web.filled_database import GAME_SLUGS, LONG, RUNNING

PHONE, DESK = (390, 844), (1280, 800)
BOARDS = [slug for slug in GAME_SLUGS if slug != "toy"]  # the toy has no board
VISIBLE = 200
"""Pixels of a board that must be seen without scrolling."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True)
    yield context.new_page()
    context.close()


def replay(database: Path, slug: str) -> str:
    store = open_to_read(database)
    match = store.matches(f"cup-{slug}")[0]
    store.close()
    return f"/matches/{match.id}"


@pytest.mark.parametrize("slug", BOARDS)
def test_the_board_is_above_the_fold_of_a_phone(phone: Page, address: str, database: Path, slug: str) -> None:
    phone.goto(f"{address}{replay(database, slug)}?step=20")
    top = phone.evaluate("document.querySelector('.figure').getBoundingClientRect().top")
    assert top <= PHONE[1] - VISIBLE


def test_a_finger_steps_on_and_back(phone: Page, address: str, database: Path) -> None:
    phone.goto(f"{address}{replay(database, 'norenberc')}?step=3")
    moment = phone.locator(".moment")
    session = phone.context.new_cdp_session(phone)

    def swipe(start: int, end: int) -> None:
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, "y": 500}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": end, "y": 505}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(300, 100)
    expect(moment).to_have_attribute("data-step", "4")
    swipe(100, 300)
    expect(moment).to_have_attribute("data-step", "3")


def test_the_other_controls_are_behind_one_button(phone: Page, address: str, database: Path) -> None:
    phone.goto(address + replay(database, "norenberc"))
    expect(phone.get_by_label("Next decision of")).to_be_hidden()
    phone.get_by_text("More", exact=True).click()
    expect(phone.get_by_label("Next decision of")).to_be_visible()


@pytest.mark.parametrize("name", ["nuremberg", "tournaments"])
def test_a_rule_page_fits_a_phone(phone: Page, address: str, name: str) -> None:
    phone.goto(f"{address}/rules/{name}")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("path", ["/", "/games/toy"])
def test_a_long_name_pushes_no_figure_out_of_sight(page: Page, address: str, path: str) -> None:
    """Of a bot whose name has 64 characters, the rating is seen on a phone, and every column on a desk."""
    for width, height in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + path)
        row = page.locator("tr").filter(has=page.get_by_title(LONG, exact=True)).first
        figures = row.locator("td.number")
        seen = figures.nth(1) if width == PHONE[0] else figures.last
        assert seen.evaluate("cell => cell.getBoundingClientRect().right") <= width


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_no_fault_on_any_page(
    browser: Browser, address: str, database: Path, size: tuple[int, int], scheme: str
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found = {}
    for path in (
        "/", "/overall", "/games/toy", "/bots", "/bots/bob", "/tournaments", f"/tournaments/{RUNNING}",
        "/tournaments/cup-toy/cross-table", "/matches", "/sign-in", "/rules/norenberc", "/rules/tournaments",
        *(f"{replay(database, slug)}?step=20" for slug in BOARDS),
    ):  # fmt: skip
        page.goto(address + path)
        result = Axe().run(page)
        if result.violations_count:
            found[path] = [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in result.response["violations"]]
    context.close()
    assert found == {}
