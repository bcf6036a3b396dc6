"""Every hosted bot has a socket and a server of its own: it can flood, end or fill nothing that others need."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play import local_pool
from arena.play.dialling import is_reached
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee import __main__ as referee_program
from referee.clock import StallMeter
from referee.listener import MAIN_LOOP
from referee.order import MAX_CONNECTIONS, Ending, MatchResult, TimeControl
from referee.server import MAX_OPENED, RefereeServer
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests import parts
from tests.journeys.hostile_bots import http2_attacks as raw_http2
from tests.patience import patience

pytestmark = pytest.mark.long
PROGRAMS = Path(__file__).parent / "hostile_bots"
PATIENT = TimeControl(bank_ms=300_000, increment_ms=0, cap_ms=60_000, strike_limit=0, grace_ms=400, join_ms=60_000)
SECONDS = patience(12)
"""Of patience with a busy machine."""
MAX_MB_OF_FRAMES = 70  # without a bound, one frame of them takes 83
MAX_MB = 150  # of a referee under attack; it has some 45 to begin with

MakeHostile = Callable[..., BotDirectory]


@pytest.fixture
def make_hostile(tmp_path: Path) -> MakeHostile:
    """Return a maker of hostile bots."""

    def make(program: str, **targets: object) -> BotDirectory:
        parts.sandbox_for_untrusted_bots()
        directory = tmp_path / program
        directory.mkdir()
        for shared in ("player.py", "http2_attacks.py"):
            shutil.copy(PROGRAMS / shared, directory)
        shutil.copy(PROGRAMS / f"{program}.py", directory / "bot.py")
        (directory / "bot.toml").write_text(f'name = "{program}"\ncommand = ["python3", "bot.py"]\n')
        (directory / "targets.json").write_text(json.dumps(targets))
        return read_bot(directory)

    return make


def peak_mb(pid: int) -> int:
    """Return the most memory that a process has held."""
    (line,) = (line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) >> 10


def beside_newcomers(bad: BotDirectory, random_bot: BotDirectory) -> tuple[list[MatchResult], str, int]:
    """Play two matches of fresh processes with a hostile bot; return results, its output and the referee's memory."""
    results: list[MatchResult] = []

    async def journey() -> tuple[str, int]:
        async with open_pool(fresh_process=True, sandbox=SandboxPolicy.REQUIRED) as pool:
            with trio.fail_after(SECONDS):
                for number in range(2):
                    bots = (random_bot, bad, random_bot)
                    results.append(await pool.play(MatchToPlay(f"m{number}", "toy", {}, bots, number, PATIENT)))
            (referee,) = pool.referees
            return pool.output_of(bad.label), peak_mb(referee.process.pid)

    output, held_mb = trio.run(journey)
    return results, output, held_mb


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        ("stream_flood", f"more than {MAX_OPENED} streams in 10 seconds"),
        ("rapid_reset", None),
        ("hpack_bomb", None),
        ("bad_path", "it crashed its server"),
    ],
)
def test_an_attack_on_the_referee_harms_no_newcomer(
    make_hostile: MakeHostile, random_bot: BotDirectory, attack: str, reason: str | None
) -> None:
    """It attacks while the others join; where it can be told what broke, its author is told."""
    results, output, held_mb = beside_newcomers(make_hostile("raw_http2", attack=attack), random_bot)
    for result in results:
        assert [result.seat_endings[seat] for seat in (0, 2)] == [Ending.COMPLETED] * 2, output
    assert f"attacked: {attack}" in output
    assert held_mb < MAX_MB
    if reason is not None:
        assert {result.seat_endings[1] for result in results} == {Ending.FORFEIT_DISCONNECT}
        assert f"arena: cut off this bot: {reason}" in output
        assert {strike[1:] for strike in results[0].strikes} == {(1, "", f"cut off: {reason}")}


