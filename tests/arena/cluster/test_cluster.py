"""Tournaments on a real cluster: a Dask scheduler, workers and arenas as processes of their own, on loopback."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio

from arena.bench.local_cluster import (
    BIN,
    LocalCluster,
    chaos,
    clean_folder,
    exported,
    local_cluster,
    tournament_file,
    waiting_bot,
)
from arena.bots.directory import BotDirectory, read_bot
from arena.cli.watching import Silent
from arena.cluster.pool import on_cluster
from arena.plan.settings import RunSettings
from arena.plan.tournament_file import beside, parse_plan
from arena.play.local_pool import open_here, start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import OpenPool, PoolConfig
from arena.play.runner import Runner
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import Store, open_store
from arena.store.local_time import local_now
from arena.store.rows import TournamentState
from arena.store.token_secrets import create
from arena.store.tokens import Role
from referee.order import Ending, MatchResult, TimeControl
from tests.arena.cluster.lying_worker import LIES
from tests.arena.server.running_server import bot_directory, certificate
from tests.arena.server.test_remote import connected
from tests.arena.server.test_scheduled import serving, with_bots

ROOT = Path(__file__).parents[3]
UNHURRIED = TimeControl(bank_ms=3_600_000, cap_ms=3_600_000, join_ms=120_000)
GAMES = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")


def arena(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena to its end."""
    command = [str(BIN / "arena"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


@pytest.fixture(scope="module")
def lent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A scheduler and a worker for test after test; at the end nothing of them may be left."""
    folder = tmp_path_factory.mktemp("cluster")
    with clean_folder() as scratch:
        environment = {"TMPDIR": str(scratch), "PYTHONPATH": str(ROOT)}
        with local_cluster(folder, ("w1",), environment) as cluster:
            yield cluster


@pytest.fixture
def cluster(lent: LocalCluster) -> Iterator[LocalCluster]:
    """A scheduler with one worker, w1; what else a test starts is stopped after it."""
    yield lent
    for name in lent.processes.keys() - {"scheduler", "w1"}:
        lent.stop(name)


def deterministic_bot(folder: Path) -> BotDirectory:
    """The random bot, which plays the same match the same way again, and says so."""
    place = folder / "dice"
    if not place.is_dir():
        place.mkdir()
        (place / "bot.py").write_bytes((ROOT / "sample_bots" / "python" / "bot.py").read_bytes())
        (place / "bot.toml").write_text(
            'name = "dice"\ncommand = ["python3", "bot.py"]\nconcurrency = 64\ndeterministic = true\n'
        )
    return read_bot(place)


def play(folder: Path, name: str, open_pool: OpenPool, **changes: Any) -> tuple[bytes, Store]:
    """Play a tournament of four bots and return its whole ledger."""
    bot = str(deterministic_bot(folder).path)
    plain = {
        "name": "cup", "game": "toy", "seed": 7, "rounds": 2, "seats": 2, "referees": 1,
        "verifiers": 1, "bot": [{"path": bot, "name": f"b{number}"} for number in range(4)],
        "time_control": UNHURRIED.to_plain(),
    }  # fmt: skip
    plain |= changes
    if "games" in changes:
        plain = {key: value for key, value in plain.items() if key not in ("game", "seats")}
    store = open_store(folder / f"{name}.db", create=True)
    runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now, open_pool=open_pool)
    runner.enter()
    assert trio.run(runner.run) is TournamentState.FINISHED, store.tournaments.find("cup").reason
    return exported(folder / f"{name}.db"), store


@pytest.mark.long
def test_T22_3_a_cluster_plays_entered_matches_again(tmp_path: Path, cluster: LocalCluster) -> None:
    _ledger, store = play(tmp_path, "local", open_here, rounds=1)
    store.close()
    words = ("--sample", "100%", "--cluster", cluster.file, "--json")
    done = arena("ledger", "reproduce", tmp_path / "local.db", *words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["reproduced"], found["not_reproducible"]) == (len(found["sample"]), {})
    assert found["sample"]


@pytest.mark.long
def test_the_ledger_is_the_same_to_the_byte_on_no_one_two_and_three_workers(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    """All four games; and what goes with a cluster on the way: who played, the sockets, who is seen, what is swept."""
    terms: dict[str, Any] = {"rounds": 1, "chunk": 2}
    local, _ = play(tmp_path, "local", open_here, **terms)
    games: dict[str, Any] = {"games": list(GAMES), "rounds": 4, "block": False, "chunk": 1}
    all_games, _ = play(tmp_path, "games", open_here, **games)
    for workers in (1, 2, 3):
        name = f"w{workers}"
        if workers > 1:
            cluster.start_worker(name)
            cluster.wait_for_worker(name)
        ledger, store = play(tmp_path, name, on_cluster(str(cluster.file)), **terms)
        assert ledger == local, workers
        matches = store.matches.of("cup")
        places = [store.workers.played_on(match.id) for match in matches]
        assert {place.worker for place in places if place is not None} <= {f"w{each}" for each in (1, 2, 3)}
        assert all(place is not None and place.calibration for place in places)
        assert {match.sandbox for match in matches} == {choose(SandboxPolicy.AUTO).value}
        check_blocks(store)
        store.close()
    ledger, _ = play(tmp_path, "games on three", on_cluster(str(cluster.file)), **games)
    assert ledger == all_games
    check_sockets(cluster)
    check_status(cluster)


def listening(process: psutil.Process) -> set[str]:
    """Every address on which a process or one that it has started listens, whatever opened it."""
    found = set()
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.Error):  # it has ended meanwhile
            found |= {one.laddr.ip for one in each.net_connections("inet") if one.status == psutil.CONN_LISTEN}
    return found


def check_sockets(cluster: LocalCluster) -> None:
    for process in cluster.processes.values():
        assert listening(psutil.Process(process.pid)) == {"127.0.0.1"}


def check_blocks(store: Store) -> None:
    """A block is played on one machine."""
    workers: dict[tuple[int, int], set[str]] = {}
    for match in store.matches.of("cup"):
        place = store.workers.played_on(match.id)
        assert place is not None
        workers.setdefault((match.round, match.table), set()).add(place.worker)
    assert len(workers) >= 2
    assert all(len(each) == 1 for each in workers.values())


def check_status(cluster: LocalCluster) -> None:
    status = json.loads(arena("cluster", "status", cluster.file, "--json").stdout)
    assert [worker["name"] for worker in status["workers"]] == ["w1", "w2", "w3"]
    assert sum(worker["played"] for worker in status["workers"]) > 0
    assert all(worker["calibration"] > 0 and worker["refused"] == "" for worker in status["workers"])
    assert all(worker["cached_bots"] <= 1 for worker in status["workers"]), "one bot, whatever names it plays under"


def pool_config(**changes: Any) -> PoolConfig:
    async def believe(_result: MatchResult) -> None:
        return None

    terms: dict[str, Any] = {
        "run": RunSettings(1, 4), "fresh_process": False, "log_level": "error", "sandbox": SandboxPolicy.AUTO,
        "start_bot": start_here, "heard": lambda *_: None, "verify": believe, "tournament": "cup",
    }  # fmt: skip
    return PoolConfig(**(terms | changes))


def test_what_is_seen_of_a_match_while_it_is_played_is_how_its_record_begins(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    async def main(match: MatchToPlay) -> tuple[list[str], str]:
        seen: list[str] = []
        results: list[MatchResult] = []
        async with on_cluster(str(cluster.file))(pool_config()) as pool, trio.open_nursery() as nursery:

            async def run() -> None:
                results.append(await pool.play(match))

            nursery.start_soon(run)
            while not results:
                seen += await pool.peek(match.match_id, len(seen))
                assert listening(psutil.Process()) <= {"127.0.0.1", "::1"}, "the arena itself"
                await trio.sleep(0.05)
            assert not pool.is_played(match.match_id)
            assert await pool.peek(match.match_id, 0) == []
        return seen, results[0].record

    seen: list[str] = []
    # A busy machine may be slower to look than bots are to play.
    for number, seconds in enumerate((0.1, 0.5, 2.0, 5.0)):
        bot = read_bot(waiting_bot(tmp_path, seconds, f"waits-{number}"))
        match = MatchToPlay(f"{number}" * 64, "toy", {}, (bot.renamed("ann"), bot.renamed("bob")), 3, UNHURRIED)
        seen, record = trio.run(main, match)
        assert record.splitlines()[: len(seen)] == seen
        if len(seen) > 3:
            break
    assert len(seen) > 3


ATTEMPTS = 5
LIAR = (sys.executable, "-m", "tests.arena.cluster.lying_worker")


def test_a_lying_worker_is_never_believed(tmp_path: Path, cluster: LocalCluster) -> None:
    """Whatever it tells is refused, and its blocks are played elsewhere."""
    terms: dict[str, Any] = {"rounds": 6, "chunk": 2, "concurrency": 1}  # a lie of each kind, and one more
    honest, _ = play(tmp_path, "honest", open_here, **terms)
    cluster.start_worker("liar", program=(*LIAR, "lies"))
    cluster.wait_for_worker("liar")
    told: set[str] = set()
    for attempt in range(ATTEMPTS):  # who gets which chunk is a matter of moments
        ledger, store = play(tmp_path, f"lies-{attempt}", on_cluster(str(cluster.file)), **terms)
        assert ledger == honest
        places = [store.workers.played_on(match.id) for match in store.matches.of("cup")]
        assert {place.worker for place in places if place is not None} == {"w1"}
        store.close()
        told = {line.split()[1] for line in cluster.log_of("liar").splitlines() if line.startswith("told ")}
        if told == {*LIES}:
            break
    assert told == {*LIES}


def test_foreign_code_under_the_label_of_a_bot_is_found_by_a_recheck(tmp_path: Path, cluster: LocalCluster) -> None:
    """It plays by the rules and its records replay: only another worker that plays the same match tells."""
    cluster.start_worker("foreign", program=(*LIAR, "foreign"))
    cluster.wait_for_worker("foreign")
    terms: dict[str, Any] = {"rounds": 2, "chunk": 2, "concurrency": 1}
    for attempt in range(ATTEMPTS):  # likewise
        _, store = play(tmp_path, f"foreign-{attempt}", on_cluster(str(cluster.file)), recheck=1.0, **terms)
        checked, differing = store.workers.recheck_counts("cup")
        played = store.workers.played_by("foreign", "cup")
        store.close()
        if played:
            break
    assert checked > 0
    assert differing > 0
    assert played
    told = arena(
        "cluster", "rechecks", "--db", tmp_path / f"foreign-{attempt}.db", "--worker", "foreign", "--void", "--reason",
        "it ran other code", "--json",
    )  # fmt: skip
    found = json.loads(told.stdout)
    assert sorted(found["voided"]) == sorted(match.id for match in played)
    assert arena("ledger", "verify", "--db", tmp_path / f"foreign-{attempt}.db").returncode == 0


def test_a_tournament_is_judged_by_workers_to_the_same_bytes(tmp_path: Path, cluster: LocalCluster) -> None:
    """Judgements kept are the same on any machine, and a log line is no part of the answer."""
    db = tmp_path / "cup.db"
    foreign = cluster.start(
        "foreign",
        (
            BIN / "dask", "worker", "--scheduler-file", cluster.file, "--name", "foreign", "--host", "127.0.0.1",
            "--no-nanny", "--no-dashboard", "--nthreads", "1",
        ),
    )  # fmt: skip
    play(tmp_path, "cup", open_here, rounds=1)[1].close()
    cluster.wait_for(lambda: "Registered to" in cluster.log_of("foreign"), "the foreign worker")
    assert foreign.poll() is None
    judge = ("analyse", "--tournament", "cup", "--effort", "1", "--db", db, "--json")
    found = []
    for where in ((), ("--cluster", cluster.file)):
        done = arena(*judge, *where)
        assert json.loads(done.stdout) == {"tournament": "cup", "judged": 4, "faults": {}}, done.stderr
        with closing(sqlite3.connect(db)) as connection:
            found.append(connection.execute("SELECT * FROM judgement ORDER BY 1").fetchall())
        arena("analyse", "--drop", "--db", db)
    assert "worker.refused" in done.stderr
    assert "it was not started by arena worker" in done.stderr
    assert found[0] == found[1]
    assert len(found[0]) == 4


def test_a_scheduled_run_is_played_by_workers_and_tables_with_remote_bots_at_the_arena(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    """A server with a cluster: a bot that plays from elsewhere has its tables at the arena, which says so."""
    with_bots(tmp_path, "one", "two", "three")
    run: dict[str, Any] = {"name": "cup", "at": "02:00", "game": "toy", "seats": 2, "rounds": 1, "remote_bots": True}

    async def main() -> None:
        on_workers = on_cluster(str(cluster.file))
        async with serving(tmp_path, "2026-11-16T01:00", run, open_pool=on_workers) as server:
            _, token = create(server.store, "ann", Role.AUTHOR, "today")
            far = connected(bot_directory(tmp_path / "elsewhere", "far"), server.addresses[0], token)
            await trio.to_thread.run_sync(far.__enter__)
            try:
                await server.logs("bot.connected")
                server.clock.set("2026-11-16T02:00")
                assert await server.finished("cup-2026-11-16") == "all rounds are played"
            finally:
                await trio.to_thread.run_sync(far.__exit__, None, None, None)
            workers = {}
            for match in server.store.matches.of("cup-2026-11-16"):
                played = server.store.workers.played_on(match.id)
                workers[match.id] = None if played is None else played.worker
                has_far = any(label.startswith("far@") for label in match.seating)
                assert workers[match.id] == (None if has_far else "w1"), match.seating
                assert match.ending is Ending.COMPLETED
            assert sorted(workers.values(), key=str) == [None, None, "w1", "w1"]
            said = {line["match_id"] for line in server.events("match.played_at_arena")}
            assert said == {match for match, worker in workers.items() if worker is None}

    trio.run(main)


@pytest.mark.long
def test_the_ledger_survives_the_end_of_workers_scheduler_and_arena(tmp_path: Path) -> None:
    """Each is killed at least once, wherever the tournament stands by then; nothing is void, and nothing is left."""
    bots, rounds = 8, 3
    file = tournament_file(tmp_path, waiting_bot(tmp_path, 0.03), bots, rounds=rounds, chunk=4)
    assert arena("tournament", "run", file, "--db", tmp_path / "local.db", "-q").returncode == 0
    killed = chaos(tmp_path, file, seed=1, kills=4, matches=bots * rounds)
    assert {"w1", "scheduler", "arena"} <= set(killed)
    assert exported(tmp_path / "chaos-1.db") == exported(tmp_path / "local.db")


def test_a_client_without_a_certificate_is_refused(tmp_path: Path) -> None:
    """Over TLS a tournament is played; a peer without our certificate is refused."""
    cert, key = certificate(tmp_path)
    tls = {"CA_FILE": cert}
    tls |= {
        f"{role}__{what}": path
        for role in ("CLIENT", "WORKER", "SCHEDULER")
        for what, path in (("CERT", cert), ("KEY", key))
    }
    ours = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in tls.items()}
    (tmp_path / "other").mkdir()
    other_cert, other_key = certificate(tmp_path / "other")
    theirs = {**ours, "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": str(other_cert)}
    theirs["DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"] = str(other_key)
    file = tournament_file(tmp_path, deterministic_bot(tmp_path).path, 4, rounds=1)
    with local_cluster(tmp_path, ("w1",), ours, "tls") as cluster:
        assert json.loads(cluster.file.read_text())["address"].startswith("tls://")
        refused = arena("cluster", "status", cluster.file, **theirs)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
        plain = arena("cluster", "status", cluster.file)
        assert (plain.returncode, plain.stderr.count("needs certificates")) == (2, 1)
        run = ("tournament", "run", file, "--cluster", cluster.file, "--db", tmp_path / "tls.db", "-q")
        assert arena(*run, **ours).returncode == 0
