"""`arena connect` outlives a restart of its server, and knows when it is no longer wanted."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from arena.remote.reconnecting import LONGEST_PAUSE, pauses
from arena.store.database import open_store
from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import (
    ARENA,
    PATIENCE_SECONDS,
    Server,
    bot_directory,
    running,
    start,
    wait_until,
)

STUBBORN = """
import os, threading, time
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

hello = pb.BotMessage(hello=pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1))


def frames():
    yield pb.PlayRequest(messages=[hello])
    threading.Event().wait()


while True:
    try:
        with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
            for frame in RefereeServiceStub(channel).Play(frames()):
                time.sleep(0)
    except grpc.RpcError:
        time.sleep(0.05)
"""
"""A bot that dials its old ticket again and again, whatever it is told, and never ends."""


def test_pauses_grow_to_a_bound_and_differ_from_bot_to_bot() -> None:
    found = list(islice(pauses(), 50))
    limits = [min(2.0**number, LONGEST_PAUSE) for number in range(50)]
    assert all(limit / 2 <= pause <= limit for pause, limit in zip(found, limits, strict=True))
    assert found != list(islice(pauses(), 50))


@dataclass
class Connected:
    """A running `arena connect`."""

    process: subprocess.Popen[str]
    file: Path

    @property
    def log(self) -> str:
        return self.file.read_text()

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.log, lambda: self.log)

    def end(self) -> int:
        return self.process.wait(timeout=PATIENCE_SECONDS)


@contextmanager
def connected(folder: Path, server: Server, program: str | None = None) -> Iterator[Connected]:
    """Run `arena connect` with a bot of ann's, and return when it is connected.

    It uses the server's unix socket: nobody else can take that address while the server restarts.
    """
    bot = bot_directory(folder / "bots", "far", program=program)
    token, file = server.token("ann"), folder / "connect.log"
    with file.open("w") as log:
        process = subprocess.Popen(
            [*ARENA, "connect", str(bot), "--server", server.addresses[-1]],
            stdout=subprocess.DEVNULL, stderr=log, start_new_session=True, text=True,
            env=os.environ | {"ARENA_TOKEN": token},
        )  # fmt: skip
    try:
        wait_for_bot(server, 1)
        yield Connected(process, file)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=PATIENCE_SECONDS)


def wait_for_bot(server: Server, count: int) -> None:
    wait_until(lambda: server.log.count("bot.connected") >= count, lambda: server.log)


@pytest.mark.long
@pytest.mark.parametrize("program", [None, STUBBORN], ids=["a bot that ends", "a bot that dials on"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_restart_of_the_server_costs_a_remote_bot_a_pause(
    tmp_path: Path, program: str | None, number: signal.Signals
) -> None:
    with running(tmp_path / "arena", "--unix", tmp_path / "s") as server, connected(tmp_path, server, program) as bot:
        os.killpg(server.process.pid, number)
        server.process.wait(timeout=PATIENCE_SECONDS)
        again = start(tmp_path / "arena", "--unix", tmp_path / "s")
        try:
            wait_for_bot(again, 2)
            bot.wait_for("bot.connected")
            lines = [line for line in bot.log.splitlines() if "server.lost" in line or "bot.connected" in line]
            assert "server.lost" in lines[0]
            assert "retry_seconds=" in lines[0]
            assert "bot.connected" in lines[-1]
            assert "Traceback" not in bot.log
        finally:
            again.stop()
            assert again.process.stdout is not None
            again.process.stdout.close()
        assert bot.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_the_wait_for_a_server(tmp_path: Path, number: signal.Signals) -> None:
    """The server never comes back: without the signal it would wait for ever."""
    with running(tmp_path / "arena", "--unix", tmp_path / "s") as server, connected(tmp_path, server) as bot:
        server.stop()
        bot.wait_for("server.lost")
        bot.process.send_signal(number)
        assert bot.end() == 130
        assert bot.log.splitlines()[-1] == "arena: stopped"
        assert "Traceback" not in bot.log


def revoke(server: Server) -> None:
    store = open_store(server.db)
    (token,) = (token for token in store.tokens.all() if token.name == "ann")
    store.tokens.revoke(token.id, "today")
    store.close()


def retire(server: Server) -> None:
    store = open_store(server.db)
    store.bots.set_retired("far", True)
    store.close()


def give_away(server: Server) -> None:
    store = open_store(server.db)
    with store.write():
        store.bots._file.run("UPDATE bot SET author = 'bob' WHERE name = 'far'")
    store.close()


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (revoke, "arena: --token: invalid token"),
        (retire, "arena: name: 'far' was retired"),
        (give_away, "arena: name: 'far' is taken"),
    ],
    ids=["revoked", "retired", "given away"],
)
def test_a_bot_that_is_no_longer_wanted_ends_with_one_line(
    tmp_path: Path, change: Callable[[Server], None], line: str
) -> None:
    with running(tmp_path / "arena", "--unix", tmp_path / "s") as server, connected(tmp_path, server) as bot:
        server.stop()
        change(server)
        again = start(tmp_path / "arena", "--unix", tmp_path / "s")
        try:
            assert bot.end() == 2
            assert bot.log.splitlines()[-1] == line
        finally:
            again.stop()
            assert again.process.stdout is not None
            again.process.stdout.close()


def test_a_bot_connected_again_elsewhere_does_not_take_its_name_back(tmp_path: Path) -> None:
    """Otherwise two commands with one token would end each other's connection for ever."""
    with running(tmp_path / "arena", "--unix", tmp_path / "s") as server, connected(tmp_path, server, STUBBORN) as bot:
        server.call("Connect", pb.ConnectRequest(name="far", games=["toy"], concurrency=16), server.token("ann"))
        assert bot.end() == 2
        assert bot.log.splitlines()[-1] == "arena: the bot was connected again with its token, here or elsewhere"


def test_a_server_that_is_not_there_at_first_is_no_restart(tmp_path: Path) -> None:
    done = subprocess.run(
        [*ARENA, "connect", str(bot_directory(tmp_path, "far")), "--server", f"unix:{tmp_path}/nowhere"],
        capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"arena: --server: unix:{tmp_path}/nowhere cannot be reached")
