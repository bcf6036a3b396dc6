"""Matches: the list of the latest, the replay of each, and live matches as far as a spectator may see."""

from __future__ import annotations

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
from arena.web.charts import CourseDot, course, score_course, think_times
from arena.web.live import LiveMatch
from arena.web.pages.listing import number_in
from arena.web.rendering import game_title, score_of
from arena.web.replays import Eyes, Replay, Replays, Viewer
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
    match: StoredMatch, replay: Replay, step: int, viewer: Viewer, faults: Mapping[int, Sequence[BotFault]] = NO_FAULTS
) -> dict[str, Any]:
    """The context of one step of a replay; `faults` are the match's by step, as far as the reader may see."""
    return {
        "match": match,
        "game": match.game,
        "moment": replay.moment(step, viewer),
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
    at = step_of(step, replay.steps, 0)
    judged = scores = None
    if viewer is Eyes.OPEN:  # it shows the choices of every seat and depends on hidden cards
        judged = reader.kept(("judged", match.id), lambda: _judged(reader, match, to_step))
        scores = reader.kept(("scores", match.id), lambda: _scores(match, replay))
    return (
        found
        | {"report": told, "kinds": replay.kinds, "judged": judged, "scores": scores, "times": _times(replay)}
        | moment_part(match, replay, at, viewer, faults_of(reader.store, match, replay.record.result, may_read))
    )


@dataclass(frozen=True, slots=True)
class JudgementPanel:
    """A match page's judgement."""

    judgement: Judgement
    curve: Markup
    blunders: tuple[JudgedDecision, ...]
    more: int  # blunders that are not listed


def _judged(reader: Reader, match: StoredMatch, to_step: ToStep) -> JudgementPanel | None:
    """The judge's report on a match: each seat's curve, and the costliest decisions."""
    judgement = judgement_of(reader.store, match)
    if judgement is None or not judgement.curve:
        return None
    blunders = judgement.blunders()
    curves = [[(step, value) for step, value, _ in curve_of(judgement, seat)] for seat in range(len(match.seating))]
    drawn = [
        CourseDot(
            each.step,
            each.seat,
            _points_at(curves[each.seat], each.step),
            to_step(match.id, each.step),
            f"step {each.step}, seat {each.seat}: {each.better} would have gained {text_of(each.gain, each.error)}",
        )
        for each in blunders[:MAX_BLUNDERS]
    ]
    about = "Each seat's expected points of 100 after each step."
    return JudgementPanel(
        judgement, course(curves, judgement.steps, drawn, about), blunders[:MAX_BLUNDERS], len(blunders[MAX_BLUNDERS:])
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
    return found | live_part(live_match, step) if live_match.course is not None else found
