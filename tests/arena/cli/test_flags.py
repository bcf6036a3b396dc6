"""Flags belong to the command line: everything else names the field, and `cli` adds the dashes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from arena.cli.faults import flagged
from tests.arena.command_line import CommandLine

ARENA = Path(__file__).parents[3] / "arena"
FLAG = re.compile(r"(?:^|[^\w-])--[a-z]")
COMMAND_LINES = ("cli", "bench", "lab")  # benchmarks and the example learner have their own
OTHER_PROGRAMS = {
    "bots/archive.py": "tar",
    "cluster/dask_worker.py": "a command line of its own, which Dask calls",
    "sandbox/bubblewrap.py": "bwrap and setpriv",
}


def said(text: str) -> bool:
    """Whether a text speaks of a flag; one that is a flag and nothing else is an argument of some program."""
    return FLAG.search(text) is not None and re.fullmatch(r"--[a-z-]+", text) is None


def test_no_module_outside_the_command_line_speaks_of_flags() -> None:
    """A caller of the server has fields, not flags."""
    found = [
        f"{path.relative_to(ARENA)}:{node.lineno}: {node.value[:60]!r}"
        for path in sorted(ARENA.rglob("*.py"))
        if path.relative_to(ARENA).parts[0] not in ("cli", "bench", "lab")
        and path.relative_to(ARENA).as_posix() not in OTHER_PROGRAMS
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and said(node.value)
    ]
    assert found == []


@click.command("leaf")
@click.option("--max-blocks")
@click.option("--game", "games", multiple=True)
@click.argument("bot")
def leaf() -> None:
    pass


GROUP = click.Group("group", {"leaf": leaf})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("max_blocks: 21 are too many", "--max-blocks: 21 are too many"),
        ("game: 'halma' is unknown", "--game: 'halma' is unknown"),
        ("bot: 'x' is unknown", "bot: 'x' is unknown"),
        ("seats: 5 is not allowed", "seats: 5 is not allowed"),
        ("stopped", "stopped"),
    ],
)
def test_a_field_that_an_option_fills_is_named_as_the_option(line: str, told: str) -> None:
    assert flagged(line, GROUP, ["leaf", "x", "--max-blocks", "21"]) == told


def test_the_command_line_adds_the_dashes(command_line: CommandLine) -> None:
    missing = command_line("leaderboard", "--db", "none.db")
    assert (missing.code, missing.err) == (
        2,
        "arena: --db: none.db does not exist; run a tournament first or name another file\n",
    )
