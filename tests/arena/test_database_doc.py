"""docs/reference/database.md describes the database as it is, and any SQLite tool can open it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from arena.store.database import open_store
from tests.arena.small_tournament import small_database

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "database.md"
EMPTY = ("strike", "played_on", "recheck", "lease", "fit_cache", "judgement", "token", "served_tournament")
"""Tables that a tournament without a leaderboard, a judge or a server leaves empty."""
ROW = re.compile(r"\| `(\w+)` \| ([A-Z]+) \| (.+) \|")


def documented() -> dict[str, list[tuple[str, str]]]:
    """Tables of the page with their columns and types."""
    tables: dict[str, list[tuple[str, str]]] = {}
    columns: list[tuple[str, str]] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            columns = tables.setdefault(line.removeprefix("## "), [])
        elif found := ROW.fullmatch(line):
            columns.append((found[1], found[2]))
    return tables


@pytest.fixture
def connection(tmp_path: Path) -> sqlite3.Connection:
    open_store(tmp_path / "new.db", create=True).close()
    return sqlite3.connect(tmp_path / "new.db")


def table_names(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in rows]


def test_every_table_and_column_is_explained_and_no_other(connection: sqlite3.Connection) -> None:
    """Names, types and order of the columns are those of a new database."""
    found = {
        table: [(name, kind) for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
        for table in table_names(connection)
    }
    assert documented() == found


def test_a_column_that_refers_to_another_table_says_so(connection: sqlite3.Connection) -> None:
    """Every declared foreign key of one column is named in the column's row."""
    text = PAGE.read_text(encoding="utf-8")
    keys = 0
    for table in table_names(connection):
        section = text.split(f"\n## {table}\n")[1].split("\n## ")[0]
        for _, _, target, column, *_ in connection.execute(f"PRAGMA foreign_key_list({table})"):
            (row,) = [line for line in section.splitlines() if line.startswith(f"| `{column}` |")]
            keys += 1
            if target != "round":  # of two columns, explained at the first
                assert f"(`{target}`)" in row, (table, column)
    assert keys >= 8


def test_a_played_database_holds_its_foreign_keys_and_opens_without_us(tmp_path: Path) -> None:
    """What a browser of databases asks first is answered: integrity, foreign keys, and a count of every table."""
    connection = sqlite3.connect(small_database(tmp_path))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    counts = {
        table: connection.execute(f"SELECT count(*) FROM [{table}]").fetchone()[0] for table in table_names(connection)
    }
    assert all(counts[table] > 0 for table in counts if table not in EMPTY), counts
    assert all(re.fullmatch(r"\w+", table) for table in counts)
