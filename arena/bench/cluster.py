"""A cluster on this machine: equal ledgers, kills, speed compared with a local pool, and the arena's storing.

    python -m arena.bench.cluster [PART …]

Real `dask scheduler` and `arena worker` processes on loopback. Speeds are ratios within one run, and bots wait instead
of computing, since one machine has no more cores for more workers.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import trio

from arena.bench.figures import Figures, save
from arena.bench.local_cluster import SAMPLE_BOT, chaos, exported, local_cluster, tournament_file, waiting_bot
from arena.bots.directory import BotDirectory, read_bot
from arena.cli.watching import Silent
from arena.cluster.pool import on_cluster
from arena.plan.settings import RunSettings
from arena.plan.tournament_file import beside, parse_plan, read_file
from arena.play.local_pool import open_here, start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import OpenPool, PoolConfig, play_all
from arena.play.runner import Runner
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.logs import configure_logs
from referee.order import MatchResult

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")
SEEDS = (1, 2, 3, 4, 5)
MANY_BOTS, MANY_ROUNDS = 1_000, 10
PEEKS = 100
CONCURRENCY = 4
WARM_MATCHES, TIMED_MATCHES = 12, 128


def run(folder: Path, name: str, file: Path, open_pool: OpenPool) -> tuple[int, float, float]:
    """Play a tournament; return its matches, the seconds it took, and the CPU seconds of this process."""
    store = open_store(folder / f"{name}.db", create=True)
    plan = parse_plan(read_file(file), beside(folder))
    runner = Runner(plan, store, Silent(), local_now, open_pool=open_pool)
    runner.enter()
    began, cpu = time.monotonic(), time.process_time()
    trio.run(runner.run)
    seconds, used = time.monotonic() - began, time.process_time() - cpu
    matches = len(store.matches.of(plan.name))
    store.close()
    return matches, seconds, used


FIGURES = Figures(("Figure, and its target", "Target"))
"""Every figure so far, with its target in brackets, and whether that was met."""


def verdict(said: str, is_met: bool) -> None:
    """Print a figure and whether it meets its target."""
    FIGURES.add(said, "met" if is_met else "missed")


def equal(folder: Path) -> None:
    """The ledger of all four games on no, one, two and three workers."""
    file = tournament_file(folder, SAMPLE_BOT, 12, rounds=4, block=False, chunk=1)  # three tables a round
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(("game =", "seats ="))]
    file.write_text(f"games = {list(GAMES)!r}\n" + "\n".join(lines) + "\n", "utf-8")
    run(folder, "local", file, open_here)
    local = exported(folder / "local.db")
    with local_cluster(folder) as cluster:
        for count in (1, 2, 3):
            cluster.start_worker(f"w{count}")
            cluster.wait_for_worker(f"w{count}")
            run(folder, f"on{count}", file, on_cluster(str(cluster.file)))
            is_equal = exported(folder / f"on{count}.db") == local
            verdict(f"ledger of {', '.join(GAMES)} on {count} workers equal to the byte", is_equal)


def kills(folder: Path) -> None:
    """Kill workers, scheduler and arena for five seeds, each after a number of stored matches."""
    bots, rounds = 8, 8
    file = tournament_file(folder, waiting_bot(folder, 0.03), bots, rounds=rounds, chunk=4)
    run(folder, "local", file, open_here)
    local = exported(folder / "local.db")
    for seed in SEEDS:
        began = time.monotonic()
        killed = Counter(chaos(folder, file, seed, kills=8, matches=bots * rounds))
        who = f"{killed['w1'] + killed['w2']} workers, {killed['scheduler']} schedulers, {killed['arena']} arenas"
        is_equal = exported(folder / f"chaos-{seed}.db") == local
        said = f"seed {seed}: {who} killed, ledger equal, nothing left ({time.monotonic() - began:.0f} s)"
        verdict(said, is_equal)


def pool_config(tournament: str) -> PoolConfig:
    """Return the settings of a pool that accepts results that agree with their orders, without a replay."""

    async def believe(_result: MatchResult) -> None:
        return None

    run = RunSettings(1, CONCURRENCY)
    return PoolConfig(run, False, "error", SandboxPolicy.AUTO, start_here, lambda *_: None, believe, tournament)


def speed(folder: Path) -> None:
    """Measure decisions per second of one and two workers and of a local pool, with waiting bots, once all bots run."""
    # A bot that waits in one match keeps its others waiting; enough pairs are free.
    single = read_bot(waiting_bot(folder, 0.25, "single", concurrency=1))
    several = read_bot(waiting_bot(folder, 0.25, "several", concurrency=CONCURRENCY))
    names = ("ann", "bob", "cat", "dan", "eve", "fay")

    async def rate(open_pool: OpenPool, bot: BotDirectory, timed: int) -> float:
        pairs = [(bot.renamed(f"{name}1"), bot.renamed(f"{name}2")) for name in names]
        decisions = 0

        async def count(_number: int, result: MatchResult) -> None:
            nonlocal decisions
            decisions += result.decisions

        def matches(name: str, count: int) -> list[MatchToPlay]:
            ids = [sha256(f"{name} {number}".encode()).hexdigest() for number in range(count)]
            return [MatchToPlay(each, "toy", {}, pairs[at % len(pairs)], at) for at, each in enumerate(ids)]

        async with open_pool(pool_config("speed")) as pool:
            await play_all(pool, matches("warm", WARM_MATCHES), pool.max_asked, count)
            decisions, began = 0, time.monotonic()
            await play_all(pool, matches("timed", timed), pool.max_asked, count)
            return decisions / (time.monotonic() - began)

    # Two workers play the longest: towards the end of a round one of them waits for the other.
    with local_cluster(folder, ("w1", "w2")) as cluster:
        on_workers = on_cluster(str(cluster.file))
        two = trio.run(rate, on_workers, single, TIMED_MATCHES)
        cluster.stop("w2")
        one = trio.run(rate, on_workers, single, TIMED_MATCHES // 2)
        one_several = trio.run(rate, on_workers, several, TIMED_MATCHES // 2)
    local = trio.run(rate, open_here, single, TIMED_MATCHES // 2)
    local_several = trio.run(rate, open_here, several, TIMED_MATCHES // 2)
    print(f"  one match at a time: decisions per second: two workers {two:.1f}, one {one:.1f}, local pool {local:.1f}")
    verdict(f"two workers {two / one:.2f} times one (1.9)", two >= 1.9 * one)
    verdict(f"one worker {one / local:.2f} of a local pool (0.95)", one >= 0.95 * local)
    print(f"  several at a time: decisions per second: one worker {one_several:.1f}, local pool {local_several:.1f}")
    said = f"one worker {one_several / local_several:.2f} of a local pool (0.95)"
    verdict(said, one_several >= 0.95 * local_several)


@contextmanager
def canned_cluster(folder: Path, seats: int) -> Iterator[OpenPool]:
    """Yield pools on a real cluster whose worker answers immediately: the rest is the arena's own work."""
    file = tournament_file(folder, SAMPLE_BOT, seats, name="can", game="norenberc", seats=seats, rounds=1, block=False)
    run(folder, "can", file, open_here)
    store = open_store(folder / "can.db")
    match = store.matches.of("can")[0]
    result = MatchResult(
        match.id, match.ending, match.reason, match.places, match.scores, match.seat_endings, match.decisions,
        match.asked, store.matches.record(match.id), digest=match.record_digest,
    )  # fmt: skip
    store.close()
    (folder / "result.json").write_text(json.dumps(result.to_plain()), "utf-8")
    with local_cluster(folder, environment={"PYTHONPATH": str(ROOT)}) as cluster:
        program = (sys.executable, "-m", "arena.bench.canned_worker", folder / "result.json")
        cluster.start_worker("canned", program=program)
        cluster.wait_for_worker("canned")
        yield on_cluster(str(cluster.file))


