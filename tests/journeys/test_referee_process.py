"""The referee process itself: tickets, bad lines, frozen bots, shutdown, and being killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import BotProcess
from arena.bots.scratch import sweep_folders
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.patience import patience

SECONDS = patience(12)
"""Of patience with a busy machine."""


class RefereeProcess:
    """A referee driven by hand, line by line."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    def tell(self, verb: str, value: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({verb: value}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        return heard


@contextmanager
def referee(address: str) -> Iterator[RefereeProcess]:
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "--listen", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        bound = json.loads(process.stdout.readline())["ready"][0]
        yield RefereeProcess(process, bound)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


@pytest.fixture(params=["unix", "tcp"])
def process(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RefereeProcess]:
    address = f"unix:{tmp_path}/referee.sock" if request.param == "unix" else "127.0.0.1:0"
    with referee(address) as started:
        yield started


def hello(ticket: str, version: int = 1) -> pb.PlayRequest:
    return pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello(ticket=ticket, protocol_version=version))])


def dial(process: RefereeProcess, *requests: pb.PlayRequest) -> Any:
    """Open a stream that stays open, and send these frames."""
    channel = grpc.insecure_channel(process.address)

    def frames() -> Iterator[pb.PlayRequest]:
        yield from requests
        time.sleep(SECONDS)

    return RefereeServiceStub(channel).Play(frames())


def status_of(stream: Any) -> tuple[str, str]:
    with pytest.raises(grpc.RpcError):
        for _ in stream:
            pass
    return stream.code().name, stream.details()


def test_a_wrong_ticket_is_refused(process: RefereeProcess) -> None:
    assert status_of(dial(process, hello("wrong"))) == ("UNAUTHENTICATED", "invalid ticket")


def test_a_ticket_serves_one_connection_at_a_time_and_that_is_the_newest(process: RefereeProcess) -> None:
    process.tell("admit", {"ticket": "secret", "bot": "somebody"})
    first = dial(process, hello("secret"))
    assert next(first).messages[0].welcome.bot == "somebody"
    second = dial(process, hello("secret"))
    assert next(second).messages[0].welcome.bot == "somebody"
    assert status_of(first) == ("ABORTED", "a newer connection with this ticket has taken over")
    process.tell("dismiss", "secret")
    assert next(second).messages[0].goodbye.reason, "the newest connection is the bot's"


def test_a_dismissed_ticket_is_worth_nothing(process: RefereeProcess) -> None:
    process.tell("admit", {"ticket": "secret", "bot": "somebody"})
    stream = dial(process, hello("secret"))
    next(stream)
    process.tell("dismiss", "secret")
    assert next(stream).messages[0].goodbye.reason
    assert list(stream) == []
    assert status_of(dial(process, hello("secret")))[0] == "UNAUTHENTICATED"


def test_another_protocol_version_is_refused(process: RefereeProcess) -> None:
    process.tell("admit", {"ticket": "secret", "bot": "somebody"})
    assert status_of(dial(process, hello("secret", version=2)))[0] == "FAILED_PRECONDITION"


def test_a_stream_begins_with_hello(process: RefereeProcess) -> None:
    answer = pb.PlayRequest(messages=[pb.BotMessage(answer=pb.Answer())])
    assert status_of(dial(process, answer))[0] == "INVALID_ARGUMENT"


BAD_LINES = [
    ("no json", "this is not json"),
    ("unknown verb", '{"dance": 1}'),
    ("unknown game", json.dumps({"match": {**MatchOrder("m", "halma", {}, (), 1).to_plain()}})),
    ("wrong seats", json.dumps({"match": MatchOrder("m", "toy", {}, (), 1).to_plain()})),
    (
        "wrong option",
        json.dumps({"match": MatchOrder("m", "toy", {"rounds": 99}, (SeatOrder("a", "t"),) * 2, 1).to_plain()}),
    ),
    ("not admitted", json.dumps({"match": MatchOrder("m", "toy", {}, (SeatOrder("a", "t"),) * 2, 1).to_plain()})),
    ("missing key", '{"match": {}}'),
    ("unknown key", '{"match": {"colour": "red"}}'),
    (
        "bad time control",
        json.dumps({"match": {**MatchOrder("m", "toy", {}, (), 1).to_plain(), "time_control": {"bank": 1}}}),
    ),
]


def test_bad_lines_are_answered_and_change_nothing(tmp_path: Path) -> None:
    with referee(f"unix:{tmp_path}/referee.sock") as process:
        assert process.process.stdin is not None
        for name, line in BAD_LINES:
            process.process.stdin.write(line + "\n")
            process.process.stdin.flush()
            assert process.hear()["error"]["reason"], name
        process.tell("admit", {"ticket": "secret", "bot": "somebody"})
        assert next(dial(process, hello("secret"))).messages[0].welcome.bot == "somebody"


