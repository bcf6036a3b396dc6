"""The language bot, against a scripted endpoint on this machine: it reads numbers back and survives nonsense."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.directory import read_bot
from arena.play.pool import MatchToPlay, open_pool
from arena.sandbox.levels import Policy
from referee.order import Ending, MatchResult, TimeControl
from referee.record import How, verify
from tests.documents import blocks
from tests.journeys.commands import ROOT

BOT = ROOT / "sample_bots/language"
CONTROL = TimeControl(bank_ms=60_000, increment_ms=0, cap_ms=10_000, strike_limit=0)


def completion(text: str, tokens: object = 7) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": {"total_tokens": tokens}}).encode()


@contextmanager
def endpoint(*answers: tuple[int, bytes, float]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve answers in turn, each with its status and after so many seconds; the last one for ever after."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, answer, seconds = answers[min(len(asked), len(answers) - 1)]
            asked.append({"path": self.path, "key": self.headers["authorization"]} | body)
            time.sleep(seconds)
            try:
                self.send_response(status)
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                pass  # whoever asked has gone

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions", asked
    finally:
        server.shutdown()
        server.server_close()


def played(url: str, tmp_path: Path) -> tuple[MatchResult, str]:
    """Play a match of the bot, as its page sets it up, against the random one; return it with what the bot printed."""
    folder = tmp_path / "my_language_bot"
    shutil.copytree(BOT, folder)
    page = ROOT / "docs/howto/let_a_language_model_play.md"
    manifest = next(block.code for block in blocks(page) if block.language == "toml")
    shown = "LANGUAGE_URL=http://127.0.0.1:8000/v1/chat/completions"
    assert manifest.count(shown) == 1
    (folder / "bot.toml").write_text(manifest.replace(shown, f'LANGUAGE_URL={url}", "LANGUAGE_KEY=secret'))
    bot, rival = read_bot(folder), read_bot(ROOT / "sample_bots/python")

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool(sandbox=Policy.OFF, heard=lambda *_: None) as pool:
            result = await pool.play(MatchToPlay("a" * 32, "toy", {"rounds": 3}, (bot, rival), 5, CONTROL))
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
        ((200, completion("I would rather not say, at 3.5 or 50%."), 0.0), "no number from 1 to"),
        ((200, completion("99999"), 0.0), "no number from 1 to"),
        ((200, completion("x" * 300_000), 0.0), "more than 262144 bytes"),
        ((200, completion("1"), 9.0), "no answer within"),
    ],
)
def test_it_survives_nonsense_and_plays_the_first_option(
    answer: tuple[int, bytes, float], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BOT)
    asking, at = import_module("asking"), import_module("endpoint")
    seconds = 0.3 if answer[2] else 5
    started = time.monotonic()
    with endpoint(answer) as (url, _asked):
        choice = asking.choose(at.Endpoint(url, "small", ""), "Rules.", "Question?", 4, seconds)
        assert time.monotonic() - started < seconds + 0.5
    assert choice.index == 0
    assert not choice.is_usable
    assert choice.reason.startswith("first option, because ")
    assert why in choice.reason


def test_a_number_is_read_wherever_it_stands_and_only_if_it_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    read = import_module("asking").read_number
    for text, index in (
        ("3", 2), ("Option 2.", 1), ("**4**", 3), ("I take 1, not 2", 0), ("-1", None), ("0", None), ("5", None),
        ("12 or 3", 2), ("3.5", None), ("", None), ("v2", None), ("9" * 5_000, None),
    ):  # fmt: skip
        assert read(text, 4) == index, text


def test_it_asks_once_more_after_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BOT)
    asking, at = import_module("asking"), import_module("endpoint")
    with endpoint((200, completion("Well…"), 0), (200, completion("Option 1: the cheapest"), 0)) as (url, asked):
        choice = asking.choose(at.Endpoint(url, "small", ""), "Rules.", "Question?", 4, 5)
    assert (choice.index, choice.reason, choice.tokens, choice.is_usable) == (0, "the cheapest", 14, True)
    assert asked[1]["messages"][-1]["content"].startswith("That is no option.")


def test_it_says_in_one_line_what_it_lacks() -> None:
    done = subprocess.run([sys.executable, "bot.py"], cwd=BOT, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("LANGUAGE_URL: expected")
    assert done.stderr.count("\n") == 1
