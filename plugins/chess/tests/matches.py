"""Matches between engines in real processes, as `arena play` runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FAKE = Path(__file__).with_name("fake_engine.py")


@dataclass(frozen=True, slots=True)
class Played:
    """What `arena play` said, and the records it wrote."""

    plain: dict[str, Any]
    records: list[str]
    errors: str


def bot(folder: Path, engine: Sequence[str], *adapter: str) -> Path:
    """Write a bot directory by hand."""
    folder.mkdir()
    command = ["python3", "-m", "arena_chess.uci_bot", *adapter, "--", *engine]
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\ngames = ["chess"]\ncommand = {json.dumps(command)}\n')
    return folder


def fake(folder: Path, *words: str, limit: str = "nodes=1") -> Path:
    """Write a bot directory of the engine that plays the first legal move."""
    return bot(folder, [sys.executable, str(FAKE), *words], f"--limit={limit}")


def arena(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena, whose sandboxed bots may read the engine of these tests."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        env={**os.environ, "ARENA_SANDBOX_READ": str(FAKE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def arena_chess(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a command of the plug-in."""
    return subprocess.run(
        [sys.executable, "-m", "arena_chess", *map(str, words)], capture_output=True, text=True, check=False
    )


def play(folder: Path, bots: Sequence[Path], *options: str, matches: int = 1, sandbox: str = "off") -> Played:
    """Play matches and verify their records in a new process."""
    records = folder / "records"
    seats = [word for each in bots for word in ("--bot", str(each))]
    rules = [word for option in options for word in ("--option", option)]
    done = arena(
        "play", "chess", *seats, *rules, "--seed", 5, "--records", records, "--sandbox", sandbox, "--rotate",
        "--matches", matches, "--time", "join_ms=120000", "--json", "--quiet",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Played(json.loads(done.stdout), [file.read_text() for file in sorted(records.glob("*.jsonl"))], done.stderr)
