"""The matches to write as PGN: of record files, or of a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import chess.pgn
from arena_chess.game import GAME
from arena_chess.pgn import game_of

from arena.store.database import open_to_read
from referee.mistakes import UserError
from referee.order import Ending
from referee.record import RecordError, verify


def exported(files: Sequence[Path], db: Path | None, tournament: str | None) -> Iterator[chess.pgn.Game]:
    """Yield games of record files, then those of a database in the order in which they were played."""
    for file in files:
        try:
            text = file.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{file}: cannot be read: {error}") from None
        yield _game(text, str(file))
    if db is not None:
        yield from _of_database(db, tournament)


def _game(text: str, name: str, event: str = "", round_name: str = "?") -> chess.pgn.Game:
    try:
        return game_of(verify(text), event, round_name)
    except RecordError as error:
        raise UserError(f"{name}: the record is refused: {error}") from None


def _of_database(db: Path, tournament: str | None) -> Iterator[chess.pgn.Game]:
    """Yield the settled matches: those of an open round stay secret. Void matches and replaced ones are left out."""
    store = open_to_read(db)
    try:
        chosen = store.tournaments.all() if tournament is None else [store.tournaments.find(tournament)]
        for each in chosen:
            for match in store.matches.of(each.id):
                if match.game == GAME.slug and match.ending != Ending.VOIDED and store.matches.is_settled(match):
                    place = f"{match.round}.{match.table}.{match.game_number}"
                    yield _game(store.matches.record(match.id), f"match {match.id[:12]}", each.id, place)
    finally:
        store.close()
