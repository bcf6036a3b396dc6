"""Greedy choice: every option is rated by the game's heuristic, and the best is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.game import AnyGame, can_imagine
from referee.rng import Rng

# The heuristics lie outside the directory whose hash is the bot's version: when one changes, this number goes up.
HEURISTICS = 2


def choose(game: AnyGame, view: Any, options: Sequence[Any], seat: int, *, trades: bool = False) -> int:
    """Return the best-rated option, the first one among equals; of a game without a heuristic the first.

    With `trades` a heuristic that can propose trades does so.
    """
    return choose_in(game, lambda rng: game.imagine(view, seat, rng), options, seat, trades=trades)


def choose_in(
    game: AnyGame, imagine: Callable[[Rng], Any], options: Sequence[Any], seat: int, *, trades: bool = False
) -> int:
    """Return the best-rated option in a state that the seat cannot tell from the real one, which `imagine` draws."""
    heuristic = game.heuristic()
    if heuristic is None or not can_imagine(game):
        return 0
    # What a seat cannot know is drawn, always the same way, so that the same view is answered the same way.
    state = imagine(Rng(0))
    rate = (trades and heuristic.rate_trading) or heuristic.rate
    ratings = rate(state, seat, options)
    return ratings.index(max(ratings))
