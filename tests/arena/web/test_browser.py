"""The web page in a real browser: what a reader sees, clicks and types."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from arena.store.database import open_to_read
from arena.web.site import write_leaderboards, write_tournament
from referee.record import read
from tests.arena.web.browser import served
from tests.arena.web.fetching import unpointed
from tests.arena.web.filled_database import (
    BOTS,
    GAME_SLUGS,
    HOSTILE,
    RUNNING,
    filled_database,
    fixture_left,
    go_on,
    stored_pair,
)

PHONE = 390
STEPPED_WHOLE = 60
"""Matches of no more steps than this are stepped from beginning to end; of longer ones, both ends are."""


def names(page: Page) -> list[str]:
    """The bots of the table as shown, from top to bottom."""
    return page.eval_on_selector_all(  # type: ignore[no-any-return] # strings, by the script
        "tbody tr", "rows => rows.filter(row => row.offsetParent).map(row => row.querySelector('.bot').textContent)"
    )


def values(page: Page, column: int) -> list[float]:
    script = f"rows => rows.map(row => Number(row.cells[{column}].dataset.value ?? row.cells[{column}].textContent))"
    return page.eval_on_selector_all("tbody tr", script)  # type: ignore[no-any-return] # numbers, by the script


def test_the_leaderboard_sorts_and_filters_on_the_spot(page: Page, address: str) -> None:
    page.goto(f"{address}/games/toy")
    ranked = names(page)
    assert sorted(ranked) == sorted(BOTS)
    page.evaluate("window.hasStayed = true")
    page.get_by_role("link", name="Elo", exact=True).click()
    assert values(page, 4) == sorted(values(page, 4), reverse=True)
    expect(page.locator("th[data-key=elo]")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("link", name="Elo", exact=True).click()
    assert values(page, 4) == sorted(values(page, 4))
    page.get_by_role("link", name="Rank", exact=True).click()
    assert names(page) == ranked
    page.get_by_label("Search").fill("AL")
    assert names(page) == [name for name in ranked if "al" in name]
    page.get_by_label("Search").fill("")
    assert names(page) == ranked
    assert page.evaluate("window.hasStayed"), "the page was reloaded"
    page.reload()
    assert names(page) == ranked, "the address keeps the order"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


def test_a_static_site_sorts_too(page: Page, tmp_path: Path) -> None:
    write_leaderboards(filled_database(tmp_path), tmp_path / "site")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "site")))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        page.get_by_role("link", name="Toy").click()
        page.get_by_role("button", name="Bot").click()
        assert names(page) == sorted(BOTS, key=str.lower)
        page.get_by_label("Search").fill("eve")
        page.get_by_role("link", name="eve").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("eve")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_leaderboards_in_one_file_sort_and_filter_without_any_other(page: Page, tmp_path: Path) -> None:
    """The policy in the page names its style and its script by their hashes; the `page` fixture fails on a refusal."""
    file = tmp_path / "elsewhere" / "board.html"
    write_leaderboards(filled_database(tmp_path), file, ["toy", "norenberc"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert [path.name for path in file.parent.iterdir()] == ["board.html"]
    assert asked == [file.as_uri()]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") not in (
        "rgba(0, 0, 0, 0)",
        "rgb(255, 255, 255)",
    )
    toy = page.locator("section").filter(has=page.get_by_role("heading", name="Toy"))
    toy.get_by_role("button", name="Bot").click()
    shown = toy.locator("tbody tr:visible .bot")
    assert shown.all_inner_texts() == sorted(BOTS, key=str.lower)
    page.get_by_label("Search").fill("eve")
    assert shown.all_inner_texts() == ["eve"]
    page.get_by_role("link", name="Norenberc").click()
    assert page.url.startswith(f"{file.as_uri()}#game-norenberc")


def test_a_tournament_in_one_file_has_standings_rounds_and_cross_table(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "cup.html"
    write_tournament(filled_database(tmp_path), RUNNING, file)
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text(RUNNING)
    assert page.locator(".standings tbody tr").count() == len(BOTS)
    page.get_by_role("link", name="Round 2").first.click()
    assert page.url == f"{file.as_uri()}#round-2"
    assert page.locator("table.cross").count() == 1
    assert page.get_by_text(HOSTILE).count() > 0
    dead = page.eval_on_selector_all("a[href]", "all => all.map(each => each.getAttribute('href'))")
    assert all(page.locator(f'[id="{link[1:]}"]').count() == 1 for link in set(dead) if link.startswith("#"))
    assert [link for link in dead if not link.startswith("#")] == []


def test_a_running_tournament_updates_by_itself(page: Page, tmp_path: Path) -> None:
    path = filled_database(tmp_path)
    with served(path) as address:
        page.goto(f"{address}/tournaments/{RUNNING}")
        expect(page.locator("#progress-text")).to_have_text("Round 2 of 2: 1 of 2 matches played.")
        page.evaluate("window.hasStayed = true")
        cup = go_on(path)
        fixture = fixture_left(cup)
        result = cup.play(fixture)
        expect(page.locator("#progress-text")).to_have_text("Round 2 of 2: 2 of 2 matches played.")
        expect(page.get_by_role("link", name=fixture.match_id[:8])).to_be_visible()
        before = page.locator(".standings tbody").inner_text()
        first = next(match for match in cup.store.matches.of(RUNNING, 2) if match.id != fixture.match_id)
        cup.close(2, [stored_pair(cup, first), (fixture, result)])
        cup.finish()
        expect(page.locator("#progress-text")).to_have_text("All rounds are played.")
        assert page.locator(".standings tbody").inner_text() != before
        assert page.evaluate("window.hasStayed"), "the page was reloaded"
        cup.store.close()
        # The stream is closed by now: nothing is fetched from a server that goes away.
        page.goto("about:blank")


@pytest.mark.parametrize("slug", GAME_SLUGS)
def test_a_replay_steps_to_the_end_and_ends_with_the_scores_of_the_record(
    page: Page, address: str, database: Path, slug: str
) -> None:
    store = open_to_read(database)
    match = store.matches.of(f"cup-{slug}")[0]
    record = read(store.matches.record(match.id))
    store.close()
    steps = len(record.steps)
    page.goto(f"{address}/matches/{match.id}?step=0")
    moment = page.locator(".moment")
    expect(moment).to_have_attribute("data-step", "0")
    at = 0
    if steps > STEPPED_WHOLE:
        for _ in range(5):
            page.keyboard.press("ArrowRight")
            at += 1
            expect(moment).to_have_attribute("data-step", str(at))
        at = steps - 5
        page.locator("#more > summary").click()
        page.get_by_role("spinbutton", name="Step").fill(str(at))
        page.get_by_role("button", name="Go").click()
        expect(moment).to_have_attribute("data-step", str(at))
        page.locator("h1").click()
    while at < steps:
        page.keyboard.press("ArrowRight")
        at += 1
        expect(moment).to_have_attribute("data-step", str(at))
    shown = page.eval_on_selector_all(".final", "all => all.map(each => Number(each.dataset.score))")
    assert shown == record.result["scores"]
    expect(page).to_have_url(re.compile(rf"\?step={steps}&seat=open$"))
    assert page.locator("figure svg").count() > 0 or slug == "toy"
    page.keyboard.press("ArrowRight")
    expect(moment).to_have_attribute("data-step", str(steps))


def test_a_replay_plays_pauses_jumps_and_finds_from_the_keyboard(page: Page, address: str, database: Path) -> None:
    store = open_to_read(database)
    match = store.matches.of("cup-norenberc")[0]
    store.close()
    page.goto(f"{address}/matches/{match.id}?step=3&seat=2")
    moment = page.locator(".moment")
    expect(moment).to_have_attribute("data-step", "3")
    page.keyboard.press("End")
    expect(page.locator(".over")).to_be_visible()
    page.keyboard.press("Home")
    expect(moment).to_have_attribute("data-step", "0")
    page.locator("#more > summary").click()
    page.get_by_label("Speed").select_option("60")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(moment).not_to_have_attribute("data-step", re.compile("^[0-3]$"))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Home")  # however far it has come
    expect(moment).to_have_attribute("data-step", "0")
    page.locator("#more > summary").click()
    page.get_by_label("Next decision of", exact=False).select_option("seat 1")
    page.get_by_label("of kind").select_option("PLAN")
    with page.expect_navigation():
        page.get_by_role("button", name="Find").click()
    expect(page.locator(".choice").filter(has_text="Seat 1").filter(has_text="PLAN")).to_be_visible()
    expect(page.locator(".viewers [aria-current]")).to_have_text("seat 2")
    assert page.locator(".hidden-fact").count() >= 1
    assert page.locator(".panel.seat-edge-2 .hidden-fact").count() == page.locator(".hidden-fact").count()


MOVES = "moves => moves.map(move => [move.dataset.step, move.textContent])"


def test_the_page_of_a_seat_has_no_card_of_another_in_its_source(page: Page, address: str, database: Path) -> None:
    """In Fürstenfeld each card a seat discards is its own secret: it is in its page and in no other's."""
    store = open_to_read(database)
    match = store.matches.of("cup-furstenfeld")[0]
    record = read(store.matches.record(match.id))
    store.close()
    game = record.game
    secrets = [
        (step.number, choice.seat, game.describe(choice.action))
        for step in record.steps
        for choice in step.choices
        if type(choice.action).__name__ == "PutUnderDeck"
    ]
    assert secrets

    def shown(step: int, viewer: str) -> tuple[str, dict[int, str]]:
        """Return the page but for its list of moves, which tells seats' own moves of all steps, and that list."""
        page.goto(f"{address}/matches/{match.id}?step={step}&seat={viewer}")
        rows = page.locator("#move-list .move-rows a")
        rows.first.wait_for()
        moves: dict[int, str] = defaultdict(str)
        for at, text in rows.evaluate_all(MOVES):
            moves[int(at)] += text
        page.locator("#move-list").evaluate("list => list.remove()")
        return unpointed(page.content()), moves

    for step, seat, text in secrets[:3]:
        for viewer in (*map(str, range(record.seats)), "spectator"):
            rest, moves = shown(step, viewer)
            assert (text in rest) == (viewer == str(seat))
            for at, owner, secret in secrets:
                assert (secret in moves[at]) == (viewer == str(owner))


