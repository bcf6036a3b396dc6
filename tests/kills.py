"""SIGKILL at random moments: what is resumed ends with the bytes of a run that was never killed.

    python -m tests.kills [--kills 100] [--seed 1] [--series tournament,serve,test,analyse,cluster]

Kills are shared out among the series. A kill comes at any moment between the start of a run and the time that an
undisturbed one takes, and hits the arena's process, whose referees and bots have to end by themselves; then the same
command is run again. A run that is through before its series has had its kills is compared, and the next one begins
with an empty database. In the series `cluster` workers, the scheduler and the arena are killed in turn. Compared are
the exported ledgers, and for `analyse` the judgements too. Prints one line per series; the exit code is 1 if bytes
differ, if a stored match was lost or if a process is left.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from arena.bench.figures import Targets
from arena.bench.local_cluster import chaos, exported, processes_of, tournament_file, waiting_bot
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import RANDOM_BOT, bot_archive, bot_directory, running

ARENA = (sys.executable, "-m", "arena")
LONG = 'name = "long"\ngame = "toy"\nbots = ["one", "two", "three"]\nrounds = 12\n'
UNHURRIED = ("join_ms=600000", "bank_ms=3600000", "cap_ms=3600000")  # no clock may decide on a busy machine
MAX_SECONDS = 1_800  # for one run, or for anything to end
LOOK_SECONDS = 0.02
MAX_SHOWN = 600  # bytes of a line that differs

Command = Callable[[Path], Sequence[object]]
IsOver = Callable[[Path], bool]


@dataclass
class Tally:
    """What came of a series."""

    kills: int = 0
    runs: int = 0
    size: int = 0
    different: int = 0
    lost: int = 0
    """Kills after which less was stored than before."""

    def compare(self, found: bytes, whole: bytes) -> None:
        """Take down a run that has come to its end, and print where it differs first."""
        self.runs += 1
        self.size = len(whole)
        self.different += found != whole
        if found != whole:
            lines = enumerate(zip_longest(found.splitlines(), whole.splitlines(), fillvalue=b""), start=1)
            number, (line, expected) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
            print(f"line {number} is\n  {line[:MAX_SHOWN]!r}\ninstead of\n  {expected[:MAX_SHOWN]!r}", flush=True)


def query(database: Path, sql: str) -> list[tuple[object, ...]]:
    """Ask a database; nothing if it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()
    except sqlite3.Error:
        return []


def stored(database: Path) -> int:
    """Return how many matches and judgements a database has."""
    return sum(len(query(database, f"SELECT 1 FROM {table}")) for table in ("match", "judgement"))


def contents(database: Path) -> bytes:
    """Return the ledger and the judgements."""
    judged = query(database, "SELECT * FROM judgement ORDER BY 1, 2, 3, 4")
    return exported(database) + repr(judged).encode()


def begin(command: Sequence[object], log: Path) -> subprocess.Popen[bytes]:
    """Start the arena in a session of its own."""
    with log.open("ab") as out:
        return subprocess.Popen([*ARENA, *map(str, command)], stdout=out, stderr=out, start_new_session=True)


def play(file: Path, database: Path) -> None:
    """Play a tournament without a kill."""
    words = (*ARENA, "tournament", "run", str(file), "--db", str(database), "-q")
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, timeout=MAX_SECONDS)


def ended(database: Path) -> bool:
    """Return whether the only tournament has been played to its end."""
    return query(database, "SELECT state FROM tournament") == [("finished",)]


def survive(
    folder: Path, first: Path | None, command: Command, kills: int, dice: random.Random, is_over: IsOver | None = None
) -> Tally:
    """Kill a command again and again, and compare what it comes to with a run that was not killed.

    Every run begins with a copy of the first database, if there is one. A command that does not end by itself, as a
    server does not, is over when `is_over` says so.
    """
    tally = Tally()

    def run(database: Path, seconds: float) -> bool:
        """Run once; kill it after some seconds and return whether it was through before."""
        process = begin(command(database), folder / "log")
        started = time.monotonic()
        try:
            while time.monotonic() - started < seconds:
                if is_over is not None and is_over(database):
                    return True
                if (code := process.poll()) is not None:
                    assert code in (0, 3), (folder / "log").read_text("utf-8", "replace")[-2_000:]
                    return True
                time.sleep(LOOK_SECONDS)
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def was_over(database: Path) -> bool:
        """Return whether a kill came after the last commit: the same command would begin something new."""
        return is_over is not None and is_over(database)

    def new(name: str) -> Path:
        database = folder / f"{name}.db"
        if first is not None:
            shutil.copy(first, database)
            if (bots := first.with_name(f"{first.stem}-bots")).is_dir():
                shutil.copytree(bots, folder / f"{name}-bots")
        return database

    undisturbed = new("whole")
    began = time.monotonic()
    assert run(undisturbed, MAX_SECONDS)
    usual = time.monotonic() - began
    whole = contents(undisturbed)
    while tally.kills < kills:
        database = new(f"killed-{tally.runs}")
        is_through, so_far = False, tally.kills
        while tally.kills < kills and not is_through:
            before, began = stored(database), time.monotonic()
            is_through = run(database, dice.uniform(0, usual))
            if is_through and tally.kills == so_far:  # the machine has become faster: later kills come earlier
                usual = max(0.9 * min(usual, time.monotonic() - began), 0.1)
            tally.kills += not is_through
            is_through = is_through or was_over(database)
            tally.lost += stored(database) < before
        if not is_through:
            assert run(database, MAX_SECONDS)
        tally.compare(contents(database), whole)
    return tally


