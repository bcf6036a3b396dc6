"""The board in characters, for terminals and language models."""

from __future__ import annotations

import chess
from arena_chess.rules import numbered
from arena_chess.values import View

from referee.view_text import facts


def draw(view: View) -> str:
    """Return the board with White below, its FEN and the score sheet."""
    board = chess.Board(view.fen)
    lines = []
    for rank in range(7, -1, -1):
        pieces = (board.piece_at(chess.square(file, rank)) for file in range(8))
        lines.append(f"{rank + 1}  {' '.join('.' if piece is None else piece.symbol() for piece in pieces)}")
    lines += ["", "   a b c d e f g h", ""]
    lines.append(
        f"{'White' if board.turn else 'Black'} to move" if view.result == "*" else f"{view.result}, {view.reason}"
    )
    lines.append(f"fen: {view.fen}")
    lines.append(f"moves: {numbered(view.start, view.moves)}".rstrip())
    return "\n".join([*lines, *facts(view, but=("fen", "moves", "result", "reason"))])
