"""The store: a match once, a round whole or not at all, files of every age, readers beside the writer."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import trio
from sqlite_utils import Database

from arena.play.match_writer import MatchWriter
from arena.store import schema
from arena.store.database import Store, open_store, open_to_read
from arena.store.rows import MatchToStore, PlayedOn, Recheck, RoundState, TournamentState
from arena.store.schema import bring_up_to_date, pending
from ratings.ledger import chain
from ratings.ledger.audit import audit
from ratings.ledger.chain import LedgerError
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import Ending, MatchResult
from tests.patience import patience
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
        store.bots.add(label, name, version, "/bots", {"name": name}, NOW)
    store.tournaments.add("cup", {"seed": 7}, {"referees": 1}, [(POOL, "toy", 1)], NOW)
    store.tournaments.add_round("cup", 1, "toy", False, [RoundTable(1, BOTS, (FIXTURE.seed,), 1)])
    yield store
    store.close()


STRIKES = ((2, 1, "T4", "no such card"), (3, 1, "", "no answer within 4 s"))


def finished(digest: str = "d1", ranks: tuple[int, ...] = (1, 2)) -> MatchToStore:
    endings = (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    result = MatchResult(
        FIXTURE.match_id,
        Ending.FORFEIT_CRASH,
        "it is over",
        ranks,
        (5, 3),
        endings,
        9,
        8,
        "a record\n",
        STRIKES,
        digest,
    )
    return MatchToStore(FIXTURE, 0, "toy", result, "none", ((1, "its last words"),))


def ledger_result(places: tuple[int, ...] = (1, 2)) -> LedgerResult:
    return LedgerResult(FIXTURE, POOL, places, "engine", ("1", "1"), "d1", "completed", (5, 3))


def everything(store: Store) -> list[str]:
    """The whole database as SQL."""
    return list(store.connection.iterdump())


def test_storing_a_match_twice_changes_nothing(store: Store) -> None:
    assert store.matches.add(finished(), NOW)
    before = everything(store)
    assert not store.matches.add(finished(), "2030-01-01T00:00:00+00:00")
    assert everything(store) == before


def test_a_different_result_for_a_stored_match_is_an_alarm_and_changes_nothing(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two workers may play the same match when a scheduler believes one of them lost."""
    configure_logs("error", as_json=True)
    store.matches.add(finished(), NOW)
    before = everything(store)
    assert not store.matches.add(replace(finished("d2", (2, 1)), worker="w2"), NOW)
    assert everything(store) == before
    alarm = json.loads(capsys.readouterr().err)
    assert (alarm["event"], alarm["stored"], alarm["refused"]) == ("match.contradicted", "d1", "d2")
    assert (alarm["match_id"], alarm["worker"]) == (FIXTURE.match_id, "w2")


def test_matches_that_are_stored_together_stand_or_fall_together(store: Store) -> None:
    before = everything(store)
    lost = MatchToStore(Fixture("cup", 99, 1, 0, BOTS, 1), 0, "toy", finished().result)
    with pytest.raises(sqlite3.IntegrityError):
        store.matches.add_all([finished(), lost], NOW)
    assert everything(store) == before
    assert store.matches.add_all([finished(), finished()], NOW) == 1


def test_the_worker_and_its_speed_stay_with_a_match(store: Store) -> None:
    store.matches.add(replace(finished(), worker="w7", calibration=812), NOW)
    assert store.workers.played_on(FIXTURE.match_id) == PlayedOn("w7", 812)
    assert [match.id for match in store.workers.played_by("w7")] == [FIXTURE.match_id]
    assert store.workers.played_by("w8") == []


def test_a_match_that_was_played_again_keeps_what_came_of_it(store: Store) -> None:
    store.matches.add(replace(finished(), worker="w7"), NOW)
    assert store.workers.recheck_counts() == (0, 0)
    again = Recheck(FIXTURE.match_id, "w8", "d2", is_equal=False)
    store.workers.add_recheck(again, NOW)
    store.workers.add_recheck(replace(again, record_digest="d3"), NOW)
    assert store.workers.recheck_counts("cup") == (1, 1)
    assert store.workers.recheck_counts("another") == (0, 0)
    (found,) = store.workers.differing()
    assert (found.match.id, found.played_on, found.again) == (FIXTURE.match_id, PlayedOn("w7", None), again)


