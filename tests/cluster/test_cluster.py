"""Tournaments on a real cluster: a Dask scheduler, workers and arenas as processes of their own, on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.cli.watching import Silent
from arena.cluster.pool import on_cluster
from arena.plan.tournament_file import beside, parse_plan
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import Demands, OpenPool, open_here, start_here
from arena.play.runner import Runner, local_now
from arena.sandbox.levels import Policy, choose
from arena.store.database import Store, open_store
from arena.store.rows import TournamentState
from benchmarks.local_cluster import BIN, LocalCluster, chaos, exported, local_cluster, tournament_file, waiting_bot
from referee.order import MatchResult
from tests.cluster.lying_worker import LIES
from tests.server.running_server import certificate

ROOT = Path(__file__).parent.parent.parent
GAMES = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")


def arena(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena to its end."""
    command = [str(BIN / "arena"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for temporary files, short enough for sockets; nothing may be left in it."""
    folder = Path(tempfile.mkdtemp(prefix="cl-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


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
        "bot": [{"path": bot, "name": f"b{number}"} for number in range(4)],
    }  # fmt: skip
    plain |= changes
    if "games" in changes:
        plain = {key: value for key, value in plain.items() if key not in ("game", "seats")}
    store = open_store(folder / f"{name}.db", create=True)
    runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now, open_pool=open_pool)
    runner.enter()
    assert trio.run(runner.run) is TournamentState.FINISHED, store.tournament("cup").reason
    return exported(folder / f"{name}.db"), store


def test_the_ledger_is_the_same_to_the_byte_on_no_one_two_and_three_workers(tmp_path: Path, scratch: Path) -> None:
    """All four games; and what goes with a cluster on the way: who played, the sockets, a match watched, no remains."""
    terms: dict[str, Any] = {"rounds": 2, "chunk": 2}
    local, _ = play(tmp_path, "local", open_here, **terms)
    games: dict[str, Any] = {"games": list(GAMES), "rounds": 4, "block": False, "chunk": 1}
    all_games, _ = play(tmp_path, "games", open_here, **games)
    with local_cluster(tmp_path, environment={"TMPDIR": str(scratch)}) as cluster:
        for workers in (1, 2, 3):
            name = f"w{workers}"
            cluster.start_worker(name)
            cluster.wait_for_worker(name)
            ledger, store = play(tmp_path, name, on_cluster(str(cluster.file)), **terms)
            assert ledger == local, workers
            matches = store.matches("cup")
            places = [store.played_on(match.id) for match in matches]
            assert {place.worker for place in places if place is not None} <= {f"w{each}" for each in (1, 2, 3)}
            assert all(place is not None and place.calibration for place in places)
            assert {match.sandbox for match in matches} == {choose(Policy.AUTO).value}
            check_blocks(store)
            store.close()
        ledger, _ = play(tmp_path, "games on three", on_cluster(str(cluster.file)), **games)
        assert ledger == all_games
        check_sockets(cluster)
        check_status(cluster)
        check_watching(tmp_path, cluster)
        cluster.kill("w2")
        cluster.wait_for(lambda: no_hosts_but(2), "the end of the host of w2")
        cluster.start_worker("w4")  # sweeps what w2 has left
        cluster.wait_for_worker("w4")
    assert no_hosts_but(0)
    assert set(os.listdir(scratch)) <= {"dask-scratch-space"}, "all but the folder in which Dask keeps its locks"


def no_hosts_but(count: int) -> bool:
    """Whether so many host processes of this test's own run."""
    mine = [each for each in psutil.process_iter(["cmdline"]) if "arena.cluster.host" in (each.info["cmdline"] or ())]
    return sum(has_scratch(each) for each in mine) == count


def has_scratch(process: psutil.Process) -> bool:
    try:
        return str(process.environ().get("TMPDIR", "")).startswith(f"{tempfile.gettempdir()}/cl-")
    except psutil.Error:
        return False


def check_sockets(cluster: LocalCluster) -> None:
    """Every socket of every process of the cluster, whatever opened it."""
    found = []
    for process in cluster.processes.values():
        parent = psutil.Process(process.pid)
        for each in (parent, *parent.children(recursive=True)):
            found += [one.laddr.ip for one in each.net_connections("inet") if one.status == psutil.CONN_LISTEN]
    assert len(found) >= 2 * len(cluster.processes), "a port and a page of each"
    assert set(found) <= {"127.0.0.1", "::1"}


def check_blocks(store: Store) -> None:
    """A block is played on one machine."""
    workers: dict[tuple[int, int], set[str]] = {}
    for match in store.matches("cup"):
        place = store.played_on(match.id)
        assert place is not None
        workers.setdefault((match.round, match.table), set()).add(place.worker)
    assert len(workers) == 4
    assert all(len(each) == 1 for each in workers.values())


def check_status(cluster: LocalCluster) -> None:
    status = json.loads(arena("cluster", "status", cluster.file, "--json").stdout)
    assert [worker["name"] for worker in status["workers"]] == ["w1", "w2", "w3"]
    assert sum(worker["played"] for worker in status["workers"]) > 0
    assert all(worker["calibration"] > 0 and worker["refused"] == "" for worker in status["workers"])
    assert all(worker["cached_bots"] <= 1 for worker in status["workers"]), "one bot, whatever names it plays under"


def demands(**changes: Any) -> Demands:
    async def believe(_result: MatchResult) -> None:
        return None

    terms: dict[str, Any] = {
        "referees": 1, "at_once": 4, "fresh_process": False, "log_level": "error", "sandbox": Policy.AUTO,
        "start_bot": start_here, "heard": lambda *_: None, "verify": believe, "tournament": "cup",
    }  # fmt: skip
    return Demands(**(terms | changes))


def check_watching(folder: Path, cluster: LocalCluster) -> None:
    """What is seen of a match while it is played is how its record begins."""
    bot = read_bot(waiting_bot(folder, 0.1))
    match = MatchToPlay("a" * 64, "toy", {}, (bot.renamed("ann"), bot.renamed("bob")), 3)

    async def main() -> tuple[list[str], str]:
        seen: list[str] = []
        results: list[MatchResult] = []
        async with on_cluster(str(cluster.file))(demands()) as pool, trio.open_nursery() as nursery:

            async def run() -> None:
                results.append(await pool.play(match))

            nursery.start_soon(run)
            while not results:
                seen += await pool.peek(match.match_id, len(seen))
                await trio.sleep(0.05)
            assert not pool.is_played(match.match_id)
            assert await pool.peek(match.match_id, 0) == []
        return seen, results[0].record

    seen, record = trio.run(main)
    assert len(seen) > 3
    assert record.splitlines()[: len(seen)] == seen


LIAR = (sys.executable, "-m", "tests.cluster.lying_worker")


def test_a_lying_worker_is_never_believed_and_foreign_code_is_found(tmp_path: Path) -> None:
    """Lies are refused and their blocks played elsewhere; code that only plays differently is found by a recheck."""
    terms: dict[str, Any] = {"rounds": 6, "chunk": 2, "at_once": 1}
    honest, _ = play(tmp_path, "honest", open_here, **terms)
    with local_cluster(tmp_path, ("w1",), {"PYTHONPATH": str(ROOT)}) as cluster:
        cluster.start_worker("liar", program=(*LIAR, "lies"))
        cluster.wait_for_worker("liar")
        ledger, store = play(tmp_path, "lies", on_cluster(str(cluster.file)), **terms)
        assert ledger == honest
        places = [store.played_on(match.id) for match in store.matches("cup")]
        assert {place.worker for place in places if place is not None} == {"w1"}
        store.close()
        assert {line.split()[1] for line in cluster.log_of("liar").splitlines() if line.startswith("told ")} == {*LIES}
        cluster.stop("liar")
        cluster.start_worker("foreign", program=(*LIAR, "foreign"))
        cluster.wait_for_worker("foreign")
        _, store = play(tmp_path, "foreign", on_cluster(str(cluster.file)), recheck=1.0, **terms)
    checked, differing = store.recheck_counts("cup")
    played = store.played_by("foreign", "cup")
    store.close()
    assert checked > 0
    assert differing > 0
    assert played
    told = arena(
        "cluster", "rechecks", "--db", tmp_path / "foreign.db", "--worker", "foreign", "--void", "--reason",
        "it ran other code", "--json",
    )  # fmt: skip
    found = json.loads(told.stdout)
    assert sorted(found["voided"]) == sorted(match.id for match in played)
    assert arena("ledger", "verify", "--db", tmp_path / "foreign.db").returncode == 0


def test_the_ledger_survives_the_end_of_workers_scheduler_and_arena(tmp_path: Path) -> None:
    """Each is killed at least once at a moment of chance; nothing is void, and nothing is left."""
    file = tournament_file(tmp_path, waiting_bot(tmp_path, 0.03), 8, rounds=5, chunk=4)
    assert arena("tournament", "run", file, "--db", tmp_path / "local.db", "-q").returncode == 0
    # Close to each other: on a fast machine the tournament would be over before all had their turn.
    killed = chaos(tmp_path, file, seed=1, kills=4, every=(0.1, 0.5))
    assert {"scheduler", "arena"} <= set(killed), "the tournament was too short for this"
    assert exported(tmp_path / "chaos-1.db") == exported(tmp_path / "local.db")


def test_a_stranger_without_a_certificate_is_refused(tmp_path: Path) -> None:
    """Over TLS a tournament is played; whoever has no certificate of ours gets nowhere."""
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
