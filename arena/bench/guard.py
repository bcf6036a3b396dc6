"""What the sandbox costs: CPU time per match in a Swiss tournament of 16 bots, of the arena and of everything.

The same tournament is played with the sandbox and without it, in turns. The arena's own process guards the bots;
everything is that process, referees, verifiers and bots, from the first entry to the last rating, start-up included.
The bots are the C++ starter if it is built, otherwise the Python one. Rounds are paired with little annealing, which
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

from arena.bench.descendants import Descendants
from arena.bench.figures import Figures, Targets, save
from arena.bots.directory import BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.cli.watching import Silent
from arena.plan.swiss import tables
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.logs import configure_logs
from referee.native import running

BOTS = 16
ANNEALING = (1, 256)  # starts and proposals of a pairing
GAME = "norenberc"
ALLOWED_MS = 5.0  # of the arena per match, with the sandbox
ALLOWED_TOGETHER_MS = 50.0  # of everything per match, with the sandbox, compiled rules and the C++ bot
UNHURRIED = {"bank_ms": 3_600_000, "cap_ms": 3_600_000, "join_ms": 600_000}


def cpu_ms(bot: BotDirectory, policy: SandboxPolicy, rounds: int) -> tuple[float, float, int]:
    """Play a tournament; return the CPU time per match of the arena and of everything, and the number of matches."""
    with TemporaryDirectory(prefix="arena-guard-") as text:
        folder = Path(text)
        folder.chmod(0o755)  # sandboxed bots read in it
        plain = {
            "name": "cup", "game": GAME, "seed": 1, "rounds": rounds, "referees": 2, "time_control": UNHURRIED,
            "bot": [{"path": str(bot.path), "name": f"b{number:02d}"} for number in range(BOTS)],
        }  # fmt: skip
        store = open_store(folder / "arena.db", create=True)
        runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now, sandbox=policy)
        runner.enter()
        began = time.process_time()
        with Descendants() as started, mock.patch.object(tables, "anneal_effort", return_value=ANNEALING):
            trio.run(runner.run)
        used = time.process_time() - began - started.own
        matches = len(store.matches.of("cup"))
        store.close()
    return 1_000 * used / matches, 1_000 * (used + started.seconds()) / matches, matches


def main() -> int:
    """Measure, print a table and check the target."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.guard")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--turns", type=int, default=1)
    options = parser.parse_args()
    configure_logs("error", as_json=False)
    compiled = starter_bots() / "cpp"
    bot = read_bot(compiled if (compiled / "build" / "bot").is_file() else starter_bots() / "python")
    print(f"rules and referee: {running().value}; bots: {bot.label}")
    found: dict[SandboxPolicy, list[tuple[float, float]]] = {SandboxPolicy.REQUIRED: [], SandboxPolicy.OFF: []}
    cpu_ms(bot, SandboxPolicy.OFF, 1)  # loads what is slow to load
    matches = 0
    for _turn in range(options.turns):
        for policy, figures in found.items():
            *figure, matches = cpu_ms(bot, policy, options.rounds)
            figures.append((figure[0], figure[1]))
    table = Figures(("Sandbox", "Matches", "CPU-ms of the arena per match", "of everything"))
    medians = {
        policy: [statistics.median(column) for column in zip(*figures, strict=True)]
        for policy, figures in found.items()
    }
    for policy, (own, everything) in medians.items():
        table.add(choose(policy).value, matches, round(own, 2), round(everything, 2))
    targets = Targets()
    guarded, together = medians[SandboxPolicy.REQUIRED]
    targets.check(
        f"the arena with the sandbox: {guarded:.1f} CPU-ms per match, at most {ALLOWED_MS}", guarded <= ALLOWED_MS
    )
    targets.check(
        f"everything with the sandbox: {together:.1f} CPU-ms per match, at most {ALLOWED_TOGETHER_MS}",
        together <= ALLOWED_TOGETHER_MS,
    )
    save("guard", {"arena": table})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
