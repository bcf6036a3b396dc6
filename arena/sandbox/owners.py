"""Ownership: names of temporary things carry a process id, so that stale ones of killed arenas can be removed."""

from __future__ import annotations

from pathlib import Path


def is_left(name: str, prefix: str) -> bool:
    """Return whether a name, `prefix` followed by a process id, belongs to a process that has ended."""
    owner = name.removeprefix(prefix).partition("-")[0]
    if not (owner.isascii() and owner.isdigit()):
        return False
    try:
        state = Path("/proc", owner, "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state in "ZX"  # ended, but not reaped yet
