"""A bot that plays every game greedily."""

from __future__ import annotations

import sys

# A bot runs in its own directory, so these are the files beside this one.
from choosing import choose  # type: ignore[import-not-found]
from client import Question, main  # type: ignore[import-not-found]

TRADES = "--trades" in sys.argv[1:]  # propose trades too, in the game that has them


def answer(question: Question) -> int:
    """Return the option that looks best."""
    index: int = choose(question.game, question.view, question.options, question.seat, trades=TRADES)
    return index


if __name__ == "__main__":
    main(answer, concurrency=16)
