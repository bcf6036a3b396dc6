"""T13: the ledger."""

from __future__ import annotations

import io
import json
import sqlite3
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.ledger import chain, derived_tables, posting, queries
from ratings.ledger.accounts import BANK
from ratings.ledger.audit import audit
from ratings.ledger.chain import Draft, Kind, LedgerError, canonical_json
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.elo import START
from ratings.points.points import competition_places
from ratings.points.result import LedgerResult
from tests.ratings.ledger.small_ledger import BOTS, POOL, empty_ledger, fixture, played_round, result, small_ledger


def ratings_of(connection: sqlite3.Connection) -> dict[str, int]:
    return {account.bot: account.rating for account in queries.standing(connection, POOL)}


def bank_of(connection: sqlite3.Connection) -> int:
    (bank,) = connection.execute("SELECT bank FROM pool_total WHERE pool = ?", (POOL,)).fetchone()
    assert isinstance(bank, int)
    return bank


def derived_rows(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    return {table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall()) for table in derived_tables.DERIVED}


def test_T13_a_tied_match_moves_nobody_and_is_rated() -> None:
    connection = empty_ledger()
    assert posting.post_matches(connection, [result(fixture(1), 1, 1, 1, 1)]) == 1
    assert ratings_of(connection) == dict.fromkeys(BOTS, START)
    assert {(a.games, a.matches, a.wins, a.shared_wins) for a in queries.standing(connection, POOL)} == {(1, 1, 0, 1)}


def test_T13_a_won_match_is_entered_with_its_ratings_and_the_bank() -> None:
    connection = empty_ledger()
    before = chain.head(connection).seq
    posting.post_matches(connection, [result(fixture(1), 1, 2, 3, 4)])
    added = [entry for entry in chain.entries(connection) if entry.seq > before]
    assert [entry.kind for entry in added] == [Kind.MATCH] + [Kind.RATE] * 5
    assert [entry.body["bot"] for entry in added[1:]] == [*BOTS, BANK]
    assert sum(entry.body["delta"] for entry in added[1:]) == 0
    assert ratings_of(connection) == {"ann": 1548000, "bob": 1516000, "cat": 1484000, "dan": 1452000}
    first = queries.standing(connection, POOL)[0]
    assert (first.wins, first.shared_wins, first.place_sum, first.points) == (1, 0, 1, 1440)


def test_T13_storing_twice_changes_nothing() -> None:
    connection = empty_ledger()
    results = [result(fixture(1), 1, 2, 3, 4), result(fixture(1, game=1), 2, 1, 3, 4)]
    assert posting.post_matches(connection, results) == 2
    end = chain.head(connection)
    assert posting.post_matches(connection, results) == 0
    assert posting.post_matches(connection, results[:1] * 2) == 0
    assert chain.head(connection) == end


def test_T13_a_different_result_for_the_same_match_is_an_error_and_enters_nothing() -> None:
    connection = empty_ledger()
    posting.post_matches(connection, [result(fixture(1), 1, 2, 3, 4)])
    end, tables = chain.head(connection), derived_rows(connection)
    changed = [result(fixture(2), 1, 2, 3, 4), result(fixture(1), 2, 1, 3, 4)]
    with pytest.raises(LedgerError, match="different result"):
        posting.post_matches(connection, changed)
    assert (chain.head(connection), derived_rows(connection)) == (end, tables)


