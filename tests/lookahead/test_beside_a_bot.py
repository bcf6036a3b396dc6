"""A bot with `lookahead = true` finds the rules beside it at every level of the sandbox, within its own limits."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.process import BotProcess
from arena.bots.scratch import FOLDER
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import Level, SandboxPolicy
from arena.sandbox.processes import family
from referee.games import GAMES
from referee.lookahead.v1 import lookahead_pb2 as pb
from referee.lookahead.v1.lookahead_pb2_grpc import LookaheadServiceStub
from referee.order import Ending, MatchResult, TimeControl
from referee.record import How, read
from tests import parts
from tests.control_groups import lent_groups
from tests.documents import commands
from tests.journeys.commands import ROOT
from tests.lookahead.prompts import position, prompt_of
from tests.patience import patience

LOOKING_BOT = '''
"""Asks the helper for three worlds at every prompt, and answers with the best of the options by random playouts.

Its first word says what else it does: ponder for a quarter of a second at its first prompt, or hoard worlds once the
match has gone on for a while and they have grown.
"""
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
                    request = look.ImagineRequest(game=match.game, seat=match.seat, prompt=prompt.game)
                    if not asked and "ponder" in sys.argv:
                        made = await rules.Imagine(request)
                        playout = look.PlayoutRequest(starts=[look.Move(world=made.worlds[0])], count=10_000)
                        playout.time_limit.FromMilliseconds(250)
                        await rules.Playout(playout)
                    elif "hoard" in sys.argv and asked < 40:
                        asked += 1
                        answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))
                        continue
                    elif "hoard" in sys.argv:
                        own, request.count = bytearray(80 << 20), 200
                        while True:
                            await rules.Imagine(request)
                    request.count = 3
                    made = await rules.Imagine(request)
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
CONTROL = TimeControl(bank_ms=600_000, increment_ms=0, cap_ms=600_000, strike_limit=0, join_ms=300_000)
PATIENCE_SECONDS = patience(12)


@pytest.fixture
def looking_bot(tmp_path: Path) -> BotDirectory:
    return bot_in(tmp_path)


def bot_in(folder: Path, *words: str, memory_mb: int = 512) -> BotDirectory:
    directory = folder / "looking"
    directory.mkdir()
    (directory / "bot.py").write_text(LOOKING_BOT)
    # A directory of stubs of its own beside the bot must not be taken for the rules.
    (directory / "referee").mkdir()
    (directory / "referee" / "README").write_text("not a package of ours")
    command = json.dumps(["python3", "-P", "bot.py", *words])
    (directory / "bot.toml").write_text(
        f'name = "looking"\ncommand = {command}\nlookahead = true\nmemory_mb = {memory_mb}\n'
    )
    for each in (directory, *directory.parents[:2]):
        if each.owner() == Path.home().owner() or os.getuid() == 0:
            each.chmod(each.stat().st_mode | 0o055)
    return read_bot(directory)


def words_of(pid: int) -> list[bytes]:
    """Return how a process was called."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def bot_and_helper(pid: int) -> tuple[int, int]:
    """Return the bot and its helper among what a sandbox has started."""
    pythons = [member for member in family(pid) if b"python" in Path(os.fsdecode(words_of(member)[0])).name.encode()]
    (helper,) = [member for member in pythons if b"referee.lookahead" in words_of(member)]
    (bot,) = [member for member in pythons if member != helper and b"bot.py" in words_of(member)]
    return bot, helper


def confinement(pid: int) -> dict[str, object]:
    """Return what the kernel holds a process to: uid, limits, groups, namespaces, filters, rights."""
    folder = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    return {
        **{key: status[key] for key in ("Uid", "Gid", "NoNewPrivs", "Seccomp", "CapEff", "CapPrm")},
        **{file: (folder / file).read_text() for file in ("limits", "cgroup")},
        "namespaces": {each.name: os.readlink(each) for each in (folder / "ns").iterdir()},
        "root": os.readlink(folder / "root"),
    }


