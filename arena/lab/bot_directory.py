"""A trained policy as a bot directory: manifest, program, policy and what the policy reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from referee.games import GAMES

TEMPLATE = Path(__file__).parent / "example" / "bot"


def write_bot(directory: Path | str, game: str, *, policy: Path | str, files: Iterable[Path | str] = ()) -> None:
    """Write a bot directory for a game around a file that defines `choose(question)`; other files are copied too."""
    if game not in GAMES:
        raise ValueError(f"game: {game!r} is unknown; expected one of: {', '.join(GAMES)}")
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(TEMPLATE / "bot.py", folder)
    shutil.copy(policy, folder / "policy.py")
    for file in files:
        shutil.copy(file, folder)
    name = json.dumps(folder.resolve().name)
    manifest = f'name = {name}\ngames = ["{game}"]\ncommand = ["python3", "bot.py"]\nconcurrency = 16\n'
    (folder / "bot.toml").write_text(manifest, encoding="utf-8")
