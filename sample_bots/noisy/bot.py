"""A bot that plays every game greedily, but for slips: the more of them, the weaker it is."""

from __future__ import annotations

import sys

# A bot runs in its own directory, so these are the files beside this one.
from choosing import choose  # type: ignore[import-not-found]
from client import Question, main  # type: ignore[import-not-found]
from slips import noise_of, slip  # type: ignore[import-not-found]


def answer(question: Question, noise: int) -> int:
    """Return the option that looks best, or that of a slip."""
    options = question.options
    index: int | None = slip(question.match_id, question.seat, question.prompt_id, len(options), noise)
    if index is None:
        index = choose(question.game, question.view, options, question.seat)
    return index


if __name__ == "__main__":
    noise = noise_of(sys.argv[1:])
    main(lambda question: answer(question, noise), concurrency=16)
