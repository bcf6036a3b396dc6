"""Opening books: the one shipped with the package, and your own, named by what is in them.

A book is a text of EPD lines, one position each. A match names its book by the SHA-256 of that text, so that a record
can only be replayed with the same lines; the file lies in a folder of its own, named after its hash.
"""

from __future__ import annotations

import os
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import chess
from arena_chess.pgn_file import parsed, read_text
from arena_chess.values import MAX_SAID, printable

from referee.mistakes import UserError
from referee.rng import Rng

SHIPPED = Path(__file__).with_name("openings.epd")
FOLDER = "ARENA_CHESS_BOOKS"
HASH = re.compile(r"[0-9a-f]{64}")


class BookError(ValueError):
    """A book is missing, changed or unreadable; the message says which and where it was looked for."""


def folder() -> Path:
    """Return where your own books are kept: `ARENA_CHESS_BOOKS`, or a folder of the user's data."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get(FOLDER) or Path(data) / "arena-chess" / "books")


@cache
def starts(which: str) -> tuple[str, ...]:
    """C2.2: the positions of a book as FEN: of the shipped one, or of the book with this hash; else a BookError."""
    if not which:
        text = SHIPPED.read_text(encoding="ascii")
    else:
        if not HASH.fullmatch(which):
            raise BookError(f"book {which!r}: expected the SHA-256 of a book, 64 hex digits")
        file = folder() / f"{which}.epd"
        try:
            text = file.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            raise BookError(
                f"book {which}: not found as {file}; python -m arena_chess book add puts it there"
            ) from None
        if sha256(text.encode("ascii")).hexdigest() != which:
            raise BookError(f"book {which}: {file} was changed since")
    return tuple(_fens(text))


def line_of_book(which: str, rng: Rng) -> str:
    """C2.2: one position of a book, each equally likely."""
    return rng.choice(starts(which))


def _fens(text: str) -> list[str]:
    fens = []
    for number, line in enumerate(text.splitlines(), 1):
        board = chess.Board()
        try:
            board.set_epd(line)
        except ValueError as error:
            raise BookError(f"line {number}: {error}") from None
        if fault := fault_of(board):
            raise BookError(f"line {number}: {fault}")
        fens.append(board.fen(en_passant="fen"))
    if not fens:
        raise BookError("there is no position in it")
    return fens


def fault_of(board: chess.Board) -> str:
    """C2.1: why no match can begin with a position, or nothing."""
    if not board.is_valid():
        return f"{board.fen()} is not a legal position"
    return f"the game is already over in {board.fen()}" if board.is_game_over() else ""


def read_book(file: Path, plies: int) -> str:
    """Return the book of a file of EPD or FEN lines, or of PGN games after some half-moves, each position once.

    A UserError says what is wrong with the file.
    """
    boards = _of_games(file, plies) if file.suffix.lower() == ".pgn" else _of_lines(file, read_text(file))
    lines: dict[str, str] = {}
    for where, name, board in boards:
        if fault := fault_of(board):
            raise UserError(f"{file}: {where}: {fault}")
        counts = board.epd(fmvn=board.fullmove_number, hmvc=board.halfmove_clock)
        lines.setdefault(board.epd(), f'{counts} id "{name}";' if name else counts)
    if not lines:
        raise UserError(f"{file}: no position found; expected lines of EPD, or PGN games of {plies} half-moves or more")
    return "".join(f"{line}\n" for line in lines.values())


def _of_lines(file: Path, text: str) -> list[tuple[str, str, chess.Board]]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        board, name = chess.Board(), ""
        try:
            if re.fullmatch(r"(\S+ ){4}\d+ \d+", line):
                board.set_fen(line)
            else:
                name = plain(str(board.set_epd(line).get("id", "")))
        except ValueError as error:
            raise UserError(f"{file}: line {number}: {said(error)}") from None
        found.append((f"line {number}", name, board))
    return found


def _of_games(file: Path, plies: int) -> list[tuple[str, str, chess.Board]]:
    found = []
    for number, game in enumerate(parsed(file), 1):
        if game.errors:
            raise UserError(f"{file}: game {number}: {said(game.errors[0])}")
        moves = list(game.mainline_moves())
        if len(moves) < plies:
            continue
        board = game.board()
        for move in moves[:plies]:
            board.push(move)
        words = [game.headers.get(key, "") for key in ("ECO", "Opening", "Variation")]
        found.append((f"game {number}", plain(" ".join(filter(None, words))), board))
    return found


def said(error: Exception) -> str:
    """Return what python-chess says of a text, in one line of a length that can be read."""
    return printable(" ".join(str(error).split()))[:MAX_SAID]


def plain(text: str) -> str:
    """Return a name in ASCII without what ends an EPD text."""
    return "".join(letter for letter in text if letter.isascii() and letter.isprintable() and letter not in '"\\;')


def add_book(file: Path, plies: int) -> tuple[str, int]:
    """Keep a book under its hash, and return the hash and the number of its positions."""
    text = read_book(file, plies)
    name = sha256(text.encode("ascii")).hexdigest()
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    written = place / f".{name}.{os.getpid()}"
    written.write_text(text, encoding="ascii")
    written.replace(place / f"{name}.epd")
    return name, len(starts(name))
