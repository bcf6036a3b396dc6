"""T2.8, T2.9, T10.8: a tournament is committed to its seed before it begins, and opens it at its end."""

from __future__ import annotations

import json
import lzma
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.entries import submitted_plan
from arena.plan.seeding import UNDRAWN
from arena.plan.settings import TournamentSettings
from arena.plan.tournament_file import beside, parse_plan, seed_warning
from arena.play.runner import Runner
from arena.store.database import Store, open_store, open_to_read
from arena.store.heads import heads_file, read_heads
from arena.store.local_time import local_now
from arena.store.rows import TournamentState
from ratings.ledger.audit import Fault
from ratings.ledger.secret_seed import commitment, secret_seed
from referee.mistakes import UserError
from referee.order import OrderError
from tests.arena.command_line import CommandLine
from tests.arena.reports.test_tampering import findings, reseal, tamper
from tests.arena.small_tournament import small_plan

BEACON = "the lottery of 1 May"


def secret_plan(folder: Path, **changes: Any) -> dict[str, Any]:
    """Three bots, one round, and no seed."""
    plain = small_plan(folder, rounds=1, rating_rounds=0, seats=2, max_seats=3) | changes
    del plain["seed"]
    return plain | {"bot": plain["bot"][:3]}


def runner_of(store: Store, plain: dict[str, Any]) -> Runner:
    begun = TournamentSettings.of(store.tournaments.find("cup")) if store.tournaments.has("cup") else None
    return Runner(parse_plan(plain, beside(Path()), begun=begun), store, Silent(), local_now)


