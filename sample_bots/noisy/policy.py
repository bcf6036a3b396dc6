"""The noisy bot in process, for `arena simulate` and for learners to play against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .choosing import choose_in
from .slips import noise_of, slip


def policy(arguments: list[str]) -> Callable[[Any], int]:
    """Return the bot as a function of a question; the arguments are those of its command."""
    noise = noise_of(arguments)

    def answer(question: Any) -> int:
        index = slip(question.match_id, question.seat, question.prompt_id, question.option_count, noise)
        if index is None:
            index = choose_in(question.game, question.imagine, question.options, question.seat)
        return index

    return answer
