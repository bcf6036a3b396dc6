"""What a whole match costs the arena: processor time of its referee, its verifier and the arena itself, start-up apart.

Run as `arena bench matches`. The bots are the C++ starter where it is built and the Python one elsewhere; what they use
is told beside. Every record is verified, as in a tournament; nothing is stored. The first matches are not counted.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from time import process_time

import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.process import BotProcess
from arena.bots.samples import starter_bots
from arena.play.pool import LocalPool, MatchToPlay, open_pool, play_all
from arena.play.verifier import Verifier, open_verifier
from arena.sandbox.levels import Policy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.native import running
from referee.order import MatchResult, TimeControl

MATCHES = {"carcassonne_city": 40, "furstenfeld": 8, "norenberc": 60, "nuremberg": 4}
WARM_UP = 4
AT_ONCE = 4
CONTROL = TimeControl(bank_ms=600_000, cap_ms=60_000)
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
MIN_DECISIONS = 3_000  # of the referee, asked and not, in a second of processor time
MAX_NORENBERC_MS = 60  # of arena, referee and verifier together for one match

Spent = dict[str, float]


def processor_ms(pid: int) -> float:
    """Return the user and system time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MS


def spent(pool: LocalPool, verifier: Verifier) -> Spent:
    """Return what each part has used so far, in milliseconds."""
    guests = [guest.process for referee in pool.referees for guest in referee.guests.values()]
    return {
        "referee": sum(processor_ms(referee.process.pid) for referee in pool.referees),
        "verifier": sum(map(processor_ms, verifier.pids)),
        "arena": process_time() * 1000,
        "bots": sum(processor_ms(bot.process.pid) for bot in guests if isinstance(bot, BotProcess)),
    }


async def measure(bot: BotDirectory, slug: str, matches: int) -> tuple[Spent, int, int]:
    """Return what the parts used for some matches, how many decisions these had, and how many of them were asked."""
    seats = GAMES[slug].preferred_seats
    decisions = asked = 0

    async def report(_number: int, result: MatchResult) -> None:
        nonlocal decisions, asked
        assert result.ending == "completed", result.reason
        decisions += result.decisions
        asked += result.asked

    async with open_verifier(1) as verifier:

        async def verify(result: MatchResult) -> str | None:
            return await verifier.check(result.record)

        async with open_pool(log_level="error", sandbox=Policy.OFF, at_once=AT_ONCE, verify=verify) as pool:

            async def play(numbers: range) -> None:
                fixtures = [MatchToPlay(f"{n:032x}", slug, {}, (bot,) * seats, n, CONTROL) for n in numbers]
                await play_all(pool, fixtures, AT_ONCE, report)

            await play(range(WARM_UP))
            before, decisions, asked = spent(pool, verifier), 0, 0
            await play(range(WARM_UP, WARM_UP + matches))
            after = spent(pool, verifier)
    return {part: after[part] - before[part] for part in after}, decisions, asked


def main() -> int:
    """Print a line for every game; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches")
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
    for slug in arguments.game or BUILT_IN:
        matches = MATCHES[slug]
        used, decisions, asked = trio.run(measure, bot, slug, matches)
        each = {part: figure / matches for part, figure in used.items()}
        together = each["referee"] + each["verifier"] + each["arena"]
        rate = decisions / used["referee"] * 1000
        is_kept &= rate >= MIN_DECISIONS and (slug != "norenberc" or together <= MAX_NORENBERC_MS)
        print(f"{slug:<18}{each['referee']:>9.1f}{each['verifier']:>9.1f}{each['arena']:>9.1f}", end="")
        print(f"{together:>9.1f}{each['bots']:>9.1f}{decisions / matches:>11.0f}{asked / matches:>8.0f}", end="")
        print(f"{rate:>25,.0f}{asked / used['referee'] * 1000:>11,.0f}")
    print(
        f"targets: {MIN_DECISIONS:,} decisions a CPU-s of the referee, {MAX_NORENBERC_MS} CPU-ms for Norenberc:", end=""
    )
    print(" kept" if is_kept else " MISSED")
    return 0 if is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
