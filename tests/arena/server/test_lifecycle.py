"""The server's own life: started, stopped in the middle of work, killed, started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.store.beside import bots_folder
from arena.v1 import arena_pb2 as pb
from ratings.ledger.secret_seed import secret_seed
from tests.arena.server.running_server import (
    ARENA,
    NO_HURRY,
    ON_ANY_MACHINE,
    PATIENCE_SECONDS,
    RANDOM_BOT,
    Server,
    arena,
    bearer,
    bot_archive,
    enter_patient_bot,
    running,
    start,
    wait_until,
)
from tests.kept_folder import kept_folder

CODE = grpc.StatusCode
LONG = 'name = "long"\ngame = "toy"\nbots = ["one", "two", "three"]\nrounds = 25\n'
HELD = LONG.replace('"three"', '"three", "patient"').replace("25", "4") + NO_HURRY
"""Which goes on for as long as its patient bot is told to wait."""
FIRST_ROUND = 4
"""Matches of it: a table of four, each bot in each seat once."""


def with_bots(server: Server, folder: Path) -> None:
    for name in ("one", "two", "three"):
        response = server.submit(name, bot_archive(folder, name), server.token("ann"))
        assert response.accepted.is_new, response


def begin(server: Server, toml: str = HELD) -> None:
    server.call("StartTournament", pb.StartTournamentRequest(toml=toml), server.token("olga", "organiser"))


def rows(db: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(db, timeout=PATIENCE_SECONDS)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def ledger(db: Path) -> list[tuple[Any, ...]]:
    return rows(db, "SELECT seq, key, kind, payload, prev, hash FROM entry WHERE kind <> 'genesis' ORDER BY seq")


def processes_with(word: str) -> set[int]:
    """The processes that have a word in their command or in their environment."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if word.encode() in (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes():
                found.add(int(folder.name))
    return found


