"""Matches: the list of the latest, the replay of each, and live matches as far as a spectator may see."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from markupsafe import Markup

from arena.analysis.judgement import JudgedDecision, Judgement
from arena.reports.faults import BotFault, MayRead, faults_of, nobody_may
from arena.reports.judgement import curve_of, judgement_of, text_of
from arena.reports.match import facts_of, report, report_of
from arena.reports.reader import Reader
from arena.reports.tournament import matches_before
from arena.store.rows import StoredMatch
from arena.web.changes import with_advice
from arena.web.charts import score_course, think_times
from arena.web.headline import headline_of
from arena.web.live import LiveMatch
from arena.web.pages.listing import number_in
from arena.web.rendering import game_title, score_of
from arena.web.replays import Course, Eyes, Replay, Replays, Viewer
from arena.web.track import CourseDot, Track, judged_track, score_track, strip
from referee.game import Seat
from referee.mistakes import NotFoundError, UserError

PAGE_SIZE = 50
ToStep: TypeAlias = Callable[[str, int], str]
NOT_BEGUN = "This match has not begun yet."
NO_FAULTS: Mapping[int, Sequence[BotFault]] = {}
MAX_BLUNDERS = 12  # blunders listed on a match page, the costliest first
UNSETTLED = (
    "Hidden cards and the record are shown once the round is closed: until then, "
    "other games of this table with the same seed may still be running."
)


def list_page(reader: Reader, before: int | None) -> dict[str, Any]:
    """The context of the list of matches: the latest, or those before one."""
    rows, next_before = matches_before(reader.store, before, PAGE_SIZE)
    return {"rows": rows, "before": next_before, "is_first": before is None}


def viewer_of(text: str, seats: int) -> Viewer:
    """Read a viewpoint; a UserError lists the choices."""
    if text in ("", *(eyes.value for eyes in Eyes)):
        return Eyes(text or Eyes.OPEN)
    seat = number_in(text, 3)
    if seat is not None and seat < seats:
        return seat
    raise NotFoundError(f"seat: {text!r} is not at this table; expected open, spectator or 0 to {seats - 1}")


def allowed_viewer(reader: Reader, match: StoredMatch, text: str) -> Viewer:
    """Read a viewpoint; while the round is open, everybody is a spectator."""
    viewer = viewer_of(text, len(match.seating))
    return viewer if reader.is_settled(match) else Eyes.SPECTATOR


def viewer_name(viewer: Viewer) -> str:
    """Return a viewer's name in addresses."""
    return viewer.value if isinstance(viewer, Eyes) else str(viewer)


def step_of(text: str, steps: int, default: int) -> int:
    """Read a step: a number, clamped to the match, or `last`."""
    if text == "last":
        return steps
    step = number_in(text, 8)
    return default if step is None else min(step, steps)


def moment_part(
    match: StoredMatch,
    replay: Replay,
    step: int,
    viewer: Viewer,
    faults: Mapping[int, Sequence[BotFault]] = NO_FAULTS,
    advice: Sequence[JudgedDecision] = (),
) -> dict[str, Any]:
    """The context of one step of a replay.

    `faults` are the match's by step, as far as the reader may see; `advice` are its blunders, for who sees everything.
    """
    moment = replay.moment(step, viewer)
    blunders = [each for each in advice if each.step == step] if viewer is Eyes.OPEN else []
    for blunder in blunders:
        better = replay.advised(step, blunder.seat, blunder.better)
        if better is not None:
            before = replay.drawing(step - 1, viewer)
            moment = dataclasses.replace(moment, drawing=with_advice(before, moment.drawing, better))
    return {
        "match": match,
        "game": match.game,
        "moment": moment,
        "advice": blunders,
        "steps": replay.steps,
        "viewer": viewer_name(viewer),
        "bots": match.seating,
        "result": replay.record.result,
        "faults": [fault for at in faults if min(at, replay.steps) == step for fault in faults[at]],
    }


