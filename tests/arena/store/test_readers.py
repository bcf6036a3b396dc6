"""Commands that only read: they leave the database and its folder as they are, whatever user owns them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from arena.cli import arena
from arena.store import schema
from arena.store.database import open_to_read
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database
from tests.arena.store.test_store import m002_mottoes

MATCH = "MATCH"
"""Stands for the first match of the database."""

READING: dict[str, tuple[str, ...]] = {
    "backup": ("b.tar",),
    "bots list": (),
    "bots report": ("ann",),
    "bots show": ("ann",),
    "cluster rechecks": (),
    "compare": ("ann", "bob"),
    "gifts": ("cup", "--processes", "1"),
    "leaderboard": (),
    "ledger clean": (),
    "ledger export": (),
    "ledger verify": (),
    "match list": (),
    "match logs": (MATCH,),
    "match show": (MATCH,),
    "replay export": (MATCH,),
    "replay show": (MATCH,),
    "replay verify": (MATCH,),
    "tokens list": (),
    "tournament export": ("cup", "--html", "../cup.html"),
    "tournament list": (),
    "tournament show": ("cup", "--quality"),
    "tournament standings": ("cup",),
}
WRITING = {
    "analyse", "bots disqualify", "bots retire", "bots submit", "demo", "ladder calibrate", "ledger epoch",
    "ledger mend", "ledger recompute", "ledger void", "restore", "serve", "test", "tokens create", "tokens revoke",
    "tournament enter", "tournament nonce", "tournament resume", "tournament run", "tournament stop",
    "tournament withdraw",
}  # fmt: skip
NEEDING_MORE = {"ledger check-statement", "ledger checkpoint", "ledger reproduce", "witness"}
"""Read too, with a key, a statement or the bots beside the database; they have tests of their own."""
SERVING = {"web"}
"""Reads until it is stopped; what it opens is what the others open."""
NOTHING_JUDGED = {"bots report"}
"""Ends with 2, as nothing of the small database was judged."""


def commands(group: click.Command, name: str = "") -> Iterator[str]:
    """The names of all commands that take a database."""
    if isinstance(group, click.Group):
        context = click.Context(group)
        for verb in group.list_commands(context):
            inner = group.get_command(context, verb)
            assert inner is not None
            yield from commands(inner, f"{name} {verb}".strip())
    elif any(each.name == "db" for each in group.params):
        yield name


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def words_of(name: str, path: Path) -> list[str]:
    reader = open_to_read(path)
    (match, *_) = reader.matches.of("cup")
    reader.close()
    words = [match.id if word == MATCH else word for word in READING[name]]
    return [*name.split(), *words, "--db", str(path)]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    folder.mkdir()
    return small_database(folder)


def test_every_command_on_a_database_is_known_to_read_or_to_write() -> None:
    assert set(commands(arena)) == READING.keys() | WRITING | NEEDING_MORE | SERVING


@pytest.mark.parametrize("name", READING)
def test_a_command_that_reads_changes_no_byte_and_leaves_no_file(
    command_line: CommandLine, database: Path, name: str
) -> None:
    words = words_of(name, database)
    before = contents(database.parent)
    outcome = command_line(*words)
    assert outcome.code == (2 if name in NOTHING_JUDGED else 0), outcome.err
    assert contents(database.parent) == before


@pytest.mark.parametrize("name", READING)
def test_a_command_that_reads_refuses_a_file_of_an_earlier_layout_in_one_line(
    command_line: CommandLine, database: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = words_of(name, database)
    before = contents(database.parent)
    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, m002_mottoes])
    outcome = command_line(*words)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "is of an earlier version: it lacks m002_mottoes; arena ledger recompute migrates it" in outcome.err
    assert contents(database.parent) == before


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Be somebody who may not do everything."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
def test_a_file_that_may_not_be_written_is_read_and_nothing_is_left_beside_it(folder_mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = small_database(folder)
        for file in folder.iterdir():
            if file != path and file.is_file():
                file.unlink()
        path.chmod(0o444)
        folder.chmod(folder_mode)
        before = sorted(folder.iterdir())
        with ordinary_user():
            reader = open_to_read(path)
            assert [each.id for each in reader.tournaments.all()] == ["cup"]
            reader.close()
        assert sorted(folder.iterdir()) == before
        folder.chmod(0o755)
