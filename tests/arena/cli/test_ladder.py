"""arena ladder: rungs are shown and measured, and the ledger that is shipped proves their order."""

from __future__ import annotations

import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.bots.rungs import FOLDER, read_ladder
from arena.ladder.calibration import LEDGER_ENDING, ledger_lines
from ratings.ledger import derived_tables
from ratings.ledger.chain import Kind, entries, import_lines
from referee.games import BUILT_IN
from tests.arena.command_line import CommandLine

TWO = 'seats = 2\nbudget = {budget}\n\n[[rung]]\nbot = "python"\n\n[[rung]]\nbot = "greedy"\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def two_rungs(folder: Path, budget: int = 1_000) -> Path:
    (folder / "into").mkdir()
    (folder / "into" / "norenberc.toml").write_text(TWO.format(budget=budget), encoding="utf-8")
    return folder / "into"


def read_entries(file: Path) -> dict[Kind, list[Any]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection, ledger_lines(file) as lines:
        derived_tables.create_tables(connection)
        import_lines(connection, lines)
        return {kind: [entry.body for entry in entries(connection, kind)] for kind in Kind}


def test_rungs_are_shown_with_settings_ratings_and_claims(command_line: CommandLine) -> None:
    shown = command_line("ladder", "show", "norenberc", "--json").data
    assert shown["rungs"][0]["name"] == "random"
    assert shown["rungs"][0]["rating"] == 0
    assert [rung["level"] for rung in shown["rungs"]] == list(range(1, len(shown["rungs"]) + 1))
    assert [claim["above"] for claim in shown["claims"]] == list(range(2, len(shown["rungs"]) + 1))
    text = command_line("ladder", "show", "norenberc").out
    for rung in shown["rungs"]:
        assert rung["name"] in text
        assert rung["version"][:12] in text
    assert f"arena ledger verify --entries {shown['ledger']}" in text
    assert {ladder["game"] for ladder in command_line("ladder", "show", "--json").data} == set(BUILT_IN)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ladder", "show", "tic-tac"), "unknown"),
        (("ladder", "calibrate", "norenberc", "--folder", "nowhere"), "nowhere"),
        (("ladder", "calibrate", "norenberc", "--in-process", "--cluster", "tcp://127.0.0.1:1"), "--cluster"),
        (("play", "norenberc", "--level", "11", "--level", "1"), "11"),
        (("play", "norenberc", "--bot", "level:x", "--level", "1"), "level:x: is not a level"),
        (("test", "level:2", "--level", "1"), "the game is missing"),
        (("test", "level:2", "--level", "1", "--against", "level:1", "--game", "norenberc"), "--against"),
        (("test", "level:2", "--level", "1", "--game", "tic-tac"), "unknown"),
        (("test", "level:2", "--level", "1", "--game", "norenberc", "--in-process"), "--keep-processes"),
        (("check-bot",), "DIR"),
        (("check-bot", "level:2"), "the game is missing"),
        (("simulate", "norenberc"), "--level"),
    ],
)
def test_a_mistake_about_levels_is_one_line(command_line: CommandLine, words: tuple[str, ...], said: str) -> None:
    outcome = command_line(*words)
    assert outcome.code == 2
    assert said in outcome.err
    assert "Traceback" not in outcome.err


def test_levels_play_are_tested_and_simulated(command_line: CommandLine) -> None:
    """The rungs take the seats after the bots; the same match comes out by name and by option."""
    names = [rung.name for rung in read_ladder("norenberc").rungs]
    played = command_line("play", "norenberc", "--bot", "level:3", "--level", "1", "--seed", "5", "--json")
    assert played.code == 0
    (match,) = played.data["matches"]
    assert [label.partition("@")[0] for label in match["bots"]] == [names[2], names[0]]
    simulated = command_line(
        "simulate", "norenberc", "--bot", "level:3", "--level", "1", "--seed", "5", "--games", "1", "--json"
    )
    assert [bot["wins"] for bot in simulated.data["bots"]] == [int(place == 1) for place in match["ranks"]]
    tested = command_line(
        "test", "level:4", "--level", "1", "--game", "norenberc", "--seats", "2", "--elo1", "100", "--max-blocks", "40",
        "--seed", "7", "--keep-processes", "--json",
    )  # fmt: skip
    assert tested.code == 0
    assert tested.data["verdict"] == "better"


def test_a_test_in_process_plays_the_same_games(command_line: CommandLine) -> None:
    words = (
        "test", "level:4", "--level", "1", "--game", "norenberc", "--seats", "2", "--max-blocks", "2", "--seed", "7",
        "--keep-processes", "--referees", "1",
    )  # fmt: skip
    outcomes = [command_line(*words, "--db", "one.db"), command_line(*words, "--in-process", "--db", "two.db")]
    assert [outcome.code for outcome in outcomes] == [3, 3]
    assert outcomes[0].out == outcomes[1].out
    heads = [command_line("ledger", "verify", "--db", db, "--json").data["head"] for db in ("one.db", "two.db")]
    assert heads[0] == heads[1]


