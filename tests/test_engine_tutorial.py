"""The page "Use the engine from Python" does what it says: its blocks are run one after another, as a reader does."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from arena.bots.directory import read_bot
from tests.documents import blocks
from tests.journeys.commands import ROOT, run_arena

PAGE = ROOT / "docs" / "tutorial" / "use_the_engine_from_python.md"
SEARCH_LINES = 40


def run_block(code: str, names: dict[str, Any]) -> str:
    """Run a block in the names of those before it and return what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, PAGE.name, "exec"), names)
    return printed.getvalue()


def test_every_block_runs_and_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search beats the random player, as the page says, and the commands make the file that is read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    names: dict[str, Any] = {"__name__": "tutorial"}
    printed = ""
    for block in blocks(PAGE):
        if block.language == "python":
            printed = run_block(block.code, names)
        elif block.language == "text":
            assert printed == block.code
        else:
            assert block.language == "console"
            for line in block.code.splitlines():
                program, *words = shlex.split(line)
                assert program == "arena"
                found = [sorted(map(str, tmp_path.glob(word))) if "*" in word else [word] for word in words]
                done = run_arena(*chain.from_iterable(found), folder=tmp_path)
                assert done.returncode == 0, done.stderr
    means = names["table"].groupby("player")["won"].mean()
    assert means["search"] > 0.5 > means["random"]
    labels = {read_bot(ROOT / "sample_bots" / name).label for name in ("greedy", "python")}
    assert set(names["choices"]["bot"]) == labels


def test_the_search_is_as_short_as_the_page_says() -> None:
    (code,) = [block.code for block in blocks(PAGE) if "def search" in block.code]
    lines = [line for line in code.splitlines() if line.strip() and not re.match(r'\s*"""', line)]
    assert len(lines) <= SEARCH_LINES
