"""The replay is one screen: board, words, curve and controls are seen together, and a step keeps what stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.store.database import open_to_read
from arena.web.site import write_match
from tests.arena.web.browser import window
from tests.arena.web.filled_database import GAME_SLUGS

BOARDS = [slug for slug in GAME_SLUGS if slug != "toy"]  # the toy has no board
SIZES = ((1440, 900), (1024, 768), (390, 844))
PARTS = ("board", "words", "curve", "controls")
MIN_BOARD = {1440: 350_000, 1024: 200_000, 390: 120_000}
"""Pixels that the board has at least."""
DECISIVE = 40
"""The step of the only blunder in the judged match of Norenberc."""


def replay(database: Path, slug: str) -> str:
    store = open_to_read(database)
    match = store.matches.of(f"cup-{slug}")[0]
    store.close()
    return f"/matches/{match.id}"


def at_step(page: Page, step: int) -> None:
    expect(page.locator(".moment")).to_have_attribute("data-step", str(step))


@pytest.mark.parametrize("slug", BOARDS)
def test_board_words_curve_and_controls_are_seen_together(page: Page, address: str, database: Path, slug: str) -> None:
    """Nothing of the four is outside the first screen, none hides another, and every picture is inside the board."""
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{address}{replay(database, slug)}?step=60")
        boxes = {part: page.locator(f'[data-part="{part}"]').bounding_box() for part in PARTS}
        for part, box in boxes.items():
            assert box is not None, part
            assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0], (part, size)
            assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1], (part, size)
        board, words, curve, controls = (boxes[part] for part in PARTS)
        assert board
        assert words
        assert curve
        assert controls
        assert board["width"] * board["height"] >= MIN_BOARD[size[0]], size
        below = words if size[0] == 390 else board
        assert below["y"] + below["height"] <= curve["y"] + 1
        assert curve["y"] + curve["height"] <= controls["y"] + 1
        assert words["x"] >= board["x"] + board["width"] or words["y"] >= board["y"] + board["height"]
        for picture in page.locator("#board figure > svg").all():
            box = picture.bounding_box()
            assert box
            assert box["width"] > 30
            assert box["height"] > 30
            assert box["y"] + box["height"] <= board["y"] + board["height"] + 1
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_match_opens_at_the_step_that_decided_it_and_says_so(page: Page, address: str, database: Path) -> None:
    page.goto(address + replay(database, "norenberc"))
    at_step(page, DECISIVE)
    headline = page.get_by_role("heading", level=1)
    expect(headline).to_contain_text(re.compile("won with .* ahead of"))
    expect(page.locator(".decided")).to_contain_text("gave away 20 ± 2 points of 100")
    page.keyboard.press("End")
    expect(page.locator(".over")).to_be_visible()
    page.locator(".decided a").click()
    at_step(page, DECISIVE)


def test_a_forfeit_is_in_the_headline_and_leads_to_its_step(page: Page, address: str, database: Path) -> None:
    store = open_to_read(database)
    match = next(match for match in store.matches.of("cup-toy") if any("bob" in bot for bot in match.seating))
    store.close()
    page.goto(f"{address}/matches/{match.id}?step=5")
    expect(page.locator(".failed")).to_contain_text("it crashed at step 0")
    page.locator(".failed a").click()
    expect(page.locator(".moment .fault")).to_contain_text("forfeited here")


def test_the_curve_is_the_slider(page: Page, address: str, database: Path) -> None:
    page.goto(f"{address}{replay(database, 'norenberc')}?step=0")
    slider = page.get_by_role("slider", name="Step")
    last = int(slider.get_attribute("max") or 0)
    box = page.locator(".track-field").bounding_box()
    assert box
    place = (box["x"] + box["width"] / 2, box["y"] + 8)
    page.mouse.move(*place)
    expect(page.locator("#readout")).to_have_attribute("data-step", re.compile(rf"^{last // 2}|{last // 2 + 1}$"))
    at_step(page, 0)
    page.mouse.click(*place)
    expect(page.locator(".moment")).to_have_attribute("data-step", re.compile(rf"^({last // 2}|{last // 2 + 1})$"))
    at = int(slider.input_value())
    page.keyboard.press("ArrowRight")
    at_step(page, at + 1)
    assert slider.input_value() == str(at + 1)
    expect(slider).to_have_attribute("aria-valuetext", f"step {at + 1} of {last}")
    page.locator("#curve a[data-step]").first.press("Enter")
    at_step(page, DECISIVE)


def test_keys_and_buttons_lead_to_decisions_of_a_seat_and_to_blunders(
    page: Page, browser: Browser, address: str, database: Path
) -> None:
    path = replay(database, "norenberc")
    page.goto(f"{address}{path}?step=0&seat=open")
    page.keyboard.press("b")
    at_step(page, DECISIVE)
    page.locator("#more > summary").click()
    page.get_by_label("Next decision of").select_option("seat 1")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("n")
    expect(page.locator(".moment")).not_to_have_attribute("data-step", str(DECISIVE))
    expect(page.locator(".choice").filter(has_text="Seat 1")).to_have_count(1)
    after = int(page.locator(".moment").get_attribute("data-step") or 0)
    assert after > DECISIVE
    page.keyboard.press("p")
    expect(page.locator(".moment")).to_have_attribute(
        "data-step", re.compile(rf"^({'|'.join(map(str, range(after)))})$")
    )
    expect(page.locator(".choice").filter(has_text="Seat 1")).to_have_count(1)
    page.get_by_label("Its next decision").click()
    at_step(page, after)
    page.keyboard.press("B")
    at_step(page, DECISIVE)
    with window(browser, SIZES[1], java_script_enabled=False) as plain:
        plain.goto(f"{address}{path}?step=0&seat=open")
        plain.get_by_label("Next blunder").click()
        at_step(plain, DECISIVE)
        expect(plain.locator(".track-field svg")).to_be_visible()
        plain.get_by_label("Its next decision").click()
        after = int(plain.locator(".moment").get_attribute("data-step") or 0)
        assert after > DECISIVE
        plain.get_by_label("Step back").click()
        at_step(plain, after - 1)
        plain.get_by_text("Moves", exact=True).click()
        plain.get_by_text("All moves of this match").click()
        plain.locator(f'a[data-step="{DECISIVE}"]').first.click()
        at_step(plain, DECISIVE)


def test_a_step_keeps_the_live_region_the_focus_and_the_scroll(page: Page, address: str, database: Path) -> None:
    """Screen readers announce a region that stays; what has the focus keeps it."""
    page.goto(f"{address}{replay(database, 'norenberc')}?step=10")
    page.evaluate(
        "window.kept = ['told', 'board', 'figure-1'].map((id) => document.getElementById(id));"
        "window.kept.push(document.querySelector('#figure-1 svg'), document.querySelector('#told h2'))"
    )
    page.locator("#told").focus()
    page.evaluate("window.scrollTo(0, 120)")
    page.keyboard.press("ArrowRight")
    at_step(page, 11)
    expect(page.locator("#told")).to_contain_text("Step 11 of")
    assert page.evaluate("window.kept.every((each) => each.isConnected)")
    assert page.evaluate("document.activeElement.id") == "told"
    assert page.evaluate("window.scrollY") == 120
    assert page.locator("#told").get_attribute("aria-live") == "polite"
    is_as_drawn = page.evaluate(
        """async () => {
          const text = await (await fetch(document.getElementById("controls").dataset.source + "?step=11")).text();
          const fresh = new DOMParser().parseFromString(text, "text/html");
          const isDrawn = (part) => document.querySelector(part).isEqualNode(fresh.querySelector(part));
          return [".moment", ".beneath"].every(isDrawn);
        }"""
    )
    assert is_as_drawn


def test_the_list_of_moves_follows_and_leads(page: Page, address: str, database: Path, tmp_path: Path) -> None:
    """The same list is in a match in one file."""
    path = replay(database, "norenberc")
    (file,) = write_match(database, path.rpartition("/")[2], tmp_path / "match.html")
    for place in (f"{address}{path}?step=12", file.as_uri()):
        page.goto(place)
        page.locator("#move-list a").nth(29).click()
        step = page.locator("#move-list a").nth(29).get_attribute("data-step") or ""
        at_step(page, int(step))
        expect(page.locator("#move-list [aria-current]").first).to_have_attribute("data-step", step)
        expect(page.locator(".blunder-sign").first).to_be_attached()


def test_share_copies_the_address_of_the_step(browser: Browser, address: str, database: Path) -> None:
    with window(browser, SIZES[0], permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(f"{address}{replay(database, 'norenberc')}?step=7&seat=spectator")
        page.locator("#more > summary").click()
        page.get_by_role("button", name="Share").click()
        expect(page.locator("#shared")).to_contain_text("copied")
        assert page.evaluate("navigator.clipboard.readText()").endswith("?step=7&seat=spectator")


def test_a_seat_learns_nothing_from_headline_moves_and_curve(address: str, database: Path) -> None:
    """What decided a match, others' choices and the judge's curve are for who sees everything."""
    from tests.arena.web.fetching import get

    path = replay(database, "norenberc")
    status, page, _ = get(f"{address}{path}?seat=2")
    assert status == 200
    assert 'class="decided"' not in page
    assert 'data-kind="strip"' in page
    _, moves, _ = get(f"{address}{path}/moves?seat=2&part=1")
    _, everything, _ = get(f"{address}{path}/moves?part=1")
    assert "<html" not in moves
    assert len(re.findall("<li>", moves)) == len(re.findall("<li>", everything))
    assert everything.count('class="kind"') == 0 < moves.count('class="kind"')
    assert "blunder-sign" in everything
    assert "blunder-sign" not in moves
