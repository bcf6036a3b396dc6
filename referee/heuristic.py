"""Heuristics: what a game says of its own strategy, for `greedy`, `search`, the look-ahead service and the judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

TO_THE_END = 1_000_000  # steps: more than any match has
NEVER = -50.0  # what is rated lower is never played, not even by a noisy policy

RateOptions: TypeAlias = Callable[[Any, int, Sequence[Any]], list[float]]
"""Rates the options of a seat in a state; the highest is played."""


@dataclass(frozen=True, slots=True)
class Heuristic:
    """How good options look, and what a position is worth."""

    rate: RateOptions
    worths: Callable[[Any], list[float]]
    """Returns what a position is worth to every seat, in points of the game's scale."""
    rate_trading: RateOptions | None = None
    """A `rate` that proposes trades too, in a game that has them."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How far rollouts of a game go, and how much a lead says; by default they go to the end."""

    lead: float = 1.0
    """A lead of this many points makes a position about three quarters won."""
    drift: float = 0.0
    """How much more uncertain a lead is for every step that is still to come, as a variance."""
    horizon: int = TO_THE_END
    """After how many decisions a search cuts its rollouts."""
    sights: tuple[int, int, int] = (TO_THE_END,) * 3
    """After how many steps the judge cuts a rollout, by how far it wants to see: short, long and far."""
    near: int = 0
    """Within how many steps of the end the judge does not cut any rollout."""
    max_rated: int = 1000
    """Of more options than these, a sample of this size is rated in rollouts."""
