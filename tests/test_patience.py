"""One factor says how long tests wait for what must come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.patience import VARIABLE, patience

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


def test_no_test_has_a_patience_of_its_own() -> None:
    found = [
        f"{path.relative_to(HERE)}:{number}: {line.strip()}"
        for path in sorted(HERE.rglob("*.py"))
        if "hostile_bots" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if LITERAL.search(line)
    ]
    assert found == []
