"""Round robins and gauntlets, and Swiss rounds of games without chance."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.plan.rounds import History
from arena.plan.schedules import SCHEDULES
from arena.plan.schedules.fixed import gauntlet, round_robin
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import PlayedRound, PlayedTable, TableSizes, advance
from tests.arena.swiss_playing import names


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(0, 6), st.integers(0, 99))
def test_a_round_robin_seats_every_group_once_and_nobody_twice_in_a_round(seats: int, more: int, seed: int) -> None:
    bots = names(seats + more)
    rounds = round_robin(bots, seats, seed=seed)
    groups = Counter(tuple(sorted(table.bots)) for pairing in rounds for table in pairing.tables)
    assert groups == Counter(combinations(sorted(bots), seats))
    for pairing in rounds:
        seated = [bot for table in pairing.tables for bot in table.bots]
        assert len(set(seated)) == len(seated)
        assert [table.number for table in pairing.tables] == list(range(1, len(pairing.tables) + 1))
    assert round_robin(bots[::-1], seats, seed=seed) == rounds


@pytest.mark.parametrize(("bots", "rounds"), [(8, 7), (9, 9), (2, 1), (3, 3)])
def test_a_round_robin_of_two_seats_needs_no_more_rounds_than_it_must(bots: int, rounds: int) -> None:
    found = round_robin(names(bots), 2, seed=1)
    assert len(found) == rounds
    assert all(len(pairing.tables) == bots // 2 for pairing in found)


@pytest.mark.parametrize("bots", [8, 9, 16])
def test_a_round_robin_of_two_seats_balances_them(bots: int) -> None:
    first = Counter(table.bots[0] for pairing in round_robin(names(bots), 2, seed=1) for table in pairing.tables)
    assert all(abs(2 * first[bot] - (bots - 1)) <= 1 for bot in names(bots))


@settings(deadline=None)
@given(st.integers(2, 5), st.integers(0, 12))
def test_a_gauntlet_meets_every_opponent_once_or_twice(seats: int, more: int) -> None:
    opponents = names(seats - 1 + more)
    rounds = gauntlet("challenger", opponents, seats, seed=3)
    met: Counter[str] = Counter()
    for pairing in rounds:
        (table,) = pairing.tables
        assert table.bots[0] == "challenger"
        assert len(set(table.bots)) == seats
        met.update(table.bots[1:])
    assert set(met) == set(opponents)
    assert set(met.values()) <= {1, 2}
    assert len(rounds) == -(-len(opponents) // (seats - 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: round_robin(names(3), 4, seed=1), "cannot fill"),
        (lambda: round_robin(names(9), 6, seed=1), "2 to 5 seats, not 6"),
        (lambda: round_robin(names(9), 1, seed=1), "2 to 5 seats, not 1"),
        (lambda: round_robin(["a", "a", "b"], 2, seed=1), "twice"),
        (lambda: round_robin(names(100), 5, seed=1), "more than"),
        (lambda: gauntlet("a", ["a", "b"], 2, seed=1), "its own opponent"),
        (lambda: gauntlet("a", ["b"], 3, seed=1), "cannot fill"),
        (lambda: gauntlet("a", names(9), 6, seed=1), "2 to 5 seats, not 6"),
    ],
)
def test_schedules_that_cannot_be_are_refused(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=message):
        call()


def test_the_largest_round_robin_is_bounded_by_its_tables() -> None:
    assert comb(100, 5) > 100_000 >= comb(40, 3)


def drawn_seatings(without_chance: bool, seed: int) -> list[tuple[str, ...]]:
    """Draw two rounds of three bots at one table; every base seating, turned so that a comes first."""
    game = GameSettings("go", 1, {}, TableSizes(3, 3, 3), has_chance=not without_chance)
    entered = TournamentSettings(
        seed=seed, bots=("a", "b", "c"), games=(game,), format="swiss", points_rounds=4, top=None
    )
    history = History.of(entered.bots)
    found = []
    for _ in range(2):
        drawn = SCHEDULES["swiss"].draw(entered, history, {})
        assert drawn is not None
        (table,) = drawn.tables
        first = table.bots.index("a")
        found.append((*table.bots[first:], *table.bots[:first]))
        played = PlayedRound((PlayedTable(table.bots, ()),))
        history.rounds.append(played)
        history.entrants = advance(history.entrants, played, preferred=3)
    return found


def test_T2_3_in_a_game_without_chance_no_seating_comes_twice_while_there_is_another() -> None:
    """Three bots can sit in two orders that no rotation of a block turns into each other."""
    assert all(len(set(drawn_seatings(True, seed))) == 2 for seed in range(20))
    assert any(len(set(drawn_seatings(False, seed))) == 1 for seed in range(20)), "the draw alone would repeat them"


@pytest.mark.parametrize(("anchors", "seats_of_it"), [({"greedy": 1300}, 3), ({}, 0)])
def test_T3_2_a_swiss_round_gives_two_seats_of_a_table_to_an_anchor_only(
    anchors: dict[str, int], seats_of_it: int
) -> None:
    bots = names(5)
    entered = TournamentSettings(
        seed=3, bots=tuple(bots), house_bots=("greedy",), anchors=anchors, format="swiss", points_rounds=1, top=None,
        games=(GameSettings("toy", 1, {}, TableSizes(4, 4, 4)),),
    )  # fmt: skip
    drawn = SCHEDULES["swiss"].draw(entered, History.of(bots), {})
    assert drawn is not None
    assert sum(table.bots.count("greedy") for table in drawn.tables) == seats_of_it
    assert len(drawn.byes) == (0 if anchors else 1)
