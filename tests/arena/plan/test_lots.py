"""T4.4: rating rounds that are drawn by lot: which, from what, and that the audit draws the lots again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any
from unittest import mock

import pytest

from arena.plan.rounds import History
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.swiss import Swiss
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import PlayedRound, TableSizes, lot_scores, pairing
from arena.reports.audit import Examiner
from arena.store.database import open_to_read
from ratings.ledger.audit import Fault, audit
from ratings.ledger.chain import Body, Kind, entries
from ratings.points.points import UNIT
from tests.arena.reports.test_tampering import reseal
from tests.arena.small_tournament import play_at_two_seats, two_seat_database

TWO = GameSettings("toy", 1, {}, TableSizes(2, 2, 2))
SWISS = SCHEDULES["swiss"]
SETTINGS = TournamentSettings(
    seed=3, bots=tuple("abcdef"), games=(TWO,), format="swiss", points_rounds=5, rating_rounds=22, top=None
)


def by_lot(settings: TournamentSettings) -> list[int]:
    """The rounds that are drawn by lot, after the points rounds."""
    found = []
    for number in range(1, settings.points_rounds + settings.rating_rounds + 1):
        history = History.of(settings.bots)
        history.rounds = [PlayedRound((), ()) for _ in range(number - 1)]
        if SCHEDULES[settings.format].is_by_lot(settings, history):
            found.append(number - settings.points_rounds)
    return found


def test_T4_4_every_second_rating_round_at_tables_of_two_is_drawn_by_lot() -> None:
    assert by_lot(SETTINGS) == [*range(2, 23, 2)]
    four = replace(TWO, sizes=TableSizes(2, 4, 4))
    assert by_lot(replace(SETTINGS, games=(four,))) == []
    assert by_lot(replace(SETTINGS, format="round_robin")) == []


def test_T4_4_beside_focus_rounds_only_the_first_twenty_rounds_and_every_tenth_have_lots() -> None:
    long = replace(SETTINGS, rating_rounds=45)
    assert by_lot(replace(long, top=0)) == [*range(2, 21, 2), 30, 40]
    assert by_lot(replace(long, top=0, block=False)) == [*range(2, 46, 2)]


def test_T4_4_a_round_that_is_due_by_lot_is_no_focus_round() -> None:
    """Everybody plays, also where a focus round would let most bots rest."""
    settings = replace(SETTINGS, top=2)
    history = History.of(settings.bots)
    history.rounds = [PlayedRound((), ()) for _ in range(6)]
    scores = lot_scores(settings.bots, UNIT, seed=3, round_number=7)
    focus, lots = SWISS.draw(settings, history, scores), SWISS.draw_by_lot(settings, history, scores)
    assert focus is not None
    assert lots is not None
    assert (len(focus.tables), len(lots.tables)) == (1, 3)


def test_T4_4_lots_are_normal_quantiles_of_the_seed_round_and_bot() -> None:
    lots = lot_scores(("ann", "bob"), UNIT, seed=7, round_number=6)
    drawn = int.from_bytes(sha256(b"lot|7|6|ann").digest()[:8], "big")
    assert lots["ann"] == round(UNIT * NormalDist().inv_cdf((drawn + 0.5) / 2**64))
    assert lots == {"ann": -1227, "bob": -1000}
    assert lot_scores(("bob", "ann"), UNIT, seed=7, round_number=6) == lots
    many = [each / UNIT for each in lot_scores(map(str, range(4000)), UNIT, seed=7, round_number=6).values()]
    assert fmean(many) == pytest.approx(0, abs=0.05)
    assert stdev(many) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("byte", [b"\x00", b"\xff"])
def test_T4_4_the_most_extreme_lots_are_finite(byte: bytes) -> None:
    digest = mock.Mock(digest=mock.Mock(return_value=byte * 32))
    with mock.patch.object(pairing, "sha256", return_value=digest):
        (lot,) = lot_scores(("ann",), UNIT, seed=7, round_number=6).values()
    assert 8 * UNIT < abs(lot) < 10 * UNIT


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One points round and four rating rounds, of which the second and fourth are drawn by lot."""
    return two_seat_database(tmp_path_factory.mktemp("lots"))


def rounds(db: Path) -> list[Body]:
    store = open_to_read(db)
    with store.reading() as connection:
        found = [entry.body for entry in entries(connection, Kind.ROUND)]
    store.close()
    return found


def faults(db: Path) -> list[str]:
    store = open_to_read(db)
    with store.reading() as connection:
        report = audit(connection, examine=Examiner(store, with_pairings=True))
    store.close()
    return [finding.message for finding in report.findings if finding.fault is Fault.PAIRING]


def test_T4_4_the_entry_of_a_round_says_that_it_was_drawn_by_lot(cup: Path) -> None:
    found = rounds(cup)
    assert [body.get("lots") for body in found] == [None, None, True, None, True]
    for body in (found[2], found[4]):
        assert body["scores"] == lot_scores(body["scores"], UNIT, seed=7, round_number=body["round"])
    assert len(found[2]["scores"]) == 4
    assert faults(cup) == []


def test_T4_4_a_ledger_without_lots_still_verifies(tmp_path: Path) -> None:
    """As release 0.1.0 drew its rounds: all rating rounds from fitted strengths."""
    with mock.patch.object(Swiss, "is_by_lot", return_value=False):
        db = play_at_two_seats(tmp_path)
    assert [body.get("lots") for body in rounds(db)] == [None] * 5
    assert faults(db) == []


def other_lots(body: dict[str, Any]) -> None:
    body["scores"] = lot_scores(body["scores"], UNIT, seed=8, round_number=body["round"])


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (3, other_lots, "other lots than its tournament's seed gives"),
        (5, lambda body: body.pop("lots"), "is not drawn by lot"),
        (4, lambda body: body.update(lots=True), "is drawn by lot, which was not due"),
        (3, lambda body: body.update(lots=1), "says something else of lots"),
    ],
)
def test_T4_4_lots_that_an_insider_chose_are_found_out(
    cup: Path, tmp_path: Path, number: int, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    db = Path(shutil.copy(cup, tmp_path / "arena.db"))

    def forge(kind: str, body: dict[str, Any]) -> bool:
        is_wanted = kind == Kind.ROUND and body["round"] == number
        if is_wanted:
            change(body)
        return is_wanted

    reseal(db, forge)
    assert any(said in fault for fault in faults(db))
