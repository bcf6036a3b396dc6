"""Greedy choice: every option is rated by the game's page of strategy, and the best is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.game import AnyGame
from referee.rng import Rng
from referee.strategy import page_of

# The pages that this bot plays by, by the hash of their files. They lie outside the directory whose hash is the bot's
# version, so a page that changes has its new hash noted here.
PAGES = {
    "carcassonne_city": "6417e58eec3133f0",
    "furstenfeld": "7d81d9a93e1348c6",
    "norenberc": "8f70e19cf6c80b9d",
    "nuremberg": "21f55d68927aeee2",
}


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
