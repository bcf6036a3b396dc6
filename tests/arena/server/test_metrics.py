"""Metrics: what monitoring reads of a server, and that it reads no name."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.v1 import arena_pb2 as pb
from tests.arena.server.running_server import arena, running, wait_until
from tests.arena.server.test_remote import CUP, Dropping, enter, wait_for_log


def read(address: str) -> tuple[str, dict[str, float]]:
    """Return the text of the metrics, and their values by name and labels."""
    with urlopen(address) as answer:
        text = answer.read().decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return text, {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}


def test_a_server_counts_matches_forfeits_bots_and_the_lag_of_its_loop(tmp_path: Path) -> None:
    """One bot of three is not there: it forfeits every match, and the others complete them."""
    with running(tmp_path / "arena", "--metrics", "127.0.0.1:0") as server:
        (address,) = server.metrics
        _, before = read(f"{address}/metrics")
        assert before["arena_matches_total completed"] == before["arena_remote_bots"] == 0
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        tickets = enter(server, ann)
        bots = [Dropping(server.addresses[0], tickets[name], 0) for name in ("near", "far")]
        wait_for_log(server, "bot.connected", 2)
        assert read(f"{address}/metrics")[1]["arena_remote_bots"] == 2
        cup = CUP.replace("join_ms = 300000, grace_ms = 60000", "join_ms = 3600000, grace_ms = 200")
        cup = cup.replace("rounds = 3", "rounds = 1")
        server.call("StartTournament", pb.StartTournamentRequest(toml=cup), olga)
        server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
        for bot in bots:
            bot.is_over = True
        wait_until(lambda: read(f"{address}/metrics")[1]["arena_loop_lag_seconds_count"] > 0)
        text, found = read(f"{address}/metrics")
        connection = sqlite3.connect(server.db)
        ((matches,),) = connection.execute("SELECT count(*) FROM match")
        ((forfeits,),) = connection.execute("SELECT count(*) FROM seat WHERE ending = 'forfeit_disconnect'")
        connection.close()
        stored = {name: value for name, value in found.items() if name.startswith("arena_matches_total ")}
        assert sum(stored.values()) == matches > 0
        assert stored["arena_matches_total voided"] == 0
        assert found["arena_forfeits_total forfeit_disconnect"] == forfeits > 0
        assert found["arena_forfeits_total forfeit_crash"] == 0
        assert (
            found["arena_tournaments_running"] == found["arena_matches_waiting"] == found["arena_matches_playing"] == 0
        )
        assert sum(value for name, value in found.items() if name.startswith("arena_sandbox_level ")) == 1
        assert found["arena_database_bytes database"] == server.db.stat().st_size
        assert found["process_resident_memory_bytes"] > 1 << 20
        assert not any(name in text for name in ("near", "far@", "away", "ann", "olga", "cup"))
        assert server.stop() == 0


@pytest.mark.parametrize("listen", ["nowhere", "127.0.0.1:99999"])
def test_a_wrong_address_for_metrics_is_one_clear_line(tmp_path: Path, listen: str) -> None:
    refused = arena("serve", "--db", tmp_path / "arena.db", "--metrics", listen)
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"arena: --metrics: {listen!r} is not an address; expected HOST:PORT")
    assert list(tmp_path.iterdir()) == []
