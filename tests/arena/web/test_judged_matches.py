"""What the page of a match says of its decisions: the judge's curve and blunders, clauses that lead to the rules."""

from __future__ import annotations

import itertools
import re
from functools import partial
from pathlib import Path

import pytest

from arena.analysis.judgement import Judgement
from arena.analysis.keeping import keep
from arena.reports.match import load_record
from arena.reports.reader import Reader
from arena.store.database import open_store, open_to_read
from arena.web.links import ServerLinks
from arena.web.pages.matches import match_page
from arena.web.rendering import render
from arena.web.replays import Replays
from arena.web.rulebook import rule_page
from referee.games import BUILT_IN, GAMES
from referee.rng import seeded
from tests.arena.web.filled_database import filled_database
from tests.arena.web.judgements import decision, judgement

LINKS = ServerLinks()


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Judgement]:
    """A database with one judged match, whose costliest decision is a blunder."""
    path = filled_database(tmp_path_factory.mktemp("judged"))
    store = open_store(path)
    match = store.matches.of("cup-norenberc")[0]
    blunder = decision(40, 1, chosen="<b>this</b>", better="that & more", gain=20.0, error=2.0)
    found = judgement(match, [decision(20, 0), blunder])
    keep(store, found)
    store.close()
    return path, match.id, found


def page(path: Path, match: str, seat: str) -> str:
    reader = Reader(path)
    context = match_page(
        reader, Replays(reader.record), match, "", seat, lambda match, step: LINKS.step(match, step=step, seat="open")
    )
    text = render("match.html", LINKS, **context)
    reader.close()
    return text


def test_the_page_draws_a_curve_for_every_seat_and_marks_that_lead_to_their_steps(
    judged: tuple[Path, str, Judgement],
) -> None:
    path, match, found = judged
    text = page(path, match, "open")
    assert len(re.findall(r'<polyline [^>]*class="curve seat-line-\d"', text)) == len(found.curve[0].points)
    assert len(re.findall(r'<polyline [^>]*class="curve scores seat-line-\d"', text)) == len(found.curve[0].points)
    blunders = found.blunders()
    steps = [int(step) for step in re.findall(r'class="blunder-link" data-step="(\d+)"', text)]
    assert steps == [blunder.step for blunder in blunders]
    assert f'href="/matches/{match}?step={blunders[0].step}&amp;seat=open" aria-label="step {blunders[0].step},' in text
    assert 'chose <span class="chosen">&lt;b&gt;this&lt;/b&gt;</span>; <b>that &amp; more</b>' in text
    assert "would have gained +20 ± 2" in text


@pytest.mark.parametrize("seat", ["spectator", "0"])
def test_who_looks_with_other_eyes_is_told_nothing_of_hidden_choices(
    judged: tuple[Path, str, Judgement], seat: str
) -> None:
    path, match, _ = judged
    text = page(path, match, seat)
    assert 'id="judgement"' not in text
    assert "that &amp; more" not in text


def test_the_curve_of_scores_is_drawn_step_by_step_and_ends_with_those_of_the_record(
    judged: tuple[Path, str, Judgement],
) -> None:
    path, match, _ = judged
    store = open_to_read(path)
    stored = store.matches.find(match)
    replay = Replays(partial(load_record, store)).get(stored)
    curves = [replay.score_curve(seat) for seat in range(len(stored.seating))]
    store.close()
    assert [curve[-1] for curve in curves] == [(replay.steps, score) for score in stored.scores]
    for curve in curves:
        steps = [step for step, _ in curve]
        assert steps == sorted(set(steps))
        assert steps[0] == 0
        assert all(one[1] != other[1] for one, other in itertools.pairwise(curve[:-1])), "only changes are drawn"


def test_a_match_that_is_not_judged_has_no_curve(judged: tuple[Path, str, Judgement]) -> None:
    path, _, _ = judged
    store = open_to_read(path)
    other = store.matches.of("cup-toy")[0]
    store.close()
    assert 'id="judgement"' not in page(path, other.id, "open")


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_clause_that_a_decision_names_leads_to_a_place_on_the_rule_page(slug: str) -> None:
    """The place is the clause itself or what it is a part of, never another chapter."""
    game = GAMES[slug]
    rules = rule_page(slug)
    rng = seeded(5)
    state = game.new(game.preferred_seats, 5, game.options({}))
    clauses = set()
    while pending := game.pending(state):
        clauses |= {decision.clause for decision in pending}
        options = {decision.seat: game.legal_actions(state, decision.seat) for decision in pending}
        game.apply(state, {seat: listed[rng.index(len(listed))] for seat, listed in options.items()})
    assert len(clauses) > 3
    for clause in clauses:
        anchor = rules.anchor(clause)
        assert anchor
        assert clause == anchor or clause.startswith(f"{anchor}.")
        assert f'id="{anchor}"' in rules.body
    assert LINKS.clause(slug, min(clauses)) == f"/rules/{slug}/{min(clauses)}"
    assert LINKS.clause("toy", "T1") is None
