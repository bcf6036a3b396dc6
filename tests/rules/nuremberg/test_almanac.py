"""N15: every entry of the almanac has its tests, and every test named there exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "rules" / "nuremberg.md"


def test_N15_every_entry_of_the_almanac_names_tests_that_exist() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## N15", 1)[1]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ") and "`test_" in line]
    written = {
        name for file in HERE.glob("test_*.py") for name in re.findall(r"^def (test_\w+)", file.read_text(), re.M)
    }
    assert len(rows) == 42
    for entry, _clauses, tests in rows:
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, f"{entry} names no test"
        for name in named:
            assert name in written, f"{entry} names {name}, which does not exist"
