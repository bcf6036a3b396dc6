"""The lease of a running tournament: two runners would play the same matches twice."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.store.database import Store
from arena.store.leases import LEASE_SECONDS
from referee.logs import log
from referee.mistakes import UserError


@asynccontextmanager
async def holding_lease(store: Store, tournament: str) -> AsyncIterator[None]:
    """Hold the lease of a tournament while it runs; a UserError if another runner has it.

    A runner on this machine whose process has ended loses its lease immediately, any other within seconds.
    """
    holder = f"{socket.gethostname()} {os.getpid()} {_began(os.getpid())} {secrets.token_hex(8)}"
    take(store, tournament, holder)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_renew, store, tournament, holder, nursery.cancel_scope)
            yield
            nursery.cancel_scope.cancel()
    finally:
        store.leases.end(tournament, holder)


def is_held(store: Store, tournament: str) -> bool:
    """Return whether a tournament has a runner that is not known to be gone."""
    present = store.leases.holder(tournament, time.time())
    return present is not None and not _has_ended(present)


def take(store: Store, tournament: str, holder: str) -> None:
    """Take the lease of a tournament; a UserError names the process that has it."""
    now = time.time()
    present = store.leases.holder(tournament, now)
    dead = present if present is not None and _has_ended(present) else None
    if not store.leases.take(tournament, holder, now, instead_of=dead):
        host, pid = (store.leases.holder(tournament, now) or "another runner 0").split(" ")[:2]
        raise UserError(f"tournament: {tournament} is being run by process {pid} on {host}; stop that one first")


async def _renew(store: Store, tournament: str, holder: str, scope: trio.CancelScope) -> None:
    while True:
        await trio.sleep(LEASE_SECONDS / 4)
        if not await trio.to_thread.run_sync(store.leases.take, tournament, holder, time.time()):
            log.error("lease.lost", tournament=tournament)
            scope.cancel()


def _has_ended(holder: str) -> bool:
    """Return whether a runner on this machine is known to be gone."""
    host, pid, began, _ = holder.split(" ")
    return host == socket.gethostname() and _began(int(pid)) != began


def _began(pid: int) -> str:
    """Return when a process began, in ticks since boot; "-" if it does not run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "-"
    return "-" if fields[0] in "ZX" else fields[19]
