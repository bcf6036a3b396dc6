"""The match to look at first: the one with the closest finish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from arena.store.rows import StoredMatch
from referee.order import Ending


@dataclass(frozen=True, slots=True)
class CloseFinish:
    """How a match ended at the top: the winner and who came next, with their scores."""

    match: StoredMatch
    winner: str
    winner_score: int
    runner_up: str
    runner_up_score: int
    is_shared: bool
    """Both are first."""

    @property
    def margin(self) -> Fraction:
        """The winner's lead as a share of the winner's score, so that games with large scores compare with others."""
        return Fraction(self.winner_score - self.runner_up_score, max(1, abs(self.winner_score)))


def closest_finish(matches: Iterable[StoredMatch]) -> CloseFinish | None:
    """Return the closest finish of all matches that every bot played to the end; the longest match among equals."""
    finishes = [_finish(match) for match in matches if _is_whole(match)]
    return min(finishes, key=lambda each: (each.margin, -each.match.decisions, each.match.id), default=None)


def _is_whole(match: StoredMatch) -> bool:
    return (
        match.void_reason is None
        and len(match.seating) > 1
        and all(ending is Ending.COMPLETED for ending in (match.ending, *match.seat_endings))
    )


def _finish(match: StoredMatch) -> CloseFinish:
    order = sorted(range(len(match.seating)), key=lambda seat: (match.places[seat], -match.scores[seat], seat))
    first, second = order[:2]
    return CloseFinish(
        match,
        match.seating[first],
        match.scores[first],
        match.seating[second],
        match.scores[second],
        is_shared=match.places[first] == match.places[second],
    )
