"""What a bot prints when a match ends is filed under that match."""

from __future__ import annotations

from pathlib import Path

import trio

from arena.bots.directory import read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import play_all
from referee.order import MatchResult, told_id
from tests.patience import patience

MATCHES = 20

# Says when a match begins and, slowly, when it ends.
BOT = """
import asyncio, os, time
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

async def play():
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    print("begins", message.match_started.match_id, flush=True)
                elif kind == "prompt":
                    prompt = message.prompt
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))
                elif kind == "match_ended":
                    burn = time.process_time() + 0.002
                    while time.process_time() < burn:
                        pass
                    print("ends", message.match_ended.match_id, flush=True)
                elif kind == "goodbye":
                    return

asyncio.run(play())
"""


def test_what_a_bot_prints_when_a_match_ends_is_filed_under_that_match(tmp_path: Path) -> None:
    """One process plays match after match, and is busy for a moment after each."""
    folder = tmp_path / "talker"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text('name = "talker"\ncommand = ["python3", "bot.py"]\n')
    bot = read_bot(folder)
    fixtures = [MatchToPlay(f"match{number:02}", "toy", {}, (bot, bot), number) for number in range(MATCHES)]
    heard: dict[tuple[str, int], str] = {}

    async def journey() -> None:
        async def report(_number: int, _result: MatchResult) -> None:
            await trio.lowlevel.checkpoint()

        def hear(match_id: str, seat: int, printed: str) -> None:
            heard[match_id, seat] = printed

        async with open_pool(log_level="error", heard=hear) as pool:
            with trio.fail_after(patience(6)):
                await play_all(pool, fixtures, 2, report)

    trio.run(journey)
    said = {where: printed.split("\n") for where, printed in heard.items()}
    assert said == {
        (fixture.match_id, seat): [
            f"{verb} {told_id(fixture.seed, fixture.match_id, seat)}" for verb in ("begins", "ends")
        ]
        + [""]
        for fixture in fixtures
        for seat in (0, 1)
    }