def test_a_bot_named_like_a_script_does_nothing(page: Page, address: str, database: Path) -> None:
    """The `page` fixture fails on any dialog or script error; the name is shown as it is written."""
    store = open_to_read(database)
    match = next(match for match in store.matches.of("cup-toy") if any(HOSTILE in bot for bot in match.seating))
    store.close()
    for path in (
        "/",
        "/bots",
        "/games/toy",
        f"/tournaments/{RUNNING}",
        "/tournaments/cup-toy/cross-table",
        f"/matches/{match.id}",
    ):
        page.goto(address + path)
        assert page.get_by_text(HOSTILE).count() > 0, path
        assert page.locator("script:not([src])").count() == 0, path
    page.goto(f"{address}/games/toy")
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    page.goto(f"{address}/games/toy?q={HOSTILE}")
    expect(page.get_by_label("Search")).to_have_value(HOSTILE)


def test_no_page_is_wider_than_a_phone(page: Page, address: str, database: Path) -> None:
    """Tables and boards scroll or shrink inside; the page itself never moves sideways."""
    store = open_to_read(database)
    replays = [f"/matches/{store.matches.of(f'cup-{slug}')[0].id}?step=last" for slug in GAME_SLUGS]
    store.close()
    page.set_viewport_size({"width": PHONE, "height": 844})
    wide = []
    for path in (
        "/",
        "/overall",
        "/games/toy",
        "/bots",
        "/bots/bob",
        f"/tournaments/{RUNNING}",
        "/tournaments/cup-toy/cross-table",
        "/matches",
        *replays,
    ):
        page.goto(address + path)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE:
            wide.append((path, width))
    assert wide == []


def test_the_first_stop_of_the_tabulator_skips_to_the_content(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")
