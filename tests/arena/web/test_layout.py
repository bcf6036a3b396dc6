"""Where things are on the page: on a phone and on a desk, with long names, by day and by latest@@."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from arena.store.database import open_to_read
from arena.web.site import write_match
from tests.arena.web.browser import served, window
from tests.arena.web.filled_database import CROWDED, GAME_SLUGS, LONG, RUNNING, crowded_database

PHONE, DESK = (390, 844), (1280, 800)
BOARDS = [slug for slug in GAME_SLUGS if slug != "toy"]  # the toy has no board
VISIBLE = 200
"""Pixels of a board that must be seen without scrolling."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with window(browser, PHONE, has_touch=True) as page:
        yield page


@pytest.fixture
def pages() -> Iterator[ExitStack]:
    """Closes the pages that a test opens."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def crowded_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(crowded_database(tmp_path_factory.mktemp("crowd"))) as found:
        yield found


def replay(database: Path, slug: str) -> str:
    store = open_to_read(database)
    match = store.matches.of(f"cup-{slug}")[0]
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


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")])
def test_a_cross_table_of_32_bots_fits_and_its_colours_tell_won_from_lost(
    browser: Browser, crowded_address: str, pages: ExitStack, size: tuple[int, int], scheme: str
) -> None:
    page = pages.enter_context(window(browser, size, color_scheme=scheme))
    page.goto(f"{crowded_address}/tournaments/{CROWDED}")
    assert overflow(page) <= 0
    box = page.locator("table.cross").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    cells = page.locator("table.cross tbody tr").first.locator("td, th")
    assert cells.count() == 2 + 32
    last = cells.last.bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1, "no column is cut off"
    colours = page.evaluate(
        "['0', '2', '4'].map(each => getComputedStyle(document.querySelector(`.duel-${each}`)).backgroundColor)"
    )
    assert len(set(colours)) == 3
    expect(page.locator("#story polyline").first).to_be_visible()
    expect(page.locator("details.fold summary")).to_be_visible()
    expect(page.get_by_text("Pairs that met again")).to_be_hidden()
    if (size, scheme) == (DESK, "light"):  # where every figure is shown; it takes its time
        result = Axe().run(page)
        assert [fault["id"] for fault in result.response["violations"]] == []


def test_scores_stand_beside_the_think_times_on_a_desk_and_above_them_on_a_phone(
    page: Page, address: str, database: Path
) -> None:
    for size, is_beside in ((DESK, True), (PHONE, False)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(address + replay(database, "norenberc"))
        scores, times = (page.locator("#judgement figure").nth(at).bounding_box() for at in (0, 1))
        assert scores is not None
        assert times is not None
        assert (abs(scores["y"] - times["y"]) < 2) is is_beside
        assert overflow(page) <= 0


def test_a_blunder_shows_its_step_on_the_spot(page: Page, address: str, database: Path) -> None:
    page.goto(address + replay(database, "norenberc"))
    blunder = page.locator("a.blunder-link").first
    step = blunder.get_attribute("data-step")
    page.evaluate("window.isSamePage = true")
    blunder.click()
    expect(page.locator(".moment")).to_have_attribute("data-step", step or "")
    assert page.evaluate("window.isSamePage"), "nothing was reloaded"
    page.locator("#curve svg a[data-step]").first.press("Enter")
    expect(page.locator(".moment")).to_have_attribute("data-step", step or "")


def test_a_match_in_one_file_is_stepped_through_without_any_other(page: Page, database: Path, tmp_path: Path) -> None:
    match = replay(database, "norenberc").rpartition("/")[2]
    (file,) = write_match(database, match, tmp_path / "match.html")
    page.goto(file.as_uri())
    last = page.locator("#controls").get_attribute("data-steps")
    page.get_by_label("First step").click()
    expect(page.locator(".moment")).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moment")).to_have_attribute("data-step", "1")
    page.locator("a.blunder-link").first.click()
    expect(page.locator(".moment")).to_have_attribute("data-step", "40")
    page.keyboard.press("End")
    expect(page.locator(".moment")).to_have_attribute("data-step", last or "")
    expect(page.locator("#judgement polyline.scores").first).to_be_visible()


def test_the_first_page_is_whole_without_a_script(browser: Browser, address: str) -> None:
    with window(browser, PHONE, java_script_enabled=False) as page:
        page.goto(address)
        expect(page.locator(".now")).to_contain_text("Round 2 of 2")
        expect(page.locator(".latest .podium li").first).to_be_visible()
        expect(page.locator(".latest-board img")).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_axe_finds_no_fault_on_any_page(
    browser: Browser, address: str, database: Path, pages: ExitStack, size: tuple[int, int], scheme: str
) -> None:
    page = pages.enter_context(window(browser, size, color_scheme=scheme))
    found = {}
    for path in (
        "/", "/overall", "/games/toy", "/bots", "/bots/bob", "/tournaments", f"/tournaments/{RUNNING}",
        "/tournaments/cup-toy/cross-table", "/matches", "/sign-in", "/rules/norenberc", "/rules/tournaments",
        f"{replay(database, 'norenberc')}/embed",
        *(f"{replay(database, slug)}?step=20" for slug in BOARDS),
    ):  # fmt: skip
        page.goto(address + path)
        result = Axe().run(page)
        if result.violations_count:
            found[path] = [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in result.response["violations"]]
    assert found == {}
