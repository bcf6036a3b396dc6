"""Parts of a machine that only some tests need: without one they are skipped by its name, and in CI they fail.

A run that proves what happens without a part names it: `pytest --lacking bubblewrap,browser`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

from arena.sandbox.landlock import missing as missing_landlock
from arena.sandbox.levels import Level, detect

IS_CI = os.environ.get("CI") == "true"
PARTS = (
    "bubblewrap", "landlock", "control-groups", "root", "browser", "openssl", "haproxy", "systemd-analyze", "buf",
    "node", "cpp", "go", "java", "rust", "compiled-modules", "stable-baselines3", "plugins", "stockfish",
)  # fmt: skip


def lack(part: str, detail: str) -> NoReturn:
    """Skip the running test for want of a part."""
    assert part in PARTS, part
    pytest.skip(f"needs {part}: {detail}")


def sandbox_for_untrusted_bots() -> Level:
    """Return the level in force where it holds untrusted bots; skip the test where none does."""
    found = detect()
    if not found.level.holds_untrusted_bots:
        lack("bubblewrap", found.reasons[Level.DEFAULT])
    return found.level


def landlock() -> None:
    """Skip the test where the kernel has no Landlock that is new enough."""
    reason = missing_landlock()
    if reason:
        lack("landlock", reason)


def root() -> None:
    """Skip the test for everybody but root."""
    if os.getuid() != 0:
        lack("root", "only root gives bots uids of their own")


def program(part: str) -> str:
    """Return where the program of a part is installed; skip the test where it is not."""
    # Debian keeps programs for administrators and games where an ordinary user may not look.
    found = shutil.which(part, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/games")
    return found if found is not None else lack(part, "it is not installed")


def part_of(reason: str) -> str:
    """Return the part for want of which a test was skipped, or nothing if it was for another reason."""
    named = re.match(r"(?:Skipped: )?needs ([\w-]+):", reason)
    return named[1] if named is not None else ""


def tally(reasons: Iterable[str]) -> str:
    """Say in one line how many tests were skipped for what."""
    given = [(part_of(reason), reason.removeprefix("Skipped: ")) for reason in reasons]
    counts = Counter(f" for want of {part}" if part else f": {reason}" for part, reason in given)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "skipped: " + (", ".join(f"{count}{what}" for what, count in ranked) or "none")
