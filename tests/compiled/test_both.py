"""The same seeds on the source and compiled: all options, choices, events, views, prompts and digests are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from referee.native import MANIFEST, SWITCH, RunsAs
from tests.parts import lack

ROOT = Path(__file__).parents[2]


def played(switch: str) -> tuple[str, list[str]]:
    """What runs, and a line for every step."""
    command = [sys.executable, "-m", "tests.compiled.played"]
    environment = {**os.environ, SWITCH: switch}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr.strip(), done.stdout.splitlines()


def test_the_same_seeds_lead_to_the_same_everything() -> None:
    if not MANIFEST.exists():
        lack("compiled-modules", "make fast makes them")
    compiled, found = played("1")
    if compiled == RunsAs.STALE.value:
        lack("compiled-modules", "make fast rebuilds them")
    assert compiled == RunsAs.COMPILED.value
    source, expected = played("0")
    assert source == RunsAs.SWITCHED_OFF.value
    assert len(expected) > 20_000
    for line, other in zip(expected, found, strict=True):
        assert line == other
