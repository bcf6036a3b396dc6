"""A real cluster on this machine: a scheduler, workers and arenas as separate processes, on loopback only."""

from __future__ import annotations

import io
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ratings.ledger.chain import export_lines

PATIENCE_SECONDS = 240.0
CHAOS_SECONDS = 600.0
LEAVE_SECONDS = 120.0
UNHURRIED = "time_control = { bank_ms = 3600000, cap_ms = 3600000, join_ms = 120000 }"  # however busy the machine is
SAMPLE_BOT = Path(__file__).resolve().parents[2] / "sample_bots" / "python"
BIN = Path(sys.executable).parent


class LocalCluster:
    """A scheduler and its workers, all of which may be killed and started again."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None, protocol: str = "tcp") -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.protocol = protocol
        self.environment = {**os.environ, **(environment or {})}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._starts: Counter[str] = Counter()

    def start(self, name: str, command: Sequence[str | Path]) -> subprocess.Popen[bytes]:
        """Start a process, with its output in a file of that name."""
        self._starts[name] += 1
        with self._log(name, self._starts[name]).open("wb") as log:
            process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env=self.environment,
                start_new_session=True,
            )  # fmt: skip
        self.processes[name] = process
        return process

    def start_scheduler(self) -> None:
        """Start a scheduler, and wait until it has written its file."""
        self.file.unlink(missing_ok=True)
        self.start(
            "scheduler",
            (
                BIN / "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0",
                "--protocol", self.protocol, "--scheduler-file", self.file,
            ),
        )  # fmt: skip
        self.wait_for(lambda: self.file.is_file() and self.file.stat().st_size > 0, "the scheduler")

    def start_worker(self, name: str, *options: str, program: Sequence[str | Path] | None = None) -> None:
        """Start a worker of one core."""
        command = program or (BIN / "arena", "worker")
        self.start(name, (*command, self.file, "--name", name, "--cores", "1", *options))

    def log_of(self, name: str) -> str:
        """Return the output of all processes of a name, one after another."""
        starts = range(1, self._starts[name] + 1)
        return "".join(self._log(name, number).read_text("utf-8", "replace") for number in starts)

    def _log(self, name: str, number: int) -> Path:
        return self.folder / f"{name}-{number}.log"

    def wait_for_worker(self, name: str) -> None:
        """Wait until the last worker of a name has joined."""
        log = self._log(name, self._starts[name])
        self.wait_for(lambda: b"worker.started" in log.read_bytes(), name)

    def wait_for(self, is_there: Callable[[], bool], what: str) -> None:
        """Wait for something; an AssertionError if it does not come."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_there():
            assert time.monotonic() < end, f"{what} did not appear: {[self.log_of(name) for name in self.processes]}"
            time.sleep(0.05)

    def kill(self, name: str) -> None:
        """Kill a process with SIGKILL."""
        process = self.processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self, name: str) -> None:
        """Ask a process to end, and wait for it."""
        process = self.processes.pop(name)
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Stop everything, the scheduler last."""
        for name in [*(name for name in self.processes if name != "scheduler"), *self.processes.keys() & {"scheduler"}]:
            self.stop(name)


@contextmanager
def local_cluster(
    folder: Path, workers: Sequence[str] = (), environment: Mapping[str, str] | None = None, protocol: str = "tcp"
) -> Iterator[LocalCluster]:
    """Yield a cluster, and leave nothing of it behind."""
    cluster = LocalCluster(folder, environment, protocol)
    try:
        cluster.start_scheduler()
        for name in workers:
            cluster.start_worker(name)
        for name in workers:
            cluster.wait_for_worker(name)
        yield cluster
    finally:
        cluster.close()


def waiting_bot(folder: Path, seconds: float, name: str = "patient", concurrency: int = 4) -> Path:
    """Write a bot that waits before each answer, like one with a slow oracle; return its directory."""
    place = folder / name
    place.mkdir(parents=True)
    text = (SAMPLE_BOT / "bot.py").read_text("utf-8")
    waiting = text.replace(
        "                    answer = choose(",
        f"                    await asyncio.sleep({seconds})\n                    answer = choose(",
    )
    assert waiting != text, "the starter bot has changed"
    (place / "bot.py").write_text(waiting, "utf-8")
    (place / "bot.toml").write_text(
        f'name = "{name}"\ncommand = ["python3", "bot.py"]\nconcurrency = {concurrency}\ndeterministic = true\n',
        "utf-8",
    )
    return place


def tournament_file(folder: Path, bot: Path, bots: int, **settings: object) -> Path:
    """Write the file of a tournament of one bot under many names."""
    words = {"name": "cup", "game": "toy", "seed": 7, "rounds": 3, "seats": 2, "referees": 1, **settings}
    said = {True: "true", False: "false"}
    lines = [f"{key} = {said[value] if isinstance(value, bool) else repr(value)}" for key, value in words.items()]
    entries = [f'[[bot]]\npath = "{bot}"\nname = "b{number:04d}"' for number in range(bots)]
    file = folder / "cup.toml"
    file.write_text("\n".join([*lines, UNHURRIED, *entries]) + "\n", "utf-8")
    return file


def exported(database: Path) -> bytes:
    """Return the whole ledger, as arena ledger export writes it."""
    out = io.StringIO()
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        export_lines(connection, out)
    return out.getvalue().encode()


def stored_matches(database: Path) -> int:
    """Return the number of matches in a database so far; 0 if it does not exist yet."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM match").fetchone()[0])
    except sqlite3.Error:
        return 0  # it is being made


