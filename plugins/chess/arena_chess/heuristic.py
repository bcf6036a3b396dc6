"""How good moves look: material, mobility, and what is left hanging."""

from __future__ import annotations

from collections.abc import Sequence

import chess
from arena_chess.rules import State, key_of
from arena_chess.values import Action, Move

from referee.heuristic import Heuristic

WORTH = (0.0, 1.0, 3.0, 3.2, 5.0, 9.0, 0.0)
"""By type of piece, in pawns; the king is never taken."""

PER_SQUARE = 0.03
"""What a square that a piece attacks is worth."""

PER_CENTRE_SQUARE = 0.05
"""What one of the four squares in the middle adds."""

PUSH = 0.04
"""What a pawn is worth for every rank that it has advanced."""

MATE = 40.0


def placed(board: chess.Board, colour: chess.Color) -> float:
    """Return what the pieces of one colour are worth where they stand, in pawns."""
    worth = 0.0
    for square in chess.scan_forward(board.occupied_co[colour]):
        piece = board.piece_type_at(square)
        assert piece is not None, "the square is occupied"
        worth += WORTH[piece]
        if piece == chess.PAWN:
            rank = square >> 3
            worth += PUSH * (rank - 1 if colour else 6 - rank)
        if piece != chess.KING:
            reach = board.attacks_mask(square)
            worth += PER_SQUARE * reach.bit_count() + PER_CENTRE_SQUARE * (reach & chess.BB_CENTER).bit_count()
    return worth


def hanging(board: chess.Board, colour: chess.Color) -> float:
    """Return the most that the other side wins by taking one piece of this colour, as far as one exchange shows."""
    most = 0.0
    for square in chess.scan_forward(board.occupied_co[colour] & ~board.kings):
        attackers = board.attackers_mask(not colour, square)
        if not attackers:
            continue
        piece = board.piece_type_at(square)
        assert piece is not None, "the square is occupied"
        lost = WORTH[piece]
        if board.attackers_mask(colour, square):
            lost -= min(WORTH[board.piece_type_at(by) or 0] for by in chess.scan_forward(attackers))
        most = max(most, lost)
    return most


def lead(board: chess.Board, colour: chess.Color) -> float:
    """Return the lead of the side that has just moved, in pawns."""
    return placed(board, colour) - placed(board, not colour) - hanging(board, colour)


def rate(state: State, seat: int, options: Sequence[Action]) -> list[float]:
    """Rate moves by the position after them; a claim and a repetition are worth a draw."""
    board, colour = state.board.copy(stack=False), seat == 0
    ratings = []
    for option in options:
        if not isinstance(option, Move):
            ratings.append(0.0)
            continue
        board.push(chess.Move.from_uci(option.uci))
        if not any(board.generate_legal_moves()):
            ratings.append(MATE if board.is_check() else 0.0)
        elif board.halfmove_clock and state.keys.count(key_of(board)) >= 2:
            ratings.append(0.0)
        else:
            ratings.append(lead(board, colour))
        board.pop()
    return ratings


def worths(state: State) -> list[float]:
    """Return what a position is worth to both sides; a finished match by its result."""
    if state.end is not None:
        winner = state.end.winner
        return [0.0, 0.0] if winner is None else [MATE, -MATE] if winner == 0 else [-MATE, MATE]
    moved = not state.board.turn
    worth = lead(state.board, moved)
    return [worth, -worth] if moved else [-worth, worth]


HEURISTIC = Heuristic(rate, worths)
