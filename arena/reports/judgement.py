"""What the judge says of a match, ready to be shown: the curve of every seat, the marks, and where judges disagree.

`judgement_of(store, match)` is the one question that a page asks: it gives a `Judgement` (`arena.analysis.judgement`),
or None while there is none or the round of the match is open. Of it a page draws

- `judge`, `worlds`, `effort` and `is_weak`: who judged how; a weak judge knows no strategy for this game;
- `curve`: points with `step` (0 is the set-up), and by seat `points` of 100 and their standard `errors`;
- `marks(seat)`: the decisions to jump to, the costliest first, each with `step`, `seat`, `kind`, `clause`, `chosen`,
  `better`, `gain` and `error`, and in `second` what the second judge says: `agrees`, `unsure` or `disagrees`;
- `seats`: where each started and ended, and what its own choices and those of the others brought it;
- `swing`: how dramatic the match was.

Figures are never shown as certain: `text_of(gain, error)` writes them with an error that is at least 1.
"""

from __future__ import annotations

from arena.analysis.judgement import JUDGE, Judgement, Opinion, Worlds
from arena.store.database import Store
from arena.store.judgements import JudgementKey
from arena.store.rows import StoredMatch
from referee.game import Seat

__all__ = ["Judgement", "Opinion", "Worlds", "curve_of", "disagreements", "judgement_of", "judgements_of", "text_of"]


def judgements_of(store: Store, match: StoredMatch) -> list[JudgementKey]:
    """Return what is kept of a match, in the order in which it is shown: what seats knew first, the thorough first."""
    if not store.matches.is_settled(match):
        return []
    order = list(Worlds)
    kept = store.judgements.of(match.record_digest, JUDGE)
    return sorted(kept, key=lambda key: (order.index(Worlds(key.worlds)), -key.effort))


def judgement_of(store: Store, match: StoredMatch, worlds: Worlds | None = None) -> Judgement | None:
    """Return the judgement of a match to be shown first, or the most thorough from such worlds; None if there is none.

    Nobody learns anything of a match whose round is open.
    """
    for key in judgements_of(store, match):
        if worlds in (None, key.worlds) and (content := store.judgements.text(key)) is not None:
            return Judgement.from_json(content)
    return None


def curve_of(judgement: Judgement, seat: Seat) -> list[tuple[int, float, float]]:
    """Return one seat's curve: step, points, and the standard error of them."""
    return [(point.step, point.points[seat], point.errors[seat]) for point in judgement.curve]


def disagreements(judgement: Judgement) -> list[tuple[int, Seat]]:
    """Return step and seat of the marks that the second judge holds for wrong."""
    return [
        (mark.step, mark.seat)
        for mark in judgement.marks()
        if mark.second is not None and mark.second.opinion is Opinion.DISAGREES
    ]


def text_of(points: float, error: float, *, is_signed: bool = True) -> str:
    """Return points with their error as people read them; the error is never shown as nothing."""
    return f"{round(points):{'+' if is_signed else ''}d} ± {max(1, round(error))}"
