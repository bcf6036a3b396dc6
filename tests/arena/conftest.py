"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.command_line import CommandLine


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    return CommandLine(monkeypatch, capsys, tmp_path)
