"""A cluster worker: Dask's own, with safe bindings, its identity, and a host process that plays."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from distributed import Status, Worker

from arena.bots.scratch import scratch_folder
from arena.cluster.address import check_listen, scheduler_address, security
from arena.cluster.dask_logs import silence
from arena.cluster.identity import CORES_PER_CHUNK, METRIC, games_here, offered
from arena.cluster.task import HostProcess, end_host, host_here
from arena.sandbox.levels import Level
from referee.logs import log
from referee.mistakes import UserError
from referee.software import SOFTWARE

DASHBOARD = "127.0.0.1:0"  # set even though there is none: without it Dask listens on all addresses
CLOSE_SECONDS = 5.0
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The settings of a worker."""

    scheduler: str
    listen: str
    name: str
    cores: int
    machine_class: str
    cache_mb: int
    patience_seconds: float = math.inf
    """How long to wait for an unreachable scheduler."""

    @staticmethod
    def default_name() -> str:
        """Return a name that is unique among the workers of this machine."""
        return f"{socket.gethostname()}-{os.getpid()}"


def work(settings: WorkerSettings) -> None:
    """Play for the scheduler's clients until stopped or retired; wait for a lost scheduler."""
    silence()
    check_listen(scheduler_address(settings.scheduler, "ADDRESS"), settings.listen)
    host_here(settings.cores, settings.cache_mb)
    with scratch_folder() as scratch:
        try:
            asyncio.run(_work(settings, str(scratch)))
        finally:
            end_host()
    os._exit(0)  # threads of Dask that still wait for a chunk would keep the process


async def _work(settings: WorkerSettings, scratch: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    stop = asyncio.ensure_future(stopping.wait())
    is_lost = False
    heard = loop.time()
    while not stopping.is_set() and loop.time() - heard < settings.patience_seconds:
        try:
            address = scheduler_address(settings.scheduler, "ADDRESS")
            check_listen(address, settings.listen)
            worker = _worker(settings, address, scratch)
            await asyncio.wait_for(worker, 30)
        except (OSError, TimeoutError, ValueError, RuntimeError, UserError) as error:
            if not is_lost:
                log.warning("scheduler.unreachable", reason=str(error) or type(error).__name__)
            is_lost = True
        else:
            is_lost = False
            log.info("worker.started", name=settings.name, scheduler=address, address=worker.address)
            finished = asyncio.ensure_future(worker.finished())  # type: ignore[no-untyped-call]  # Dask's
            await asyncio.wait([stop, finished], return_when=asyncio.FIRST_COMPLETED)
            heard = loop.time()
            with suppress(Exception):  # the scheduler may be gone
                await asyncio.wait_for(worker.close(timeout=CLOSE_SECONDS, executor_wait=False), CLOSE_SECONDS)
            if worker.was_retired:
                log.info("worker.retired", name=settings.name)
                break
            if not stopping.is_set():
                log.warning("scheduler.lost", scheduler=address)
        await asyncio.wait([stop], timeout=0 if stopping.is_set() else RETRY_SECONDS)
    log.info("worker.stopped", name=settings.name)


class _Worker(Worker):
    """Dask's worker, which remembers whether it was retired, as by an adaptive cluster."""

    was_retired = False

    async def close(self, *words: Any, **settings: Any) -> str | None:  # type: ignore[override]  # so does Dask's
        """Close it as Dask does."""
        self.was_retired = self.was_retired or self.status is Status.closing_gracefully
        return await super().close(*words, **settings)


def _worker(settings: WorkerSettings, address: str, scratch: str) -> _Worker:
    host = host_here()
    level = Level(host.ready["sandbox"])
    return _Worker(
        address,
        host=settings.listen,
        name=settings.name,
        nthreads=int(settings.cores / CORES_PER_CHUNK),
        resources=offered(level, settings.cores, settings.machine_class),
        dashboard_address=DASHBOARD,
        local_directory=scratch,
        memory_limit=0,  # its own memory is small, and bots have their own limits
        security=security(),
        metrics={METRIC: lambda _worker: _about(settings, host_here() if not host.is_alive else host)},
    )


def _about(settings: WorkerSettings, host: HostProcess) -> dict[str, Any]:
    return {
        "software": SOFTWARE,
        "games": games_here(),
        "sandbox": host.ready["sandbox"],
        "calibration": host.ready["calibration"],
        "cores": settings.cores,
        "class": settings.machine_class,
        **host.about,
    }
