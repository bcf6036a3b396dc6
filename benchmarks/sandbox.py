"""The cost of the sandbox: at the start of a bot, and in each decision.

python -m benchmarks.sandbox
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import trio

from arena.bots.directory import read_bot
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.child import Child
from arena.sandbox.levels import Level, Limits, SandboxPolicy, detect, launch, runtime_environment
from referee.logs import configure_logs

BOT = Path("sample_bots/python")
STARTS = 31
MATCHES = 12
ROUNDS = 5


async def start(level: Level, command: list[str], directory: Path) -> float:
    """Return the milliseconds from starting a command to the end of a program that only prints a word."""
    began = time.perf_counter()
    with launch(level, command, directory, runtime_environment(level), Limits()) as ready:
        child = Child(ready)
    heard = bytearray()
    await child.watch(heard.extend)
    elapsed = (time.perf_counter() - began) * 1000
    await child.stop()
    assert heard == b"hello\n", heard.decode()
    return elapsed


async def starts() -> None:
    """Interleave plain and sandboxed starts of a shell and of Python."""
    level = detect().level
    directory = read_bot(BOT).path  # any readable by bots
    commands = {"sh": ["/bin/sh", "-c", "echo hello"], "python": ["python3", "-S", "-c", "print('hello')"]}
    for name, command in commands.items():
        times: dict[Level, list[float]] = {Level.NONE: [], level: []}
        for _ in range(STARTS):
            for which, found in times.items():
                found.append(await start(which, command, directory))
        plain, boxed = (statistics.median(found) for found in times.values())
        least = [min(found) for found in times.values()]
        print(f"start {name}: plain {plain:.1f} ms, {level} {boxed:.1f} ms (median of {STARTS});", end=" ")
        print(f"least {least[0]:.1f} and {least[1]:.1f} ms")


async def decisions() -> None:
    """Play the same matches with plain and with sandboxed bots, one at a time, alternating."""
    bot = read_bot(BOT)
    times: dict[SandboxPolicy, list[float]] = {SandboxPolicy.OFF: [], SandboxPolicy.REQUIRED: []}
    async with open_pool(sandbox=SandboxPolicy.OFF) as plain, open_pool(sandbox=SandboxPolicy.REQUIRED) as boxed:
        for turn in range(ROUNDS + 1):
            for policy, pool in ((SandboxPolicy.OFF, plain), (SandboxPolicy.REQUIRED, boxed)):
                began, asked = time.perf_counter(), 0
                for number in range(MATCHES):
                    result = await pool.play(MatchToPlay(f"{turn}/{number}", "norenberc", {}, (bot,) * 2, number))
                    asked += result.asked
                if turn:  # the first turn starts the processes
                    times[policy].append((time.perf_counter() - began) * 1e6 / asked)
    for policy, found in times.items():
        figures = ", ".join(f"{value:.0f}" for value in found)
        print(f"decision, sandbox {policy}: {statistics.median(found):.0f} us each (rounds: {figures})")


def main() -> None:
    """Measure both."""
    configure_logs("error", as_json=False)
    began = time.perf_counter()
    level = detect().level
    print(f"probing: {level} in {(time.perf_counter() - began) * 1000:.0f} ms, once per process")
    trio.run(starts)
    trio.run(decisions)


if __name__ == "__main__":
    main()
