"""A client can follow a tournament from any moment to its end."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
import trio

from arena.play.lease import holding_lease
from arena.play.runner import Runner
from arena.server.tournaments import Tournaments
from arena.store.database import Store
from arena.store.token_secrets import create
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import PATIENCE_SECONDS, Server, bearer
from tests.arena.server.test_scheduled import serving, with_bots

CUP = 'name = "cup"\ngame = "toy"\nbots = ["*"]\nrounds = 1\n'


def test_one_that_is_only_just_entered_is_followed_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database has it, and not a match was played: the stream must not end yet."""
    with_bots(tmp_path)
    enter, entered, goes_on = Tournaments._enter, threading.Event(), threading.Event()

    def enter_and_pause(self: Tournaments, runner: Runner, organiser: str) -> None:
        enter(self, runner, organiser)
        entered.set()
        assert goes_on.wait(PATIENCE_SECONDS)

    monkeypatch.setattr(Tournaments, "_enter", enter_and_pause)

    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00") as arena, trio.open_nursery() as nursery:
            _token, sam = create(arena.store, "sam", Role.SPECTATOR, "today")
            server = Server(tmp_path, None, arena.addresses, [])  # type: ignore[arg-type]  # no process of its own
            nursery.start_soon(arena.call, "StartTournament", pb.StartTournamentRequest(toml=CUP))
            await arena.until(entered.is_set)

            def follow() -> list[pb.WatchTournamentResponse]:
                with server.stub() as stub:
                    request = pb.WatchTournamentRequest(tournament="cup")
                    stream = stub.WatchTournament(request, metadata=bearer(sam), timeout=PATIENCE_SECONDS)
                    first = next(stream)
                    goes_on.set()
                    return [first, *stream]

            events = await trio.to_thread.run_sync(follow)
            assert events[0].status.state == pb.TOURNAMENT_STATE_RUNNING
            assert events[-1].status.state == pb.TOURNAMENT_STATE_FINISHED

    trio.run(main)


def test_one_whose_end_is_stored_is_over_for_whoever_stops_it_or_starts_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it takes a moment to leave the server: nobody outside can tell."""
    with_bots(tmp_path)
    leaves = trio.Event()

    @asynccontextmanager
    async def holding_on(store: Store, tournament: str) -> AsyncIterator[None]:
        async with holding_lease(store, tournament):
            yield
        await leaves.wait()

    monkeypatch.setattr("arena.play.runner.holding_lease", holding_on)

    async def main() -> None:
        async with serving(tmp_path, "2026-11-16T01:00") as arena, trio.open_nursery() as nursery:
            await arena.call("StartTournament", pb.StartTournamentRequest(toml=CUP))
            await arena.finished("cup")
            with pytest.raises(grpc.RpcError) as caught:
                await arena.call("StopTournament", pb.StopTournamentRequest(tournament="cup"))
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert caught.value.details() == "tournament: cup is finished, not running"
            nursery.start_soon(arena.call, "StartTournament", pb.StartTournamentRequest(toml=CUP))
            await trio.sleep(0.2)
            leaves.set()

    trio.run(main)