def test_T9_results_enter_in_canonical_order_whatever_order_they_come_in() -> None:
    results = [result(fixture(1, game, table), 1, 2, 3, 4) for table in (1, 2, 10) for game in (0, 1)]
    results = [replace(each, places=competition_places([index % 3, 1, 2, 0])) for index, each in enumerate(results)]
    one, other = empty_ledger(), empty_ledger()
    posting.post_matches(one, results)
    posting.post_matches(other, results[::-1])
    assert chain.head(one) == chain.head(other)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (replace(result(fixture(1), 1, 2, 3, 4), pool="chess:1"), "pool:chess:1 is not in the ledger"),
        (result(fixture(1, seats=("ann", "bob", "eve")), 1, 2, 3), "bot:eve is not in the ledger"),
        (result(fixture(1), 1, 2, 4, 4), "not competition places"),
        (replace(result(fixture(1), 1, 2, 3, 4), places=(1, 2, 3)), "4 seats"),
        (replace(result(fixture(1), 1, 2, 3, 4), scores=(1, 2)), "4 seats"),
        (replace(result(fixture(1), 1, 2, 3, 4), forfeits=(4,)), "4 seats"),
        (result(fixture(1, seats=("ann", "ann")), 1, 2), "two seats"),
    ],
)
def test_T13_what_is_no_result_is_refused(broken: LedgerResult, message: str) -> None:
    connection = empty_ledger()
    end = chain.head(connection)
    with pytest.raises(LedgerError, match=message):
        posting.post_matches(connection, [broken])
    assert chain.head(connection) == end


def test_T13_void_gives_back_every_delta_and_the_bank_but_not_the_games() -> None:
    connection = empty_ledger()
    first, second = played_round(connection, 1, ((1, 2, 3, 4), (1, 2, 3, 4)))
    wanted = ratings_of(connection)
    deltas = {
        bot: entry.body["delta"]
        for bot in BOTS
        if (entry := chain.find(connection, chain.key_of(chain.Kind.RATE, match=first.fixture.match_id, bot=bot)))
        is not None
    }
    assert posting.void_match(connection, first.fixture.match_id, "disk full", "operator")
    assert ratings_of(connection) == {bot: wanted[bot] - deltas[bot] for bot in BOTS}
    assert sum(ratings_of(connection).values()) + bank_of(connection) == START * len(BOTS)
    assert {(a.games, a.matches) for a in queries.standing(connection, POOL)} == {(2, 1)}
    assert [each.places for each in queries.results(connection, POOL)] == [second.places]
    assert audit(connection).is_clean


def test_T13_void_twice_changes_nothing_and_an_unknown_match_cannot_be_void() -> None:
    connection = small_ledger()
    match_id = fixture(2).match_id
    assert posting.void_match(connection, match_id, "disk full", "operator")
    end = chain.head(connection)
    assert not posting.void_match(connection, match_id, "disk full", "operator")
    assert chain.head(connection) == end
    with pytest.raises(LedgerError, match="not in the ledger"):
        posting.void_match(connection, "0" * 64, "disk full", "operator")


def test_T13_a_match_without_result_is_given_up_and_takes_none() -> None:
    connection = empty_ledger()
    order = fixture(1)
    posting.record_round(connection, "cup", 1, [RoundTable(1, BOTS, (7,), 1)])
    assert posting.give_up_match(connection, order, POOL, "power cut", "arena")
    assert not posting.give_up_match(connection, order, POOL, "power cut", "arena")
    with pytest.raises(LedgerError, match="void"):
        posting.post_matches(connection, [result(order, 1, 2, 3, 4)])
    posting.post_matches(connection, [result(fixture(1, seed=8), 1, 2, 3, 4)])
    posting.record_checkpoint(connection, "cup", 1)
    assert audit(connection).is_clean


def test_T9_a_new_version_starts_at_its_parents_rating() -> None:
    connection = small_ledger()
    parent = ratings_of(connection)["dan"]
    posting.record_bot(connection, "dan2", "dan", "hash of dan2", parent="dan")
    posting.post_matches(connection, [result(fixture(9, seats=("ann", "dan2")), 1, 2)])
    (change,) = queries.history(connection, POOL, "dan2")
    assert change.after - change.delta == parent != START
    with pytest.raises(LedgerError, match="parent"):
        posting.record_bot(connection, "eve2", "eve", "hash", parent="eve")
    assert audit(connection).is_clean


def test_T9_anchors_are_frozen_and_may_hold_two_seats() -> None:
    connection = empty_ledger()
    posting.record_anchor(connection, POOL, "dan", 1_700_000)
    order = fixture(1, seats=("ann", "dan", "dan"))
    posting.post_matches(connection, [result(order, 1, 2, 3)])
    assert ratings_of(connection)["dan"] == 1_700_000 == queries.anchors(connection, POOL)["dan"]
    assert ratings_of(connection)["ann"] > START
    assert bank_of(connection) == START - ratings_of(connection)["ann"]
    posting.void_match(connection, order.match_id, "two seats", "operator")
    assert bank_of(connection) == 0
    assert audit(connection).is_clean
    with pytest.raises(LedgerError, match="anchor"):
        posting.record_anchor(connection, POOL, "ann", 1_600_000)


