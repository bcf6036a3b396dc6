"""Remote bots: entered with a token, dialling the public endpoint, playing, vanishing and coming back."""

from __future__ import annotations

import json
import os
import queue
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arena.bots.directory import Bot, read_bot, remote_bot
from arena.bots.process import BotProcess
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.reproducing import Hindrance
from arena.remote.address import ServerAddress
from arena.remote.client import Client
from arena.remote.reconnecting import enter as enter_here
from arena.sandbox.levels import Level, SandboxPolicy
from arena.v1 import arena_pb2 as pb
from referee.keys import make_signer
from referee.mistakes import UserError
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.v1 import play_pb2 as play
from referee.v1.play_pb2_grpc import RefereeServiceStub
from referee.wire import MAX_STRAYS
from tests.arena.command_line import CommandLine
from tests.arena.server.running_server import (
    ARENA,
    PATIENCE_SECONDS,
    RANDOM_BOT,
    Server,
    bearer,
    bot_directory,
    certificate,
    running,
    wait_until,
)
from tests.journeys.test_referee_process import dial as dial_referee
from tests.journeys.test_referee_process import hello as say_hello
from tests.journeys.test_referee_process import referee
from tests.kept_folder import kept_folder
from tests.patience import patience
from tests.wire.test_record import resealed

CODE = grpc.StatusCode
CUP = """
name = "cup"
game = "toy"
bots = ["near", "far", "away"]
rounds = 3
time_control = {join_ms = 300000, grace_ms = 60000, bank_ms = 600000, cap_ms = 120000}
"""
"""Bots that are there have all the time that a busy machine takes."""


@contextmanager
def connected(bot: Path, address: str, token: str, *options: object) -> Iterator[subprocess.Popen[str]]:
    """Run `arena connect` and return when its bot has been entered."""
    process = subprocess.Popen(
        [*ARENA, "connect", str(bot), "--server", address, *map(str, options)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"ARENA_TOKEN": token},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    assert "is entered and plays from this machine" in line, process.stderr.read()
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=PATIENCE_SECONDS)
        process.stdout.close()
        process.stderr.close()


def wait_for_log(server: Server, text: str, count: int = 1) -> None:
    wait_until(lambda: server.log.count(text) >= count, lambda: server.log)


def seats_of(server: Server, token: str) -> dict[str, list[str]]:
    """Every bot's endings in all matches of the cup."""
    found: dict[str, list[str]] = {}
    for name in ("near", "far", "away"):
        report = server.call("GetBot", pb.GetBotRequest(name=name, last=100), token).bot
        found[name] = [line.ending for line in report.recent]
    return found


