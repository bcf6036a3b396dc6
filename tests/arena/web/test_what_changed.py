"""A step shows what it changed: pieces are ringed and move, gains are told, and words point at the board."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup
from playwright.sync_api import Browser, Page, expect

from arena.analysis.keeping import keep
from arena.reports.reader import Reader
from arena.store.database import open_store, open_to_read
from arena.web.changes import gains, pieces_of, with_advice, with_places, with_rings
from arena.web.links import ServerLinks
from arena.web.pages.matches import advice_of, moment_part
from arena.web.rendering import render
from arena.web.replays import Eyes, Replay
from referee.drawing import Drawing, Figure, Panel
from referee.icons import COUNTED, ICONS, with_icons
from referee.markup import picture, piece, place
from referee.record import read
from tests.arena.web.browser import window
from tests.arena.web.fetching import unpointed
from tests.arena.web.filled_database import GAME_SLUGS, filled_database
from tests.arena.web.judgements import decision, judgement

BOARDS = [slug for slug in GAME_SLUGS if slug != "toy"]  # the toy has no board
STEPS = 60
GOLDEN = Path(__file__).parents[2] / "golden"


def drawn(*pieces: Markup) -> Drawing:
    return Drawing((Figure("", picture((0, 0, 9, 9), pieces, "a board")),), (), ())


def test_new_and_changed_pieces_are_ringed_and_others_are_not() -> None:
    before = drawn(piece("still", ["a"]), piece("moved", ["b"], (1, 1)), piece("gone", ["c"]))
    after = with_rings(before, drawn(piece("still", ["a"]), piece("moved", ["b"], (2, 1)), piece("new", ["d"])))
    body = after.figures[0].body
    assert '<g id="piece-still">' in body
    assert '<g id="piece-moved" data-changed="" transform="translate(2 1)">' in body
    assert '<g id="piece-new" data-changed="">' in body
    assert body.count("data-changed") == 2


@pytest.mark.parametrize("slug", BOARDS)
def test_a_match_of_every_game_has_steps_that_ring_pieces_and_every_piece_its_own_name(slug: str) -> None:
    replay = Replay(read((GOLDEN / f"{slug}.jsonl").read_text(encoding="utf-8")))
    ringed = 0
    for step in range(min(replay.steps, STEPS) + 1):
        drawing = replay.moment(step, Eyes.SPECTATOR).drawing
        names = [name for figure in drawing.figures for name in pieces_of(figure)]
        assert len(names) == len(set(names)) == sum(str(figure.body).count('id="') for figure in drawing.figures)
        ringed += any("data-changed" in figure.body for figure in drawing.figures)
    assert 0 < ringed < STEPS


def test_gains_are_told_by_what_they_are_of() -> None:
    before = Panel(0, (("gold", "3"), ("goods", "2 beer, 1 cloth"), ("hand", "1 card"), ("note", "on turn")))
    after = Panel(0, (("gold", "1"), ("goods", "1 beer, 1 shoes"), ("hand", "3 cards"), ("note", "passed")))
    assert gains(before, after) == (
        ("gold", "\N{MINUS SIGN}2"),
        ("goods", "\N{MINUS SIGN}1 beer, +1 shoes, \N{MINUS SIGN}1 cloth"),
        ("hand", "+2 cards"),
    )
    assert gains(before, before) == ()


def test_words_point_at_places_that_are_on_the_board_and_are_escaped() -> None:
    board = drawn(place(("I:4",), ["x"]), place(("(-1, 2)",), ["y"]), place(("lot 1 of seat 0", "lot 1"), ["z"]))
    said = str(with_places("<b>settle I:4, not I:44 on (-1, 2) or lot 1", board))
    assert said.startswith("&lt;b&gt;settle <button ")
    assert [word.partition('"')[0] for word in said.split('data-spot="')[1:]] == ["I:4", "(-1, 2)", "lot 1"]
    assert with_places("a <i> of I:4", drawn()) == Markup("a &lt;i&gt; of I:4")


def test_icons_stand_before_amounts_and_text_is_escaped() -> None:
    assert str(with_icons("2 <ore>")) == "2 &lt;ore&gt;"
    assert str(with_icons("2 ore, 1 wool")).count("<svg ") == 2
    assert COUNTED.search("2 orebody") is None
    for game, names in {
        "nuremberg": ("wood", "brick", "wool", "grain", "ore"),
        "norenberc": ("beer", "cakes", "shoes", "cloth"),
        "furstenfeld": ("hops", "barley", "water"),
    }.items():
        assert set(names) <= set(ICONS), game


def replay(database: Path, slug: str) -> str:
    store = open_to_read(database)
    match = store.matches.of(f"cup-{slug}")[0]
    store.close()
    return f"/matches/{match.id}"


def step_that_moves(page: Page) -> int:
    """Step until a price of a brewery moves; return the step before."""
    for _ in range(200):
        at = int(page.locator(".moment").get_attribute("data-step") or 0)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".moment")).to_have_attribute("data-step", str(at + 1))
        if page.locator('[id^="piece-price-"][data-changed]').count():
            return at
    raise AssertionError("no price ever moved")


def test_a_piece_glides_to_its_place_unless_motion_is_to_be_reduced(
    browser: Browser, address: str, database: Path
) -> None:
    running = """() => document.getAnimations().filter(
        (each) => each.transitionProperty === "transform" && each.effect.target.id.startsWith("piece-price")
    ).map((each) => each.effect.getTiming().duration)"""
    path = replay(database, "furstenfeld")
    at = None
    for motion, glides in (("no-preference", True), ("reduce", False)):
        with window(browser, (1440, 900), reduced_motion=motion) as page:
            page.goto(f"{address}{path}?step={40 if at is None else at}")
            if at is None:
                at = step_that_moves(page)
                page.keyboard.press("ArrowLeft")
                expect(page.locator(".moment")).to_have_attribute("data-step", str(at))
            page.evaluate("document.addEventListener('transitionrun', () => window.began = (window.began ?? 0) + 1)")
            page.evaluate("window.price = document.querySelector('[id^=\"piece-price\"]')")
            page.keyboard.press("ArrowRight")
            expect(page.locator(".moment")).to_have_attribute("data-step", str(at + 1))
            assert page.locator('[id^="piece-price-"][data-changed]').count() > 0
            assert page.evaluate("window.price.isConnected"), "pieces are kept"
            if glides:
                page.wait_for_function("window.began > 0")
                assert set(page.evaluate(running)) <= {300}
            else:
                assert page.evaluate("window.began") is None
                assert page.evaluate(running) == []


def test_a_word_marks_its_place_while_it_is_hovered_or_focused(page: Page, address: str, database: Path) -> None:
    page.goto(f"{address}{replay(database, 'carcassonne_city')}?step=60")
    while page.locator("#told .spot").count() == 0:
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
    word = page.locator("#told .spot").first
    spotted = page.locator("#board [data-spotted]")
    expect(spotted).to_have_count(0)
    word.hover()
    expect(spotted).to_have_count(1)
    assert word.get_attribute("data-spot") in (spotted.get_attribute("data-place") or "").split("|")
    page.mouse.move(5, 5)
    expect(spotted).to_have_count(0)
    word.focus()
    expect(spotted).to_have_count(1)
    page.locator("#told").focus()
    expect(spotted).to_have_count(0)


def test_advice_is_drawn_over_the_board_as_a_ghost_and_the_choice_is_marked() -> None:
    """A ghost has no name of its own, and what it shows is inside the picture."""
    same, old = piece("same", ["s"]), piece("old", ["o"])
    before = Drawing((Figure("", picture((0, 0, 9, 9), [same, old], "a board")),), (), ())
    chosen = Drawing((Figure("", picture((0, 0, 9, 9), [same, piece("here", ["h"])], "a board")),), (), ())
    better = Drawing((Figure("", picture((-5, 0, 9, 9), [same, old, piece("there", ["t"])], "a board")),), (), ())
    body = str(with_advice(before, chosen, better).figures[0].body)
    assert '<g id="piece-here" data-chosen="">h</g>' in body
    assert body.endswith('<g class="advice"><g>t</g></g></svg>')
    assert 'viewBox="-5 0 14 9"' in body
    assert with_advice(before, chosen, chosen) == chosen


def test_a_blunder_shows_what_was_better_in_words_and_on_the_board(tmp_path: Path) -> None:
    """For who sees everything; with other eyes there is nothing of it."""
    path = filled_database(tmp_path)
    store = open_store(path)
    match = store.matches.of("cup-carcassonne_city")[0]
    record = read(store.matches.record(match.id))
    replayed = Replay(record)
    step, seat, better = next(
        (step.number, choice.seat, other)
        for step in record.steps[20:]
        for choice in step.choices
        if type(choice.action).__name__ == "PlaceTile"
        for other in replayed.options(step.number, choice.seat)
        if other != record.game.describe(choice.action)
    )
    blunder = decision(step, seat, chosen="this", better=better, gain=20.0, error=2.0)
    keep(store, judgement(match, [blunder]))
    store.close()
    reader = Reader(path)
    pages = {}
    for viewer in (Eyes.OPEN, Eyes.SPECTATOR, seat):
        part = moment_part(match, replayed, step, viewer, advice=advice_of(reader, match))
        pages[viewer] = unpointed(render("match_step.html", ServerLinks(), **part))
    reader.close()
    assert f'<b class="better">{better}</b>, worth +20 ± 2 of 100 points' in pages[Eyes.OPEN]
    assert pages[Eyes.OPEN].count('<g class="advice">') == 1
    assert "data-chosen" in pages[Eyes.OPEN]
    for viewer in (Eyes.SPECTATOR, seat):
        assert "advice" not in pages[viewer]
        assert "data-chosen" not in pages[viewer]
    assert replayed.advised(step, seat, "nothing of that kind") is None
    assert replayed.advised(step, (seat + 1) % 4, better) is None
