"""arena worker: a worker of a Dask cluster."""

from __future__ import annotations

import os

import click

from arena.cli.options import log_options
from referee.logs import configure_logs, log


@click.command("worker")
@click.argument("address", metavar="ADDRESS|FILE")
@click.option(
    "--listen", default="127.0.0.1", show_default=True, metavar="HOST",
    help="Where to listen for the scheduler and other workers: a local address.",
)  # fmt: skip
@click.option("--name", help="Its name (default: host name and process id).")
@click.option("--cores", type=click.IntRange(1, 1024), help="Cores to play on (default: all).")
@click.option("--class", "machine_class", default="", help="The class of machine it belongs to; see cluster_class.")
@click.option(
    "--cache-mb", default=2048, show_default=True, type=click.IntRange(16, 1 << 20),
    help="Space for cached bots; the least recently used are evicted first.",
)  # fmt: skip
@log_options
def command(
    address: str,
    listen: str,
    name: str | None,
    cores: int | None,
    machine_class: str,
    cache_mb: int,
    log_json: bool,
    log_level: str,
) -> None:
    """Run a worker for a Dask cluster.

    ADDRESS is the scheduler's address or its scheduler file. Beyond this machine it must be tls://, with
    certificates in Dask's own configuration. Only your own machines may be workers: Dask runs code that a worker sends.
    If the scheduler goes away, the worker waits for it to come back.

    \b
    Example: arena worker tls://10.0.0.1:8786 --listen 10.0.0.7
    """
    configure_logs(log_level, as_json=log_json)
    log.load()
    from arena.cluster.address import require_engine

    require_engine("worker")
    from arena.cluster.worker import WorkerSettings, work

    settings = WorkerSettings(
        scheduler=address,
        listen=listen,
        name=name or WorkerSettings.default_name(),
        cores=cores or len(os.sched_getaffinity(0)),
        machine_class=machine_class,
        cache_mb=cache_mb,
    )
    work(settings)
