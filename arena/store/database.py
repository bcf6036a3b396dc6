"""The store: one SQLite file with bots, tournaments, matches and records, and the ledger beside them.

A finished match is stored in one durable transaction; a round enters the ledger when it closes. The arena is the only
writer; readers may open the same file at any time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.store.beside import make_private
from arena.store.bots import BotStore
from arena.store.connection import StoreFile
from arena.store.corrections import CorrectionStore
from arena.store.evidence import EvidenceStore
from arena.store.fits import FitStore
from arena.store.heads import HeadStore
from arena.store.judgements import JudgementStore
from arena.store.leases import LeaseStore
from arena.store.matches import MatchStore
from arena.store.pools import PoolStore
from arena.store.schema import MIGRATIONS_TABLE, bring_up_to_date, pending, unknown
from arena.store.tests import TestStore
from arena.store.tokens import TokenStore
from arena.store.tournaments import TournamentStore
from arena.store.workers import WorkerStore
from ratings.ledger import chain, posting
from referee.mistakes import UserError
from referee.software import SOFTWARE

DEFAULT_DB = Path("arena.db")
READ_TABLES = {"entry", "match", "seat", "record", "standing", MIGRATIONS_TABLE}
"""A file without these is not a database of the arena."""


class Store:
    """The arena's database: one connection, and one attribute for each subject."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        file = StoreFile(connection)
        self.write, self.reading, self.close = file.write, file.reading, file.close
        self.path, self.data_version = file.path, file.data_version
        self.bots = BotStore(file)
        self.corrections = CorrectionStore(file)
        self.evidence = EvidenceStore(file)
        self.fits = FitStore(file)
        self.heads = HeadStore(file)
        self.judgements = JudgementStore(file)
        self.leases = LeaseStore(file)
        self.matches = MatchStore(file)
        self.pools = PoolStore(file)
        self.tokens = TokenStore(file)
        self.tournaments = TournamentStore(file)
        self.tests = TestStore(file)
        self.workers = WorkerStore(file)


def open_store(path: Path, *, create: bool = False) -> Store:
    """Open a database and bring it up to date; a UserError says why it cannot be used."""
    if create:
        make_private(path)
    with _opened(path, f"{path.absolute().as_uri()}?mode=rwc", create=create) as connection:
        found = _tables(connection)
        if found and MIGRATIONS_TABLE not in found:
            raise UserError(f"db: {path} is not a database of the arena")
        _refuse_later(path, connection, found)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")  # so that replacing an entry counts as deleting it
        connection.execute("PRAGMA cache_size = -65536")  # 64 MB, so that posting stays flat on a large ledger
        if not found or pending(connection):
            bring_up_to_date(connection)
        if chain.head(connection).seq == 0:  # a ledger without its first entry is broken, and not restarted
            posting.record_genesis(connection, "arena")
        return Store(connection)


def open_to_read(path: Path) -> Store:
    """Open a database read-only; a UserError says why it cannot be read.

    A foreign file or an earlier layout is refused; a tampered one is shown as it is.
    """
    with _opened(path, _reading_uri(path)) as connection:
        connection.execute("PRAGMA query_only = ON")
        found = _tables(connection)
        _refuse_later(path, connection, found)
        missing = READ_TABLES - found
        if missing:
            raise UserError(f"db: {path} is not a database of the arena: it has no table {min(missing)}")
        if lacking := pending(connection):
            raise UserError(
                f"db: {path} is of an earlier version: it lacks {lacking[0]}; arena ledger recompute migrates it"
            )
        return Store(connection)


def _refuse_later(path: Path, connection: sqlite3.Connection, tables: set[str]) -> None:
    """Refuse a file of a later version, whose tables may mean something else."""
    if MIGRATIONS_TABLE in tables and (later := unknown(connection)):
        raise UserError(f"db: {path} is of a later version than {SOFTWARE}: it has {later[0]}; upgrade the arena")


@contextmanager
def _opened(path: Path, uri: str, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Connect to a file, and close it again if it turns out to be unusable."""
    if not create and not path.is_file():
        raise UserError(f"db: {path} does not exist; run a tournament first or name another file")
    try:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None, timeout=30)
    except sqlite3.OperationalError as error:
        raise UserError(f"db: {path} cannot be opened: {error}") from None
    try:
        yield connection
    except sqlite3.DatabaseError as error:
        connection.close()
        raise UserError(f"db: {path} cannot be used: {error}") from None
    except BaseException:
        connection.close()
        raise


def _reading_uri(path: Path) -> str:
    """Return the URI for reading a file, so that no write-ahead log is left behind."""
    may_write = os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)
    if not may_write and not path.with_name(f"{path.name}-wal").exists():
        return f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # nobody is writing, and no log can be created here
    return f"{path.absolute().as_uri()}?mode=rw"  # the last reader cleans up, which a read-only one does not


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
