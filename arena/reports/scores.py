"""Scores as people read them."""

from __future__ import annotations

from referee.games import GAMES


def score_text(game: str, score: int | None) -> str:
    """Return a score in the words of its game, a number where the game is not installed, and nothing for none."""
    if score is None:
        return ""
    try:
        return GAMES[game].score_text(score)
    except (KeyError, ValueError, ImportError):
        return str(score)
