"""Clocks under attack: what an honest bot is charged for its thinking beside one that burns, or floods, everything.

The honest bot spends the same CPU time on every decision. It plays against a quiet bot, one that burns every
processor in sixteen processes, and one that sends frames without end, in turns, so that whatever else the machine does
falls on all alike. Compared are the medians of what its clock was charged. A machine that is busy with other work
spreads them; the figure that counts is from one that is not.

python -m tests.clocks [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee.logs import configure_logs
from referee.order import TimeControl
from referee.record import How, read
from tests.journeys.attackers import hostile_bot

THINKING = """
import time
from player import play


def think(_number):
    ends = time.process_time() + 0.02
    while time.process_time() < ends:
        pass


play(think)
"""
QUIET = "from player import play\n\nplay()\n"
OPPONENTS = ("quiet", "clock_burner", "stream_flood")
ALLOWED, FLOOR_MS = 1.10, 2.0
GAME = "carcassonne_city"
PATIENT = TimeControl(bank_ms=600_000, cap_ms=600_000, grace_ms=1_000, join_ms=60_000)


def made(folder: Path, name: str) -> BotDirectory:
    """Return a bot of this name."""
    program = {"quiet": QUIET, "thinker": THINKING}.get(name)
    bot = hostile_bot(folder, "sleeper" if program else name, 512, {})
    if program is None:
        return bot
    (bot.path / "bot.py").write_text(program)
    bot.path.rename(folder / name)
    (folder / name / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\n')
    return read_bot(folder / name)


async def charged(thinker: BotDirectory, opponent: BotDirectory, number: int) -> list[float]:
    """Play one match and return the milliseconds that each answer of the thinker was charged."""
    async with open_pool(sandbox=SandboxPolicy.AUTO) as pool:
        result = await pool.play(MatchToPlay(f"clock-{number}", GAME, {}, (thinker, opponent), number, PATIENT))
    choices = [choice for step in read(result.record).steps for choice in step.choices if choice.seat == 0]
    return [choice.times_us[0] / 1000 for choice in choices if choice.how is How.ANSWERED]


def main() -> int:
    """Measure, and end with exit code 1 if an attack has cost the honest bot its time."""
    parser = argparse.ArgumentParser(prog="python -m tests.clocks")
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    configure_logs("error", as_json=False)
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    times: dict[str, list[float]] = {name: [] for name in OPPONENTS}
    with tempfile.TemporaryDirectory(prefix="arena-clocks-") as text:
        folder = Path(text)
        folder.chmod(0o755)
        thinker = made(folder, "thinker")
        bots = {name: made(folder, name) for name in OPPONENTS}
        for number in range(rounds):
            for name, bot in bots.items():
                times[name] += trio.run(charged, thinker, bot, number)
    quiet = statistics.median(times["quiet"])
    is_fair = True
    for name, found in times.items():
        median = statistics.median(found)
        is_fair = is_fair and median <= max(quiet * ALLOWED, quiet + FLOOR_MS)
        about = f"{median:6.1f} ms charged for 20 ms of thinking ({median / quiet:.2f} of quiet)"
        print(f"against {name:14} {about}, {len(found)} answers")
    return 0 if is_fair else 1


if __name__ == "__main__":
    sys.exit(main())
