"""The tuned bot in process, for `arena simulate` and for learners to play against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .choosing import chooser


def policy(arguments: list[str]) -> Callable[[Any], int]:
    """Return the bot as a function of a question; the arguments are those of its command."""
    return chooser(arguments)
