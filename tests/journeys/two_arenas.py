"""Two arenas with two tournaments of one game on one database, and what the audit says of their ledger.

python -m tests.journeys.two_arenas [--seeds 20]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.patience import patience

ARENA = (sys.executable, "-m", "arena")
BOT = Path(__file__).parents[2] / "sample_bots" / "python"
NAMES = ("north", "south")
ROUNDS = 6
SECONDS = patience(60)
"""Of patience with a busy machine."""


def write_file(folder: Path, name: str, seed: int) -> str:
    """Write the file of a tournament with four bots of its own at tables of two; return its name."""
    plan = [
        f'name = "{name}"\ngame = "toy"\nseed = {seed}\nrounds = {ROUNDS}\nreferees = 1\nseats = 2\nmax_seats = 2',
        "time_control = { bank_ms = 3600000, cap_ms = 3600000, join_ms = 120000 }",
        *(f'[[bot]]\npath = "{BOT}"\nname = "{name}{number}"' for number in range(4)),
    ]
    file = folder / f"{name}.toml"
    file.write_text("\n".join(plan))
    return file.name


def start(folder: Path, file: str) -> subprocess.Popen[str]:
    """Start `arena tournament run`, in a session of its own so that it can be killed with its referees and bots."""
    return subprocess.Popen(
        [*ARENA, "tournament", "run", file, "--quiet"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip


def play(folder: Path, seed: int, *, kills: int = 0) -> None:
    """Play both tournaments side by side to their ends; one run or the other is killed some times, and run again."""
    files = [write_file(folder, name, seed) for name in NAMES]
    running = [start(folder, file) for file in files]
    chance = random.Random(seed)
    try:
        for _ in range(kills):
            at = chance.randrange(len(running))
            time.sleep(chance.uniform(0.5, 4.0))
            if running[at].poll() is None:
                os.killpg(running[at].pid, signal.SIGKILL)
                running[at].communicate()
                running[at] = start(folder, files[at])
        for process in running:
            _, said = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, said
    finally:
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()


def verify(folder: Path) -> Any:
    """Return the verdict of `arena ledger verify`."""
    done = subprocess.run(
        [*ARENA, "ledger", "verify", "--json"], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return json.loads(done.stdout)


def main() -> int:
    """Play with several seeds, every other one with kills; exit code 1 says that a ledger has faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.journeys.two_arenas")
    parser.add_argument("--seeds", type=int, default=20)
    faults = 0
    for seed in range(1, parser.parse_args().seeds + 1):
        with TemporaryDirectory(prefix="arena-two-") as folder:
            Path(folder).chmod(0o755)  # sandboxed bots read in it
            play(Path(folder), seed, kills=3 * (seed % 2 == 0))
            found = verify(Path(folder))
        faults += len(found["findings"])
        sys.stdout.write(f"seed {seed}: {found['entries']} entries, {len(found['findings'])} faults\n")
        sys.stdout.flush()
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
