"""T1 and T2: places become points."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.points.points import (
    BYE_POINTS,
    UNIT,
    block_points,
    check_places,
    competition_places,
    game_points,
    seat_of,
)

places_of_tables = st.lists(st.integers(0, 4), min_size=2, max_size=5).map(competition_places)


def test_T1_equal_keys_share_a_place_and_the_next_stay_empty() -> None:
    assert competition_places([30, 10, 20, 20]) == (4, 1, 2, 2)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 1), (720, 720)),
        ((1, 1, 1, 1, 1), (720,) * 5),
        ((1, 2, 2, 4), (1440, 720, 720, 0)),
        ((1, 1, 3), (1080, 1080, 0)),
        ((2, 1), (0, 1440)),
        ((1, 2, 3, 4, 5), (1440, 1080, 720, 360, 0)),
    ],
)
def test_T1_points_are_the_share_beaten_with_ties_as_half(places: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert game_points(places) == points


@given(places_of_tables)
def test_T1_points_are_exact_and_their_mean_is_half(places: tuple[int, ...]) -> None:
    points = game_points(places)
    assert sum(points) * 2 == UNIT * len(places)
    for own, place in enumerate(places):
        beaten = sum(place < other for other in places)
        tied = places.count(place) - 1
        assert Fraction(points[own], UNIT) == (beaten + Fraction(tied, 2)) / (len(places) - 1)


@pytest.mark.parametrize("places", [(1,), (1, 3), (1, 2, 3, 3, 4), (2, 2), (1, 2, 3, 4, 5, 6), (0, 1), (1, 2, 2, 3)])
def test_T1_what_is_no_competition_ranking_is_refused(places: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"T1"):
        check_places(places)


@given(st.data())
def test_T2_block_points_are_whole_units_for_every_number_of_games(data: st.DataObject) -> None:
    """A void game leaves a block of fewer games: the mean stays exact."""
    seats = data.draw(st.integers(2, 5))
    place = st.lists(st.integers(0, 4), min_size=seats, max_size=seats).map(competition_places)
    games = data.draw(st.lists(place, min_size=1, max_size=seats))
    exact = [Fraction(sum(game_points(game)[bot] for game in games), len(games)) for bot in range(seats)]
    assert list(block_points(games, seats)) == exact


def test_T2_a_block_without_a_game_is_worth_a_bye() -> None:
    assert block_points([], 3) == (BYE_POINTS,) * 3


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_T2_in_a_block_every_bot_has_every_seat_once(seats: int) -> None:
    for base in range(seats):
        assert sorted(seat_of(base, game, seats) for game in range(seats)) == list(range(seats))