def entries_of(db: Path, kind: str) -> list[dict[str, Any]]:
    connection = sqlite3.connect(db)
    rows = connection.execute("SELECT payload FROM entry WHERE kind = ? ORDER BY seq", (kind,)).fetchall()
    connection.close()
    return [json.loads(payload) for (payload,) in rows]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament with a beacon and a nonce."""
    folder = tmp_path_factory.mktemp("secret")
    store = open_store(folder / "arena.db", create=True)
    plain = secret_plan(folder, beacon=BEACON, nonces=["ann"])
    runner = runner_of(store, plain)
    assert runner.enter()
    assert trio.run(runner.run) is TournamentState.STOPPED
    assert store.tournaments.find("cup").reason.startswith("it waits for beacon and ann")
    assert store.tournaments.last_round("cup") == 0
    assert store.tournaments.add_nonce("cup", "ann", "my own text") == ["beacon"]
    assert store.tournaments.add_nonce("cup", "beacon", "3 17 22 31 40 44") == []
    again = runner_of(store, plain)
    assert not again.enter(), "the file names the tournament that has begun"
    assert trio.run(again.run) is TournamentState.FINISHED
    store.close()
    return folder / "arena.db"


def test_T2_8_the_ledger_is_committed_before_the_first_round_and_opened_at_the_end(played: Path) -> None:
    (entered,), (end,) = entries_of(played, "TOURNAMENT"), entries_of(played, "END")
    assert "seed" not in entered["settings"]
    assert entered["settings"]["commitment"] == commitment("cup", end["secret"])
    assert (end["rounds"], end["reason"]) == (1, "all rounds are played")
    assert end["matches"] == len(entries_of(played, "MATCH"))
    first = read_heads(heads_file(played))[0]
    assert entered["seq"] <= first.seq < entries_of(played, "ROUND")[0]["seq"], "published before the first round"
    assert findings(played) == []


def test_T2_9_the_seed_follows_from_secret_beacon_and_nonces(played: Path) -> None:
    store = open_to_read(played)
    (end,) = entries_of(played, "END")
    settings = TournamentSettings.of(store.tournaments.find("cup"))
    assert settings.seed == secret_seed(end["secret"], ["3 17 22 31 40 44", "my own text"])
    store.close()


def test_T2_9_a_nonce_is_entered_once_and_only_where_it_is_awaited(played: Path, tmp_path: Path) -> None:
    store = open_store(Path(shutil.copy(played, tmp_path / "arena.db")))
    for source, value, reason in (
        ("ann", "another text", "source: the nonce of ann is entered already, and stays"),
        ("bob", "a text", "source: cup waits for no nonce of 'bob'; expected one of: beacon, ann"),
        ("ann", "a|b", "value: 'a|b' is not allowed: expected printable ASCII"),
    ):
        with pytest.raises(UserError, match="^" + reason.replace("|", r"\|")):
            store.tournaments.add_nonce("cup", source, value)
    store.close()


def test_T10_8_nothing_is_played_after_the_end(played: Path, tmp_path: Path) -> None:
    store = open_store(Path(shutil.copy(played, tmp_path / "arena.db")))
    runner = runner_of(store, secret_plan(tmp_path, beacon=BEACON, nonces=["ann"], rounds=5))
    assert trio.run(runner.run) is TournamentState.FINISHED
    store.tournaments.set_state("cup", TournamentState.RUNNING, "", "now")
    assert store.tournaments.find("cup").state is TournamentState.FINISHED
    assert store.tournaments.last_round("cup") == 1
    store.close()


FORGED: dict[str, tuple[str, Callable[[dict[str, Any]], Any], Fault]] = {
    "another secret": ("END", lambda body: body.update(secret="0" * 32), Fault.SEED),
    "a secret withheld": ("END", lambda body: body.pop("secret"), Fault.SEED),
    "another commitment": ("TOURNAMENT", lambda body: body["settings"].update(commitment="0" * 64), Fault.SEED),
    "another beacon": ("NONCE", lambda body: body.update(value="1 2 3"), Fault.PAIRING),
    "another reason": ("END", lambda body: body.update(reason="every neighbour is decided"), Fault.END),
    "more rounds": ("END", lambda body: body.update(rounds=2), Fault.END),
    "fewer matches": ("END", lambda body: body.update(matches=1), Fault.END),
}


@pytest.mark.parametrize("case", FORGED)
def test_T10_8_an_end_that_was_forged_and_sealed_again_is_found_out(played: Path, tmp_path: Path, case: str) -> None:
    wanted, change, fault = FORGED[case]
    db = Path(shutil.copy(played, tmp_path / "arena.db"))

    def forge(kind: str, body: dict[str, Any]) -> bool:
        if kind == wanted:
            change(body)
        return kind == wanted

    reseal(db, forge)
    assert fault in {finding.fault for finding in findings(db)}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournament SET reason = 'every neighbour is decided'",
        "UPDATE tournament SET state = 'running'",
        "UPDATE secret SET secret = '000102030405060708090a0b0c0d0e0f'",
        "DELETE FROM secret",
    ],
)
def test_T10_8_rows_that_contradict_the_end_are_named(played: Path, tmp_path: Path, statement: str) -> None:
    db = Path(shutil.copy(played, tmp_path / "arena.db"))
    tamper(db, (statement, ()))
    assert Fault.STORED in {finding.fault for finding in findings(db)}


def test_T2_8_a_running_tournament_is_checked_against_its_stored_secret(played: Path, tmp_path: Path) -> None:
    """As it stood before its end was entered; another secret gives other draws."""
    db = Path(shutil.copy(played, tmp_path / "arena.db"))
    tamper(
        db, ("DELETE FROM entry WHERE kind = 'END'", ()), ("UPDATE tournament SET state = 'running', reason = ''", ())
    )
    assert findings(db) == []
    tamper(db, ("DELETE FROM secret", ()))
    assert Fault.STORED in {finding.fault for finding in findings(db)}


def test_T2_8_no_export_shows_the_secret_of_a_running_tournament(tmp_path: Path, command_line: CommandLine) -> None:
    store = open_store(tmp_path / "arena.db", create=True)
    runner = runner_of(store, secret_plan(tmp_path))
    runner.enter()
    assert runner.settings.seed != UNDRAWN
    secret, seed = runner.plan.secret, str(runner.settings.seed)
    store.close()
    for command in (("ledger", "export"), ("tournament", "show", "cup", "--json"), ("tournament", "list", "--json")):
        said = command_line(*command, "--db", str(tmp_path / "arena.db"))
        assert said.code == 0
        assert secret not in said.out
        assert seed not in said.out


def test_T2_8_a_given_seed_is_refused_on_a_server_and_warned_of_elsewhere(tmp_path: Path) -> None:
    store = open_store(tmp_path / "arena.db", create=True)
    with pytest.raises(OrderError, match=r"^seed: on a server it is drawn, and secret until the end; leave it out$"):
        submitted_plan(store, {"name": "cup", "game": "toy", "seed": 1 << 200, "bots": ["*"]}, lambda _label: True)
    store.close()
    plain = secret_plan(tmp_path)
    warned = {seed: seed_warning(parse_plan(plain | {"seed": seed}, beside(Path())).settings) for seed in (7, 1 << 128)}
    assert warned[7] == "seed: 7 can be found by trying, and with it every card; leave it out where that matters"
    assert warned[1 << 128] == seed_warning(parse_plan(plain, beside(Path())).settings) == ""
    with pytest.raises(OrderError, match=r"^seed: a given seed takes no beacon and no nonces"):
        parse_plan(plain | {"seed": 7, "beacon": "x"}, beside(Path()))


def test_T10_8_a_database_of_the_first_release_verifies_as_before(tmp_path: Path) -> None:
    """It has a seed in its TOURNAMENT entry, no END entry and records that say neither terms nor versions."""
    kept = Path(__file__).parents[1] / "store" / "released" / "0.1.0.db.xz"
    db = tmp_path / "arena.db"
    db.write_bytes(lzma.decompress(kept.read_bytes()))
    shutil.copy(kept.with_suffix(".heads"), heads_file(db))
    open_store(db).close()  # brings it up to date
    assert entries_of(db, "END") == []
    assert findings(db) == []
