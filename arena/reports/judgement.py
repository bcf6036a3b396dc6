"""Kept judgements, ready to be shown."""

from __future__ import annotations

from arena.analysis.judgement import JUDGE, Judgement, Worlds
from arena.store.database import Store
from arena.store.judgements import JudgementKey
from arena.store.rows import StoredMatch
from referee.game import Seat


def shown_order(key: JudgementKey) -> tuple[int, int]:
    """Return the sort key of a match's judgements: from what seats knew first, and the most thorough first."""
    return list(Worlds).index(Worlds(key.worlds)), -key.effort


def judgement_of(store: Store, match: StoredMatch, worlds: Worlds | None = None) -> Judgement | None:
    """Return the first judgement to show of a match, or the most thorough from some worlds; None while it is open."""
    kept = store.judgements.of(match.record_digest, JUDGE) if store.matches.is_settled(match) else []
    for key in sorted(kept, key=shown_order):
        if worlds in (None, key.worlds) and (content := store.judgements.text(key)) is not None:
            return Judgement.from_json(content)
    return None


def curve_of(judgement: Judgement, seat: Seat) -> list[tuple[int, float, float]]:
    """Return one seat's curve: step, points and their standard error."""
    return [(point.step, point.points[seat], point.errors[seat]) for point in judgement.curve]


def text_of(points: float, error: float, *, is_signed: bool = True) -> str:
    """Return points with their error, which is never shown as 0."""
    return f"{round(points):{'+' if is_signed else ''}d} ± {max(1, round(error))}"
