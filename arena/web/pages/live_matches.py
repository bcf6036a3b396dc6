"""Live matches, as far as a spectator may see."""

from __future__ import annotations

from typing import Any

from arena.web.broadcasts import Broadcast
from arena.web.pages.matches import step_of, viewer_name
from arena.web.pages.tournaments import name_of, version_of
from arena.web.rendering import game_title
from arena.web.replays import Eyes
from referee.mistakes import NotFoundError

NOT_BEGUN = "This match has not begun yet."


def live_part(broadcast: Broadcast, step: str) -> dict[str, Any]:
    """The context of one step of a live match, as far as a spectator may see."""
    course = broadcast.course
    if course is None:
        raise NotFoundError(NOT_BEGUN)
    return {
        "moment": course.moment(step_of(step, broadcast.steps, broadcast.steps), Eyes.SPECTATOR),
        "steps": broadcast.steps,
        "faults": (),
        "game": course.slug,
        "viewer": viewer_name(Eyes.SPECTATOR),
        "bots": broadcast.fixture.seating,
        "name_of": name_of,
        "version_of": version_of,
    }


def live_page(broadcast: Broadcast, step: str) -> dict[str, Any]:
    """The context of a live match's page."""
    fixture, plan = broadcast.fixture, broadcast.running.plan
    found: dict[str, Any] = {
        "match_id": fixture.match_id,
        "fixture": fixture,
        "title": game_title(plan.games[(fixture.round - 1) % len(plan.games)].slug),
        "delay": broadcast.delay,
        "has_begun": broadcast.course is not None,
        "not_begun": NOT_BEGUN,
        "bots": fixture.seating,
        "name_of": name_of,
        "version_of": version_of,
    }
    return found | live_part(broadcast, step) if broadcast.course is not None else found
