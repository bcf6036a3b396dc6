"""Refereed decisions compared with a bare echo of the same messages, in one run, with the same bots.

    arena bench wire
    python -m arena.bench.wire --game norenberc

Work between two matches, the order of the next and the record of the last, is in the refereed time but not in that of
the echo. A match of Norenberc has some 130 decisions; one of the toy game, measured if it is installed, only 24.
On a busy machine, a block mostly shows who got a CPU when; the fastest block of each side says more.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.bench.figures import Targets
from arena.bench.process_cost import play_matches
from arena.bots.directory import read_bot
from arena.bots.process import BotProcess
from arena.play.lines import as_line, read_lines
from arena.play.local_pool import open_pool
from referee.games import GAMES
from referee.logs import configure_logs
from referee.native import running

BOT = Path("sample_bots/python")
SEATS = 4
MAX_RATIO, MAX_RATIO_OF_MANY = 1.3, 1.2  # to the bare echo, with one match and with many concurrently
# Concurrent matches, and how many blocks of how many matches. In a shorter block the first part would weigh too
# much: a process that was idle gets the CPU immediately.
PLANS = {"norenberc": ((1, 12, 24), (16, 8, 48)), "toy": ((1, 12, 120), (16, 8, 160))}
Conversation = tuple[str, list[list[tuple[int, str]]]]
Block = Callable[[range], Awaitable[float]]
"""Plays the matches with these numbers and returns the microseconds per decision."""


def converse_all(slug: str, count: int) -> list[Conversation]:
    """Return the conversations of some matches, as recorded by a separate referee."""
    command = [sys.executable, "-m", "referee.transcript", slug, str(SEATS), str(count)]
    conversations: list[Conversation] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return conversations


@asynccontextmanager
async def open_floor(conversations: list[Conversation], concurrency: int) -> AsyncIterator[Block]:
    """Start the echo with its bots; the block that is yielded returns microseconds per decision."""
    bot = read_bot(BOT)
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/echo.sock"
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "arena.bench.echo", address, str(concurrency)],
            stdin=-1,
            stdout=-1,
            start_new_session=True,  # like a referee, because the kernel may share CPUs by session
        )
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, lines = process.stdin, read_lines(process.stdout)
        await stdin.send_all(as_line(conversations))
        await anext(lines)
        bots = [await BotProcess.start(bot, address, str(seat)) for seat in range(SEATS)]

        async def block(numbers: range) -> float:
            await stdin.send_all(as_line([numbers.start, numbers.stop]))
            asked = sum(len(step) for number in numbers for step in conversations[number][1])
            return float(await anext(lines)) / asked * 1e6

        try:
            yield block
        finally:
            with trio.CancelScope(shield=True):
                for started in bots:
                    await started.stop()
                await stdin.aclose()
                await process.wait()


@asynccontextmanager
async def open_refereed(slug: str, concurrency: int) -> AsyncIterator[Block]:
    """Start a referee; the block that is yielded returns microseconds per asked decision."""
    bot = read_bot(BOT)
    async with open_pool(referees=1, concurrency=concurrency) as pool:

        async def block(numbers: range) -> float:
            started = time.perf_counter()
            played = await play_matches(pool, slug, bot, numbers, concurrency)
            return (time.perf_counter() - started) / played.asked * 1e6

        yield block


async def compare(
    slug: str, conversations: list[Conversation], concurrency: int, matches: int
) -> list[tuple[float, float]]:
    """Return the bare and the refereed time of a decision for every block; taking turns, both bear the same load."""
    async with open_floor(conversations, concurrency) as bare, open_refereed(slug, concurrency) as refereed:
        parts = [range(start, start + matches) for start in range(0, len(conversations), matches)]
        pairs = [(await bare(part), await refereed(part)) for part in parts]
    return pairs[1:]  # the first block lets the bots dial in and fills the caches


def main() -> None:
    """Print the figures: medians over blocks in which both sides take turns."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.wire")
    parser.add_argument("--game", choices=list(PLANS), action="append", help="measure this game only; may be repeated")
    slugs = parser.parse_args().game or [slug for slug in PLANS if slug in GAMES]
    configure_logs("error", as_json=False)
    print(f"rules and referee: {running().value}")
    targets = Targets()
    for slug, (concurrency, blocks, matches) in ((each, plan) for each in slugs for plan in PLANS[each]):
        conversations = converse_all(slug, matches * (blocks + 1))
        pairs = trio.run(compare, slug, conversations, concurrency, matches)
        (bare, ours), (best_bare, best_ours) = (
            [pick(column) for column in zip(*pairs, strict=True)] for pick in (statistics.median, min)
        )
        ratios = sorted(second / first for first, second in pairs)
        ratio, limit = statistics.median(ratios), MAX_RATIO if concurrency == 1 else MAX_RATIO_OF_MANY
        targets.check(
            f"{slug:<10} {concurrency:2} matches: bare echo {bare:4.0f} µs, refereed {ours:4.0f} µs a decision:"
            f" {ratio:.2f} × the floor ({ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} blocks; at most {limit});"
            f" fastest blocks {best_bare:.0f} and {best_ours:.0f} µs: {best_ours / best_bare:.2f} ×",
            ratio <= limit,
        )


if __name__ == "__main__":
    main()