def test_stopped_in_the_middle_it_leaves_nothing_behind_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Referees, bots, sockets and temporary directories are gone; the next server plays the tournament to its end."""
    mine = kept_folder("arena-life")
    monkeypatch.setenv("TMPDIR", str(mine))
    monkeypatch.setattr(tempfile, "tempdir", None)
    unix = tmp_path / "arena" / "socket"
    with running(tmp_path / "arena", "--unix", unix) as server:
        with_bots(server, tmp_path)
        patient = enter_patient_bot(server.db, tmp_path)
        begin(server)
        sam = server.token("sam", "spectator")
        seen: list[pb.WatchTournamentResponse] = []
        ended: list[grpc.StatusCode] = []

        def watch() -> None:
            with server.stub() as stub:
                try:
                    seen.extend(
                        stub.WatchTournament(pb.WatchTournamentRequest(tournament="long"), metadata=bearer(sam))
                    )
                except grpc.RpcError as error:
                    ended.append(error.code())

        watcher = threading.Thread(target=watch)
        watcher.start()
        wait_until(lambda: rows(server.db, "SELECT 1 FROM match LIMIT 1"))
        assert len(processes_with(str(mine)) - {server.process.pid}) >= 2, "a referee and what it was forked from"
        assert server.stop() == 0
        watcher.join(timeout=PATIENCE_SECONDS)
        assert ended == [CODE.UNAVAILABLE]
    wait_until(lambda: not processes_with(str(mine)))  # one that was killed takes a moment to be gone
    mine.rmdir()  # it is empty
    left = {file.name for file in (tmp_path / "arena").iterdir()}
    left.discard("arena.db.heads")  # is there once a round has closed, and is meant to stay
    assert left == {"arena-bots", "arena.db", "server.log"}
    assert rows(server.db, "SELECT state, reason FROM tournament") == [("stopped", "the server was stopped")]
    patient.go_on()
    with running(tmp_path / "arena") as again:
        wait_until(lambda: rows(again.db, "SELECT state FROM tournament") == [("finished",)])
        assert again.stop() == 0
    verified = arena("ledger", "verify", "--db", again.db)
    assert verified.returncode == 0, verified.stdout


def results(db: Path) -> list[dict[str, Any]]:
    """The MATCH entries of a ledger, without the digests of the records and what depends on them."""
    bodies = [json.loads(entry[3]) for entry in ledger(db) if entry[2] == "MATCH"]
    return [{key: value for key, value in body.items() if key not in ("replay", "seq")} for body in bodies]


def test_killed_it_goes_on_and_ends_with_the_ledger_of_a_local_run(tmp_path: Path) -> None:
    """SIGKILL in the middle: the finished ledger has the bytes of a run that had no server at all."""
    with running(tmp_path / "arena") as server:
        with_bots(server, tmp_path)
        begin(server, LONG)
        wait_until(lambda: len(rows(server.db, "SELECT 1 FROM match")) > 6)
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait()
    with running(tmp_path / "arena") as again:
        wait_until(lambda: rows(again.db, "SELECT state FROM tournament") == [("finished",)])
        (order,) = rows(again.db, "SELECT settings FROM tournament")
        assert '"one@' in order[0]
    local = tmp_path / "local"
    local.mkdir()
    kept = bots_folder(again.db)
    paths = [f'"{kept / path}"' for (path,) in rows(again.db, "SELECT path FROM bot_version ORDER BY rowid")]
    # The END entry opens the seed; given to a local run, the settings differ by it alone, and so do the records' terms.
    seed = secret_seed(next(json.loads(entry[3])["secret"] for entry in ledger(again.db) if entry[2] == "END"))
    (local / "long.toml").write_text(f"seed = {seed}\n" + LONG.replace('"one", "two", "three"', ", ".join(paths)))
    run = arena("tournament", "run", local / "long.toml", "--db", local / "arena.db")
    assert run.returncode == 0, run.stderr
    assert results(local / "arena.db") == results(again.db) != []


def test_T10_4_a_bot_leaves_a_running_tournament_and_comes_back(tmp_path: Path) -> None:
    with running(tmp_path / "arena") as server:
        with_bots(server, tmp_path)
        olga = server.token("olga", "organiser")
        enter_patient_bot(server.db, tmp_path)
        begin(server)
        wait_until(lambda: rows(server.db, "SELECT 1 FROM match"))
        gone = server.call("WithdrawBot", pb.WithdrawBotRequest(tournament="long", bot="three"), olga)
        with pytest.raises(grpc.RpcError) as caught:
            server.call("WithdrawBot", pb.WithdrawBotRequest(tournament="long", bot="three"), olga)
        assert caught.value.code() is CODE.INVALID_ARGUMENT
        assert caught.value.details() == "bot: 'three' does not play in long"
        entered = server.call("EnterBot", pb.EnterBotRequest(tournament="long", bot="three"), olga)
        assert entered.bot == gone.bot
        assert entered.round >= gone.round > 1
        kinds = rows(server.db, "SELECT kind FROM entry WHERE kind IN ('ENTER', 'LEAVE') ORDER BY seq")
        assert kinds == [("LEAVE",), ("ENTER",)]


def test_T10_bots_join_and_leave_a_tournament_by_commands_over_the_wire(tmp_path: Path) -> None:
    """An organiser elsewhere lets one leave and come back, a late one join, and a new version of another.

    It is stopped meanwhile, in its second round or its third. A bot has the bye value once for
    the points rounds that it missed (T10.3), is paired from then on, and the audit draws every round again.
    """
    rounds = 7
    long = HELD.replace("rounds = 4", f"rounds = {rounds}")
    with running(tmp_path / "arena") as server:
        with_bots(server, tmp_path)
        olga = server.token("olga", "organiser")

        def command(*words: str) -> dict[str, Any]:
            said = arena("tournament", *words, "--server", server.addresses[0], "--json", ARENA_TOKEN=olga)
            assert said.returncode == 0, said.stderr
            found: dict[str, Any] = json.loads(said.stdout)
            return found

        patient = enter_patient_bot(server.db, tmp_path, matches=FIRST_ROUND)
        begin(server, long)
        wait_until(lambda: rows(server.db, "SELECT 1 FROM entry WHERE kind = 'CHECKPOINT'"))
        server.call("StopTournament", pb.StopTournamentRequest(tournament="long"), olga)
        wait_until(lambda: rows(server.db, "SELECT state FROM tournament") == [("stopped",)])
        gone = command("withdraw", "long", "three")
        refused = arena("tournament", "withdraw", "long", "three", "--server", server.addresses[0], ARENA_TOKEN=olga)
        assert (refused.returncode, refused.stderr) == (2, "arena: bot: 'three' does not play in long\n")
        assert server.submit("late", bot_archive(tmp_path, "late"), server.token("ann")).accepted.is_new
        late = command("enter", "long", "late")
        newer = bot_archive(tmp_path / "newer", "two", program=(RANDOM_BOT / "bot.py").read_text() + "\n# newer\n")
        assert server.submit("two", newer, server.token("ann")).accepted.is_new
        second = command("enter", "long", "two")
        back = command("enter", "long", "three")
        patient.go_on()
        begin(server, long)  # by names: it goes on with the versions that began it, though "two" has a newer one
        wait_until(lambda: rows(server.db, "SELECT state FROM tournament") == [("finished",)])
        assert server.stop() == 0
    assert back["bot"] == gone["bot"]
    assert second["bot"].startswith("two@")
    assert rows(server.db, f"SELECT parent FROM bot_version WHERE label = '{second['bot']}'") != [(None,)]
    changes = [
        (kind, json.loads(payload)["bot"], json.loads(payload)["round"])
        for kind, payload in rows(
            server.db, "SELECT kind, payload FROM entry WHERE kind IN ('ENTER', 'LEAVE') ORDER BY seq"
        )
    ]
    said = [("LEAVE", gone), ("ENTER", late), ("ENTER", second), ("ENTER", back)]
    assert changes == [(kind, each["bot"], each["round"]) for kind, each in said]
    assert 1 < gone["round"] <= late["round"] <= second["round"] <= back["round"] <= rounds
    standings = arena("tournament", "standings", "long", "--json", "--db", server.db)
    lines = {line["bot"]: line for line in json.loads(standings.stdout)}
    drawn = [
        {bot for table in json.loads(text)["tables"] for bot in table["seats"]} | set(json.loads(text)["byes"])
        for (text,) in rows(server.db, "SELECT payload FROM entry WHERE kind = 'ROUND' ORDER BY seq")
    ]
    for joined in (late, second):
        begun = joined["round"]
        is_drawn = [joined["bot"] in everybody for everybody in drawn]
        assert is_drawn == [False] * (begun - 1) + [True] * (rounds - begun + 1)
        assert lines[joined["bot"]]["rounds"] == rounds
        assert lines[joined["bot"]]["points"] == pytest.approx(0.5 + points_won(server.db, joined["bot"]))
    verified = arena("ledger", "verify", "--db", server.db)
    assert verified.returncode == 0, verified.stdout


def points_won(db: Path, bot: str) -> float:
    """T1, T2: the block points that a bot won at the board, and what rounds without a table of its own brought."""
    total = 0.0
    for (text,) in rows(db, "SELECT payload FROM entry WHERE kind = 'ROUND' ORDER BY seq"):
        pairing = json.loads(text)
        number = pairing["round"]
        total += 0.5 * (bot in pairing["byes"])
        games = rows(
            db,
            f"""SELECT s.place, (SELECT group_concat(o.place) FROM seat o WHERE o.match = m.id) FROM match m
            JOIN seat s ON s.match = m.id WHERE m.round = {number} AND s.bot = '{bot}' AND m.ending <> 'voided'""",
        )
        scores = []
        for place, everybody in games:
            others = [int(each) for each in everybody.split(",")]
            others.remove(place)
            scores.append(sum((other > place) + (other == place) / 2 for other in others) / len(others))
        total += sum(scores) / len(scores) if scores else 0.0
    return total


def test_a_tournament_is_stopped_on_request_and_started_again(tmp_path: Path) -> None:
    with running(tmp_path / "arena") as server:
        with_bots(server, tmp_path)
        olga = server.token("olga", "organiser")
        patient = enter_patient_bot(server.db, tmp_path)
        begin(server)
        with pytest.raises(grpc.RpcError) as caught:
            begin(server)
        assert caught.value.code() is CODE.FAILED_PRECONDITION
        assert caught.value.details() == "tournament: long is already running"
        # Nobody reads what is hidden at a table that still plays.
        wait_until(lambda: rows(server.db, "SELECT 1 FROM match"))
        server.call("StopTournament", pb.StopTournamentRequest(tournament="long"), olga)
        wait_until(lambda: rows(server.db, "SELECT state FROM tournament") == [("stopped",)])
        with pytest.raises(grpc.RpcError) as caught:
            server.call("StopTournament", pb.StopTournamentRequest(tournament="long"), olga)
        assert caught.value.code() is CODE.FAILED_PRECONDITION
        open_round = rows(
            server.db,
            """SELECT m.id FROM match m JOIN round r ON r.tournament = m.tournament AND r.number = m.round
            WHERE r.state <> 'closed'""",
        )
        with pytest.raises(grpc.RpcError) as caught:
            server.call("GetReplay", pb.GetReplayRequest(match_id=open_round[0][0]), olga)
        assert caught.value.code() is CODE.FAILED_PRECONDITION
        patient.go_on()
        begin(server)
        events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="long"), olga)
        assert events[-1].status.reason == "all rounds are played"


def test_a_place_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = arena("serve", "--db", tmp_path / "arena.db", "--listen", address, ON_ANY_MACHINE)
    assert refused.returncode == 2
    last = refused.stderr.splitlines()[-1]
    assert last.startswith("arena: --listen: ")
    assert address in last
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--listen", "nowhere"), "arena: --listen: 'nowhere' is not an address; expected HOST:PORT"),
        (("--listen", "127.0.0.1:99999"), "arena: --listen: '127.0.0.1:99999' is not an address"),
        (("--tls-cert", "missing.pem"), "arena: --tls-cert: expected both --tls-cert and --tls-key, or neither"),
        (("--tls-cert", "missing.pem", "--tls-key", "missing.pem"), "arena: --tls-key: missing.pem cannot be read"),
    ],
)
def test_wrong_options_are_one_clear_line(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    refused = arena("serve", "--db", tmp_path / "arena.db", *options)
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert line.startswith(reason)
    assert list(tmp_path.iterdir()) == []


def test_the_web_page_is_served_beside_it(tmp_path: Path) -> None:
    with running(tmp_path / "arena", "--web", "127.0.0.1:0") as server:
        (page,) = server.web
        host, _, port = page.removeprefix("http://").rstrip("/").partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: arena\r\nConnection: close\r\n\r\n")
            assert connection.recv(15).startswith(b"HTTP/1.1 200")
        assert server.stop(signal.SIGINT) == 0


def test_a_client_that_cannot_reach_it_gets_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as deaf:  # it has the port and does not listen, so that nobody else can have it meanwhile
        deaf.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{deaf.getsockname()[1]}"
        for words in (("bots", "list"), ("tournament", "list"), ("leaderboard",)):
            refused = arena(*words, "--server", address)
            assert refused.returncode == 2
            (line,) = refused.stderr.splitlines()
            assert line.startswith(f"arena: --server: {address} cannot be reached")


def test_a_socket_left_by_a_killed_server_is_taken_over_and_a_file_is_not(tmp_path: Path) -> None:
    unix = tmp_path / "socket"
    server = start(tmp_path / "arena", "--unix", unix)
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert server.process.stdout is not None
    server.process.stdout.close()
    assert unix.is_socket()
    with running(tmp_path / "arena", "--unix", unix) as again:
        assert f"unix:{unix}" in again.addresses
    assert not unix.exists()
    unix.write_text("precious")
    refused = arena("serve", "--db", tmp_path / "arena.db", "--listen", "127.0.0.1:0", "--unix", unix, ON_ANY_MACHINE)
    assert refused.returncode == 2
    assert "already exists and is not a socket" in refused.stderr
    assert unix.read_text() == "precious"


def test_T2_9_authors_give_their_own_nonces_and_organisers_the_beacon(tmp_path: Path) -> None:
    with running(tmp_path / "arena") as server:
        ann, bob, olga = server.token("ann"), server.token("bob"), server.token("olga", "organiser")
        trickster = server.token("beacon")
        for name in ("one", "two"):
            server.submit(name, bot_archive(tmp_path / "bots", name), ann)
        toml = 'name = "cup"\ngame = "toy"\nbots = ["one", "two"]\nrounds = 1\n'
        start = pb.StartTournamentRequest(toml=f'{toml}beacon = "a lottery"\nnonces = ["ann", "bob"]\n')
        server.call("StartTournament", start, olga)
        watch = pb.WatchTournamentRequest(tournament="cup")
        waiting = server.call("WatchTournament", watch, olga)[-1].status.reason
        assert waiting == "it waits for beacon and ann and bob: see arena tournament nonce"

        def give(source: str, value: str, token: str) -> list[str]:
            request = pb.AddNonceRequest(tournament="cup", source=source, value=value)
            return list(server.call("AddNonce", request, token).missing)

        for source, token in (("ann", olga), ("ann", bob), ("beacon", ann), ("beacon", trickster), ("", olga)):
            with pytest.raises(grpc.RpcError) as caught:
                give(source, "1", token)
            assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
            assert caught.value.details() == f"source: the nonce of {source!r} is not yours to give"
        assert give("ann", "as good as any", ann) == ["beacon", "bob"]
        words = ("tournament", "nonce", "cup", "bob", "8c1f20e7", "--server", server.addresses[0], "--token", bob)
        said = subprocess.run([*ARENA, *words], capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        assert (said.returncode, said.stdout) == (0, "The nonce of bob is entered; cup still waits for beacon.\n")
        with pytest.raises(grpc.RpcError) as caught:
            give("ann", "another", ann)
        assert caught.value.details() == "source: the nonce of ann is entered already, and stays"
        assert give("beacon", "3 17 22 31 40 44", olga) == []
        server.call("StartTournament", start, olga)
        assert server.call("WatchTournament", watch, olga)[-1].status.reason == "all rounds are played"
        assert server.stop() == 0
