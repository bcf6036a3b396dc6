"""A real cluster on this machine: a scheduler, workers and arenas as processes of their own, on loopback alone."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE_SECONDS = 60.0
CHAOS_SECONDS = 180.0
SAMPLE_BOT = Path(__file__).resolve().parent.parent / "sample_bots" / "python"
BIN = Path(sys.executable).parent


class LocalCluster:
    """A scheduler and its workers, all of which may be killed and started again."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None, protocol: str = "tcp") -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.protocol = protocol
        self.environment = {**os.environ, **(environment or {})}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, command: Sequence[str | Path]) -> subprocess.Popen[bytes]:
        """Start a process, its output kept in a file of its name."""
        with (self.folder / f"{name}.log").open("ab") as log:
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
        """Return what a process has printed."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def wait_for_worker(self, name: str) -> None:
        """Wait until a worker has joined."""
        self.wait_for(lambda: "worker.started" in self.log_of(name), name)

    def wait_for(self, is_there: object, what: str) -> None:
        """Wait for something; an AssertionError if it does not come."""
        assert callable(is_there)
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_there():
            assert time.monotonic() < end, f"{what} did not come: {[self.log_of(name) for name in self.processes]}"
            time.sleep(0.05)

    def kill(self, name: str) -> None:
        """Kill a process as hard as can be."""
        process = self.processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self, name: str) -> None:
        """Ask a process to end, and wait for it."""
        process = self.processes.pop(name)
        process.terminate()
        try:
            process.wait(20)
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
    """Lend a cluster, and leave nothing of it behind."""
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
    """Write a bot that waits before each answer, as one does that asks a slow oracle; return its directory."""
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
    file.write_text("\n".join([*lines, *entries]) + "\n", "utf-8")
    return file


def exported(database: Path) -> bytes:
    """Return the whole ledger, as arena ledger export writes it."""
    done = subprocess.run([BIN / "arena", "ledger", "export", "--db", database], capture_output=True, check=True)
    return done.stdout


def chaos(folder: Path, file: Path, seed: int, kills: int, every: tuple[float, float] = (1.0, 2.5)) -> list[str]:
    """Run a tournament on a cluster whose workers, scheduler and arena are killed at random; return who was.

    Whoever was killed is started again. Workers wait for a lost scheduler by themselves.
    """
    dice = random.Random(seed)
    database = folder / f"chaos-{seed}.db"
    place = folder / f"chaos-{seed}"
    place.mkdir()
    victims = ["w1", "scheduler", "arena", *dice.choices(["w1", "w2", "w2", "scheduler", "arena"], k=max(0, kills - 3))]
    dice.shuffle(victims)
    killed: list[str] = []
    with local_cluster(place, ("w1", "w2")) as cluster:
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
        following = time.monotonic() + 4.0
        while (code := cluster.processes["arena"].poll()) is None:
            assert time.monotonic() < end, f"it never ended: {cluster.log_of('arena')}"
            if victims and time.monotonic() > following:
                name = victims.pop()
                cluster.kill(name)
                killed.append(name)
                start(name)
                following = time.monotonic() + dice.uniform(*every)
            time.sleep(0.05)
        assert code == 0, cluster.log_of("arena")
        shutil.copy(cluster.folder / "arena.log", folder / f"chaos-{seed}.log")
    return killed
