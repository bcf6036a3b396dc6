"""Bot directories of hostile bots and of the honest ones beside them, and what matches of theirs must come to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.bots.directory import BotDirectory, read_bot
from referee.game import Decision
from referee.playout import play
from referee.record import Record, places_after_forfeits
from tests.journeys.honest_bot import CHOICES

HERE = Path(__file__).parent
PROGRAMS = HERE / "hostile_bots"

Targets = Mapping[str, object]

FLOODS: dict[str, tuple[str, Targets]] = {
    "empty_frames": ("stream_flood", {}),
    "frames_of_many_messages": ("stream_flood", {"messages": 500_000}),
    "path_that_is_no_text": ("http2_flood", {"kind": "bad_path", "connections": 1}),
    "streams_without_hello": ("http2_flood", {"kind": "streams", "connections": 50}),
    "streams_that_are_reset": ("http2_flood", {"kind": "rapid_reset", "connections": 2}),
    "headers_that_grow": ("http2_flood", {"kind": "header_bomb", "connections": 2}),
    "many_connections": ("http2_flood", {"kind": "connections", "connections": 500}),
}
"""What a bot can send to its referee: the program, and what it is told."""

ATTACKS: dict[str, tuple[str, Targets]] = FLOODS | {
    name: (name, {})
    for name in (
        "answers_for_others", "clock_burner", "disk_fill", "endless_output", "escape", "fork_bomb", "impostor",
        "leaves_children", "memory_bomb", "self_killer", "shared_memory_bomb", "sleeper", "stubborn",
    )
} | {
    "empty_files": ("empty_files", {"max_files": 800_000}),
    "page_tables": ("page_tables", {"max_mb": 1_000}),
    "socket_buffers": ("socket_buffers", {"max_mb": 1_000}),
    "killer": ("killer", {"processes": [1_000, 2_000]}),
    "network": ("network", {"tcp": 9, "udp": 9, "unix": "/tmp/nothing", "abstract": "nothing"}),
    "spy": ("spy", {"files": ["/etc/passwd"], "link": "/etc/shadow", "home": "/root"}),
}  # fmt: skip
"""Every kind of attack, with targets that any machine has."""


def hostile_bot(
    folder: Path, program: str, memory_mb: int, targets: Mapping[str, object], name: str = ""
) -> BotDirectory:
    """Write a bot that attacks."""
    name = name or program
    directory = folder / name
    directory.mkdir()
    shutil.copy(PROGRAMS / "player.py", directory)
    shutil.copy(PROGRAMS / f"{program}.py", directory / "bot.py")
    (directory / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\nmemory_mb = {memory_mb}\n')
    (directory / "targets.json").write_text(json.dumps(targets))
    if "files" in targets:
        (directory / "peek").symlink_to(str(targets["link"]))
    return read_bot(directory)


def honest_bot(folder: Path, name: str) -> BotDirectory:
    """Write an honest bot that behaves as its name says."""
    directory = folder / name
    directory.mkdir()
    shutil.copy(HERE / "honest_bot.py", directory / "bot.py")
    manifest = f'name = "{name}"\ncommand = ["python3", "bot.py", "{name}"]\nconcurrency = 8\n'
    (directory / "bot.toml").write_text(manifest)
    return read_bot(directory)


def without_the_attack(record: Record, names: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return scores and places of the same match in which the hostile bots of these names harm nobody but themselves.

    Hostile bots play their first option, as the house does for a seat that has forfeited; they come last if they have.
    """
    state = record.game.new(len(names), record.header["seed"], record.options)

    def choose(decision: Decision, options: Sequence[Any]) -> Any:
        choice = CHOICES.get(names[decision.seat])
        return options[0 if choice is None else choice(len(options))]

    for _ in play(record.game, state, choose):
        pass
    outcome = record.game.outcome(state)
    assert outcome is not None
    forfeits = [
        None if name in CHOICES else failed for name, failed in zip(names, record.result["forfeited_at"], strict=True)
    ]
    return outcome.scores, places_after_forfeits(outcome.ranks, forfeits)
