"""T13.8: the versions of the rating formulas, as a game has versions of its rules.

A pool says by which version it is rated. Change a formula and give it a new number here: ledgers of the old number go
on verifying by what they were made with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ratings.points import elo

FIRST = 1
"""Of pools that were opened before versions were written down."""
CURRENT = 2


@dataclass(frozen=True, slots=True)
class Formula:
    """What a version stands for."""

    factor: Callable[[int], int]
    """T9.3: K of the running Elo, by games."""
    fit: str
    """T8: how the rating of record is fitted."""


FORMULAS = {
    FIRST: Formula(elo.factor, "a fixed prior of 2 nat"),
    CURRENT: Formula(elo.factor, "a prior learned from the pool"),
}
