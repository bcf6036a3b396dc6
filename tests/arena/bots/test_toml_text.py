"""TOML from untrusted sources: bounded before it is parsed, and shown in one line whatever it holds."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from arena.bots.toml_text import MAX_DOTS, MAX_INTEGER, MAX_NESTING, parse_toml, read_toml
from referee.mistakes import UserError

ROOM = 1 << 20
LONG = "a." * (MAX_DOTS + 1) + "a"
FOR_EVER = "a." * 32_000 + "a"
"""The parser alone would take a minute for it."""

TOO_LONG = {
    "a key": f"{LONG} = 1",
    "a key without end": f"{FOR_EVER} = 1",
    "a key without a value": FOR_EVER,
    "a header": f"[{LONG}]",
    "a header of a list": f"[[{LONG}]]",
    "in a table on one line": f"x = {{ b = 1, {LONG} = 2 }}",
    "in a list of tables": f"x = [{{{LONG} = 2}}]",
    "quoted": '"a".' * (MAX_DOTS + 1) + "a = 1",
    "quoted with dots and quotes": '"\\".".' * (MAX_DOTS + 1) + "a = 1",
    "quoted plainly": "'a\"'." * (MAX_DOTS + 1) + "a = 1",
    "with spaces": "a \t.  " * (MAX_DOTS + 1) + "a = 1",
    "after a text that ends in quotes": f'x = """a"""""\n{LONG} = 1',
    "after a text with an escaped quote": f'x = "\\""\n{LONG} = 1',
    "after a plain text that ends in a backslash": f"x = 'a\\'\n{LONG} = 1",
    "after a plain text that ends in quotes": f"x = '''a'''''\n{LONG} = 1",
    "after a comment with a quote": f'# "\n{LONG} = 1',
}


@pytest.mark.parametrize("text", TOO_LONG.values(), ids=TOO_LONG)
def test_a_key_with_many_dots_never_reaches_the_parser(text: str) -> None:
    with (
        mock.patch("tomllib.loads", side_effect=AssertionError("parsed")),
        pytest.raises(UserError, match=rf"^file: a key has more than {MAX_DOTS} dots \(at line [12]\)$"),
    ):
        parse_toml(text, "file", ROOM)


@pytest.mark.parametrize(
    "text",
    [
        "a." * MAX_DOTS + "a = 1",
        f"x = '{LONG}'",
        f'x = "{LONG}"',
        f'x = """\n{LONG} = 1\n"""',
        f"x = '''\n{LONG} = 1\n'''",
        f"# {LONG} = 1\nx = 2",
        f'x = "{LONG}" # "\ny = ["{LONG}", 1.5, 2.5e-3, 2026-11-18T04:12:57.999]',
        "x = [" + "1.5, " * 100 + "]",
        'x = """"\\"""" # a.a.a.a.a.a.a.a.a.a',
    ],
)
def test_dots_of_texts_comments_and_numbers_do_not_count(text: str) -> None:
    assert parse_toml(text, "file", ROOM)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "9" * 5_000,
        "x = 0x" + "f" * 5_000,
        f"x = {MAX_INTEGER + 1}",
        f"x = {{ y = [1, {-MAX_INTEGER - 2}] }}",
    ],
)
def test_a_number_that_python_may_refuse_to_show_is_one_line(text: str) -> None:
    with pytest.raises(UserError, match=rf"^file: a whole number is too large; expected at most {MAX_INTEGER}$"):
        parse_toml(text, "file", ROOM)


def test_the_greatest_numbers_of_toml_are_read() -> None:
    text = f"x = {MAX_INTEGER}\ny = {-MAX_INTEGER - 1}"
    assert parse_toml(text, "file", ROOM) == {"x": MAX_INTEGER, "y": -MAX_INTEGER - 1}


def test_nesting_is_bounded_however_it_is_written() -> None:
    lists = "x = " + "[" * MAX_NESTING + "]" * MAX_NESTING
    assert parse_toml(lists, "file", ROOM)
    deep = (
        lists.replace("[]", "[[]]"),
        "x = " + "[" * 100_000,
        "x = " + "{a.a.a.a.a=" * 20 + "1" + "}" * 20,
        "[a.a.a.a.a.a.a.a.a]\na.a.a.a.a.a.a.a.a = 1",
    )
    for text in deep:
        with pytest.raises(UserError, match=r"^file: the values are nested too deeply$"):
            parse_toml(text, "file", ROOM)


def test_size_is_checked_first_for_texts_and_files(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("x = 'é'")
    assert parse_toml(file.read_text(), "file", 8) == read_toml(file, 8) == {"x": "é"}
    with pytest.raises(UserError, match=r"^file: is larger than 7 bytes$"):
        parse_toml(file.read_text(), "file", 7)
    with pytest.raises(UserError, match=r"x\.toml: is larger than 7 bytes$"):
        read_toml(file, 7)
    with pytest.raises(UserError, match=r"missing\.toml: cannot be read: No such file"):
        read_toml(tmp_path / "missing.toml", 7)
