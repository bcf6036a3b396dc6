"""What a move costs in the arena, beside python-chess driving the same engines directly: one run, in turn.

    python -m plugins.chess.benchmarks.overhead [--games 6] [--rounds 4]

Stockfish plays itself from the openings of the book, at one node, so that nearly all of a move is what is around the
engine, and at a thousand. Both drivers keep two engine processes for all games of a turn. A game's time is that from
its first move to its end; the first game of every turn is left out, since it starts processes. In the arena it includes
the referee's rules, the messages to and from both bots, and the record.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.engine
from arena_chess.books import starts
from arena_chess.new_bot import write_bot

from arena.bench.figures import Figures, save

NODES = (1, 1_000)
LONGEST = 160
SETTINGS = {"Threads": 1, "Hash": 16}
FINISHED = re.compile(r"match\.finished .*\bdecisions=(\d+) elapsed_ms=(\d+) ending=completed")

Game = tuple[int, float]
"""The moves of a game, and the milliseconds that it took."""


def by_python_chess(nodes: int, games: int) -> list[Game]:
    """Play games with python-chess's own driver."""
    found: list[Game] = []
    with (
        chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as white,
        chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as black,
    ):
        white.configure(SETTINGS)
        black.configure(SETTINGS)
        for number in range(games):
            board = chess.Board(starts("")[number])
            began, moves = time.perf_counter(), 0
            while moves < LONGEST and not board.is_game_over(claim_draw=False) and not board.is_repetition(3):
                engine = white if board.turn else black
                told = engine.play(board, chess.engine.Limit(nodes=nodes), game=number, info=chess.engine.INFO_SCORE)
                assert told.move is not None, "the engine moves"
                board.push(told.move)
                moves += 1
            found.append((moves, 1e3 * (time.perf_counter() - began)))
    return found


def by_the_arena(folder: Path, nodes: int, games: int) -> list[Game]:
    """Play games with `arena play`, and read their times from the referee's log."""
    bots = []
    for name in ("white", "black"):
        bot = folder / f"{name}-{nodes}"
        if not bot.exists():
            settings = [f"{key}={value}" for key, value in SETTINGS.items()]
            write_bot(bot, bot.name, ["stockfish"], settings, [f"nodes={nodes}"], is_deterministic=True)
        bots += ["--bot", str(bot)]
    options = ["--option", "opening=book", "--option", f"longest={LONGEST}"]
    done = subprocess.run(
        [
            sys.executable, "-m", "arena", "play", "chess", *bots, *options, "--matches", str(games),
            "--concurrency", "1", "--seed", "18", "--no-verify", "--log-level", "info",
        ],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = [(int(match[1]), float(match[2])) for match in FINISHED.finditer(done.stderr)]
    assert len(found) == games, done.stderr
    return found


def main() -> None:
    """Let both play in turn, and save the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=4)
    told = parser.parse_args()
    table = Figures(("Nodes", "Driver", "Games", "Moves", "ms per move", "Median of turns"))
    with TemporaryDirectory() as temporary:
        for nodes in NODES:
            played: dict[str, list[list[Game]]] = {"python-chess": [], "arena": []}
            for _ in range(told.rounds):
                played["python-chess"].append(by_python_chess(nodes, told.games)[1:])
                played["arena"].append(by_the_arena(Path(temporary), nodes, told.games)[1:])
            for driver, turns in played.items():
                games = [game for turn in turns for game in turn]
                each = statistics.median(elapsed / moves for moves, elapsed in games)
                whole = statistics.median(sum(ms for _, ms in turn) / sum(moves for moves, _ in turn) for turn in turns)
                moves = sum(moves for moves, _elapsed in games)
                table.add(nodes, driver, len(games), moves, f"{each:.2f}", f"{whole:.2f}")
    save("chess_overhead", {"moves": table})


if __name__ == "__main__":
    main()
