"""How long a test waits for what must come: seconds of an idle machine times one factor for all tests.

A bound taken from here is reached only if nothing comes at all; it measures nothing. `ARENA_TEST_PATIENCE` sets the
factor: by default ten, since on two processors with a dozen busy processes everything takes that many times as long.
"""

from __future__ import annotations

import os

VARIABLE = "ARENA_TEST_PATIENCE"
DEFAULT = 10.0
LIMIT, LONG_LIMIT = 12.0, 36.0
"""Seconds of an idle machine that a test may take in all, and one marked long or nightly."""


def factor() -> float:
    """Return how many times longer than on an idle machine things may take; a ValueError says what is wrong."""
    told = os.environ.get(VARIABLE, "")
    try:
        found = float(told) if told else DEFAULT
    except ValueError:
        found = 0.0
    if not 1 <= found <= 1_000:
        raise ValueError(f"{VARIABLE}: {told!r} is not allowed; expected a number from 1 to 1000")
    return found


def patience(seconds: float) -> float:
    """Return how long to wait for what takes at most this many seconds on an idle machine."""
    return seconds * factor()


def time_limit(*, is_long: bool) -> float:
    """Return the seconds after which a test has failed: 120 unless told otherwise, three times that for long ones."""
    return patience(LONG_LIMIT if is_long else LIMIT)
