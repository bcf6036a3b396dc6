"""The cost of a decision on the bot's side: prompt size in bytes, and CPU microseconds of each starter bot.

arena bench bots
"""

from __future__ import annotations

import statistics
from pathlib import Path

import trio

from arena.bench.figures import Figures, save
from arena.bench.process_cost import UNHURRIED, bots_cpu_seconds, play_matches
from arena.bots.directory import read_bot
from arena.conformance.board import new_board
from arena.play.local_pool import open_pool
from arena.sandbox.levels import SandboxPolicy
from referee.games import BUILT_IN, GAMES
from referee.logs import configure_logs
from referee.wire import frame

BOTS = {"python": "Python", "node": "Node.js", "cpp": "C++", "go": "Go", "java": "Java", "rust": "Rust"}
FOLDER = Path("sample_bots")
MATCHES = {"carcassonne_city": 20, "furstenfeld": 6, "norenberc": 20, "nuremberg": 2}
WARM_UP = 2  # matches before the meter runs: imports, just-in-time compilers, caches


def prompt_bytes(slug: str) -> list[int]:
    """Return the sizes of all prompts to one seat in some random matches, as frames of one."""
    sizes = []
    for seed in range(3):
        board = new_board(GAMES[slug], f"{seed:032x}", UNHURRIED, seed)
        while board.find_question():
            sizes.append(len(frame([board.prompt()])))
            board.play(board.listed[board.house.index(len(board.listed))])
    return sizes


async def cost(folder: Path, slug: str) -> tuple[float, int]:
    """Return the CPU time of a bot's decision in microseconds, and the number of decisions measured."""
    bot = read_bot(folder)
    async with open_pool(log_level="error", sandbox=SandboxPolicy.OFF) as pool:
        await play_matches(pool, slug, bot, range(WARM_UP))
        before = bots_cpu_seconds(pool)
        played = await play_matches(pool, slug, bot, range(WARM_UP, WARM_UP + MATCHES.get(slug, 6)))
        return (bots_cpu_seconds(pool) - before) / played.asked * 1e6, played.asked


def main() -> None:
    """Print a table: prompts of every game, and each bot's cost in microseconds."""
    configure_logs("error", as_json=False)
    built = [name for name in BOTS if name == "python" or (FOLDER / name / "build").is_dir()]
    for name in BOTS.keys() - built:
        print(f"{name} is left out: make bots builds it")
    columns = ("Game", "Bytes: median", "Most", *(BOTS[name] for name in built), "Decisions measured")
    figures = Figures(columns)
    for slug in BUILT_IN:
        sizes = prompt_bytes(slug)
        costs = [trio.run(cost, FOLDER / name, slug) for name in built]
        measured = (round(microseconds) for microseconds, _ in costs)
        figures.add(GAMES[slug].title, round(statistics.median(sizes)), max(sizes), *measured, costs[0][1])
    save("bots", {"decisions": figures})


if __name__ == "__main__":
    main()
