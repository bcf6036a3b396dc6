"""The arena's cost of a whole match: CPU time of its referee, its verifier and the arena itself, without start-up.

Run as `arena bench matches`. The bots are the C++ starter where it is built and the Python one elsewhere; what they use
is told beside. Every record is verified, as in a tournament; nothing is stored. The first matches are not counted.
The records are then verified again, one by one and many at a time, to see what batches would save.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from time import perf_counter, process_time

import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.process import BotProcess
from arena.bots.samples import starter_bots
from arena.play.lines import as_line, read_lines
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import play_all
from arena.play.verifier import Verifier, open_verifier
from arena.play.warm import open_warm_process
from arena.sandbox.levels import SandboxPolicy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.native import running
from referee.order import MatchResult, TimeControl

MATCHES = {"carcassonne_city": 40, "furstenfeld": 8, "norenberc": 60, "nuremberg": 4}
WARM_UP = 4
CONCURRENCY = 4
CONTROL = TimeControl(bank_ms=600_000, cap_ms=60_000)
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
MIN_DECISIONS = 3_000  # of the referee, asked and forced, per CPU second
MAX_NORENBERC_MS = 60  # of arena, referee and verifier together for one match

BATCH = 16  # records that one message to a verifier might carry
ROUNDS = 5  # of records one by one and in batches, taking turns

Spent = dict[str, float]


def processor_ms(pid: int) -> float:
    """Return the user and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MS


def spent(pool: LocalPool, verifier: Verifier) -> Spent:
    """Return each part's CPU time so far, in milliseconds."""
    clients = [client.process for referee in pool.referees for client in referee.clients.values()]
    return {
        "referee": sum(processor_ms(referee.process.pid) for referee in pool.referees),
        "verifier": sum(map(processor_ms, verifier.pids)),
        "arena": process_time() * 1000,
        "bots": sum(processor_ms(bot.process.pid) for bot in clients if isinstance(bot, BotProcess)),
    }


async def measure(bot: BotDirectory, slug: str, matches: int, records: list[str]) -> tuple[Spent, int, int]:
    """Return what the parts used for some matches, how many decisions these had, and how many of them were asked.

    The records are kept.
    """
    seats = GAMES[slug].preferred_seats
    decisions = asked = 0

    async def report(_number: int, result: MatchResult) -> None:
        nonlocal decisions, asked
        assert result.ending == "completed", result.reason
        decisions += result.decisions
        asked += result.asked
        records.append(result.record)

    async with open_verifier(1) as verifier:

        async def verify(result: MatchResult) -> str | None:
            return await verifier.check(result.record)

        async with open_pool(
            log_level="error", sandbox=SandboxPolicy.OFF, concurrency=CONCURRENCY, verify=verify
        ) as pool:

            async def play(numbers: range) -> None:
                fixtures = [MatchToPlay(f"{n:032x}", slug, {}, (bot,) * seats, n, CONTROL) for n in numbers]
                await play_all(pool, fixtures, CONCURRENCY, report)

            await play(range(WARM_UP))
            before, decisions, asked = spent(pool, verifier), 0, 0
            await play(range(WARM_UP, WARM_UP + matches))
            after = spent(pool, verifier)
    return {part: after[part] - before[part] for part in after}, decisions, asked


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
        before, ours, started = processor_ms(process.pid), process_time(), perf_counter()
        await check(records)
        figures = (
            processor_ms(process.pid) - before, (process_time() - ours) * 1000, (perf_counter() - started) * 1000,
        )  # fmt: skip
        process.kill()
        await answers.aclose()
        await process.wait()
    theirs, own, wall = (figure / len(records) for figure in figures)
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
    print(f"{'CPU-ms a match':<18}{'referee':>9}{'verifier':>9}{'arena':>9}{'together':>9}{'bots':>9}", end="")
    print(f"{'decisions':>11}{'asked':>8}{'referee: decisions, asked a CPU-s':>36}")
    is_kept = True
    kept_records: dict[str, list[str]] = {}
    for slug in arguments.game or BUILT_IN:
        matches = MATCHES.get(slug, 8)
        records: list[str] = []
        used, decisions, asked = trio.run(measure, bot, slug, matches, records)
        each = {part: figure / matches for part, figure in used.items()}
        together = each["referee"] + each["verifier"] + each["arena"]
        rate = decisions / used["referee"] * 1000
        is_kept &= rate >= MIN_DECISIONS and (slug != "norenberc" or together <= MAX_NORENBERC_MS)
        print(f"{slug:<18}{each['referee']:>9.1f}{each['verifier']:>9.1f}{each['arena']:>9.1f}", end="")
        print(f"{together:>9.1f}{each['bots']:>9.1f}{decisions / matches:>11.0f}{asked / matches:>8.0f}", end="")
        print(f"{rate:>25,.0f}{asked / used['referee'] * 1000:>11,.0f}")
        kept_records[slug] = records
    print(
        f"targets: {MIN_DECISIONS:,} decisions a CPU-s of the referee, {MAX_NORENBERC_MS} CPU-ms for Norenberc:", end=""
    )
    print(" kept" if is_kept else " MISSED")
    for slug, records in kept_records.items():
        if len(records) >= BATCH:
            compare_batches(slug, records)
    return 0 if is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
