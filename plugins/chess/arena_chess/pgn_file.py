"""Files of chess games and positions, as text and as games of python-chess."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import chess.pgn

from referee.mistakes import UserError


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong with a game, and logs nothing."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_text(file: Path) -> str:
    """Return the text of a file in UTF-8, or else in Latin-1, as older programs write; a UserError if there is none."""
    try:
        read = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    if b"\0" in read:
        raise UserError(f"{file}: cannot be read: it is not a text")
    try:
        text = read.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = read.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parsed(file: Path) -> Iterator[chess.pgn.Game]:
    """Yield the games of a PGN file, each with its `errors`."""
    source, at = io.StringIO(read_text(file)), -1
    while source.tell() > at:
        at = source.tell()
        try:
            game = chess.pgn.read_game(source, Visitor=lambda: _Builder(Game=chess.pgn.Game))
        except Exception as error:  # python-chess stumbles over some texts that are no PGN
            game = chess.pgn.Game()
            game.errors.append(ValueError(f"it is not PGN ({type(error).__name__})"))
        if game is None:
            return
        yield game
