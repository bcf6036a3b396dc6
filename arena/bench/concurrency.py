"""What a decision costs the referee, by the number of matches that it plays concurrently.

Run as `arena bench concurrency`. The bots are the C++ starter if it is built, otherwise the Python one. A referee for
each number is open all the time, and they take turns, so that whatever else the machine does falls on all alike; the
figures are medians over the turns. The last line is the number that a pool chooses by itself.
"""

from __future__ import annotations

import argparse
import statistics
from contextlib import AsyncExitStack
from time import process_time

import trio

from arena.bench.figures import Figures, save
from arena.bench.process_cost import bots_cpu_seconds, cpu_seconds, play_matches
from arena.bots.directory import BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.play.local_pool import LocalPool, open_pool
from arena.sandbox.levels import SandboxPolicy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.native import running

NUMBERS = (1, 4, 16, 64, None)
TURNS = 5
MATCHES = {"norenberc": 128, "carcassonne_city": 64}
COLUMNS = ("Concurrent matches", "Referee: CPU-µs an asked decision", "Least and most", "Bots", "Arena")
Costs = tuple[float, float, float]
"""CPU-µs per asked decision of the referee, the bots and the arena."""


async def cost(pool: LocalPool, slug: str, bot: BotDirectory, numbers: range) -> Costs:
    """Play matches and return their cost."""

    def spent() -> Costs:
        referees = sum(cpu_seconds(referee.process.pid) for referee in pool.referees)
        return referees, bots_cpu_seconds(pool), process_time()

    before = spent()
    played = await play_matches(pool, slug, bot, numbers, pool.capacity)
    referee, bots, arena = ((late - early) / played.asked * 1e6 for late, early in zip(spent(), before, strict=True))
    return referee, bots, arena


async def measure(slug: str, bot: BotDirectory, turns: int) -> list[list[Costs]]:
    """Return the cost of every turn, for every number of concurrent matches."""
    found: list[list[Costs]] = [[] for _ in NUMBERS]
    matches = MATCHES.get(slug, 16)
    async with AsyncExitStack() as stack:
        pools = [
            await stack.enter_async_context(open_pool(log_level="error", sandbox=SandboxPolicy.OFF, concurrency=number))
            for number in NUMBERS
        ]
        for pool in pools:
            await play_matches(pool, slug, bot, range(4), pool.capacity)
        for turn in range(turns):
            for pool, costs in zip(pools, found, strict=True):
                costs.append(await cost(pool, slug, bot, range(turn * matches, (turn + 1) * matches)))
    return found


def main() -> None:
    """Print a table for every game."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.concurrency")
    parser.add_argument("--game", choices=BUILT_IN, action="append", help="measure this game; may be repeated")
    parser.add_argument("--turns", type=int, default=TURNS)
    arguments = parser.parse_args()
    configure_logs("error", as_json=False)
    compiled = starter_bots() / "cpp"
    bot = read_bot(compiled if (compiled / "build" / "bot").is_file() else starter_bots() / "python")
    print(f"rules and referee: {running().value}; bots: {bot.label}")
    tables = {}
    for slug in arguments.game or ("norenberc",):
        print(GAMES[slug].title)
        figures = tables[slug] = Figures(COLUMNS)
        for number, costs in zip(NUMBERS, trio.run(measure, slug, bot, arguments.turns), strict=True):
            referee, bots, arena = zip(*costs, strict=True)
            medians = (round(statistics.median(column)) for column in (referee, bots, arena))
            first, *others = medians
            figures.add(number or "chosen", first, f"{min(referee):.0f} to {max(referee):.0f}", *others)
    save("concurrency", tables)


if __name__ == "__main__":
    main()
