"""Bots for the journeys: real directories, real processes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.directory import BotDirectory, read_bot

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
RANDOM_BOT = ROOT / "sample_bots" / "python"


@pytest.fixture
def make_bot(tmp_path: Path) -> Callable[[str], BotDirectory]:
    """Return a maker of bots that misbehave in the way given."""

    def make(behaviour: str) -> BotDirectory:
        folder = tmp_path / behaviour
        folder.mkdir(exist_ok=True)
        shutil.copy(HERE / "misbehaving_bot.py", folder / "bot.py")
        manifest = f'name = "{behaviour}"\ncommand = ["python3", "bot.py", "{behaviour}"]\nconcurrency = 4\n'
        (folder / "bot.toml").write_text(manifest)
        return read_bot(folder)

    return make


@pytest.fixture(scope="session")
def random_bot() -> BotDirectory:
    return read_bot(RANDOM_BOT)
