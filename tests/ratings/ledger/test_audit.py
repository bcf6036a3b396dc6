"""T13: the audit names every fault."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ratings.fit.refit import fit_of_record, refit_fault
from ratings.ledger import chain, derived_tables, posting, queries
from ratings.ledger.audit import Fault, Finding, audit
from ratings.ledger.chain import Draft, Entry, Kind, LedgerError, canonical_json, entry_hash, record
from ratings.ledger.entry_bodies import RoundTable
from ratings.ledger.fit_record import FitRecord, list_digest
from tests.ratings.ledger.small_ledger import BOTS, POOL, empty_ledger, fixture, result, small_ledger, unguarded


@pytest.fixture
def forged() -> sqlite3.Connection:
    return unguarded(small_ledger())


def faults(connection: sqlite3.Connection) -> set[tuple[Fault, int | None]]:
    return {(finding.fault, finding.seq) for finding in audit(connection).findings}


def seq_of(connection: sqlite3.Connection, key: str) -> int:
    (seq,) = connection.execute("SELECT seq FROM entry WHERE key = ?", (key,)).fetchone()
    assert isinstance(seq, int)
    return seq


def payload_of(connection: sqlite3.Connection, seq: int) -> dict[str, object]:
    (payload,) = connection.execute("SELECT payload FROM entry WHERE seq = ?", (seq,)).fetchone()
    value = json.loads(payload)
    assert isinstance(value, dict)
    return value


def reseal(connection: sqlite3.Connection, first: int, last: int | None = None) -> None:
    """Forge the hashes from one entry on, as somebody would who knows the format."""
    rows = connection.execute("SELECT seq, payload FROM entry WHERE seq >= ? ORDER BY seq", (first,)).fetchall()
    (prev,) = connection.execute("SELECT hash FROM entry WHERE seq = ?", (first - 1,)).fetchone()
    for seq, payload in rows:
        if last is not None and seq > last:
            return
        sealed = entry_hash(prev, payload)
        connection.execute("UPDATE entry SET prev = ?, hash = ? WHERE seq = ?", (prev, sealed, seq))
        prev = sealed


def rewrite(connection: sqlite3.Connection, seq: int, **changes: object) -> None:
    payload = canonical_json(payload_of(connection, seq) | changes)
    connection.execute("UPDATE entry SET payload = ? WHERE seq = ?", (payload, seq))


def test_T13_a_sound_ledger_has_no_faults() -> None:
    connection = small_ledger()
    end = chain.head(connection)
    report = audit(connection, expected_head=end.hex)
    assert (report.head, report.entries, report.findings) == (end, end.seq, ())
    assert report.is_clean


def test_T13_a_changed_result_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"match:{fixture(2).match_id}")
    rewrite(forged, seq, places=[2, 1, 3, 4])
    assert (Fault.CHANGED, seq) in faults(forged)
    assert Fault.REPLAY in {fault for fault, _ in faults(forged)}
    assert not {Fault.FORGED, Fault.MISSING, Fault.SWAPPED} & {fault for fault, _ in faults(forged)}


def test_T13_a_deleted_row_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"rate:{fixture(2).match_id}:bob")
    forged.execute("DELETE FROM entry WHERE seq = ?", (seq,))
    found = faults(forged)
    assert (Fault.MISSING, seq) in found
    assert Fault.UNRATED in {fault for fault, _ in found}
    assert not {Fault.FORGED, Fault.CHANGED, Fault.SWAPPED} & {fault for fault, _ in found}


def test_T13_a_run_of_deleted_rows_is_named_once(forged: sqlite3.Connection) -> None:
    forged.execute("DELETE FROM entry WHERE seq BETWEEN 9 AND 14")
    missing = [finding for finding in audit(forged).findings if finding.fault is Fault.MISSING]
    assert [finding.message for finding in missing] == ["entries 9 to 14 are gone"]


@pytest.mark.parametrize("columns", [("key", "kind", "payload", "prev", "hash"), ("payload",)])
def test_T13_a_swapped_pair_of_rows_is_named(forged: sqlite3.Connection, columns: tuple[str, ...]) -> None:
    one, other = 10, 12
    rows = {
        seq: forged.execute(f"SELECT {','.join(columns)} FROM entry WHERE seq = ?", (seq,)).fetchone()
        for seq in (one, other)
    }
    if "key" in columns:
        forged.execute("UPDATE entry SET key = 'x' || seq, hash = 'x' || seq WHERE seq IN (?, ?)", (one, other))
    for seq, values in ((one, rows[other]), (other, rows[one])):
        forged.execute(f"UPDATE entry SET {','.join(f'{c} = ?' for c in columns)} WHERE seq = ?", (*values, seq))
    found = audit(forged).findings
    swapped = [finding for finding in found if finding.fault is Fault.SWAPPED]
    assert [finding.message for finding in swapped] == ["entries 10 and 12 are swapped"]
    assert Fault.FORGED not in {finding.fault for finding in found}


def test_T13_a_forged_hash_is_named(forged: sqlite3.Connection) -> None:
    """Of an entry left as it was: the next one knows the right hash."""
    forged.execute("UPDATE entry SET hash = zeroblob(32) WHERE seq = 8")
    assert faults(forged) == {(Fault.FORGED, 8)}


def test_T13_a_changed_result_under_a_forged_hash_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"match:{fixture(2).match_id}")
    rewrite(forged, seq, places=[2, 1, 3, 4])
    reseal(forged, seq, seq)
    assert (Fault.FORGED, seq) in faults(forged)


def test_T13_a_forged_chain_is_betrayed_by_the_arithmetic_and_by_the_published_head(
    forged: sqlite3.Connection,
) -> None:
    end = chain.head(forged)
    seq = seq_of(forged, f"match:{fixture(2).match_id}")
    rewrite(forged, seq, places=[2, 1, 3, 4])
    reseal(forged, seq)
    derived_tables.rebuild(forged)
    report = audit(forged, expected_head=end.hex)
    assert {Fault.REPLAY, Fault.HEAD} <= {finding.fault for finding in report.findings}
    assert Fault.CHANGED not in {finding.fault for finding in report.findings}


def test_T13_a_chain_cut_at_its_end_is_betrayed_by_the_published_head(forged: sqlite3.Connection) -> None:
    end = chain.head(forged)
    forged.execute("DELETE FROM entry WHERE seq = ?", (end.seq,))
    assert [f.fault for f in audit(forged, expected_head=end.hex).findings] == [Fault.HEAD]


def test_T13_a_rating_that_jumps_and_a_bank_that_does_not_balance_are_named(forged: sqlite3.Connection) -> None:
    rate = seq_of(forged, f"rate:{fixture(3).match_id}:bob")
    bank = seq_of(forged, f"rate:{fixture(3).match_id}:bank")
    rewrite(forged, rate, before=1)
    rewrite(forged, bank, delta=5)
    reseal(forged, rate)
    assert {(Fault.CONTINUITY, rate), (Fault.SUM, bank)} <= faults(forged)


def test_T13_a_match_rated_twice_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"rate:{fixture(3).match_id}:bob")
    end = chain.head(forged).seq
    again = canonical_json(payload_of(forged, seq) | {"seq": end + 1, "key": "again"})
    forged.execute("INSERT INTO entry VALUES (?, 'again', 'RATE', ?, x'', x'01')", (end + 1, again))
    reseal(forged, end + 1)
    assert (Fault.UNFOUNDED, end + 1) in faults(forged)


def test_T13_a_match_id_that_does_not_fit_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"match:{fixture(2).match_id}")
    rewrite(forged, seq, seed=8)
    assert (Fault.MATCH_ID, seq) in faults(forged)


def test_T13_a_kind_or_key_that_belies_the_entry_is_named(forged: sqlite3.Connection) -> None:
    forged.execute("UPDATE entry SET kind = 'FIT' WHERE seq = 1")
    assert faults(forged) == {(Fault.CHANGED, 1)}


def test_T13_a_payload_that_is_no_canonical_json_is_named(forged: sqlite3.Connection) -> None:
    forged.execute("UPDATE entry SET payload = replace(payload, ',', ', ') WHERE seq = 2")
    assert {(Fault.MALFORMED, 2), (Fault.CHANGED, 2)} <= faults(forged)


def test_T13_a_payload_that_says_nothing_sensible_is_named(forged: sqlite3.Connection) -> None:
    seq = seq_of(forged, f"match:{fixture(2).match_id}")
    rewrite(forged, seq, places="first", seating=[1])
    assert (Fault.MALFORMED, seq) in faults(forged)


def test_T13_tables_that_do_not_follow_from_the_chain_are_named() -> None:
    connection = small_ledger()
    connection.execute("UPDATE standing SET rating = rating + 1 WHERE bot = 'ann'")
    (finding,) = audit(connection).findings
    assert finding.fault is Fault.DERIVED
    assert finding.message.startswith("standing: 2 rows differ")
    derived_tables.rebuild(connection)
    assert audit(connection).is_clean


def test_T13_a_pairing_without_result_is_named() -> None:
    connection = small_ledger()
    posting.record_round(connection, "cup", 4, [RoundTable(1, BOTS, (7, 7), 2)])
    posting.post_matches(connection, [result(fixture(4), 1, 2, 3, 4)])
    assert audit(connection).is_clean, "an open round is no fault"
    posting.record_checkpoint(connection, "cup", 4)
    (finding,) = audit(connection).findings
    assert (finding.fault, finding.message) == (Fault.UNRESOLVED, "table 1, game 1 has no result")


def test_T13_a_match_played_otherwise_than_drawn_is_named() -> None:
    connection = small_ledger()
    posting.record_round(connection, "cup", 4, [RoundTable(1, BOTS, (7,), 1)])
    posting.post_matches(connection, [result(fixture(4, seats=BOTS[::-1]), 1, 2, 3, 4)])
    posting.record_checkpoint(connection, "cup", 4)
    assert [finding.fault for finding in audit(connection).findings] == [Fault.PAIRING]


def test_T13_a_bot_drawn_twice_is_named_and_an_anchor_is_not() -> None:
    connection = small_ledger()
    posting.record_bot(connection, "house", "house", "hash")
    posting.record_anchor(connection, POOL, "house", 1_200_000)
    posting.record_round(
        connection,
        "cup",
        4,
        [RoundTable(1, ("ann", "house"), (7,), 1), RoundTable(2, ("ann", "house"), (7,), 1)],
    )
    (finding,) = audit(connection).findings
    assert (finding.fault, finding.message) == (Fault.TWICE, "ann is drawn twice in round 4")


def test_T3_2_a_house_bot_is_drawn_wherever_seats_are_left() -> None:
    connection = small_ledger()
    posting.record_bot(connection, "house", "house", "hash")
    posting.record_tournament(connection, "league", {"house_bots": ["house"]})
    tables = [RoundTable(1, ("ann", "house"), (7,), 1), RoundTable(2, ("bob", "house"), (7,), 1)]
    posting.record_round(connection, "league", 1, tables)
    assert audit(connection).findings == ()
    posting.record_round(connection, "cup", 4, tables)
    (finding,) = audit(connection).findings
    assert (finding.fault, finding.message) == (Fault.TWICE, "house is drawn twice in round 4")


def fitted(connection: sqlite3.Connection) -> FitRecord:
    return fit_of_record(list(queries.results(connection, POOL)), {}, {}, voids=0)


def test_T13_7_a_fit_of_record_is_in_the_ledger_and_can_be_done_again() -> None:
    connection = small_ledger()
    found = fitted(connection)
    assert [bot for bot, _rating, _error in found.lines] == sorted(BOTS)
    assert posting.record_fit(connection, POOL, found)
    assert audit(connection, refit=refit_fault).is_clean
    entry = queries.last_fit(connection, POOL)
    assert entry is not None
    assert (entry.body["formula"], entry.body["matches"], entry.body["digest"]) == (1, 6, list_digest(found.lines))


def test_T13_9_a_fit_with_another_rating_or_other_bots_is_named() -> None:
    for change in ("rating", "sigma", "phi", "tau"):
        connection = small_ledger()
        found = fitted(connection)
        if change == "rating":
            (bot, rating, error), *others = found.lines
            found = replace(found, lines=((bot, rating + 900_000, error), *others))
        else:
            more = getattr(found, change) * 2 + 10
            found = replace(found, **{change: more})
        posting.record_fit(connection, POOL, found)
        assert audit(connection).is_clean, "the entry alone is as it should be"
        (finding,) = audit(connection, refit=refit_fault).findings
        assert finding.fault is Fault.FIT
        assert change in finding.message or "ann" in finding.message


@pytest.mark.parametrize("name", ["matches", "voids", "formula"])
def test_T13_7_a_fit_over_other_matches_than_the_ledger_has_is_named(name: str) -> None:
    connection = small_ledger()
    other = {name: 77}
    posting.record_fit(connection, POOL, replace(fitted(connection), **other))  # type: ignore[arg-type]  # an integer
    (finding,) = audit(connection).findings
    assert (finding.fault, finding.message.split()[0]) == (Fault.FIT, name)


def test_T13_9_a_fit_of_a_pool_without_matches_is_no_trouble() -> None:
    connection = empty_ledger()
    posting.record_fit(connection, POOL, fitted(connection))
    assert audit(connection, refit=refit_fault).is_clean


def test_T13_9_the_hashes_of_a_match_are_those_of_its_bots() -> None:
    connection = empty_ledger()
    honest = result(fixture(1), 1, 2, 3, 4)
    posting.post_matches(connection, [replace(honest, bot_hashes=("other", *honest.bot_hashes[1:]))])
    (finding,) = audit(connection).findings
    assert finding.fault is Fault.REPLAY
    assert "bot_hashes" in finding.message


def test_T13_9_a_checkpoint_names_the_head_before_it() -> None:
    connection = empty_ledger()
    posting.record_round(connection, "cup", 1, [])
    body = {"tournament": "cup", "round": 1, "head": "ab" * 32, "entries": chain.head(connection).seq, "pools": {}}
    record(connection, Draft(Kind.CHECKPOINT, "checkpoint:cup:1", body))
    (finding,) = audit(connection).findings
    assert (finding.fault, finding.message[:24]) == (Fault.CHECKPOINT, "it names the head ababab")


def test_T13_8_a_pool_of_unknown_formulas_is_refused_and_named() -> None:
    connection = sqlite3.connect(":memory:")
    derived_tables.create_tables(connection)
    body = {"pool": "toy:1", "game": "toy", "rules": 1, "formula": 7}
    record(connection, Draft(Kind.POOL, "pool:toy:1", body))
    refusal = "T13.8: toy:1 is rated by formula 7, but only 1 is known"
    with pytest.raises(LedgerError, match=refusal):
        posting.record_pool(connection, "toy:1", "toy", 1)
    with pytest.raises(LedgerError, match=refusal):
        derived_tables.rebuild(connection)
    (finding,) = audit(connection).findings
    assert finding.fault is Fault.MALFORMED
    assert refusal in finding.message


def test_T13_a_caller_may_bring_further_checks() -> None:
    def examine(entry: Entry) -> Iterator[Finding]:
        if entry.kind is Kind.ROUND and entry.body["round"] == 2:
            yield Finding(Fault.PAIRING, entry.seq, "another seed gives other tables")

    (finding,) = audit(small_ledger(), examine=examine).findings
    assert str(finding).startswith("pairing differs ")
