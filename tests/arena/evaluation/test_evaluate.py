"""arena evaluate: stages, answers, exit codes, and a journal that survives a kill; real bots and real matches."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from arena.analysis.judge import judge
from arena.analysis.judgement import Worlds
from arena.bots.directory import read_bot
from arena.bots.rungs import read_ladder
from arena.evaluation.answer import as_lines, to_plain
from arena.evaluation.evaluating import STAGES, EvaluatedBot, Request, costliest, faults, score_interval, share_of
from arena.evaluation.journal import JOURNAL, BlockJournal
from arena.sandbox.levels import SandboxPolicy
from referee.games import GAMES
from referee.mistakes import UserError
from referee.order import TimeControl
from tests.journeys.commands import ROOT, run_arena

RANDOM = str(ROOT / "sample_bots/python")
TOY = ("--game", "toy", "--opponent", RANDOM, "--judge", "0", "--quiet")
LAST = "def choose(view, options):\n    return len(options) - 1\n"


def written(folder: Path, name: str, source: str) -> str:
    (folder / name).write_text(source)
    return str(folder / name)


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = run_arena("evaluate", *arguments, "--json")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    plain: dict[str, Any] = json.loads(done.stdout)
    return plain


def test_a_bot_that_cannot_load_fails_the_first_stage(tmp_path: Path) -> None:
    plain = answer(written(tmp_path, "broken.py", "def choose(view, options:\n"), *TOY, code=1)
    assert (plain["stage"], plain["score"], plain["games"]) == ("loads", None, 0)
    assert "line 1" in plain["details"][0]


def test_a_bot_that_breaks_the_protocol_plays_no_game_and_its_error_is_told(tmp_path: Path) -> None:
    source = "def choose(view, options):\n    raise RuntimeError('no idea \\x1b[2J what to do')\n"
    junit, markdown = tmp_path / "junit.xml", tmp_path / "summary.md"
    bot = written(tmp_path, "raising.py", source)
    plain = answer(bot, *TOY, "--junit", str(junit), "--markdown", str(markdown), code=1)
    assert (plain["stage"], plain["score"], plain["games"]) == ("conforms", None, 0)
    assert any("RuntimeError: no idea " in detail for detail in plain["details"]), plain["details"]
    assert "\x1b" not in json.dumps(plain, ensure_ascii=False)
    suite = ElementTree.parse(junit).getroot()
    assert [[part.tag for part in case] for case in suite.iter("testcase")] == [
        [],
        ["failure"],
        ["skipped"],
        ["skipped"],
    ]
    assert markdown.read_text().startswith("### arena evaluate: failed\n\n```text\n")


def test_a_killed_evaluation_is_resumed_with_the_same_answer(tmp_path: Path) -> None:
    """The journal of a whole one, cut in its second line as a kill may cut it, is completed to the same bytes."""
    bot, whole, cut = written(tmp_path, "last.py", LAST), tmp_path / "whole", tmp_path / "cut"
    first = answer(bot, *TOY, "--budget", "4", "--seed", "5", "--out", str(whole))
    assert (first["is_passed"], first["games"], first["forfeits"]) == (True, 4, 0)
    assert first["lower"] < first["score"] <= first["upper"]
    assert [Path(record).exists() for record in first["records"]] == [True] * 4
    shutil.copytree(whole, cut)
    lines = (whole / JOURNAL).read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    (cut / JOURNAL).write_bytes(lines[0] + lines[1] + lines[2][:40])
    second = answer(bot, *TOY, "--budget", "4", "--out", str(cut))
    assert json.dumps(second).replace(str(cut), str(whole)) == json.dumps(first)


def climbed(bot: str) -> EvaluatedBot:
    """An evaluation of which two blocks on a ladder are done: a recorded match, and three that were never played."""
    game, ladder = GAMES["norenberc"], read_ladder("norenberc")
    request = Request(game, read_bot(Path(bot)), ladder, (), 8, None, TimeControl(), SandboxPolicy.OFF, 1)
    journal = BlockJournal(None, request.header(7))
    whole = {"ending": "completed", "is_forfeit": False, "refusals": [], "printed": "", "seat": 0}
    played = [{"match": "a" * 32, "record": None, "places": [4, 1, 2, 3]} | whole]
    others = [
        {"match": "b" * 32, "record": None, "places": places} | whole for places in ([1, 2, 3, 4], [], [2, 1, 3, 4])
    ]
    others[0] |= {
        "is_forfeit": True,
        "ending": "forfeit_crash",
        "refusals": ["step 3: B4.1: no"],
        "printed": "oh\x1bno",
    }
    journal.add({"levels": [1, 2, 3], "games": played, "thinking_us": 1}, {})
    journal.add({"levels": [2, 3, 4], "games": others, "thinking_us": 1}, {})
    found = EvaluatedBot(request, journal, STAGES[3])
    found.details = list(faults(found))
    return found


def test_a_ladder_gives_a_rating_a_rung_and_costly_decisions(tmp_path: Path) -> None:
    found = climbed(written(tmp_path, "last.py", LAST))
    plain = to_plain(found)
    assert plain["score"] == round(found.climb.rating)
    assert plain["upper"] - plain["lower"] > 2 * found.climb.error, "at any look it is wider than at one"
    assert (plain["level"], plain["games"], plain["forfeits"], plain["void_matches"]) == (found.climb.level, 3, 1, 1)
    assert plain["details"] == ["match bbbbbbbbbbbb: forfeit_crash; step 3: B4.1: no; it printed: oh�no"]
    said = "\n".join(as_lines(plain))
    assert "Elo above random play, after 3 games" in said
    assert len(said.splitlines()) < 24, "more than a screen"


def test_the_costliest_decisions_of_the_worst_game_are_told_in_words(tmp_path: Path) -> None:
    found = climbed(written(tmp_path, "last.py", LAST))
    found.request = replace(found.request, game=GAMES["toy"])
    text = (ROOT / "tests/golden/toy.jsonl").read_text()
    game = found.journal.lines[0]["games"][0] | {"record": "golden"}
    found.journal.add({"levels": [1, 2, 3], "games": [game], "thinking_us": 1}, {"golden": text})
    blunders = judge(text, Worlds.KNEW, 1, [0]).blunders(0)[:3]
    decisions = list(costliest(found))
    assert [(each["step"], each["chosen"], each["better"]) for each in decisions] == [
        (blunder.step, blunder.chosen, blunder.better) for blunder in blunders
    ]
    made = {"match": "a" * 32, "step": 5, "kind": "ACT", "clause": "B5.4", "cost": 11.0, "error": 5.0}
    found.decisions = [made | {"chosen": "Sell two goods.", "better": "Do nothing."}]
    said = "\n".join(as_lines(to_plain(found)))
    assert "ACT (B5.4), step 5 of match aaaaaaaaaaaa: 11 ± 5 of 100 points\n    chose  Sell two goods." in said


@pytest.mark.long
def test_a_ladder_is_played(tmp_path: Path) -> None:
    bot = written(tmp_path, "last.py", LAST)
    command = (bot, "--game", "norenberc", "--budget", "4", "--min-level", "9", "--judge", "0", "--quiet")
    plain = answer(*command, code=1)
    assert (plain["stage"], plain["games"], plain["opponents"]) == ("budget", 4, ["ladder"])
    assert plain["failure"].endswith("expected 9")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nothing.py", "--game", "toy"), "BOT: nothing.py is no bot"),
        ((RANDOM, "--game", "chess960"), "chess960"),
        ((RANDOM, "--game", "norenberc", "--budget", "-1"), "--budget: '-1' is not allowed"),
        ((RANDOM, "--game", "norenberc", "--budget", "3"), "--budget: a block has 4 games"),
        ((RANDOM, "--game", "norenberc", "--opponent", RANDOM, "--min-level", "2"), "--min-level: needs the ladder"),
        ((RANDOM, "--game", "toy"), "toy"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = run_arena("evaluate", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_foreign_file_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("[1]\n")
    with pytest.raises(UserError, match="is no journal of an evaluation"):
        BlockJournal(tmp_path, {"bot": "a", "game": "toy", "opponents": [], "time_control": {}, "seed": 1})


def test_a_journal_of_another_bot_is_not_continued(tmp_path: Path) -> None:
    header = {"bot": "a", "game": "toy", "opponents": [], "time_control": {}, "seed": 1}
    BlockJournal(tmp_path, header)
    assert BlockJournal(tmp_path, header | {"seed": 2}).header == header, "its own seed is kept"
    with pytest.raises(UserError, match="is of another bot, game or setting"):
        BlockJournal(tmp_path, header | {"bot": "b"})


def test_shares_and_their_interval() -> None:
    assert share_of([1, 2, 3]) == 1
    assert share_of([2, 2, 1, 3]) == Fraction(1, 2)
    assert score_interval([]) == (0.0, 1.0)
    lower, upper = score_interval([Fraction(1)] * 60)
    assert lower > 0.75
    assert upper == 1.0
    wide, narrow = score_interval([Fraction(1, 2)] * 10), score_interval([Fraction(1, 2)] * 1_000)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