def match_page(
    reader: Reader,
    replays: Replays,
    wanted: str,
    step: str,
    seat: str,
    to_step: ToStep,
    may_read: MayRead = nobody_may,
) -> dict[str, Any]:
    """The context of a match page; if the record cannot be replayed, only how the match ended.

    `to_step` returns the address of a match at a step, with everything face up.
    """
    match = reader.match(wanted)
    viewer = allowed_viewer(reader, match, seat)
    found: dict[str, Any] = {
        "match": match,
        "title": game_title(match.game),
        "viewer": viewer_name(viewer),
        "bots": match.seating,
        "fault": None,
        "is_settled": reader.is_settled(match),
        "unsettled": UNSETTLED,
        "to_step": to_step,
    }
    try:
        replay = replays.get(match)
    except UserError as error:
        return found | {"fault": str(error), "report": report(reader.store, match)}
    # The record is parsed by now, and not read again for the report.
    told = reader.kept(("report", match.id), lambda: report_of(facts_of(reader.store, match), lambda: replay.record))
    judged = scores = track = None
    is_open = viewer is Eyes.OPEN
    if is_open:  # it shows the choices of every seat and depends on hidden cards
        judged = reader.kept(("judged", match.id), lambda: _judged(reader, match, to_step))
        scores = reader.kept(("scores", match.id), lambda: _scores(match, replay))
        track = _score_track(match, replay) if judged is None else judged.track
    faults = faults_of(reader.store, match, replay.record.result, may_read)
    headline = headline_of(match, replay, judged.judgement if judged else None, faults, is_open=is_open)
    at = step_of(step, replay.steps, headline.opening)
    return (
        found
        | {"report": told, "kinds": replay.kinds, "judged": judged, "scores": scores, "times": _times(replay)}
        | {
            "track": track or _strip(replay, len(match.seating)),
            "headline": headline,
            "packed": None,
            "may_judge": False,
        }
        | {"jumps": _jumps(replay, viewer, at, judged), "deciders": _deciders(replay), "is_nothing_found": False}
        | moment_part(match, replay, at, viewer, faults, advice_of(reader, match))
    )


def is_judged(reader: Reader, match: StoredMatch) -> bool:
    """Return whether there is a judgement of a match to show."""
    return judgement_of(reader.store, match) is not None


def advice_of(reader: Reader, match: StoredMatch) -> Sequence[JudgedDecision]:
    """Return the blunders of a match, if it was judged."""

    def found() -> Sequence[JudgedDecision]:
        judgement = judgement_of(reader.store, match)
        return () if judgement is None else judgement.blunders()

    return reader.kept(("advice", match.id), found)


SEAT_DIGITS = "0123456789abcdefghijklmnopqrstuv"
"""A set of up to five seats as one character."""


def _deciders(replay: Course) -> str:
    """Return the seats that decided in each step, a character per step."""
    return "".join(SEAT_DIGITS[sum(1 << seat for seat in asked if seat < 5)] for asked in replay.deciders)


@dataclass(frozen=True, slots=True)
class Jumps:
    """The steps to which the buttons of a page lead, as they are without a script."""

    decision_before: int
    decision_after: int
    blunder_before: int
    blunder_after: int
    blunders: bool


def _jumps(replay: Course, viewer: Viewer, step: int, judged: JudgementPanel | None) -> Jumps:
    """Return where the next and previous decision of a seat, and the next and previous blunder are."""
    deciders = replay.deciders
    asked = deciders[max(step, 1) - 1] if deciders else ()
    seat = viewer if isinstance(viewer, Seat) else (asked[0] if asked else 0)
    own = [at for at, seats in enumerate(deciders, start=1) if seat in seats]
    blunders = [] if judged is None else sorted({each.step for each in judged.blunders})
    return Jumps(*_around(own, step), *_around(blunders, step), blunders=bool(blunders))


def _around(steps: Sequence[int], step: int) -> tuple[int, int]:
    """Return the nearest of some steps before and after one; the step itself where there is none."""
    return (
        max((each for each in steps if each < step), default=step),
        min((each for each in steps if each > step), default=step),
    )


def moves_page(reader: Reader, replays: Replays, wanted: str, seat: str) -> dict[str, Any]:
    """The context of a match's list of moves, as far as the viewer may know them."""
    match = reader.match(wanted)
    viewer = allowed_viewer(reader, match, seat)
    replay = replays.get(match)
    return {"match": match, "title": game_title(match.game)} | moves_part(reader, match, replay, viewer)


def moves_part(reader: Reader, match: StoredMatch, replay: Replay, viewer: Viewer) -> dict[str, Any]:
    """The context of the list alone."""
    judgement = judgement_of(reader.store, match) if viewer is Eyes.OPEN else None
    blunders = frozenset(each.step for each in judgement.blunders()) if judgement is not None else frozenset()
    return {
        "match": match,
        "moves": replay.moves(viewer),
        "viewer": viewer_name(viewer),
        "bots": match.seating,
        "blunders": blunders,
    }


