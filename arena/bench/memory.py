"""Memory in a long run: that of the arena, its referee, its verifier and a bot after more and more matches.

One tournament of a short game, with enough rounds for all the matches, run as `arena tournament run` does. Every
figure is resident memory in MB. A match's memory must be released with it; a round leaves only the history from
which the next one is paired, which is counted in bytes per match at the end.

The arena keeps up to 64 MB of the database in memory, which fills as the file grows and then stays. Here that is
2 MB, so that it hides nothing; --cache-mb 64 shows the arena as it runs. Rounds are paired with little annealing,
which takes time but no memory.

python -m arena.bench.memory [--matches 10000] [--cache-mb 64] [--trace]
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import trio

from arena.bench.figures import Targets
from arena.bench.process_cost import resident_mb
from arena.cli.watching import Silent
from arena.plan.swiss import tables
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.sandbox.processes import family
from arena.store.database import open_store
from arena.store.local_time import local_now
from arena.store.rows import MatchToStore
from referee.games import GAMES
from referee.logs import configure_logs

BOTS = 8
MATCHES_A_ROUND = BOTS  # at tables of two that change places
MEASURED_AT = (200, 500, 1_000, 2_000, 3_500, 5_000, 7_500, 10_000)
SETTLED = 2_000  # matches after which every table of a fixed size has been filled
ANNEALING = (1, 256)  # starts and proposals of a pairing
MAX_GROWTH = {"arena": 1_000, "referee": 200, "verifier": 200}
"""Bytes per match: for the arena, the history of its rounds; for the others, allocators that never quite settle."""
GROWN = 12  # lines of growth shown with --trace
RANDOM_BOT = str(Path(__file__).parents[2] / "sample_bots" / "python")


def name_of(pid: int) -> str:
    """Return a process's name within the arena; bots and others have other names."""
    name = Path(f"/proc/{pid}/comm").read_text().strip()
    is_warm = b"referee.warm" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return {"referee": "referee", "verify": "verifier"}.get(name, "referee" if is_warm else "bots")


class Meter(Silent):
    """Counts the matches that are stored and measures at some counts."""

    def __init__(self, *, is_tracing: bool) -> None:
        self.count = 0
        self.began = time.monotonic()
        self.figures: dict[int, dict[str, float]] = {}
        self.before = tracemalloc.take_snapshot() if is_tracing else None

    def stored(self, match: MatchToStore) -> None:
        """Count a match."""
        self.count += 1
        if self.count in MEASURED_AT:
            self.measure()
        if self.count == SETTLED and self.before is not None:
            self.before = tracemalloc.take_snapshot()

    def measure(self) -> None:
        """Print one line."""
        gc.collect()
        found = {"arena": resident_mb(os.getpid()), "referee": 0.0, "verifier": 0.0, "bots": 0.0}
        for pid in family(os.getpid())[1:]:
            found[name_of(pid)] += resident_mb(pid)
        self.figures[self.count] = found
        objects, rate = len(gc.get_objects()), self.count / (time.monotonic() - self.began)
        told = " ".join(f"{found[what]:9.1f}" for what in found)
        print(f"{self.count:8,} {told} {objects:9,} {rate:8.1f}", flush=True)

    def growth(self, what: str) -> float:
        """Return a process's growth in bytes per match since it had settled."""
        first, last = min(count for count in self.figures if count >= SETTLED), max(self.figures)
        return (self.figures[last][what] - self.figures[first][what]) * 2**20 / max(1, last - first)


def plan(game: str, matches: int) -> dict[str, Any]:
    """Return the tournament."""
    bots = [{"path": RANDOM_BOT, "name": f"bot{number:02d}"} for number in range(BOTS)]
    return {
        "name": "long", "game": game, "seed": 1, "rounds": -(-matches // MATCHES_A_ROUND), "rating_rounds": 0,
        "seats": 2, "max_seats": 2, "bot": bots, "referees": 1, "match_budget": 10 * matches,
    }  # fmt: skip


def main() -> int:
    """Play and measure; the exit code is 1 if something grows without reason."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.memory")
    parser.add_argument("--game", default="toy" if "toy" in GAMES else "norenberc", choices=list(GAMES))
    parser.add_argument("--matches", type=int, default=MEASURED_AT[-1])
    parser.add_argument("--cache-mb", type=int, default=2, help="of the database, kept in memory; the arena has 64")
    parser.add_argument("--trace", action="store_true", help="show the lines whose allocations have grown; slow")
    arguments = parser.parse_args()
    configure_logs("error", as_json=False)
    if arguments.trace:
        tracemalloc.start()
    meter = Meter(is_tracing=arguments.trace)
    print(f"{'matches':>8} {'arena':>9} {'referee':>9} {'verifier':>9} {'bots':>9} {'objects':>9} {'a second':>8}")
    with TemporaryDirectory(prefix="arena-bench-") as folder:
        store = open_store(Path(folder, "arena.db"), create=True)
        parsed = parse_plan(plan(arguments.game, arguments.matches), beside(Path(folder)))
        runner = Runner(parsed, store, meter, local_now)
        store.connection.execute(f"PRAGMA cache_size = -{arguments.cache_mb << 10}")
        runner.enter()
        with mock.patch.object(tables, "anneal_effort", return_value=ANNEALING):
            trio.run(runner.run)
        size = Path(folder, "arena.db").stat().st_size
        store.close()
    print(f"the database has {size / 2**20:.1f} MB, {size / meter.count / 1024:.1f} KB a match")
    if meter.before is not None:
        for line in tracemalloc.take_snapshot().compare_to(meter.before, "lineno")[:GROWN]:
            print(line)
    if meter.count < 2 * SETTLED:
        return 0
    targets = Targets()
    for what, allowed in MAX_GROWTH.items():
        grown = meter.growth(what)
        targets.check(f"{what}: {grown:+.0f} bytes a match after {SETTLED:,} (at most {allowed})", grown <= allowed)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
