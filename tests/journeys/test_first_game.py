"""The page "Your first game in forty lines" does what it says: a project of its own, typed out and run as one reads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bench.first_game import OFFLINE, PAGE, commands_of, files_of, typed_out
from referee.contract.promises import PROMISES
from tests import parts


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nim")
    folder.chmod(0o755)
    return folder


class Reader:
    """Types the page out and runs its commands in their order, no further than asked for."""

    def __init__(self, folder: Path) -> None:
        self.commands = typed_out(folder)
        self.said: dict[str, str] = {}

    def read_on(self, beginning: str) -> str:
        """Return what the command printed that begins so, with everything before it done."""
        while not any(line.startswith(beginning) for line in self.said):
            ran = next(self.commands)
            assert ran.done.returncode == 0, f"{ran.line}\n{ran.done.stdout}\n{ran.done.stderr}"
            self.said[ran.line] = ran.done.stdout
        return next(said for line, said in self.said.items() if line.startswith(beginning))


@pytest.fixture(scope="module")
def reader(project: Path) -> Reader:
    parts.program("node")
    return Reader(project)


def test_the_game_has_forty_lines() -> None:
    page = PAGE.read_text("utf-8")
    assert page.startswith("# Your first game in forty lines\n")
    assert len(files_of(page)["nim.py"].splitlines()) == 40
    assert len(files_of(page)) == 5
    assert len(commands_of(page)) == 13


def test_it_keeps_the_whole_contract(reader: Reader) -> None:
    assert f"{len(PROMISES)} passed" in reader.read_on("python -m pytest")


def test_python_and_node_play_it_over_grpc_and_it_is_replayed_and_judged(reader: Reader, project: Path) -> None:
    judged = reader.read_on("arena analyse")
    records = [file.read_text("ascii").splitlines() for file in sorted((project / "records").iterdir())]
    headers = [json.loads(lines[0]) for lines in records]
    assert [header["game"] for header in headers] == ["nim"] * 4
    assert {bot.partition("@")[0] for header in headers for bot in header["bots"]} == {"first", "second"}
    steps = [json.loads(line) for lines in records for line in lines[1:-1]]
    ways = [choice["how"] for step in steps for choice in step["choices"]]
    assert set(ways) <= {"answered", "forced"}
    assert ways.count("answered") > 10
    assert reader.read_on("arena replay verify").count("verified ") == 4
    assert "WEAK: this game has no heuristic, so the judgement rests on random playouts." in judged


def test_it_is_played_in_a_tournament(reader: Reader) -> None:
    board = reader.read_on("arena leaderboard")
    assert board.startswith("nim (rules 1), 6 matches\n")
    assert re.search(r"^ +1 +(first|second) ", board, re.MULTILINE)


def test_a_bot_learns_it(reader: Reader) -> None:
    said = re.fullmatch(r"won (\d+) of 200 games\n", reader.read_on("python learn.py"))
    assert said is not None
    assert int(said[1]) > 170


def test_a_published_game_is_installed_with_its_frozen_numbers(tmp_path: Path) -> None:
    """As the page says: a single module would be installed without them."""
    page = PAGE.read_text("utf-8")
    changed = re.search(r"write `(packages = .*?)` and `(package-data = .*?)` in place of `(py-modules = .*?)`", page)
    assert changed is not None
    package, site = tmp_path / "nim", tmp_path / "site"
    package.mkdir()
    (package / "__init__.py").write_text(files_of(page)["nim.py"], "utf-8")
    project = files_of(page)["pyproject.toml"]
    assert changed[3] in project
    (tmp_path / "pyproject.toml").write_text(project.replace(changed[3], f"{changed[1]}\n{changed[2]}"), "utf-8")
    written = asked(tmp_path, "import referee.derived_messages as m; print(m.proto_text(m.describe(GAME)), end='')")
    (package / "nim.proto").write_text(written, "utf-8")
    pip = [sys.executable, "-m", "pip", "install", ".", *OFFLINE, "--target", str(site)]
    subprocess.run(pip, cwd=tmp_path, check=True)
    assert asked(site, "from referee.derived_messages import frozen_file; print(frozen_file(GAME))") == (
        f"{site / 'nim' / 'nim.proto'}\n"
    )


def asked(folder: Path, script: str) -> str:
    """Return what a script prints about the game that lies in a folder."""
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); from nim import GAME; {script}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
