"""A bot directory for an engine: a manifest that runs the adapter with the engine and its settings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from arena_chess.engine import Engine, EngineError, find_engine
from arena_chess.limits import read_limits
from arena_chess.uci_bot import hash_of

from arena.bots.directory import MANIFEST
from arena.bots.names import fault_of
from referee.mistakes import UserError

OWN_MB = 256
"""The memory of the adapter and of an engine without its hash table."""
DEFAULT_HASH_MB = 16


def write_bot(
    directory: Path, name: str, engine: Sequence[str], settings: Sequence[str], limits: Sequence[str], *,
    is_deterministic: bool,
) -> str:  # fmt: skip
    """Write a bot directory, once the engine has started with these settings; return what the engine calls itself.

    The manifest holds the hash of the engine's file: another engine is another bot, and is refused under this one.
    """
    if fault := fault_of(name):
        raise UserError(f"--name: {fault}")
    read = read_limits(list(limits))
    if is_deterministic and not read.is_deterministic:
        raise UserError("--deterministic: an engine that reads a clock is not; expected --limit nodes=N or depth=N")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UserError(f"DIR: {directory} exists already, and is not empty")
    for setting in settings:
        if "=" not in setting:
            raise UserError(f"--set: {setting!r} is not NAME=VALUE")
    try:
        program = find_engine(engine[0])
        tried = Engine([program, *engine[1:]], settings)
        asyncio.run(_try(tried))
    except EngineError as error:
        raise UserError(str(error)) from None
    command = ["python3", "-m", "arena_chess.uci_bot", f"--sha256={hash_of(program)}"]
    command += [f"--limit={limit}" for limit in limits]
    command += [f"--set={setting}" for setting in settings]
    command += ["--", str(Path(program).resolve()), *engine[1:]]
    lines = [
        f"# {tried.name}",
        f"name = {json.dumps(name)}",
        'games = ["chess"]',
        "command = [",
        *(f"    {json.dumps(word)}," for word in command),
        "]",
        f"memory_mb = {OWN_MB + hash_mb(settings)}",
    ]
    if is_deterministic:
        lines.append("deterministic = true")
    directory.mkdir(parents=True, exist_ok=True)
    (directory / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tried.name


async def _try(engine: Engine) -> None:
    try:
        await engine.start()
    finally:
        await engine.stop()


def hash_mb(settings: Sequence[str]) -> int:
    """Return the size of the hash table that the settings ask for."""
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.lower() == "hash" and value.isascii() and value.isdigit():
            return int(value)
    return DEFAULT_HASH_MB
