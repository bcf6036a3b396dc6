"""What the sandbox costs the arena: CPU time per match of its own process in a Swiss tournament of 16 bots.

The same tournament is played with the sandbox and without it, in turns. Counted is the arena's process alone, which
guards the bots; referees and bots are processes of their own. Rounds are paired with little annealing, which
`arena bench pairing` measures. Nothing of it is wall-clock time, so that a busy machine changes little.

python -m arena.bench.guard [--rounds 20] [--turns 1]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import trio

from arena.bench.figures import Figures, Targets, save
from arena.cli.watching import Silent
from arena.plan.swiss import tables
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.logs import configure_logs

BOTS = 16
ANNEALING = (1, 256)  # starts and proposals of a pairing
GAME = "norenberc"
ALLOWED_MS = 5.0  # per match, with the sandbox
RANDOM_BOT = str(Path(__file__).parents[2] / "sample_bots" / "python")
UNHURRIED = {"bank_ms": 3_600_000, "cap_ms": 3_600_000, "join_ms": 600_000}


def cpu_ms(policy: SandboxPolicy, rounds: int) -> tuple[float, int]:
    """Play a tournament and return the arena's CPU time per match, and the number of matches."""
    with TemporaryDirectory(prefix="arena-guard-") as text:
        folder = Path(text)
        folder.chmod(0o755)  # sandboxed bots read in it
        plain = {
            "name": "cup", "game": GAME, "seed": 1, "rounds": rounds, "referees": 2, "time_control": UNHURRIED,
            "bot": [{"path": RANDOM_BOT, "name": f"b{number:02d}"} for number in range(BOTS)],
        }  # fmt: skip
        store = open_store(folder / "arena.db", create=True)
        runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now, sandbox=policy)
        runner.enter()
        began = time.process_time()
        with mock.patch.object(tables, "anneal_effort", return_value=ANNEALING):
            trio.run(runner.run)
        used = time.process_time() - began
        matches = len(store.matches.of("cup"))
        store.close()
    return 1_000 * used / matches, matches


def main() -> int:
    """Measure, print a table and check the target."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.guard")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--turns", type=int, default=1)
    options = parser.parse_args()
    configure_logs("error", as_json=False)
    found: dict[SandboxPolicy, list[float]] = {SandboxPolicy.REQUIRED: [], SandboxPolicy.OFF: []}
    cpu_ms(SandboxPolicy.OFF, 1)  # loads what is slow to load
    matches = 0
    for _turn in range(options.turns):
        for policy, figures in found.items():
            figure, matches = cpu_ms(policy, options.rounds)
            figures.append(figure)
    table = Figures(("Sandbox", "Matches", "CPU-ms of the arena per match"))
    for policy, figures in found.items():
        table.add(choose(policy).value, matches, round(statistics.median(figures), 2))
    targets = Targets()
    guarded = statistics.median(found[SandboxPolicy.REQUIRED])
    targets.check(
        f"the arena with the sandbox: {guarded:.1f} CPU-ms per match, at most {ALLOWED_MS}", guarded <= ALLOWED_MS
    )
    save("guard", {"arena": table})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
