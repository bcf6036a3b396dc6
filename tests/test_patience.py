"""One factor says how long tests wait for what must come."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import VARIABLE, patience, time_limit

HERE = Path(__file__).parent
WAITING = r"(?:fail_after|move_on_after|wait|join)\((?:timeout=)?|timeout="
LITERAL = re.compile(rf"(?:{WAITING})[1-9]\d[\d_]*(?:\.\d+)?\b")
"""Ten seconds and more."""


def test_the_factor_is_set_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    usual = patience(3)
    monkeypatch.setenv(VARIABLE, "2.5")
    assert (usual, patience(3)) == (30, 7.5)


@pytest.mark.parametrize("told", ["0", "-1", "nan", "inf", "much"])
def test_a_wrong_factor_is_refused(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, told)
    with pytest.raises(ValueError, match=f"{VARIABLE}: '{told}' is not allowed; expected a number from 1 to 1000"):
        patience(1)


def test_every_test_has_a_time_limit(request: pytest.FixtureRequest) -> None:
    limit = request.node.get_closest_marker("timeout")
    assert limit is not None
    assert limit.args == (time_limit(is_long=False),)
    assert (time_limit(is_long=False), time_limit(is_long=True)) == (patience(12), patience(36))


HANGING = """
import time
import pytest
import trio

trio.run(trio.sleep, 0)  # its first run imports, and an import that is interrupted breaks what comes after it


@pytest.mark.timeout(0.5, func_only=True)
def test_spins() -> None:
    while True:
        pass


@pytest.mark.timeout(0.5, func_only=True)
def test_waits() -> None:
    trio.run(trio.sleep_forever)


def test_comes_after() -> None:
    pass
"""


def test_a_test_that_hangs_fails_with_its_stack_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "test_hanging.py"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=time_limit(is_long=False), check=False
    )
    assert done.returncode == 1
    assert "2 failed, 1 passed" in done.stdout
    assert done.stdout.count("Timeout (>0.5s) from pytest-timeout") >= 2
    assert "while True" in done.stdout, "where it hangs is shown"


def test_no_test_has_a_patience_of_its_own() -> None:
    found = [
        f"{path.relative_to(HERE)}:{number}: {line.strip()}"
        for path in sorted(HERE.rglob("*.py"))
        if "hostile_bots" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if LITERAL.search(line)
    ]
    assert found == []
