"""Greedy choice: every option is rated by the game's page of strategy, and the best is taken."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from referee.game import AnyGame
from referee.games import BUILT_IN
from referee.rng import Rng


def page_of(slug: str) -> Any:
    """Return the page of strategy of a game, which lies beside this file; None for a game without one."""
    if slug not in BUILT_IN:
        return None
    return import_module(f"{__package__}.{slug}" if __package__ else slug)


def choose(game: AnyGame, view: Any, options: Sequence[Any], seat: int, *, trades: bool = False) -> int:
    """Return the best-rated option, the first one among equals; of a game without a page the first.

    With `trades` a page that can propose trades does so.
    """
    page = page_of(game.slug)
    if page is None:
        return 0
    # What a seat cannot know is drawn, always the same way, so that the same view is answered the same way.
    state = game.imagine(view, seat, Rng(0))
    rate = getattr(page, "rate_trading", page.rate) if trades else page.rate
    ratings: list[float] = rate(state, seat, options)
    return ratings.index(max(ratings))
