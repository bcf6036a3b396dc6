"""Errors of the user: one clear line for each, and never a traceback."""

from __future__ import annotations


class UserError(Exception):
    """The user made a mistake; the message says in one line what was wrong and what was expected."""

    def __init__(self, message: object = "") -> None:
        # Quoted text, such as a file's path, may contain line breaks.
        super().__init__(" ".join(str(message).splitlines()))


class NotFoundError(UserError):
    """The requested thing does not exist."""
