"""A cluster that grows and shrinks with the need, by dask-jobqueue as on SLURM: sbatch and scancel are those of PATH.

    python -m tests.arena.cluster.adaptive_cluster

It prints the address of its scheduler, and ends with its input.
"""

from __future__ import annotations

import sys

from dask_jobqueue.slurm import SLURMCluster


def main() -> None:
    """Serve until the input ends."""
    with SLURMCluster(
        cores=1,
        processes=1,
        memory="1GB",
        python=sys.executable,
        worker_command="arena.cluster.dask_worker",
        scheduler_options={"host": "127.0.0.1", "port": 0, "dashboard_address": "127.0.0.1:0"},
    ) as cluster:
        cluster.adapt(minimum_jobs=1, maximum_jobs=3, interval="500ms", target_duration="500ms")
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
