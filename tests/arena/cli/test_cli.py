"""The commands that play and list: good output for machines, and one clear line for bad input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest

import arena.cli.bench
from arena.cli import arena as root
from referee.games import GAMES
from referee.record import verify
from tests.arena.command_line import CommandLine
from tests.records import without_times

ROOT = Path(__file__).resolve().parents[3]
BOT = ROOT / "sample_bots" / "python"
ARENA = [sys.executable, "-c", "from arena.cli import main; main()"]
PAIR = ("--bot", str(BOT), "--bot", str(BOT))


def refused(command_line: CommandLine, *words: str) -> str:
    """Run a command that must be refused: exit code 2, one line on standard error, nothing else; return the line."""
    said = command_line(*words)
    assert said.code == 2, said
    assert said.out == ""
    assert said.err.startswith("arena: ")
    assert said.err.count("\n") == 1, said.err
    assert "Traceback" not in said.err
    return said.err.strip()


# Bad input

BAD_PLAY: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown game": (("halma", *PAIR), "'halma' is unknown; expected one of: "),
    "no game": ((), "Missing argument 'GAME'"),
    "no bot": (("toy",), "Missing option '--bot'"),
    "a bot too few": (("toy", "--bot", str(BOT)), "seats: 1 is not allowed for toy; expected 2 to 5"),
    "a bot too many": (("toy", *PAIR, *PAIR, *PAIR), "seats: 6 is not allowed for toy; expected 2 to 5"),
    "two for a game of three": (("nuremberg", *PAIR), "seats: 2 is not allowed for nuremberg; expected 3 to 4"),
    "five for a game of four": (
        ("carcassonne_city", *PAIR, *PAIR, "--bot", str(BOT)),
        "seats: 5 is not allowed for carcassonne_city; expected 2 to 4",
    ),
    "an unknown option": (("toy", *PAIR, "--option", "speed=3"), "speed: unknown key; expected one of: rounds"),
    "a misspelt option": (("toy", *PAIR, "--option", "round=3"), "expected one of: rounds (did you mean 'rounds'?)"),
    "a misspelt choice": (
        ("furstenfeld", *PAIR, "--option", "variant=advance"),
        "(did you mean 'advanced'?)",
    ),
    "an option where there is none": (("norenberc", *PAIR, "--option", "x=1"), "x: unknown key"),
    "an option of the wrong type": (
        ("toy", *PAIR, "--option", "rounds=many"),
        "rounds: 'many' is not allowed; expected a whole number from 1 to 5",
    ),
    "an option out of range": (
        ("toy", *PAIR, "--option", "rounds=6"),
        "rounds: 6 is not allowed; expected a whole number from 1 to 5",
    ),
    "a truth for a number": (
        ("toy", *PAIR, "--option", "rounds=true"),
        "rounds: True is not allowed; expected a whole number from 1 to 5",
    ),
    "an unknown variant": (("furstenfeld", *PAIR, "--option", "variant=blitz"), "variant: 'blitz' is not allowed"),
    "a number for a variant": (("furstenfeld", *PAIR, "--option", "variant=1"), "variant: 1 is not allowed"),
    "an option without a value": (("toy", *PAIR, "--option", "rounds"), "--option: 'rounds' is not allowed"),
    "an option without a key": (("toy", *PAIR, "--option", "=5"), "--option: '=5' is not allowed"),
    "a missing bot directory": (("toy", "--bot", "nowhere", "--bot", str(BOT)), "nowhere: not a bot directory"),
    "a seed that is a word": (("toy", *PAIR, "--seed", "lucky"), "'lucky' is not a valid integer"),
    "a negative seed": (("toy", *PAIR, "--seed", "-1"), "-1 is not in the range"),
    "a seed too large": (("toy", *PAIR, "--seed", str(1 << 63)), "is not in the range"),
    "no matches": (("toy", *PAIR, "--matches", "0"), "0 is not in the range"),
    "half a match": (("toy", *PAIR, "--matches", "0.5"), "'0.5' is not a valid integer"),
    "no referees": (("toy", *PAIR, "--referees", "0"), "0 is not in the range"),
    "no concurrent match": (("toy", *PAIR, "--concurrency", "0"), "0 is not in the range"),
    "an unknown time": (("toy", *PAIR, "--time", "sandglass=3"), "time_control.sandglass: unknown key"),
    "a time that is a word": (("toy", *PAIR, "--time", "bank_ms=long"), "time_control.bank_ms: 'long' is not allowed"),
    "a negative time": (("toy", *PAIR, "--time", "bank_ms=-5"), "time_control.bank_ms: -5 is not allowed"),
    "a truth for a time": (("toy", *PAIR, "--time", "cap_ms=true"), "time_control.cap_ms: True is not allowed"),
    "a time without a value": (("toy", *PAIR, "--time", "bank_ms"), "--time: 'bank_ms' is not allowed"),
    "an unknown flag": (("toy", *PAIR, "--quickly"), "No such option"),
    "an argument too many": (("toy", "norenberc", *PAIR), "unexpected extra argument"),
    "an unknown log level": (("toy", *PAIR, "--log-level", "loud"), "'loud' is not one of"),
}


@pytest.mark.parametrize("case", BAD_PLAY)
def test_arena_play_refuses_bad_input_with_one_line(case: str, command_line: CommandLine) -> None:
    words, reason = BAD_PLAY[case]
    assert reason in refused(command_line, "play", *words)


def test_arena_play_refuses_a_place_for_records_that_is_a_file(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    refused(command_line, "play", "toy", *PAIR, "--records", "taken")
    assert "cannot create" in refused(command_line, "play", "toy", *PAIR, "--records", "taken/inside")


BAD_MANIFESTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "name: None is not allowed"),
    "not TOML": ("name = ", "bot.toml: "),
    "not text": (b"\xff\xfe\x00name", "bot.toml: "),
    "an unknown key": ('name = "a"\ncommand = ["x"]\nspeed = 9\n', "speed: unknown key; expected one of: name"),
    "a name that is a number": ('name = 7\ncommand = ["x"]\n', "name: 7 is not allowed"),
    "an empty name": ('name = ""\ncommand = ["x"]\n', "name: '' is not allowed"),
    "a long name": (f'name = "{"a" * 65}"\ncommand = ["x"]\n', "expected 1 to 64 letters and digits"),
    "a name of two lines": ('name = "a\\nb"\ncommand = ["x"]\n', "expected 1 to 64 letters and digits"),
    "a name with an escape": ('name = "a\\u001b[31m"\ncommand = ["x"]\n', "expected 1 to 64 letters and digits"),
    "a name with a blank before it": ('name = " a"\ncommand = ["x"]\n', "expected 1 to 64 letters and digits"),
    "no command": ('name = "a"\n', "command: missing"),
    "an empty command": ('name = "a"\ncommand = []\n', "command: missing"),
    "a command in one string": ('name = "a"\ncommand = "python3 bot.py"\n', "expected a list of texts"),
    "a command with a number": ('name = "a"\ncommand = ["x", 3]\n', "expected a list of texts"),
    "a command with an empty word": ('name = "a"\ncommand = [""]\n', "expected a list of texts"),
    "a command with a zero byte": ('name = "a"\ncommand = ["x\\u0000"]\n', "expected a list of texts"),
    "games in one string": ('name = "a"\ncommand = ["x"]\ngames = "toy"\n', "games: 'toy' is not allowed"),
    "an unknown game": ('name = "a"\ncommand = ["x"]\ngames = ["halma"]\n', "games: 'halma' is unknown"),
    "another game": ('name = "a"\ncommand = ["x"]\ngames = ["norenberc"]\n', "games: a does not play toy"),
    "a build in one string": ('name = "a"\ncommand = ["x"]\nbuild = "make"\n', "build: 'make' is not allowed"),
    "memory as text": ('name = "a"\ncommand = ["x"]\nmemory_mb = "1G"\n', "memory_mb: '1G' is not allowed"),
    "too little memory": ('name = "a"\ncommand = ["x"]\nmemory_mb = 1\n', "memory_mb: 1 is not allowed"),
    "memory as a truth": ('name = "a"\ncommand = ["x"]\nmemory_mb = true\n', "memory_mb: True is not allowed"),
    "no concurrency": ('name = "a"\ncommand = ["x"]\nconcurrency = 0\n', "concurrency: 0 is not allowed"),
    "too much concurrency": ('name = "a"\ncommand = ["x"]\nconcurrency = 99999\n', "concurrency: 99999 is not allowed"),
    "half a concurrency": ('name = "a"\ncommand = ["x"]\nconcurrency = 1.5\n', "concurrency: 1.5 is not allowed"),
    "too large": ("# " + "x" * 9_000, "is larger than 8192 bytes"),
}


@pytest.mark.parametrize("case", BAD_MANIFESTS)
def test_a_broken_manifest_is_refused_with_file_and_key(case: str, command_line: CommandLine, tmp_path: Path) -> None:
    content, reason = BAD_MANIFESTS[case]
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    line = refused(command_line, "play", "toy", "--bot", str(BOT), "--bot", "bot")
    assert reason in line
    assert "bot" in line


def test_a_bot_that_is_no_directory_or_has_no_manifest_is_refused(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "bare").mkdir()
    (tmp_path / "odd" / "bot.toml").mkdir(parents=True)
    for name, reason in (("file", "not a bot directory"), ("bare", "has no bot.toml"), ("odd", "has no bot.toml")):
        assert f"{name}: {reason}" in refused(command_line, "play", "toy", "--bot", name, "--bot", str(BOT))


def test_unknown_commands_and_flags_are_refused(command_line: CommandLine) -> None:
    assert "No such command 'dance'" in refused(command_line, "dance")
    assert "No such option" in refused(command_line, "--dance")
    assert "No such option" in refused(command_line, "games", "--dance")
    assert "unexpected extra argument" in refused(command_line, "games", "show", "toy", "toy")
    assert "No such command 'toy'" in refused(command_line, "games", "toy")
    assert "No such command 'dance'" in refused(command_line, "replay", "dance")


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package of benchmarks that are quick."""
    package = tmp_path / "quick_benchmarks"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.setattr(arena.cli.bench, "PACKAGE", package.name)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return package


