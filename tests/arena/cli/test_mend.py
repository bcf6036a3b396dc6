"""T13.14: a ledger that earlier versions left without a fit is mended by adding entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.store.database import Store, open_store
from arena.store.heads import heads_file
from ratings.fit.refit import fit_of_record
from ratings.ledger import posting, queries
from ratings.ledger.chain import Entry, find
from ratings.ledger.fit_record import FitRecord
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import unfitted_database

FAULT = "checkpoint:cup:1 was closed, but no fit of toy:1 follows"
POOL = "toy:1"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    return unfitted_database(tmp_path)


def verified(command_line: CommandLine) -> tuple[list[str], list[str]]:
    """What verify finds, and what it notes."""
    found = command_line("ledger", "verify", "--json").data
    return [each["message"] for each in found["findings"]], found["notes"]


def test_T13_14_a_mended_ledger_has_no_faults_and_says_what_was_mended(command_line: CommandLine, faulty: Path) -> None:
    store = open_store(faulty)
    before = store.connection.execute("SELECT * FROM entry ORDER BY seq").fetchall()
    store.close()
    assert verified(command_line) == ([FAULT], [])
    mended = command_line("ledger", "mend", "--who", "Hans", "--json")
    ((gap,), code) = mended.data["mended"], mended.code
    assert (code, gap["checkpoint"], gap["pool"]) == (0, "checkpoint:cup:1", POOL)
    findings, (note,) = verified(command_line)
    assert findings == []
    why = "two arenas closed rounds of one pool concurrently (Hans)"
    assert note == f"entry {len(before) + 1} mends the fit of {POOL} after checkpoint:cup:1: {why}"
    store = open_store(faulty)
    after = store.connection.execute("SELECT * FROM entry ORDER BY seq").fetchall()
    store.close()
    assert after[: len(before)] == before, "nothing was changed"
    again = command_line("ledger", "mend")
    assert (again.code, again.out) == (0, "No fits were missing.\n")


def test_T13_14_the_fit_that_is_missing_at_the_end_is_entered_as_it_should_have_been(
    command_line: CommandLine, faulty: Path
) -> None:
    store = open_store(faulty)
    command_line("ledger", "mend")
    with store.write() as connection:
        for name in ("entry_is_never_deleted", "entry_is_never_changed"):
            connection.execute(f"DROP TRIGGER {name}")
        last_fit = "(SELECT max(seq) FROM entry WHERE kind = 'FIT')"
        connection.execute(f"DELETE FROM entry WHERE kind = 'MEND' OR seq = {last_fit}")
        connection.execute("DELETE FROM fit_cache")
    store.close()
    heads_file(faulty).unlink()
    gaps = [FAULT, FAULT.replace("cup:1", "cup:2")]
    found = verified(command_line)[0]
    assert [each for each in found if "fit of" in each] == gaps
    assert len(command_line("ledger", "mend", "--json").data["mended"]) == 2
    assert [each for each in verified(command_line)[0] if "fit of" in each] == []


def fit_after(store: Store, number: int) -> tuple[Entry, FitRecord]:
    """The CHECKPOINT of a round, and the fit that belongs to it."""
    closed = find(store.connection, f"checkpoint:cup:{number}")
    assert closed is not None
    played = list(queries.results(store.connection, POOL, closed.seq))
    return closed, fit_of_record(played, {}, {}, voids=0)


def better(record: FitRecord) -> FitRecord:
    (bot, rating, error), *others = record.lines
    return replace(record, lines=((bot, rating + 50_000, error), *others))


@pytest.mark.parametrize(
    ("number", "change", "expected"),
    [
        (2, lambda record: record, "no fit of toy:1 is missing after checkpoint:cup:2"),
        (1, better, "bots differ, such as"),
        (1, lambda record: replace(record, matches=record.matches + 1), "matches is"),
        (1, lambda record: replace(record, voids=3), "voids is 3, but 0 by replay"),
        (1, lambda record: replace(record, sigma=record.sigma + 99), "sigma is"),
    ],
    ids=["no gap", "another list", "other matches", "other voids", "another spread"],
)  # fmt: skip
def test_T13_14_a_mend_of_something_else_is_a_fault(
    command_line: CommandLine, faulty: Path, number: int, change: Callable[[FitRecord], FitRecord], expected: str
) -> None:
    store = open_store(faulty)
    closed, record = fit_after(store, number)
    posting.record_mend(store.connection, closed, POOL, change(record), "because", "Eve")
    store.close()
    assert any(expected in message for message in verified(command_line)[0])


def test_T13_14_a_mend_of_a_round_that_was_never_closed_is_a_fault(command_line: CommandLine, faulty: Path) -> None:
    store = open_store(faulty)
    closed, record = fit_after(store, 1)
    body: dict[str, Any] = {**closed.body, "round": 9}
    posting.record_mend(store.connection, replace(closed, body=body), POOL, record, "because", "Eve")
    store.close()
    assert "mend:cup:9:toy:1 is of a round that was not closed before it" in verified(command_line)[0]


@pytest.mark.parametrize("words", [("--db", "none.db"), ("--reason", " "), ("--who", "\x1b")])
def test_T13_14_bad_input_is_one_line(command_line: CommandLine, faulty: Path, words: tuple[str, ...]) -> None:
    refused = command_line("ledger", "mend", *words)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
