"""Boards: a position of any game as figures, drawn from views alone, so that a page knows what its reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from arena.web.boards import generic
from arena.web.boards.drawing import Drawing, Figure, Panel
from referee.game import AnyGame, Seat
from referee.games import BUILT_IN


def draw(game: AnyGame, view: Any, seats: Mapping[Seat, Any], seat_count: int) -> Drawing:
    """Draw the view of whoever looks on, and what the seats given know besides; a plug-in game is drawn as a table."""
    if game.slug not in BUILT_IN:
        return generic.draw(view, seats, seat_count)
    drawing: Drawing = import_module(f"arena.web.boards.{game.slug}").draw(view, seats)
    return drawing


__all__ = ["Drawing", "Figure", "Panel", "draw"]
