"""What a move costs in the arena, beside python-chess driving the same engines directly: one run, in turn.

    python -m plugins.chess.benchmarks.overhead [--games 6] [--rounds 4]

Stockfish plays itself from the openings of the book, at one node, so that nearly all of a move is what is around the
engine, and at a thousand. In every turn the arena plays first; then python-chess plays the same openings, and since the
engines are deterministic the games have to come out the same, move by move. Both drivers keep two engine processes for
all games of a turn; the first game of every turn is left out, since it starts processes. The time of an answer is that
from asking to hearing. What is around it is CPU time of one process: the rules and, in the arena, listing the moves,
writing the prompt, and the fingerprint for the record.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.engine
from arena_chess.game import GAME
from arena_chess.new_bot import write_bot
from arena_chess.values import Move

from arena.bench.figures import Figures, save
from referee.codec import codec_for
from referee.record import How, read

NODES = (1, 1_000)
LONGEST = 160
QUARTERS = tuple(f"ms per answer, {name}" for name in ("lower quartile", "median", "upper quartile"))
SETTINGS = {"Threads": 1, "Hash": 16}


@dataclass(frozen=True, slots=True)
class Game:
    """Where a game began, its moves, and the milliseconds of every answer of a bot."""

    start: str
    moves: tuple[str, ...]
    answers_ms: tuple[float, ...]


def by_python_chess(nodes: int, starts: list[str]) -> list[Game]:
    """Play games with python-chess's own driver."""
    found: list[Game] = []
    with (
        chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as white,
        chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as black,
    ):
        white.configure(SETTINGS)
        black.configure(SETTINGS)
        for number, start in enumerate(starts):
            board = chess.Board(start)
            answers = []
            while len(board.move_stack) < LONGEST and not is_over(board):
                legal = list(board.legal_moves)
                if len(legal) == 1:
                    board.push(legal[0])  # nor does the arena ask for these
                    continue
                engine = white if board.turn else black
                asked = time.perf_counter()
                told = engine.play(board, chess.engine.Limit(nodes=nodes), game=number, info=chess.engine.INFO_SCORE)
                assert told.move is not None, "the engine moves"
                answers.append(1e3 * (time.perf_counter() - asked))
                board.push(told.move)
            found.append(Game(start, tuple(move.uci() for move in board.move_stack), tuple(answers)))
    return found


def is_over(board: chess.Board) -> bool:
    """Return whether a game ends by the rules of the arena's chess, without claims."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


def by_the_arena(folder: Path, nodes: int, games: int) -> list[Game]:
    """Play games with `arena play`, and read them from the records."""
    bots = []
    for name in ("white", "black"):
        bot = folder / f"{name}-{nodes}"
        if not bot.exists():
            settings = [f"{key}={value}" for key, value in SETTINGS.items()]
            write_bot(bot, bot.name, ["stockfish"], settings, [f"nodes={nodes}"], is_deterministic=True)
        bots += ["--bot", str(bot)]
    options = ["--option", "opening=book", "--option", f"longest={LONGEST}"]
    with TemporaryDirectory(dir=folder) as records:
        subprocess.run(
            [
                sys.executable, "-m", "arena", "play", "chess", *bots, *options, "--matches", str(games),
                "--concurrency", "1", "--seed", "18", "--no-verify", "--records", records,
            ],
            cwd=folder, check=True, capture_output=True, text=True,
        )  # fmt: skip
        texts = [file.read_text("ascii") for file in sorted(Path(records).glob("*.jsonl"))]
    found = []
    for record in map(read, texts):
        state = record.game.new(2, int(record.header["seed"]), record.options)
        made = [choice for step in record.steps for choice in step.choices]
        answers = tuple(sum(choice.times_us) / 1e3 for choice in made if choice.how == How.ANSWERED)
        found.append(Game(state.start, tuple(choice.action.uci for choice in made), answers))
    return found


def around_python_chess(games: Sequence[Game]) -> float:
    """Return the CPU-ms of a move beside the engine: the legal moves, the move, and whether the game is over."""
    began = time.process_time()
    for game in games:
        board = chess.Board(game.start)
        for uci in game.moves:
            list(board.legal_moves)
            board.push_uci(uci)
            is_over(board)
    return 1e3 * (time.process_time() - began) / sum(len(game.moves) for game in games)


def around_the_arena(games: Sequence[Game]) -> float:
    """Return the CPU-ms of a move beside the engine: as the referee has it, with the prompt and the record's part."""
    codec, began = codec_for(GAME), time.process_time()
    for game in games:
        state = GAME.new(2, 1, GAME.options({"opening": f"fen:{game.start}", "longest": LONGEST}))
        for uci in game.moves:
            (decision,) = GAME.pending(state)
            options = [codec.action.encode(action) for action in GAME.legal_actions(state, decision.seat)]
            view = codec.view.encode(GAME.observe(state, decision.seat))
            codec.prompt(view=view, options=options).SerializeToString()
            move = Move(uci)
            GAME.check(state, decision.seat, move)
            GAME.apply_checked(state, {decision.seat: move})
            GAME.digest(state)
    return 1e3 * (time.process_time() - began) / sum(len(game.moves) for game in games)


def main() -> None:
    """Let both play in turn, and save the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=4)
    told = parser.parse_args()
    table = Figures(("Nodes", "Driver", "Games", "Moves", *QUARTERS, "CPU-ms around it"))
    with TemporaryDirectory() as temporary:
        for nodes in NODES:
            ours, theirs = list[Game](), list[Game]()
            for _ in range(told.rounds):
                played = by_the_arena(Path(temporary), nodes, told.games)
                again = by_python_chess(nodes, [game.start for game in played])
                assert [game.moves for game in again] == [game.moves for game in played], "the same games"
                ours += played[1:]
                theirs += again[1:]
            around = around_python_chess(theirs), around_the_arena(ours)
            for driver, games, cpu_ms in zip(("python-chess", "arena"), (theirs, ours), around, strict=True):
                quarters = statistics.quantiles([answer for game in games for answer in game.answers_ms], n=4)
                moves = sum(len(game.moves) for game in games)
                table.add(nodes, driver, len(games), moves, *(f"{each:.2f}" for each in quarters), f"{cpu_ms:.2f}")
    save("chess_overhead", {"moves": table})


if __name__ == "__main__":
    main()
