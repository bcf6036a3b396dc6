"""The store: a match once, a round whole or not at all, files of every age, readers beside the writer."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import trio
from arena.play.intake import Intake

from arena.reports.leaderboard import board, newest_pools
from arena.store.database import Store, open_store, open_to_read
from arena.store.fits import read_fit
from arena.store.rows import MatchToStore, PlayedOn, Recheck, RoundState, TournamentState
from arena.store.schema import bring_up_to_date, lay_out, pending
from ratings.ledger import chain, derived_tables, posting
from ratings.ledger.audit import audit
from ratings.ledger.chain import LedgerError
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import Ending, MatchResult
from tests.sql import select

NOW = "2026-01-02T03:04:05+00:00"
NOW_MOMENT = datetime.fromisoformat(NOW)
BOTS = ("ann@1", "bob@1")
POOL = "toy:1"
FIXTURE = Fixture("cup", 1, 1, 0, BOTS, (1 << 64) - 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with a tournament whose first round is drawn."""
    store = open_store(tmp_path / "arena.db", create=True)
    for label in BOTS:
        name, _, version = label.partition("@")
        store.add_bot(label, name, version, "/bots", {"name": name}, NOW)
    store.add_tournament("cup", {"seed": 7}, {"referees": 1}, [(POOL, "toy", 1)], NOW)
    pairing = {
        "tables": [{"number": 1, "bots": list(BOTS), "seeds": [str(FIXTURE.seed)]}],
        "byes": [],
        "cost": 0,
        "scores": {},
    }
    store.add_round("cup", 1, "toy", False, pairing, [RoundTable(1, BOTS, (FIXTURE.seed,), 1)], {})
    yield store
    store.close()


STRIKES = ((2, 1, "T4", "no such card"), (3, 1, "", "no answer within 4 s"))


