"""Bot directories of hostile bots and of the honest ones beside them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from arena.bots.directory import BotDirectory, read_bot

HERE = Path(__file__).parent
PROGRAMS = HERE / "hostile_bots"

FLOODS: dict[str, tuple[str, Mapping[str, object]]] = {
    "empty frames": ("stream_flood", {}),
    "frames of many messages": ("stream_flood", {"messages": 500_000}),
    "a path that is no text": ("raw_http2", {"kind": "bad_path", "connections": 1}),
    "streams without a hello": ("raw_http2", {"kind": "streams", "connections": 50}),
    "streams that are reset": ("raw_http2", {"kind": "rapid_reset", "connections": 2}),
    "headers that grow": ("raw_http2", {"kind": "header_bomb", "connections": 2}),
    "connections": ("raw_http2", {"kind": "connections", "connections": 500}),
}
"""What a bot can send to its referee: the program, and what it is told."""


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
