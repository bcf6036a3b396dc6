"""The cost of a decision on the bot's side: prompt size in bytes, and CPU time of each starter bot.

arena bench bots
"""

from __future__ import annotations

import os
import statistics
from pathlib import Path

import trio

from arena.bench.figures import Figures, Value, save
from arena.bots.directory import read_bot
from arena.bots.process import BotProcess
from arena.conformance.board import new_board
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import play_all
from arena.sandbox.levels import SandboxPolicy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.order import MatchResult, TimeControl
from referee.wire import frame

BOTS = {
    "python": "sample_bots/python",
    "node": "sample_bots/node",
    "c++": "sample_bots/cpp",
    "go": "sample_bots/go",
    "java": "sample_bots/java",
    "rust": "sample_bots/rust",
}
SHOWN = {"python": "Python", "node": "Node.js", "c++": "C++", "go": "Go", "java": "Java", "rust": "Rust"}
MATCHES = {"carcassonne_city": 20, "furstenfeld": 6, "norenberc": 20, "nuremberg": 2}
WARM_UP = 2  # matches before the meter runs: imports, just-in-time compilers, caches
CONTROL = TimeControl(bank_ms=600_000, cap_ms=60_000)
TICK = 1 / os.sysconf("SC_CLK_TCK")


def prompt_bytes(slug: str) -> list[int]:
    """Return the sizes of all prompts to one seat in some random matches, as frames of one."""
    sizes = []
    for seed in range(3):
        board = new_board(GAMES[slug], f"{seed:032x}", CONTROL, seed)
        while board.find_question():
            sizes.append(len(frame([board.prompt()])))
            board.play(board.listed[board.house.index(len(board.listed))])
    return sizes


def processor_seconds(pid: int) -> float:
    """Return the user and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK


async def cost(folder: str, slug: str) -> tuple[float, int]:
    """Return the CPU time of a bot's decision in microseconds, and the number of decisions measured."""
    bot, seats = read_bot(Path(folder)), GAMES[slug].preferred_seats
    asked = 0

    async def report(_number: int, result: MatchResult) -> None:
        nonlocal asked
        assert result.ending == "completed", result.reason
        asked += result.asked

    async with open_pool(log_level="error", sandbox=SandboxPolicy.OFF) as pool:

        async def play(first: int, count: int) -> None:
            fixtures = [
                MatchToPlay(f"{n:032x}", slug, {}, (bot,) * seats, n, CONTROL) for n in range(first, first + count)
            ]
            await play_all(pool, fixtures, 1, report)

        await play(0, WARM_UP)
        before, asked = used(pool), 0
        await play(WARM_UP, MATCHES.get(slug, 6))
        return (used(pool) - before) / asked * 1e6, asked


def used(pool: LocalPool) -> float:
    """Return the CPU time of all bot processes of a pool so far."""
    clients = [client for referee in pool.referees for client in referee.clients.values()]
    return sum(
        processor_seconds(client.process.process.pid) for client in clients if isinstance(client.process, BotProcess)
    )


def main() -> None:
    """Print a table: prompts of every game, and each bot's cost."""
    configure_logs("error", as_json=False)
    built = {name: folder for name, folder in BOTS.items() if name == "python" or (Path(folder) / "build").is_dir()}
    for name in BOTS.keys() - built.keys():
        print(f"{name} is left out: make bots builds it")
    print(
        f"{'game':<18}{'bytes of a prompt: median':>26}{'most':>8}"
        + "".join(f"{name + ' us':>12}" for name in built)
        + f"{'decisions':>11}"
    )
    rows: list[list[Value]] = []
    for slug in BUILT_IN:
        sizes = prompt_bytes(slug)
        costs = [trio.run(cost, folder, slug) for folder in built.values()]
        figures = "".join(f"{microseconds:>12.0f}" for microseconds, _ in costs)
        print(f"{slug:<18}{statistics.median(sizes):>26.0f}{max(sizes):>8}{figures}{costs[0][1]:>11}")
        measured = (round(microseconds) for microseconds, _ in costs)
        rows.append([GAMES[slug].title, round(statistics.median(sizes)), max(sizes), *measured])
    save("bots", {"decisions": Figures(("Game", "Bytes: median", "Most", *(SHOWN[name] for name in built)), rows)})


if __name__ == "__main__":
    main()
