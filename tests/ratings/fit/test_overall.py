"""T8.13: the order over several games."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from ratings.fit.overall import Ballot, overall_order, strongest_paths


def ballot(los: Mapping[str, float], bots: str = "ABC") -> Ballot:
    """A game's vote: the likelihood that the first of two is stronger, both ways; others do not compare."""
    matrix = np.full((len(bots), len(bots)), np.nan)
    np.fill_diagonal(matrix, 0.5)
    for pair, value in los.items():
        one, other = map(bots.index, tuple(pair))
        matrix[one, other], matrix[other, one] = value, 1 - value
    return Ballot(tuple(bots), matrix)


CIRCLE = (
    ballot({"AB": 0.9, "AC": 0.95, "BC": 0.8}),
    ballot({"AB": 0.8, "AC": 0.1, "BC": 0.9}),
    ballot({"AB": 0.3, "AC": 0.2, "BC": 0.6}),
)


def test_E9_the_weakest_margin_of_a_circle_yields() -> None:
    found = overall_order(CIRCLE)
    assert [(place.bot, place.ahead_of) for place in found] == [("A", 2), ("B", 1), ("C", 0)]
    assert [100 * place.votes for place in found] == pytest.approx([54.2, 55.0, 40.8], abs=0.05)
    paths = strongest_paths(np.array([[0, 1.0, -0.5], [-1.0, 0, 1.6], [0.5, -1.6, 0]]))
    assert paths == pytest.approx(np.array([[0, 1.0, 1.0], [0.5, 0, 1.6], [0.5, 0.5, 0]]))


def test_T8_13_the_order_does_not_depend_on_the_order_of_games_or_bots() -> None:
    turned = [Ballot(each.bots[::-1], each.los[::-1, ::-1]) for each in CIRCLE[::-1]]
    assert [place.bot for place in overall_order(turned)] == ["A", "B", "C"]
    assert [place.votes for place in overall_order(turned)] == pytest.approx([p.votes for p in overall_order(CIRCLE)])


def test_T8_13_an_exact_copy_of_a_bot_changes_nothing_among_the_others() -> None:
    """Means of votes would: with two more copies of C, B's share is above A's by more, and with two of B below."""
    copies = []
    for each in CIRCLE:
        rows = [0, 1, 2, 2, 2]
        copies.append(Ballot(("A", "B", "C", "C2", "C3"), each.los[np.ix_(rows, rows)]))
    found = overall_order(copies)
    assert [place.bot for place in found] == ["A", "B", "C", "C2", "C3"]
    assert [place.ahead_of for place in found] == [4, 3, 0, 0, 0]


def test_T8_13_who_beats_everybody_by_votes_is_first_whatever_the_distances() -> None:
    """One game is certain that B is better than A, two are fairly sure of the opposite."""
    games = [ballot({"AB": 0.2}, "AB"), ballot({"AB": 0.8}, "AB"), ballot({"AB": 0.8}, "AB")]
    assert [place.bot for place in overall_order(games)] == ["A", "B"]
    equal = overall_order([ballot({"AB": 0.2}, "AB"), ballot({"AB": 0.8}, "AB")])
    assert [(place.bot, place.ahead_of, place.votes) for place in equal] == [("A", 0, 0.5), ("B", 0, 0.5)]


def test_T8_13_a_bot_takes_part_that_is_in_more_than_half_of_the_games() -> None:
    games = [ballot({"AB": 0.9}, "AB"), ballot({"AB": 0.7, "AC": 0.4, "BC": 0.4})]
    assert [place.bot for place in overall_order(games)] == ["A", "B"]
    assert [place.bot for place in overall_order([*games, ballot({"AB": 0.6, "BC": 0.6})])] == ["C", "A", "B"]
    assert overall_order([]) == []
    assert overall_order([ballot({}, "AB")]) == [], "nobody compares"
