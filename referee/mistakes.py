"""Mistakes of whoever asked: one clear line for each, and never a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Whoever asked made a mistake; the message says in one line what was wrong and what was expected."""


class NotFoundError(UserError):
    """What was asked for is not there."""