def test_bots_play_from_elsewhere_over_tls_beside_a_hosted_one(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    with running(tmp_path / "arena", "--unix", tmp_path / "socket", "--tls-cert", cert, "--tls-key", key) as server:
        address, server.addresses = server.addresses[0], server.addresses[::-1]  # the tests themselves use the socket
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        bots = {name: bot_directory(tmp_path / "bots", name) for name in ("near", "far", "away")}
        hosted = subprocess.run(
            [*ARENA, "bots", "submit", str(bots["near"]), "--server", address, "--tls-ca", str(cert), "--token", ann],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        assert hosted.returncode == 0, hosted.stderr
        with ExitStack() as stack:
            for name in ("far", "away"):
                stack.enter_context(connected(bots[name], address, ann, "--tls-ca", cert))
            wait_for_log(server, "bot.connected", 2)
            server.call("StartTournament", pb.StartTournamentRequest(toml=CUP), olga)
            events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
            assert events[-1].status.reason == "all rounds are played"
        endings = seats_of(server, olga)
        assert {name: set(each) for name, each in endings.items()} == {name: {"completed"} for name in bots}
        assert len(endings["far"]) == 9
        assert server.stop() == 0


def test_a_remote_bot_that_vanishes_forfeits_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the killed `arena connect` has left among the temporary files is swept by the next command."""
    temporary = kept_folder("arena-far")
    monkeypatch.setenv("TMPDIR", str(temporary))
    with running(tmp_path / "arena") as server:
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        bots = {name: bot_directory(tmp_path / "bots", name) for name in ("near", "far", "away")}
        with ExitStack() as stack:
            processes = {name: stack.enter_context(connected(bots[name], server.addresses[0], ann)) for name in bots}
            wait_for_log(server, "bot.connected", 3)
            assert len(list(temporary.iterdir())) == 3
            os.killpg(processes["away"].pid, signal.SIGKILL)
            wait_for_log(server, "bot.disconnected", 1)
            short = CUP.replace("grace_ms = 60000", "grace_ms = 100").replace("rounds = 3", "rounds = 1")
            server.call("StartTournament", pb.StartTournamentRequest(toml=short), olga)
            events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
            assert events[-1].status.reason == "all rounds are played"
        endings = seats_of(server, olga)
        assert set(endings["near"]) == set(endings["far"]) == {"completed"}
        assert set(endings["away"]) == {"forfeit_disconnect"}
        assert [processes[name].returncode for name in ("near", "far")] == [130, 130], "as after an interruption"
        wait_until(lambda: not list(temporary.iterdir()))  # the referees of the tournament leave a moment after its end


@contextmanager
def greeting(server: Server) -> Iterator[Callable[..., Any]]:
    """Lend what dials in with a ticket, and says nothing more until it is over."""
    over = threading.Event()

    def hello(ticket: str, version: int) -> Iterator[play.PlayRequest]:
        yield play.PlayRequest(messages=[play.BotMessage(hello=play.Hello(ticket=ticket, protocol_version=version))])
        over.wait()

    with grpc.insecure_channel(server.addresses[0]) as channel, ExitStack() as stack:
        stack.callback(over.set)
        yield lambda ticket, version=1: RefereeServiceStub(channel).Play(
            hello(ticket, version), timeout=PATIENCE_SECONDS
        )


def dial(server: Server, ticket: str, version: int = 1) -> tuple[grpc.StatusCode, str]:
    with greeting(server) as greet:
        with pytest.raises(grpc.RpcError) as caught:
            list(greet(ticket, version))
        return caught.value.code(), caught.value.details() or ""


def test_a_ticket_is_for_one_bot_one_connection_and_a_good_token(server: Server) -> None:
    token = server.token("rob")
    request = pb.ConnectRequest(name="robs", games=["toy"])
    first = server.call("Connect", request, token)
    assert first.address == server.addresses[0]
    assert dial(server, "guessed") == (CODE.UNAUTHENTICATED, "invalid ticket")
    assert dial(server, first.ticket, version=9)[0] is CODE.FAILED_PRECONDITION
    with greeting(server) as greet:
        dead = greet(first.ticket)
        assert next(dead).messages[0].welcome.bot == first.label
        # A bot whose connection is dead without the server's knowing comes back immediately: the newest is the bot's.
        stream = greet(first.ticket)
        assert next(stream).messages[0].welcome.bot == first.label
        with pytest.raises(grpc.RpcError) as caught:
            next(dead)
        assert caught.value.code() is CODE.ABORTED
        assert caught.value.details() == "a newer connection with this ticket has taken over"
        # Connecting again ends the old connection and the old ticket; the label stays.
        second = server.call("Connect", request, token)
        assert second.label == first.label
        with pytest.raises(grpc.RpcError) as caught:
            next(stream)
        assert caught.value.details() == "the bot was connected again"
    assert dial(server, first.ticket)[0] is CODE.UNAUTHENTICATED
    with pytest.raises(grpc.RpcError) as caught:
        server.call("Connect", request, server.token("bob"))
    assert caught.value.code() is CODE.PERMISSION_DENIED


def test_empty_frames_are_cut_as_a_referee_cuts_them(server: Server) -> None:
    """After a thousand without an answer, and immediately when it reconnects."""
    ticket = server.call("Connect", pb.ConnectRequest(name="silent", games=["toy"]), server.token("rob")).ticket

    def frames(count: int) -> Iterator[play.PlayRequest]:
        yield say_hello(ticket)
        for _ in range(count):
            yield play.PlayRequest()
        over.wait()

    with ExitStack() as stack:
        over = threading.Event()
        channel = stack.enter_context(grpc.insecure_channel(server.addresses[0]))
        stack.callback(over.set)
        for count in (MAX_STRAYS + 1, 1):
            with pytest.raises(grpc.RpcError) as caught:
                list(RefereeServiceStub(channel).Play(frames(count), timeout=PATIENCE_SECONDS))
            assert caught.value.code() is CODE.RESOURCE_EXHAUSTED
            assert caught.value.details() == f"more than {MAX_STRAYS} empty frames without an answer"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.ConnectRequest(name=""), "name: '' is not allowed"),
        (pb.ConnectRequest(name='x"\ncommand = ["sh"]'), "name: "),
        (pb.ConnectRequest(name="random"), "name: 'random' is reserved for the arena's own bots"),
        (pb.ConnectRequest(name="Gr33dy"), "name: 'Gr33dy' is reserved for the arena's own bots"),
        (pb.ConnectRequest(name="x", games=["halma"]), "games: 'halma' is unknown"),
        (pb.ConnectRequest(name="x", concurrency=-1), "concurrency: -1 is not allowed"),
    ],
)
def test_a_wrong_remote_bot_is_named(server: Server, request_: pb.ConnectRequest, reason: str) -> None:
    with server.stub() as stub, pytest.raises(grpc.RpcError) as caught:
        stub.Connect(request_, metadata=bearer(server.token("rob")))
    assert caught.value.code() is CODE.INVALID_ARGUMENT
    assert str(caught.value.details()).startswith(reason)


def test_a_bot_lost_between_two_matches_has_its_grace_time_in_the_next_and_no_more(tmp_path: Path) -> None:
    """However long it might have thought, which is an hour here: nobody waits for an answer that cannot come."""
    control = TimeControl(bank_ms=3_600_000, cap_ms=3_600_000, grace_ms=200, join_ms=3_600_000)
    with referee(f"unix:{tmp_path}/socket") as process:
        for ticket in ("one", "two"):
            process.tell("admit", {"ticket": ticket, "bot": ticket})
            stream = dial_referee(process, say_hello(ticket))
            next(stream)
            stream.cancel()
        order = MatchOrder("m", "toy", {}, (SeatOrder("one", "one"), SeatOrder("two", "two")), 7, control)
        started = time.monotonic()
        process.tell("match", order.to_plain())
        result = MatchResult.from_plain(process.hear()["result"])
    assert result.seat_endings == (Ending.FORFEIT_DISCONNECT, Ending.FORFEIT_DISCONNECT)
    assert 0.2 <= time.monotonic() - started < patience(1)


class Dropping:
    """A bot in a thread that hangs up on a prompt without an answer, again and again, and comes back immediately."""

    def __init__(self, address: str, ticket: str, drops: int) -> None:
        self.address, self.ticket, self.drops = address, ticket, drops
        self.connections = 0
        self.is_over = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while not self.is_over:
            with grpc.insecure_channel(self.address) as channel, suppress(grpc.RpcError):
                self.play(RefereeServiceStub(channel))

    def play(self, stub: RefereeServiceStub) -> None:
        answers: queue.SimpleQueue[play.PlayRequest] = queue.SimpleQueue()
        answers.put(say_hello(self.ticket))
        self.connections += 1
        for frame in stub.Play(iter(answers.get, None)):
            for message in frame.messages:
                if message.WhichOneof("kind") == "prompt":
                    if self.drops:
                        self.drops -= 1
                        return
                    prompt = message.prompt
                    answer = play.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                    answers.put(play.PlayRequest(messages=[play.BotMessage(answer=answer)]))


def test_a_bot_that_loses_its_connection_comes_back_to_the_same_prompt(tmp_path: Path) -> None:
    """Through the server as at a referee: within the grace time nothing is lost."""
    with running(tmp_path / "arena") as server:
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        tickets = enter(server, ann)
        bots = [
            Dropping(server.addresses[0], tickets[name], drops)
            for name, drops in (("near", 0), ("far", 5), ("away", 3))
        ]
        wait_for_log(server, "bot.connected", 3)
        server.call("StartTournament", pb.StartTournamentRequest(toml=CUP), olga)
        events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
        for bot in bots:
            bot.is_over = True
        assert events[-1].status.reason == "all rounds are played"
        assert [bot.connections for bot in bots] == [1, 6, 4]
        assert {ending for each in seats_of(server, olga).values() for ending in each} == {"completed"}
        assert server.stop() == 0


def test_a_bot_that_is_not_there_has_its_grace_time_and_no_more(tmp_path: Path) -> None:
    """However long a match would wait for its bots to start up: that they are not connected is known."""
    with running(tmp_path / "arena") as server:
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        tickets = enter(server, ann)
        bots = [Dropping(server.addresses[0], tickets[name], 0) for name in ("near", "far")]
        wait_for_log(server, "bot.connected", 2)
        cup = CUP.replace("join_ms = 300000, grace_ms = 60000", "join_ms = 3600000, grace_ms = 200")
        server.call("StartTournament", pb.StartTournamentRequest(toml=cup), olga)
        events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
        for bot in bots:
            bot.is_over = True
        assert events[-1].status.reason == "all rounds are played"
        endings = seats_of(server, olga)
        assert set(endings["near"]) == set(endings["far"]) == {"completed"}
        assert set(endings["away"]) == {"forfeit_disconnect"}
        assert server.stop() == 0


def test_a_tournament_waits_for_a_bot_if_it_says_so(tmp_path: Path) -> None:
    with running(tmp_path / "arena") as server:
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        tickets = enter(server, ann)
        bots = [Dropping(server.addresses[0], tickets[name], 0) for name in ("near", "far")]
        wait_for_log(server, "bot.connected", 2)
        cup = CUP.replace("grace_ms = 60000", "grace_ms = 50") + "remote_wait_ms = 300000\n"
        server.call("StartTournament", pb.StartTournamentRequest(toml=cup.replace("rounds = 3", "rounds = 1")), olga)
        with server.stub() as stub:
            request = pb.WatchTournamentRequest(tournament="cup")
            events = stub.WatchTournament(request, metadata=bearer(olga), timeout=PATIENCE_SECONDS)
            wait_for_log(server, "bot.awaited")
            bots.append(Dropping(server.addresses[0], tickets["away"], 0))
            last = list(events)[-1]
        for bot in bots:
            bot.is_over = True
        assert last.status.reason == "all rounds are played"
        endings = seats_of(server, olga)
        assert {name: set(each) for name, each in endings.items()} == {name: {"completed"} for name in tickets}
        assert server.stop() == 0


def enter(server: Server, token: str) -> dict[str, str]:
    """Enter three bots and return their tickets; none is connected yet."""
    return {
        name: server.call("Connect", pb.ConnectRequest(name=name, games=["toy"]), token).ticket
        for name in ("near", "far", "away")
    }


def test_a_remote_bot_plays_no_more_matches_concurrently_than_it_declares_at_all_referees(tmp_path: Path) -> None:
    """It is one process, and what it thinks about one match is charged to its clock in the other."""
    programs = {name: read_bot(bot_directory(tmp_path, name)) for name in ("near", "far")}
    bots = tuple(remote_bot(name, (), 1) for name in programs)
    matches = [f"match-{number}" for number in range(3)]
    concurrent: list[int] = []

    async def start_for_it(bot: Bot, address: str, ticket: str, _level: Level) -> BotProcess:
        return await BotProcess.start(programs[bot.manifest.name], address, ticket, SandboxPolicy.OFF)

    async def journey() -> None:
        def watch(_match: str, _event: str) -> None:
            concurrent.append(sum(pool.is_played(match) for match in matches))

        async with open_pool(referees=2, start_bot=start_for_it, sandbox=SandboxPolicy.OFF, watch=watch) as pool:
            with trio.fail_after(PATIENCE_SECONDS):
                async with trio.open_nursery() as nursery:
                    for match in matches:
                        nursery.start_soon(pool.play, MatchToPlay(match, "toy", {}, bots, 5))

    trio.run(journey)
    assert len(concurrent) > 20
    assert set(concurrent) == {1}


SIGNED_CUP = CUP.replace("rounds = 3", "rounds = 1")


def test_T22_9_choices_of_a_remote_bot_are_signed_by_its_author_and_proved_by_the_record(
    command_line: CommandLine, tmp_path: Path
) -> None:
    """One bot signs, one plays unsigned, and the third is hosted: all of it in one match of three."""
    public = command_line("ledger", "key", "ann.example", "--output", "ann.key").out.strip()
    with running(tmp_path / "arena") as server:
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        bots = {name: bot_directory(tmp_path / "bots", name) for name in ("near", "far", "away")}
        for bot in bots.values():
            with (bot / "bot.toml").open("a") as manifest:
                manifest.write("\ndeterministic = true\n")
        address = server.addresses[0]
        hosted = subprocess.run(
            [*ARENA, "bots", "submit", str(bots["near"]), "--server", address, "--token", ann],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        assert hosted.returncode == 0, hosted.stderr
        with ExitStack() as stack:
            stack.enter_context(connected(bots["far"], address, ann, "--key", "ann.key"))
            stack.enter_context(connected(bots["away"], address, ann))
            wait_for_log(server, "bot.connected", 2)
            server.call("StartTournament", pb.StartTournamentRequest(toml=SIGNED_CUP), olga)
            events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
            assert events[-1].status.reason == "all rounds are played"
        assert {name: set(each) for name, each in seats_of(server, olga).items()} == {
            name: {"completed"} for name in bots
        }
        assert server.stop() == 0
    database = str(server.db)
    verified = command_line("ledger", "verify", "--replay", "--db", database, "--json")
    assert (verified.code, verified.data["findings"]) == (0, [])
    (signed,) = verified.data["signed_choices"]
    assert (signed["bot"].partition("@")[0], signed["key"]) == ("far", public)
    assert signed["choices"] > 5
    shown = command_line("ledger", "verify", "--replay", "--db", database)
    assert f"{signed['bot']}: {signed['choices']:,} choices signed by {public}\n" in shown.out
    shown = command_line("bots", "show", "far", "--db", database)
    assert f"signed by {public}" in "".join(shown.out.split("\n")), "readers find the key where they find the bot"
    assert command_line("bots", "show", "far", "--db", database, "--json").data["versions"][0]["public_key"] == public
    again = command_line("ledger", "reproduce", database, "--sample", "100%", "--json")
    assert (again.code, again.data["reproduced"], again.data["differences"]) == (0, 0, [])
    assert again.data["not_reproducible"] == {Hindrance.REMOTE.value: 3}, "the hosted bot chose the same"
    match = again.data["sample"][0]
    told = command_line("replay", "verify", match, "--db", database, "--json").data[0]
    assert [(each["key"], each["choices"] > 1) for each in told["signed"]] == [(public, True)]
    _strip_signatures(server.db, match)
    stripped = command_line("ledger", "verify", "--replay", "--db", database)
    assert (stripped.code, f"its answer is not signed by {public}" in stripped.out) == (1, True)
    with sqlite3.connect(server.db) as connection:
        connection.execute("UPDATE bot_version SET manifest = json_remove(manifest, '$.public_key')")
    connection.close()
    unbound = command_line("ledger", "verify", "--db", database)
    assert f"bot version {signed['bot']} is not the hash of what its author declared" in unbound.out


def _strip_signatures(db: Path, match: str) -> None:
    """Take the signatures out of a record and seal it again; its digests, which the ledger has, stay the same."""
    with sqlite3.connect(db) as connection:
        (packed,) = connection.execute("SELECT content FROM record WHERE match = ?", (match,)).fetchone()
        bodies = [json.loads(line) for line in zlib.decompress(packed).decode().splitlines()]
        del bodies[-1]["signatures"]
        values = (zlib.compress(resealed(bodies).encode()), match)
        connection.execute("UPDATE record SET content = ? WHERE match = ?", values)
    connection.close()


@pytest.mark.parametrize("key", ["nonsense", "ann.example+00000000+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"])
def test_T22_9_a_public_key_that_is_none_is_refused(server: Server, key: str) -> None:
    request = pb.ConnectRequest(name="near", games=["toy"], public_key=key)
    with pytest.raises(grpc.RpcError) as caught:
        server.call("Connect", request, server.token("ann"))
    assert caught.value.code() is CODE.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith(f"public_key: '{key}' is not a public key; expected NAME+HASH+KEY")


def test_T22_9_the_signing_starter_bot_signs_its_own_answers(
    server: Server, command_line: CommandLine, tmp_path: Path
) -> None:
    """It dials by itself, with the ticket of a Connect that names its key, beside one whose key it does not have."""
    public = command_line("ledger", "key", "ann.example", "--output", "ann.key").out.strip()
    other = command_line("ledger", "key", "bob.example", "--output", "bob.key").out.strip()
    ann, olga = server.token("ann"), server.token("olga", "organiser")
    with ExitStack() as stack:
        for name, key in (("signs", public), ("forges", other)):
            request = pb.ConnectRequest(name=name, games=["toy"], public_key=key)
            entered = server.call("Connect", request, ann)
            process = subprocess.Popen(
                [sys.executable, "signer.py"], cwd=RANDOM_BOT, stderr=subprocess.DEVNULL,
                env=os.environ
                | {"ARENA_ADDRESS": entered.address, "ARENA_TICKET": entered.ticket}
                | {"ARENA_SIGNING_KEY": str(tmp_path / "ann.key")},
            )  # fmt: skip
            stack.callback(process.wait, PATIENCE_SECONDS)
            stack.callback(process.kill)
        wait_for_log(server, "bot.connected", 2)
        toml = SIGNED_CUP.replace('"near", "far", "away"', '"signs", "forges"').replace('"cup"', '"signed"')
        server.call("StartTournament", pb.StartTournamentRequest(toml=toml), olga)
        events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="signed"), olga)
        assert events[-1].status.reason == "all rounds are played"
    endings = {
        name: {line.ending for line in server.call("GetBot", pb.GetBotRequest(name=name, last=9), olga).bot.recent}
        for name in ("signs", "forges")
    }
    assert endings == {"signs": {"completed"}, "forges": {"forfeit_illegal"}}


def test_T22_9_a_server_that_keeps_no_signatures_is_not_played_on_with_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one of version 0.1.0, which does not know the field."""
    deaf = pb.ConnectResponse(label="near@1", address="127.0.0.1:1", ticket="t")
    monkeypatch.setattr(Client, "connect", lambda *_words: deaf)
    bot, server = read_bot(bot_directory(tmp_path, "near")), ServerAddress("127.0.0.1:1", "token")
    assert enter_here(bot, server) == deaf, "without a key nothing is missing"
    with pytest.raises(UserError, match="keeps no signatures; expected a server of a later version"):
        enter_here(bot, server, make_signer("ann.example"))
