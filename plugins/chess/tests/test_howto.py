"""What the how-to and the README of the plug-in say is so."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from arena_chess.__main__ import main
from arena_chess.books import starts
from arena_chess.game import GAME
from arena_chess.values import Options

from arena.cli import arena
from arena.plan.tournament_file import KEYS
from referee.setting import settings_of
from tests.documents import blocks, links, rows
from tools.stubs import ROOT

HOWTO = ROOT / "docs" / "howto" / "play_chess_engines.md"
README = ROOT / "plugins" / "chess" / "README.md"
RULES = ROOT / "plugins" / "chess" / "arena_chess" / "rules.md"


def shell_lines(page: Path) -> Iterator[str]:
    for block in blocks(page):
        if block.language == "sh":
            yield from (line.partition("  #")[0].partition(" > ")[0] for line in block.code.splitlines())


@pytest.mark.parametrize("line", [*shell_lines(HOWTO)])
def test_a_command_of_the_page_exists_with_its_options(line: str) -> None:
    program, *words = shlex.split(line)
    command: click.Command = {"arena-chess": main, "arena": arena}.get(program, click.Command("make"))
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    if program != "make":
        command.make_context(program, words)


def test_the_options_of_the_page_are_options_of_the_game() -> None:
    settings = settings_of(Options)
    for option, *_about in rows(HOWTO, "Option"):
        key, _, value = option.partition("=")
        setting = settings[key]
        if setting.choices:
            assert value in setting.choices
        elif value.isdigit():
            GAME.options({key: int(value)})
    assert f"{len(starts('')):,} balanced lines" in HOWTO.read_text(encoding="utf-8")


def test_the_tournament_of_the_page_can_be_read() -> None:
    (text,) = [block.code for block in blocks(HOWTO) if block.language == "toml"]
    plain = tomllib.loads(text)
    assert {*plain} <= {*KEYS}
    GAME.options(plain["options"]["chess"])


def test_links_of_the_readme_lead_somewhere() -> None:
    assert [link for link in links(README) if not (README.parent / link).exists()] == []


def test_every_chapter_of_the_rule_page_is_cited_by_the_code() -> None:
    """C6 says what there is not."""
    code = "".join(file.read_text(encoding="utf-8") for file in RULES.parent.glob("*.py"))
    chapters = re.findall(r"^## (C\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert chapters == [f"C{number}" for number in range(1, 10)]
    cited = {*re.findall(r"\bC\d+", code)}
    assert {*chapters} - cited == {"C6"}
