"""The starter bots play together, whatever their language: no faults, records that verify, the same match twice."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.verifier import open_verifier
from referee.games import GAMES
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.record import How, read
from tests.contract.case import OURS
from tests.documents import blocks
from tests.journeys.commands import ROOT, run_arena
from tests.journeys.starter_bots import BREWERS, LANGUAGES, starter_bot
from tests.journeys.test_referee_process import referee
from tests.patience import patience

MIN_PLAYOUTS = 16  # of the hundreds that a decision of the toy has time for, on however busy a machine
MAX_MATCHES = 20
CALM = TimeControl(bank_ms=120_000, cap_ms=60_000, join_ms=60_000)  # what is tested is not how busy the machine is


def table_of_many_languages(game: str, number: int) -> tuple[BotDirectory, ...]:
    """Return the bots of a match, as many as the game seats; each table begins where the one before it ended."""
    bots = [starter_bot(language) for language in LANGUAGES]
    sizes = GAMES[game].table_sizes
    seats = min(max(len(bots), sizes[0]), sizes[-1])
    first = number * (seats - 1) % len(bots)
    return tuple((bots * 3)[first : first + seats])


def played(fixtures: Sequence[MatchToPlay]) -> list[tuple[MatchResult, str | None]]:
    """Play fixtures over unix sockets and return each result with what the verifier has to say."""
    told: list[tuple[MatchResult, str | None]] = []

    async def journey() -> None:
        async with open_verifier() as verifier, open_pool(log_level="error") as pool:
            with trio.fail_after(patience(20)):
                for fixture in fixtures:
                    result = await pool.play(fixture)
                    told.append((result, await verifier.check(result.record)))

    trio.run(journey)
    return told


@pytest.mark.parametrize("game", OURS)
def test_a_match_of_many_languages_has_no_faults_and_verifies(game: str) -> None:
    """Two matches of each game, so that every language has a seat."""
    tables = [table_of_many_languages(game, number) for number in range(2)]
    assert {bot.path.name for table in tables for bot in table} == set(LANGUAGES)
    fixtures = [MatchToPlay(f"mixed{number}", game, {}, table, number, CALM) for number, table in enumerate(tables)]
    for (result, error), table in zip(played(fixtures), tables, strict=True):
        assert result.ending is Ending.COMPLETED
        assert result.seat_endings == (Ending.COMPLETED,) * len(table)
        manners = {choice.how for step in read(result.record).steps for choice in step.choices}
        assert manners <= {How.ANSWERED, How.FORCED}
        assert result.asked > 0
        assert error is None


def test_a_match_is_played_the_same_way_again() -> None:
    """Every starter bot throws its dice by match and seat."""
    fixture = MatchToPlay("again", "norenberc", {}, table_of_many_languages("norenberc", 0), 5, CALM)
    (first, _), (second, _) = [played([fixture])[0] for _ in range(2)]
    moves = [
        [(choice.seat, choice.action) for step in read(result.record).steps for choice in step.choices]
        for result in (first, second)
    ]
    assert moves[0] == moves[1]
    assert len(moves[0]) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_bot_passes(language: str) -> None:
    bot = starter_bot(language)
    run = run_arena("check-bot", str(bot.path), "--patience", "60", "--json")
    report = json.loads(run.stdout)
    assert [verdict["step"] for verdict in report["verdicts"] if verdict["result"] == "failed"] == []
    noted = {verdict["step"]: verdict["detail"] for verdict in report["verdicts"] if verdict["result"] == "noted"}
    assert noted["reproducible"].startswith("yes")
    assert run.returncode == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_bot_plays_over_tcp_and_says_in_one_line_that_it_was_sent_away(language: str) -> None:
    bot = starter_bot(language)
    with referee("127.0.0.1:0") as process, ExitStack() as started:

        def start(ticket: str) -> subprocess.Popen[str]:
            environment = {**os.environ, "ARENA_ADDRESS": process.address, "ARENA_TICKET": ticket}
            command = [sys.executable, "bot.py"] if language == "python" else bot.manifest.command
            client = subprocess.Popen(command, cwd=bot.path, env=environment, stderr=subprocess.PIPE, text=True)
            started.callback(client.communicate)
            started.callback(client.kill)
            return client

        tickets = ("first", "second")
        for ticket in tickets:
            process.tell("admit", {"ticket": ticket, "bot": ticket})
        clients = [start(ticket) for ticket in tickets]
        order = MatchOrder("m", "toy", {}, tuple([SeatOrder(ticket, ticket) for ticket in tickets]), 1, CALM)
        process.tell("match", order.to_plain())
        result = MatchResult.from_plain(process.hear()["result"])
        assert result.seat_endings == (Ending.COMPLETED,) * 2
        for ticket in tickets:
            process.tell("dismiss", ticket)
        assert [client.wait(patience(6)) for client in clients] == [0, 0]

        refused = start("wrong")
        assert refused.wait(patience(6)) == 1
        assert refused.stderr is not None
        line = refused.stderr.read()
        assert line.startswith("the referee hung up: ")
        assert "invalid ticket" in line
        assert line.count("\n") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_typed_example_beats_random_bots(language: str, tmp_path: Path) -> None:
    """It reads the view and picks by reason: first of three in at least eight of ten matches."""
    folder = tmp_path / "brewer"
    shutil.copytree(starter_bot(language).path, folder)
    tmp_path.chmod(0o755)
    text = f'name = "brewer"\ncommand = {json.dumps(BREWERS[language])}\nconcurrency = 64\nmemory_mb = 2048\n'
    (folder / "bot.toml").write_text(text)
    brewer, rival = read_bot(folder), starter_bot("python")
    fixtures = [
        MatchToPlay(
            f"brewer{number}",
            "furstenfeld",
            {},
            tuple([brewer if seat == number % 3 else rival for seat in range(3)]),
            number,
            CALM,
        )
        for number in range(10)
    ]
    wins = 0
    for number, (result, _) in enumerate(played(fixtures)):
        assert result.ending is Ending.COMPLETED
        wins += result.ranks[number % 3] == 1
    assert wins >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_plays_at_once(language: str, tmp_path: Path) -> None:
    starter_bot(language)  # so that a missing toolchain is noticed
    folder = tmp_path / "prima ballerina"
    tmp_path.chmod(0o755)
    made = run_arena("new-bot", language, str(folder), "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["bot"] == "prima ballerina"
    bot = read_bot(folder)
    assert bot.manifest.name == "prima ballerina"
    assert not (folder / "build").exists()
    for file in ("referee/v1/play.proto", "referee/lookahead/v1/lookahead.proto") if bot.manifest.build else ():
        assert (folder / "proto" / file).read_bytes() == (ROOT / "proto" / file).read_bytes()
    if language not in ("python", "node"):
        return  # the build is the same as that of the starter bot, and takes a minute
    arguments = ("--build",) if bot.manifest.build else ()
    checked = run_arena("check-bot", str(folder), *arguments, "--game", "toy", "--patience", "60")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    run = run_arena("play", "toy", "--bot", str(folder), "--bot", str(folder), "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["matches"][0]["ending"] == "completed"


def test_a_new_bot_never_writes_over_anything(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    run = run_arena("new-bot", "python", str(tmp_path))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"arena: DIR: {tmp_path} is not empty\n"
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("language", "folder", "line"),
    [
        ("cobol", "bot", "'cobol' is not one of"),
        ("python", "diary.txt/bot", "Not a directory"),
        ("python", 'say "hello"', "it becomes the bot's name"),
        ("python", "x" * 65, "it becomes the bot's name"),
    ],
)
def test_bad_input_to_new_bot_is_one_line(language: str, folder: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    run = run_arena("new-bot", language, str(tmp_path / folder))
    assert run.returncode == 2
    assert line in run.stderr
    assert run.stderr.count("\n") == 1


def test_starter_bots_are_short() -> None:
    """A random bot is little more than sixty lines that can be read, in every language."""
    for file in ("python/bot.py", "node/bot.js", "cpp/bot.cc", "go/bot.go", "java/Bot.java", "rust/bot.rs"):
        lines = (ROOT / "sample_bots" / file).read_text(encoding="utf-8").splitlines()
        code = [line for line in lines if line.strip() and not line.lstrip().startswith(("//", "/**"))]
        assert len(code) <= 65, file


def test_a_match_can_be_watched_as_it_is_played(tmp_path: Path) -> None:
    """The lines are the events of the record, in order, as a spectator sees them: drawn cards stay hidden."""
    bots = ("--bot", "sample_bots/python", "--bot", "sample_bots/python")
    run = run_arena("play", "toy", *bots, "--seed", "3", "--watch", "--json", "--records", str(tmp_path))
    assert json.loads(run.stdout)["matches"][0]["ending"] == "completed"
    told = run_arena("replay", "show", str(next(tmp_path.iterdir())))
    events = [line.strip() for line in told.stdout.splitlines() if line.startswith("    ")]
    assert run.stderr.splitlines() == events
    assert "seat 0 draws a card" in events


def test_watched_matches_are_told_apart() -> None:
    bots = ("--bot", "sample_bots/python", "--bot", "sample_bots/python")
    lines = run_arena("play", "toy", *bots, "--matches", "2", "--watch").stdout.splitlines()
    assert {line.partition(":")[0] for line in lines if line.startswith("match ")} == {"match 1", "match 2"}


def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    """Every command of "Your first bot" is run and every file written; the bot it ends with beats a random one."""
    page = ROOT / "docs" / "tutorial" / "your_first_bot.md"
    tmp_path.chmod(0o755)
    results = []
    for block in blocks(page):
        if block.language == "python":
            (tmp_path / "my_bot" / "seller.py").write_text(block.code, encoding="utf-8")
        elif block.language == "toml":
            (tmp_path / "my_bot" / "bot.toml").write_text(block.code, encoding="utf-8")
        else:
            assert block.language == "console"
            for line in block.code.splitlines():
                program, *arguments = shlex.split(line)
                assert program == "arena"
                results.append(run_arena(*arguments, folder=tmp_path))
                assert results[-1].returncode == 0, results[-1].stdout + results[-1].stderr
    assert len(results) == 5
    rows = [line.split() for line in results[-1].stdout.splitlines() if line.startswith(" any ")]
    wins = {row[1]: int(row[2]) for row in rows}
    assert wins["seller"] >= 36 > wins["random_bot"]
    assert len(list((tmp_path / "records").iterdir())) == 60


@pytest.mark.parametrize("language", ["cpp", "node"])
def test_the_monte_carlo_example_of_the_page_looks_ahead(language: str, tmp_path: Path) -> None:
    """What the page shows is run; what the starter bot has built already is not built again."""
    built = starter_bot(language).path
    page = ROOT / "docs/howto/search_from_any_language.md"
    block = next(block for block in blocks(page) if f"arena new-bot {language} " in block.code)
    *making, checking = block.code.strip().splitlines()
    assert checking == "arena check-bot --build my_bot"
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for line in making:
        subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, check=True)
    shutil.copytree(built / "build", tmp_path / "my_bot" / "build")
    tmp_path.chmod(0o755)
    checked = run_arena(*checking.split()[1:], "--game", "toy", "--patience", "60", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    bot = read_bot(tmp_path / "my_bot")
    assert bot.manifest.lookahead
    assert any("monte" in word for word in bot.manifest.command)
    most = 0
    for number in range(MAX_MATCHES):  # its time runs on while others have the processor, but not in every match
        fixture = MatchToPlay(f"look{number}", "toy", {"rounds": 2}, (bot, starter_bot("python")), 3, CALM)
        ((result, _),) = played([fixture])
        assert result.ending is Ending.COMPLETED
        own = [choice for step in read(result.record).steps for choice in step.choices if choice.seat == 0]
        said = [choice.comment for choice in own if choice.how is How.ANSWERED]
        most = max(most, *(int(comment.removesuffix(" playouts")) for comment in said))
        if most >= MIN_PLAYOUTS:
            break
    assert most >= MIN_PLAYOUTS, "it has searched"


def test_the_monte_carlo_example_in_cpp_is_short() -> None:
    assert len((ROOT / "sample_bots/cpp/monte_carlo.cc").read_text(encoding="utf-8").splitlines()) <= 80
