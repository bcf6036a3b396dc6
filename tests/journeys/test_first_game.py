"""The page "Your first game in forty lines" does what it says: a project of its own, typed out and run as one reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.bench.first_game import PAGE, Ran, commands_of, files_of, typed_out
from referee.contract.promises import PROMISES
from tests import parts


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nim")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def runs(project: Path) -> dict[str, Ran]:
    """Everything on the page, once."""
    parts.program("node")
    found = {ran.line: ran for ran in typed_out(project)}
    for ran in found.values():
        assert ran.done.returncode == 0, f"{ran.line}\n{ran.done.stdout}\n{ran.done.stderr}"
    return found


def test_the_game_has_forty_lines() -> None:
    page = PAGE.read_text("utf-8")
    assert page.startswith("# Your first game in forty lines\n")
    assert len(files_of(page)["nim.py"].splitlines()) == 40
    assert len(files_of(page)) == 5
    assert len(commands_of(page)) == 13


def test_it_keeps_the_whole_contract(runs: dict[str, Ran]) -> None:
    assert f"{len(PROMISES)} passed" in runs["python -m pytest test_contract.py"].done.stdout


def test_python_and_node_play_it_over_grpc_and_it_is_replayed_and_judged(runs: dict[str, Ran], project: Path) -> None:
    records = [file.read_text("ascii").splitlines() for file in sorted((project / "records").iterdir())]
    headers = [json.loads(lines[0]) for lines in records]
    assert [header["game"] for header in headers] == ["nim"] * 4
    assert {bot.partition("@")[0] for header in headers for bot in header["bots"]} == {"first", "second"}
    steps = [json.loads(line) for lines in records for line in lines[1:-1]]
    ways = [choice["how"] for step in steps for choice in step["choices"]]
    assert set(ways) <= {"answered", "forced"}
    assert ways.count("answered") > 10
    assert runs["arena replay verify records/*.jsonl"].done.stdout.count("verified records/") == 4
    judged = next(ran for line, ran in runs.items() if line.startswith("arena analyse")).done.stdout
    assert "WEAK: this game has no heuristic, so the judgement rests on random playouts." in judged


def test_it_is_played_in_a_tournament(runs: dict[str, Ran]) -> None:
    board = runs["arena leaderboard"].done.stdout
    assert board.startswith("nim (rules 1), 6 matches\n")
    assert re.search(r"^ +1 +(first|second) ", board, re.MULTILINE)


def test_a_bot_learns_it(runs: dict[str, Ran]) -> None:
    said = re.fullmatch(r"won (\d+) of 200 games\n", runs["python learn.py"].done.stdout)
    assert said is not None
    assert int(said[1]) > 170