def test_arena_bench_refuses_unknown_names(command_line: CommandLine) -> None:
    assert "benchmark: 'speed' is unknown; expected some of: engine" in refused(command_line, "bench", "speed")
    assert "No such option" in refused(command_line, "bench", "--dance")


def test_arena_bench_runs_the_named_or_all_but_those_only_when_named(
    command_line: CommandLine, benchmarks: Path
) -> None:
    for name in arena.cli.bench.BENCHMARKS:
        (benchmarks / f"{name}.py").write_text(f"print({name!r})\n")
    (benchmarks / "wire.py").write_text("raise SystemExit(3)\n")
    listed = command_line("bench", "--list", "--json")
    assert listed.data == arena.cli.bench.BENCHMARKS
    one = command_line("bench", "engine", "--json")
    assert one.code == 0
    assert [(report["name"], report["exit_code"], report["output"]) for report in one.data] == [
        ("engine", 0, "engine\n")
    ]
    every = command_line("bench", "--json")
    assert every.code == 1
    codes = {report["name"]: report["exit_code"] for report in every.data}
    assert codes.pop("wire") == 3
    assert set(codes.values()) == {0}
    assert {"engine", "startup"} <= set(codes)
    assert not {"coverage", "fairness"} & set(codes)


def test_every_benchmark_has_its_module() -> None:
    for name in arena.cli.bench.BENCHMARKS:
        assert find_spec(f"{arena.cli.bench.PACKAGE}.{name}") is not None


