"""Mistakes of whoever asked: one clear line for each, and never a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Whoever asked made a mistake; the message says in one line what was wrong and what was expected."""

    def __init__(self, message: object = "") -> None:
        # What is quoted, such as the path of a file, may have line breaks of its own.
        super().__init__(" ".join(str(message).splitlines()))


class NotFoundError(UserError):
    """What was asked for is not there."""
