"""Run the command line inside the test's process, as `arena` itself does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import arena.cli


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """Runs commands in the directory of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        monkeypatch.chdir(folder)

    def __call__(self, *words: str) -> Outcome:
        self.monkeypatch.setattr("sys.argv", ["arena", *words])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            arena.cli.main()
        out, err = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Outcome(ended.value.code, out, err)
