"""Scheduled runs: a real server whose clock the test sets, with real bots, sockets, referees and a real database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, redirect_stderr
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.directory import read_bot
from arena.cli.serve import Settings, serve_until
from arena.plan.timetable import parse_timetable
from arena.play.local_pool import open_here
from arena.play.pool import OpenPool, Pool, PoolConfig
from arena.sandbox.levels import SandboxPolicy
from arena.server.survival import Listener
from arena.store.database import Store, open_store
from arena.store.token_secrets import create
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from referee.logs import configure_logs
from tests.arena.server.running_server import PATIENCE_SECONDS, Server, arena, bot_archive, bot_directory, running
from tests.arena.server.test_remote import Dropping, wait_for_log
from tests.sql import select

CUP: dict[str, Any] = {"name": "cup", "at": "02:00", "until": "07:00", "game": "toy", "rounds": 1, "referees": 1}
LONG = CUP | {"rounds": 40}
ONE_ROUND = 'name = "short"\ngame = "toy"\nbots = ["*"]\nrounds = 1\nreferees = 1\n'
ENDLESS = {key: value for key, value in LONG.items() if key != "until"}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class SetClock:
    """Shows what it was set to last."""

    def __init__(self, text: str) -> None:
        self.present = moment(text)
        self.changed = trio.Event()

    def set(self, text: str) -> None:
        self.present = moment(text)
        self.changed.set()
        self.changed = trio.Event()

    def now(self) -> datetime:
        return self.present

    async def sleep_until(self, until: datetime) -> None:
        while self.present < until:
            await self.changed.wait()


@dataclass
class Arena:
    """A server inside this process, and what it has logged."""

    folder: Path
    store: Store
    clock: SetClock
    logged: StringIO
    addresses: list[str]

    async def call(self, method: str, request: Any, name: str = "olga", role: Role = Role.ORGANISER) -> Any:
        _token, text = create(self.store, name, role, "today")
        server = Server(self.folder, None, self.addresses, [])  # type: ignore[arg-type]  # no process of its own
        if method == "SubmitBot":
            return await trio.to_thread.run_sync(partial(server.submit, request[0], request[1], text))
        return await trio.to_thread.run_sync(partial(server.call, method, request, text))

    def events(self, event: str) -> list[Any]:
        lines = [json.loads(line) for line in self.logged.getvalue().splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    async def until(self, condition: Callable[[], object]) -> None:
        with trio.fail_after(PATIENCE_SECONDS):
            while not condition():  # noqa: ASYNC110  # what we wait for happens in other threads and processes
                await trio.sleep(0.02)

    async def logs(self, event: str, count: int = 1) -> dict[str, Any]:
        """Wait for an event and return it."""
        await self.until(lambda: len(self.events(event)) >= count)
        found: dict[str, Any] = self.events(event)[count - 1]
        return found

    def tournaments(self) -> dict[str, str]:
        return dict(select(self.store, "SELECT id, state FROM tournament ORDER BY rowid"))

    async def finished(self, tournament: str) -> str:
        """Wait for the end of a tournament and return its reason."""
        await self.until(lambda: self.tournaments().get(tournament) == "finished")
        return self.store.tournaments.find(tournament).reason


@asynccontextmanager
async def serving(
    folder: Path,
    now: str,
    *scheduled: dict[str, Any],
    timezone: str = "UTC",
    sandbox: SandboxPolicy = SandboxPolicy.AUTO,  # as everywhere here: at the best level that a machine has
    open_pool: OpenPool = open_here,
) -> AsyncIterator[Arena]:
    """Run a server from a moment on; it is stopped in order."""
    timetable = parse_timetable({"timezone": timezone, "scheduled": list(scheduled)})
    settings = Settings(
        folder / "arena.db", (Listener("127.0.0.1:0"),), timetable=timetable, as_json=True,
        sandbox=sandbox, open_pool=open_pool,
    )  # fmt: skip
    store, clock, stopping = open_store(settings.db, create=True), SetClock(now), trio.Event()
    configure_logs("debug", as_json=True)
    try:
        with redirect_stderr(StringIO()) as logged:
            async with trio.open_nursery() as nursery:
                addresses = await nursery.start(partial(serve_until, stopping, settings, store, clock))
                yield Arena(folder, store, clock, logged, addresses)
                stopping.set()
    finally:
        store.close()


def with_bots(folder: Path, *names: str, games: str = '["toy"]') -> None:
    """Enter bots of the operator's own, whose files stay where they are."""
    store = open_store(folder / "arena.db", create=True)
    for name in names or ("one", "two", "three"):
        bot = read_bot(bot_directory(folder / "bots", name, games=games))
        manifest = {"name": name, "command": list(bot.manifest.command), "games": list(bot.manifest.games)}
        store.bots.add(bot.label, name, bot.version, str(bot.path), manifest, "today")
    store.close()


