"""Engines as bots: what they are told, what they answer, and what becomes of those that fail."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest
from arena_chess import engine as engine_module
from arena_chess.engine import Engine, EngineError, Said, said
from arena_chess.limits import Clocks, Limits, read_limits
from arena_chess.new_bot import write_bot

from arena.bots.directory import read_bot
from plugins.chess.tests.matches import FAKE, arena_chess, bot, fake, play
from referee.mistakes import UserError
from referee.record import verify
from tests import parts

STOCKFISH = "stockfish"


def last_line(record: str) -> dict[str, object]:
    result = json.loads(record.splitlines()[-1])["result"]
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["info depth 7 score cp 31 nodes 90 pv e2e4", "bestmove e2e4 ponder e7e5"], Said("e2e4", 31, 7, 90)),
        (["info depth 9 score mate 3", "bestmove a1a8"], Said("a1a8", 99_997, 9, None)),
        (["info depth 9 score mate -2", "bestmove a1a8"], Said("a1a8", -99_998, 9, None)),
        (["info score cp 1000000", "bestmove a1a8"], Said("a1a8", 99_000, None, None)),
        (["info depth 5 score cp 8", "info depth 6 score cp 90 lowerbound", "bestmove c2c4"], Said("c2c4", 8, 5, None)),
        (["info multipv 1 depth 5 score cp 8", "info multipv 2 score cp 3", "bestmove c2c4"], Said("c2c4", 8, 5, None)),
        (["info string score cp 99", "", "info depth x score cp y", "bestmove c2c4"], Said("c2c4", None, None, None)),
        (["bestmove"], Said("", None, None, None)),
    ],
)  # fmt: skip
def test_the_last_whole_score_of_a_search_counts(lines: list[str], expected: Said) -> None:
    assert said(lines) == expected


ODD = """
import os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name Odd \\x1b[31m1\\nuciokay\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go" and "depth" in line:
        print("bestmoves are here\\nbestmove e2e4", flush=True)
    elif word == "go":
        os.close(1)
"""


def test_an_engine_that_closes_its_output_ends_soon_and_its_words_are_read_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_module, "END_SECONDS", 0.1)

    async def ask() -> None:
        engine = Engine([sys.executable, "-c", ODD])
        await engine.start()
        assert engine.name == "Odd [31m1"
        assert (await engine.move("position startpos", "depth 1")).move == "e2e4"
        with pytest.raises(EngineError, match=r"^Odd \[31m1: closed its output instead of saying bestmove$"):
            await engine.move("position startpos", "nodes 1")
        await engine.stop()

    asyncio.run(asyncio.wait_for(ask(), 60))


def test_limits_are_told_as_uci_has_them() -> None:
    clocks = Clocks((61_000, 59_500), 500)
    assert read_limits(["nodes=100"]).words(clocks) == "nodes 100"
    assert read_limits([]).words(clocks) == "wtime 61000 btime 59500 winc 500 binc 500"
    assert read_limits(["depth=9", "clock"]).words(clocks) == "depth 9 wtime 61000 btime 59500 winc 500 binc 500"
    assert Limits((("movetime", 50),), uses_clocks=False).words(clocks) == "movetime 50"
    assert [read_limits([limit]).is_deterministic for limit in ("nodes=1", "depth=1", "movetime=1", "clock")] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["node=1", "nodes", "nodes=", "nodes=0", "nodes=-1", "nodes=1e3", "nodes=²", "1"])
def test_a_wrong_limit_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"--limit: .* expected nodes=N, depth=N, movetime=MS or clock"):
        read_limits([text])


def test_two_engines_play_a_match_that_verifies(tmp_path: Path) -> None:
    played = play(
        tmp_path, [fake(tmp_path / "one"), fake(tmp_path / "two", "score", "-25")], "opening=book", "longest=40"
    )
    (record,) = map(verify, played.records)
    assert record.result["ending"] == "completed"
    scores = {choice.action.score for step in record.steps for choice in step.choices if choice.how == "answered"}
    assert scores == {10, -25}
    assert {choice.comment for step in record.steps for choice in step.choices} <= {"depth 3, nodes 42", ""}


def test_a_match_is_adjudicated_by_what_both_engines_said(tmp_path: Path) -> None:
    bots = [fake(tmp_path / "up", "score", "700"), fake(tmp_path / "down", "score", "-700")]
    played = play(tmp_path, bots, "resign_moves=3", matches=2)
    results = [last_line(record) for record in played.records]
    assert [result["reason"] for result in results] == ["adjudicated by agreed scores"] * 2
    assert [result["ranks"] for result in results] == [[1, 2], [2, 1]]


def test_an_engine_is_told_every_game_its_history_and_its_clock(tmp_path: Path) -> None:
    told = tmp_path / "told"
    bots = [fake(tmp_path / "one", "echo", str(told), limit="clock"), fake(tmp_path / "two")]
    played = play(tmp_path, bots, "longest=6", matches=2)
    lines = told.read_text().splitlines()
    assert lines.count("ucinewgame") == 3  # once to get ready
    positions = [line for line in lines if line.startswith("position")]
    start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert positions[:2] == [start, f"{start} moves a2a3 a7a5"]
    assert positions[3] == f"{start} moves a2a3"
    going = [line.split() for line in lines if line.startswith("go")]
    assert {tuple(words[1::2]) for words in going} == {("wtime", "btime", "winc", "binc")}
    assert {tuple(words[6::2]) for words in going} == {("500", "500")}
    shown = [(int(words[2]), int(words[4])) for words in going]
    expected = [*clocks_before(played.records[0], seat=0), *clocks_before(played.records[1], seat=1)]
    for clocks, latest in zip(shown, expected, strict=True):
        for told_ms, left_us in zip(clocks, latest, strict=True):
            assert told_ms in (left_us // 1000, (left_us - 6) // 1000)  # each of six moves took a part of a µs more
    assert lines[-1] == "quit"


def clocks_before(record: str, seat: int) -> list[tuple[int, int]]:
    """Return both clocks before every move of a seat, in whole microseconds of the record, rounded up."""
    left, found = [60_000_000, 60_000_000], []
    for step in verify(record).steps:
        for choice in step.choices:
            if choice.seat == seat:
                found.append((left[0], left[1]))
            left[choice.seat] += 500_000 - choice.times_us[0]
    return found


@pytest.mark.parametrize(
    ("words", "ending", "expected"),
    [
        (["crash-after", "2"], "forfeit_crash", "Fake 1: ended with code 7 instead of saying bestmove"),
        (["illegal"], "forfeit_crash", "the engine answered 'a1a1', which is not a legal move"),
    ],
)
def test_an_engine_that_fails_ends_its_bot_with_one_line(
    tmp_path: Path, words: list[str], ending: str, expected: str
) -> None:
    played = play(tmp_path, [fake(tmp_path / "bad", *words), fake(tmp_path / "good")], "longest=20")
    result = last_line(played.records[0])
    assert result["ending"] == ending
    assert result["ranks"] == [2, 1]
    output = json.dumps(played.plain) + played.errors
    assert expected in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("engine", "adapter", "expected"),
    [
        (["no-such-engine"], [], "no-such-engine: no such program; expected a UCI engine"),
        (["/bin/cat"], ["--sha256=00"], "/bin/cat: its SHA-256 is "),
        (["/bin/false"], [], "/bin/false: ended with code 1 instead of saying uciok"),
        (["/bin/cat"], ["--limit=forever"], "--limit: 'forever' is not allowed"),
    ],
)
def test_what_is_no_engine_is_told_in_one_line(
    tmp_path: Path, engine: list[str], adapter: list[str], expected: str
) -> None:
    played = play(tmp_path, [bot(tmp_path / "bad", engine, *adapter), fake(tmp_path / "good")], "longest=4")
    output = json.dumps(played.plain) + played.errors
    assert expected in output
    assert "Traceback" not in output


def test_a_new_bot_holds_the_hash_of_its_engine(tmp_path: Path) -> None:
    name = write_bot(
        tmp_path / "new", "new", [str(FAKE_PROGRAM), str(FAKE)], ["hash=32"], ["depth=4"], is_deterministic=True
    )
    assert name == "Fake 1"
    made = read_bot(tmp_path / "new").manifest
    assert made.games == ("chess",)
    assert made.deterministic
    assert made.memory_mb == 256 + 32
    assert made.command[3].startswith("--sha256=")
    assert made.command[-2:] == (str(FAKE_PROGRAM.resolve()), str(FAKE))


FAKE_PROGRAM = Path(sys.executable)


@pytest.mark.parametrize(
    ("settings", "limits", "deterministic", "expected"),
    [
        (["Hash=32", "Skill=9"], [], False, "Fake 1: has no option 'Skill'; expected some of: Hash"),
        (["Hash"], [], False, "--set: 'Hash' is not NAME=VALUE"),
        ([], ["clock"], True, "--deterministic: an engine that reads a clock is not"),
        ([], ["nodes=x"], False, "--limit: 'nodes=x' is not allowed"),
    ],
)
def test_a_bot_that_could_not_play_is_not_made(
    tmp_path: Path, settings: list[str], limits: list[str], deterministic: bool, expected: str
) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(expected)}"):
        write_bot(
            tmp_path / "new", "new", [str(FAKE_PROGRAM), str(FAKE)], settings, limits, is_deterministic=deterministic
        )
    assert not (tmp_path / "new").exists()


def test_bad_input_of_a_command_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for words in (
        ("new-bot", tmp_path / "full", "/bin/cat"),
        ("new-bot", tmp_path / "a", "no-such-engine"),
        ("new-bot", tmp_path / "bad\nname", "/bin/cat"),
        ("book", "add", tmp_path / "none.epd"),
        ("pgn", "export"),
        ("pgn", "export", tmp_path / "none.jsonl"),
        ("pgn", "export", "--db", tmp_path / "none.db"),
        ("pgn", "rate", tmp_path / "none.pgn"),
        ("pgn", "import", tmp_path / "none.pgn", "--out", tmp_path / "records"),
    ):
        done = arena_chess(*words)
        assert done.returncode == 2, (words, done.stdout, done.stderr)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert done.stderr.startswith("arena-chess: ")


def test_stockfish_plays_sandboxed_and_the_same_again(tmp_path: Path) -> None:
    program = parts.program(STOCKFISH)
    bots = []
    for nodes in (20, 300):
        name = f"nodes{nodes}"
        write_bot(tmp_path / name, name, [program], ["Threads=1"], [f"nodes={nodes}"], is_deterministic=True)
        bots.append(tmp_path / name)
    options = ("opening=book", "resign_moves=2", "draw_moves=4")
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    first = play(tmp_path / "first", bots, *options, matches=2, sandbox="auto")
    second = play(tmp_path / "second", bots, *options, matches=2, sandbox="auto")
    assert [verify(text).result_digest for text in first.records] == [
        verify(text).result_digest for text in second.records
    ]
    assert all(last_line(record)["ending"] == "completed" for record in first.records)
