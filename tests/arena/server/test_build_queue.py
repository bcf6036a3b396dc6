"""Authors take turns at being built, and nothing else waits for it."""

from __future__ import annotations

import random
from pathlib import Path

import grpc
import pytest
import trio
import trio.testing

from arena.bots.archive import pack
from arena.sandbox.levels import SandboxPolicy
from arena.server.build_queue import BuildQueue, QueueFullError
from arena.server.submissions import QuotaError, Submissions
from arena.store.database import open_store
from arena.store.local_time import local_now
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import (
    PATIENCE_SECONDS,
    Server,
    bearer,
    bot_archive,
    bot_directory,
    parts,
    wait_until,
)


def order_of(submissions: list[tuple[str, str]]) -> list[str]:
    """Queue submissions (author, name) up behind one that is running, and return the names as they have their turn."""
    queue = BuildQueue(max_of_one=10)
    had_turn: list[str] = []

    async def submit(author: str, name: str, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        async with queue.turn(author, name):
            had_turn.append(name)
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            async with queue.turn("first", "running"):
                for author, name in submissions:
                    await nursery.start(submit, author, name)
                    await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(trio.lowlevel.checkpoint)

    trio.run(main)
    return had_turn


def test_authors_take_turns_and_an_author_s_own_submissions_keep_their_order() -> None:
    queued = [("ann", "a1"), ("ann", "a2"), ("ann", "a3"), ("bob", "b1"), ("bob", "b2"), ("cleo", "c1")]
    assert order_of(queued) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_has_just_had_a_turn_comes_after_everybody_else() -> None:
    assert order_of([("first", "f1"), ("ann", "a1")]) == ["a1", "f1"]


def test_one_author_has_only_so_many_and_one_that_gives_up_makes_room() -> None:
    async def main() -> None:
        queue = BuildQueue(max_of_one=2)
        async with queue.turn("ann", "running"):
            with trio.move_on_after(0.01):
                async with queue.turn("ann", "waiting"):
                    raise AssertionError("it has no turn yet")
            assert [ticket.name for ticket in queue.of("ann")] == ["running"]
            async with trio.open_nursery() as nursery:
                nursery.start_soon(hold, queue, "ann")
                await trio.testing.wait_all_tasks_blocked()
                with pytest.raises(QueueFullError, match="you already have 2 submissions in the queue"):
                    await hold(queue, "ann")
                assert [ticket.name for ticket in queue.of("bob")] == []
                assert len(queue.of(None)) == 2
                nursery.cancel_scope.cancel()
        assert queue.of(None) == []

    trio.run(main)


async def hold(queue: BuildQueue, author: str) -> None:
    async with queue.turn(author, "held"):
        await trio.sleep_forever()


def slow(folder: Path, name: str) -> bytes:
    """Return a bot whose build takes longer than anything else here."""
    bot = bot_directory(folder, name)
    manifest = bot / "bot.toml"
    manifest.write_text(manifest.read_text() + f'build = ["sleep", "{PATIENCE_SECONDS:.0f}"]\n')
    return pack(bot)


def states(server: Server, token: str) -> set[str]:
    """Return where the submissions of somebody are."""
    return {bot.state for bot in server.call("ListBots", pb.ListBotsRequest(), token).bots if bot.state}


def test_a_slow_build_holds_up_nobody_who_is_not_built(server: Server, tmp_path: Path) -> None:
    """While ann's builds sleep, bob connects immediately, and ann alone sees hers in the queue."""
    ann, bob = server.token("ann-slow"), server.token("bob-quick")
    with server.stub() as stub:
        calls = [
            stub.SubmitBot.future(parts(name, slow(tmp_path, name)), metadata=bearer(ann)) for name in ("one", "two")
        ]
        try:
            wait_until(lambda: states(server, ann) == {"queued", "being built"})
            server.call("Connect", pb.ConnectRequest(name="quick", games=["toy"]), bob)
            assert states(server, ann) == {"queued", "being built"}
            assert states(server, bob) == set()
        finally:
            for call in calls:
                call.cancel()
    wait_until(lambda: not states(server, ann))  # hanging up makes room


def test_an_author_whose_bots_take_too_much_room_is_told(server: Server, tmp_path: Path) -> None:
    token = server.token("hoarder")
    server.submit("hoard", bot_archive(tmp_path, "hoard"), token)
    (folder,) = [
        path for path in (server.folder / "arena-bots").iterdir() if b'"hoard"' in (path / "bot.toml").read_bytes()
    ]
    (folder / "bot.py").chmod(0o644)  # what is submitted cannot be written to, but by root
    with (folder / "bot.py").open("r+b") as file:
        file.truncate((1 << 30) + 1)  # a hole: it takes no room on this disk
    try:
        with pytest.raises(grpc.RpcError) as caught:
            server.submit("hoard2", bot_archive(tmp_path, "hoard2"), token)
    finally:
        (folder / "bot.py").unlink()
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(caught.value.details()).startswith("quota exceeded: 1025 of 1024 MiB")


def test_a_version_that_would_take_its_author_over_the_quota_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is unpacked and built nobody knows its size, so it is measured again after that."""
    monkeypatch.setattr("arena.server.submissions.QUOTA_BYTES", 1 << 20)
    directory = bot_directory(tmp_path, "fat", program="print()")
    (directory / "ballast").write_bytes(random.Random(1).randbytes(2 << 20))
    store = open_store(tmp_path / "arena.db", create=True)
    submissions = Submissions(store, tmp_path / "arena-bots", SandboxPolicy.AUTO, local_now)
    with pytest.raises(QuotaError, match="quota exceeded: 3 of 1 MiB"):
        trio.run(submissions.accept, pack(directory), "fat", "ann")
    assert store.bots.by_name("fat") is None
    store.close()
    assert [file for file in (tmp_path / "arena-bots").rglob("*") if file.name == "ballast"] == []


def test_an_author_has_so_many_names_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.submissions.QUOTA_NAMES", 2)
    store = open_store(tmp_path / "arena.db", create=True)
    submissions = Submissions(store, tmp_path / "arena-bots", SandboxPolicy.AUTO, local_now)
    for name in ("one", "two"):
        trio.run(submissions.enter_remote, name, ("toy",), 1, "ann")
    with pytest.raises(QuotaError, match="you already have 2 bots"):
        trio.run(submissions.enter_remote, "three", ("toy",), 1, "ann")
    assert trio.run(submissions.enter_remote, "two", ("toy",), 2, "ann").startswith("two@"), "its own may come again"
    assert trio.run(submissions.enter_remote, "three", ("toy",), 1, "bob").startswith("three@")
    store.close()