def tournament(folder: Path, kills: int, dice: random.Random) -> Tally:
    """Kill `arena tournament run`."""
    file = tournament_file(folder, RANDOM_BOT, 4, rounds=12)
    return survive(folder, None, lambda database: ("tournament", "run", file, "--db", database, "-q"), kills, dice)


def serve(folder: Path, kills: int, dice: random.Random) -> Tally:
    """Kill `arena serve` while it plays a tournament of submitted bots."""
    with running(folder / "first") as server:
        for name in ("one", "two", "three"):
            server.submit(name, bot_archive(folder, name), server.token("ann"))
        server.call("StartTournament", pb.StartTournamentRequest(toml=LONG), server.token("olga", "organiser"))
        server.stop()  # wherever it is by then: all runs go on from there
    words = ("serve", "--listen", "127.0.0.1:0", "--judge", "0", "--allow-unsandboxed", "--db")
    return survive(folder, server.db, lambda database: (*words, database), kills, dice, ended)


def test(folder: Path, kills: int, dice: random.Random) -> Tally:
    """Kill `arena test`."""
    new, old = (bot_directory(folder, name) for name in ("new", "old"))
    words = ("test", new, "--against", old, "--game", "toy", "--seats", 2, "--seed", 5, "--max-blocks", 40, "-q")
    times = tuple(word for each in UNHURRIED for word in ("--time", each))
    return survive(folder, None, lambda database: (*words, *times, "--db", database), kills, dice, ended)


def analyse(folder: Path, kills: int, dice: random.Random) -> Tally:
    """Kill `arena analyse` of a whole tournament."""
    file = tournament_file(folder, RANDOM_BOT, 4, rounds=3)
    first = folder / "first.db"
    play(file, first)
    words = ("analyse", "--tournament", "cup", "--effort", 1, "--processes", 2, "-q", "--db")
    return survive(folder, first, lambda database: (*words, database), kills, dice)


def cluster(folder: Path, kills: int, dice: random.Random) -> Tally:
    """Kill the workers, the scheduler and the arena of a tournament on a cluster."""
    bots, rounds, at_most = 8, 3, 7
    file = tournament_file(folder, waiting_bot(folder, 0.03), bots, rounds=rounds, chunk=4)
    database = folder / "whole.db"
    play(file, database)
    tally = Tally()
    while tally.kills < kills:
        seed = dice.randrange(1_000_000)
        tally.kills += len(chaos(folder, file, seed, max(3, min(at_most, kills - tally.kills)), bots * rounds))
        tally.compare(exported(folder / f"chaos-{seed}.db"), exported(database))
    return tally


SERIES = {each.__name__: each for each in (tournament, serve, test, analyse, cluster)}


def left_over(scratch: Path) -> list[str]:
    """Return what still runs of a series, after waiting for it to end."""
    end = time.monotonic() + MAX_SECONDS
    while (left := processes_of(scratch)) and time.monotonic() < end:
        time.sleep(0.1)
    return left


def main() -> int:
    """Kill, resume and compare, one series after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="in all series together")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--keep", type=Path, help="a directory for the databases and logs of each series")
    parser.add_argument("--series", default=",".join(SERIES), help="some of them")
    options = parser.parse_args()
    names = options.series.split(",")
    if unknown := set(names) - set(SERIES):
        parser.error(f"--series: {sorted(unknown)[0]!r} is unknown; expected some of: {', '.join(SERIES)}")
    targets = Targets()
    for number, name in enumerate(names):
        share = options.kills // len(names) + (number < options.kills % len(names))
        with tempfile.TemporaryDirectory(prefix="kills-") as text:
            folder = Path(text)
            folder.chmod(0o755)  # sandboxed bots read in it
            (folder / "tmp").mkdir(mode=0o755)
            os.environ["TMPDIR"] = str(folder / "tmp")
            began = time.monotonic()
            tally = SERIES[name](folder, share, random.Random(f"{options.seed}/{name}"))
            left = left_over(folder / "tmp")
            seconds = time.monotonic() - began
            if options.keep is not None:
                shutil.copytree(folder, options.keep / name, ignore=shutil.ignore_patterns("tmp", "s"))
        said = f"{name}: {tally.kills} kills, {tally.runs} runs resumed to the end, {tally.different} differ"
        said += f" ({tally.size:,} bytes), {tally.lost} lost a stored match, {len(left)} processes left"
        targets.check(f"{said}; {seconds:.0f} s", not (tally.different or tally.lost or left))
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())
