"""Pages of strategy, one for every game of ours: what a position is worth, and which option looks best.

`sample_bots/greedy` plays by them, `sample_bots/search` looks ahead with them, and the judge of finished matches plays
on with them. A page is a module with two functions:

- `rate(state, seat, options)` says how good every option looks to the seat; the highest is played;
- `worths(state)` says what the position is worth to every seat.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.games import BUILT_IN


def page_of(slug: str) -> Any:
    """Return the page of strategy of a game; None for a game that has none, such as one that plugs in."""
    return import_module(f"{__name__}.{slug}") if slug in BUILT_IN else None
