"""This machine's time, used for all stored timestamps."""

from __future__ import annotations

from datetime import UTC, datetime


def local_now() -> datetime:
    """Return the present moment, with the zone of this machine."""
    return datetime.now(UTC).astimezone()
