"""A UCI engine for tests: plays the first legal move, or whatever its arguments say.

fake_engine.py [crash-after N | illegal | deaf | score N | echo FILE]
"""

from __future__ import annotations

import sys

import chess

TOLD = sys.argv[1:]


def main() -> None:
    """Answer until told to quit."""
    moves, board = 0, chess.Board()
    for line in sys.stdin:
        if "echo" in TOLD:
            with open(TOLD[TOLD.index("echo") + 1], "a", encoding="ascii") as file:
                file.write(line)
        words = line.split()
        match words[0]:
            case "uci":
                sys.stdout.write("id name Fake 1\noption name Hash type spin default 16 min 1 max 64\nuciok\n")
            case "isready" if "deaf" not in TOLD:
                sys.stdout.write("readyok\n")
            case "position":
                board = chess.Board(" ".join(words[2:8]))
                for uci in words[9:]:
                    board.push_uci(uci)
            case "go":
                moves += 1
                if "crash-after" in TOLD and moves > int(TOLD[-1]):
                    sys.stderr.write("out of memory\n")
                    sys.exit(7)
                best = min(move.uci() for move in board.legal_moves)
                score = TOLD[TOLD.index("score") + 1] if "score" in TOLD else "10"
                sys.stdout.write(f"info depth 3 score cp {score} nodes 42\n")
                sys.stdout.write(f"bestmove {'a1a1' if 'illegal' in TOLD else best}\n")
            case "quit":
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
