"""What looks good, and how a position is shown."""

from __future__ import annotations

import re

import chess
import pytest
from arena_chess.game import GAME
from arena_chess.values import ClaimDraw, Move

from referee.rng import seeded


def best(fen: str, **options: object) -> str:
    """Return the move that the heuristic rates highest."""
    state = GAME.new(2, 1, GAME.options({"opening": f"fen:{fen}", **options}))
    seat = 0 if state.board.turn else 1
    listed = list(GAME.legal_actions(state, seat))
    ratings = GAME.heuristic().rate(state, seat, listed)
    chosen = listed[ratings.index(max(ratings))]
    assert isinstance(chosen, Move)
    return chosen.uci


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("4k3/8/3p4/4r3/8/8/4R3/4K3 w - - 0 1", ""),
        ("4k3/8/4p3/3q4/4N3/8/8/4K3 b - - 0 1", "d5e4"),
    ],
    ids=["mate in one", "a queen for a pawn", "not a rook for a defended rook lightly", "a free knight"],
)
def test_the_heuristic_sees_what_is_there_for_the_taking(fen: str, uci: str) -> None:
    found = best(fen)
    assert found == uci if uci else found in {move.uci() for move in chess.Board(fen).legal_moves}


def test_a_greedy_player_beats_a_random_one() -> None:
    won = 0
    heuristic = GAME.heuristic()
    for seed in range(2):
        state = GAME.new(2, seed, GAME.options({"opening": "book", "longest": 80}))
        rng = seeded(seed)
        while pending := GAME.pending(state):
            seat = pending[0].seat
            listed = list(GAME.legal_actions(state, seat))
            if seat == seed % 2:
                ratings = heuristic.rate(state, seat, listed)
                chosen = listed[ratings.index(max(ratings))]
            else:
                chosen = listed[rng.index(len(listed))]
            GAME.apply_checked(state, {seat: chosen})
        worths = heuristic.worths(state) if state.end and state.end.winner is not None else _material(state.board)
        won += worths[seed % 2] > 3
    assert won == 2


def _material(board: chess.Board) -> list[float]:
    worth = (0, 1, 3, 3, 5, 9, 0)
    lead = float(sum(worth[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values()))
    return [lead, -lead]


def test_worths_sum_to_nothing_and_know_the_result() -> None:
    start = GAME.new(2, 1, GAME.options({}))
    worths = GAME.heuristic().worths
    assert worths(start) == pytest.approx([0.0, 0.0])
    state = GAME.new(2, 1, GAME.options({"longest": 1, "unfinished": "black"}))
    GAME.apply(state, {0: Move("e2e4")})
    assert worths(state)[1] > 10
    assert sum(worths(state)) == 0


def test_a_claim_is_worth_a_draw() -> None:
    lost = "fen:4k3/7q/6q1/8/8/8/8/K7 w - - 100 90"
    state = GAME.new(2, 1, GAME.options({"opening": lost, "draws": "claimed"}))
    listed = list(GAME.legal_actions(state, 0))
    ratings = GAME.heuristic().rate(state, 0, listed)
    assert isinstance(listed[ratings.index(max(ratings))], ClaimDraw)


def test_the_board_is_drawn_with_its_pieces_and_marks() -> None:
    state = GAME.new(2, 1, GAME.options({}))
    for seat, uci in ((0, "f2f3"), (1, "e7e5"), (0, "g2g4"), (1, "d8h4")):
        GAME.apply(state, {seat: Move(uci)})
    drawing = GAME.board(GAME.observe(state, None), {})
    figure, sheet = drawing.figures
    svg = str(figure.body)
    assert svg.count("<title>") == 1 + 64
    assert "<title>h4: black queen</title>" in svg
    assert "<title>d8: empty</title>" in svg
    assert "A chess board with 32 pieces: 0-1, checkmate." in svg
    assert svg.count('fill="#e06050"') == 1, "the king in check is marked"
    assert not re.search(r"style=| id=", svg), "the site forbids styles, and a page has several pieces of a kind"
    assert str(sheet.body) == "<p>1. f3 e5 2. g4 Qh4#</p>"
    assert [dict(panel.facts)["taken"] for panel in drawing.panels] == ["nothing", "nothing"]


def test_the_text_board_has_the_position_and_the_score_sheet() -> None:
    state = GAME.new(2, 1, GAME.options({"opening": "fen:4k3/8/8/8/8/8/4p3/R3K3 b - - 0 40"}))
    GAME.apply(state, {1: Move("e8d7")})
    lines = GAME.text_board(GAME.observe(state, 0)).splitlines()
    assert lines[:2] == ["8  . . . . . . . .", "7  . . . k . . . ."]
    assert "White to move" in lines
    assert "moves: 40… Kd7" in lines