def test_T13_an_epoch_brings_ratings_to_the_clean_replay() -> None:
    connection = small_ledger()
    posting.void_match(connection, fixture(1, game=1).match_id, "cheating", "operator")
    clean = empty_ledger()
    played_round(clean, 1, ((1, 1, 1, 1),))
    played_round(clean, 2, ((1, 2, 3, 4), (4, 3, 2, 1)))
    played_round(clean, 3, ((2, 1, 2, 4), (1, 2, 3, 4)))
    report = queries.clean_replay(connection, POOL)
    assert {bot: after for bot, (_, after) in report.items()} == ratings_of(clean)
    assert {bot: now for bot, (now, _) in report.items()} == ratings_of(connection) != ratings_of(clean)
    assert posting.post_epoch(connection, "spring", POOL, "clean up", "operator")
    assert not posting.post_epoch(connection, "spring", POOL, "clean up", "operator")
    assert ratings_of(connection) == ratings_of(clean)
    assert sum(ratings_of(connection).values()) + bank_of(connection) == START * len(BOTS)
    assert audit(connection).is_clean


def test_T13_what_follows_from_the_chain_can_be_rebuilt() -> None:
    connection = small_ledger()
    posting.void_match(connection, fixture(2).match_id, "disk full", "operator")
    posting.give_up_match(connection, fixture(4), POOL, "power cut", "arena")
    posting.post_epoch(connection, "spring", POOL, "clean up", "operator")
    wanted = derived_rows(connection)
    for table in derived_tables.DERIVED:
        connection.execute(f"DELETE FROM {table}")
    derived_tables.rebuild(connection)
    assert derived_rows(connection) == wanted


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_T9_ratings_and_bank_are_constant_through_posts_and_voids(data: st.DataObject) -> None:
    connection = empty_ledger()
    posted: list[str] = []
    for number in range(data.draw(st.integers(1, 6))):
        wants_void = data.draw(st.booleans())
        if posted and wants_void:
            posting.void_match(connection, posted.pop(data.draw(st.integers(0, len(posted) - 1))), "drawn", "test")
        size = data.draw(st.integers(2, 4))
        seats = tuple(data.draw(st.permutations(BOTS)))[:size]
        keys = data.draw(st.lists(st.integers(0, 3), min_size=len(seats), max_size=len(seats)))
        order = fixture(number, seats=seats)
        posting.post_matches(connection, [result(order, *competition_places(keys))])
        posted.append(order.match_id)
        accounts = queries.standing(connection, POOL)
        assert sum(a.rating - a.start for a in accounts) + bank_of(connection) == 0
    wanted = derived_rows(connection)
    derived_tables.rebuild(connection)
    assert derived_rows(connection) == wanted
    assert audit(connection).is_clean


def test_T13_entries_cannot_be_changed_deleted_replaced_or_put_out_of_order() -> None:
    connection = small_ledger()
    row = (3, "genesis", "GENESIS", "{}", b"", b"")
    for statement, values in [
        ("UPDATE entry SET payload = '{}' WHERE seq = 3", ()),
        ("DELETE FROM entry WHERE seq = 3", ()),
        ("INSERT OR REPLACE INTO entry (seq, key, kind, payload, prev, hash) VALUES (?,?,?,?,?,?)", row),
        ("INSERT INTO entry (seq, key, kind, payload, prev, hash) VALUES (?,?,?,?,?,?)", (10**6, "new", *row[2:])),
    ]:
        with pytest.raises(sqlite3.IntegrityError, match="ledger entries are"):
            connection.execute(statement, values)
    connection.rollback()
    assert audit(connection).is_clean


