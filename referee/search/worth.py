"""What places and leads are worth: numbers from 0 to 1 for every seat."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp


def by_place(ranks: Sequence[int]) -> list[float]:
    """Return for every seat the share of the others that it beat, a tie counting half."""
    others = len(ranks) - 1
    return [
        (sum([other > rank for other in ranks]) + (sum([other == rank for other in ranks]) - 1) / 2) / others
        for rank in ranks
    ]


def by_lead(worths: Sequence[float], lead: float) -> list[float]:
    """Return for every seat the probability of winning that its lead over the best of the others suggests."""
    return [_squash((own - max([*worths[:seat], *worths[seat + 1 :]])) / lead) for seat, own in enumerate(worths)]


def by_leads(worths: Sequence[float], lead: float) -> list[float]:
    """Return for every seat the share of the others that its leads over them suggest it will beat."""
    found, others = [], len(worths) - 1
    for seat, own in enumerate(worths):
        total = 0.0
        for at, other in enumerate(worths):
            if at != seat:
                total += _squash((own - other) / lead)
        found.append(total / others)
    return found


def _squash(lead: float) -> float:
    """Return a lead as a chance: 0 is even, 1 is three quarters."""
    return 1 / (1 + exp(-lead if -30.0 < lead < 30.0 else -30.0 if lead > 0 else 30.0))
