"""A bot with `lookahead = true` finds the rules beside it at every level of the sandbox, within its own limits."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
import trio

from arena.bots.directory import read_bot
from arena.bots.process import FOLDER, BotProcess
from arena.play.pool import MatchToPlay, open_pool
from arena.sandbox.child import family
from arena.sandbox.levels import Level
from referee.games import GAMES
from referee.lookahead.v1 import lookahead_pb2 as pb
from referee.lookahead.v1.lookahead_pb2_grpc import LookaheadServiceStub
from referee.order import Ending, TimeControl
from tests import parts
from tests.lookahead.prompts import position, prompt_of

LOOKING_BOT = '''
"""Asks the helper for three worlds at every prompt, and answers with the best of the options by random playouts."""
import asyncio, os, sys
import grpc
from referee.lookahead.v1 import lookahead_pb2 as look
from referee.lookahead.v1.lookahead_pb2_grpc import LookaheadServiceStub
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

async def main():
    matches, asked = {}, 0
    rules = LookaheadServiceStub(grpc.aio.insecure_channel(os.environ["ARENA_LOOKAHEAD"]))
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    matches[message.match_started.match_id] = message.match_started
                elif kind == "prompt":
                    prompt, match = message.prompt, matches[message.prompt.match_id]
                    made = await rules.Imagine(
                        look.ImagineRequest(game=match.game, seat=match.seat, prompt=prompt.game, count=3))
                    starts = [
                        look.Move(world=made.worlds[0], choices=[look.SeatChoice(seat=match.seat, option_index=index)])
                        for index in range(prompt.option_count)]
                    played = await rules.Playout(look.PlayoutRequest(starts=starts, count=2, only_totals=True))
                    values = [each.value_totals[match.seat] for each in played.starts]
                    free = await rules.Free(look.FreeRequest(handles=[made.tree]))
                    asked += 1
                    print("worlds left", free.world_count, flush=True)
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id)
                    answer.option_index, answer.comment = values.index(max(values)), f"saw {len(values)} futures"
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))
                elif kind == "goodbye":
                    return

asyncio.run(main())
'''
CONTROL = TimeControl(bank_ms=60_000, increment_ms=0, cap_ms=40_000, strike_limit=0, join_ms=40_000)


@pytest.fixture
def looking_bot(tmp_path: Path) -> Path:
    directory = tmp_path / "looking"
    directory.mkdir()
    (directory / "bot.py").write_text(LOOKING_BOT)
    # A directory of stubs of its own beside the bot must not be taken for the rules.
    (directory / "referee").mkdir()
    (directory / "referee" / "README").write_text("not a package of ours")
    manifest = 'name = "looking"\ncommand = ["python3", "-P", "bot.py"]\nlookahead = true\n'
    (directory / "bot.toml").write_text(manifest)
    for folder in (directory, *directory.parents[:2]):
        if folder.owner() == Path.home().owner() or os.getuid() == 0:
            folder.chmod(folder.stat().st_mode | 0o055)
    return directory


def command_lines(pid: int) -> list[bytes]:
    """Return how a process and all that it has started were called."""
    return [Path(f"/proc/{member}/cmdline").read_bytes() for member in family(pid)]


@pytest.mark.parametrize("level", [Level.DEFAULT, Level.LANDLOCK, Level.NONE])
def test_a_bot_looks_ahead_at_every_level(level: Level, looking_bot: Path) -> None:
    if level is Level.LANDLOCK:
        parts.landlock()
    elif level is Level.DEFAULT:
        level = parts.sandbox_for_strangers()
    bot = read_bot(looking_bot)
    assert bot.manifest.lookahead

    async def journey() -> None:
        async with open_pool() as pool:
            pool.sandbox = level
            result = await pool.play(MatchToPlay("m" * 32, "toy", {}, (bot, bot), 5, CONTROL))
            assert result.seat_endings == (Ending.COMPLETED,) * 2, pool.output_of(bot.label)
            assert "worlds left 0" in pool.output_of(bot.label)
            assert "saw " in result.record.splitlines()[-1]
            guests = [guest.process for guest in pool.referees[0].guests.values()]
            for process in guests:
                assert isinstance(process, BotProcess)
                names = command_lines(process.process.pid)
                assert any(b"bot.py" in name for name in names)
                assert any(b"referee.lookahead" in name for name in names), "counted among the bot's own processes"

    trio.run(journey)
    assert not list(Path("/tmp").glob(f"{FOLDER}{os.getpid()}-*")), "sockets are removed"


def test_a_helper_ends_with_its_bot_and_says_why_it_cannot_start(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "referee.lookahead", "--beside", str(tmp_path / "s"), "--"]
    bot = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"]
    process = subprocess.Popen([*command, *bot], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert int(process.stdout.readline()) == process.pid, "the bot is the process that was started"
    _, helper = family(process.pid)
    handle = os.pidfd_open(helper)
    process.kill()
    process.wait()
    assert _ends(handle)
    process.stdout.close()
    missing = subprocess.run([*command, "/no/such/bot"], capture_output=True, text=True, check=False)
    assert missing.stderr == "arena: cannot start /no/such/bot: No such file or directory\n"
    nowhere = subprocess.run(
        [*command[:5], str(tmp_path / "none" / "s"), "--", "true"], capture_output=True, text=True, check=False
    )
    assert nowhere.returncode == 1
    assert "the look-ahead helper cannot listen" in nowhere.stderr
    assert "Traceback" not in nowhere.stderr


def _ends(handle: int) -> bool:
    ready, _, _ = select.select([handle], [], [], 10)
    os.close(handle)
    return bool(ready)


def test_an_author_serves_the_rules_beside_a_bot_of_his_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena", "lookahead", "--json", "--listen"]
    process = subprocess.Popen([*command, "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = json.loads("".join(process.stdout.readline() for _ in range(3)))["address"]
    game = GAMES["toy"]
    state, seat = position(game, 2)
    with grpc.insecure_channel(address) as channel:
        request = pb.ImagineRequest(game="toy", seat=seat, prompt=prompt_of(game, state, seat))
        assert len(LookaheadServiceStub(channel).Imagine(request).worlds) == 1
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    process.stdout.close()
    for wrong in ("0.0.0.0:0", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", f"unix:{tmp_path}/none/s"):
        refused = subprocess.run([*command, wrong], capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert refused.stderr.startswith("arena: --listen: ")
        assert refused.stderr.count("\n") == 1