def names_in(store: Store, tournament: str) -> set[str]:
    labels: list[str] = store.tournaments.find(tournament).settings["bots"]
    return {label.partition("@")[0] for label in labels}


def test_tournaments_and_tests_of_a_server_run_in_the_sandbox_that_it_was_told_to_use(tmp_path: Path) -> None:
    """And not in whatever this machine, or a worker, happens to have."""
    with_bots(tmp_path)
    asked: list[SandboxPolicy] = []

    def note(config: PoolConfig) -> AbstractAsyncContextManager[Pool]:
        asked.append(config.sandbox)
        return open_here(config)

    async def main() -> None:
        now = "2026-11-15T22:00"
        async with serving(tmp_path, now, sandbox=SandboxPolicy.OFF, open_pool=note) as server:
            await server.call("StartTournament", pb.StartTournamentRequest(toml=ONE_ROUND))
            await server.finished("short")
            levels = select(server.store, "SELECT DISTINCT sandbox FROM match")
            assert [tuple(row) for row in levels] == [("none",)]

    trio.run(main)
    assert asked == [SandboxPolicy.OFF]
    assert Settings(tmp_path, ()).sandbox is SandboxPolicy.REQUIRED


def test_every_bot_that_may_play_does_so_in_every_run_and_is_rated(tmp_path: Path) -> None:
    """Two runs: a retired bot is not in the second, and a new version is."""
    with_bots(tmp_path, "one", "three")
    with_bots(tmp_path, "other", games='["norenberc"]')  # plays something else

    async def main() -> None:
        async with serving(tmp_path, "2026-11-15T22:00", CUP) as server:

            async def submit(place: str, **kind: Any) -> str:
                content = bot_archive(tmp_path / place, "two", **kind)
                answer = await server.call("SubmitBot", ("two", content), "ann", Role.AUTHOR)
                label: str = answer.accepted.label
                return label

            first = await submit("first")
            planned = await server.logs("run.planned")
            assert (planned["tournament"], planned["begins"]) == ("cup-2026-11-16", "2026-11-16T02:00:00+00:00")
            assert planned["ends"] == "2026-11-16T07:00:00+00:00"
            assert server.tournaments() == {}

            server.clock.set("2026-11-16T02:00")
            assert await server.finished("cup-2026-11-16") == "all rounds are played"
            assert names_in(server.store, "cup-2026-11-16") == {"one", "two", "three"}
            boards = (await server.call("GetLeaderboard", pb.GetLeaderboardRequest(games=["toy"]))).boards
            played = {line.label: line.matches for line in boards[0].lines}
            assert played[first] == 3
            assert len(played) == 3

            await server.call("RetireBot", pb.RetireBotRequest(name="three"))
            better = await submit("second", program=(tmp_path / "first/two/bot.py").read_text() + "# better\n")
            server.clock.set("2026-11-17T02:00:30")
            await server.finished("cup-2026-11-17")
            assert names_in(server.store, "cup-2026-11-17") == {"one", "two"}
            second = server.store.tournaments.find("cup-2026-11-17").settings
            assert better in second["bots"]
            assert better != first
            assert second["commitment"] != server.store.tournaments.find("cup-2026-11-16").settings["commitment"]

    trio.run(main)
    verified = arena("ledger", "verify", "--db", tmp_path / "arena.db")
    assert verified.returncode == 0, verified.stdout


def test_a_run_that_is_not_over_lets_the_next_one_go(tmp_path: Path) -> None:
    with_bots(tmp_path)

    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00", ENDLESS) as server:
            await server.logs("run.planned")
            server.clock.set("2026-11-16T02:00")
            await server.logs("run.planned", 2)
            server.clock.set("2026-11-17T02:00")
            skipped = await server.logs("run.skipped")
            assert skipped["tournament"] == "cup-2026-11-17"
            assert skipped["reason"] == "cup-2026-11-16 is still running"
            assert list(server.tournaments()) == ["cup-2026-11-16"]
            assert (await server.logs("run.planned", 3))["tournament"] == "cup-2026-11-18"

    trio.run(main)


def test_a_run_that_was_interrupted_goes_on_until_its_own_end(tmp_path: Path) -> None:
    """The server comes back too late for another round: the open one is played, and the run is not begun again."""
    with_bots(tmp_path)

    async def interrupted() -> None:
        async with serving(tmp_path, "2026-11-16T02:00", LONG | {"at": "01:59", "catch_up": True}) as server:
            await server.until(lambda: select(server.store, "SELECT 1 FROM match"))

    async def again(now: str, catch_up: bool) -> tuple[str, dict[str, Any]]:
        async with serving(tmp_path, now, LONG | {"at": "01:59", "catch_up": catch_up}) as server:
            reason = await server.finished("cup-2026-11-16")
            return reason, await server.logs("run.planned")

    trio.run(interrupted)
    store = open_store(tmp_path / "arena.db")
    (stopped,) = store.tournaments.all()
    played = len(store.tournaments.rounds(stopped.id))
    assert (stopped.state, stopped.reason) == ("stopped", "the server was stopped")
    assert 0 < played < LONG["rounds"]
    reason, planned = trio.run(again, "2026-11-16T07:01", True)
    assert reason == "no further round can end by 07:00, 2 of 2 neighbours are open"
    assert planned["tournament"] == "cup-2026-11-17"
    assert {each.state for each in store.tournaments.rounds(stopped.id)} == {"closed"}
    assert played <= len(store.tournaments.rounds(stopped.id)) <= played + 1
    store.close()


