"""T7: the quality of pairings, measured and held to its targets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.plan.swiss import (
    PlayedGame,
    PlayedRound,
    PlayedTable,
    Quality,
    TableSizes,
    missed_targets,
    quality,
)
from arena.plan.swiss.quality import max_repeat_percent
from tests.arena.swiss_playing import FOUR, THREE_TO_FIVE, Tournament, names


def measured(tournament: Tournament) -> Quality:
    return quality(tournament.rounds, preferred=tournament.sizes.preferred, house_bots=tournament.house_bots)


def single(*bots: str, places: tuple[int, ...]) -> PlayedTable:
    return PlayedTable(bots, (PlayedGame(0, places),))


def test_T7_the_metrics_of_a_small_tournament() -> None:
    rounds = [
        PlayedRound((single("a", "b", places=(1, 2)), single("c", "house", places=(1, 2))), ("d",)),
        PlayedRound((single("a", "b", places=(1, 1)), single("c", "d", places=(1, 2)))),
        PlayedRound((single("a", "d", places=(1, 2)), single("c", "b", places=(1, 2)))),
    ]
    found = quality(rounds, preferred=2, house_bots=("house",))
    assert found == Quality(
        bots=4,
        rounds=3,
        points_rounds=3,
        pairs=5,
        repeats=1,
        max_meetings=2,
        spread_sum=1440 + 720 + 1440 + 2160,
        spread_tables=4,
        spread_max=2160,
        seat_imbalance=90,
        third_same_seats=3,
        odd_range=1,
        byes=1,
        max_byes=1,
        preferred=2,
    )
    assert (found.density, found.repeat_percent, found.mean_spread) == (Fraction(1), Fraction(20), Fraction(1))
    assert set(found.as_integers()) == set(Quality.__dataclass_fields__) - {"same_author"}, "no author is known"


def test_T7_rating_rounds_do_not_count_as_repeats() -> None:
    rounds = [PlayedRound((single("a", "b", places=(1, 2)),))] * 3
    assert quality(rounds, preferred=2, points_rounds=1).repeats == 0
    assert quality(rounds, preferred=2).repeats == 2


GOOD = Quality(100, 8, 8, 1200, 0, 1, 0, 200, 0, 0, 0, 0, 0, 0, 4)


@pytest.mark.parametrize(
    ("found", "letters"),
    [
        (GOOD, []),
        (replace(GOOD, repeats=1), ["R"]),
        (replace(GOOD, max_meetings=2), ["M"]),
        (replace(GOOD, spread_sum=200 * 576), []),
        (replace(GOOD, spread_sum=200 * 577), ["S"]),
        (replace(GOOD, bots=1000, spread_sum=200 * 73), ["S"]),
        (replace(GOOD, bots=10_000, spread_sum=200 * 15), ["S"]),
        (replace(GOOD, spread_max=4320), []),
        (replace(GOOD, spread_max=4321), ["S_max"]),
        (replace(GOOD, seat_imbalance=90), []),
        (replace(GOOD, seat_imbalance=91), ["D"]),
        (replace(GOOD, preferred=2, third_same_seats=9), ["D"]),
        (replace(GOOD, odd_range=2), ["O"]),
        (replace(GOOD, bots=99, odd_range=2), []),
        (replace(GOOD, byes=8, max_byes=2), ["B"]),
        (replace(GOOD, bots=24, rounds=7, points_rounds=7, pairs=252, repeats=27, max_meetings=2), []),
        (replace(GOOD, bots=24, rounds=7, points_rounds=7, pairs=252, repeats=28, max_meetings=3), ["R", "M"]),
    ],
)
def test_T7_every_target_missed_is_named(found: Quality, letters: list[str]) -> None:
    assert [missed.split(":")[0] for missed in missed_targets(found)] == letters


def test_T7_how_many_repeats_are_allowed() -> None:
    densities = [Fraction(3, 10), Fraction(55, 100), Fraction(3, 4), Fraction(9, 10), Fraction(2)]
    assert [max_repeat_percent(density) for density in densities] == [0, 1, 3, 11, 61]


def test_T7_with_24_bots_at_tables_of_four_for_seven_rounds() -> None:
    tournament = Tournament(names(24), FOUR)
    tournament.play(7)
    found = measured(tournament)
    assert missed_targets(found) == ()
    assert found.max_meetings <= 2
    assert found.repeat_percent <= 8
    assert found.seat_imbalance == 0
    assert all(len(table.bots) == 4 for played in tournament.rounds for table in played.tables)


@pytest.mark.parametrize(
    ("bots", "sizes", "house", "is_block"),
    [
        (101, FOUR, ("one", "two", "three"), True),
        (102, THREE_TO_FIVE, (), False),
        (150, TableSizes(5, 5, 5), (), True),
        (133, TableSizes(3, 3, 3), (), False),
    ],
)
def test_T7_targets_for_larger_fields(bots: int, sizes: TableSizes, house: tuple[str, ...], is_block: bool) -> None:
    tournament = Tournament(names(bots), sizes, house_bots=house, is_block=is_block)
    tournament.play(4)
    assert missed_targets(measured(tournament)) == ()


def test_T7_a_thousand_bots() -> None:
    tournament = Tournament(names(1000), FOUR)
    tournament.play(8)
    found = measured(tournament)
    assert missed_targets(found) == ()
    assert (found.repeats, found.max_meetings) == (0, 1)


def test_T7_late_entries_and_withdrawals_keep_the_targets() -> None:
    tournament = Tournament(names(330), FOUR, house_bots=("one", "two", "three"))
    tournament.play(2)
    for number in range(7):
        tournament.enter(f"late{number}")
    tournament.absent |= {"bot3", "bot14", "bot15", "bot92"}
    tournament.play(4)
    assert missed_targets(measured(tournament)) == ()
    assert {sum(map(bool, entrant.mates)) for entrant in tournament.entrants.values()} == {2, 4, 6}
