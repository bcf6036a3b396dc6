"""Planted cheats of one-file bots: each plays a real match in the sandbox, and gains nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import parts
from tests.journeys.commands import ROOT, run_arena
from tests.journeys.one_file_cheats import CHEATS

pytestmark = pytest.mark.long
HONEST = "def choose(view, options):\n    return len(options) - 1\n"


@pytest.fixture(autouse=True)
def _needs_a_sandbox() -> Iterator[None]:
    parts.sandbox_for_untrusted_bots()
    before = content_of_rules()
    yield
    assert content_of_rules() == before


def content_of_rules() -> list[tuple[str, int]]:
    files = sorted((ROOT / "referee").rglob("*.py"))
    return [(str(file), hash(file.read_bytes())) for file in (*files, *ROOT.glob("sitecustomize.py"))]


def test_there_are_thirty_cheats_or_more() -> None:
    assert len(CHEATS) >= 30


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_scores_nothing(name: str, tmp_path: Path) -> None:
    cheat = CHEATS[name]
    outside, honest = tmp_path / "outside", tmp_path / "opponent"
    outside.mkdir()
    outside.chmod(0o777)
    honest.mkdir()
    (honest / "honest.py").write_text(HONEST)
    database = tmp_path / "arena.db"
    database.write_text("the organiser's")
    paths = [str(path) for path in (honest / "honest.py", outside, ROOT, database)]
    bad = tmp_path / "cheat.py"
    source = cheat.source(*paths)
    bad.write_text(source)
    # Twice, so that what a cheat kept from the first match could serve it in the second.
    command = ("play", "norenberc", "--bot", str(bad), "--bot", str(honest / "honest.py"), "--matches", "2")
    done = run_arena(*command, "--fresh-process", "--logs", "--json", "--time", "cap_ms=20000")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["verified"] == 2
    assert not told["faults"]
    assert "GAINED" not in done.stdout
    assert list(outside.iterdir()) == []
    assert bad.read_text() == source
    for match in told["matches"]:
        assert match["seat_endings"][1] == "completed"
        if cheat.forfeits:
            assert match["seat_endings"][0].startswith("forfeit")
            assert match["ranks"] == [2, 1]
