"""A cluster on this machine: equal ledgers, kills, speed against a local pool, and what one arena takes in.

    python -m benchmarks.cluster [PART…]

Real `dask scheduler` and `arena worker` processes on loopback. Speeds are ratios within one run, and bots wait instead
of computing, since one machine has no more cores for more workers. Parts: equal, chaos, speed, intake, night, peek.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.bots.directory import read_bot
from arena.cli.watching import Silent
from arena.cluster.pool import on_cluster
from arena.plan.tournament_file import beside, parse_plan, read_file
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import Demands, OpenPool, Pool, Venue, open_here, start_here
from arena.play.runner import Runner, local_now
from arena.sandbox.levels import Policy
from arena.store.database import open_store
from benchmarks.local_cluster import SAMPLE_BOT, chaos, exported, local_cluster, tournament_file, waiting_bot
from referee.logs import configure_logs
from referee.order import Ending, MatchResult

GAMES = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")
SEEDS = (1, 2, 3, 4, 5)
NIGHT_BOTS, NIGHT_ROUNDS = 1_000, 10
PEEKS = 100


def run(folder: Path, name: str, file: Path, open_pool: OpenPool) -> tuple[int, float, float]:
    """Play a tournament; return its matches, the seconds it took, and the processor seconds of this process."""
    store = open_store(folder / f"{name}.db", create=True)
    plan = parse_plan(read_file(file), beside(folder))
    runner = Runner(plan, store, Silent(), local_now, open_pool=open_pool)
    runner.enter()
    began, cpu = time.monotonic(), time.process_time()
    trio.run(runner.run)
    seconds, used = time.monotonic() - began, time.process_time() - cpu
    matches = len(store.matches(plan.name))
    store.close()
    return matches, seconds, used


def verdict(said: str, is_met: bool) -> bool:
    """Print a figure with whether it is what was asked for."""
    print(f"  {'met   ' if is_met else 'MISSED'}  {said}", flush=True)
    return is_met


def equal(folder: Path) -> bool:
    """The ledger of all four games on no, one, two and three workers."""
    file = tournament_file(folder, SAMPLE_BOT, 4, rounds=4, block=False, chunk=1)
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(("game =", "seats ="))]
    file.write_text(f"games = {list(GAMES)!r}\n" + "\n".join(lines) + "\n", "utf-8")
    run(folder, "local", file, open_here)
    local = exported(folder / "local.db")
    is_met = True
    with local_cluster(folder) as cluster:
        for count in (1, 2, 3):
            cluster.start_worker(f"w{count}")
            cluster.wait_for_worker(f"w{count}")
            run(folder, f"on{count}", file, on_cluster(str(cluster.file)))
            is_equal = exported(folder / f"on{count}.db") == local
            is_met &= verdict(f"ledger of {', '.join(GAMES)} on {count} workers equal to the byte", is_equal)
    return is_met


def kills(folder: Path) -> bool:
    """Five seeds of kills of workers, scheduler and arena."""
    file = tournament_file(folder, waiting_bot(folder, 0.03), 8, rounds=8, chunk=4)
    run(folder, "local", file, open_here)
    local = exported(folder / "local.db")
    is_met = True
    for seed in SEEDS:
        killed = chaos(folder, file, seed, kills=8)
        is_equal = exported(folder / f"chaos-{seed}.db") == local
        is_met &= verdict(f"seed {seed}: ledger equal after kills of {', '.join(killed)}", is_equal)
    return is_met


def speed(folder: Path) -> bool:
    """Matches a second of one and two workers and of a local pool, with bots that wait, one after another, twice."""
    file = tournament_file(folder, waiting_bot(folder, 0.05), 32, rounds=2, chunk=16, at_once=4, verify="none")
    rates: dict[str, list[float]] = {"local": [], "one": [], "two": []}
    costs = []
    with local_cluster(folder, ("w1", "w2")) as cluster:
        pools: dict[str, OpenPool] = {"local": open_here, "two": on_cluster(str(cluster.file))}
        run(folder, "warm", file, pools["two"])
        for turn in range(2):
            for name in ("local", "two"):
                matches, seconds, used = run(folder, f"{name}{turn}", file, pools[name])
                rates[name].append(matches / seconds)
                if name == "two":
                    costs.append(used / matches * 1000)
        cluster.stop("w2")
        for turn in range(2):
            matches, seconds, _ = run(folder, f"one{turn}", file, pools["two"])
            rates["one"].append(matches / seconds)
    best = {name: max(found) for name, found in rates.items()}
    is_met = verdict(f"two workers {best['two'] / best['one']:.2f} times one (1.9)", best["two"] >= 1.9 * best["one"])
    is_met &= verdict(
        f"one worker {best['one'] / best['local']:.2f} of a local pool (0.95)", best["one"] >= 0.95 * best["local"]
    )
    return is_met & verdict(f"arena {min(costs):.2f} ms of processor time a match without replay (3)", min(costs) <= 3)


class CannedPool:
    """Answers at once with a record that was played before: what is left is the arena's own work."""

    capacity = most_asked = 256

    def __init__(self, record: str) -> None:
        self.record = record
        self.dice = random.Random(1)

    async def play(self, match: MatchToPlay) -> MatchResult:
        """Let anybody win."""
        await trio.lowlevel.checkpoint()
        ranks = list(range(1, len(match.bots) + 1))
        self.dice.shuffle(ranks)
        endings = (Ending.COMPLETED,) * len(ranks)
        scores = tuple(10 - rank for rank in ranks)
        return MatchResult(match.match_id, Ending.COMPLETED, "", tuple(ranks), scores, endings, 50, 50, self.record)

    def venue_of(self, match_id: str) -> Venue:
        """Nowhere."""
        return Venue("default", "canned", 1)

    def output_of(self, label: str) -> str:
        """Nothing was printed."""
        return ""

    def is_played(self, match_id: str) -> bool:
        """It is over at once."""
        return False

    async def peek(self, match_id: str, after: int) -> list[str]:
        """There is nothing to see."""
        return []

    def status(self) -> str:
        """Nothing to say."""
        return ""


