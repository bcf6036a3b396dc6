"""T10.7: a small version of arena bench disqualification, with fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from arena.bench.disqualification import CHEAT, Treatment, measured, played, results, run, treated
from arena.plan.swiss import PlayedGame, PlayedTable, tables
from ratings.points.points import STRUCK


@pytest.fixture(autouse=True)
def quick_pairing() -> Iterator[None]:
    with mock.patch.object(tables, "anneal_effort", return_value=(1, 1024)):
        yield


def test_T10_7_every_treatment_changes_the_tables_of_the_cheat_alone() -> None:
    table = PlayedTable(("a", CHEAT, "b"), (PlayedGame(0, (3, 1, 2)),))
    places = {treatment: [game.places for game in treated(table, treatment).games] for treatment in Treatment}
    assert places == {
        Treatment.KEEP: [(3, 1, 2)], Treatment.VOID: [], Treatment.FORFEIT: [(2, 3, 1)],
        Treatment.STRIKE: [(2, STRUCK, 1)],
    }  # fmt: skip
    others = PlayedTable(("a", "b"), (PlayedGame(0, (1, 2)),))
    assert all(treated(others, treatment) == others for treatment in Treatment)
    duel = PlayedTable(("a", CHEAT), (PlayedGame(0, (1, 2)),))
    assert treated(duel, Treatment.STRIKE).games == ()


def test_T10_7_at_tables_of_two_a_strike_is_a_void_and_at_four_it_keeps_what_void_throws_away() -> None:
    two = run("strong", 2, 1)
    assert two[Treatment.STRIKE] == two[Treatment.VOID] != two[Treatment.KEEP]
    four = played("strong", 4, 1)
    assert measured(four, Treatment.STRIKE) != measured(four, Treatment.VOID)
    kept = {
        treatment: sum(len(result.bots) for result in results([
            type(each)(tuple(treated(table, treatment) for table in each.tables)) for each in four.rounds
        ]))
        for treatment in Treatment
    }  # fmt: skip
    assert kept[Treatment.VOID] < kept[Treatment.STRIKE] < kept[Treatment.KEEP] == kept[Treatment.FORFEIT]
