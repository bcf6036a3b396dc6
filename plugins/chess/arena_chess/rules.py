"""The rules beside the state: where a match begins, what a move does, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import chess
from arena_chess.books import line_of_book
from arena_chess.values import MAX_SCORE, Action, ClaimDraw, DrawClaimed, Move, Moved, Options, View

from referee.fingerprint import fingerprint
from referee.game import IllegalActionError, Seat, not_asked
from referee.ranges import check_type
from referee.rng import seeded

WHITE, BLACK = 0, 1  # seats
RESULTS = {WHITE: "1-0", BLACK: "0-1", None: "1/2-1/2"}
UNFINISHED = {"white": WHITE, "black": BLACK, "draw": None}

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class End:
    """How a match is over: who won, if anybody, and why."""

    winner: Seat | None
    reason: str


@dataclass(slots=True)
class State:
    """A game of chess; `board` has no history of its own, so that copies are cheap."""

    options: Options
    start: str
    board: chess.Board
    moves: list[str]
    keys: list[Key]
    """C5: the positions since the last capture or pawn move, which alone can be repeated."""
    runs: list[int]
    """C8: half-moves in a row whose scores agree that White wins, that Black wins, and on a draw."""
    legal: tuple[str, ...]
    """C3: the legal moves in canonical order; none after the end on the board."""
    end: End | None


@cache
def move_action(uci: str) -> Move:
    """Return the move without a score; there are a few thousand."""
    return Move(uci)


def first_state(seed: int, options: Options) -> State:
    """C2: set up the first position."""
    kind, _, which = options.opening.partition(":")
    if kind == "start":
        start = chess.STARTING_FEN
    elif kind == "fen":
        start = which
    else:
        start = line_of_book(which, seeded(seed).fork("opening"))
    return state_at(options, start)


def state_at(options: Options, start: str) -> State:
    """Return the state before the first move from a position."""
    board = chess.Board(start)
    state = State(options, start, board, [], [key_of(board)], [0, 0, 0], legal_moves(board), None)
    state.end = end_on_the_board(state)
    return state


def legal_moves(board: chess.Board) -> tuple[str, ...]:
    """C3: the legal moves as UCI writes them, in alphabetical order."""
    return tuple(sorted([move.uci() for move in board.legal_moves]))


def key_of(board: chess.Board) -> Key:
    """C5.1: what makes two positions the same: the pieces, whose turn it is, castling rights, and en passant."""
    en_passant = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.occupied_co[chess.WHITE], board.occupied, board.clean_castling_rights(), en_passant, board.turn,
    )  # fmt: skip


def mover(state: State) -> Seat:
    """Return the seat whose turn it is."""
    return WHITE if state.board.turn else BLACK


def copy_of(state: State) -> State:
    """Return an independent copy."""
    return State(
        state.options, state.start, state.board.copy(stack=False), state.moves[:], state.keys[:], state.runs[:],
        state.legal, state.end,
    )  # fmt: skip


def digest_of(state: State) -> str:
    """Return the fingerprint of a state: all of it follows from these parts."""
    end = None if state.end is None else (state.end.winner, state.end.reason)
    rules = state.options
    return fingerprint(
        state.start, state.moves, state.runs, end, rules.draws, rules.longest, rules.unfinished, rules.resign_moves,
        rules.resign_score, rules.draw_moves, rules.draw_score, rules.draw_from,
    )  # fmt: skip


# What may be done.


def require_asked(state: State, seat: Seat) -> None:
    """C3: only the seat whose turn it is is asked, and nobody after the end."""
    if state.end is not None or seat != mover(state):
        raise not_asked("C3", seat)


def actions(state: State) -> list[Move | ClaimDraw]:
    """C3, C5: every legal move, then every claim that would be right."""
    return [*map(move_action, state.legal), *right_claims(state)]


def right_claims(state: State) -> list[Move | ClaimDraw]:
    """C5.2: the claims that would be right: by the position, then by each move."""
    if state.options.draws != "claimed":
        return []
    if len(state.keys) < 4 * (3 - 1) and state.board.halfmove_clock < 100 - 1:
        return []  # the third repetition takes eight half-moves at least
    return [ClaimDraw(uci) for uci in ("", *state.legal) if claimed_reason(state, uci)]


def claimed_reason(state: State, uci: str) -> str:
    """C5.2: why a draw can be claimed by the position or, with a move, by the one after it; empty if it cannot."""
    if not uci:
        return drawn_by_moves(state.keys, state.board.halfmove_clock, 3, 100)
    board = state.board
    move = chess.Move.from_uci(uci)
    if board.is_zeroing(move):
        return ""
    board.push(move)
    reason = drawn_by_moves([*state.keys, key_of(board)], board.halfmove_clock, 3, 100)
    board.pop()
    return reason


def check(state: State, seat: Seat, action: object) -> None:
    """C3, C5, C8.1: refuse a move that is not legal, a wrong claim, and a score out of range."""
    require_asked(state, seat)
    check_type("C3", action, Action)
    if isinstance(action, Move):
        if action.uci not in state.legal:
            raise IllegalActionError("C3", f"{action.uci!r} is not a legal move; expected one of {some(state.legal)}")
        score = action.score
        if score is not None and not -MAX_SCORE <= score <= MAX_SCORE:
            raise IllegalActionError("C8.1", f"score: {score!r} is not within ±{MAX_SCORE:,} centipawns")
    elif isinstance(action, ClaimDraw):
        if state.options.draws != "claimed":
            raise IllegalActionError("C5", "draws are not claimed in this match: they are declared")
        if action.uci and action.uci not in state.legal:
            raise IllegalActionError("C3", f"{action.uci!r} is not a legal move; expected one of {some(state.legal)}")
        if not claimed_reason(state, action.uci):
            raise IllegalActionError("C5.2", "neither a third repetition nor 50 moves without a capture or a pawn move")


def some(legal: tuple[str, ...]) -> str:
    """Return the first few moves of a list."""
    return ", ".join(legal[:5]) + (", …" if len(legal) > 5 else "")


# What it does.


def carry_out(state: State, seat: Seat, action: Move | ClaimDraw) -> Moved | DrawClaimed:
    """C3, C5: make a legal move, or end the match by a right claim."""
    if isinstance(action, ClaimDraw):
        state.end = End(None, f"{claimed_reason(state, action.uci)}, claimed")
        return DrawClaimed(seat, action.uci)
    board, was_forced = state.board, len(state.legal) == 1
    move = chess.Move.from_uci(action.uci)
    written = san_without_check(board, move, state.legal)
    board.push(move)
    board.clear_stack()
    state.moves.append(action.uci)
    if board.halfmove_clock == 0:
        state.keys.clear()
    state.keys.append(key_of(board))
    state.legal = legal_moves(board)
    if board.is_check():
        written += "+" if state.legal else "#"
    count_scores(state, seat, action.score, was_forced=was_forced)
    state.end = end_on_the_board(state) or end_by_scores(state) or end_by_length(state)
    return Moved(seat, action.uci, written, action.score)


def san_without_check(board: chess.Board, move: chess.Move, legal: tuple[str, ...]) -> str:
    """Return a legal move in short algebraic notation, without the mark of a check.

    python-chess writes it too, but generates the legal moves again for it, twice.
    """
    piece, to = board.piece_type_at(move.from_square), chess.square_name(move.to_square)
    if board.is_castling(move):
        return "O-O" if chess.square_file(move.to_square) > chess.square_file(move.from_square) else "O-O-O"
    takes = "x" if board.is_capture(move) else ""
    if piece == chess.PAWN:
        begin = chess.square_name(move.from_square)[0] if takes else ""
        promoted = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        return f"{begin}{takes}{to}{promoted}"
    here = chess.square_name(move.from_square)
    rivals = [
        uci[:2]
        for uci in legal
        if uci[2:4] == to and uci[:2] != here and board.piece_type_at(chess.parse_square(uci[:2])) == piece
    ]
    apart = ""
    if rivals:
        is_file_enough = all(rival[0] != here[0] for rival in rivals)
        is_rank_enough = all(rival[1] != here[1] for rival in rivals)
        apart = here[0] if is_file_enough else here[1] if is_rank_enough else here
    assert piece is not None, "a legal move has a piece"
    return f"{chess.piece_symbol(piece).upper()}{apart}{takes}{to}"


# When it is over.


def end_on_the_board(state: State) -> End | None:
    """C4, C5: the end by mate, stalemate, a dead position, repetition, or too many moves without progress."""
    board = state.board
    if not state.legal:
        return End(1 - mover(state), "checkmate") if board.is_check() else End(None, "stalemate")
    if board.is_insufficient_material():
        return End(None, "insufficient material")
    is_claimed = state.options.draws == "claimed"
    reason = drawn_by_moves(state.keys, board.halfmove_clock, *((5, 150) if is_claimed else (3, 100)))
    return End(None, reason) if reason else None


def drawn_by_moves(keys: list[Key], quiet: int, repetitions: int, max_quiet: int) -> str:
    """C5: why the last of these positions is drawn: repeated, or too many half-moves without progress; or empty."""
    if len(keys) > 4 * (repetitions - 1) and keys.count(keys[-1]) >= repetitions:
        return {3: "threefold repetition", 5: "fivefold repetition"}[repetitions]
    return f"{max_quiet // 2}-move rule" if quiet >= max_quiet else ""


def end_by_length(state: State) -> End | None:
    """C7: the end after the longest match that the options allow."""
    if len(state.moves) < state.options.longest:
        return None
    return End(UNFINISHED[state.options.unfinished], f"{state.options.longest} half-moves")


def count_scores(state: State, seat: Seat, score: int | None, *, was_forced: bool) -> None:
    """C8.2: count the half-moves in a row whose scores agree.

    A forced move without a score neither counts nor interrupts.
    """
    rules = state.options
    if score is None:
        if not was_forced:
            state.runs[:] = (0, 0, 0)
        return
    white = score if seat == WHITE else -score
    agreed = (
        rules.resign_moves > 0 and white >= rules.resign_score,
        rules.resign_moves > 0 and white <= -rules.resign_score,
        rules.draw_moves > 0 and abs(white) <= rules.draw_score,
    )
    for place, holds in enumerate(agreed):
        state.runs[place] = state.runs[place] + 1 if holds else 0


def end_by_scores(state: State) -> End | None:
    """C8.3: the end once both sides' scores have agreed for long enough."""
    rules, (white_wins, black_wins, drawn) = state.options, state.runs
    if rules.resign_moves and white_wins >= 2 * rules.resign_moves:
        return End(WHITE, "adjudicated by agreed scores")
    if rules.resign_moves and black_wins >= 2 * rules.resign_moves:
        return End(BLACK, "adjudicated by agreed scores")
    if rules.draw_moves and drawn >= 2 * rules.draw_moves and state.board.fullmove_number >= rules.draw_from:
        return End(None, "draw agreed by scores")
    return None


