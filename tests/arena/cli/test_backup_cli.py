"""arena backup and arena restore as an operator types them, and what verify says of a damaged file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database


def test_a_restored_backup_verifies_with_the_same_head(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    made = command_line("backup", "b.tar", "--json")
    assert made.code == 0, made.err
    assert made.data["bytes"] == (tmp_path / "b.tar").stat().st_size
    restored = command_line("restore", "b.tar", "--db", "new.db", "--json")
    assert restored.data["contents"] == made.data["contents"]
    verified = command_line("ledger", "verify", "--db", "new.db", "--json").data
    assert (verified["is_clean"], verified["head"]) == (True, made.data["contents"]["head"])


def test_people_are_told_what_is_in_a_backup_and_what_is_not(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    made = command_line("backup", "b.tar").out
    assert "not in the backup: " in made
    assert "16 matches, 0 bot versions, 104 entries" in made
    assert made.endswith("\n")
    restored = command_line("restore", "b.tar", "--db", "new.db").out
    assert restored.splitlines()[-1] == made.splitlines()[-1], "the same head"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("backup", "b.tar", "--db", "none.db"), "--db: none.db does not exist"),
        (("backup", "nowhere/b.tar"), "nowhere/b.tar: cannot be written: No such file or directory"),
        (("restore", "none.tar", "--db", "new.db"), "none.tar: cannot be read or unpacked: No such file"),
        (("restore", "arena.db", "--db", "new.db"), "arena.db: is not a valid backup of an arena"),
        (("restore", "arena.db", "--db", "nowhere/new.db"), "nowhere/new.db: cannot be written"),
        (("restore", "arena.db"), "--db: arena.db already exists"),
    ],
)
def test_bad_input_is_one_line(
    command_line: CommandLine, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    small_database(tmp_path)
    refused = command_line(*words)
    assert (refused.code, refused.err.count("\n"), expected in refused.err) == (2, 1, True), refused.err
    assert {file.name for file in tmp_path.iterdir()} == {"arena.db", "arena.db.heads"}


def test_T13_9_a_broken_index_is_a_fault(command_line: CommandLine, tmp_path: Path) -> None:
    """An index that lacks a row: every query by the table itself still finds it, so that only SQLite notices."""
    db = small_database(tmp_path)
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        sql = "CREATE INDEX standing_by_rating ON standing (pool, games)"
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'standing_by_rating'", (sql,))
        connection.commit()
    found = command_line("ledger", "verify", "--json")
    messages = [each["message"] for each in found.data["findings"] if each["fault"] == "the file is damaged"]
    assert found.code == 1
    assert any("standing_by_rating" in message for message in messages)
