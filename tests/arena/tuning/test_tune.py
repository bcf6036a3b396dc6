"""arena tune: the same weights from the same seed, in any process, and however often it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import arena
from arena.tuning.constants import Constants
from arena.tuning.contest import Bout, Contest, ContestPlayer, opponent_of, seatings
from referee.games import BUILT_IN, GAMES
from referee.heuristic import Weight, read_weights, values_of
from referee.mistakes import UserError
from tests.patience import patience

QUICK = (
    "--generations", "3", "--population", "4", "--opponent", "heuristic=2", "--opponent", "champion=1",
    "--max-blocks", "40", "--seed", "7",
)  # fmt: skip


def tuned(*words: str) -> Any:
    return CliRunner().invoke(arena, ["tune", *words], catch_exceptions=False, standalone_mode=False)


def refusal(*words: str) -> str:
    with pytest.raises(UserError) as caught:
        CliRunner().invoke(arena, ["tune", *words], catch_exceptions=False, standalone_mode=False)
    return str(caught.value)


def test_a_plug_in_is_tuned_by_naming_its_weights_alone(tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    done = tuned("toy", *QUICK, "--seats", "2", "--seats", "3", "--out", str(out), "--json")
    said, file = json.loads(done.stdout), json.loads(out.read_text())
    assert done.return_value == (0 if file["seats"] else 1)
    assert {each["seats"] for each in said["seats"]} == {2, 3}
    assert {*file["seats"], *file["refused"]} == {"2", "3"}
    assert file["game"] == "toy"
    assert "--seed 7" in file["command"]
    assert file["terms"]["start"]["2"] == {"average_prize": 5.5, "hand": 0.1}
    for entry in file["seats"].values():
        assert entry["verdict"] == "better"
    for entry in file["refused"].values():
        assert entry["verdict"] != "better"


def test_weights_that_are_not_found_better_are_not_taken_over(tmp_path: Path) -> None:
    """Two blocks decide nothing."""
    out = tmp_path / "weights.json"
    done = tuned("toy", *QUICK, "--max-blocks", "2", "--seats", "2", "--out", str(out))
    assert done.return_value == 1
    assert read_weights(out.read_text()) == {}
    assert json.loads(out.read_text())["refused"]["2"]["verdict"] == "inconclusive"


def test_tuned_weights_are_kept_while_nothing_better_is_found(tmp_path: Path) -> None:
    """The weights in force of Norenberc; two blocks decide nothing."""
    out, words = tmp_path / "weights.json", ["--seats", "2", "--max-blocks", "2"]
    tuned("norenberc", *QUICK, *words, "--out", str(out))
    in_force = GAMES["norenberc"].tuned_heuristic(2)
    assert in_force is not None
    assert read_weights(out.read_text()) == {2: values_of(in_force)}
    said = json.loads(out.read_text())
    assert (said["seats"]["2"]["verdict"], said["refused"]["2"]["verdict"]) == ("kept", "inconclusive")


def test_a_hidden_better_value_is_found_and_confirmed(tmp_path: Path) -> None:
    """A toy that starts with a blunder, bidding high for nearly every prize or none, is cured of it."""
    start = tmp_path / "start.json"
    out = tmp_path / "weights.json"
    start.write_text(json.dumps({"game": "toy", "seats": {"2": {"weights": {"average_prize": 9.9}}}}))
    words = ["--seats", "2", "--start", str(start), "--generations", "12", "--population", "6", "--seed", "3"]
    played = tuned("toy", *words, "--opponent", "heuristic=20", "--max-blocks", "30", "--out", str(out), "--json")
    (found,) = json.loads(played.stdout)["seats"]
    assert found["weights"]["average_prize"] < 9


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    files = []
    for processes in (1, 2):
        out = tmp_path / f"{processes}.json"
        tuned("norenberc", *QUICK, "--seats", "3", "--processes", str(processes), "--out", str(out))
        files.append(out.read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize("kept", range(1, 8))
def test_a_tuning_resumed_after_any_line_ends_with_the_same_bytes(tmp_path: Path, kept: int) -> None:
    out = tmp_path / "weights.json"
    journal = tmp_path / "weights.json.journal"
    words = ["toy", *QUICK, "--seats", "2", "--out", str(out)]
    tuned(*words)
    whole, lines = out.read_bytes(), journal.read_text().splitlines(keepends=True)
    torn = lines[kept][: len(lines[kept]) // 2] if kept < len(lines) else ""
    out.unlink()
    journal.write_text("".join(lines[:kept]) + torn)
    tuned(*words)
    assert out.read_bytes() == whole
    without_cpu = [{**json.loads(line), "cpu": 0} for line in lines]
    assert [{**json.loads(line), "cpu": 0} for line in journal.read_text().splitlines()] == without_cpu


def test_a_tuning_killed_while_it_plays_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """A real process, killed as soon as it has kept a generation, and the same command again."""
    words = [str(Path(sys.executable).parent / "arena"), "tune", "norenberc", *QUICK, "--seats", "2", "--quiet"]
    whole = tmp_path / "whole.json"
    subprocess.run([*words, "--out", str(whole)], check=False, timeout=patience(60))
    killed = tmp_path / "killed.json"
    journal = tmp_path / "killed.json.journal"
    with subprocess.Popen([*words, "--out", str(killed)]) as process:
        end = time.monotonic() + patience(60)
        while time.monotonic() < end and process.poll() is None:
            if journal.exists() and journal.read_bytes().count(b"\n") > 1:
                os.kill(process.pid, signal.SIGKILL)
                break
    subprocess.run([*words, "--out", str(killed)], check=False, timeout=patience(60))
    assert killed.read_bytes() == whole.read_bytes()


def test_a_drawn_seed_is_found_again_in_the_journal(tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    words = ["toy", *QUICK[:-2], "--seats", "2", "--out", str(out), "--json"]
    first = json.loads(tuned(*words).stdout)
    assert {**json.loads(tuned(*words).stdout), "cpu_seconds": 0} == {**first, "cpu_seconds": 0}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["checkers"], "checkers"),
        (["toy", "--seats", "9"], "9"),
        (["toy", "--opponent", "heuristic"], "--opponent: 'heuristic': expected NAME=BLOCKS, such as heuristic=4"),
        (["toy", "--opponent", "search:nodes=0=1"], "'search:nodes=0': expected a number of nodes"),
        (["toy", "--opponent", "nobody=1"], "bot: 'nobody' is unknown"),
        (["toy", "--alpha", "x"], "--alpha: "),
        (["toy", "--start", "missing.json"], "missing.json: No such file or directory; expected a file of weights"),
    ],
)
def test_a_wrong_request_is_refused_in_one_line(words: list[str], said: str, tmp_path: Path) -> None:
    found = refusal(*words, "--out", str(tmp_path / "weights.json"))
    assert said in found
    assert "\n" not in found
    assert list(tmp_path.iterdir()) == []


def test_a_journal_of_another_tuning_is_not_gone_on_with(tmp_path: Path) -> None:
    out = str(tmp_path / "weights.json")
    tuned("toy", *QUICK, "--seats", "2", "--out", out)
    said = refusal("toy", *QUICK, "--seats", "3", "--out", out)
    assert "belongs to a tuning with another seats" in said
    Path(f"{out}.journal").write_text("[]\n")
    assert "not the journal of a tuning" in refusal("toy", *QUICK, "--seats", "2", "--out", out)


@pytest.mark.parametrize("seats", range(2, 6))
def test_every_seat_is_ours_as_often_as_every_other(seats: int) -> None:
    """A block is fair: by rotation each seat is ours equally often, and no match is played twice."""
    found = seatings(seats)
    assert len({*found}) == len(found)
    assert len({sum(each) for each in zip(*found, strict=True)}) == 1
    assert all(1 <= sum(each) <= seats // 2 for each in found)


@pytest.mark.parametrize("slug", [*BUILT_IN, "toy"])
def test_equal_weights_share_the_wins_evenly(slug: str) -> None:
    """Against itself a candidate wins half of the pairs, exactly where a block has as many seats of both."""
    heuristic = GAMES[slug].heuristic()
    assert heuristic is not None
    room = ContestPlayer(Contest(slug, {}))
    values = values_of(heuristic)
    for seats in GAMES[slug].table_sizes:
        score = room.score(Bout(seats, values, "champion", values, (1, 2)))
        if seats % 2 == 0:
            assert (score.share, round(score.leads, 12)) == (0.5, 0.5)


def test_search_is_an_opponent_with_a_budget(tmp_path: Path) -> None:
    contest = Contest("toy", {}, {"search:nodes=2": opponent_of("search:nodes=2")})
    score = ContestPlayer(contest).score(Bout(2, {"average_prize": 5.5}, "search:nodes=2", {}, (1,)))
    assert 0 <= score.share <= 1


def test_constants_are_moved_by_factors_or_by_steps_and_stay_in_their_ranges() -> None:
    constants = Constants({"factor": Weight(2.0, 0.5, 8.0), "step": Weight(0.0, -1.0, 3.0)})
    assert constants.values(constants.point({})) == {"factor": 2.0, "step": 0.0}
    for values in ({"factor": 0.5, "step": -1.0}, {"factor": 8.0, "step": 3.0}, {"factor": 3.3, "step": 1.7}):
        assert constants.values(constants.point(values)) == pytest.approx(values)
    assert constants.values([99.0, 99.0]) == {"factor": 8.0, "step": 3.0}
    lowest, highest = constants.bounds()
    assert constants.values(lowest) == {"factor": 0.5, "step": -1.0}
    assert constants.values(highest) == {"factor": 8.0, "step": 3.0}