def test_matches_that_wait_are_stored_in_one_transaction(store: Store) -> None:
    """However many finish together, the disk is asked twice at most: for the first, and for all that came meanwhile."""
    matches = [
        replace(finished(f"d{table}"), fixture=Fixture("cup", 1, table, 0, BOTS, table)) for table in range(2, 42)
    ]
    committed: list[str] = []
    store.connection.set_trace_callback(
        lambda statement: committed.append(statement) if statement == "COMMIT" else None
    )

    async def main() -> None:
        writer = MatchWriter(store, lambda: NOW_MOMENT)
        async with trio.open_nursery() as nursery:
            for match in matches:
                nursery.start_soon(writer.add, match)

    trio.run(main)
    assert len(store.matches.of("cup", 1)) == 40
    assert committed.count("COMMIT") <= 2


def test_a_stored_match_comes_back_as_it_was(store: Store) -> None:
    """Seeds beyond 63 bits, places, scores, endings, the record, the output and the strikes all survive."""
    store.matches.add(finished(), NOW)
    match = store.matches.find(FIXTURE.match_id)
    assert (match.seed, match.seating, match.places, match.scores) == (FIXTURE.seed, BOTS, (1, 2), (5, 3))
    assert match.seat_endings == (Ending.COMPLETED, Ending.FORFEIT_CRASH)
    assert store.matches.record(match.id) == "a record\n"
    assert select(store, "SELECT seat, output FROM bot_output") == [(1, "its last words")]
    assert store.matches.strikes(match.id) == list(STRIKES)
    assert store.matches.of("cup", 1) == store.matches.of("cup") == [match]


def test_a_match_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    store.matches.add(finished(), NOW)
    assert store.matches.find(FIXTURE.match_id[:6]).id == FIXTURE.match_id
    for wrong in ("", "nothing", FIXTURE.match_id + "0"):
        with pytest.raises(UserError, match="is not in this database"):
            store.matches.find(wrong)


def test_a_match_of_no_round_is_refused_whole(store: Store) -> None:
    """The foreign key breaks at the first row; no part of the match stays."""
    before = everything(store)
    lost = MatchToStore(Fixture("cup", 99, 1, 0, BOTS, 1), 0, "toy", finished().result)
    with pytest.raises(sqlite3.IntegrityError):
        store.matches.add(lost, NOW)
    assert everything(store) == before


def test_a_round_that_fails_while_closing_enters_nothing(store: Store) -> None:
    """The very last statement of closing fails, after results, ratings and checkpoint: all of them are taken back."""
    store.matches.add(finished(), NOW)
    before = everything(store)
    store.connection.execute(
        "CREATE TEMP TRIGGER crash BEFORE UPDATE ON round BEGIN SELECT RAISE(ABORT, 'no power'); END"
    )
    with pytest.raises(sqlite3.IntegrityError, match="no power"):
        store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert everything(store) == before
    assert store.tournaments.rounds("cup")[0].state is RoundState.PAIRED
    store.connection.execute("DROP TRIGGER crash")
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert store.tournaments.rounds("cup")[0].state is RoundState.CLOSED
    kinds = [kind for (kind,) in select(store, "SELECT kind FROM entry ORDER BY seq DESC LIMIT 5")]
    assert kinds == ["CHECKPOINT", "RATE", "RATE", "RATE", "MATCH"]


def test_closing_a_round_again_adds_no_entry(store: Store) -> None:
    """A runner that was killed between the ledger and the next step closes the round a second time."""
    store.matches.add(finished(), NOW)
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    head = chain.head(store.connection)
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert chain.head(store.connection) == head


def test_closing_a_round_with_another_result_is_an_error(store: Store) -> None:
    store.matches.add(finished(), NOW)
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    head = chain.head(store.connection)
    with pytest.raises(LedgerError, match="different result"):
        store.tournaments.close_round("cup", 1, [ledger_result((2, 1))], [], 1.5)
    assert chain.head(store.connection) == head


def test_a_tournament_of_the_same_name_with_other_settings_is_refused(store: Store) -> None:
    assert not store.tournaments.add("cup", {"seed": 7}, {"referees": 2}, [(POOL, "toy", 1)], NOW)
    with pytest.raises(UserError, match="already has a tournament 'cup' with other settings"):
        store.tournaments.add("cup", {"seed": 8}, {"referees": 2}, [(POOL, "toy", 1)], NOW)


