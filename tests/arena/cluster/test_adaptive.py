"""Workers that come and go: a cluster of dask-jobqueue that adapts to the need, whose jobs are killed at random."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena.bench.local_cluster import (
    BIN,
    clean_folder,
    exported,
    processes_of,
    stored_matches,
    tournament_file,
    waiting_bot,
)
from arena.store.database import open_store
from tests.patience import patience

ROOT = Path(__file__).parents[3]
PATIENCE_SECONDS = patience(60)
FIRST_KILL = 6  # matches are stored by then
SBATCH = """#!/bin/bash
setsid sh -c "exec > {jobs}/\\$\\$.log 2>&1; touch {jobs}/\\$\\$ {jobs}/\\$\\$.began; $(cat "$1")" &
until [ -e {jobs}/$!.began ]; do sleep 0.01; done  # from now on it is a group of its own, which can be killed
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/bash
rm -f {jobs}/$1
kill -TERM -- -$1
"""


class Jobs:
    """SLURM as far as a cluster needs it: every job is a group of processes of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "jobs"
        self.folder.mkdir()
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
            (self.programs / name).write_text(text.format(jobs=self.folder))
            (self.programs / name).chmod(0o755)

    @property
    def running(self) -> list[int]:
        """The jobs that were submitted and neither cancelled nor killed."""
        return sorted(int(file.name) for file in self.folder.iterdir() if file.name.isdigit())

    @property
    def working(self) -> list[int]:
        """Those of them that have joined the cluster: dask-jobqueue never learns of the end of others."""
        return [job for job in self.running if "worker.started" in (self.folder / f"{job}.log").read_text()]

    @property
    def log(self) -> str:
        """What all of them have printed."""
        return "".join(file.read_text() for file in sorted(self.folder.glob("*.log")))

    def kill(self, job: int) -> None:
        """Take the machine away from a job, as a spot market does."""
        (self.folder / str(job)).unlink(missing_ok=True)  # it may have been cancelled this moment
        with suppress(ProcessLookupError):
            os.killpg(job, signal.SIGKILL)


@contextmanager
def adaptive_cluster(jobs: Jobs, scratch: Path) -> Iterator[str]:
    """Lend the address of a scheduler whose workers come when they are needed and go when they are not."""
    environment = os.environ | {
        "PATH": f"{jobs.programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch),
    }  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "tests.arena.cluster.adaptive_cluster"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    ) as cluster:  # fmt: skip
        assert cluster.stdin is not None
        assert cluster.stdout is not None
        try:
            yield cluster.stdout.readline().strip()
        finally:
            cluster.stdin.close()
            cluster.wait(PATIENCE_SECONDS)
            end = time.monotonic() + PATIENCE_SECONDS
            while processes_of(scratch) and time.monotonic() < end:
                time.sleep(0.05)
            # As the next worker or arena on this machine would: what was killed at the end has left its folder.
            sweep = "from arena.bots.scratch import sweep_folders; sweep_folders()"
            subprocess.run([sys.executable, "-c", sweep], env=environment, check=True)


@pytest.mark.long
def test_workers_of_an_adaptive_cluster_come_and_go_and_the_ledger_is_the_same(tmp_path: Path) -> None:
    """It grows while there is much to play, replaces what is killed, and shrinks when the tournament is over.

    At first everybody who plays is killed, so that somebody else must play on, and then one at a time.
    """
    bots, rounds, dice = 8, 4, random.Random(1)
    bot, local, database = waiting_bot(tmp_path, 0.03), tmp_path / "local.db", tmp_path / "cup.db"
    file = tournament_file(tmp_path, bot, bots, rounds=rounds)
    arena = (str(BIN / "arena"), "tournament", "run", str(file), "-q")
    subprocess.run([*arena, "--db", str(local)], check=True)
    tournament_file(tmp_path, bot, bots, rounds=rounds, chunk=2, concurrency=1)  # so that there is much to do for long
    jobs = Jobs(tmp_path)
    most, marks = 0, [FIRST_KILL, 12, 18]
    with clean_folder() as scratch, adaptive_cluster(jobs, scratch) as address:
        tournament = subprocess.Popen([*arena, "--db", str(database), "--cluster", address])
        end = time.monotonic() + PATIENCE_SECONDS
        while tournament.poll() is None:
            assert time.monotonic() < end, jobs.log
            most = max(most, len(jobs.running))
            if marks and stored_matches(database) >= marks[0] and (working := jobs.working):
                for job in working if marks.pop(0) == FIRST_KILL else [dice.choice(working)]:
                    jobs.kill(job)
            time.sleep(0.05)
        assert tournament.returncode == 0, jobs.log
        while len(jobs.running) > 1:
            assert time.monotonic() < end, jobs.log
            time.sleep(0.05)
    assert not marks, "the tournament was too short"
    assert most > 1, "it did not grow"
    assert exported(database) == exported(local)
    store = open_store(database)
    places = [store.workers.played_on(match.id) for match in store.matches.of("cup")]
    store.close()
    assert len({place.worker for place in places if place is not None}) > 1


def test_what_is_wrong_with_a_worker_that_others_start_is_said_in_one_line() -> None:
    """A job that cannot work ends immediately, and its log says why."""
    for words, reason in (
        (("10.0.0.1:8786",), "is plain TCP beyond this machine"),
        (("127.0.0.1:8786", "--interface", "none"), "'none' is not a valid network interface"),
    ):
        command = [sys.executable, "-m", "arena.cluster.dask_worker", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert reason in done.stderr
