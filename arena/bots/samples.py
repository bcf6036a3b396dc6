"""The sample bots, installed beside the arena."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from arena.bots.directory import MANIFEST, BotDirectory, read_bot
from referee.mistakes import UserError
from referee.setting import did_you_mean

RANDOM = "python"
"""The sample bot that `random` means, as for policies."""


def starter_bots() -> Path:
    """Return the directory of the sample bots; a UserError if they are not installed."""
    found = importlib.util.find_spec("sample_bots")
    if found is None or not found.submodule_search_locations:
        raise UserError("sample bots: not installed")
    return Path(found.submodule_search_locations[0])


def sample_names() -> tuple[str, ...]:
    """Return the names under which sample bots can be named wherever a bot directory can."""
    return ("random", *sorted(file.parent.name for file in starter_bots().glob(f"*/{MANIFEST}")))


def is_sample(name: str, folder: Path = Path()) -> bool:
    """Return whether a name means a sample bot: nothing of that name is in the folder."""
    return not (folder / name).exists() and name in sample_names()


def read_named(name: str, folder: Path = Path()) -> BotDirectory:
    """Read a bot by its directory or file, relative to a folder, or else the sample bot of that name."""
    if is_sample(name, folder):
        return read_bot(starter_bots() / (RANDOM if name == "random" else name))
    if "/" not in name and not (folder / name).exists() and (hint := did_you_mean(name, sample_names())):
        raise UserError(f"{folder / name}: not a bot directory{hint}")
    return read_bot(folder / name)