def test_a_new_version_is_the_child_of_the_newest(store: Store) -> None:
    assert store.bots.add("ann@2", "ann", "2", "/elsewhere", {}, NOW)
    assert store.bots.add("ann@3", "ann", "3", "/elsewhere", {}, NOW)
    assert not store.bots.add("ann@2", "ann", "2", "/moved", {}, NOW)
    assert select(store, "SELECT label, parent FROM bot_version WHERE name = 'ann' ORDER BY rowid") == [
        ("ann@1", None), ("ann@2", "ann@1"), ("ann@3", "ann@2"),
    ]  # fmt: skip
    assert [each.path for each in store.bots.versions_of("ann") if each.label == "ann@2"] == ["/moved"]


def test_migrations_are_ordered_and_applied_once(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    open_store(path, create=True).close()
    store = open_store(path)
    names = [name for (name,) in select(store, "SELECT name FROM _sqlite_migrations ORDER BY id")]
    assert names == [
        "m001_first_layout",
        "m002_paths_in_the_bots_folder",
        "m003_struck_seats_in_the_views",
        "m004_secrets_of_tournaments",
    ]
    assert not pending(store.connection)
    before = everything(store)
    store.close()
    again = open_store(path)
    assert everything(again) == before


def test_T13_15_the_views_of_an_earlier_file_learn_of_struck_seats(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    open_store(path, create=True).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP VIEW results")
        connection.execute("CREATE VIEW results AS SELECT id AS match FROM match")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm003_struck_seats_in_the_views'")
    store = open_store(path)
    ((view,),) = select(store, "SELECT sql FROM sqlite_master WHERE name = 'results'")
    assert "'strike:'" in view
    store.close()


def m002_mottoes(db: Database) -> None:
    """A migration as a later version may bring it."""
    db.table("bot").add_column("motto", str, not_null_default="")


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """This version plus one migration."""
    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, m002_mottoes])


