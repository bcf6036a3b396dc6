"""The board as a picture, with the pieces that python-chess draws."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import chess
import chess.svg
from arena_chess.rules import numbered
from arena_chess.values import View
from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, many
from referee.markup import group, picture, tag, title

SQUARE = 45.0  # the size of python-chess's pieces
MARGIN = 18.0
LIGHT, DARK, LIGHT_MOVED, DARK_MOVED, CHECK = "#f0d9b5", "#b58863", "#cdd26a", "#aaa23a", "#e06050"
FRAME, INK = "#3d2f26", "#f0d9b5"
NAMES = {True: "White", False: "Black"}


@cache
def drawn_piece(symbol: str) -> Markup:
    """Return the drawing of a piece, without ids, since a page has several of each.

    Inline styles become attributes, because the site's content security policy forbids styles.
    """
    text = re.sub(r' (?:id|class)="[^"]*"', "", chess.svg.PIECES[symbol])
    return Markup(re.sub(r' style="([^"]*)"', _attributes, text))


def _attributes(style: re.Match[str]) -> str:
    pairs = (each.split(":") for each in style[1].split(";") if each.strip())
    return "".join(f' {key.strip()}="{value.strip()}"' for key, value in pairs)


def corner(square: chess.Square) -> tuple[float, float]:
    """Return the upper left corner of a square; White sits below."""
    return MARGIN + SQUARE * chess.square_file(square), MARGIN + SQUARE * (7 - chess.square_rank(square))


def squares(board: chess.Board, last: chess.Move | None) -> Iterator[Markup]:
    """Yield the 64 squares, those of the last move and a checked king's marked, with their pieces."""
    moved = () if last is None else (last.from_square, last.to_square)
    checked = board.king(board.turn) if board.is_check() else None
    for square in chess.SQUARES:
        x, y = corner(square)
        is_light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
        fill = (LIGHT_MOVED if is_light else DARK_MOVED) if square in moved else (LIGHT if is_light else DARK)
        fill = CHECK if square == checked else fill
        piece = board.piece_at(square)
        held = "empty" if piece is None else f"{NAMES[piece.color].lower()} {chess.piece_name(piece.piece_type)}"
        about = title(f"{chess.square_name(square)}: {held}")
        shape = tag("rect", about, x=x, y=y, width=SQUARE, height=SQUARE, fill=fill)
        if piece is None:
            yield shape
        else:
            drawn = group([drawn_piece(piece.symbol())], transform=f"translate({x:g} {y:g})")
            yield group([shape, drawn])


def coordinates() -> Iterator[Markup]:
    """Yield the letters of the files and the numbers of the ranks."""
    side = 2 * MARGIN + 8 * SQUARE
    yield tag("rect", x=0.0, y=0.0, width=side, height=side, rx=4.0, fill=FRAME)
    for place in range(8):
        middle = MARGIN + SQUARE * (place + 0.5)
        for at, word in (
            ((middle, side - MARGIN / 2), chess.FILE_NAMES[place]),
            ((MARGIN / 2, side - middle), chess.RANK_NAMES[place]),
        ):
            yield tag(
                "text", word, x=at[0], y=at[1], fill=INK, font_size="11", text_anchor="middle",
                dominant_baseline="central",
            )  # fmt: skip


def draw(view: View) -> Drawing:
    """Draw the position, the score sheet and what each side has taken."""
    board = chess.Board(view.fen)
    last = chess.Move.from_uci(view.moves[-1]) if view.moves else None
    side = 2 * MARGIN + 8 * SQUARE
    turn = f"{NAMES[board.turn]} to move" if view.result == "*" else f"{view.result}, {view.reason}"
    about = f"A chess board with {many(board.occupied.bit_count(), 'piece')}: {turn}."
    board_figure = Figure(turn, picture((0, 0, side, side), [*coordinates(), *squares(board, last)], about), "half")
    moves = numbered(view.start, view.moves) or "no move yet"
    sheet = Figure("Score sheet", tag("p", moves), "half")
    facts = (
        ("to move", turn),
        ("move", str(board.fullmove_number)),
        ("half-moves without progress", str(board.halfmove_clock)),
        ("FEN", view.fen),
    )
    first = chess.Board(view.start)
    panels = tuple(
        Panel(seat, (("pieces", NAMES[seat == 0]), ("taken", taken(first, board, seat == 0)))) for seat in (0, 1)
    )
    return Drawing((board_figure, sheet), facts, panels)


def taken(first: chess.Board, board: chess.Board, colour: chess.Color) -> str:
    """Return what a side has taken; a promoted pawn counts as a pawn that is gone and a piece that has come."""
    found = []
    for kind in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN):
        before, now = len(first.pieces(kind, not colour)), len(board.pieces(kind, not colour))
        if before > now:
            found.append(many(before - now, chess.piece_name(kind)))
    return ", ".join(found) or "nothing"