def test_arena_bench_tells_benchmarks_where_to_write_their_figures(
    command_line: CommandLine, benchmarks: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (benchmarks / "engine.py").write_text("import os; print(os.environ.get('MEISTERSINGER_RESULTS'))\n")
    monkeypatch.delenv("MEISTERSINGER_RESULTS", raising=False)
    assert command_line("bench", "engine", "--json").data[0]["output"] == "None\n"
    there = command_line("bench", "engine", "--json", "--results", str(tmp_path / "results"))
    assert there.data[0]["output"] == f"{tmp_path / 'results'}\n"


def test_no_traceback_and_exit_code_2_in_a_real_process(tmp_path: Path) -> None:
    for words in (["play", "halma", *PAIR], ["replay", "verify", "nothing.jsonl"], ["bench", "speed"], ["games", "-x"]):
        done = subprocess.run([*ARENA, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done


# Help


def commands(group: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], click.Command]]:
    """Return every command that does something, with its words."""
    found = []
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, click.Group):
                found += commands(command, (*path, name))
            else:
                found.append(((*path, name), command))
    return found


@pytest.mark.parametrize(
    "words",
    [
        ("games", "list"),
        ("games", "show"),
        ("play",),
        ("bench",),
        ("replay", "verify"),
        ("replay", "show"),
        ("replay", "export"),
    ],
)
def test_a_command_shows_an_example_and_speaks_json(words: tuple[str, ...], command_line: CommandLine) -> None:
    said = command_line(*words, "--help")
    assert said.code == 0
    assert f"Example: arena {' '.join(words)}" in said.out
    assert "--json" in said.out
    assert words in [path for path, _command in commands(root)]