def chaos(folder: Path, file: Path, seed: int, kills: int, matches: int) -> list[str]:
    """Run a tournament on a cluster whose workers, scheduler and arena are killed at random; return the victims.

    A kill comes after a number of stored matches, however long that takes, and the last one well before the end.
    Killed processes are restarted; workers wait for a lost scheduler on their own.
    """
    dice = random.Random(seed)
    database = folder / f"chaos-{seed}.db"
    place = folder / f"chaos-{seed}"
    place.mkdir()
    victims = ["w1", "scheduler", "arena", *dice.choices(["w1", "w2", "w2", "scheduler", "arena"], k=kills - 3)]
    dice.shuffle(victims)
    thresholds = sorted(dice.sample(range(1, matches * 3 // 4), kills))
    killed: list[str] = []
    with clean_folder() as scratch, local_cluster(place, ("w1", "w2"), {"TMPDIR": str(scratch)}) as cluster:
        arena = (BIN / "arena", "tournament", "run", file, "--db", database, "--cluster", cluster.file)

        def start(name: str) -> None:
            if name == "scheduler":
                cluster.start_scheduler()
            elif name == "arena":
                cluster.start("arena", arena)
            else:
                cluster.start_worker(name)

        start("arena")
        end = time.monotonic() + CHAOS_SECONDS
        while (code := cluster.processes["arena"].poll()) is None:
            assert time.monotonic() < end, f"it never ended: {cluster.log_of('arena')}"
            if victims and stored_matches(database) >= thresholds[len(killed)]:
                killed.append(victims.pop())
                cluster.kill(killed[-1])
                start(killed[-1])
            time.sleep(0.05)
        assert code == 0, cluster.log_of("arena")
        assert not victims, f"{victims} were not killed: the tournament was too short"
        for name in ("w1", "w2"):
            cluster.wait_for_worker(name)  # it removes the leftovers of earlier ones
    return killed


@contextmanager
def clean_folder() -> Iterator[Path]:
    """Yield a short folder for temporary files; nothing may be left in it, and no process may still use it.

    Dask's folder for its locks may stay.
    """
    with tempfile.TemporaryDirectory(prefix="cl-") as folder:
        scratch = Path(folder)
        scratch.chmod(0o755)  # sandboxed bots read in it
        yield scratch
        end = time.monotonic() + LEAVE_SECONDS
        while (left := remains(scratch)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left, left


def remains(scratch: Path) -> list[str]:
    """Return the contents of a folder for temporary files, and the processes that refer to it."""
    return [each.name for each in scratch.iterdir() if each.name != "dask-scratch-space"] + processes_of(scratch)


def processes_of(scratch: Path) -> list[str]:
    """Return the commands of all processes that refer to a folder for temporary files."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if str(scratch).encode() in command + (process / "environ").read_bytes():
                found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found
