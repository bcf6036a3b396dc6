"""Write the shipped book from its lines: `python -m plugins.chess.benchmarks.make_book`.

Every line is judged by Stockfish with a fixed number of nodes, so that anybody gets the same book; those that give one
side more than MAX_LEAD are left out, and named.
"""

from __future__ import annotations

from pathlib import Path

import chess
import chess.engine

HERE = Path(__file__).parents[1]
NODES = 300_000
MAX_LEAD = 80  # centipawns


def main() -> None:
    """Judge every line, and write those that are balanced."""
    book: dict[str, str] = {}
    with chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as engine:
        engine.configure({"Threads": 1, "Hash": 16})
        for line in (HERE / "openings.txt").read_text(encoding="ascii").splitlines():
            if line.startswith("#"):
                continue
            name, _, moves = line.partition(": ")
            board = chess.Board()
            for san in moves.split():
                board.push_san(san)
            told = engine.analyse(board, chess.engine.Limit(nodes=NODES), game=name)
            ahead = told["score"].white().score(mate_score=10_000)
            if abs(ahead) > MAX_LEAD:
                print(f"left out, {ahead:+} for White: {name}")
            elif board.epd() in book:
                print(f"the same position as another line: {name}")
            else:
                book[board.epd()] = board.epd(id=name, fmvn=board.fullmove_number, hmvc=board.halfmove_clock)
    (HERE / "arena_chess" / "openings.epd").write_text("".join(f"{line}\n" for line in book.values()), encoding="ascii")
    print(f"{len(book)} positions")


if __name__ == "__main__":
    main()