def storing(folder: Path) -> None:
    """Measure the arena's storing through a real cluster whose worker plays nothing: all its work except replays."""
    settings: dict[str, object] = {"game": "norenberc", "verify": "none"}
    with canned_cluster(folder, 2) as canned:
        run(folder, "warm", tournament_file(folder, SAMPLE_BOT, 8, rounds=1, **settings), canned)
        file = tournament_file(folder, SAMPLE_BOT, 400, rounds=4, **settings)
        matches, _, used = run(folder, "storing", file, canned)
    store = open_store(folder / "storing.db")
    seconds = sum(each.seconds for each in store.tournaments.rounds("cup"))
    store.close()
    rate = matches / seconds
    verdict(f"{rate:.0f} matches a second checked, stored and posted (300)", rate >= 300)
    cost = used / matches * 1000
    verdict(f"{cost:.2f} ms of the arena's CPU time per match, everything included (3)", cost <= 3)


def many(folder: Path) -> None:
    """A simulated tournament of 1,000 bots at tables of four: everything except the games themselves."""
    with canned_cluster(folder, 4) as canned:
        file = tournament_file(
            folder, SAMPLE_BOT, MANY_BOTS, rounds=MANY_ROUNDS, seats=4, game="norenberc", verify="none"
        )
        matches, seconds, used = run(folder, "many", file, canned)
    megabytes = os.path.getsize(folder / "many.db") / 1e6
    entered = f"a tournament of {MANY_BOTS:,} bots and {MANY_ROUNDS} rounds"
    said = f"{entered}: {matches:,} matches in {seconds:.0f} s, {used / matches * 1000:.2f} ms each, {megabytes:.0f} MB"
    verdict(said, matches == MANY_BOTS * MANY_ROUNDS)


def peek(folder: Path) -> None:
    """How long a look into a match takes through the cluster."""
    bot = read_bot(waiting_bot(folder, 0.1))
    match = MatchToPlay("a" * 64, "norenberc", {}, (bot.renamed("ann"), bot.renamed("bob")), 3)

    async def main(open_pool: OpenPool) -> list[float]:
        taken: list[float] = []
        async with open_pool(pool_config("peek")) as pool, trio.open_nursery() as nursery:
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
    verdict(said, late <= 50)


PARTS: dict[str, Callable[[Path], None]] = {
    "equal": equal, "chaos": kills, "speed": speed, "storing": storing, "many": many, "peek": peek,
}  # fmt: skip


def main() -> int:
    """Run the requested parts, or all."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.cluster", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"run this part only; may be repeated: {', '.join(PARTS)}"
    )
    chosen = parser.parse_args().parts
    if unknown := sorted({*chosen} - PARTS.keys()):
        parser.error(f"{unknown[0]!r} is unknown; expected some of: {', '.join(PARTS)}")
    configure_logs("error", as_json=False)
    for name in chosen or PARTS:
        print(f"{name}: {PARTS[name].__doc__}", flush=True)
        with tempfile.TemporaryDirectory(prefix="cl-") as folder:
            Path(folder).chmod(0o755)
            PARTS[name](Path(folder))
    save("cluster", {"measured": FIGURES})
    return int(any(target == "missed" for _, target in FIGURES.rows))


if __name__ == "__main__":
    sys.exit(main())
