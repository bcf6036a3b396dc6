"""A game in a repository of its own runs the tests of the contract with one line, and nothing of our checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grpc_tools import protoc  # type: ignore[import-untyped]  # it has no types

from referee.contract.promises import PROMISES

TOY = Path(__file__).parents[1] / "toy_game"
ONE_LINE = "\nfrom referee.contract.suite import contract_tests\n\nTestContract = contract_tests(CASE)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The toy game under another name, as somebody else's project: package, stubs, metadata and one test file."""
    root = tmp_path / "twin"
    shutil.copytree(TOY / "arena_toy", root / "arena_twin", ignore=shutil.ignore_patterns("*_pb2*", "__pycache__"))
    game = root / "arena_twin" / "game.py"
    game.write_text(renamed(game.read_text(encoding="utf-8")), encoding="utf-8")
    message = root / "proto" / "arena_twin" / "v1" / "twin.proto"
    message.parent.mkdir(parents=True)
    message.write_text(renamed((TOY / "proto/arena_toy/v1/toy.proto").read_text(encoding="utf-8")), encoding="utf-8")
    outputs = [f"--proto_path={root / 'proto'}", f"--python_out={root}", f"--pyi_out={root}"]
    assert protoc.main(["protoc", *outputs, str(message)]) == 0
    metadata = root / "arena_twin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-twin\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[arena.games]\ntwin = arena_twin.game:GAME\n", encoding="utf-8")
    case = renamed((TOY / "contract_case.py").read_text(encoding="utf-8")).replace("range(2, 6)", "(3,)")
    (root / "test_contract.py").write_text(case + ONE_LINE, encoding="utf-8")
    return root


def renamed(text: str) -> str:
    return re.sub(r'(slug = )"toy"', r'\1"twin"', text.replace("arena_toy", "arena_twin"))


def run_pytest(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contract_is_run_with_one_line(project: Path) -> None:
    run = run_pytest(project)
    assert run.returncode == 0, run.stdout
    configurations, once = 2, 2
    assert f"{configurations * (len(PROMISES) - once) + once} passed" in run.stdout
    assert "tests" not in {path.name for path in project.iterdir()}


def test_a_broken_promise_is_shown_with_what_was_compared(project: Path) -> None:
    game = project / "arena_twin" / "game.py"
    honest = game.read_text(encoding="utf-8")
    leaking = honest.replace("stock_count=len(state.stock)", "stock_count=state.hands[0][0]")
    assert leaking != honest
    game.write_text(leaking, encoding="utf-8")
    run = run_pytest(project, "-k", "leak")
    assert run.returncode == 1
    assert "sent(case, codec, twin, seat) == sent(case, codec, state, seat)" in run.stdout
    assert "2 failed" in run.stdout
