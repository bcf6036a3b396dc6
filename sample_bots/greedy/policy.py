"""The greedy bot in process, for `arena simulate` and for learners to play against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .choosing import choose_in


def policy(arguments: list[str]) -> Callable[[Any], int]:
    """Return the bot as a function of a question; the arguments are those of its command."""
    trades = "--trades" in arguments

    def answer(question: Any) -> int:
        return choose_in(question.game, question.imagine, question.options, question.seat, trades=trades)

    return answer
