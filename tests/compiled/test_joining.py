"""Chapters on whole numbers, joined and rewritten for Cython: what stands around a rule changes, no rule does."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.games import BUILT_IN
from tools.compiling.building import units
from tools.compiling.joining import ROWS, JoiningError, chapters_of, joined

ROOT = Path(__file__).parents[2]
PACKAGE = "referee.games.norenberc"


JOIN = """
import sys
from pathlib import Path
from tools.compiling.building import units
from tools.compiling.joining import joined
root = Path(sys.argv[1])
sources = {each: (root / f"{each.replace('.', '/')}.py").read_text() for each in units(root)[sys.argv[2]]}
print(joined(sources))
"""


@pytest.fixture(name="text", scope="module")
def join_norenberc() -> str:
    return join(PACKAGE)


def join(package: str) -> str:
    """Join the chapters as `make fast` does, in a process that runs the source whatever is compiled here."""
    return subprocess.run(
        [sys.executable, "-c", JOIN, str(ROOT), package],
        cwd=ROOT, env={**os.environ, "MEISTERSINGER_COMPILED": "0"}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def source(module: str) -> str:
    return (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")


def function(text: str, name: str) -> ast.FunctionDef:
    (found,) = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name]
    return found


def test_a_chapter_comes_after_those_that_it_needs_also_by_way_of_others() -> None:
    sources = {
        "a": f"from {ROWS} import Int\nfrom b import values",
        "b": "from c import numbers",
        "c": f"from {ROWS} import Int",
        "d": "from a import rule",
    }
    assert chapters_of(sources) == ["c", "a"]


def test_every_built_in_game_on_numbers_is_joined() -> None:
    found = units(ROOT)
    for slug in BUILT_IN:
        chapters = (ROOT / "referee" / "games" / slug).glob("*.py")
        expected = {
            f"referee.games.{slug}.{each.stem}" for each in chapters if f"from {ROWS} import" in each.read_text("utf-8")
        }
        assert {*found.get(f"referee.games.{slug}", [])} == expected


def test_a_rule_keeps_its_lines(text: str) -> None:
    """Of a whole rule nothing changes but its annotations: its constants are their values."""
    ours = function(source(f"{PACKAGE}.dealing"), "sell")
    made = function(text, "sell")
    expected = [ast.unparse(each).replace("GOODS_SOLD", "4") for each in ours.body]
    assert [ast.unparse(each) for each in made.body] == expected
    assert [ast.unparse(each.annotation) for each in made.args.args if each.annotation] == [
        "State", "cython.int", "cython.int", "cython.int", "Events",
    ]  # fmt: skip
    assert [ast.unparse(each) for each in made.decorator_list] == ["cython.ccall", "cython.exceptval(check=False)"]


def test_c_works_out_again_what_the_source_remembers(text: str) -> None:
    assert "@remembered\ndef offer_vectors" in source(f"{PACKAGE}.goods")
    decorators = [ast.unparse(each) for each in function(text, "offer_vectors").decorator_list]
    assert decorators == ["cython.ccall", "cython.exceptval(check=False)"]


def test_a_struct_becomes_one_of_C_with_rows_of_its_widths(text: str) -> None:
    (state,) = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == "State"]
    fields = {
        ast.unparse(each.target): ast.unparse(each.annotation) for each in state.body if isinstance(each, ast.AnnAssign)
    }
    assert (fields["seats"], fields["loose"], fields["pile"]) == ("cython.int", "cython.schar[30]", "cython.short[96]")
    assert [ast.unparse(each) for each in state.decorator_list] == ["cython.final", "cython.cclass"]


def test_tables_members_of_enums_and_constants_are_written_in(text: str) -> None:
    assert "PAYABLE_PANES = cython.declare(cython.int[25])" in text
    assert (
        "BLAZONS = cython.declare(cython.double[8])\nfor _place, _number in enumerate(map(float, '0.0 0.8 1.8 3.5"
        in text
    )
    assert "if kind == 70:" in ast.unparse(function(text, "use_citizen"))
    assert "Choice(choices[seat])" not in text


def test_a_table_is_one_text_so_that_large_ones_compile_quickly(text: str) -> None:
    """A list would be a constant and a line of C for every number."""
    (line,) = [line for line in text.splitlines() if line.startswith("for _place, _number in") and "409" in line][:1]
    assert line.startswith("for _place, _number in enumerate(map(int, '")


def test_what_is_compared_by_identity_stays_the_member_of_its_enum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view has the member itself, and no number is it."""
    chapter = (
        "from enum import IntEnum\nclass Question(IntEnum):\n    REPLY = 4\n"
        "def is_reply(view):\n    return view.question is Question.REPLY\n"
        "def equals_reply(view):\n    return view.question == Question.REPLY\n"
    )
    (tmp_path / "chapter_of_questions.py").write_text(chapter, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    text = joined({"chapter_of_questions": chapter})
    assert "view.question is Question.REPLY" in ast.unparse(function(text, "is_reply"))
    assert "view.question == 4" in ast.unparse(function(text, "equals_reply"))


def test_division_is_that_of_python(text: str) -> None:
    assert "cython.cast(cython.double, everybody) / state.seats" in ast.unparse(function(text, "rate_mayor"))


def test_a_name_that_two_chapters_define_is_refused() -> None:
    with pytest.raises(JoiningError, match="b: rule is already defined in a; expected another name"):
        joined({"a": "def rule() -> None: ...", "b": "def rule() -> None: ..."})
