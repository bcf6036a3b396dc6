"""`arena worker` for programs that start workers themselves, with the options of `dask worker`.

    python -m arena.cluster.dask_worker ADDRESS --name NAME --nthreads CORES …

dask-jobqueue takes it as `worker_command`. Options without a meaning for our workers are ignored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from arena.cluster.address import require_engine
from referee.logs import configure_logs
from referee.mistakes import UserError

UNUSED = ("--memory-limit", "--local-directory", "--protocol", "--nworkers")
"""Bots have their own memory limits; the protocol is part of the address; one worker has all cores."""
PATIENCE_SECONDS = 60.0


def _asked(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.cluster.dask_worker")
    parser.add_argument("address")
    parser.add_argument("--name", default="")
    parser.add_argument("--nthreads", type=int, default=1, help="cores to play on")
    parser.add_argument("--death-timeout", type=float, default=PATIENCE_SECONDS, help="seconds to wait for a scheduler")
    parser.add_argument("--interface", default="", help="the network interface to listen on")
    parser.add_argument("--listen", default="127.0.0.1", help="the address to listen on, without --interface")
    parser.add_argument("--class", dest="machine_class", default="", help="the class of this machine")
    parser.add_argument("--cache-mb", type=int, default=2048, help="room for bots")
    for option in ("--tls-ca-file", "--tls-cert", "--tls-key"):
        parser.add_argument(option)
    for option in UNUSED:
        parser.add_argument(option, help=argparse.SUPPRESS)
    parser.add_argument("--nanny", "--no-nanny", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Run a worker; an error in the call is reported in one line."""
    asked = _asked(sys.argv[1:] if words is None else words)
    configure_logs("info", as_json=False)
    try:
        require_engine("dask_worker")
        import dask
        from distributed.utils import get_ip_interface

        from arena.cluster.worker import WorkerSettings, work

        tls = {"ca-file": asked.tls_ca_file, "worker.cert": asked.tls_cert, "worker.key": asked.tls_key}
        # A worker is a client to its scheduler, too.
        tls |= {"client.cert": asked.tls_cert, "client.key": asked.tls_key}
        dask.config.set({f"distributed.comm.tls.{key}": value for key, value in tls.items() if value})
        work(
            WorkerSettings(
                scheduler=asked.address,
                listen=get_ip_interface(asked.interface) if asked.interface else asked.listen,
                name=asked.name or WorkerSettings.default_name(),
                cores=asked.nthreads,
                machine_class=asked.machine_class,
                cache_mb=asked.cache_mb,
                patience_seconds=asked.death_timeout,
            )
        )
    except (UserError, ValueError) as error:
        sys.stderr.write(f"arena: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