@pytest.mark.parametrize(
    ("now", "changes", "begun"),
    [
        ("2026-11-16T03:00", {}, []),
        ("2026-11-16T03:00", {"catch_up": True}, ["cup-2026-11-16"]),
        ("2026-11-16T07:00", {"catch_up": True}, []),
        ("2026-11-16T01:00", {"catch_up": True, "until": None}, ["cup-2026-11-15"]),
    ],
)
def test_a_start_that_was_missed_is_made_up_for_only_when_asked(
    tmp_path: Path, now: str, changes: dict[str, Any], begun: list[str]
) -> None:
    with_bots(tmp_path)
    scheduled = {key: value for key, value in (CUP | changes).items() if value is not None}

    async def main() -> None:
        async with serving(tmp_path, now, scheduled) as server:
            await server.logs("run.planned")
            assert list(server.tournaments()) == begun
            for name in begun:
                await server.finished(name)
        async with serving(tmp_path, now, scheduled) as server:  # and not made up for twice
            await server.logs("run.planned")
            assert list(server.tournaments()) == begun

    trio.run(main)


def test_a_machine_that_slept_through_a_start_lets_it_go(tmp_path: Path) -> None:
    with_bots(tmp_path)

    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00", CUP) as server:
            await server.logs("run.planned")
            server.clock.set("2026-11-16T06:00")
            missed = await server.logs("run.missed")
            assert (missed["tournament"], missed["late"]) == ("cup-2026-11-16", "4:00:00")
            assert (await server.logs("run.planned", 2))["tournament"] == "cup-2026-11-17"
            assert server.tournaments() == {}

    trio.run(main)


def test_a_run_without_bots_is_logged_and_the_next_one_is_played(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00", CUP, CUP | {"name": "late", "at": "03:00"}) as server:
            await server.logs("run.planned", 2)
            server.clock.set("2026-11-16T02:00")
            refused = await server.logs("run.refused")
            assert (refused["tournament"], refused["level"]) == ("cup-2026-11-16", "error")
            assert refused["reason"] == "bots: no submitted bot plays toy"
            await trio.to_thread.run_sync(with_bots, tmp_path)
            server.clock.set("2026-11-16T03:00")
            await server.finished("late-2026-11-16")
            assert names_in(server.store, "late-2026-11-16") == {"one", "two", "three"}

    trio.run(main)


def test_bots_that_run_elsewhere_play_if_they_are_there_and_the_timetable_says_so(tmp_path: Path) -> None:
    with_bots(tmp_path, "one", "two")

    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00", CUP, CUP | {"name": "open", "remote_bots": True}) as server:
            await server.logs("run.planned", 2)
            for name in ("near", "far"):
                entered = await server.call("Connect", pb.ConnectRequest(name=name, games=["toy"]))
                if name == "near":
                    near = Dropping(server.addresses[0], entered.ticket, drops=0)
            await server.logs("bot.connected")
            server.clock.set("2026-11-16T02:00")
            for name in ("cup", "open"):
                assert await server.finished(f"{name}-2026-11-16") == "all rounds are played"
            near.is_over = True
            assert names_in(server.store, "cup-2026-11-16") == {"one", "two"}
            assert names_in(server.store, "open-2026-11-16") == {"one", "two", "near"}
            endings = select(server.store, "SELECT DISTINCT ending FROM seat WHERE bot LIKE 'near@%'")
            assert endings == [("completed",)]

    trio.run(main)


def test_a_server_of_its_own_reads_its_timetable_and_makes_up_for_a_run(tmp_path: Path) -> None:
    """A real process with the real clock: the run was due a minute ago."""
    with_bots(tmp_path)
    due = datetime.now(UTC) - timedelta(minutes=1)
    config = tmp_path / "arena.toml"
    scheduled = f'name = "cup"\nat = "{due:%H:%M:%S}"\ncatch_up = true\ngame = "toy"\nrounds = 1\nreferees = 1\n'
    config.write_text(f'timezone = "UTC"\n\n[[scheduled]]\n{scheduled}')
    with running(tmp_path, "--config", config) as server:
        request = pb.WatchTournamentRequest(tournament=f"cup-{due:%Y-%m-%d}")
        olga = server.token("olga", "organiser")
        wait_for_log(server, "tournament.started")
        events = server.call("WatchTournament", request, olga)
        assert events[-1].status.reason == "all rounds are played"
        assert server.stop() == 0
    assert "run.planned" in server.log
