"""The arena's cost of a whole match: CPU time of its referee, its verifier and the arena itself, without start-up.

Run as `arena bench matches`. The bots are the C++ starter if it is built, otherwise the Python one; their own usage is
shown separately. Every record is verified, as in a tournament; nothing is stored. As in a tournament too,
the number of concurrent matches is chosen by the bots. The first matches are not counted.
The records are then verified again, one by one and many at a time, to see what batches would save.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter, process_time

import trio

from arena.bench.figures import Figures, Targets
from arena.bench.process_cost import Played, bots_cpu_seconds, cpu_seconds, play_matches
from arena.bots.directory import BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.play.lines import as_line, read_lines
from arena.play.local_pool import LocalPool, open_pool
from arena.play.verifier import Verifier, open_verifier
from arena.play.warm import open_warm_process
from arena.sandbox.levels import SandboxPolicy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.native import running
from referee.order import MatchResult

MATCHES = {"carcassonne_city": 40, "furstenfeld": 8, "norenberc": 60, "nuremberg": 4}
WARM_UP = 4
MIN_DECISIONS = 3_000  # of the referee, asked and forced, per CPU second
MAX_NORENBERC_MS = 60  # of arena, referee and verifier together for one match

COLUMNS = (
    "CPU-ms a match", "Referee", "Verifier", "Arena", "Together", "Bots", "Decisions", "Asked",
    "Referee: decisions a CPU-s", "Asked a CPU-s",
)  # fmt: skip

BATCH = 16  # records that one message to a verifier might carry
ROUNDS = 5  # of records one by one and in batches, taking turns


def spent(pool: LocalPool, verifier: Verifier) -> Mapping[str, float]:
    """Return each part's CPU time so far, in milliseconds."""
    seconds = {
        "referee": sum(cpu_seconds(referee.process.pid) for referee in pool.referees),
        "verifier": sum(map(cpu_seconds, verifier.pids)),
        "arena": process_time(),
        "bots": bots_cpu_seconds(pool),
    }
    return {part: 1000 * figure for part, figure in seconds.items()}


async def measure(bot: BotDirectory, slug: str, matches: int) -> tuple[Mapping[str, float], Played]:
    """Return the CPU-ms of every part for some matches, and the matches."""
    async with open_verifier(1) as verifier:

        async def verify(result: MatchResult) -> str | None:
            return await verifier.check(result.record)

        async with open_pool(log_level="error", sandbox=SandboxPolicy.OFF, verify=verify) as pool:
            await play_matches(pool, slug, bot, range(WARM_UP), pool.capacity)
            before = spent(pool, verifier)
            played = await play_matches(pool, slug, bot, range(WARM_UP, WARM_UP + matches), pool.capacity)
            after = spent(pool, verifier)
    return {part: after[part] - before[part] for part in after}, played


async def verify_again(records: list[str], at_a_time: int) -> tuple[float, float, float]:
    """Return the verifier's and our CPU-ms and the wall time per record, for a batch size."""
    async with open_warm_process() as warm:
        process = await warm.fork("verify", ())
        answers = read_lines(process.stdout)

        async def check(some: list[str]) -> None:
            for start in range(0, len(some), at_a_time):
                batch = some[start : start + at_a_time]
                await process.stdin.send_all(b"".join(as_line({"id": 0, "record": record}) for record in batch))
                for _record in batch:
                    assert json.loads(await anext(answers))["error"] is None

        await check(records[:at_a_time])
        before = (cpu_seconds(process.pid), process_time(), perf_counter())
        await check(records)
        after = (cpu_seconds(process.pid), process_time(), perf_counter())
        process.kill()
        await answers.aclose()
        await process.wait()
    theirs, own, wall = (1000 * (late - early) / len(records) for early, late in zip(before, after, strict=True))
    return theirs, own, wall


def compare_batches(slug: str, records: list[str]) -> None:
    """Print the cost of verifying records one by one and in batches, the best of some rounds."""
    best: dict[int, tuple[float, ...]] = {}
    for _round in range(ROUNDS):
        for at_a_time in (1, BATCH):
            found = trio.run(verify_again, records, at_a_time)
            best[at_a_time] = tuple(map(min, zip(found, best.get(at_a_time, found), strict=True)))
    for at_a_time, (theirs, own, wall) in best.items():
        print(
            f"{slug}: verifying a record, {at_a_time:2} at a time: verifier {theirs:.2f} CPU-ms, arena {own:.2f}, "
            f"{wall:.2f} ms of wall time"
        )


def main() -> int:
    """Print a line for every game; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m arena.bench.matches")
    parser.add_argument("--game", choices=BUILT_IN, action="append", help="measure this game only; may be repeated")
    parser.add_argument("--bot", type=Path, help="a bot directory, instead of the starter in C++ or Python")
    arguments = parser.parse_args()
    configure_logs("error", as_json=False)
    compiled = starter_bots() / "cpp"
    bot = read_bot(arguments.bot or (compiled if (compiled / "build" / "bot").is_file() else starter_bots() / "python"))
    print(f"rules and referee: {running().value}; bots: {bot.label}")
    figures = Figures(COLUMNS)
    targets = Targets()
    records: dict[str, list[str]] = {}
    for slug in arguments.game or BUILT_IN:
        matches = MATCHES.get(slug, 8)
        used, played = trio.run(measure, bot, slug, matches)
        each = {part: figure / matches for part, figure in used.items()}
        together = each["referee"] + each["verifier"] + each["arena"]
        rate, asked_rate = (1000 * count / used["referee"] for count in (played.decisions, played.asked))
        counted = (round(count) for count in (played.decisions / matches, played.asked / matches, rate, asked_rate))
        costs = (f"{cost:.1f}" for cost in (each["referee"], each["verifier"], each["arena"], together, each["bots"]))
        figures.add(GAMES[slug].title, *costs, *counted)
        said = f"{slug}: {rate:,.0f} decisions per CPU-second of the referee (at least {MIN_DECISIONS:,})"
        targets.check(said, rate >= MIN_DECISIONS)
        if slug == "norenberc":
            said = f"{slug}: {together:.1f} CPU-ms per match (at most {MAX_NORENBERC_MS})"
            targets.check(said, together <= MAX_NORENBERC_MS)
        records[slug] = played.records
    for slug, kept in records.items():
        if len(kept) >= BATCH:
            compare_batches(slug, kept)
    return targets.exit_code


if __name__ == "__main__":
    raise SystemExit(main())
