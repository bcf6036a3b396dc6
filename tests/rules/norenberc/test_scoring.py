"""B9 Scoring and ranking."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.norenberc.components import BLAZON_VP
from referee.games.norenberc.scoring import scores
from referee.games.norenberc.state import State
from tests.rules.norenberc.builders import (
    APPRENTICE,
    ENGRAVER,
    FOREMAN_2,
    FOREMAN_4,
    NOBLEMAN_2,
    NOBLEMAN_3,
    TAX_COLLECTOR,
    artisan,
    give_tile,
    new_state,
    opened,
    own,
)

Hand = tuple[int, ...]


@dataclass(frozen=True)
class Holding:
    """What one seat brings to the scoring: per guild the values of its artisans, and all the rest."""

    artisans: tuple[Hand, ...]
    citizens: Hand = ()
    talers: int = 0
    blazon_types: int = 0
    prestige: int = 0


def holding(*artisans: Hand, citizens: Hand = (), talers: int = 0, blazon_types: int = 0, prestige: int = 0) -> Holding:
    return Holding(artisans, citizens, talers, blazon_types, prestige)


def table(*holdings: Holding) -> State:
    """A table of players who hold this and nothing else; a lone player sits with somebody who has nothing."""
    seated = holdings if len(holdings) > 1 else (*holdings, holding())
    state = new_state(len(seated))
    for seat, each in enumerate(seated):
        for guild, values in enumerate(each.artisans, 1):
            for value in values:
                own(state, seat, artisan(guild, value))
        for tile in each.citizens:
            own(state, seat, tile)
        opened(state).talers[seat] = each.talers
        opened(state).prestige[seat] = each.prestige
        for house in range(each.blazon_types):
            opened(state).blazons[seat * state.houses + house] = 1
    return state


def points(*hands: Hand) -> list[int]:
    """What a single guild gives to players with these artisans."""
    return [line.majority for line in scores(table(*[holding(hand) for hand in hands]))]


def tie_groups(hands: list[Hand]) -> list[int]:
    """B9.3: how many players share each place, by total value and then by number."""
    keys = [(sum(hand), len(hand)) for hand in hands if hand]
    return [keys.count(key) for key in sorted(set(keys), reverse=True)]


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        pytest.param([(5,), (4,), (3,)], [5, 3, 1], id="three ranked"),
        pytest.param([(5,), (3, 2), (2,)], [3, 5, 1], id="equal totals: more artisans are better"),
        pytest.param([(7,), (6,), (5,), (4,)], [5, 3, 1, 0], id="fourth gets nothing"),
        pytest.param([(7,), (5,), (5,), (4,)], [5, 2, 2, 0], id="tied second"),
        pytest.param([(7,), (6,), (5,), (5,)], [5, 3, 0, 0], id="tied third"),
    ],
)
def test_B9_4_points_by_place(hands: list[Hand], expected: list[int]) -> None:
    """B9.3: by total value, then by number of artisans."""
    assert points(*hands) == expected


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        pytest.param([(5,), (), ()], [9, 0, 0], id="alone"),
        pytest.param([(5,), (4,), ()], [6, 3, 0], id="no third"),
        pytest.param([(7,), (5,), (5,)], [5, 2, 2], id="a tie is no missing place"),
        pytest.param([(5,), (5,)], [4, 4], id="tied firsts get nothing more"),
        pytest.param([(), ()], [0, 0], id="nobody"),
    ],
)
def test_B9_5_a_sole_first_gets_the_points_of_missing_places(hands: list[Hand], expected: list[int]) -> None:
    assert points(*hands) == expected


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        pytest.param([(5,), (5,), (3,)], [4, 4, 1], id="the next is third"),
        pytest.param([(5,), (5,), (3,), (3,)], [4, 4, 0, 0], id="tied thirds"),
        pytest.param([(5,), (5,), (5,), (4,)], [4, 4, 4, 0], id="places used up"),
    ],
)
def test_B9_6_tied_firsts_use_up_places(hands: list[Hand], expected: list[int]) -> None:
    assert points(*hands) == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(2, 7), max_size=4), min_size=2, max_size=5))
def test_B13_12_points_handed_out_per_guild(hands: list[list[int]]) -> None:
    """The sum depends only on the shape of the ties."""
    groups = tie_groups([tuple(hand) for hand in hands])
    total = sum(points(*[tuple(hand) for hand in hands]))
    match groups:
        case []:
            assert total == 0
        case [1] | [1, 1] | [1, 1, 1, *_]:
            assert total == 9
        case [1, 1, _, *_]:
            assert total == 8
        case [1, second, *_]:
            assert total == 5 + 2 * second
        case [2, 1, *_]:
            assert total == 9
        case [2, *_]:
            assert total == 8
        case [first, *_]:
            assert total == 4 * first


def majorities(*holdings: Holding) -> list[int]:
    return [line.majority for line in scores(table(*holdings))]


def test_B6_14_an_apprentice_adds_to_places_that_score() -> None:
    """B9.9: a tied second counts, a tied third and a first do not; B6.15: two Apprentices add two."""
    one, two = (APPRENTICE,), (APPRENTICE, APPRENTICE)
    first, second, third = holding((7,), citizens=one), holding((6,), citizens=one), holding((5,), citizens=two)
    assert majorities(first, second, third) == [5, 4, 3]
    tied = [holding((7,)), holding((5,), citizens=one), holding((5,))]
    assert majorities(*tied) == [5, 3, 2]
    tied_third = [holding((7,)), holding((6,)), holding((5,), citizens=one), holding((5,))]
    assert majorities(*tied_third) == [5, 3, 0, 0]


def citizens_of(own: Holding) -> int:
    return scores(table(own))[0].citizens


def blazons_of(own: Holding) -> int:
    return scores(table(own))[0].blazons


def test_B9_2_citizens_score() -> None:
    """B6.10 Noblemen, B6.11 Tax collectors by full tens, B6.13 Foremen over all guilds."""
    assert citizens_of(holding((), citizens=(NOBLEMAN_2, NOBLEMAN_3))) == 5
    assert citizens_of(holding((), citizens=(TAX_COLLECTOR, TAX_COLLECTOR), talers=39)) == 6
    assert citizens_of(holding((4, 4, 2), (4,), citizens=(FOREMAN_4, FOREMAN_2))) == 4


@pytest.mark.parametrize(("different", "expected"), list(enumerate([0, 0, 0, 2, 5, 9, 14, 20, 20, 20])))
def test_B9_8_different_blazons(different: int, expected: int) -> None:
    assert BLAZON_VP[0] == 0
    assert blazons_of(holding((), prestige=different)) == expected


def test_B6_12_an_engraver_counts_as_a_prestige_blazon() -> None:
    """B11.6: it is a citizen and no artisan."""
    assert blazons_of(holding((), blazon_types=3, prestige=1, citizens=(ENGRAVER, ENGRAVER))) == 14


def test_B9_8_blazons_of_one_guild_count_once() -> None:
    state = new_state(2)
    opened(state).blazons = [4, 0, 0, 1, 1, 1]
    assert [line.blazons for line in scores(state)] == [0, 2]


def test_B9_7_value_thirty_all_types_and_richest() -> None:
    state = new_state(2)
    for value in (7, 6, 6, 5, 5):
        give_tile(state, 0, artisan(1, value))  # 29
    for guild in (1, 2, 3):
        give_tile(state, 1, artisan(guild, 4))
    opened(state).talers = [10, 11]
    first, second = scores(state)
    assert (first.value_thirty, first.all_types, first.richest) == (0, 0, 0)
    assert (second.value_thirty, second.all_types, second.richest) == (0, 5, 5)
    own(state, 0, artisan(1, 2))  # 31
    assert scores(state)[0].value_thirty == 2


def test_B9_7_shared_riches() -> None:
    rich, poor = holding((), talers=20), holding((), talers=19)
    assert [line.richest for line in scores(table(rich, poor, rich))] == [2, 0, 2]
    assert [line.richest for line in scores(table(poor, rich))] == [0, 5]


def test_B9_1_goods_left_over_are_worth_nothing() -> None:
    state = new_state(2)
    before = [line.total for line in scores(state)]
    opened(state).loose[0] += 5
    assert [line.total for line in scores(state)] == before


def ranks(*holdings: Holding) -> list[tuple[int, int]]:
    return [(line.total, line.rank) for line in scores(table(*holdings))]


def test_B9_10_ties_are_broken_by_tiles_then_by_the_best_artisan() -> None:
    """Equal in all three: a shared rank, and the next one is skipped."""
    noble = (NOBLEMAN_2,)
    one, two = holding((5,), talers=1), holding((), (3, 2), talers=1)  # a guild each: nine points and two for talers
    assert ranks(one, two) == [(11, 2), (11, 1)]
    assert ranks(holding((5,), talers=1), holding((), (6,), talers=1)) == [(11, 2), (11, 1)]
    alike = [holding((5,), talers=1), holding((), (5,), talers=1), holding((), (), (5,), talers=1)]
    ahead = holding((), (), (), (5,), talers=1, citizens=noble)
    assert ranks(ahead, *alike[:2], holding(talers=1)) == [(13, 1), (11, 2), (11, 2), (2, 4)]
    assert ranks(holding(), holding()) == [(2, 1), (2, 1)]
