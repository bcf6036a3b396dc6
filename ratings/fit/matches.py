"""T8: the matches of a pool, made ready for a fit once, and added to as rounds close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.fit.blocks import BlockLayout
from ratings.fit.likelihood import Likelihood
from ratings.points.finishes import Played, played, played_on
from ratings.points.result import Result


@dataclass(frozen=True)
class Matches:
    """Matches sorted by how they finished, their terms merged and their blocks laid out.

    What `with_more` makes is the same, to the last bit, as what all the matches make at once.
    """

    played: Played
    likelihood: Likelihood
    layout: BlockLayout

    @classmethod
    def of(cls, results: Sequence[Result]) -> Matches:
        """Make matches ready; there has to be one."""
        return cls.among(played(results))

    @classmethod
    def among(cls, whole: Played) -> Matches:
        """Make matches ready that are sorted."""
        return cls(whole, _likelihood(whole), BlockLayout.of(whole))

    def with_more(self, results: Sequence[Result]) -> Matches | None:
        """Add further matches of the same bots; None if one of them is new, for then all numbers change."""
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
