"""How long the first game takes: the page "Your first game in forty lines", typed out and run from an empty directory.

Run as `arena bench first_game` in a checkout. Every step of the page is timed: packaging, the tests of the contract, a
match of a Python and a Node bot over gRPC, its replay and judgement, a tournament, learning. It needs npm for the Node
bot. The exit code is 1 if a step fails.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from arena.bench.figures import Figures, save

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "your_first_game.md"
FILE = re.compile(r"`(\w+\.\w+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```(?:console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OFFLINE = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet")  # what it needs is installed here


@dataclass(frozen=True, slots=True)
class Ran:
    """One command of the page."""

    line: str
    seconds: float
    done: subprocess.CompletedProcess[str]


def files_of(page: str) -> dict[str, str]:
    """Return the files that a page has its reader write."""
    return dict(FILE.findall(page))


def commands_of(page: str) -> list[str]:
    """Return the commands of a page, in their order."""
    return [line for block in COMMANDS.findall(page) for line in block.splitlines()]


def typed_out(folder: Path) -> Iterator[Ran]:
    """Write the files of the page into an empty folder, and run its commands one after another."""
    page = PAGE.read_text("utf-8")
    for name, text in files_of(page).items():
        (folder / name).write_text(text, "utf-8")
    site = folder / "site"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)])}
    for line in commands_of(page):
        program, *words = shlex.split(line)
        words = list(
            chain.from_iterable(map(str, sorted(folder.glob(word))) if "*" in word else [word] for word in words)
        )
        run = {
            "arena": [sys.executable, "-m", "arena", *words],
            "python": [sys.executable, *words],
            "pip": [sys.executable, "-m", "pip", *words, *OFFLINE, "--target", str(site)],
        }[program]
        start = time.monotonic()
        done = subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        yield Ran(line, time.monotonic() - start, done)


def main() -> int:
    """Print the seconds of every step; exit code 1 if one fails."""
    figures = Figures(("Step", "Seconds"))
    whole = 0.0
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        for ran in typed_out(Path(name)):
            if ran.done.returncode:
                print(ran.done.stdout, ran.done.stderr, sep="\n")
                return 1
            figures.add(f"`{ran.line}`", round(ran.seconds, 1))
            whole += ran.seconds
    figures.add("all together", round(whole, 1))
    lines = Figures(("File", "Lines"))
    for file, text in files_of(PAGE.read_text("utf-8")).items():
        lines.add(f"`{file}`", len(text.splitlines()))
    save("first_game", {"steps": figures, "lines": lines})
    return 0


if __name__ == "__main__":
    sys.exit(main())
