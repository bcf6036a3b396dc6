"""Replays: every step of every game is what was played, and a seat's page holds only what that seat could know."""

from __future__ import annotations

import html
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from arena_toy.game import Toy
from markupsafe import Markup

from arena.reports.match import load_record
from arena.store.database import open_store, open_to_read
from arena.store.rows import StoredMatch
from arena.web.links import ServerLinks
from arena.web.pages.matches import moment_part
from arena.web.rendering import render
from arena.web.replays import Eyes, Replay, Replays, Viewer
from referee.boards import draw
from referee.drawing import Drawing
from referee.game import Game, Seat
from referee.mistakes import UserError
from referee.record import How, read, replay
from referee.rng import seeded
from tests.arena.web.fetching import unpointed
from tests.arena.web.filled_database import GAME_SLUGS, FilledTournament, comment, filled_database
from tests.kept_folder import kept_folder

every_game = pytest.mark.parametrize("slug", GAME_SLUGS)

SECRET_KINDS = {"furstenfeld": {"discard"}, "norenberc": {"PLAN"}, "nuremberg": set(), "toy": set()}
"""Decisions whose answer stays with the seat that gave it, by the rule pages."""


@cache
def match_and_replay(slug: str) -> tuple[StoredMatch, Replay]:
    store = open_to_read(filled_database(kept_folder("arena-replays")))
    match = store.matches.of(f"cup-{slug}")[0]
    found = Replays(partial(load_record, store)).get(match)
    store.close()
    return match, found


