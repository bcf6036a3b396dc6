"""The entrants of the demo: bots of different strength, none of which needs a download."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.bots.archive import make_root
from arena.bots.directory import MANIFEST, BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.sandbox.levels import SandboxPolicy, choose, search_path

SEARCH_NODES = (2, 8)
"""The budgets of the two searching bots: different enough to matter, small enough for a one-minute demo."""
BUILT = {
    "cpp": "build/bot",
    "go": "build/bot",
    "java": "build/bot.jar",
    "node": "build/node_modules",
    "rust": "build/bot",
}
"""The file in a starter bot's directory that shows that it is built."""
NODES = re.compile(r'"--nodes", "\d+"')


@dataclass(frozen=True, slots=True)
class DemoEntrants:
    """Who plays, and the starter bots that cannot, because they are not built or their language is missing."""

    bots: tuple[BotDirectory, ...]
    absent: tuple[str, ...]


def gather_entrants(folder: Path) -> DemoEntrants:
    """Return all bots that can play here; bots created for the demo are kept in a folder.

    Nothing is built: the quickest language takes half as long as the whole demo. `make bots` builds them all.
    """
    samples = starter_bots()
    make_root(folder)
    bots = [read_bot(samples / "python"), read_bot(samples / "greedy")]
    bots += [_searching(samples / "search", folder, nodes) for nodes in SEARCH_NODES]
    absent = []
    for language in BUILT:
        bot = _starter(samples / language, language)
        if bot is None:
            absent.append(f"random-{language}")
        else:
            bots.append(bot)
    return DemoEntrants(tuple(bots), tuple(absent))


def _searching(sample: Path, folder: Path, nodes: int) -> BotDirectory:
    """Copy the searching bot with its own budget: a bot is its files, so two budgets need two directories."""
    name = f"search-{nodes}"
    shutil.copytree(sample, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / name / MANIFEST
    text = manifest.read_text(encoding="utf-8").replace('name = "search"', f'name = "{name}"')
    manifest.write_text(NODES.sub(f'"--nodes", "{nodes}"', text), encoding="utf-8")
    return read_bot(folder / name)


def _starter(sample: Path, language: str) -> BotDirectory | None:
    """Return the starter bot of a language; None if it is not built, or if the program that runs it is missing."""
    if not (sample / BUILT[language]).exists():
        return None
    bot = read_bot(sample)
    program = bot.manifest.command[0]
    folders = os.pathsep.join(search_path(choose(SandboxPolicy.AUTO)))
    return bot if os.sep in program or shutil.which(program, path=folders) else None
