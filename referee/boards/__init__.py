"""Boards: a position of any game as figures, drawn from views alone, so that a page reveals nothing hidden."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.boards import generic
from referee.drawing import Drawing
from referee.game import AnyGame, Seat

STYLE = Path(__file__).with_name("boards.css")
"""The style of boards: the light colours, and every class that a figure uses."""


def draw(game: AnyGame, view: Any, seats: Mapping[Seat, Any], seat_count: int) -> Drawing:
    """Draw a view, and the hidden knowledge of the given seats; a game without a board is drawn as a table."""
    return game.board(view, seats) or generic.draw(view, seats, seat_count)
