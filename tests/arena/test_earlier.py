"""A database of an earlier version: it opens, verifies, and its half-finished tournament goes on as it began."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.arena.command_line import CommandLine

EARLIER = Path(__file__).parent / "earlier"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """The folder of a test with the database in it, its bots and its tournament file."""
    shutil.copytree(EARLIER / "bot", tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(EARLIER / "cup.toml", tmp_path)
    database = tmp_path / "arena.db"
    database.write_bytes(gzip.decompress((EARLIER / "arena.db.gz").read_bytes()))
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE bot_version SET path = ?", (str(tmp_path / "bot"),))
    connection.close()
    return tmp_path


@pytest.mark.parametrize("words", [("resume", "cup"), ("run", "cup.toml")])
def test_T2_6_a_tournament_of_an_earlier_version_goes_on_as_it_began(
    command_line: CommandLine, earlier: Path, words: tuple[str, str]
) -> None:
    assert command_line("ledger", "verify", "--json").code == 0
    outcome = command_line("tournament", *words, "--json", "--log-level", "error")
    assert outcome.code == 0, outcome.err
    assert outcome.data["state"] == "finished"
    connection = sqlite3.connect(earlier / "arena.db")
    entered = connection.execute("SELECT payload FROM entry WHERE kind = 'MATCH' ORDER BY seq").fetchall()
    connection.close()
    matches = [json.loads(payload) for (payload,) in entered]
    names = ("round", "table", "game", "seating", "seed", "places")
    points_rounds = [[match[name] for name in names] for match in matches if match["tournament"] == "cup"]
    wanted = json.loads((EARLIER / "matches.json").read_text())
    assert points_rounds[: len(wanted)] == wanted
    assert max(match["round"] for match in matches) == 5, "a rating round follows"
    verified = command_line("ledger", "verify", "--json", "--replay")
    assert verified.code == 0, verified.out
