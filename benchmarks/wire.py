"""Refereed decisions against the bare echo of the same messages, in one run, with the same bots.

arena bench wire
"""

from __future__ import annotations

import asyncio
import base64
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio

from arena.hosting import BotDirectory, BotProcess, read_bot
from arena.lines import read_lines
from arena.table import Fixture, open_pool, play_all
from referee.clock import StallMeter
from referee.games import GAMES
from referee.logs import configure_logs
from referee.match import Chair, Match, Question
from referee.order import MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.rng import seeded
from referee.v1 import play_pb2 as pb

BOT = Path("sample_bots/python")
SEATS = 4
ROUNDS = 5
Conversation = tuple[str, list[list[tuple[int, str]]]]


@dataclass
class ScriptedLink:
    """A link that answers at random without any wire and keeps what it was asked."""

    bot: str
    steps: dict[int, list[tuple[int, str]]]
    rng: Any

    def is_there(self) -> bool:
        """Always there."""
        return True

    async def arrived(self) -> None:
        """Always there."""

    def join(self, seat: Chair) -> None:
        """Nothing to route."""

    def leave(self, seat: Chair) -> None:
        """Nothing to forget."""

    def ask(self, question: Question) -> None:
        """Note the message and answer as soon as the loop turns."""
        match, seat = question.chair.match, question.chair.seat
        played = match.recorder.step + bool(match.unrecorded)
        self.steps.setdefault(played, []).append((seat, base64.b64encode(question.message).decode()))
        answer = pb.Answer(option_index=self.rng.index(len(question.options)))
        asyncio.get_running_loop().call_soon(match.answered, question, answer, match.meter.now())

    def withdraw(self, question: Question) -> None:
        """Nothing to withdraw."""

    def tell(self, message: bytes) -> None:
        """Nobody to tell."""


async def converse(number: int) -> Conversation:
    """Play one toy match without a wire and return what was asked, step by step."""
    steps: dict[int, list[tuple[int, str]]] = {}
    game = GAMES["toy"]
    order = MatchOrder(f"{number:032x}", "toy", {}, (SeatOrder("random", ""),) * SEATS, number)
    links = [ScriptedLink("random", steps, seeded(number * SEATS + seat)) for seat in range(SEATS)]
    await Match(order, game, game.options({}), links, StallMeter()).play()
    return order.match_id, list(steps.values())


async def converse_all(count: int) -> list[Conversation]:
    """Return the conversations of some matches."""
    return [await converse(number) for number in range(count)]


async def floor(conversations: list[Conversation], at_once: int) -> float:
    """Return the microseconds that one decision takes with nothing behind it."""
    bot = read_bot(BOT)
    asked = sum(len(step) for _, steps in conversations[1:] for step in steps)
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/echo.sock"
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "benchmarks.echo", address, str(at_once)], stdin=-1, stdout=-1
        )
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send_all(json.dumps(conversations).encode() + b"\n")
        lines = read_lines(process.stdout)
        await anext(lines)
        bots = [await BotProcess.start(bot, address, str(seat)) for seat in range(SEATS)]
        try:
            seconds = float(await anext(lines))
        finally:
            for started in bots:
                await started.stop()
        await process.wait()
    return seconds / asked * 1e6


async def refereed(matches: int, at_once: int) -> float:
    """Return the microseconds that one asked decision takes in refereed toy matches."""
    bots: tuple[BotDirectory, ...] = (read_bot(BOT),) * SEATS
    asked = 0

    async def report(_number: int, result: MatchResult) -> None:
        nonlocal asked
        asked += result.asked

    async with open_pool(referees=1, at_once=at_once) as pool:
        await pool.play(_fixture(0, bots))
        started = time.perf_counter()
        await play_all(pool, [_fixture(number, bots) for number in range(1, matches)], at_once, report)
        return (time.perf_counter() - started) / asked * 1e6


def _fixture(number: int, bots: tuple[BotDirectory, ...]) -> Fixture:
    return Fixture(f"{number:032x}", "toy", {}, bots, number, TimeControl())


def main() -> None:
    """Print the figures, medians of interleaved rounds."""
    configure_logs("error", as_json=False)
    for at_once, matches in ((1, 120), (16, 480)):
        conversations = asyncio.run(converse_all(matches))
        pairs = [(trio.run(floor, conversations, at_once), trio.run(refereed, matches, at_once)) for _ in range(ROUNDS)]
        bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(second / first for first, second in pairs)
        print(
            f"{at_once:2} matches at once: bare echo {bare:4.0f} µs, refereed {ours:4.0f} µs a decision: "
            f"{ratio:.2f} × the floor",
            end="",
        )
        print(f", {100 / ratio:.0f} % of its rate" if at_once > 1 else "")


if __name__ == "__main__":
    main()