@pytest.mark.parametrize("level", list(Level))
def test_a_bot_looks_ahead_at_every_level_held_to_what_holds_the_bot(level: Level, looking_bot: BotDirectory) -> None:
    """The helper has the bot's own uid, limits, control groups and namespaces: all it uses is counted as the bot's."""
    bot = looking_bot
    assert bot.manifest.lookahead
    seen: list[tuple[dict[str, object], dict[str, object]]] = []

    async def journey() -> None:
        async with open_pool() as pool:
            pool.sandbox = level
            result = await pool.play(MatchToPlay("m" * 32, "toy", {}, (bot, bot), 5, CONTROL))
            assert result.seat_endings == (Ending.COMPLETED,) * 2, pool.output_of(bot.label)
            assert "worlds left 0" in pool.output_of(bot.label)
            assert "saw " in result.record.splitlines()[-1]
            for client in pool.referees[0].clients.values():
                assert isinstance(client.process, BotProcess)
                own, helper = bot_and_helper(client.process.process.pid)
                seen.append((confinement(own), confinement(helper)))

    with ExitStack() as stack:
        if level.holds_untrusted_bots:
            parts.sandbox_for_untrusted_bots()
        if level is Level.FULL:
            stack.enter_context(lent_groups())
        elif level is Level.LANDLOCK:
            parts.landlock()
        trio.run(journey)
    assert len(seen) == 2
    for of_bot, of_helper in seen:
        assert of_helper == of_bot
        assert ("/bot-" in str(of_bot["cgroup"])) == (level is Level.FULL)
        # At level landlock the bots of an ordinary user share its uid, whose other processes would count.
        are_counted = level is not Level.NONE and (level is not Level.LANDLOCK or os.geteuid() == 0)
        assert ("Max processes             128 " in str(of_bot["limits"])) == are_counted
    assert not list(Path("/tmp").glob(f"{FOLDER}{os.getpid()}-*")), "sockets are removed"


def played(bot: BotDirectory, game: str) -> tuple[MatchResult, str]:
    """Play a match against the random bot and return it with what this one has printed."""
    rival = read_bot(ROOT / "sample_bots/python")

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool(sandbox=SandboxPolicy.AUTO) as pool:
            result = await pool.play(MatchToPlay("m" * 32, game, {}, (bot, rival), 5, CONTROL))
            return result, pool.output_of(bot.label)

    return trio.run(journey)


def test_worlds_that_the_helper_holds_count_as_memory_of_the_bot(tmp_path: Path) -> None:
    """Neither of the two has more than the limit; both together do, and that ends the bot."""
    parts.sandbox_for_untrusted_bots()
    result, output = played(bot_in(tmp_path, "hoard", memory_mb=256), "carcassonne_city")
    assert result.seat_endings[0] in (Ending.FORFEIT_CRASH, Ending.FORFEIT_DISCONNECT)
    assert "killed this bot: it used more than its 256 MiB of memory" in output


def test_the_time_that_the_helper_takes_is_the_bots_own(tmp_path: Path) -> None:
    result, output = played(bot_in(tmp_path, "ponder"), "toy")
    assert result.seat_endings == (Ending.COMPLETED,) * 2, output
    answered = [choice for step in read(result.record).steps for choice in step.choices if choice.how is How.ANSWERED]
    own_us, stall_us, _transport_us = next(choice for choice in answered if choice.seat == 0).times_us
    # A moment in which the referee itself stalled is nobody's, and may have been one of these.
    assert own_us + stall_us >= 250_000
    assert own_us > 0


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
    ready, _, _ = select.select([handle], [], [], PATIENCE_SECONDS)
    os.close(handle)
    return bool(ready)


def test_an_author_serves_the_rules_beside_a_bot_of_his_own(tmp_path: Path) -> None:
    """As the page says, but for the port."""
    page = ROOT / "docs/howto/search_from_any_language.md"
    (line,) = [line for line in commands(page) if line.startswith("arena lookahead")]
    assert line.endswith(" --listen 127.0.0.1:7500")
    command = [sys.executable, "-m", *line.split()[:-1]]
    command.insert(-1, "--json")
    process = subprocess.Popen([*command, "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = json.loads("".join(process.stdout.readline() for _ in range(3)))["address"]
    game = GAMES["toy"]
    state, seat = position(game, 2)
    with grpc.insecure_channel(address) as channel:
        request = pb.ImagineRequest(game="toy", seat=seat, prompt=prompt_of(game, state, seat))
        assert len(LookaheadServiceStub(channel).Imagine(request).worlds) == 1
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0
    process.stdout.close()
    for wrong in ("0.0.0.0:0", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", f"unix:{tmp_path}/none/s"):
        refused = subprocess.run([*command, wrong], capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert refused.stderr.startswith("arena: --listen: ")
        assert refused.stderr.count("\n") == 1
