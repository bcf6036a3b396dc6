"""Three people and one server: an author submits, an organiser runs a tournament, a spectator follows."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.remote.address import ServerAddress
from arena.remote.client import connect
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from tests.arena.server.running_server import (
    NO_HURRY,
    PATIENCE_SECONDS,
    Server,
    arena,
    bearer,
    bot_directory,
    certificate,
    enter_patient_bot,
    running,
)

ROUNDS = 6
CUP = f'name = "cup"\ngame = "toy"\nbots = ["*"]\nrounds = {ROUNDS}\n{NO_HURRY}'


def watch(stub: Any, tournament: str, token: str, begun: Callable[[], None]) -> list[pb.WatchTournamentResponse]:
    """Follow a tournament from the moment it is there to its end, and tell when that has begun."""
    while True:
        try:
            events = stub.WatchTournament(pb.WatchTournamentRequest(tournament=tournament), metadata=bearer(token))
            first = next(events)
            begun()
            return [first, *events]
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
            time.sleep(0.1)


def test_an_author_an_organiser_and_a_spectator_meet_over_tls(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    with ExitStack() as stack:
        server = stack.enter_context(running(tmp_path / "arena", "--tls-cert", cert, "--tls-key", key))
        reached = ("--server", server.addresses[0], "--tls-ca", cert)
        ann, bob = server.token("ann"), server.token("bob")
        organiser, spectator = server.token("olga", "organiser"), server.token("sam", "spectator")

        # The authors submit three bots.
        labels = []
        for name, token in (("ann-one", ann), ("ann-two", ann), ("bob-one", bob)):
            bot = bot_directory(tmp_path / "bots", name)
            submitted = arena("bots", "submit", bot, *reached, "--json", ARENA_TOKEN=token)
            assert submitted.returncode == 0, submitted.stderr
            said = json.loads(submitted.stdout)
            assert said["is_accepted"]
            assert said["game"] == "toy"
            labels.append(said["label"])

        # The spectator waits for the tournament, the organiser starts it and follows it to its end. A bot of the
        # organiser's own waits with its first answer until the spectator is there.
        patient = enter_patient_bot(server.db, tmp_path / "bots", matches=0)
        labels.append(patient.label)
        file = tmp_path / "cup.toml"
        file.write_text(CUP)
        channel = stack.enter_context(
            grpc.secure_channel(server.addresses[0], grpc.ssl_channel_credentials(cert.read_bytes()))
        )
        stub = rpc.ArenaServiceStub(channel)
        watching = stack.enter_context(ThreadPoolExecutor()).submit(watch, stub, "cup", spectator, patient.go_on)
        run = arena("tournament", "run", file, *reached, "--json", ARENA_TOKEN=organiser)
        assert run.returncode == 0, run.stderr
        assert sorted(line["bot"] for line in json.loads(run.stdout)["standings"]) == sorted(labels)
        events = watching.result(timeout=PATIENCE_SECONDS)
        assert events[0].status.state == pb.TOURNAMENT_STATE_RUNNING
        last = events[-1].status
        assert (last.state, last.reason) == (pb.TOURNAMENT_STATE_FINISHED, "all rounds are played")
        finished = [event.match_finished for event in events if event.HasField("match_finished")]
        assert finished
        assert {seat.bot for match in finished for seat in match.seats} <= set(labels)
        closed = [event.round_closed.round for event in events if event.HasField("round_closed")]
        assert closed[-1] == ROUNDS
        over = arena("tournament", "watch", "cup", *reached, ARENA_TOKEN=spectator)
        assert over.stdout == "cup is finished: all rounds are played\n"

        # The spectator reads what came of it; it is what the database says.
        local = ("--db", server.db)
        for words in (
            ("leaderboard", "--json"),
            ("leaderboard", "--tournament", "cup", "--json"),
            ("tournament", "standings", "cup", "--json"),
            ("tournament", "list", "--json"),
            ("bots", "list", "--json"),
        ):
            far, near = arena(*words, *reached, ARENA_TOKEN=spectator), arena(*words, *local)
            assert far.returncode == 0, far.stderr
            assert json.loads(far.stdout) == json.loads(near.stdout), words
        shown = json.loads(arena("bots", "show", "ann-one", *reached, "--json", ARENA_TOKEN=spectator).stdout)
        assert shown["author"] == "ann"
        assert shown["recent"]

        # Records and the ledger can be had and checked by anybody.
        match_id = shown["recent"][0]["match"]
        replay = stub.GetReplay(pb.GetReplayRequest(match_id=match_id[:12]), metadata=bearer(spectator))
        assert replay.match_id == match_id
        ledger = "".join(
            piece.lines for piece in stub.ExportLedger(pb.ExportLedgerRequest(), metadata=bearer(spectator))
        )
        record = tmp_path / "record.jsonl"
        record.write_text(replay.record)
        verified = arena("replay", "verify", record)
        assert verified.returncode == 0, verified.stderr
        assert ledger == arena("ledger", "export", *local).stdout

        # An author who retires a bot keeps it out of the next tournament.
        assert arena("bots", "retire", "ann-two", *reached, ARENA_TOKEN=ann).returncode == 0
        file.write_text(CUP.replace("cup", "next"))
        started = arena("tournament", "run", file, *reached, "--detach", "--json", ARENA_TOKEN=organiser)
        assert sorted(json.loads(started.stdout)["bots"]) == sorted(label for label in labels if "ann-two" not in label)
        secrets = [token.partition(".")[2] for token in server.tokens.values()]
        assert server.stop() == 0
        assert not [secret for secret in secrets if secret in server.log]


def test_tls_is_refused_without_trust_and_plaintext_gets_no_answer(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    with running(tmp_path / "arena", "--tls-cert", cert, "--tls-key", key) as server:
        token = server.token("sam", "spectator")
        plain = arena("bots", "list", "--server", server.addresses[0], ARENA_TOKEN=token)
        other = tmp_path / "other"
        other.mkdir()
        foreign, _key = certificate(other)
        distrusted = arena("bots", "list", "--server", server.addresses[0], "--tls-ca", foreign, ARENA_TOKEN=token)
        for refused in (plain, distrusted):
            assert refused.returncode == 2
            assert "cannot be reached" in refused.stderr.splitlines()[-1]


def test_a_server_that_takes_a_second_to_greet_is_waited_for(server: Server) -> None:
    """It may be busy, or far away: a handshake goes to and fro."""
    pid = server.process.pid
    waking = threading.Timer(1.5, os.kill, (pid, signal.SIGCONT))
    with connect(ServerAddress(server.addresses[0], server.token("sam", "spectator"))) as client:
        os.kill(pid, signal.SIGSTOP)
        waking.start()
        try:
            client.bots()  # a ServerError if it cannot be reached
        finally:
            waking.join()


@pytest.mark.parametrize("where", ["0.0.0.0:0", "192.0.2.1:7494", "[::]:0"])
def test_plaintext_where_others_can_listen_needs_a_flag(tmp_path: Path, where: str) -> None:
    refused = arena("serve", "--db", tmp_path / "arena.db", "--listen", where)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"arena: --listen: {where} can be reached by others")
    assert not (tmp_path / "arena.db").exists()


def test_it_works_the_same_without_a_server(tmp_path: Path) -> None:
    """The same words with --db instead of --server: submit, again, list, retire, and a bot that cannot play."""
    db = tmp_path / "arena.db"
    bot = bot_directory(tmp_path, "mine")
    first = json.loads(arena("bots", "submit", bot, "--db", db, "--json").stdout)
    again = json.loads(arena("bots", "submit", bot, "--db", db, "--json").stdout)
    assert (first["is_new"], again["is_new"]) == (True, False)
    assert first["label"] == again["label"]
    assert [folder.name for folder in (tmp_path / "arena-bots").iterdir()] == [first["version"]]
    broken = bot_directory(tmp_path, "broken", program="import sys\nsys.exit('no board today')\n")
    refused = arena("bots", "submit", broken, "--db", db)
    assert refused.returncode == 1
    assert refused.stdout.splitlines() == [
        "broken is refused: its smoke match of toy ended in forfeit_crash", "  | no board today",
    ]  # fmt: skip
    assert arena("bots", "retire", "mine", "--db", db).stdout == "mine is retired.\n"
    (listed,) = json.loads(arena("bots", "list", "--db", db, "--json").stdout)
    assert (listed["name"], listed["is_retired"]) == ("mine", True)
    assert [folder.name for folder in (tmp_path / "arena-bots").iterdir()] == [first["version"]]
