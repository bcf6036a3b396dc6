"""The champion in process, for `arena simulate` and for learners to play against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bot import answer, budget_of


def policy(arguments: list[str]) -> Callable[[Any], int]:
    """Return the bot as a function of a question; the arguments are those of its command."""
    limits = budget_of(arguments)
    return lambda question: answer(question, limits.nodes, limits.ms)