@dataclass(frozen=True, slots=True)
class JudgementPanel:
    """A match page's judgement."""

    judgement: Judgement
    track: Track
    blunders: tuple[JudgedDecision, ...]
    more: int  # blunders that are not listed


def _judged(reader: Reader, match: StoredMatch, to_step: ToStep) -> JudgementPanel | None:
    """The judge's report on a match: each seat's curve, and the costliest decisions."""
    judgement = judgement_of(reader.store, match)
    if judgement is None or not judgement.curve:
        return None
    blunders = judgement.blunders()
    curves = [curve_of(judgement, seat) for seat in range(len(match.seating))]
    drawn = [
        CourseDot(
            each.step,
            each.seat,
            _points_at([(step, value) for step, value, _ in curves[each.seat]], each.step),
            to_step(match.id, each.step),
            f"step {each.step}, seat {each.seat}: {each.better} would have gained {text_of(each.gain, each.error)}",
        )
        for each in blunders[:MAX_BLUNDERS]
    ]
    return JudgementPanel(
        judgement,
        judged_track(curves, judgement.steps, drawn, _meaning(len(match.seating))),
        blunders[:MAX_BLUNDERS],
        len(blunders[MAX_BLUNDERS:]),
    )


def _meaning(seats: int) -> str:
    """Say what the points of the curve are, and that they do not add up to 100 at a table of more than two."""
    return (
        "Expected points by playouts: 100 is first and far ahead, 0 last"
        + (f", {50 * seats} in all at a table of {seats}" if seats > 2 else "")
        + "; bands are one standard error"
    )


def _points_at(curve: Sequence[tuple[int, float]], step: int) -> float:
    """The curve at a step, between its points."""
    before = max((point for point in curve if point[0] <= step), default=curve[0])
    after = min((point for point in curve if point[0] >= step), default=curve[-1])
    share = (step - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return before[1] + share * (after[1] - before[1])


def _scores(match: StoredMatch, replay: Replay) -> Markup | None:
    """Each seat's score over the match; None for a game without running scores."""
    curves = [replay.score_curve(seat) for seat in range(len(match.seating))]
    if not all(curves):
        return None
    about = "The score of every seat after each step."
    return score_course(curves, replay.steps, lambda score: score_of(match.game, score), about)


def _score_track(match: StoredMatch, replay: Replay) -> Track | None:
    """Each seat's score as the slider; None for a game without running scores."""
    curves = [replay.score_curve(seat) for seat in range(len(match.seating))]
    if not all(curves):
        return None
    return score_track(curves, replay.steps, lambda score: score_of(match.game, score), "Running score of each seat")


def _strip(course: Course, seats: int) -> Track:
    return strip(course.deciders, seats, "Who decided, step by step")


def _times(replay: Replay) -> Markup | None:
    about = "Each seat's thinking time, step by step."
    return think_times(replay.think_times, replay.steps, about) if replay.think_times else None


def live_part(live_match: LiveMatch, step: str) -> dict[str, Any]:
    """The context of one step of a live match, as far as a spectator may see."""
    course = live_match.course
    if course is None:
        raise NotFoundError(NOT_BEGUN)
    return {
        "moment": course.moment(step_of(step, live_match.steps, live_match.steps), Eyes.SPECTATOR),
        "steps": live_match.steps,
        "faults": (),
        "advice": (),
        "game": course.slug,
        "viewer": viewer_name(Eyes.SPECTATOR),
        "bots": live_match.fixture.seating,
    }


def live_page(live_match: LiveMatch, step: str) -> dict[str, Any]:
    """The context of a live match's page."""
    fixture, plan = live_match.fixture, live_match.running.plan
    found: dict[str, Any] = {
        "match_id": fixture.match_id,
        "fixture": fixture,
        "title": game_title(plan.settings.game_in(fixture.round).slug),
        "delay": live_match.delay,
        "has_begun": live_match.course is not None,
        "not_begun": NOT_BEGUN,
        "bots": fixture.seating,
    }
    if live_match.course is not None:
        # The strip would have to grow with the match: a plain track is drawn.
        found["track"] = strip((), len(fixture.seating), "Steps played so far")
    return found | live_part(live_match, step) if live_match.course is not None else found
