"""T13.7: a round closes once its pool has the fit of the round before, also of another runner."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from arena.cli.watching import Silent
from arena.fitting.fits import post_fit
from arena.plan.tournament_file import beside, parse_plan
from arena.play import blocks
from arena.play.lease import take
from arena.play.runner import Runner
from arena.store.database import Store, open_store
from arena.store.local_time import local_now
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from tests.arena.small_tournament import small_plan
from tests.sql import select

BOTS = ("ann@1", "bob@1")
POOL = "toy:1"
NOW = "2026-01-02T03:04:05+00:00"
FIXTURE = Fixture("cup", 1, 1, 0, BOTS, 7)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a tournament whose first round is closed and not fitted, as a runner leaves it for a moment."""
    store = open_store(tmp_path / "arena.db", create=True)
    for label in BOTS:
        store.bots.add(label, label[:3], "1", "/bots", {"name": label[:3]}, NOW)
    store.tournaments.add("cup", {"seed": 7}, {}, [(POOL, "toy", 1)], NOW)
    store.tournaments.add_round("cup", 1, "toy", False, [RoundTable(1, BOTS, (7,), 1)])
    store.tournaments.close_round("cup", 1, [LedgerResult(FIXTURE, POOL, (1, 2), "e", ("1", "1"), "d")], [], 1.0)
    yield store
    store.close()


@pytest.fixture
def other(store: Store, tmp_path: Path) -> Runner:
    """The runner of another tournament in the same pool."""
    return Runner(parse_plan(small_plan(tmp_path, name="other"), beside(tmp_path)), store, Silent(), local_now)


def close(other: Runner) -> bool:
    return other.close(1, other.settings.games[0], [], [])


def sealed(store: Store) -> list[str]:
    """The keys of what closes and fits rounds, in order, without the entry that a fit goes up to."""
    rows = select(store, "SELECT key FROM entry WHERE kind IN ('CHECKPOINT', 'FIT') ORDER BY seq")
    return [key.rpartition(":")[0] for (key,) in rows]


def test_T13_7_no_round_closes_before_the_fit_of_another_tournaments_round(store: Store, other: Runner) -> None:
    assert store.pools.unfitted(POOL) == "cup"
    assert not close(other)
    assert sealed(store) == ["checkpoint:cup"]
    assert post_fit(store, POOL)
    assert store.pools.unfitted(POOL) is None
    assert close(other)
    assert sealed(store) == ["checkpoint:cup", f"fit:{POOL}", "checkpoint:other"]


def test_T13_7_the_fit_of_a_runner_that_is_gone_is_entered_for_it(store: Store, other: Runner) -> None:
    """Nobody holds the lease of the cup: its runner was killed after it closed the round."""
    trio.run(other.closing, POOL, lambda: close(other))
    assert sealed(store) == ["checkpoint:cup", f"fit:{POOL}", "checkpoint:other"]


def test_T13_7_the_fit_of_a_runner_that_lives_is_waited_for(
    store: Store, other: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other runner does not fit the pool a second time, and nothing comes between the round and its fit."""
    began = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    take(store, "cup", f"{socket.gethostname()} {os.getpid()} {began} 1")
    monkeypatch.setattr(other, "post_fit", lambda pool: pytest.fail(f"{pool} is being fitted by its own runner"))
    looks = 0

    def look() -> bool:
        nonlocal looks
        looks += 1
        if looks == 3:
            assert post_fit(store, POOL)
        return close(other)

    trio.run(other.closing, POOL, look)
    assert (looks, sealed(store)) == (3, ["checkpoint:cup", f"fit:{POOL}", "checkpoint:other"])


def test_T13_7_a_runner_that_hangs_does_not_hold_up_the_pool(
    store: Store, other: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    take(store, "cup", f"{socket.gethostname()} {os.getpid()} {began} 1")
    monkeypatch.setattr(blocks, "FIT_SECONDS", -1.0)
    trio.run(other.closing, POOL, lambda: close(other))
    assert sealed(store) == ["checkpoint:cup", f"fit:{POOL}", "checkpoint:other"]


def test_T13_7_two_who_fit_the_same_pool_enter_one_fit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process enters its fit while this one is still at work."""
    enter = store.fits.enter

    def enter_second(*values: object) -> bool:
        monkeypatch.setattr(store.fits, "enter", enter)
        assert post_fit(store, POOL)
        return enter(*values)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(store.fits, "enter", enter_second)
    assert not post_fit(store, POOL)
    assert sealed(store) == ["checkpoint:cup", f"fit:{POOL}"]
