"""arena tune BOT: versions of a bot are real bots in real processes, with their constants in a file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bots.directory import content_version, read_bot
from arena.cli import arena
from arena.tuning.bots import constants_of, weights_in
from referee.heuristic import Weight
from referee.mistakes import UserError

ROOT = Path(__file__).parents[3]
PROGRAM = """
import json
from pathlib import Path

from client import Question, main

from referee.heuristic import with_weights
from referee.rng import Rng

FILE = Path(__file__).with_name("weights.json")
VALUES = {"average_prize": 9.9}
if FILE.exists():
    (said,) = json.loads(FILE.read_text())["seats"].values()
    VALUES = said["weights"]


def answer(question: Question) -> int:
    heuristic = with_weights(question.game.heuristic(), VALUES)
    state = question.game.imagine(question.view, question.seat, Rng(0))
    ratings = heuristic.rate(state, question.seat, question.options)
    return ratings.index(max(ratings))


main(answer, concurrency=16)
"""
MANIFEST = """name = "bold"
games = ["toy"]
command = ["python3", "bot.py"]
concurrency = 16
deterministic = true

[tune]
average_prize = [9.9, 1, 10.0]
"""


@pytest.fixture
def bold(tmp_path: Path) -> Path:
    """A bot that thinks every prize is below the average, unless its file of weights says otherwise."""
    folder = tmp_path / "bold"
    folder.mkdir()
    shutil.copy(ROOT / "sample_bots" / "greedy" / "client.py", folder)
    (folder / "bot.py").write_text(PROGRAM)
    (folder / "bot.toml").write_text(MANIFEST)
    return folder


def test_a_bot_is_tuned_as_real_processes_and_a_killed_tuning_ends_the_same(bold: Path, tmp_path: Path) -> None:
    """The journal is cut after a generation, as a kill leaves it; every match is played by processes of its own."""
    before, out = content_version(bold), tmp_path / "weights.json"
    journal = tmp_path / "weights.json.journal"
    words = [
        "tune", str(bold), "--seats", "2", "--generations", "2", "--population", "4", "--opponent", "heuristic=1",
        "--opponent", "champion=1", "--max-blocks", "16", "--seed", "2", "--out", str(out), "--quiet",
    ]  # fmt: skip
    CliRunner().invoke(arena, words, catch_exceptions=False, standalone_mode=False)
    file = json.loads(out.read_text())
    entry = {**file["seats"], **file["refused"]}["2"]
    assert entry["verdict"] in ("better", "not better", "inconclusive")
    assert file["terms"]["start"] == {"2": {"average_prize": 9.9}}
    assert file["terms"]["versions"]["bot"].startswith("bold@")
    assert content_version(bold) == before, "the bot itself is left alone"

    shares = [share for line in journal.read_text().splitlines() for share in json.loads(line).get("share", ())]
    assert len({*shares}) > 1, "other constants play otherwise"
    assert max(shares) > 0, "a crashed bot would lose every match"
    whole, lines = out.read_bytes(), journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:2]) + lines[2][:9])
    CliRunner().invoke(arena, words, catch_exceptions=False, standalone_mode=False)
    assert out.read_bytes() == whole


def test_a_bot_starts_from_the_weights_in_its_directory(bold: Path) -> None:
    (bold / "weights.json").write_text('{"seats": {"2": {"weights": {"average_prize": 4.5}}}}')
    bot = read_bot(bold)
    constants = constants_of(bot)
    assert constants == {"average_prize": Weight(9.9, 1.0, 10.0)}
    assert weights_in(bot, constants, 2) == {"average_prize": 4.5}
    assert weights_in(bot, constants, 3) == {"average_prize": 9.9}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "has no [tune]; expected constants, such as patience = [3, 1, 10]"),
        ("[tune]\nx = 3\n", "tune.x: 3; expected [default, least, most]"),
        ("[tune]\nx = [1, 2]\n", "tune.x: [1, 2]; expected [default, least, most]"),
        ("[tune]\nx = [true, 0, 2]\n", "expected [default, least, most]"),
        ("[tune]\nx = [5, 1, 4]\n", "expected least <= default <= most"),
        ("[tune]\nx = [nan, 1, 4]\n", "expected least <= default <= most"),
        ("[tune]\nx = [1, 1, 1]\n", "least < most"),
    ],
)
def test_wrong_constants_are_refused_by_name(bold: Path, table: str, said: str) -> None:
    (bold / "bot.toml").write_text(MANIFEST.partition("[tune]")[0] + table)
    with pytest.raises(UserError) as caught:
        constants_of(read_bot(bold))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not a file of weights"), ('{"seats": {"2": {"weights": {"x": 1}}}}', "x is not one of the weights")],
)
def test_a_wrong_file_of_weights_is_refused(bold: Path, text: str, said: str) -> None:
    (bold / "weights.json").write_text(text)
    bot = read_bot(bold)
    with pytest.raises(UserError, match=said):
        weights_in(bot, constants_of(bot), 2)


def test_a_one_file_bot_names_no_constants(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("def choose(view, options):\n    return 0\n")
    with pytest.raises(UserError, match=r"a one-file bot names no constants; expected a bot directory with \[tune\]"):
        constants_of(read_bot(file))
