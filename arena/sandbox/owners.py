"""Owners: what a killed arena leaves behind carries the number of its process, so that others can clear it away."""

from __future__ import annotations

from pathlib import Path


def is_left(name: str, prefix: str) -> bool:
    """Tell whether a name of ours, `prefix` and then a process, is of one that has ended."""
    owner = name.removeprefix(prefix).partition("-")[0]
    if not (owner.isascii() and owner.isdigit()):
        return False
    try:
        state = Path("/proc", owner, "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state in "ZX"  # nobody has asked how it ended, but it has
