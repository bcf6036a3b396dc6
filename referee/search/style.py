"""Styles: how a search spends its budget, each idea a setting of its own, so that it can be measured alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """How a search spends its nodes."""

    races: bool = True
    """Whether moves race at the root: all survivors meet the same worlds equally often, and each lap drops half.

    Otherwise every node goes where a confidence bound is highest, as in the tree below, and most visits win.
    """
    width: float = 1.0
    """How many moves take part in the race: this times the square root of the budget, best rated first."""
    breadth: int = 4
    """Moves that a node of the tree looks at before its visits widen it."""
    explore: float = 0.05
    """The weight of the confidence bound."""
    patience: float = 5
    """Visits of a node before the tree grows beyond it; until then the game is played on from there."""
    trust: float = 2.0
    """The weight of the heuristic's ratings, in visits."""
    models_others: bool = False
    """Whether the others play by the heuristic with noise; otherwise the tree finds what is best for them."""
    is_noisy: bool = False
    """Whether rollouts play by the heuristic with noise."""
    reach: float = 1.0
    """How far rollouts go, in horizons of the game; at 0 the heuristic rates the leaf itself."""
    turns: int = 0
    """If above 0, rollouts end as our turn comes for the n-th time, and not after a number of steps.

    A number of steps ends one move's rollouts before the reply and another's after it, which no number of visits mends.
    """
    leaf_weight: float = 0.0
    """How much of a value is the heuristic's word on the leaf, rather than on the end of the rollout."""
    counts_shares: bool = True
    """Whether a value is the share of opponents likely to be beaten; otherwise the chance to be ahead of them all."""


BLIND = Style(races=False, breadth=1000, explore=0.7, trust=0.0)
"""Without a heuristic nothing is known of any move: all are looked at, in random rollouts to the end."""