def finished(digest: str = "d1", ranks: tuple[int, ...] = (1, 2)) -> MatchToStore:
    endings = (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    result = MatchResult(
        FIXTURE.match_id, Ending.FORFEIT_CRASH, "it is over", ranks, (5, 3), endings, 9, 8, "a record\n", STRIKES
    )
    return MatchToStore(FIXTURE, 0, "toy", result, digest, "none", ((1, "its last words"),))


def ledger_result(places: tuple[int, ...] = (1, 2)) -> LedgerResult:
    return LedgerResult(FIXTURE, POOL, places, "engine", ("1", "1"), "d1", "completed", (5, 3))


def everything(store: Store) -> list[str]:
    """The whole database as SQL."""
    return list(store.connection.iterdump())


def test_storing_a_match_twice_changes_nothing(store: Store) -> None:
    assert store.add_match(finished(), NOW)
    before = everything(store)
    assert not store.add_match(finished(), "2030-01-01T00:00:00+00:00")
    assert everything(store) == before


def test_a_different_result_for_a_stored_match_is_an_alarm_and_changes_nothing(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two workers may play the same match when a scheduler believes one of them lost."""
    configure_logs("error", as_json=True)
    store.add_match(finished(), NOW)
    before = everything(store)
    assert not store.add_match(replace(finished("d2", (2, 1)), worker="w2"), NOW)
    assert everything(store) == before
    alarm = json.loads(capsys.readouterr().err)
    assert (alarm["event"], alarm["stored"], alarm["refused"]) == ("match.contradicted", "d1", "d2")
    assert (alarm["match_id"], alarm["worker"]) == (FIXTURE.match_id, "w2")


def test_matches_that_are_stored_together_stand_or_fall_together(store: Store) -> None:
    before = everything(store)
    lost = MatchToStore(Fixture("cup", 99, 1, 0, BOTS, 1), 0, "toy", finished().result, "d1")
    with pytest.raises(sqlite3.IntegrityError):
        store.add_matches([finished(), lost], NOW)
    assert everything(store) == before
    assert store.add_matches([finished(), finished()], NOW) == 1


def test_the_worker_and_its_speed_stay_with_a_match(store: Store) -> None:
    store.add_match(replace(finished(), worker="w7", calibration=812), NOW)
    assert store.played_on(FIXTURE.match_id) == PlayedOn("w7", 812)
    assert [match.id for match in store.played_by("w7")] == [FIXTURE.match_id]
    assert store.played_by("w8") == []


def test_a_match_that_was_played_again_keeps_what_came_of_it(store: Store) -> None:
    store.add_match(replace(finished(), worker="w7"), NOW)
    assert store.recheck_counts() == (0, 0)
    again = Recheck(FIXTURE.match_id, "w8", "d2", is_equal=False)
    store.add_recheck(again, NOW)
    store.add_recheck(replace(again, record_digest="d3"), NOW)
    assert store.recheck_counts("cup") == (1, 1)
    assert store.recheck_counts("another") == (0, 0)
    (found,) = store.differing()
    assert (found.match.id, found.played_on, found.again) == (FIXTURE.match_id, PlayedOn("w7", None), again)


def test_matches_that_wait_are_stored_in_one_transaction(store: Store) -> None:
    """However many finish at once, the disk is asked twice at most: for the first, and for all that came meanwhile."""
    matches = [
        replace(finished(), fixture=Fixture("cup", 1, table, 0, BOTS, table), record_digest=f"d{table}")
        for table in range(2, 42)
    ]
    committed: list[str] = []
    store.connection.set_trace_callback(
        lambda statement: committed.append(statement) if statement == "COMMIT" else None
    )

    async def main() -> None:
        intake = Intake(store, lambda: NOW_MOMENT)
        async with trio.open_nursery() as nursery:
            for match in matches:
                nursery.start_soon(intake.add, match)

    trio.run(main)
    assert len(store.matches("cup", 1)) == 40
    assert committed.count("COMMIT") <= 2


def test_a_stored_match_comes_back_as_it_was(store: Store) -> None:
    """Seeds beyond 63 bits, places, scores, endings, the record, the output and the strikes all survive."""
    store.add_match(finished(), NOW)
    match = store.match(FIXTURE.match_id)
    assert (match.seed, match.seating, match.places, match.scores) == (FIXTURE.seed, BOTS, (1, 2), (5, 3))
    assert match.seat_endings == (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    assert store.record_text(match.id) == "a record\n"
    assert select(store, "SELECT seat, output FROM bot_output") == [(1, "its last words")]
    assert store.strikes(match.id) == list(STRIKES)
    assert store.matches("cup", 1) == store.matches("cup") == [match]


def test_a_match_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    store.add_match(finished(), NOW)
    assert store.match(FIXTURE.match_id[:6]).id == FIXTURE.match_id
    for wrong in ("", "nothing", FIXTURE.match_id + "0"):
        with pytest.raises(UserError, match="is not in this database"):
            store.match(wrong)


def test_a_match_of_no_round_is_refused_whole(store: Store) -> None:
    """The foreign key breaks at the first row; no part of the match stays."""
    before = everything(store)
    lost = MatchToStore(Fixture("cup", 99, 1, 0, BOTS, 1), 0, "toy", finished().result, "d1")
    with pytest.raises(sqlite3.IntegrityError):
        store.add_match(lost, NOW)
    assert everything(store) == before


def test_a_round_that_fails_while_closing_enters_nothing(store: Store) -> None:
    """The very last statement of closing fails, after results, ratings and checkpoint: all of them are taken back."""
    store.add_match(finished(), NOW)
    before = everything(store)
    store.connection.execute(
        "CREATE TEMP TRIGGER crash BEFORE UPDATE ON round BEGIN SELECT RAISE(ABORT, 'no power'); END"
    )
    with pytest.raises(sqlite3.IntegrityError, match="no power"):
        store.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert everything(store) == before
    assert store.rounds("cup")[0].state is RoundState.PAIRED
    store.connection.execute("DROP TRIGGER crash")
    store.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert store.rounds("cup")[0].state is RoundState.CLOSED
    kinds = [kind for (kind,) in select(store, "SELECT kind FROM entry ORDER BY seq DESC LIMIT 5")]
    assert kinds == ["CHECKPOINT", "RATE", "RATE", "RATE", "MATCH"]


def test_closing_a_round_again_adds_no_entry(store: Store) -> None:
    """Whoever was killed between the ledger and the next step closes the round a second time."""
    store.add_match(finished(), NOW)
    store.close_round("cup", 1, [ledger_result()], [], 1.5)
    head = chain.head(store.connection)
    store.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert chain.head(store.connection) == head


def test_closing_a_round_with_another_result_is_an_error(store: Store) -> None:
    store.add_match(finished(), NOW)
    store.close_round("cup", 1, [ledger_result()], [], 1.5)
    head = chain.head(store.connection)
    with pytest.raises(LedgerError, match="different result"):
        store.close_round("cup", 1, [ledger_result((2, 1))], [], 1.5)
    assert chain.head(store.connection) == head


def test_a_tournament_of_the_same_name_with_other_settings_is_refused(store: Store) -> None:
    assert not store.add_tournament("cup", {"seed": 7}, {"referees": 2}, [(POOL, "toy", 1)], NOW)
    with pytest.raises(UserError, match="name: a tournament 'cup' with other settings"):
        store.add_tournament("cup", {"seed": 8}, {"referees": 2}, [(POOL, "toy", 1)], NOW)


def test_a_new_version_is_the_child_of_the_newest(store: Store) -> None:
    assert store.add_bot("ann@2", "ann", "2", "/elsewhere", {}, NOW)
    assert store.add_bot("ann@3", "ann", "3", "/elsewhere", {}, NOW)
    assert not store.add_bot("ann@2", "ann", "2", "/moved", {}, NOW)
    assert select(store, "SELECT label, parent FROM bot_version WHERE name = 'ann' ORDER BY rowid") == [
        ("ann@1", None), ("ann@2", "ann@1"), ("ann@3", "ann@2"),
    ]  # fmt: skip
    assert store.bot_path("ann@2") == "/moved"


def test_migrations_are_ordered_and_applied_once(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    open_store(path, create=True).close()
    store = open_store(path)
    names = [name for (name,) in select(store, "SELECT name FROM _sqlite_migrations ORDER BY id")]
    assert names == sorted(names)
    assert names[0] == "m001_bots_tournaments_matches"
    assert not pending(store.connection)
    before = everything(store)
    store.close()
    again = open_store(path)
    assert everything(again) == before


def test_a_new_file_has_the_layout_of_one_that_went_through_all_migrations(tmp_path: Path) -> None:
    def layout(connection: sqlite3.Connection) -> list[object]:
        laid = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        return [laid, connection.execute("SELECT id, migration_set, name FROM _sqlite_migrations").fetchall()]

    migrated = sqlite3.connect(":memory:", isolation_level=None)
    bring_up_to_date(migrated)
    new = open_store(tmp_path / "new.db", create=True)
    assert layout(new.connection) == layout(migrated)
    lay_out(new.connection)  # as by somebody who had seen an empty file
    assert layout(new.connection) == layout(migrated)


def test_a_file_of_the_first_layout_is_brought_up_to_date_and_keeps_its_data(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path, isolation_level=None)
    bring_up_to_date(connection, stop_before="m002_fit_cache")
    assert pending(connection)[0] == "m002_fit_cache"
    posting.record_genesis(connection, "arena")
    connection.execute("INSERT INTO bot (name) VALUES ('ann')")
    connection.close()
    reader = open_to_read(path)
    assert reader.kept_fit(POOL) is None
    reader.close()
    store = open_store(path)
    assert select(store, "SELECT name FROM bot") == [("ann",)]
    assert select(store, "SELECT count(*) FROM fit_cache") == [(0,)]
    assert chain.head(store.connection).seq == 1


@pytest.fixture
def layout_3(tmp_path: Path) -> Path:
    """A database of the third layout, made by the version before the fourth: a tournament, a match made void, a token.

    Its bots' directories are not there any more.
    """
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "databases" / "layout_3.db.gz").read_bytes()))
    return path


def test_a_file_of_the_version_before_opens_verifies_and_goes_on(layout_3: Path) -> None:
    """Its head stays what it was, and what a new version adds has a place."""
    head = sqlite3.connect(layout_3).execute("SELECT hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()[0]
    store = open_store(layout_3)
    assert not pending(store.connection)
    assert chain.head(store.connection).hash == head
    assert audit(store.connection).findings == ()
    (tournament,) = store.tournaments()
    assert (tournament.id, tournament.state) == ("cup", TournamentState.FINISHED)
    assert [token.name for token in store.tokens()] == ["ann"]
    voids = [match.void_reason for match in store.matches("cup") if match.was_made_void]
    assert voids == ["the host ran out of memory"]
    assert select(store, "SELECT DISTINCT game_number FROM posted_match ORDER BY 1") == [(0,), (1,)]
    derived = {table: store.table_digest(table) for table in derived_tables.DERIVED}
    with store.write() as connection:
        derived_tables.rebuild(connection)
    assert {table: store.table_digest(table) for table in derived_tables.DERIVED} == derived
    store.close()


def test_a_file_of_the_version_before_can_be_read_before_it_is_brought_up_to_date(layout_3: Path) -> None:
    """A reader changes nothing, not even the layout, and has the same answers."""
    before = layout_3.read_bytes()
    reader = open_to_read(layout_3)
    pools = [board(reader, pool, read_fit(reader, None, pool.name), NOW_MOMENT) for pool in newest_pools(reader)]
    reader.close()
    assert layout_3.read_bytes() == before
    store = open_store(layout_3)
    assert [board(store, each.pool, read_fit(store, None, each.pool.name), NOW_MOMENT) for each in pools] == pools
    assert pools
    store.close()


def test_a_reader_is_not_held_up_by_a_writer_and_sees_only_what_is_whole(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    with store.write() as connection:
        connection.execute("UPDATE tournament SET state = 'half done'")
        assert reader.tournament("cup").state is TournamentState.RUNNING
    store.set_state("cup", TournamentState.STOPPED, "enough", NOW)
    assert reader.tournament("cup").state is TournamentState.STOPPED


def test_a_reader_in_its_own_transaction_sees_one_moment(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    reader.connection.execute("BEGIN")
    entries = select(reader, "SELECT count(*) FROM entry")
    store.add_match(finished(), NOW)
    store.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert select(reader, "SELECT count(*) FROM entry") == entries
    reader.connection.execute("COMMIT")
    assert select(reader, "SELECT count(*) FROM entry") != entries


def test_nothing_can_be_written_through_a_reader(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.request_stop("cup")


def test_a_reader_leaves_no_files_behind(tmp_path: Path) -> None:
    open_store(tmp_path / "arena.db", create=True).close()
    reader = open_to_read(tmp_path / "arena.db")
    assert reader.tournaments() == []
    reader.close()
    assert [path.name for path in tmp_path.iterdir()] == ["arena.db"]


@pytest.mark.parametrize("opener", [open_store, open_to_read])
def test_a_file_of_another_make_is_refused_and_left_as_it_is(tmp_path: Path, opener: object) -> None:
    assert callable(opener)
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("not a database at all\n" * 100)
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE diary (day TEXT)")
    connection.commit()
    connection.close()
    contents = [text.read_bytes(), other.read_bytes()]
    with pytest.raises(UserError, match=r"^db: .*text\.db cannot be used: file is not a database"):
        opener(text)
    with pytest.raises(UserError, match=r"^db: .*other\.db is not a database of the arena"):
        opener(other)
    with pytest.raises(UserError, match=r"^db: .*missing\.db does not exist"):
        opener(tmp_path / "missing.db")
    assert [text.read_bytes(), other.read_bytes()] == contents


def test_a_ledger_whose_first_entry_is_gone_is_not_begun_anew(store: Store, tmp_path: Path) -> None:
    store.connection.execute("DROP TRIGGER entry_is_never_deleted")
    store.connection.execute("DELETE FROM entry WHERE seq = 1")
    count = select(store, "SELECT count(*) FROM entry")
    assert select(open_store(tmp_path / "arena.db"), "SELECT count(*) FROM entry") == count