def test_a_frame_of_half_a_million_messages_is_not_parsed(make_hostile: MakeHostile, random_bot: BotDirectory) -> None:
    results, output, held_mb = beside_newcomers(make_hostile("frame_bomb"), random_bot)
    endings = (Ending.COMPLETED, Ending.FORFEIT_DISCONNECT, Ending.COMPLETED)
    assert [result.seat_endings for result in results] == [endings] * 2
    assert "arena: cut off this bot: a frame of more than 8,192 messages" in output
    assert held_mb < MAX_MB_OF_FRAMES


def test_a_bot_sees_its_own_socket_alone(make_hostile: MakeHostile, random_bot: BotDirectory) -> None:
    async def journey(bad: BotDirectory) -> tuple[str, list[list[str]]]:
        async with open_pool(sandbox=SandboxPolicy.REQUIRED) as pool:
            with trio.fail_after(SECONDS):
                await pool.play(MatchToPlay("m", "toy", {}, (bad, random_bot, random_bot), 1, PATIENT))
            (referee,) = pool.referees
            folders = [client.socket.parent for client in referee.clients.values()]
            assert len({*folders}) == 3
            return pool.output_of(bad.label), [os.listdir(folder) for folder in folders]

    output, listed = trio.run(journey, make_hostile("looks_around"))
    assert listed == [["s"]] * 3
    assert "sees ['/referee/s'] and beside ['/referee/s']" in output


async def hello(address: str, ticket: str) -> tuple[str, str]:
    """Say hello, and return the kind of the answer, or the status."""
    async with grpc.aio.insecure_channel(address) as channel:
        stream = RefereeServiceStub(channel).Play()
        message = pb.BotMessage(hello=pb.Hello(ticket=ticket, protocol_version=1))
        await stream.write(pb.PlayRequest(messages=[message]))
        try:
            frame: Any = await stream.read()
        except grpc.aio.AioRpcError as error:
            return error.code().name, error.details() or ""
        return "welcome", frame.messages[0].welcome.bot


def test_a_ticket_is_good_at_its_own_socket_only(temporary: Path) -> None:
    async def journey() -> list[tuple[str, str]]:
        server = RefereeServer(StallMeter())
        server.admit("common", "anybody")
        own = {name: f"unix:{temporary}/{name}" for name in ("ann", "ben")}
        (common,) = await server.start([f"unix:{temporary}/common"])
        for name, address in own.items():
            await server.admit_at(address, name, name)
        async with asyncio.timeout(SECONDS):
            said = [
                await hello(address, ticket)
                for address, ticket in (
                    (own["ann"], "ann"),
                    (own["ann"], "ben"),
                    (own["ann"], "common"),
                    (common, "ann"),
                    (common, "common"),
                    (own["ben"], "ben"),
                )
            ]
        await server.stop()
        return said

    refused = ("UNAUTHENTICATED", "invalid ticket")
    welcome = [("welcome", name) for name in ("ann", "anybody", "ben")]
    assert asyncio.run(journey()) == [welcome[0], refused, refused, refused, welcome[1], welcome[2]]


def test_a_bot_that_reconnects_takes_over_from_connections_that_hang(temporary: Path) -> None:
    """The older ones are open and silent, as those of a frozen process; the last to go may not be gone yet."""

    async def journey() -> list[tuple[str, str]]:
        server = RefereeServer(StallMeter())
        address = f"unix:{temporary}/s"
        await server.admit_at(address, "ann", "ann")
        silent = [await asyncio.open_unix_connection(f"{temporary}/s") for _ in range(MAX_CONNECTIONS - 2)]
        async with asyncio.timeout(SECONDS):
            said = [await hello(address, "ann"), await hello(address, "ann")]
        for _reader, writer in silent:
            writer.close()
        await server.stop()
        return said

    assert asyncio.run(journey()) == [("welcome", "ann")] * 2


