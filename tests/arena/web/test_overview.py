"""The first page, the story of a tournament, and the page of a bot: what they tell, and to whom."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from arena.analysis.keeping import keep
from arena.fitting.fits import post_fit
from arena.plan.forecasting import forecast, keep_forecast
from arena.plan.rounds import read_history
from arena.reports.bot import FitPoint, VersionCourse, rating_course
from arena.reports.latest import closest_finish, drama_of, latest_tournament
from arena.reports.lead import Race, race_of
from arena.reports.reader import Reader
from arena.store.database import Store, open_store
from arena.store.rows import StoredTournament
from arena.web.charts import history
from arena.web.links import ServerLinks
from arena.web.pages.bots import bot_page
from arena.web.pages.listing import ListQuery
from arena.web.pages.overview import home_page
from arena.web.pages.tournaments import tournament_page
from arena.web.rendering import render
from ratings.points.points import UNIT
from tests.arena.web.filled_database import BOTS, CROWDED, GAME_SLUGS, RUNNING, crowded_database, filled_database, label
from tests.arena.web.judgements import decision, judgement

LINKS = ServerLinks()
LAST_CUP = f"cup-{GAME_SLUGS[-1]}"


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    return filled_database(tmp_path)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crowded_database(tmp_path_factory.mktemp("crowd"))


def test_the_latest_is_the_tournament_that_finished_last_and_its_match_has_the_closest_finish(filled: Path) -> None:
    """As long as nothing is judged."""
    reader = Reader(filled)
    latest = latest_tournament(reader)
    assert latest is not None
    assert latest.tournament == LAST_CUP
    assert [line.place for line in latest.podium] == [1, 2, 3]
    finish = closest_finish(reader.store.matches.of(LAST_CUP))
    assert finish is not None
    assert latest.drama is not None
    assert latest.drama.match == finish.match
    assert latest.drama.swing is None
    text = render("home.html", LINKS, **home_page(reader))
    assert f'href="/matches/{finish.match.id}"' in text
    assert "the closest finish of the tournament" in text
    reader.close()


def test_the_most_dramatic_match_is_the_one_whose_curve_turned_most(filled: Path) -> None:
    store = open_store(filled)
    matches = store.matches.of("cup-nuremberg")
    for match, swing in zip(matches, (49.0, 12.0), strict=False):
        keep(store, judgement(match, swing=swing))
    store.close()
    reader = Reader(filled)
    drama = drama_of(reader, reader.store.tournaments.find("cup-nuremberg"))
    assert drama is not None
    assert drama.swing is not None
    assert (drama.match.id, drama.swing.change) == (matches[0].id, 49.0)
    assert drama.reason == "the surest swing of a close match: 49 ± 1 points of 100 for one seat"
    reader.close()


def test_a_swing_that_may_be_noise_or_leads_to_a_clear_end_is_no_drama(filled: Path) -> None:
    """43 to 24 points with errors of 20 is less than 30 points with errors of 1; so is a match with a clear winner."""
    store = open_store(filled)
    matches = store.matches.of("cup-nuremberg")
    noisy, sure = judgement(matches[0], swing=49.0), judgement(matches[1], swing=30.0)
    noisy = dataclasses.replace(
        noisy, curve=tuple(dataclasses.replace(point, errors=(20.0,) * len(point.points)) for point in noisy.curve)
    )
    keep(store, noisy)
    keep(store, sure)
    store.close()
    reader = Reader(filled)
    drama = drama_of(reader, reader.store.tournaments.find("cup-nuremberg"))
    reader.close()
    assert drama is not None
    assert drama.match.id == matches[1].id
    clear = dataclasses.replace(
        sure, curve=(*sure.curve[:-1], dataclasses.replace(sure.curve[-1], points=(100.0, 0, 0, 0)))
    )
    assert clear.margin == 100.0
    assert clear.drama == 0.0 < sure.drama
    assert sure.sharpest_turn is not None
    assert (sure.sharpest_turn.seat, sure.sharpest_turn.change) == (0, 30.0)


def test_the_first_page_tells_how_far_the_running_tournament_is_and_what_it_needs(filled: Path) -> None:
    store = open_store(filled)
    made = forecast(1, [(120, 3, 7)], 2.0, 0, 500)
    keep_forecast(store, RUNNING, made)
    store.close()
    reader = Reader(filled)
    text = render("home.html", LINKS, **home_page(reader))
    assert f'<a href="/tournaments/{RUNNING}">{RUNNING}</a>' in text
    assert f"Round 2 of 2: 1 of 2 matches played. {made.words[0].upper()}{made.words[1:]}." in text
    reader.close()


def race(store: Store, stored: StoredTournament) -> Race:
    found = race_of(stored, read_history(store, stored))
    assert found is not None
    return found


def test_who_led_when_adds_up_to_the_standings(crowd: Path) -> None:
    reader = Reader(crowd)
    stored = reader.store.tournaments.find(CROWDED)
    found = race(reader.store, stored)
    points = dict.fromkeys((label for label in stored.settings["bots"]), 0)
    leaders = []
    for played in read_history(reader.store, stored).rounds:
        for table in played.tables:
            for bot, won in zip(table.bots, table.points, strict=True):
                points[bot] += won
        most = max(points.values())
        leaders.append((tuple(sorted(bot for bot in points if points[bot] == most)), most / UNIT))
    assert [(lead.leaders, lead.points) for lead in found.leads] == leaders
    assert found.runners[0][1][-1] == leaders[-1][1]
    assert all(len(values) == 6 for _, values in found.runners), "from before the first round to after the fifth"
    text = render("tournament.html", LINKS, **tournament_page(reader, CROWDED, ListQuery()))
    assert found.sentences[0] in text
    assert len(re.findall(r'<td class="self">', text)) == 32
    reader.close()


def test_the_sentences_say_when_the_lead_changed_hands() -> None:
    lead = dataclasses.make_dataclass("lead", ["round", "leaders"])
    found = Race((lead(1, ("a@1",)), lead(2, ("a@1",)), lead(3, ("a@1", "b@1")), lead(4, ("b@1",))), (), (1, 2, 3, 4))
    assert found.sentences == [
        "a led from round 1 to round 2.",
        "a and b shared the lead after round 3.",
        "b led after round 4.",
        "The lead changed hands twice.",
    ]


def test_a_bots_page_has_the_fitted_ratings_of_record_with_their_intervals(filled: Path) -> None:
    store = open_store(filled)
    bot, pool = label(BOTS[0]), "toy:1"
    assert rating_course(store, pool, [bot], 400, 2.1)[0].fits == ()
    post_fit(store, pool)
    (course,) = rating_course(store, pool, [bot], 400, 2.1)
    ((at, rating, error),) = [(fit.at, fit.rating, fit.error) for fit in course.fits]
    assert at == len(course.elo) - 1, "the fit knows all its matches"
    entry = store.fits.last(pool)
    assert entry is not None
    line = next(each for each in entry["ratings"] if each[0] == bot)
    assert (rating, error) == (line[1] / 1000, 2.1 * line[2] / 1000)
    store.close()
    reader = Reader(filled)
    text = render("bot.html", LINKS, **bot_page(reader, BOTS[0]))
    assert 'class="band"' in text
    assert ">Result</th>" in text
    assert "Places" in text
    reader.close()


def test_versions_are_marked_where_they_begin_and_intervals_are_a_band() -> None:
    drawn = history(
        [
            VersionCourse("bot@old", [1500.0, 1510.0, 1490.0], (FitPoint(1, 1505.0, 60.0), FitPoint(2, 1495.0, 40.0))),
            VersionCourse("bot@new", [1490.0, 1530.0], (FitPoint(1, 1540.0, 50.0),)),
        ],
        "about",
    )
    assert drawn.count('class="bound"') == 1, "the second begins somewhere"
    assert drawn.count("<polygon") == 1, "the intervals of the first"
    assert drawn.count('class="band"') == 2, "and that of the second, which is a bar"
    assert ">old<" in drawn
    assert ">new<" in drawn
    assert drawn.count('class="curve seat-line-0"') == 2


def test_a_judged_bot_is_told_what_it_loses_points_on(filled: Path) -> None:
    store = open_store(filled)
    match = store.matches.of("cup-furstenfeld")[0]
    seat = 1
    name = match.seating[seat].rpartition("@")[0]
    costly = decision(30, seat, chosen="<i>this</i>", better="that", gain=30.0, error=3.0, own=-30.0, kind="PLAN")
    keep(store, judgement(match, [decision(10, seat), costly, decision(50, 0)]))
    store.close()
    reader = Reader(filled)
    text = render("bot.html", LINKS, **bot_page(reader, name))
    part = text[text.index('id="play"') :]
    assert f'<th scope="row">{costly.kind}</th>' in part
    assert f'href="/matches/{match.id}?step={costly.step}&amp;seat=open"' in part
    assert 'chose <span class="chosen">&lt;i&gt;this&lt;/i&gt;</span>; <b>that</b> would have gained +30 ± 3.' in part
    reader.close()