def test_T13_a_recorded_key_says_the_same_ever_after() -> None:
    connection = empty_ledger()
    assert not posting.record_bot(connection, "ann", "ann", "hash of ann")
    with pytest.raises(LedgerError, match="with another body"):
        posting.record_bot(connection, "ann", "ann", "another hash")
    with pytest.raises(LedgerError, match="bank"):
        posting.record_bot(connection, "bank", "bank", "hash")


def test_T13_posting_joins_the_callers_transaction() -> None:
    connection = empty_ledger()
    end = chain.head(connection)
    connection.execute("BEGIN")
    posting.post_matches(connection, [result(fixture(1), 1, 2, 3, 4)])
    connection.rollback()
    assert chain.head(connection) == end
    assert queries.standing(connection, POOL) == []


def test_T13_nothing_is_added_to_a_broken_chain() -> None:
    connection = small_ledger()
    connection.execute("DROP TRIGGER entry_is_never_changed")
    connection.execute(
        "UPDATE entry SET payload = replace(payload, 'cup', 'cap') WHERE seq = (SELECT max(seq) FROM entry)"
    )
    with pytest.raises(LedgerError, match="broken chain"):
        posting.record_pool(connection, "new:1", "new", 1)


def test_T13_payloads_are_canonical_json() -> None:
    assert canonical_json({"b": [1, True, None], "a": "u\u0308"}) == '{"a":"ü","b":[1,true,null]}'
    for value in ({"a": 1.5}, {"a": {1: 2}}, {"a": b"x"}, {"a": float("nan")}):
        with pytest.raises(LedgerError, match=r"T13"):
            canonical_json(value)
    for payload in ('{"a": 1}', '{"a":1.0}', "[1]", "{", '{"b":1,"a":2}', '{"a":"u\u0308"}'):
        with pytest.raises(LedgerError, match=r"T13"):
            chain.parse_payload(payload)


def test_T13_names_that_could_be_written_in_two_ways_are_refused() -> None:
    connection = empty_ledger()
    assert posting.record_bot(connection, "m\u00fcller", "M\u00fcller", "hash")
    with pytest.raises(LedgerError, match="NFC"):
        posting.record_bot(connection, "mu\u0308ller", "M\u00fcller", "hash")
    assert audit(connection).is_clean


def test_T13_a_drafts_name_may_not_hide_its_place() -> None:
    connection = empty_ledger()
    chain.append(connection, [Draft(Kind.POOL, "pool:x", {"seq": 99, "pool": "x", "game": "x", "rules": 1})])
    (payload,) = connection.execute("SELECT payload FROM entry WHERE key = 'pool:x'").fetchone()
    assert json.loads(payload)["seq"] == chain.head(connection).seq


def test_T13_the_export_can_be_checked_and_rebuilt_elsewhere(tmp_path: Path) -> None:
    connection = small_ledger()
    out = io.StringIO()
    end = chain.export_lines(connection, out)
    copy = sqlite3.connect(tmp_path / "copy.db")
    derived_tables.create_tables(copy)
    lines = out.getvalue().splitlines()
    assert chain.import_lines(copy, lines) == end == chain.head(copy)
    derived_tables.rebuild(copy)
    assert derived_rows(copy) == derived_rows(connection)
    assert audit(copy, expected_head=end.hex).is_clean
    copy.close()
    broken = sqlite3.connect(":memory:")
    derived_tables.create_tables(broken)
    for line in (lines[4].replace("hash of", "bash of"), "not json", "[" * 5000):
        with pytest.raises(LedgerError, match="line 5"):
            chain.import_lines(broken, [*lines[:4], line])


def test_T13_a_payload_of_any_depth_is_refused_in_one_line() -> None:
    with pytest.raises(LedgerError, match="the payload is not JSON"):
        chain.parse_payload("[" * 5000)


def test_T13_the_history_of_a_rating_is_kept_in_order() -> None:
    connection = small_ledger()
    steps = queries.history(connection, POOL, "ann")
    assert len(steps) == 6
    assert steps[0].after == START + steps[0].delta
    assert all(later.after == earlier.after + later.delta for earlier, later in pairwise(steps))
    assert steps[-1].after == ratings_of(connection)["ann"]
    assert queries.history(connection, POOL, "ann", last=2) == steps[-2:]
