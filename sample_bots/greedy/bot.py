"""A bot that plays every game greedily: it rates every option and takes the best, the first one among equals."""

from __future__ import annotations

from typing import Any

# A bot runs in its own directory, so these are the pages beside this file.
import carcassonne_city  # type: ignore[import-not-found]
import furstenfeld  # type: ignore[import-not-found]
import norenberc  # type: ignore[import-not-found]
import nuremberg  # type: ignore[import-not-found]
from client import Question, main  # type: ignore[import-not-found]

from referee.rng import Rng

PAGES: dict[str, Any] = {page.__name__: page for page in (carcassonne_city, furstenfeld, norenberc, nuremberg)}


def choose(question: Question) -> int:
    """Return the best-rated option; of a game without a page the first."""
    page = PAGES.get(question.game.slug)
    if page is None:
        return 0
    # What a seat cannot know is drawn, always the same way, so that the same view is answered the same way.
    state = question.game.imagine(question.view, question.seat, Rng(0))
    ratings: list[float] = page.rate(state, question.seat, question.options)
    return ratings.index(max(ratings))


if __name__ == "__main__":
    main(choose, concurrency=16)
