"""Live matches, as far as a spectator may see."""

from __future__ import annotations

from typing import Any

from arena.web.live import LiveMatch
from arena.web.pages.matches import step_of, viewer_name
from arena.web.rendering import game_title
from arena.web.replays import Eyes
from referee.mistakes import NotFoundError

NOT_BEGUN = "This match has not begun yet."


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
