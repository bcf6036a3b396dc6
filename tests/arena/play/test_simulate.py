"""arena simulate: policies play as bots do over the wire, in as many processes as one likes."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pandas
import pytest
from click.testing import CliRunner

from arena.bots.policies import find_policy, load_policy
from arena.cli import arena
from referee.mistakes import UserError
from referee.record import read, replay
from tests.journeys.commands import run_arena

SAMPLES = Path(__file__).parents[3] / "sample_bots"
RANDOM_POLICY = '"""The starter bot without a wire."""\nfrom referee.policy import at_random as choose\n'


def simulated(*words: str) -> str:
    done = CliRunner().invoke(arena, ["simulate", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def refusal(*words: str) -> str:
    with pytest.raises(UserError) as caught:
        CliRunner().invoke(arena, ["simulate", *words], catch_exceptions=False, standalone_mode=False)
    return str(caught.value)


def test_deterministic_bots_do_over_the_wire_what_they_do_in_process(tmp_path: Path) -> None:
    """Real bots in real processes, greedy, searching and the starter, against the same ones without a wire."""
    bots = []
    for name in ("greedy", "search", "python"):
        shutil.copytree(SAMPLES / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        bots += ["--bot", str(tmp_path / name)]
    manifest = tmp_path / "search" / "bot.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"32"', '"2"'), encoding="utf-8")
    (tmp_path / "python" / "policy.py").write_text(RANDOM_POLICY, encoding="utf-8")
    common = ["norenberc", *bots, "--seed", "6", "--rotate"]
    played = run_arena("play", *common, "--matches", "2", "--records", str(tmp_path / "records"), "--json")
    assert played.returncode == 0, played.stderr
    wire = json.loads(played.stdout)["matches"]
    lines = [json.loads(line) for line in simulated(*common, "--games", "2", "--out", "-").splitlines()]
    for over_the_wire, in_process, file in zip(wire, lines, sorted((tmp_path / "records").iterdir()), strict=True):
        for key in ("match_id", "seed", "bots", "scores", "decisions", "asked", "reason"):
            assert in_process[key] == over_the_wire[key], key
        assert in_process["places"] == over_the_wire["ranks"]
        record = read(file.read_text(encoding="ascii"))
        *_, (_step, state, _events) = replay(record)
        assert in_process["digest"] == record.game.digest(state)


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    def results(processes: int) -> tuple[bytes, str]:
        out = tmp_path / f"{processes}.jsonl"
        words = ["toy", *["--bot", "random"] * 3, "--games", "25", "--seed", "9", "--rotate", "--out", str(out)]
        return out.read_bytes() if out.exists() else b"", simulated(*words, "--json", "--processes", str(processes))

    one, two = results(1)[1], results(2)[1]
    assert one == two
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert json.loads(one)["matches"] == 25
    assert sum(bot["wins"] for bot in json.loads(one)["bots"]) >= 25


def test_a_draw_of_two_is_no_win_of_both() -> None:
    words = ["toy", "--bot", "random", "--bot", "random", "--games", "40", "--seed", "3", "--option", "rounds=2"]
    places = [json.loads(line)["places"] for line in simulated(*words, "--out", "-").splitlines()]
    ones, twos, draws = places.count([1, 2]), places.count([2, 1]), places.count([1, 1])
    assert draws > 0
    bots = json.loads(simulated(*words, "--json"))["bots"]
    assert [(bot["wins"], bot["draws"]) for bot in bots] == [(ones, draws), (twos, draws)]
    table = simulated(*words)
    assert re.search(r"seat +bot +wins +draws +losses +mean place", table), table
    assert re.search(rf"0 +random +{ones} +{draws} +{twos} ", table), table


def test_a_seed_means_the_same_matches_and_another_seed_others() -> None:
    words = ["toy", "--bot", "random", "--bot", "random", "--games", "5", "--out", "-"]
    assert simulated(*words, "--seed", "1") == simulated(*words, "--seed", "1")
    assert simulated(*words, "--seed", "1") != simulated(*words, "--seed", "2")


def test_results_are_written_as_lines_and_as_tables(tmp_path: Path) -> None:
    words = ["toy", "--bot", "random", "--bot", "random", "--games", "6", "--seed", "4", "--out"]
    for suffix in ("jsonl", "csv", "parquet"):
        assert f"Every match is in {tmp_path}/results.{suffix}." in simulated(*words, f"{tmp_path}/results.{suffix}")
    matches = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    table = pandas.read_parquet(tmp_path / "results.parquet")
    assert len(matches) == 6
    assert len(rows) == len(table) == 12
    assert [int(row["score"]) for row in rows] == [score for match in matches for score in match["scores"]]
    assert table["place"].tolist() == [place for match in matches for place in match["places"]]
    assert table.columns.tolist() == list(rows[0])


def test_a_policy_is_a_function_of_a_module_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "helping.py").write_text("def last(question):\n    return len(question.options) - 1\n", "utf-8")
    (tmp_path / "mine.py").write_text("from helping import last\n\n\ndef choose(question):\n    return 0\n", "utf-8")
    words = ["toy", "--games", "3", "--seed", "4", "--out", "-"]
    first = simulated(*words, "--bot", f"{tmp_path}/mine.py", "--bot", "referee.policy:at_random")
    other = simulated(*words, "--bot", f"{tmp_path}/mine.py:last", "--bot", "referee.policy:at_random")
    assert [json.loads(line)["bots"][1] for line in first.splitlines()] == ["referee.policy:at_random"] * 3
    assert [json.loads(line)["scores"] for line in first.splitlines()] != [
        json.loads(line)["scores"] for line in other.splitlines()
    ]


def test_two_bots_may_have_files_of_the_same_name(tmp_path: Path) -> None:
    for name, answer in (("one", 1), ("two", 2)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "mind.py").write_text(f"ANSWER = {answer}\n", "utf-8")
        (folder / "policy.py").write_text("import mind\n\n\ndef choose(question):\n    return mind.ANSWER\n", "utf-8")
    answers = [load_policy(find_policy(f"{tmp_path}/{name}/policy.py"))(None) for name in ("one", "two")]  # type: ignore[arg-type]  # it does not look
    assert answers == [1, 2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["halma", "--bot", "random"], "game: 'halma' is unknown"),
        (["toy", "--bot", "random"], "seats: 1 is not allowed for toy"),
        (["toy", "--bot", "random", "--bot", "nobody"], "bot: 'nobody' is unknown; expected random, a sample bot"),
        (["toy", "--bot", "random", "--bot", "gone.py"], "bot: gone.py does not exist"),
        (["toy", "--bot", "random", "--bot", "json:nothing"], "bot: json:nothing: json has no function nothing"),
        (["toy", "--bot", "random", "--bot", "no.such:thing"], "cannot be loaded: ModuleNotFoundError"),
        (["toy", "--bot", "random", "--bot", str(SAMPLES / "python")], "has a bot.toml but no policy.py"),
        (["toy", "--bot", "random", "--bot", "random", "--out", "x.xlsx"], "--out: 'x.xlsx' is not allowed"),
        (["toy", "--bot", "random", "--bot", "random", "--out", "/no/where.csv"], "--out: cannot write /no/where.csv"),
        (
            ["toy", "--bot", "random", "--bot", "random", "--option", "rounds=77"],
            "rounds: 77 is not allowed",
        ),
    ],
)
def test_wrong_input_is_refused_in_one_line(words: list[str], said: str) -> None:
    assert said in refusal(*words)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_policy_that_fails_is_named_with_the_match(tmp_path: Path, processes: str) -> None:
    (tmp_path / "bad.py").write_text("def choose(question):\n    return 99\n", "utf-8")
    words = ["toy", "--bot", "random", "--bot", f"{tmp_path}/bad.py", "--games", "4", "--seed", "1"]
    said = refusal(*words, "--processes", processes)
    assert "bad.py: match " in said
    assert "seat 1, BID: it answered 99; expected 0 to" in said
