"""What a bot prints when a match ends is filed under that match."""

from __future__ import annotations

from pathlib import Path

import trio

from arena.bots.directory import Bot, read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.match_writer import match_to_store
from arena.play.pool import play_all
from arena.store.rows import MatchToStore
from ratings.points.result import Fixture
from referee.order import Ending, MatchResult, told_id
from tests.patience import patience

MATCHES = 20

# Says when a match begins and, slowly, when it ends.
BOT = """
FAILS_IN = 0
import asyncio, os, time
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

async def play():
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        begun = 0
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    begun += 1
                    print("begins", message.match_started.match_id, flush=True)
                elif kind == "prompt":
                    if begun == FAILS_IN:
                        raise SystemExit("out of ideas")
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


def talker(folder: Path, *, fails_in: int = 0) -> Bot:
    """A bot that says when a match begins and ends; it fails in its n-th."""
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.replace("FAILS_IN = 0", f"FAILS_IN = {fails_in}"))
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\ncommand = ["python3", "bot.py"]\n')
    return read_bot(folder)


def test_what_a_bot_prints_when_a_match_ends_is_filed_under_that_match(tmp_path: Path) -> None:
    """One process plays match after match, and is busy for a moment after each."""
    bot = talker(tmp_path / "talker")
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


def test_a_match_keeps_what_its_bots_printed_in_it_and_all_that_a_failed_bot_said(tmp_path: Path) -> None:
    """The fault may have begun before the match; a bot that played on is none of its business."""
    failing, steady = talker(tmp_path / "failing", fails_in=2), talker(tmp_path / "steady")
    seating = (steady.label, failing.label)
    heard: dict[tuple[str, int], str] = {}
    stored: list[MatchToStore] = []

    async def journey() -> None:
        def hear(match_id: str, seat: int, printed: str) -> None:
            heard[match_id, seat] = printed

        async with open_pool(log_level="error", heard=hear) as pool:
            with trio.fail_after(patience(6)):
                for game in range(2):
                    fixture = Fixture("cup", 1, 1, game, seating, game)
                    result = await pool.play(MatchToPlay(fixture.match_id, "toy", {}, (steady, failing), game))
                    printed = {seat: heard.get((fixture.match_id, seat), "") for seat in range(2)}
                    stored.append(match_to_store(pool, fixture, 1, "toy", result, printed))

    trio.run(journey)
    first, second = stored
    assert first.result.seat_endings == (Ending.COMPLETED, Ending.COMPLETED)
    assert second.result.seat_endings[0] is Ending.COMPLETED
    assert second.result.seat_endings[1] not in (Ending.COMPLETED, Ending.VOIDED)

    def said(match: MatchToStore) -> list[str]:
        return [text for _, text in match.outputs]

    def told(match: MatchToStore, seat: int) -> str:
        return told_id(match.fixture.seed, match.result.match_id, seat)

    assert [seat for seat, _ in second.outputs] == [0, 1]
    assert said(first) == [f"begins {told(first, seat)}\nends {told(first, seat)}\n" for seat in (0, 1)]
    assert said(second)[0] == f"begins {told(second, 0)}\nends {told(second, 0)}\n"
    assert said(second)[1].startswith(said(first)[1] + f"begins {told(second, 1)}\n")
    assert "out of ideas" in said(second)[1]