def some_steps(steps: int) -> Iterator[int]:
    """All steps of a short match, and of a long one a part, the first and the last among them."""
    yield from sorted({*range(0, steps, max(1, steps // 16)), 1, steps - 1, steps})


def page(slug: str, step: int, viewer: Viewer) -> str:
    match, found = match_and_replay(slug)
    return unpointed(render("match_step.html", ServerLinks(), **moment_part(match, found, step, viewer)))


@every_game
def test_the_last_step_shows_the_scores_of_the_record(slug: str) -> None:
    match, found = match_and_replay(slug)
    last = found.moment(found.steps, Eyes.SPECTATOR)
    assert last.scores == tuple(found.record.result["scores"]) == match.scores
    assert found.moment(found.steps - 1, Eyes.SPECTATOR).scores is None
    text = page(slug, found.steps, Eyes.SPECTATOR)
    assert [f'data-seat="{seat}" data-score="{score}"' in text for seat, score in enumerate(match.scores)] == [True] * 4


def without_rings(drawing: Drawing) -> Drawing:
    """Return a drawing without the signs of what the step has changed."""
    figures = (replace(each, body=Markup(each.body.replace(' data-changed=""', ""))) for each in drawing.figures)
    return replace(drawing, figures=tuple(figures))


@every_game
def test_a_step_is_drawn_from_the_position_after_it(slug: str) -> None:
    """Positions played on from the kept ones equal those of the whole replay."""
    _, found = match_and_replay(slug)
    record, game = found.record, found.record.game
    wanted = set(some_steps(found.steps))
    for step, state, _events in replay(record):
        if step.number in wanted:
            for viewer, seat in ((Eyes.SPECTATOR, None), (1, 1)):
                view = game.observe(state, seat)
                own = {} if seat is None else {seat: view}
                moment = found.moment(step.number, viewer)
                assert without_rings(moment.drawing) == draw(game, view, own, record.seats), step.number
                assert moment.next == game.pending(state)


@every_game
def test_every_step_is_told_with_its_decision_and_clause(slug: str) -> None:
    _, found = match_and_replay(slug)
    for step in some_steps(found.steps):
        told = found.moment(step, Eyes.OPEN).told
        assert len(told) == (0 if step == 0 else len(found.record.steps[step - 1].choices))
        assert all(each.kind and each.clause and each.chosen for each in told)


@every_game
def test_another_seats_choice_is_told_only_by_what_came_of_it(slug: str) -> None:
    """Neither what was chosen nor how: that a move was the only one hints at what it was."""
    _, found = match_and_replay(slug)
    for step in some_steps(found.steps):
        for viewer in (0, 3, Eyes.SPECTATOR):
            for told in found.moment(step, viewer).told:
                if told.seat == viewer:
                    assert told.chosen
                else:
                    assert (told.chosen, told.manner, told.own_ms) == (None, "", None)


def test_a_comment_is_shown_escaped_to_who_sees_the_choice_and_to_nobody_else() -> None:
    _, found = match_and_replay("toy")
    record = found.record
    shown = 0
    for step in record.steps:
        for choice in step.choices:
            assert choice.comment == ("" if choice.how is How.HOUSE else comment(choice.seat))
            said = html.escape(comment(choice.seat))
            for viewer in (Eyes.OPEN, Eyes.SPECTATOR, *range(record.seats)):
                text = page("toy", step.number, viewer)
                is_told = viewer in (Eyes.OPEN, choice.seat) and choice.comment != ""
                assert (said in text) == is_told, (step.number, viewer)
                assert comment(choice.seat) not in text
                shown += is_told
    assert shown > 10


def test_the_match_page_shows_the_board_that_a_plug_in_draws() -> None:
    text = page("toy", 1, 0)
    assert "Hand of seat 0" in text
    assert "Hand of seat 1" not in text
    assert "What the view says" not in text


def test_a_game_without_a_board_is_drawn_as_a_table() -> None:
    class Plain(Toy):
        board = Game.board  # type: ignore[assignment]  # which returns None

    game = Plain()
    view = game.observe(game.new(2, 1, game.options({})), None)
    (figure,) = draw(game, view, {}, 2).figures
    assert "What the view says" in figure.body


@pytest.mark.parametrize("slug", [slug for slug, kinds in SECRET_KINDS.items() if kinds])
def test_a_secret_choice_is_nowhere_in_the_page_of_another_seat(slug: str) -> None:
    _, found = match_and_replay(slug)
    describe = found.record.game.describe
    searched = 0
    for step in some_steps(found.steps):
        for told in found.moment(step, Eyes.OPEN).told:
            if told.kind not in SECRET_KINDS[slug] or told.chosen is None:
                continue
            chosen = {each.seat: describe(each.action) for each in found.record.steps[step - 1].choices}
            text = html.escape(chosen[told.seat])
            if "Pass" in text:  # which the table sees
                continue
            assert text in page(slug, step, told.seat)
            assert text in page(slug, step, Eyes.OPEN)
            others: list[Viewer] = [seat for seat in range(4) if chosen.get(seat) != chosen[told.seat]]
            for other in (*others, Eyes.SPECTATOR):
                assert text not in page(slug, step, other)
                searched += 1
    assert searched > 20


@pytest.mark.parametrize("slug", ["furstenfeld", "nuremberg", "toy"])
def test_what_only_some_seats_witness_is_nowhere_in_the_pages_of_the_others(slug: str) -> None:
    _, found = match_and_replay(slug)
    game, searched = found.record.game, 0
    viewers: list[tuple[Viewer, Seat | None]] = [(Eyes.SPECTATOR, None), *((seat, seat) for seat in range(4))]
    for step, _state, events in replay(found.record):
        for event in events:
            for viewer, seat in viewers:
                seen, text = game.witness(event, seat), game.describe(event)
                if (seen is None or game.describe(seen) != text) and searched < 60:
                    assert html.escape(text) in page(slug, step.number, Eyes.OPEN)
                    assert html.escape(text) not in page(slug, step.number, viewer)
                    searched += 1
    assert searched > 10


@pytest.mark.parametrize("slug", ["furstenfeld", "norenberc", "nuremberg", "toy"])
def test_a_seats_page_stays_the_same_whatever_is_hidden_from_it(slug: str) -> None:
    """The position is replaced by others that the seat cannot tell from it: not one byte of the drawing changes."""
    _, found = match_and_replay(slug)
    game, seats = found.record.game, found.record.seats
    changed = 0
    for step, state, _events in replay(found.record):
        if step.number % max(1, found.steps // 100) or not game.pending(state):
            continue
        real = {each: game.observe(state, each) for each in range(seats)}
        spectator = game.observe(state, None)
        for seat in range(seats):
            # A seat can add up much of what it does not see, so that many a world it imagines is the real one.
            worlds = [game.imagine(real[seat], seat, seeded(5 * step.number + world)) for world in range(5)]
            others = [{each: game.observe(world, each) for each in range(seats)} for world in worlds]
            imagined, everything = next(
                ((world, views) for world, views in zip(worlds, others, strict=True) if views != real), (None, real)
            )
            if imagined is None or changed == 40:
                continue
            other = everything[seat]
            assert draw(game, other, {seat: other}, seats) == draw(game, real[seat], {seat: real[seat]}, seats)
            assert game.pending(imagined) == game.pending(state), "who is asked what would tell a secret"
            looked_on = draw(game, game.observe(imagined, None), {}, seats)
            assert looked_on == draw(game, spectator, {}, seats), "a spectator knows what a seat does not"
            changed += draw(game, spectator, everything, seats) != draw(game, spectator, real, seats)
    assert changed > 10, "nothing was hidden, so nothing was tested"


def hidden_seats(slug: str, step: int, viewer: Viewer) -> list[Seat]:
    _, found = match_and_replay(slug)
    return [panel.seat for panel in found.moment(step, viewer).drawing.panels if panel.hidden]


@pytest.mark.parametrize("slug", ["furstenfeld", "norenberc", "nuremberg"])
def test_only_the_viewers_own_panel_shows_a_hand(slug: str) -> None:
    _, found = match_and_replay(slug)
    for step in (1, found.steps // 2):
        assert hidden_seats(slug, step, Eyes.SPECTATOR) == []
        assert hidden_seats(slug, step, 2) == [2]
        assert hidden_seats(slug, step, Eyes.OPEN) == [0, 1, 2, 3]


def test_a_decision_can_be_found_by_seat_and_kind() -> None:
    _, found = match_and_replay("norenberc")
    step = found.find(0, 2, "PLAN")
    assert step == 1
    later = found.find(step, 2, "PLAN")
    assert later is not None
    assert later > step
    assert any(told.kind == "PLAN" and told.seat == 2 for told in found.moment(later, 2).told)
    assert found.find(found.steps, None, None) is None
    assert found.find(0, None, "DANCE") is None


def test_safe_defaults_are_told_to_the_seat_they_were_played_for(tmp_path: Path) -> None:
    store = open_store(tmp_path / "arena.db", create=True)
    cup = FilledTournament(store, "cup", "toy", ("a", "b", "c", "d", "e", "f", "g", "h"), 1)
    fixture = cup.pair(1)[0]
    text = cup.play(fixture, quitter=fixture.seating[0].partition("@")[0]).record
    found = Replay(read(text))
    assert found.record.steps[0].choices[0].how is How.HOUSE
    assert "played by the house" in found.moment(1, 0).told[0].manner
    assert found.moment(1, 1).told[0].manner == ""
    assert found.find(0, None, None, is_fault=True) == found.find(0, None, None, 0, is_fault=True) == 1
    assert found.find(0, None, None, 1, is_fault=True) is None, "how others came to choose is not told"
    assert found.find(0, 1, None, is_fault=True) is None
    store.close()


def test_a_record_that_was_tampered_with_is_not_drawn(tmp_path: Path) -> None:
    path = filled_database(tmp_path)
    store = open_store(path)
    match = store.matches.of("cup-toy")[0]
    with store.write() as connection:
        (content,) = connection.execute("SELECT content FROM record WHERE match = ?", (match.id,)).fetchone()
        text = zlib.decompress(content).decode().replace('"how":"answered"', '"how":"late"', 1)
        connection.execute("UPDATE record SET content = ? WHERE match = ?", (zlib.compress(text.encode()), match.id))
    with pytest.raises(UserError, match="refused"):
        Replays(partial(load_record, store)).get(match)
    store.close()


def test_few_replays_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.replays.KEPT_REPLAYS", 2)
    store = open_to_read(filled_database(tmp_path))
    replays = Replays(partial(load_record, store))
    first, second, third = store.matches.of("cup-toy")[:3]
    kept = replays.get(first)
    assert replays.get(first) is kept
    replays.get(second)
    replays.get(third)
    assert replays.get(first) is not kept
    store.close()