# What is seen.


def view_of(state: State) -> View:
    """Return the view, the same for everybody."""
    white_wins, black_wins, drawn = state.runs
    end = state.end
    return View(
        state.options, state.start, tuple(state.moves), state.board.fen(en_passant="fen"), white_wins, black_wins,
        drawn, "*" if end is None else RESULTS[end.winner], "" if end is None else end.reason,
    )  # fmt: skip


def state_of(view: View) -> State:
    """Return the state that a view shows: nothing is hidden in chess."""
    board = chess.Board(view.start)
    keys = [key_of(board)]
    for uci in view.moves:
        board.push(chess.Move.from_uci(uci))
        if board.halfmove_clock == 0:
            keys.clear()
        keys.append(key_of(board))
    board.clear_stack()
    end = None
    if view.result != "*":
        winner = next(seat for seat, result in RESULTS.items() if result == view.result)
        end = End(winner, view.reason)
    runs = [view.white_wins, view.black_wins, view.drawn]
    return State(view.options, view.start, board, list(view.moves), keys, runs, legal_moves(board), end)


def sans(start: str, moves: tuple[str, ...]) -> list[str]:
    """Return moves from a position in short algebraic notation."""
    board, written = chess.Board(start), []
    for uci in moves:
        written.append(board.san_and_push(chess.Move.from_uci(uci)))
    return written


def numbered(start: str, moves: tuple[str, ...]) -> str:
    """Return moves from a position as a score sheet has them: `1. e4 e5 2. Nf3`."""
    board = chess.Board(start)
    number, is_white = board.fullmove_number, board.turn
    words = [] if is_white or not moves else [f"{number}…"]
    for san in sans(start, moves):
        words += [f"{number}.", san] if is_white else [san]
        number += not is_white
        is_white = not is_white
    return " ".join(words)
