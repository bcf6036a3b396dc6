"""Chess as the contract tests see it."""

from __future__ import annotations

from typing import Any

import chess
from arena_chess.game import GAME
from arena_chess.rules import State, key_of, legal_moves
from arena_chess.values import DrawClaimed, Event, Moved, View

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.rng import Rng


def check_invariants(state: State) -> None:
    """The moves lead from the start to the board, by python-chess's own history of the game."""
    board = chess.Board(state.start)
    for uci in state.moves:
        board.push_uci(uci)
    assert board.fen() == state.board.fen()
    assert key_of(board) == state.keys[-1]
    assert board.is_repetition(3) == (state.keys.count(state.keys[-1]) >= 3)
    assert len(state.keys) <= board.halfmove_clock + 1
    assert state.legal == legal_moves(board)
    assert not state.board.move_stack
    assert (state.end is None) <= (not board.is_game_over())


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """Return a copy: nothing is hidden."""
    return GAME.clone(state)


class Listener:
    """The score sheet kept by ear."""

    def __init__(self, first: View, seat: Seat) -> None:
        self.board, self.moves, self.is_claimed = chess.Board(first.fen), list(first.moves), False

    def hear(self, event: Event) -> None:
        """Write a move down."""
        match event:
            case Moved(_, uci, san):
                assert self.board.san_and_push(chess.Move.from_uci(uci)) == san
                self.moves.append(uci)
            case DrawClaimed():
                self.is_claimed = True

    def check(self, state: Any) -> None:
        """Compare the score sheet with a state."""
        assert state.moves == self.moves
        assert state.board.fen() == self.board.fen()
        assert not self.is_claimed or state.end is not None


CASE = ContractCase(
    game=GAME,
    configurations=(
        Configuration(2, {"longest": 60}),
        Configuration(2, {"opening": "book", "draws": "claimed", "longest": 50, "unfinished": "black"}),
        Configuration(2, {"opening": "fen:8/8/8/4k3/8/8/1P6/4K3 w - - 0 1", "draws": "claimed", "longest": 80}),
    ),
    max_choices=lambda seats: 400,
    check_invariants=check_invariants,
    scramble=scramble,
    remember=Listener,
)
