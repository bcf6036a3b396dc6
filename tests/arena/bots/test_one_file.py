"""One-file bots: one version in every form, and a clear refusal of a file that is no bot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.bots.archive import pack, unpack
from arena.bots.by_hash import find_bots
from arena.bots.directory import read_bot
from arena.bots.one_file import LARGEST, write_directory
from arena.bots.policies import find_policy, load_policy
from referee.mistakes import UserError
from tests import parts
from tests.arena.command_line import CommandLine

FIRST = "def choose(view, options):\n    return 0\n"
LAST_JS = "export const choose = (view, options) => options.length - 1;\n"
COUNTING = """
class Counting:
    matches = 0

    def reset(self):
        Counting.matches += 1
        self.answers = 0

    def choose(self, view, options, question):
        self.answers += 1
        assert question.seat in (0, 1)
        return 0
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_is_the_same_version_as_the_directory_it_stands_for(tmp_path: Path) -> None:
    file = written(tmp_path, "mine.py", FIRST)
    (tmp_path / "whole").mkdir()
    write_directory(file, tmp_path / "whole")
    whole, one = read_bot(tmp_path / "whole"), read_bot(file)
    assert one.version == whole.version
    assert one.manifest == whole.manifest
    assert one.label.startswith("mine@")
    assert pack(file) == pack(tmp_path / "whole")


def test_another_byte_or_name_is_another_version(tmp_path: Path) -> None:
    versions = {
        read_bot(written(tmp_path, "mine.py", FIRST)).version,
        read_bot(written(tmp_path, "mine.py", FIRST + "\n")).version,
        read_bot(written(tmp_path, "other.py", FIRST)).version,
    }
    assert len(versions) == 3


def test_it_is_found_by_its_hash_and_survives_an_archive(tmp_path: Path) -> None:
    bot = read_bot(written(tmp_path, "mine.py", FIRST))
    written(tmp_path, "large.py", "#" * (LARGEST + 1))
    (tmp_path / "into").mkdir()
    found = find_bots([bot.version], [tmp_path], tmp_path / "into")
    assert found.bots[bot.version].manifest == bot.manifest
    (tmp_path / "unpacked").mkdir()
    unpack(pack(bot.path), tmp_path / "unpacked")
    assert read_bot(tmp_path / "unpacked").version == bot.version


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mine.py", "def choose(view, options:\n", "line 1: "),
        ("mine.py", "x = 1\n", "defines no bot; expected a function choose(view, options)"),
        ("mine.py", "\0", "null bytes"),
        ("mine.py", "(" * 100_000, "line 1: "),
        ("mine.py", "#" * (LARGEST + 1), f"is larger than {LARGEST} bytes"),
        ("-mine.py", FIRST, "its name becomes the bot's name, and '-mine' is not allowed"),
    ],
)
def test_a_file_that_is_no_bot_is_refused_in_one_line(name: str, text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        read_bot(written(tmp_path, name, text))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_class_is_reset_before_every_match(command_line: CommandLine, tmp_path: Path) -> None:
    file = written(tmp_path, "counting.py", COUNTING + "\ndef kept():\n    return Counting.matches\n")
    done = command_line("simulate", "norenberc", "--bot", str(file), "--bot", "random", "--games", "3", "--seed", "1")
    assert done.code == 0, done.err
    policy = load_policy(find_policy(str(file)))
    assert policy._choose.__self__.matches == 0  # type: ignore[attr-defined]  # a fresh object for each process


def test_python_and_node_play_the_same_in_simulation_and_over_the_wire(
    command_line: CommandLine, tmp_path: Path
) -> None:
    parts.program("node")
    written(tmp_path, "first.py", FIRST)
    written(tmp_path, "last.mjs", LAST_JS)
    pair = ("--bot", "first.py", "--bot", "last.mjs", "--seed", "7", "--json")
    played = command_line("play", "norenberc", *pair, "--matches", "1")
    assert played.code == 0, played.err
    command_line("simulate", "norenberc", *pair[:-1], "--games", "1", "--out", "out.jsonl")
    (line,) = (tmp_path / "out.jsonl").read_text().splitlines()
    (match,) = played.data["matches"]
    assert match["scores"] == json.loads(line)["scores"]
    assert match["seat_endings"] == ["completed", "completed"]
    assert match["bots"] == json.loads(line)["bots"]


def test_its_own_error_is_in_its_output_and_forfeits(command_line: CommandLine, tmp_path: Path) -> None:
    written(tmp_path, "first.py", FIRST)
    written(tmp_path, "broken.py", "def choose(view, options):\n    return len(options) / 0\n")
    done = command_line("play", "norenberc", "--bot", "broken.py", "--bot", "first.py", "--json")
    (match,) = done.data["matches"]
    assert match["seat_endings"][0].startswith("forfeit")
    assert match["ranks"] == [2, 1]
    assert "ZeroDivisionError" in match["outputs"]["0"]


def test_a_policy_of_a_question_is_still_one(tmp_path: Path) -> None:
    file = written(tmp_path, "policy_of_mine.py", "def choose(question):\n    return 0\n")
    assert find_policy(str(file)).label == str(file)
    assert find_policy(str(written(tmp_path, "mine.py", FIRST))).label.startswith("mine@")


@pytest.mark.parametrize(("language", "name"), [("python", "mine.py"), ("node", "mine.mjs")])
def test_new_bot_writes_one_file(language: str, name: str, command_line: CommandLine, tmp_path: Path) -> None:
    done = command_line("new-bot", language, name, "--one-file", "--json")
    assert done.data == {"bot": "mine", "directory": str(tmp_path), "language": language, "files": [name]}
    again = command_line("new-bot", language, name, "--one-file")
    assert (again.code, again.err) == (2, f"arena: FILE: {name} exists\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rust", "mine.rs"), "--one-file: rust has no one-file bots; expected python or node"),
        (("python", "mine"), "FILE: mine is not allowed; expected a name that ends in .py"),
        (("node", "mine.js"), "FILE: mine.js is not allowed; expected a name that ends in .mjs"),
    ],
)
def test_new_bot_refuses_other_files(words: tuple[str, str], said: str, command_line: CommandLine) -> None:
    done = command_line("new-bot", *words, "--one-file")
    assert (done.code, done.err) == (2, f"arena: {said}\n")
