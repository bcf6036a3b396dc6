"""A climb: the rating of a full tournament, in a fifth of its games."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import exp, log

import numpy as np
import pytest

from arena.ladder.climbing import NAT, Climb, climb_to_the_end, log_likelihood
from ratings.fit.fit import fit
from ratings.points.result import Result
from referee.mistakes import UserError

TEN = tuple(100.0 * level for level in range(10))
FULL = 1_200
"""The games of a full tournament of eleven bots: about what ten rungs need until every neighbour is decided."""


def places_of(ratings: Sequence[float], dice: random.Random) -> list[int]:
    """Draw the places of a match by the model of Plackett and Luce: the largest of these scores is first."""
    scores = [rating * NAT - log(-log(dice.random())) for rating in ratings]
    return [1 + sum(other > score for other in scores) for score in scores]


def table_of(bot: float, rungs: Sequence[float], dice: random.Random) -> Callable[[Sequence[int]], list[list[int]]]:
    """Return a table at which a block is played: a game for every seat."""
    return lambda levels: [
        places_of([bot, *(rungs[level - 1] for level in levels)], dice) for _ in range(len(levels) + 1)
    ]


def full_tournament(bot: float, rungs: Sequence[float], seats: int, games: int, dice: random.Random) -> float:
    """Return the rating of record of a bot, on the scale of the rungs, after a tournament of neighbours."""
    everybody = {"bot": bot} | {f"rung-{level}": rating for level, rating in enumerate(rungs, start=1)}
    results = []
    for number in range(games // seats):
        order = sorted(everybody, key=lambda name: everybody[name] + dice.gauss(0, 150))
        first = dice.randrange(len(order) - seats + 1)
        chosen = order[first : first + seats]
        for _ in range(seats):
            places = places_of([everybody[name] for name in chosen], dice)
            results.append(Result(tuple(chosen), tuple(places), ("t", number, 1)))
    fitted = fit(results)
    shift = sum(fitted.rating(f"rung-{level}") - rating for level, rating in enumerate(rungs, start=1)) / len(rungs)
    return fitted.rating("bot") - shift


@pytest.mark.parametrize("seats", [3, 4])
def test_a_climb_agrees_with_a_full_tournament_in_a_fifth_of_its_games(seats: int) -> None:
    """Of forty bots, from below random play to above the champion, at most two are more than 60 Elo off."""
    dice = random.Random(f"climb {seats}")
    apart = []
    for number in range(40):
        truth = -100 + 1100 * number / 39
        climb = climb_to_the_end(Climb(TEN, seats, max_games=FULL // 5), table_of(truth, TEN, dice))
        assert climb.games <= FULL / 5
        apart.append(abs(climb.rating - full_tournament(truth, TEN, seats, FULL, dice)))
    assert sum(each > 60 for each in apart) <= 2, sorted(apart)


def test_the_games_do_not_grow_with_the_rungs() -> None:
    """Three times the rungs on the same stretch take no more games than ten, give or take a block or two."""

    def games(rungs: Sequence[float]) -> float:
        dice = random.Random(5)
        truths = [-50 + 50 * number for number in range(20)]
        return sum(climb_to_the_end(Climb(rungs, 4), table_of(truth, rungs, dice)).games for truth in truths) / 20

    assert games([900 * level / 29 for level in range(30)]) <= games(TEN) + 8


def test_the_interval_holds_the_truth() -> None:
    """In 95 % of climbs: of 200, at least 181, three standard errors below."""
    dice = random.Random(3)
    held = 0
    for _ in range(200):
        truth = dice.uniform(0, 900)
        climb = climb_to_the_end(Climb(TEN, 4, precision=80), table_of(truth, TEN, dice))
        held += abs(climb.rating - truth) <= climb.error
    assert held >= 181


def test_tables_are_far_apart_at_first_and_close_at_the_end() -> None:
    climb = Climb(TEN, 4)
    first = climb.next_levels()
    assert first[-1] - first[0] >= 4
    climb_to_the_end(climb, table_of(420, TEN, random.Random(1)))
    assert set(climb.next_levels()) == {4, 5, 6}
    assert climb.level == 5


@pytest.mark.parametrize(("truth", "level"), [(-500, 0), (1_400, 10)])
def test_bots_beyond_the_ladder_are_placed_below_and_above_it(truth: float, level: int) -> None:
    climb = climb_to_the_end(Climb(TEN, 4, max_games=100), table_of(truth, TEN, random.Random(2)))
    assert climb.level == level
    assert climb.games <= 100


def test_one_block_is_played_and_the_most_games_are_kept() -> None:
    climb = climb_to_the_end(Climb(TEN, 4, precision=10, max_games=10), table_of(300, TEN, random.Random(2)))
    assert climb.games == 8
    with pytest.raises(UserError, match="2 rungs do not fill a table of 4"):
        Climb((0.0, 100.0), 4)


@pytest.mark.parametrize("places", [(1, 2, 3), (3, 1, 2), (1, 1, 3), (1, 2, 2), (2, 1, 2), (1, 1, 1)])
def test_the_likelihood_is_that_of_the_rating_of_record(places: tuple[int, ...]) -> None:
    """T8.1, spelled out for three seats; ties share the order in which they could have come."""
    strengths = [0.3, -0.2, 0.9]
    groups = [[seat for seat in range(3) if places[seat] == place] for place in sorted(set(places))]
    expected, behind = 0.0, [0, 1, 2]
    for group in groups:
        behind = [seat for seat in behind if seat not in group]
        rest = sum(exp(strengths[seat]) for seat in behind)
        expected += sum(strengths[seat] for seat in group)
        sets = {1: [[seat] for seat in group], len(group): [group]}
        if len(group) == 3:
            sets[2] = [[0, 1], [0, 2], [1, 2]]
        for chosen in sets.values():
            expected -= sum(log(sum(exp(strengths[seat]) for seat in each) + rest) for each in chosen) / len(chosen)
    found = log_likelihood([np.array([strength]) for strength in strengths], places)
    assert found[0] == pytest.approx(expected)
