"""A ledger that an earlier release wrote stays sound under every later one, and says the same.

`released/0.1.0.db.xz` was made by release 0.1.0: a Swiss tournament with a void match, one bot disqualified by voiding
its matches and one by forfeiting them, a knockout, and a test with its verdict. It is never made again.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from arena.store.database import open_store
from tests.arena.command_line import CommandLine

FOLDER = Path(__file__).parent / "released"
RELEASED = ("0.1.0",)


@pytest.fixture(params=RELEASED)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a database of an earlier release, with its published heads beside it.

    It is as a newer release leaves it after its first write.
    """
    kept = FOLDER / f"{request.param}.db.xz"
    db = tmp_path / "arena.db"
    db.write_bytes(lzma.decompress(kept.read_bytes()))
    (tmp_path / "arena.db.heads").write_bytes((FOLDER / f"{request.param}.db.heads").read_bytes())
    open_store(db).close()
    return db


def test_a_released_ledger_verifies_to_the_last_record(released: Path, command_line: CommandLine) -> None:
    last_head = (released.parent / "arena.db.heads").read_text().splitlines()[-1].split()[1]
    verified = command_line("ledger", "verify", "--replay", "--head", last_head)
    assert verified.code == 0, verified.out
    assert "7 rounds drawn again, 48 records replayed: no faults" in verified.out
    assert last_head in verified.out


def test_a_released_ledger_is_migrated_and_rebuilt_with_the_same_integers(
    released: Path, command_line: CommandLine
) -> None:
    assert command_line("ledger", "recompute").code == 0, "the tables match the entries"
    assert command_line("ledger", "verify", "--replay").code == 0


def test_a_released_tournament_keeps_its_order(released: Path, command_line: CommandLine) -> None:
    shown = command_line("tournament", "standings", "swiss", "--json").data
    assert [line["bot"].partition("@")[0] for line in shown if not line["disqualified"]] == ["greedy", "calm"]
    assert {line["bot"].partition("@")[0] for line in shown[2:]} == {"bold", "dull"}