# Good output


def test_arena_games_lists_every_game_with_its_options(command_line: CommandLine) -> None:
    said = command_line("games", "--json")
    assert [game["slug"] for game in said.data] == list(GAMES)
    assert command_line("games", "list", "--json").data == said.data
    options = {game["slug"]: [option["key"] for option in game["options"]] for game in said.data}
    assert options["toy"] == ["rounds"]
    assert options["furstenfeld"] == ["variant"]
    assert "toy  Toy, 2 to 5 seats, rules 1" in command_line("games").out.splitlines()
    text = command_line("games", "show", "toy").out
    assert text.startswith("toy  Toy, 2 to 5 seats, rules 1\n    rounds = 5 (1 to 5)  prizes to bid for\n")
    assert command_line("games", "show", "toy", "--json").data in said.data


def play(folder: Path, *words: str, hash_seed: str = "0") -> tuple[dict[str, Any], dict[str, str]]:
    """Play toy matches in a real process and return the summary, and the records by file name."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(
        [*ARENA, "play", "toy", *PAIR, *PAIR, "--json", "--records", str(folder), *words],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary, {file.name: file.read_bytes().decode("ascii") for file in sorted(folder.iterdir())}


def test_the_same_seed_gives_the_same_records_in_every_process_hash_seed_and_number_of_referees(tmp_path: Path) -> None:
    """Thirty matches of four random bots, four times: byte for byte the same apart from times."""
    matches = ("--seed", "11", "--matches", "30", "--rotate")
    runs = [
        play(tmp_path / "first", *matches),
        play(tmp_path / "second", *matches),
        play(tmp_path / "hashed", *matches, hash_seed="4242"),
        play(tmp_path / "two", *matches, "--referees", "2", hash_seed="7"),
    ]
    summary, records = runs[0]
    assert summary["verified"] == len(records) == len(summary["matches"]) == 30
    assert summary["faults"] == []
    for other_summary, other_records in runs[1:]:
        assert other_summary == summary
        assert list(other_records) == list(records)
        assert [without_times(text) for text in other_records.values()] == [
            without_times(text) for text in records.values()
        ]
    for text, match in zip(records.values(), summary["matches"], strict=True):
        record = verify(text)
        assert (record.header["match_id"], record.result["ranks"]) == (match["match_id"], match["ranks"])
    other, _ = play(tmp_path / "other", "--seed", "12", "--matches", "2")
    assert other["matches"][0]["match_id"] != summary["matches"][0]["match_id"]


def test_standard_output_is_for_data_even_when_logs_are_wanted(tmp_path: Path) -> None:
    words = ["play", "toy", *PAIR, "--json", "--log-level", "debug", "--matches", "2", "--seed", "3"]
    done = subprocess.run([*ARENA, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)["matches"]) == 2
    assert "match.finished" in done.stderr


def test_a_draw_at_two_seats_is_a_win_of_nobody(command_line: CommandLine) -> None:
    """Matches without bids alone are often drawn in the toy: both seats' columns say the same of them."""
    said = command_line("play", "toy", *PAIR, "--matches", "20", "--seed", "3", "--option", "rounds=1")
    assert said.code == 0
    head, *rows = [line.split() for line in said.out.splitlines() if line.split()[:1] in (["seat"], ["0"], ["1"])]
    assert head == ["seat", "bot", "wins", "draws", "losses", "mean", "place", "mean", "score", "forfeits"]
    (wins, draws, losses), (theirs, same, lost) = ([int(cell) for cell in row[2:5]] for row in rows)
    assert (wins, draws, losses) == (lost, same, theirs)
    assert wins + draws + losses == 20
    assert min(wins, draws, losses) > 0