def test_nothing_is_left_of_bots_that_came_and_went(temporary: Path) -> None:
    """Sockets, descriptors, tasks and links of a thousand bots of one referee."""

    async def journey() -> tuple[list[int], set[Any]]:
        counts = []
        server = RefereeServer(StallMeter())
        for number in range(1_000):
            ticket = f"t{number}"
            await server.admit_at(f"unix:{temporary}/{ticket}", ticket, "bot")
            if number % 100 == 0:
                await hello(f"unix:{temporary}/{ticket}", ticket)
            server.dismiss(ticket)
            if number in (100, 999):
                while server._stopping:
                    await asyncio.wait(server._stopping)
                counts.append(len(os.listdir("/proc/self/fd")))
        assert not server.links
        assert not server._own
        await server.stop()
        return counts, asyncio.all_tasks() - {asyncio.current_task()}

    (early, late), tasks = asyncio.run(journey())
    assert late <= early + 4
    assert not tasks
    assert list(temporary.iterdir()) == []


def test_a_dial_of_ours_is_answered_by_a_server_whose_loop_runs_and_by_no_other(temporary: Path) -> None:
    async def serve(dials: list[bool]) -> None:
        server = RefereeServer(StallMeter())
        await server.admit_at(f"unix:{temporary}/s", "ann", "ann")
        dials.append(await asyncio.to_thread(trio.run, is_reached, temporary / "s"))
        (loop,) = (each for each in asyncio.all_tasks() if getattr(each.get_coro(), "__qualname__", "") == MAIN_LOOP)
        server._own["ann"]._is_stopping = True  # so that it is left as it is
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        _reader, writer = await asyncio.open_unix_connection(f"{temporary}/s")
        writer.write(raw_http2.GREETING + next(raw_http2.bad_path()))
        await asyncio.wait((loop,))
        dials.append(await asyncio.to_thread(trio.run, is_reached, temporary / "s"))
        writer.close()
        await server.stop()

    dials: list[bool] = []
    asyncio.run(serve(dials))
    assert dials == [True, False]
    assert not trio.run(is_reached, temporary / "none")


GIVES_UP = """
import contextlib, os, socket, sys, time
while not os.path.exists("go"):
    time.sleep(0.01)
with contextlib.suppress(TimeoutError), socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(1)
    connection.connect(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    connection.recv(1)
sys.exit("no answer")
"""


@pytest.fixture
def gives_up(tmp_path: Path) -> BotDirectory:
    """A bot that dials and ends, once there is a file named `go` in its directory."""
    directory = tmp_path / "gives_up"
    directory.mkdir()
    (directory / "go").touch()
    (directory / "bot.py").write_text(GIVES_UP)
    (directory / "bot.toml").write_text('name = "gives_up"\ncommand = ["python3", "bot.py"]\n')
    return read_bot(directory)


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110  # nobody tells
        await trio.sleep(0.01)


def test_a_bot_that_gave_up_while_its_referee_stood_still_is_not_blamed(
    gives_up: BotDirectory, random_bot: BotDirectory
) -> None:
    (gives_up.path / "go").unlink()

    async def journey() -> MatchResult:
        results: list[MatchResult] = []

        async def play(pool: LocalPool) -> None:
            fixture = MatchToPlay("m", "toy", {}, (gives_up, random_bot), 1, PATIENT)
            results.append(await pool.play(fixture))

        async with open_pool(log_level="error") as pool:
            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(play, pool)
                    await until(lambda: pool.referees and gives_up.label in pool._outputs)
                    (referee,) = pool.referees
                    os.kill(referee.process.pid, signal.SIGSTOP)
                    (gives_up.path / "go").touch()
                    try:
                        await until(lambda: "no answer" in pool.output_of(gives_up.label))
                        await trio.sleep(2.2)  # a standstill is longer than two seconds
                    finally:
                        os.kill(referee.process.pid, signal.SIGCONT)
        return results[0]

    result = trio.run(journey)
    assert result.ending is Ending.VOIDED
    assert result.reason == f"the referee stalled while {gives_up.label} was joining"


