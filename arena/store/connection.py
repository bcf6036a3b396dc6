"""One connection to the file, with the lock that makes every method of the store one transaction."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ratings.ledger.chain import transaction

INDEXED_LETTERS = 3
"""Names are indexed by all their parts of this length; shorter ones are looked for in every name."""


class StoreFile:
    """The file behind a store; may be used from any thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._lock = threading.RLock()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, one writer at a time."""
        with self._lock, transaction(self.connection):
            yield self.connection

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Return all rows of a query."""
        with self._lock:
            return self.connection.execute(sql, values).fetchall()

    def search(self, table: str, column: str, text: str) -> list[str]:
        """Return in order the names in a table that contain a text, in either case."""
        if len(text) < INDEXED_LETTERS:
            names = self.rows(f"SELECT {column} FROM {table} ORDER BY {column}")
            return [name for (name,) in names if text.casefold() in name.casefold()]
        phrase = '"' + text.replace('"', '""') + '"'
        found = f"SELECT {column} FROM {table}_fts WHERE {table}_fts MATCH ? ORDER BY {column}"
        return [name for (name,) in self.rows(found, phrase)]

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read everything as it is at one moment, whatever a tournament writes meanwhile."""
        with self._lock:
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file; what was stored stays."""
        with self._lock:
            self.connection.close()

    def path(self) -> Path:
        """Return the file, by which the web page of a process finds the tournaments that fill it."""
        return Path(self.rows("PRAGMA database_list")[0][2]).resolve()

    def data_version(self) -> int:
        """Return a number that changes whenever somebody else has written to the file; it costs next to nothing."""
        number: int = self.rows("PRAGMA data_version")[0][0]
        return number


class Subject:
    """What a store knows of one subject: every method is one transaction and may be called from any thread."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file
