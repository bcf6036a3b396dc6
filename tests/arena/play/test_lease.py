"""One runner per tournament: a second one is told in one line, and a killed one loses its lease."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.lease import holding_lease, take
from arena.play.runner import Runner
from arena.store.database import Store, open_store
from arena.store.leases import LEASE_SECONDS
from arena.store.local_time import local_now
from referee.mistakes import UserError
from tests.arena.small_tournament import small_plan


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "arena.db", create=True)
    yield store
    store.close()


def test_a_second_runner_is_told_who_runs_the_tournament(store: Store, tmp_path: Path) -> None:
    """Real runners on one database: while the first holds the lease the second plays nothing."""

    async def main() -> None:
        async with holding_lease(store, "cup"):
            runner = Runner(parse_plan(small_plan(tmp_path), beside(tmp_path)), store, Silent(), local_now)
            runner.enter()
            with pytest.raises(UserError, match=f"cup is being run by process {os.getpid()} on "):
                await runner.run()

    trio.run(main)
    assert store.matches.of("cup") == []


def test_a_lease_ends_with_its_runner(store: Store) -> None:
    async def main() -> None:
        async with holding_lease(store, "cup"):
            pass
        async with holding_lease(store, "cup"), holding_lease(store, "another"):
            pass

    trio.run(main)


def test_a_runner_of_this_machine_that_was_killed_loses_its_lease_at_once(store: Store) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    take(store, "cup", f"{socket.gethostname()} {process.pid} {began} 1")
    with pytest.raises(UserError, match=f"run by process {process.pid} on "):
        take(store, "cup", f"{socket.gethostname()} {os.getpid()} x 2")
    process.kill()
    process.communicate()
    take(store, "cup", f"{socket.gethostname()} {os.getpid()} x 2")


def test_a_runner_elsewhere_loses_its_lease_when_it_is_not_heard_of(store: Store) -> None:
    assert store.leases.take("cup", "far 1 2 3", 1000.0)
    assert not store.leases.take("cup", "here 1 2 3", 1000.0 + LEASE_SECONDS / 2)
    assert store.leases.take("cup", "far 1 2 3", 1000.0 + LEASE_SECONDS / 2), "renewed"
    assert not store.leases.take("cup", "here 1 2 3", 1000.0 + LEASE_SECONDS)
    assert store.leases.take("cup", "here 1 2 3", 1000.0 + 2 * LEASE_SECONDS)
