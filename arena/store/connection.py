"""One connection to the file, with the lock that makes every method of the store one transaction."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ratings.ledger.chain import transaction

INDEXED_LETTERS = 3
"""Names are indexed by all their parts of this length; shorter texts are searched for in every name."""


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

    def run(self, sql: str, *values: Any) -> int:
        """Run one statement as a transaction and return the number of rows it changed."""
        with self.write() as connection:
            return connection.execute(sql, values).rowcount

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Return all rows of a query."""
        with self._lock:
            return self.connection.execute(sql, values).fetchall()

    def column(self, sql: str, *values: Any) -> list[Any]:
        """Return the first column of a query."""
        return [row[0] for row in self.rows(sql, *values)]

    def value(self, sql: str, *values: Any) -> Any:
        """Return the first value of a query; None without rows."""
        return next(iter(self.column(sql, *values)), None)

    def bodies(self, prefix: str) -> list[Any]:
        """Return the bodies of the entries whose keys begin with a prefix, which ends with a colon, in order."""
        sql = "SELECT payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq"
        return [json.loads(payload) for payload in self.column(sql, prefix, prefix[:-1] + ";")]

    def search(self, table: str, column: str, text: str) -> list[str]:
        """Return the sorted names in a table that contain a text, ignoring case."""
        if len(text) < INDEXED_LETTERS:
            names = self.column(f"SELECT {column} FROM {table} ORDER BY {column}")
            return [name for name in names if text.casefold() in name.casefold()]
        phrase = '"' + text.replace('"', '""') + '"'
        return self.column(f"SELECT {column} FROM {table}_fts WHERE {table}_fts MATCH ? ORDER BY {column}", phrase)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read a consistent snapshot, whatever a tournament writes meanwhile."""
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
        """Close the file."""
        with self._lock:
            self.connection.close()

    def path(self) -> Path:
        """Return the file, by which a process's web page finds the tournaments that write to it."""
        return Path(self.rows("PRAGMA database_list")[0][2]).resolve()

    def data_version(self) -> int:
        """Return a number that changes whenever another process has written to the file; this is very cheap."""
        return int(self.value("PRAGMA data_version"))


class Subject:
    """One subject of a store: every method is one transaction and may be called from any thread."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file
