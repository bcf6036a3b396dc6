"""Sample bots are named wherever a bot directory is."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.directory import read_bot
from arena.bots.samples import read_named, sample_names, starter_bots
from arena.plan.entries import local_plan
from referee.mistakes import UserError
from tests.arena.command_line import CommandLine

PLAN = 'name = "cup"\ngame = "toy"\nseats = 2\nrounds = 1\nbots = ["greedy", "random"]\n'


def test_every_sample_bot_has_the_name_of_its_directory_and_python_plays_at_random(tmp_path: Path) -> None:
    for name in sample_names():
        found = read_named(name, tmp_path)
        assert found.path == starter_bots() / {"random": "python"}.get(name, name)
    assert {"greedy", "search", "champion", "tuned", "noisy", "node"} <= set(sample_names())


def test_a_directory_comes_before_a_sample_bot_of_its_name(command_line: CommandLine, tmp_path: Path) -> None:
    assert command_line("new-bot", "python", "greedy").code == 0
    assert read_named("greedy", tmp_path) == read_bot(tmp_path / "greedy")
    (tmp_path / "search").mkdir()
    with pytest.raises(UserError, match=r"search: has no bot\.toml"):
        read_named("search", tmp_path)


def test_a_mistyped_name_is_guessed(command_line: CommandLine) -> None:
    done = command_line("play", "norenberc", "--bot", "gredy", "--bot", "random")
    assert (done.code, done.err) == (2, "arena: gredy: not a bot directory (did you mean 'greedy'?)\n")


def test_a_tournament_file_may_name_them(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(PLAN)
    plan = local_plan(file, None)
    assert sorted(bot.manifest.name for bot in plan.bots) == ["greedy", "random"]


def test_a_match_between_them_is_played_from_any_directory(command_line: CommandLine) -> None:
    done = command_line("play", "toy", "--bot", "greedy", "--bot", "random", "--seed", "3", "--json", "-q")
    assert done.code == 0, done.err


def test_a_new_bot_may_begin_with_one(command_line: CommandLine, tmp_path: Path) -> None:
    made = command_line("new-bot", "--from", "greedy", "mine", "--json").data
    assert (made["bot"], made["language"]) == ("mine", "python")
    theirs = {file.name: file.read_bytes() for file in (starter_bots() / "greedy").iterdir() if file.is_file()}
    ours = {file.name: file.read_bytes() for file in (tmp_path / "mine").iterdir()}
    assert ours.keys() == {*theirs, "AGENTS.md"}
    assert [name for name in theirs if ours[name] != theirs[name]] == ["bot.toml"]
    for words, line in (
        (("--from", "gredy", "other"), "(did you mean 'greedy'?)"),
        (("--from", "greedy", "python", "other"), "new-bot: expected only DIR beside --from, got python, other"),
        (("--from", "greedy", "other.py", "--one-file"), "--from: expected one of --from and --one-file"),
        (("python",), "new-bot: expected LANG and DIR, got python"),
        (("pyton", "other"), "(did you mean 'python'?)"),
    ):
        done = command_line("new-bot", *words)
        assert (done.code, done.out, line in done.err, done.err.count("\n")) == (2, "", True, 1), done.err
    assert not (tmp_path / "other").exists()