def _canned(folder: Path) -> OpenPool:
    """Return what opens a canned pool, with the record of a match of Norenberc."""
    file = tournament_file(folder, SAMPLE_BOT, 2, name="can", game="norenberc", rounds=1, block=False)
    run(folder, "can", file, open_here)
    store = open_store(folder / "can.db")
    record = store.record_text(store.matches("can")[0].id)
    store.close()

    @asynccontextmanager
    async def opened(_asked: Demands) -> AsyncIterator[Pool]:
        yield CannedPool(record)

    return opened


def intake(folder: Path) -> bool:
    """What one arena stores and posts in a second."""
    canned = _canned(folder)
    file = tournament_file(folder, SAMPLE_BOT, 400, rounds=4, game="norenberc", verify="none")
    matches, seconds, used = run(folder, "intake", file, canned)
    said = (
        f"{matches / seconds:.0f} matches a second paired, stored and posted (300), {used / matches * 1000:.2f} ms each"
    )
    return verdict(said, matches / seconds >= 300)


def night(folder: Path) -> bool:
    """A simulated night of 1,000 bots: everything but the games themselves."""
    canned = _canned(folder)
    file = tournament_file(
        folder, SAMPLE_BOT, NIGHT_BOTS, rounds=NIGHT_ROUNDS, seats=4, game="norenberc", verify="none"
    )
    matches, seconds, _ = run(folder, "night", file, canned)
    megabytes = os.path.getsize(folder / "night.db") / 1e6
    field = f"a night of {NIGHT_BOTS:,} bots and {NIGHT_ROUNDS} rounds"
    return verdict(
        f"{field}: {matches:,} matches in {seconds:.0f} s, {megabytes:.0f} MB", matches == NIGHT_BOTS * NIGHT_ROUNDS
    )


def peek(folder: Path) -> bool:
    """How long a look into a match takes through the cluster."""
    bot = read_bot(waiting_bot(folder, 0.1))
    match = MatchToPlay("a" * 64, "norenberc", {}, (bot.renamed("ann"), bot.renamed("bob")), 3)

    async def believe(_result: MatchResult) -> None:
        return None

    asked = Demands(1, 4, False, "error", Policy.AUTO, start_here, lambda *_: None, believe, "peek")

    async def main(open_pool: OpenPool) -> list[float]:
        taken: list[float] = []
        async with open_pool(asked) as pool, trio.open_nursery() as nursery:
            nursery.start_soon(pool.play, match)
            while not await pool.peek(match.match_id, 0):  # noqa: ASYNC110  # it begins when a worker is ready
                await trio.sleep(0.1)
            while len(taken) < PEEKS and pool.is_played(match.match_id):
                began = time.monotonic()
                await pool.peek(match.match_id, 0)
                taken.append((time.monotonic() - began) * 1000)
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()
        return taken

    with local_cluster(folder, ("w1",)) as cluster:
        taken = sorted(trio.run(main, on_cluster(str(cluster.file))))
    late = taken[int(0.95 * len(taken))]
    said = f"a look into a match: median {statistics.median(taken):.0f} ms, p95 {late:.0f} ms of {len(taken)} (50)"
    return verdict(said, late <= 50)


PARTS: dict[str, Callable[[Path], bool]] = {
    "equal": equal, "chaos": kills, "speed": speed, "intake": intake, "night": night, "peek": peek,
}  # fmt: skip


def main(chosen: Sequence[str]) -> int:
    """Run the parts that were asked for, or all."""
    configure_logs("error", as_json=False)
    is_met = True
    for name in chosen or PARTS:
        print(f"{name}: {(PARTS[name].__doc__ or '').splitlines()[0]}", flush=True)
        with tempfile.TemporaryDirectory(prefix="cl-") as folder:
            Path(folder).chmod(0o755)
            is_met &= PARTS[name](Path(folder))
    return int(not is_met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