def test_the_end_of_input_shuts_down_within_a_second_and_tells_the_bots(tmp_path: Path) -> None:
    """The quickest of three shutdowns is judged, since other programs may slow one down; each tells the bots."""
    taken: list[float] = []
    while len(taken) < 3 and not any(seconds < 1.0 for seconds in taken):
        attempt = len(taken)
        with referee(f"unix:{tmp_path}/referee{attempt}.sock") as process:
            process.tell("admit", {"ticket": "secret", "bot": "somebody"})
            stream = dial(process, hello("secret"))
            next(stream)
            assert process.process.stdin is not None
            started = time.monotonic()
            process.process.stdin.close()
            assert process.process.wait(timeout=SECONDS) == 0
            taken.append(time.monotonic() - started)
            assert status_of(stream) == ("UNAVAILABLE", "the referee is shutting down")
    assert min(taken) < 1.0


# Says so when it is welcome, and after that nothing.
WELCOME_BOT = """
import os, time
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

def frames():
    hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
    yield pb.PlayRequest(messages=[pb.BotMessage(hello=hello)])
    time.sleep(1000)

for frame in RefereeServiceStub(grpc.insecure_channel(os.environ["ARENA_ADDRESS"])).Play(frames()):
    print(frame.messages[0].WhichOneof("kind"), flush=True)
"""


def test_a_frozen_bot_is_noticed(tmp_path: Path) -> None:
    """A stopped process keeps its connection; only the pings find out."""
    with referee(f"unix:{tmp_path}/referee.sock") as process:
        process.tell("admit", {"ticket": "frozen", "bot": "frozen"})
        process.tell("admit", {"ticket": "gone", "bot": "gone"})
        bot = subprocess.Popen(
            [sys.executable, "-c", WELCOME_BOT],
            env={**os.environ, "ARENA_ADDRESS": process.address, "ARENA_TICKET": "frozen"},
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        control = TimeControl(bank_ms=3_600_000, cap_ms=3_600_000, grace_ms=100, join_ms=100)
        order = MatchOrder("m", "toy", {}, (SeatOrder("frozen", "frozen"), SeatOrder("gone", "gone")), 1, control)
        try:
            assert bot.stdout is not None
            assert bot.stdout.readline() == "welcome\n"
            bot.send_signal(signal.SIGSTOP)
            process.tell("match", order.to_plain())  # it begins when the missing one is given up
            result = MatchResult.from_plain(process.hear()["result"])
            assert result.seat_endings[0] is Ending.FORFEIT_DISCONNECT
        finally:
            bot.kill()
            bot.communicate()


def test_matches_of_a_killed_referee_are_played_again(random_bot: BotDirectory) -> None:
    """kill -9 on the referee: the pool starts another and the match ends as if nothing had happened."""
    fixtures = [MatchToPlay(f"killed{number}", "toy", {}, (random_bot,) * 3, number) for number in range(40)]

    async def journey(*, kill: bool) -> list[MatchResult]:
        results: dict[str, MatchResult] = {}
        killed = not kill

        async def one(fixture: MatchToPlay) -> None:
            nonlocal killed
            results[fixture.match_id] = await pool.play(fixture)
            if not killed:
                killed = True
                pool.referees[0].process.kill()

        async with open_pool(concurrency=4, log_level="error") as pool:
            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    for fixture in fixtures:
                        nursery.start_soon(one, fixture)
        return [results[fixture.match_id] for fixture in fixtures]

    killed, whole = trio.run(lambda: journey(kill=True)), trio.run(lambda: journey(kill=False))
    assert [result.ending for result in killed] == [Ending.COMPLETED] * len(fixtures)
    assert [(result.ranks, result.scores) for result in killed] == [(result.ranks, result.scores) for result in whole]


def test_nothing_is_left_when_a_pool_closes(random_bot: BotDirectory, temporary: Path) -> None:
    async def journey() -> list[int]:
        async with open_pool(referees=2) as pool:
            await pool.play(MatchToPlay("one", "toy", {}, (random_bot,) * 2, 1))
            return [referee.process.pid for referee in pool.referees] + [
                client.process.process.pid
                for referee in pool.referees
                for client in referee.clients.values()
                if isinstance(client.process, BotProcess)
            ]

    pids = trio.run(journey)
    assert len(pids) == 4
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert list(temporary.iterdir()) == []


def test_folders_of_a_killed_arena_are_swept_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, alive, foreign = (
        tmp_path / name for name in (f"arena-{ended.pid}-x", f"arena-{os.getpid()}-x", "arena-notes")
    )
    for folder in (left, alive, foreign):
        folder.mkdir()
        (folder / "referee1.sock").touch()
    sweep_folders()
    assert not left.exists()
    assert alive.exists(), "its arena is still running"
    assert foreign.exists(), "not one of ours"
