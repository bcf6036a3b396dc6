"""The cost of starting: the command line compared with bare Python, and a whole tournament of four matches.

Run as `arena bench startup`. Each figure is CPU time, user and system together: for commands the fastest of several
runs, for the tournament the cheapest run, by process. Its bots are left out, but the cost of playing its four matches
is included. The exit code is 1 when the help or the tournament takes more than its limit.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from arena.bench.figures import Figures, Targets, save
from arena.bench.process_cost import cpu_seconds
from arena.bots.samples import starter_bots
from arena.sandbox.processes import family
from referee.native import running

LIMIT_MS = 300
RUNS = 7
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "arena --help": ["-m", "arena", "--help"],
    "arena play --help": ["-m", "arena", "play", "--help"],
    "arena tournament --help": ["-m", "arena", "tournament", "--help"],
}

TOURNAMENT_LIMIT_MS = 1950
"""Half of the 3,900 once measured, when every process imported the referee and its game again.

The old way took 2,800 to 3,400 on another day, so staying within this limit does not prove that it was halved.
"""
TOURNAMENT_RUNS = 3
GAME = "norenberc"
SEATS = 4  # and bots, so that the one table of a round plays four matches
WATCH_SECONDS = 0.02


def cpu_ms(arguments: list[str]) -> float:
    """Return the CPU time of one run in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def tournament_ms() -> Counter[str]:
    """Run a tournament of four matches; return the CPU milliseconds by kind of process, bots apart."""
    bots = "".join(f'[[bot]]\npath = "{starter_bots() / "python"}"\nname = "bot{seat}"\n' for seat in range(SEATS))
    settings = f'name = "cup"\ngame = "{GAME}"\nseed = 1\nrounds = 1\nreferees = 2\nseats = {SEATS}\n'
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        Path(folder, "cup.toml").write_text(settings + bots, encoding="utf-8")
        arena = subprocess.Popen(
            [sys.executable, "-m", "arena", "tournament", "run", "cup.toml", "--quiet"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
        spent: dict[int, tuple[str, float]] = {}
        while arena.poll() is None:
            for pid in family(arena.pid):
                with suppress(OSError, KeyError):  # it has ended meanwhile, or before it was seen
                    figure = 1000 * cpu_seconds(pid)
                    kind = kind_of(pid, arena.pid) or spent[pid][0]
                    spent[pid] = kind, figure
            time.sleep(WATCH_SECONDS)
        assert arena.stderr is not None
        if arena.returncode != 0:
            raise SystemExit(f"the tournament failed: {arena.stderr.read().decode()}")
        arena.stderr.close()
    found: Counter[str] = Counter()
    for kind, figure in spent.values():
        if kind != "bots":
            found[kind] += int(figure)
    return found


def kind_of(pid: int, arena: int) -> str:
    """Return the arena part of a process; empty if it has just ended."""
    if pid == arena:
        return "arena"
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    if not command:
        return ""
    name = Path(f"/proc/{pid}/comm").read_text().strip()
    if name in ("referee", "verify"):
        return {"referee": "referees", "verify": "verifiers"}[name]
    return "warm process" if b"referee.warm" in command else "bots"


def main() -> int:
    """Print the figures; exit code 1 if the help or the tournament takes more than its limit."""
    costs = {name: min(cpu_ms(arguments) for _ in range(RUNS)) for name, arguments in COMMANDS.items()}
    runs = [tournament_ms() for _ in range(TOURNAMENT_RUNS)]
    parts = min(runs, key=lambda parts: sum(parts.values()))
    whole = sum(parts.values())
    figures = Figures(("Part", "CPU-ms", "Times a bare Python"))
    for name, cost in {**costs, **parts, "tournament of 4 matches, bots apart": whole}.items():
        figures.add(name, round(cost), f"{cost / costs['python -c pass']:.1f}")
    print(f"rules and referee: {running().value}")
    save("startup", {"parts": figures})
    targets = Targets()
    for name, cost, limit in (
        ("arena --help", costs["arena --help"], LIMIT_MS),
        ("the tournament", whole, TOURNAMENT_LIMIT_MS),
    ):
        targets.check(f"{name}: {cost:,.0f} CPU-ms (at most {limit:,})", cost <= limit)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
