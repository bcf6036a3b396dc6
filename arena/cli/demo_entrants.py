"""The entrants of the demo: bots of different strength, none of which needs a download."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.rungs import Rung, written_out
from arena.bots.samples import starter_bots
from arena.sandbox.levels import SandboxPolicy, choose, search_path

PLAYERS = (
    Rung(0, "python", "random", (), None),
    Rung(0, "noisy", "noisy-50", ("--noise", "50"), None),
    Rung(0, "greedy", "greedy", (), None),
    Rung(0, "tuned", "tuned", (), None),
)
"""Rungs of every game's ladder, from random play to the strongest that answers within a millisecond, weakest first."""
BUILT = {
    "cpp": "build/bot",
    "go": "build/bot",
    "java": "build/bot.jar",
    "node": "build/node_modules",
    "rust": "build/bot",
}
"""The file in a starter bot's directory that shows that it is built."""


@dataclass(frozen=True, slots=True)
class DemoEntrants:
    """Who plays, and the starter bots that cannot, because they are not built or their language is missing."""

    bots: tuple[BotDirectory, ...]
    absent: tuple[str, ...]


def gather_entrants() -> DemoEntrants:
    """Return all bots that can play here.

    Nothing is built: the quickest language takes half as long as the whole demo. `make bots` builds them all.
    """
    samples = starter_bots()
    bots = list(map(written_out, PLAYERS))
    absent = []
    for language in BUILT:
        bot = _starter(samples / language, language)
        if bot is None:
            absent.append(f"random-{language}")
        else:
            bots.append(bot)
    return DemoEntrants(tuple(bots), tuple(absent))


def _starter(sample: Path, language: str) -> BotDirectory | None:
    """Return the starter bot of a language; None if it is not built, or if the program that runs it is missing."""
    if not (sample / BUILT[language]).exists():
        return None
    bot = read_bot(sample)
    program = bot.manifest.command[0]
    folders = os.pathsep.join(search_path(choose(SandboxPolicy.AUTO)))
    return bot if os.sep in program or shutil.which(program, path=folders) else None
