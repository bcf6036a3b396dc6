"""The conformance suite: right bots pass it, and a bot with one fault fails the step that asks for it and no other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.cli.check_bot import chosen_games
from arena.conformance.board import boards_of_every_kind
from arena.conformance.check import check
from arena.conformance.report import Report, StepResult, StepVerdict
from arena.conformance.steps import CONTROL
from arena.sandbox.levels import SandboxPolicy
from referee.games import GAMES
from tests.journeys.commands import run_arena

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BROKEN_BOT = HERE / "broken_bots" / "broken_bot.py"
PATIENCE = 3.0  # seconds; only bots that do not answer wait so long

# the fault, the step it breaks, and what the suite shows of it: what came back, what was expected
FAULTS = [
    ("exits_at_once", "hello", "exit code 1", "a first frame with one hello"),
    ("says_no_hello", "hello", "answer", "a first frame with one hello"),
    ("wrong_ticket", "hello", "another ticket", "the ticket of ARENA_TICKET"),
    ("wrong_version", "hello", "protocol_version: 2", "protocol_version: 1"),
    ("says_hello_twice", "hello", "hello", "nothing: no question is open"),
    ("tires", "match:furstenfeld", "option_index: 1", "option_index 1"),
    ("cannot_scrap", "kinds:furstenfeld", "exit code 3", "an answer"),
    ("exits_when_refused", "refusal", "exit code 1", "an answer"),
    ("knows_one_match", "interleaved", "check-interleaved-2", "match_id and prompt_id of an open question"),
    ("reads_only_the_last_prompt", "batched", "nothing within 3 s", "an answer"),
    ("sulks_when_late", "late", "nothing within 3 s", "an answer to this prompt"),
    ("hangs_when_cut", "reconnect", "nothing", "the end of the process, or a new hello, within 5 s"),
    ("redials_without_pause", "reconnect", "more than 20 connections", "a pause between attempts"),
    ("lingers", "goodbye", "the process runs on", "the process exits on its own within 2 s"),
    ("ignores_sigterm", "shutdown", "the process runs on until it is killed", "the process ends within a second"),
]


@pytest.fixture
def make_broken(tmp_path: Path) -> Callable[[str], BotDirectory]:
    def make(fault: str) -> BotDirectory:
        folder = tmp_path / "bot"
        folder.mkdir(mode=0o755)
        shutil.copy(BROKEN_BOT, folder / "bot.py")
        (folder / "bot.toml").write_text(
            f'name = "{fault}"\ncommand = ["python3", "bot.py", "{fault}"]\nconcurrency = 8\n'
        )
        return read_bot(folder)

    return make


def checked(bot: BotDirectory, game: str, patience: float = PATIENCE) -> Report:
    told: list[StepVerdict] = []
    report = trio.run(check, bot, [GAMES[game]], patience, SandboxPolicy.OFF, told.append)
    assert told == report.verdicts
    return report


@pytest.mark.parametrize(("fault", "step", "came_back", "expected"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_broken_bot_fails_exactly_the_step_that_it_breaks(
    fault: str, step: str, came_back: str, expected: str, make_broken: Callable[[str], BotDirectory]
) -> None:
    report = checked(make_broken(fault), "furstenfeld")
    failed = [verdict for verdict in report.verdicts if verdict.result is StepResult.FAILED]
    assert [verdict.step for verdict in failed] == [step]
    assert came_back in failed[0].came_back
    assert expected in failed[0].expected
    assert failed[0].sent
    assert not report.has_passed


def test_a_bot_that_only_plays_differently_every_time_passes(make_broken: Callable[[str], BotDirectory]) -> None:
    report = checked(make_broken("moody"), "furstenfeld")
    assert report.has_passed
    assert verdict_of(report, "reproducible").detail == "no: it plays differently in furstenfeld"


def test_a_bot_that_declares_itself_deterministic_must_be(make_broken: Callable[[str], BotDirectory]) -> None:
    bot = make_broken("moody")
    with (bot.path / "bot.toml").open("a") as manifest:
        manifest.write("deterministic = true\n")
    report = checked(read_bot(bot.path), "furstenfeld")
    failed = [verdict for verdict in report.verdicts if verdict.result is StepResult.FAILED]
    assert [verdict.step for verdict in failed] == ["reproducible"]
    assert failed[0].came_back == "other answers in furstenfeld"
    assert "bot.toml says deterministic = true" in failed[0].expected
    assert not report.has_passed


def test_a_bot_that_comes_back_after_a_pause_passes(make_broken: Callable[[str], BotDirectory]) -> None:
    report = checked(make_broken("redials"), "toy")
    assert [verdict for verdict in report.verdicts if verdict.result is StepResult.FAILED] == []
    assert verdict_of(report, "reconnect").detail == "it comes back and plays on"


def test_what_a_failing_bot_printed_is_shown(make_broken: Callable[[str], BotDirectory]) -> None:
    assert verdict_of(checked(make_broken("exits_at_once"), "toy"), "hello").printed == "no dice to play with"


def test_a_bot_of_one_match_at_a_time_is_not_asked_for_more(make_broken: Callable[[str], BotDirectory]) -> None:
    bot = make_broken("none")
    (bot.path / "bot.toml").write_text('name = "one"\ncommand = ["python3", "bot.py", "none"]\n')
    report = checked(read_bot(bot.path), "toy")
    assert report.has_passed
    assert verdict_of(report, "interleaved").result is StepResult.NOT_ASKED
    assert verdict_of(report, "batched").result is StepResult.PASSED


def test_a_bot_that_cannot_be_started_is_told_why(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.toml").write_text('name = "unbuilt"\ncommand = ["./build/bot"]\nbuild = ["make"]\n')
    failed = verdict_of(checked(read_bot(tmp_path), "toy"), "hello")
    assert failed.result is StepResult.FAILED
    assert "was it built?" in failed.expected


def verdict_of(report: Report, step: str) -> StepVerdict:
    return next(verdict for verdict in report.verdicts if verdict.step == step)


def test_every_kind_in_the_rule_pages_is_asked() -> None:
    """The suite finds, for every game, a question of each kind in the table of decision points of its rule page."""
    for game in GAMES.values():
        page = ROOT / "docs" / "rules" / f"{game.slug}.md"
        if page.is_file():
            asked = {board.asked.kind for board in boards_of_every_kind(game, CONTROL) if board.asked}
            assert asked == kinds_of_the_page(page.read_text(encoding="utf-8")), game.slug


def kinds_of_the_page(text: str) -> set[str]:
    """Return the first words of the table rows in the chapter on decision points."""
    chapter = text.partition("Decision points\n")[2].partition("\n## ")[0]
    rows = [line for line in chapter.splitlines() if line.startswith("|")]
    names = {row.split("|")[1].strip().strip("`*") for row in rows[2:]}
    assert names, "the rule page has a table of decision points"
    return names


def test_the_command_prints_a_line_for_every_step_and_says_1_for_a_failure(
    make_broken: Callable[[str], BotDirectory],
) -> None:
    bot = make_broken("wrong_ticket")
    run = run_arena("check-bot", str(bot.path), "--game", "toy", "--sandbox", "off")
    assert run.returncode == 1
    assert run.stdout.splitlines()[0].startswith("FAIL  hello")
    assert "        expected   the ticket of ARENA_TICKET" in run.stdout.splitlines()
    assert run.stdout.splitlines()[-1].endswith("fails 1 of the steps: hello (sandbox: none)")
    assert run.stderr == ""


def test_the_command_prints_json() -> None:
    run = run_arena("check-bot", str(ROOT / "sample_bots" / "python"), "--game", "toy", "--json")
    report: dict[str, Any] = json.loads(run.stdout)
    assert run.returncode == 0
    assert report["passed"] is True
    assert [verdict["step"] for verdict in report["verdicts"]] == [
        "hello", "match:toy", "kinds:toy", "refusal", "interleaved", "batched", "late", "reconnect", "goodbye",
        "shutdown", "reproducible", "thinking",
    ]  # fmt: skip
    assert report["thinking_ms"]["answers"] > 10
    assert 0 < report["thinking_ms"]["p50"] <= report["thinking_ms"]["p99"] <= report["thinking_ms"]["most"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("nowhere",), "arena: nowhere: not a bot directory"),
        (("sample_bots/python", "--game", "halma"), "arena: --game: 'halma' is unknown"),
        (("sample_bots/python", "--build"), "has no build step"),
        (("sample_bots/python", "--patience", "0"), "0.0 is not in the range"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], line: str) -> None:
    run = run_arena("check-bot", *arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert line in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_game_that_the_bot_does_not_declare_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "picky"\ngames = ["toy"]\ncommand = ["python3", "bot.py"]\n')
    assert [game.slug for game in chosen_games(read_bot(tmp_path), ())] == ["toy"]
    run = run_arena("check-bot", str(tmp_path), "--game", "norenberc")
    assert (run.returncode, run.stderr) == (2, "arena: --game: picky does not play norenberc\n")
