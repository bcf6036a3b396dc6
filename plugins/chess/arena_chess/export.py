"""The matches to write as PGN: of record files, or of a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import chess.pgn
from arena_chess.game import GAME
from arena_chess.pgn import game_of

from arena.store.database import Store, open_to_read
from arena.store.rows import StoredMatch
from referee.mistakes import UserError
from referee.order import Ending
from referee.record import RecordError, verify

AT_A_TIME = 500


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
    """Yield the matches of tournaments and tests that count; those of an open round stay secret."""
    store = open_to_read(db)
    try:
        found = list(_all_matches(store)) if tournament is None else store.matches.of(tournament)
        if tournament is not None and not found:
            store.tournaments.find(tournament)
        for match in found:
            if match.game == GAME.slug and match.ending != Ending.VOIDED and store.matches.is_settled(match):
                place = f"{match.round}.{match.table}.{match.game_number + 1}"
                yield _game(store.matches.record(match.id), f"match {match.id[:12]}", match.tournament, place)
    finally:
        store.close()


def _all_matches(store: Store) -> Iterator[StoredMatch]:
    """Yield all matches, tournament by tournament in the order of their first matches, each in canonical order."""
    names: dict[str, None] = {}
    before: int | None = None
    while True:
        page, before = store.matches.before(before, AT_A_TIME)
        names = {match.tournament: None for match in reversed(page)} | names
        if before is None:
            break
    for name in names:
        yield from store.matches.of(name)
