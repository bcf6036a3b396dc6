"""T8: the matches of a pool, prepared for a fit once and extended as rounds close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.fit.blocks import BlockLayout
from ratings.fit.likelihood import Likelihood
from ratings.points.finishes import Played, played, played_on
from ratings.points.result import Result


@dataclass(frozen=True)
class Matches:
    """Matches grouped by finish, their terms merged and their blocks laid out.

    `with_more` gives the same, to the last bit, as all matches together.
    """

    played: Played
    likelihood: Likelihood
    layout: BlockLayout

    @classmethod
    def of(cls, results: Sequence[Result]) -> Matches:
        """Prepare matches; there must be at least one."""
        return cls.among(played(results))

    @classmethod
    def among(cls, whole: Played) -> Matches:
        """Prepare matches that are grouped already."""
        return cls(whole, _likelihood(whole), BlockLayout.of(whole))

    def with_more(self, results: Sequence[Result]) -> Matches | None:
        """Add matches of the same bots; None if a bot is new, since that changes all numbers."""
        if not results:
            return self
        found = played_on(self.played, results)
        if found is None:
            return None
        more, whole = found
        is_alike = self.likelihood.by_match == whole.is_mostly_alone
        likelihood = self.likelihood.with_more(more.finishes) if is_alike else _likelihood(whole)
        return Matches(whole, likelihood, self.layout.played_on(self.played, more, whole))


def _likelihood(whole: Played) -> Likelihood:
    return Likelihood.of(whole.finishes, len(whole.bots), by_match=whole.is_mostly_alone)
