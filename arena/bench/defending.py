"""The cost of defending a result: what verifying, replaying and reproducing a tournament takes beside playing it.

Run as `arena bench defending`. Two tournaments of sample bots, a short and a longer one, are played and then checked
by every command of the how-to page, each in a process of its own; the time for a large one follows in proportion. The
exit code is 1 if anything differs, or if all matches of the short one played again take more than three times its
processor time: every match starts its bots again.
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
SEATS, BOTS = 3, ("python", "greedy", "python", "greedy", "python", "greedy")
SHORT, LONG = 2, 6  # rounds of two tournaments: what a command takes at all, and what it takes for every match
MATCHES = 1_000
MAX_TIMES = 3.0
WATCH_SECONDS = 0.02
CHECKS = {
    "arena ledger verify": ("ledger", "verify"),
    "arena ledger verify --replay": ("ledger", "verify", "--replay"),
    "arena ledger reproduce --sample 100%": ("ledger", "reproduce", "--sample", "100%"),
}


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
    spent: list[dict[str, float]] = []
    counts = []
    targets = Targets()
    for rounds in (SHORT, LONG):
        plan = f'name = "cup"\ngame = "{GAME}"\nrounds = {rounds}\nseats = {SEATS}\n{bots}'
        with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
            folder = Path(name)
            (folder / "cup.toml").write_text(plan, encoding="utf-8")
            _, playing, _ = measured(folder, "tournament", "run", "cup.toml", "--quiet")
            matches = _count(folder)
            costs = {"arena tournament run": playing}
            for command, words in CHECKS.items():
                said, costs[command], _ = measured(folder, *words)
        targets.check(f"reproduced {matches} of {matches}", f"reproduced        {matches}\n" in said)
        spent.append(costs)
        counts.append(matches)
    few, many = counts
    again = spent[0][command] / spent[0]["arena tournament run"]
    targets.check(f"{again:.1f} times the CPU time of playing {few} matches (at most {MAX_TIMES})", again <= MAX_TIMES)
    figures = Figures(
        (
            "Command",
            f"CPU-s, {few} matches",
            f"CPU-s, {many} matches",
            f"Minutes for {MATCHES:,} matches on one processor",
        )
    )
    short, long = spent
    for command, cost in long.items():
        of_one = (cost - short[command]) / (many - few)
        minutes = (cost + of_one * (MATCHES - many)) / 60
        figures.add(f"`{command}`", round(short[command], 1), round(cost, 1), round(minutes, 1))
    save("defending", {"commands": figures})
    return targets.exit_code


def _count(folder: Path) -> int:
    """Return how many matches the exported ledger has."""
    lines = measured(folder, "ledger", "export")[0].splitlines()
    return sum(json.loads(json.loads(line)["payload"])["kind"] == "MATCH" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
