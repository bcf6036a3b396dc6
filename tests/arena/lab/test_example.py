"""The example of training, in short: it learns, becomes a bot, passes the checks and enters a tournament."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.lab.example.__main__ import main, write_bot
from arena.lab.example.network import Array, Lesson, Network, Weights, chances_of
from arena.lab.example.training import LIBRARIES, BatchPlayer, installed, learning, train
from referee.games import GAMES
from referee.policy import play_match
from tests.documents import blocks
from tests.journeys.commands import run_arena
from tools.stubs import ROOT

PAGE = ROOT / "docs/howto/train_a_bot.md"
# Torch is as large as everything else together, so it is tested where somebody has installed it and is no part to lack.
every_library = pytest.mark.parametrize("library", installed())


def lessons_for(weights: Weights, dice: np.random.Generator, count: int) -> list[Lesson]:
    """Return choices among one to `count` options, some of them good and some bad."""
    made = []
    for options in range(1, count + 1):
        seen = dice.random(len(weights.view), np.float32)
        rows = dice.random((options, len(weights.option)), np.float32)
        ratings, hidden = weights.rate(seen, rows)
        made.append(Lesson(seen, rows, hidden, chances_of(ratings), options // 2, float(dice.normal())))
    return made


def likelihood(weights: Weights, lessons: list[Lesson]) -> float:
    """Return the logarithms of how likely the choices are, weighed by their worth, by the plainest of sums."""
    total = 0.0
    for lesson in lessons:
        ratings = weights.rate(lesson.seen, lesson.rows)[0].astype(np.float64)
        total += lesson.worth * (ratings[lesson.chosen] - np.log(np.exp(ratings).sum()))
    return total


@every_library
def test_the_gradient_leads_where_good_choices_become_likelier(library: str) -> None:
    """By the plain slope between two points, along directions drawn at random, for every part of the weights."""
    dice = np.random.default_rng(3)
    weights = Weights.fresh(9, 7, 5, seed=3)
    for part in weights.parts():
        part += dice.normal(size=part.shape).astype(np.float32)
    lessons = lessons_for(weights, dice, 6)
    slopes = learning(library).gradient(weights, lessons)
    for place, slope in enumerate(slopes):
        direction = dice.normal(size=slope.shape).astype(np.float32)

        def moved(by: float, place: int = place, direction: Array = direction) -> float:
            parts = [part.copy() for part in weights.parts()]
            parts[place] += np.float32(by) * direction
            return likelihood(Weights(*parts), lessons)

        assert float((slope * direction).sum()) == pytest.approx(
            (moved(0.01) - moved(-0.01)) / 0.02, rel=0.01, abs=0.02
        )


@every_library
def test_steps_along_the_gradient_make_good_choices_likelier(library: str) -> None:
    weights = Weights.fresh(9, 7, 5, seed=4)
    lessons = lessons_for(weights, np.random.default_rng(4), 6)
    before, module = likelihood(weights, lessons), learning(library)
    climber = module.Climber(weights)
    for _ in range(20):
        climber.climb(module.gradient(weights, lessons))
    assert likelihood(weights, lessons) > before + 0.5


@every_library
def test_a_short_training_beats_random(library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A few hundred matches of the toy are enough to win more than luck would."""
    words = ["toy", str(tmp_path / "trained"), "--seats", "3", "--matches", "800", "--evaluate", "90"]
    assert main([*words, "--seconds", "3600", "--library", library]) == 0
    said = capsys.readouterr().out
    found = re.search(r"wins (\d+) % of 90 new matches against random; random wins (\d+) %", said)
    assert found is not None, said
    assert int(found[1]) >= int(found[2]) + 10
    assert {file.name for file in (tmp_path / "trained").iterdir()} >= {
        "bot.toml",
        "bot.py",
        "policy.py",
        "weights.npz",
    }


@every_library
def test_a_training_can_be_repeated_and_kept(library: str, tmp_path: Path) -> None:
    """The same arguments learn the same; what was saved plays as it did, at tables of other sizes too."""

    def trained() -> Network:
        return train("toy", 3, matches=64, seconds=600, processes=1, seed=2, tell=print, library=library).network

    one, other = trained(), trained()
    write_bot(tmp_path / "kept", "toy", one)
    again = Network.load(tmp_path / "kept" / "weights.npz")
    game = GAMES["toy"]
    for seats in (2, 3, 5):
        ends = [
            play_match(game, [network.choose] * seats, 5, game.options({}), "m").digest
            for network in (one, other, again)
        ]
        assert len(set(ends)) == 1


def test_the_page_on_training_runs_from_an_environment_to_a_tournament(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(
        ROOT / "sample_bots", tmp_path / "sample_bots", ignore=shutil.ignore_patterns("build", "node_modules")
    )
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(PAGE):
        if block.language == "python":
            exec(block.code, names)  # as a reader would, one after another
    assert "came in at place" in capsys.readouterr().out
    (toml,) = [block.code for block in blocks(PAGE) if block.language == "toml"]
    (tmp_path / "cup.toml").write_text(toml, encoding="utf-8")
    lines = [line for block in blocks(PAGE) if block.language == "console" for line in block.code.splitlines()]
    train_line, *others = lines
    assert train_line == "python -m arena.lab.example norenberc trained --seconds 120"
    short = [*train_line.split()[1:-1], "1", "--matches", "32", "--evaluate", "4", "--processes", "1"]
    done = subprocess.run([sys.executable, *short], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for line in others:
        words = line.replace("--games 200", "--games 5").split()[1:]
        ran = run_arena(*words, folder=tmp_path)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}\n{ran.stderr}"
    shown = run_arena("tournament", "standings", "cup", "--json", folder=tmp_path)
    assert sorted(bot.partition("@")[0] for bot in _bots(shown.stdout)) == ["greedy", "random", "trained"]


def _bots(text: str) -> list[str]:
    found: list[str] = []

    def search(value: object) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("bot"), str):
                found.append(value["bot"])
            for inner in value.values():
                search(inner)
        elif isinstance(value, list):
            for inner in value:
                search(inner)

    search(json.loads(text))
    return found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["halma", "x"], "invalid choice: 'halma'"),
        (["toy", "x", "--seats", "9"], "seats: 9 is not allowed for toy; expected 2 to 5"),
        (["toy", "x", "--processes", "0"], "expected 1 or more"),
        (["toy", "."], "DIR: . is not empty"),
        (["toy", "/dev/null/bot"], "DIR: cannot write /dev/null/bot: Not a directory"),
        (["toy", "x", "--library", "abacus"], "invalid choice: 'abacus'"),
        *[
            (["toy", "x", "--library", name], f"{name} is not installed")
            for name in LIBRARIES
            if name not in installed()
        ],
    ],
)
def test_wrong_arguments_end_with_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert said in capsys.readouterr().err


def test_the_player_takes_every_seat_in_turn() -> None:
    assert BatchPlayer("toy", 2).share_of_wins(lambda question: len(question.options) - 1, 10) <= 1.0
