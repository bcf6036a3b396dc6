"""Tests whose part of the machine is missing are skipped by its name and counted at the end; in CI they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts import tally
from tools.stubs import ROOT

SUITE = """
import pytest
from tests import parts

@pytest.mark.parametrize("number", range(3))
def test_of_the_page(number):
    parts.lack("browser", "there is no Chromium here")

def test_of_the_sandbox():
    parts.lack("bubblewrap", "needs bwrap (package bubblewrap)")

def test_that_needs_nothing():
    pass
"""


@pytest.mark.parametrize(
    ("ci", "options", "code", "counted", "ended"),
    [
        ("", ["-n", "2"], 0, "skipped: 3 for want of browser, 1 for want of bubblewrap", "1 passed, 4 skipped"),
        ("true", ["--lacking", "browser"], 1, "skipped: 3 for want of browser", "1 failed, 1 passed, 3 skipped"),
        (
            "true",
            ["--lacking", "browser,bubblewrap"],
            0,
            "skipped: 3 for want of browser, 1 for want of bubblewrap",
            "",
        ),
    ],
    ids=["elsewhere", "CI without a browser", "CI with nothing that needs a part"],
)
def test_the_last_line_but_one_says_how_many_were_skipped_for_what(
    tmp_path: Path, ci: str, options: list[str], code: int, counted: str, ended: str
) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")} | {"CI": ci}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir"]
    done = subprocess.run(
        [*command, str(tmp_path), *options, str(tmp_path)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    last_but_one, last = done.stdout.splitlines()[-2:]
    assert last_but_one == counted
    assert last.startswith(ended)


def test_an_unknown_part_is_refused() -> None:
    command = [sys.executable, "-m", "pytest", "--lacking", "bubblewarp", "tests/test_parts.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "--lacking: bubblewarp is unknown; expected some of: bubblewrap, " in done.stderr


def test_reasons_that_are_no_parts_are_counted_as_they_are() -> None:
    assert tally(["Skipped: for no reason", "Skipped: needs root: only root may"]) == (
        "skipped: 1 for want of root, 1: for no reason"
    )
    assert tally([]) == "skipped: none"
