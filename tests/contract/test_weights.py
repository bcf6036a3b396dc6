"""The heuristics of our games count with named weights: by default as ever, and with others as told."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest
from arena_toy.game import GAME as TOY

from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.heuristic import Heuristic, read_weights, with_weights
from referee.policy import Policy, Question, play_match
from referee.rng import Rng, seeded

PLAYED_OUT_ALIKE = ("furstenfeld", "norenberc")


def heuristic_of(slug: str) -> Heuristic:
    heuristic = GAMES[slug].heuristic()
    assert heuristic is not None
    return heuristic


def drawn(heuristic: Heuristic, seed: int) -> dict[str, float]:
    """Return weights near their defaults."""
    dice = seeded(seed)
    return {
        name: min(weight.most, max(weight.least, weight.default * (500 + dice.index(1001)) / 1000))
        for name, weight in heuristic.weights.items()
    }


def policy_of(heuristic: Heuristic) -> Policy:
    def choose(question: Question) -> int:
        ratings = heuristic.rate(question.imagine(Rng(0)), question.seat, question.options)
        return ratings.index(max(ratings))

    return choose


def ratings_of(game: AnyGame, heuristic: Heuristic, seed: int) -> list[Any]:
    """Return all ratings, and what every position is worth, in a match at random."""
    state, dice, found = game.new(game.preferred_seats, seed, game.options({})), seeded(seed), []
    while pending := game.pending(state):
        choices = {}
        for decision in pending:
            options = game.legal_actions(state, decision.seat)
            found.append(heuristic.rate(state, decision.seat, options))
            choices[decision.seat] = options[dice.index(len(options))]
        found.append(heuristic.worths(state))
        game.apply(state, choices)
    return found


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_heuristic_with_its_own_defaults_rates_as_before(slug: str) -> None:
    heuristic = heuristic_of(slug)
    again = with_weights(heuristic, {name: weight.default for name, weight in heuristic.weights.items()})
    assert ratings_of(GAMES[slug], again, 1) == ratings_of(GAMES[slug], heuristic, 1)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_weight_has_a_field_of_its_own_and_a_range_around_its_default(slug: str) -> None:
    heuristic = heuristic_of(slug)
    for name, (default, least, most) in heuristic.weights.items():
        assert 0 < least < default < most, name
        assert getattr(heuristic.own_weights, name) == default
        assert getattr(with_weights(heuristic, {name: most}).own_weights, name) == most


@pytest.mark.parametrize("slug", BUILT_IN)
def test_heuristics_with_other_weights_do_not_disturb_each_other(slug: str) -> None:
    heuristic, game = heuristic_of(slug), GAMES[slug]
    before = ratings_of(game, heuristic, 3)
    other = with_weights(heuristic, drawn(heuristic, 4))
    assert ratings_of(game, other, 3) != before
    assert ratings_of(game, heuristic, 3) == before


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_greedy_playout_is_a_match_of_greedy_bots_where_the_game_says_so(slug: str) -> None:
    """Every seat with weights of its own: a playout sees all, and yet makes the choices of bots that do not."""
    heuristic, game = heuristic_of(slug), GAMES[slug]
    assert heuristic.plays_out_alike == (slug in PLAYED_OUT_ALIKE)
    if not heuristic.plays_out_alike:
        return
    for seed, seats in enumerate([*game.table_sizes] * 2):
        heuristics = [with_weights(heuristic, drawn(heuristic, 100 * seed + seat)) for seat in range(seats)]
        options = game.options({})
        match = play_match(game, [policy_of(each) for each in heuristics], seed, options, "match")
        state = game.new(seats, seed, options)
        game.playout_by_heuristics(state, [Rng(0)] * seats, heuristics)
        assert game.digest(state) == match.digest


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"talr": 1.0}, "talr is not one of the weights: thief, "),
        ({"taler": 99.0}, r"taler is 99.0; expected a number from 0.03 to 0.8"),
        ({"taler": nan}, "taler is nan; expected a number"),
        ({"taler": -inf}, "taler is -inf; expected a number"),
        ({"taler": True}, "taler is True; expected a number"),
        ({"taler": "1"}, "taler is '1'; expected a number"),
    ],
)
def test_wrong_weights_are_refused_by_name(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        with_weights(heuristic_of("norenberc"), values)


def test_a_heuristic_without_named_weights_says_so() -> None:
    with pytest.raises(ValueError, match="names no weights"):
        with_weights(Heuristic(lambda _state, _seat, options: [0.0] * len(options), lambda _state: []), {})


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"seats": 3}', '{"seats": {"two": {"weights": {}}}}', '{"seats": {"2": 1}}']
)
def test_a_file_that_holds_no_weights_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a file of weights"):
        read_weights(text)


def test_tuned_weights_are_those_of_the_table_size_and_otherwise_the_heuristic_stays() -> None:
    assert TOY.tuned_heuristic(2) == TOY.heuristic()
    for slug in BUILT_IN:
        for seats in GAMES[slug].table_sizes:
            heuristic = GAMES[slug].tuned_heuristic(seats)
            assert heuristic is not None
            assert [*heuristic.weights] == [*heuristic_of(slug).weights]


def test_a_file_of_weights_is_read_by_table_size() -> None:
    text = json.dumps({"game": "norenberc", "seats": {"2": {"weights": {"taler": 0.2}}}, "command": "arena tune"})
    assert read_weights(text) == {2: {"taler": 0.2}}
