"""The starter bots in every language, built once; a missing toolchain is loud, and in CI a failure."""

from __future__ import annotations

import fcntl
import functools
import subprocess
from collections.abc import Iterator

from arena.bots.directory import BotDirectory, read_bot
from tests import parts
from tests.journeys.commands import ROOT
from tests.parts import IS_CI
from tests.patience import patience

MISSING_TOOLCHAIN = 69  # what build.sh ends with
ALWAYS = ("python", "node", "cpp", *(("rust",) if IS_CI else ()))  # never left out in CI
WHERE_BUILT = {"go": "build/bot", "java": "build/bot.jar", "rust": "build/bot"}  # tested where somebody has built them


def _languages() -> Iterator[str]:
    yield from ALWAYS
    for language, made in WHERE_BUILT.items():
        if language not in ALWAYS and (ROOT / "sample_bots" / language / made).is_file():
            yield language


LANGUAGES = tuple(_languages())

# the command of the typed example
BREWERS = {
    "python": ["python3", "brewer.py"],
    "node": ["node", "brewer.js"],
    "cpp": ["./build/bot", "brewer"],
    "go": ["./build/bot", "brewer"],
    "rust": ["./build/bot", "brewer"],
    "java": ["java", "-Xmx256m", "-XX:+UseSerialGC", "-jar", "build/bot.jar", "brewer"],
}


def starter_bot(language: str) -> BotDirectory:
    """Return a starter bot, built; skip the test where its toolchain is missing."""
    reason = _build(language)
    if reason:
        parts.lack(language, reason)
    return read_bot(ROOT / "sample_bots" / language)


@functools.cache
def _build(language: str) -> str:
    """Build a bot, one process at a time, and return what is missing."""
    script = ROOT / "sample_bots" / language / "build.sh"
    if not script.is_file():
        return ""
    with script.open() as lock:  # a lock of its own in a directory that all users share could be somebody else's
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["sh", str(script)], capture_output=True, text=True, timeout=patience(60), check=False)
    if done.returncode == MISSING_TOOLCHAIN:
        return done.stderr.strip()
    assert done.returncode == 0, done.stderr
    return ""
