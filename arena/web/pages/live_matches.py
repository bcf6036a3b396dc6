"""Matches that are being played: what a spectator may see of them by now."""

from __future__ import annotations

from typing import Any

from arena.reports.reader import Reader
from arena.web.broadcasts import Broadcast
from arena.web.pages.matches import step_of, viewer_name
from arena.web.rendering import game_title
from arena.web.replays import Eyes
from referee.mistakes import NotFoundError

NOT_BEGUN = "This match has not begun yet."


def is_stored(reader: Reader, match_id: str) -> bool:
    """Tell whether a match is in the database."""
    return reader.store.has_match(match_id)


def live_part(broadcast: Broadcast, step: str) -> dict[str, Any]:
    """What one step of a match that is being played shows; never more than a spectator may see by now."""
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
    }


def live_page(broadcast: Broadcast, step: str) -> dict[str, Any]:
    """What the page of a match that is being played shows."""
    fixture, plan = broadcast.fixture, broadcast.running.plan
    found: dict[str, Any] = {
        "match_id": fixture.match_id,
        "fixture": fixture,
        "title": game_title(plan.settings.game_in(fixture.round).slug),
        "delay": broadcast.delay,
        "has_begun": broadcast.course is not None,
        "not_begun": NOT_BEGUN,
        "bots": fixture.seating,
    }
    return found | live_part(broadcast, step) if broadcast.course is not None else found
