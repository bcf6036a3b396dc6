"""The language bot, against a scripted endpoint on this machine: it reads numbers back and survives nonsense."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
import trio

from arena.bots.directory import read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee.order import Ending, MatchResult, TimeControl
from referee.record import How, verify
from referee.v1 import play_pb2 as pb
from tests.documents import blocks
from tests.journeys.commands import ROOT
from tests.patience import patience
from tests.sample_bots.scripted_endpoint import completion, endpoint

BOT = ROOT / "sample_bots/language"
PAGE = ROOT / "docs/howto/let_a_language_model_play.md"
SHOWN_URL = "http://127.0.0.1:8000/v1/chat/completions"
CONTROL = TimeControl(bank_ms=6_000_000, increment_ms=0, cap_ms=600_000, strike_limit=0, join_ms=300_000)
"""So much that it waits for the model as long as its page says at most."""
PATIENCE_SECONDS = patience(30)


def played(url: str, tmp_path: Path) -> tuple[MatchResult, str]:
    """Play a match of the bot, as its page sets it up, against the random one; return it with what the bot printed."""
    folder = tmp_path / "my_language_bot"
    shutil.copytree(BOT, folder)
    manifest = next(block.code for block in blocks(PAGE) if block.language == "toml")
    assert manifest.count(SHOWN_URL) == 1
    (folder / "bot.toml").write_text(manifest.replace(SHOWN_URL, f'{url}", "LANGUAGE_KEY=secret'))
    bot, rival = read_bot(folder), read_bot(ROOT / "sample_bots/python")

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool(sandbox=SandboxPolicy.OFF) as pool:
            result = await pool.play(MatchToPlay("a" * 32, "toy", {"rounds": 3}, (bot, rival), 5, CONTROL))
            with trio.move_on_after(PATIENCE_SECONDS):
                while " questions, " not in pool.output_of(bot.label):  # noqa: ASYNC110 - it says so a moment after the end
                    await trio.sleep(0.02)
            return result, pool.output_of(bot.label)

    return trio.run(journey)


def comments(result: MatchResult) -> list[str]:
    steps = verify(result.record).steps
    return [
        choice.comment for step in steps for choice in step.choices if choice.seat == 0 and choice.how is not How.FORCED
    ]


def test_it_plays_what_the_model_says_and_keeps_its_reasons(tmp_path: Path) -> None:
    with endpoint((200, completion("2\nA <b>middle</b> card\nis safe."), 0)) as (url, asked):
        result, printed = played(url, tmp_path)
    assert result.seat_endings == (Ending.COMPLETED,) * 2, printed
    assert set(comments(result)) == {"A <b>middle</b> card is safe. [7 tokens]"}
    assert len(asked) == len(comments(result))
    assert f"{len(asked)} questions, {7 * len(asked)} tokens, 0 unusable answers" in printed
    first = asked[0]
    assert (first["path"], first["key"], first["model"]) == ("/v1/chat/completions", "Bearer secret", "small")
    system, user = first["messages"]
    assert "seat 0 of 2" in system["content"]
    assert "1. bid " in user["content"]
    assert "hand: [" in user["content"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((500, b"out of order", 0.0), "HTTP status 500"),
        ((200, b"<html>", 0.0), "JSONDecodeError"),
        ((200, b'{"choices": []}', 0.0), "no chat completion"),
        ((200, b"[1, 2]", 0.0), "no chat completion"),
        ((200, b"[" * 100_000, 0.0), "RecursionError"),
        ((200, completion("I would rather not say, at 3.5 or 50%."), 0.0), "no number from 1 to"),
        ((200, completion("99999"), 0.0), "no number from 1 to"),
        ((200, completion("x" * 300_000), 0.0), "more than 262144 bytes"),
        ((200, completion("1"), PATIENCE_SECONDS), "no answer within"),
    ],
)
def test_it_survives_nonsense_and_plays_the_first_option(
    answer: tuple[int, bytes, float], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BOT)
    asking, at = import_module("asking"), import_module("endpoint")
    is_late = answer[2] > 0
    started = time.monotonic()
    with endpoint(answer) as (url, asked):
        seconds = 1.5 if is_late else PATIENCE_SECONDS
        choice = asking.choose(at.Endpoint(url, "small", ""), "Rules.", "Question?", 4, seconds)
        assert time.monotonic() - started < PATIENCE_SECONDS, "it waited for an answer that came too late"
        assert len(asked) <= (1 if is_late else 2), "all its time was spent on the first, so it does not ask again"
    assert choice.index == 0
    assert not choice.is_usable
    assert choice.reason.startswith("first option, because ")
    assert why in choice.reason


def test_an_answer_with_half_a_character_can_still_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    said = import_module("endpoint").read_answer(json.loads(completion("2, for \ud800 is strong")))
    assert pb.Answer(comment=said.text).comment == "2, for ? is strong"


def test_neither_key_nor_address_gets_into_the_comment_that_everybody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    asking, at = import_module("asking"), import_module("endpoint")
    with endpoint((200, completion("1"), 0)) as (url, asked):
        for broken in (at.Endpoint(url, "small", "secret\r"), at.Endpoint(f"{url}?key=secret key", "small", "")):
            choice = asking.choose(broken, "Rules.", "Question?", 4, PATIENCE_SECONDS)
            assert choice.reason.startswith("first option, because ")
            assert "secret" not in choice.reason
    assert asked == []


def test_a_number_is_read_wherever_it_stands_and_only_if_it_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    read = import_module("asking").read_number
    for text, index in (
        ("3", 2), ("Option 2.", 1), ("**4**", 3), ("I take 1, not 2", 0), ("-1", None), ("0", None), ("5", None),
        ("12 or 3", 2), ("3.5", None), ("", None), ("v2", None), ("9" * 5_000, None),
    ):  # fmt: skip
        assert read(text, 4) == index, text


def test_it_asks_again_after_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    asking, at = import_module("asking"), import_module("endpoint")
    with endpoint((200, completion("Well…"), 0), (200, completion("Option 1: the cheapest"), 0)) as (url, asked):
        choice = asking.choose(at.Endpoint(url, "small", ""), "Rules.", "Question?", 4, PATIENCE_SECONDS)
    assert (choice.index, choice.reason, choice.tokens, choice.is_usable) == (0, "the cheapest", 14, True)
    assert asked[1]["messages"][-1]["content"].startswith("That is no option.")


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "LANGUAGE_URL: expected"),
        ({"LANGUAGE_URL": "ftp://127.0.0.1"}, "LANGUAGE_URL: expected"),
        ({"LANGUAGE_URL": "http://127.0.0.1", "LANGUAGE_SECONDS": "nan"}, "LANGUAGE_SECONDS: expected"),
        ({"LANGUAGE_URL": "http://127.0.0.1", "LANGUAGE_KEY": "schlüssel"}, "LANGUAGE_KEY: expected"),
    ],
)
def test_it_says_in_one_line_what_it_lacks(environment: dict[str, str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "bot.py"], cwd=BOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_its_page_does_what_it_says(tmp_path: Path) -> None:
    """Every command but that of the server is run; a model that always takes the second option."""
    for name in ("language", "greedy"):
        shutil.copytree(ROOT / "sample_bots" / name, tmp_path / "sample_bots" / name)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = {}
    with endpoint((200, completion("2\nIt comes second."), 0)) as (url, asked):
        for block in blocks(PAGE):
            if block.language == "toml":
                (tmp_path / "my_language_bot" / "bot.toml").write_text(block.code.replace(SHOWN_URL, url))
            elif block.language == "console" and "arena connect" not in block.code:
                for line in block.code.splitlines():
                    ran[line] = subprocess.run(
                        ["sh", "-c", line], cwd=tmp_path, env=environment, input="1\nquit\n",
                        capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
                    )  # fmt: skip
                    assert ran[line].returncode == 0, ran[line].stderr
    copying, playing, replaying, sitting = ran.values()
    assert copying.stdout == ""
    assert len(asked) > 10
    assert "1 of 1 records verified" in playing.stdout
    assert "“It comes second. [7 tokens]”" in replaying.stdout
    assert replaying.stdout.count("guild 1, ") > 20, "the board is drawn"
    assert "Your choice, 1 to " in sitting.stdout
