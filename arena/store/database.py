"""The store: one SQLite file with bots, tournaments, matches and records, and the ledger beside them.

A finished match is stored at once in one durable transaction; a round enters the ledger when it closes. The arena is
the only writer; readers may open the same file at any time.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arena.store.evidence import EvidenceRows
from arena.store.heads import HeadRows
from arena.store.judgements import JudgementRows
from arena.store.leases import LeaseRows
from arena.store.pools import PoolRows
from arena.store.schema import MIGRATIONS_TABLE, bring_up_to_date, lay_out, pending
from arena.store.tests import TestRows
from arena.store.tokens import TokenRows
from arena.store.tournaments import TournamentRows
from arena.store.workers import WorkerRows
from ratings.ledger import chain, posting
from referee.mistakes import UserError

DEFAULT_DB = Path("arena.db")


class Store(
    TestRows, TournamentRows, WorkerRows, PoolRows, TokenRows, EvidenceRows, HeadRows, LeaseRows, JudgementRows
):
    """The arena's database; every method is one transaction and may be called from any thread."""


def open_store(path: Path, *, create: bool = False) -> Store:
    """Open a database and bring it up to date; a UserError says why it cannot be used."""
    if not create and not path.is_file():
        raise UserError(f"db: {path} does not exist; run a tournament first or name another file")
    try:
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if found and MIGRATIONS_TABLE not in found:
            connection.close()
            raise UserError(f"db: {path} is not a database of the arena")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")  # so that replacing an entry counts as deleting it
        connection.execute("PRAGMA cache_size = -65536")  # 64 MB, so that posting stays flat on a large ledger
        if not found:
            lay_out(connection)
        elif pending(connection):
            bring_up_to_date(connection)
        if chain.head(connection).seq == 0:  # one whose first entry is gone is broken, and not to be begun anew
            posting.record_genesis(connection, "arena")
    except sqlite3.DatabaseError as error:
        raise UserError(f"db: {path} cannot be used: {error}") from None
    return Store(connection)


def open_to_read(path: Path) -> Store:
    """Open a database that nothing can be written to through; a UserError says why it cannot be read.

    A file of another make is refused, and one that was tampered with is shown as it is.
    """
    if not path.is_file():
        raise UserError(f"db: {path} does not exist; run a tournament first or name another file")
    # A read-only mode would leave the files of the write-ahead log behind; this cleans up when it was the last.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None, timeout=30)
    except sqlite3.OperationalError as error:
        raise UserError(f"db: {path} cannot be opened: {error}") from None
    try:
        connection.execute("PRAGMA query_only = ON")
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        connection.close()
        raise UserError(f"db: {path} cannot be used: {error}") from None
    missing = {"entry", "match", "seat", "record", "standing"} - found
    if missing:
        connection.close()
        raise UserError(f"db: {path} is not a database of the arena: it has no table {min(missing)}")
    return Store(connection)
