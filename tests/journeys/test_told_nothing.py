"""T2.7: a bot that looks at everything it can reach finds neither seed, match nor the ids of other seats."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee.order import Ending, told_id
from tests.patience import patience

PRYING = """
import asyncio, json, os, random, sys
from pathlib import Path

import bot
from referee.v1 import play_pb2 as pb

PLACES = ("cmdline", "environ", "cgroup", "mountinfo", "status")


def reached():
    found = {"environment": dict(os.environ), "arguments": sys.argv, "folder": os.getcwd(), "host": os.uname().nodename}
    for place in PLACES:
        try:
            found[place] = Path("/proc/self", place).read_text(errors="replace")
        except OSError as error:
            found[place] = str(error)
    for folder in (".", "/tmp", "/run", "/home"):
        try:
            found[folder] = sorted(os.listdir(folder))
        except OSError as error:
            found[folder] = str(error)
    return found


class Prying:
    def __init__(self, stream):
        self.stream = stream

    async def write(self, frame):
        await self.stream.write(frame)

    async def __aiter__(self):
        async for frame in self.stream:
            print("FRAME " + frame.SerializeToString().hex(), flush=True)
            yield frame


print("REACHED " + json.dumps(reached()), flush=True)
Stub = bot.RefereeServiceStub
bot.RefereeServiceStub = lambda channel: type("", (), {"Play": lambda self: Prying(Stub(channel).Play())})()
bot.main(bot.at_random)
"""
SEED = int.from_bytes(bytes(range(100, 132)), "big")
"""256 bits, as a tournament's."""


def prying_bot(folder: Path, name: str) -> BotDirectory:
    bot = folder / name
    bot.mkdir()
    (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "prying.py"]\n')
    (bot / "bot.py").write_text((starter_bots() / "python" / "bot.py").read_text())
    (bot / "prying.py").write_text(PRYING)
    return read_bot(bot)


async def outputs(order: MatchToPlay, sandbox: SandboxPolicy) -> list[str]:
    """Play a match and return what each bot has printed."""
    with trio.fail_after(patience(60)):
        async with open_pool(sandbox=sandbox, log_level="error") as pool:
            result = await pool.play(order)
            assert result.ending is Ending.COMPLETED, result.reason
            return [pool.output_of(bot.label) for bot in order.bots]


def frames_of(output: str) -> list[bytes]:
    return [bytes.fromhex(line[6:]) for line in output.splitlines() if line.startswith("FRAME ")]


@pytest.mark.parametrize("sandbox", [SandboxPolicy.AUTO, SandboxPolicy.OFF])
def test_T2_7_whatever_a_bot_can_reach_names_neither_seed_nor_match_nor_another_seat(
    tmp_path: Path, sandbox: SandboxPolicy
) -> None:
    tmp_path.chmod(0o755)
    bots = tuple(prying_bot(tmp_path, name) for name in ("ann", "bob", "cat"))
    match = sha256(b"cup|1|1|1|toy").hexdigest()
    order = MatchToPlay(match, "toy", {}, bots, SEED, terms="5e" * 32)
    found = trio.run(outputs, order, sandbox)
    ids = [told_id(SEED, match, seat) for seat in range(3)]
    for seat, output in enumerate(found):
        assert '"environment"' in output
        frames = frames_of(output)
        assert any(ids[seat].encode() in frame for frame in frames), "it does see its own id"
        everything = b"\n".join((output.encode(), *frames))
        others = [told for other, told in enumerate(ids) if other != seat]
        names = [bot.label for other, bot in enumerate(bots) if other != seat]
        for secret in (match, str(SEED), f"{SEED:x}", "5e" * 32, *others, *names):
            assert secret.encode() not in everything, secret
            assert bytes.fromhex(secret) not in everything if re.fullmatch("([0-9a-f]{2})+", secret) else True
