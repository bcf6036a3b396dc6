"""The cost of defending a result: what verifying, replaying and reproducing a tournament takes beside playing it.

Run as `arena bench defending`. A tournament of sample bots is played and then checked by every command of the how-to
page, each in a process of its own. The exit code is 1 if anything differs, or if all matches played again take more
than three times the processor time of the tournament: every one starts its bots again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from arena.bench.figures import Figures, Targets, save
from arena.bench.process_cost import cpu_seconds
from arena.bots.samples import starter_bots
from arena.sandbox.processes import family

GAME = "norenberc"
SEATS, ROUNDS, BOTS = 3, 2, ("python", "greedy", "python", "greedy", "python", "greedy")
MAX_TIMES = 3.0
WATCH_SECONDS = 0.02


def measured(folder: Path, *words: str) -> tuple[str, float, float]:
    """Run a command and return its output, the processor time of all its processes as last seen, and its time.

    The kernel keeps no account of bots that end with their sandbox, so they are watched while they run.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    spent: dict[int, float] = {}
    with tempfile.TemporaryFile("w+") as out:
        began = time.monotonic()
        process = subprocess.Popen([sys.executable, "-m", "arena", *words], cwd=folder, env=environment, stdout=out)
        while process.poll() is None:
            for pid in family(process.pid):
                with suppress(OSError, KeyError):  # it has ended meanwhile
                    spent[pid] = cpu_seconds(pid)
            time.sleep(WATCH_SECONDS)
        seconds = time.monotonic() - began
        out.seek(0)
        said = out.read()
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}: {said}")
    return said, sum(spent.values()), seconds


def main() -> int:
    """Print the figures; exit code 1 if a target was missed."""
    bots = "".join(
        f'[[bot]]\npath = "{starter_bots() / name}"\nname = "bot{number}"\n' for number, name in enumerate(BOTS)
    )
    plan = f'name = "cup"\ngame = "{GAME}"\nrounds = {ROUNDS}\nseats = {SEATS}\n{bots}'
    figures = Figures(("Command", "CPU-seconds", "Seconds", "CPU-seconds a match"))
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        (folder / "cup.toml").write_text(plan, encoding="utf-8")
        _, playing, seconds = measured(folder, "tournament", "run", "cup.toml", "--quiet")
        matches = _count(folder)
        figures.add(f"`arena tournament run`, {matches} matches", *_rounded(playing, seconds, matches))
        costs = {}
        for words in (
            ("ledger", "verify"),
            ("ledger", "verify", "--replay"),
            ("ledger", "reproduce", "--sample", "100%"),
        ):
            said, costs[words], seconds = measured(folder, *words)
            figures.add(f"`arena {' '.join(words)}`", *_rounded(costs[words], seconds, matches))
    save("defending", {"commands": figures})
    targets = Targets()
    targets.check(f"reproduced {matches} of {matches}", f"reproduced        {matches}\n" in said)
    again = costs[words]
    targets.check(
        f"{again / playing:.1f} times the CPU time of playing (at most {MAX_TIMES})", again <= MAX_TIMES * playing
    )
    return targets.exit_code


def _count(folder: Path) -> int:
    """Return how many matches the exported ledger has."""
    lines = measured(folder, "ledger", "export")[0].splitlines()
    return sum(json.loads(json.loads(line)["payload"])["kind"] == "MATCH" for line in lines)


def _rounded(cpu: float, seconds: float, matches: int) -> tuple[float, float, float]:
    return round(cpu, 1), round(seconds, 1), round(cpu / matches, 2)


if __name__ == "__main__":
    sys.exit(main())
