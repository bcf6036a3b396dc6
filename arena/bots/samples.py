"""The sample bots, installed beside the arena."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from referee.mistakes import UserError


def starter_bots() -> Path:
    """Return the directory of the sample bots; a UserError if they are not installed."""
    found = importlib.util.find_spec("sample_bots")
    if found is None or not found.submodule_search_locations:
        raise UserError("sample bots: not installed")
    return Path(found.submodule_search_locations[0])