@pytest.fixture
def earlier(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A database of this version with a closed round, before the next version comes."""
    store.matches.add(finished(), NOW)
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    store.close()
    request.getfixturevalue("next_version")
    return tmp_path / "arena.db"


def test_a_file_of_the_version_before_is_brought_up_to_date_and_keeps_its_data(earlier: Path) -> None:
    """Its head stays what it was, and what a new version adds has a place."""
    with closing(sqlite3.connect(earlier)) as connection:
        head = chain.head(connection)
        assert pending(connection) == ["m002_mottoes"]
    store = open_store(earlier)
    assert not pending(store.connection)
    assert chain.head(store.connection) == head
    assert audit(store.connection).findings == ()
    assert select(store, "SELECT motto FROM bot WHERE name = 'ann'") == [("",)]
    assert [match.id for match in store.matches.of("cup")] == [FIXTURE.match_id]
    store.close()


def test_a_migration_that_fails_leaves_nothing_behind(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def m003_half_done(db: Database) -> None:
        db.table("half").create({"id": int}, pk="id")
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, m003_half_done])
    with pytest.raises(UserError, match="disk full"):
        open_store(earlier)
    with closing(sqlite3.connect(earlier)) as connection:
        assert pending(connection) == ["m002_mottoes", "m003_half_done"]
        assert connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall() == []


def test_a_reader_refuses_a_file_of_the_version_before_and_leaves_it_as_it_is(earlier: Path) -> None:
    before = earlier.read_bytes()
    with pytest.raises(UserError, match=r"is of an earlier version: it lacks m002_mottoes; arena ledger recompute"):
        open_to_read(earlier)
    assert earlier.read_bytes() == before


def test_a_file_of_a_later_version_is_refused_in_one_line_and_left_as_it_is(tmp_path: Path) -> None:
    """Older software would misread it, or fail in the middle of a tournament."""
    path = tmp_path / "arena.db"
    with pytest.MonkeyPatch.context() as later:
        later.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, m002_mottoes])
        open_store(path, create=True).close()
    before = path.read_bytes()
    for opening in (open_store, open_to_read):
        with pytest.raises(UserError, match=r"arena\.db is of a later version than 0\.1\.0: it has m002_mottoes"):
            opening(path)
    assert path.read_bytes() == before


def test_a_database_can_be_moved_with_its_bots(store: Store, tmp_path: Path) -> None:
    """A bot in the bots folder moves along; any other stays where its owner keeps it."""
    inside, outside = tmp_path / "arena-bots" / "f61a", tmp_path / "mine"
    store.bots.add("cat@1", "cat", "1", str(inside), {}, NOW, author="zoe")
    store.bots.add("dan@1", "dan", "1", str(outside), {}, NOW, author="zoe")
    store.bots.add("eve@1", "eve", "1", "", {}, NOW, author="zoe")
    assert store.bots.has_version("cat@1", str(inside))
    assert store.bots.paths_of("zoe") == [str(inside), str(outside)]
    store.close()
    (tmp_path / "moved").mkdir()
    (tmp_path / "arena.db").rename(tmp_path / "moved" / "cup.db")
    moved = open_to_read(tmp_path / "moved" / "cup.db")
    found = {version.name: version.path for version in moved.bots.versions()}
    assert found["cat"] == str(tmp_path / "moved" / "cup-bots" / "f61a")
    assert (found["dan"], found["eve"]) == (str(outside), "")
    moved.close()


def test_bots_of_a_file_that_was_laid_out_before_are_found_after_a_move_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arena.db"
    with monkeypatch.context() as before:
        before.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        store = open_store(path, create=True)
        for label, place in (("ann@1", tmp_path / "arena-bots" / "a1"), ("bob@1", tmp_path / "b1"), ("cat@1", "")):
            store.bots.add(label, label[:3], "1", "", {}, NOW)
            store.connection.execute("UPDATE bot_version SET path = ? WHERE label = ?", (str(place), label))
        store.close()
    store = open_store(path)
    assert select(store, "SELECT path FROM bot_version ORDER BY label") == [("a1",), (str(tmp_path / "b1"),), ("",)]
    assert [version.path for version in store.bots.versions()] == [
        str(tmp_path / "arena-bots" / "a1"), str(tmp_path / "b1"), "",
    ]  # fmt: skip
    store.close()


def test_only_its_owner_reads_a_database_and_its_log(tmp_path: Path) -> None:
    """It holds the seeds of open rounds and what bots print."""
    before = os.umask(0o022)
    try:
        store = open_store(tmp_path / "arena.db", create=True)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("arena.db", "arena.db-wal", "arena.db-shm"), 0o600)


def test_a_database_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "arena.db", tmp_path):
        with pytest.raises(UserError, match=r"^db: .* cannot be (opened|used): unable to open database file$"):
            open_store(path, create=True)


def test_two_who_lay_out_the_same_file_both_find_it_laid_out(tmp_path: Path) -> None:
    """The second process waits, and finds nothing to do."""
    connections = [sqlite3.connect(tmp_path / "new.db", isolation_level=None, timeout=patience(3)) for _ in range(2)]
    for connection in connections:
        bring_up_to_date(connection)
        assert not pending(connection)
        connection.close()


def test_names_are_found_by_any_part_of_them_in_either_case(store: Store) -> None:
    """Quotes and signs of the search language are letters like others; short parts are found too."""
    for name in ("Sänger_1", "master-singer", 'od"d', "anna"):
        store.bots.add(f"{name}@1", name, "1", "/", {}, NOW)
    assert store.bots.search("SINGER") == ["master-singer"]
    assert store.bots.search("sÄnger") == ["Sänger_1"]
    assert store.bots.search('d"d') == ['od"d']
    assert store.bots.search("an") == ["ann", "anna"]
    assert store.bots.search("singer AND master") == []
    assert store.tournaments.search("cu") == store.tournaments.search("CUP") == ["cup"]
    assert store.tournaments.search("cup2") == []


def test_a_reader_is_not_held_up_by_a_writer_and_sees_only_what_is_whole(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    with store.write() as connection:
        connection.execute("UPDATE tournament SET state = 'half done'")
        assert reader.tournaments.find("cup").state is TournamentState.RUNNING
    store.tournaments.set_state("cup", TournamentState.STOPPED, "enough", NOW)
    assert reader.tournaments.find("cup").state is TournamentState.STOPPED


def test_a_reader_in_its_own_transaction_sees_one_moment(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    reader.connection.execute("BEGIN")
    entries = select(reader, "SELECT count(*) FROM entry")
    store.matches.add(finished(), NOW)
    store.tournaments.close_round("cup", 1, [ledger_result()], [], 1.5)
    assert select(reader, "SELECT count(*) FROM entry") == entries
    reader.connection.execute("COMMIT")
    assert select(reader, "SELECT count(*) FROM entry") != entries


def test_nothing_can_be_written_through_a_reader(store: Store, tmp_path: Path) -> None:
    reader = open_to_read(tmp_path / "arena.db")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.tournaments.request_stop("cup")


def test_a_reader_leaves_no_files_behind(tmp_path: Path) -> None:
    open_store(tmp_path / "arena.db", create=True).close()
    reader = open_to_read(tmp_path / "arena.db")
    assert reader.tournaments.all() == []
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
