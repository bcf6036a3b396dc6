"""docs/reference/database.md describes the database as it is, and any SQLite tool can open it."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.store.database import open_store
from tests.arena.small_tournament import small_database

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "database.md"
EMPTY = ("strike", "played_on", "recheck", "lease", "fit_cache", "judgement", "token", "served_tournament", "secret")
"""Tables that a tournament with a given seed, and without a leaderboard, a judge or a server, leaves empty."""
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


def documented_views() -> dict[str, list[str]]:
    """Views of the page with their columns."""
    section = PAGE.read_text(encoding="utf-8").split("\n## Views\n")[1].split("\n## ")[0]
    views = [part.partition("\n") for part in section.split("\n### ")[1:]]
    return {name: re.findall(r"^\| `(\w+)` \| [^|]+ \|$", text, re.MULTILINE) for name, _, text in views}


def sqlite_utils(*words: str | Path) -> list[dict[str, Any]]:
    """What the command line of sqlite-utils prints."""
    run = subprocess.run([sys.executable, "-m", "sqlite_utils", *words], check=True, capture_output=True)
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def arena(path: Path, *words: str) -> Any:
    """What a command says as JSON."""
    command = [sys.executable, "-m", "arena", *words, "--db", str(path), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


@pytest.fixture
def connection(tmp_path: Path) -> sqlite3.Connection:
    open_store(tmp_path / "new.db", create=True).close()
    return sqlite3.connect(tmp_path / "new.db")


def table_names(connection: sqlite3.Connection) -> list[str]:
    """All tables but those that SQLite keeps for itself."""
    rows = connection.execute("PRAGMA main.table_list").fetchall()
    return [name for _, name, kind, *_ in rows if kind in ("table", "virtual") and not name.startswith("sqlite_")]


def test_every_table_and_column_is_explained_and_no_other(connection: sqlite3.Connection) -> None:
    """Names, types and order of the columns are those of a new database."""
    found = {
        table: [(name, kind or "FTS") for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
        for table in table_names(connection)
    }
    tables = documented()
    assert tables.pop("Views") == []
    assert tables == found


def test_every_view_and_its_columns_are_explained_and_no_other(connection: sqlite3.Connection) -> None:
    views = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'")]
    found = {view: [name for _, name, *_ in connection.execute(f"PRAGMA table_info({view})")] for view in views}
    assert documented_views() == found


def test_the_views_give_the_exact_numbers_of_the_reports(tmp_path: Path) -> None:
    """The command line of sqlite-utils reads them, and they say what arena says as JSON."""
    path = small_database(tmp_path)
    lines = {line["label"]: line for line in arena(path, "leaderboard")["boards"][0]["lines"]}
    rows = sqlite_utils("rows", path, "leaderboard")
    histories = sqlite_utils("rows", path, "ratings_over_time")
    assert [row["label"] for row in rows] == list(lines)
    for row in rows:
        same = ("rating", "error", "elo", "matches", "forfeits", "mean_place", "points_share")
        assert {name: row[name] for name in same} == pytest.approx({name: lines[row["label"]][name] for name in same})
        history = [each for each in histories if each["label"] == row["label"]]
        assert (len(history), history[-1]["elo"]) == (row["matches"], row["elo"])
    played = sqlite_utils("query", path, "SELECT name, count(*) AS matches FROM results WHERE counts GROUP BY name")
    assert {row["name"]: row["matches"] for row in played} == {row["name"]: row["matches"] for row in rows}
    duels = {(row["name"], row["opponent"]): row for row in sqlite_utils("rows", path, "head_to_head")}
    for duel in arena(path, "bots", "show", "ann")["duels"]:
        row = duels["ann", duel["opponent"].partition("@")[0]]
        assert (row["matches"], row["score"]) == (duel["matches"], pytest.approx(duel["points"] / duel["matches"]))
        assert row["wins"] + row["ties"] + row["losses"] == row["matches"]


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
