"""Bots for the journeys: real directories, real processes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
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


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where temporary files go: short for every user, for the path of a socket has at most 107 bytes."""
    tmp_path_factory.getbasetemp()  # first, so that pytest's own folder is not made in there
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        monkeypatch.setattr("tempfile.tempdir", folder)
        yield Path(folder)