def test_a_ladder_is_measured_the_same_way_in_process_and_its_ledger_verifies(
    command_line: CommandLine, tmp_path: Path
) -> None:
    into = two_rungs(tmp_path)
    first = command_line("ladder", "calibrate", "norenberc", "--folder", str(into), "--db", "one.db", "--json")
    assert first.code == 0, first.err
    assert [claim["word"] for claim in first.data["claims"]] == [">"]
    written = {file.name: file.read_bytes() for file in into.iterdir()}
    assert json.loads(written["norenberc.json"]) == first.data
    for file in ("norenberc.json", f"norenberc{LEDGER_ENDING}"):
        (into / file).unlink()
    again = command_line(
        "ladder", "calibrate", "norenberc", "--folder", str(into), "--db", "two.db", "--in-process", "--json"
    )
    assert again.data == first.data
    assert {file.name: file.read_bytes() for file in into.iterdir()} == written

    ledger = into / f"norenberc{LEDGER_ENDING}"
    verified = command_line("ledger", "verify", "--entries", str(ledger), "--head", first.data["head"], "--json")
    assert verified.code == 0
    assert verified.data["is_clean"]
    assert verified.data["head"] == first.data["head"]
    lines = lzma.decompress(ledger.read_bytes()).decode().splitlines(keepends=True)
    for forged in (lines[:-1], [*lines[:9], *lines[10:]], [*lines, "[]\n"], ["not JSON\n"]):
        (tmp_path / "forged.jsonl").write_text("".join(forged), encoding="utf-8")
        outcome = command_line("ledger", "verify", "--entries", "forged.jsonl", "--head", first.data["head"])
        assert outcome.code in (1, 2)
        assert "Traceback" not in outcome.err
    (tmp_path / "forged.xz").write_bytes(ledger.read_bytes()[:-40])
    assert command_line("ledger", "verify", "--entries", "forged.xz").code == 2
    assert command_line("ledger", "verify", "--entries", str(ledger), "--replay").code == 2


def test_a_calibration_without_a_decision_says_so(command_line: CommandLine, tmp_path: Path) -> None:
    outcome = command_line("ladder", "calibrate", "norenberc", "--folder", str(two_rungs(tmp_path, budget=8)))
    assert outcome.code == 1
    assert "not claimed to be better than the one below: level 2" in outcome.out
    assert read_ladder("norenberc", tmp_path / "into").claims[0].word == "?"


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_shipped_ledger_claims_every_neighbour_and_verifies(command_line: CommandLine, game: str) -> None:
    ladder = read_ladder(game)
    if not ladder.head:
        pytest.skip("not measured yet")
    file = FOLDER / f"{game}{LEDGER_ENDING}"
    verified = command_line("ledger", "verify", "--entries", str(file), "--json").data
    assert verified["is_clean"]
    assert verified["head"] == ladder.head
    found = read_entries(file)
    versions = {body["bot"]: body["version"] for body in found[Kind.BOT]}
    levels = {rung.measured.version: rung.level for rung in ladder.rungs if rung.measured is not None}
    claimed = {
        (levels[versions[body["first"]]], levels[versions[body["second"]]])
        for body in found[Kind.CLAIM]
        if body["word"] == ">"
    }
    assert {(level + 1, level) for level in range(1, len(ladder.rungs))} <= claimed
    assert [claim.word for claim in ladder.claims] == [">"] * (len(ladder.rungs) - 1)
    assert len(found[Kind.MATCH]) == ladder.matches
    assert list(ladder.ratings) == sorted(ladder.ratings)


def test_a_bot_climbs_to_the_same_rung_by_processes_and_in_process(command_line: CommandLine, tmp_path: Path) -> None:
    """The same seed plays the same games either way, and a rung comes out near its own rating."""
    folder = two_rungs(tmp_path)
    shipped = {rung.name: rung.measured for rung in read_ladder("norenberc").rungs}
    found = [{"name": name, **shipped[name]._asdict()} for name in ("random", "greedy")]  # type: ignore[union-attr]
    text = json.dumps({"rungs": found, "claims": [], "head": "", "matches": 0})
    (folder / "norenberc.json").write_text(text, encoding="utf-8")
    words = ("ladder", "climb", "level:2", "--game", "norenberc", "--folder", str(folder), "--seed", "4", "--json")
    short = ("--max-games", "4")
    by_processes = command_line(*words, *short).data
    assert by_processes == command_line(*words, *short, "--in-process").data
    assert not by_processes["is_precise"]
    assert by_processes["games"] == 4
    climbed = command_line(*words, "--precision", "60", "--in-process").data
    second = shipped[read_ladder("norenberc").rungs[1].name]
    assert second is not None
    assert climbed["is_precise"]
    assert abs(climbed["rating"] - second.rating) <= 60 + second.error
    told = command_line(*words[:-1], *short, "--in-process").out
    assert "Elo above random play, after 4 games" in told
    assert "raise --max-games" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("greedy", "--game", "tic-tac"), "unknown"),
        (("nowhere", "--game", "norenberc"), "not a bot directory"),
        (("nowhere", "--game", "norenberc", "--in-process"), "unknown"),
        (("level:1", "--game", "norenberc", "--in-process", "--time", "bank_ms=5"), "--time"),
        (("level:1", "--game", "norenberc", "--precision", "1"), "precision"),
    ],
)
def test_a_wrong_climb_is_one_line(command_line: CommandLine, words: tuple[str, ...], said: str) -> None:
    outcome = command_line("ladder", "climb", *words)
    assert outcome.code == 2
    assert said in outcome.err
    assert "Traceback" not in outcome.err
