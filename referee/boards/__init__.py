"""Boards: a position of any game as figures, drawn from views alone, so that a page knows what its reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from referee.boards import generic
from referee.boards.drawing import Drawing, Figure, Panel
from referee.game import AnyGame, Seat
from referee.games import BUILT_IN

STYLE = Path(__file__).with_name("boards.css")
"""What boards look like: the colours by day, and every class that a figure uses."""


def draw(game: AnyGame, view: Any, seats: Mapping[Seat, Any], seat_count: int) -> Drawing:
    """Draw the view of whoever looks on, and what the seats given know besides; a plug-in game is drawn as a table."""
    if game.slug not in BUILT_IN:
        return generic.draw(view, seats, seat_count)
    drawing: Drawing = import_module(f"referee.boards.{game.slug}").draw(view, seats)
    return drawing


__all__ = ["STYLE", "Drawing", "Figure", "Panel", "draw"]