def test_a_bot_that_gave_up_though_its_referee_answers_forfeits(
    gives_up: BotDirectory, random_bot: BotDirectory
) -> None:
    async def journey() -> MatchResult:
        async with open_pool(log_level="error") as pool:
            with trio.fail_after(SECONDS):
                return await pool.play(MatchToPlay("m", "toy", {}, (gives_up, random_bot), 1, PATIENT))

    assert trio.run(journey).seat_endings == (Ending.FORFEIT_CRASH, Ending.COMPLETED)


def test_a_bot_whose_referee_we_cannot_reach_either_is_excused_twice(
    gives_up: BotDirectory, random_bot: BotDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is taken away by hand; from the third time on the bot is blamed all the same."""

    async def journey() -> list[MatchResult]:
        async with open_pool(log_level="error") as pool:
            with trio.fail_after(SECONDS):
                return [
                    await pool.play(MatchToPlay(f"m{number}", "toy", {}, (gives_up, random_bot), 1, PATIENT))
                    for number in range(3)
                ]

    async def never(_socket: Path) -> bool:
        return False

    monkeypatch.setattr(local_pool, "is_reached", never)
    results = trio.run(journey)
    reason = f"the referee could not be reached while {gives_up.label} was joining"
    assert [result.reason for result in results[:2]] == [reason] * 2
    assert [result.ending for result in results] == [Ending.VOIDED, Ending.VOIDED, Ending.FORFEIT_CRASH]


def test_a_referee_over_its_memory_is_replaced_and_its_match_played_again(
    random_bot: BotDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quick match may end before the referee looks at its memory, so there are matches until it has."""
    monkeypatch.setattr(local_pool, "REFEREE_MB", 1)

    async def journey() -> tuple[list[MatchResult], int]:
        results: list[MatchResult] = []

        async def play(pool: LocalPool) -> None:
            while not pool._felled[""]:
                match = MatchToPlay(f"m{len(results)}", "toy", {}, (random_bot,) * 2, 1, PATIENT)
                results.append(await pool.play(match))

        async with open_pool(log_level="error") as pool:
            with trio.fail_after(SECONDS):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(play, pool)
                    await until(lambda: pool.referees)
                    monkeypatch.setattr(local_pool, "REFEREE_MB", 1_024)  # for the second
            return results, pool._felled[""]

    results, felled = trio.run(journey)
    assert {result.ending for result in results} == {Ending.COMPLETED}
    assert felled == 1


def test_a_full_referee_names_the_bot_that_sent_far_more_than_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[tuple[str, Any]] = []
    monkeypatch.setattr(referee_program, "say", lambda verb, value: said.append((verb, value)))

    async def journey(received: dict[str, int]) -> str:
        server = RefereeServer(StallMeter())
        for ticket, count in received.items():
            server.admit(ticket, ticket).window.received = count
        await referee_program.guard_memory(server, 1, end=lambda code: None)
        verb, value = said.pop()
        assert verb == "full"
        return str(value["ticket"])

    large = 50 << 20
    assert asyncio.run(journey({"ann": 100, "ben": large, "cat": 1_000})) == "ben"
    assert asyncio.run(journey({"ann": large, "ben": large, "cat": 1_000})) == ""
    assert asyncio.run(journey({"ann": 100, "ben": 1_000})) == ""
    assert asyncio.run(journey({})) == ""


def test_a_bot_that_has_filled_two_referees_is_not_started_again(random_bot: BotDirectory) -> None:
    other = dataclasses.replace(random_bot, manifest=dataclasses.replace(random_bot.manifest, name="other"))

    async def journey() -> tuple[MatchResult, str]:
        async with open_pool(log_level="error") as pool:
            pool._felled[other.label] = local_pool.MAX_FELLED
            with trio.fail_after(SECONDS):
                result = await pool.play(MatchToPlay("m", "toy", {}, (random_bot, other), 1, PATIENT))
            return result, pool.output_of(other.label)

    result, output = trio.run(journey)
    assert result.seat_endings == (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    assert output == "not started: it has filled the memory of 2 referees in this run"
