"""Errors taken out of exception groups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unwrapped(*kinds: type[Exception]) -> Iterator[None]:
    """Raise the first error of some kinds by itself if a group holds nothing else.

    `except*` does not do: until Python 3.11.4 what is raised there comes in a group of its own.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        if group.split(kinds)[1] is not None:
            raise
        raise first(group) from None


def first(error: BaseException) -> BaseException:
    """Return the first error in a group of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
