"""Policies in process: a view is made when it is read, of the state that the question is about."""

from __future__ import annotations

import random
from typing import Any

import pytest
from arena_toy.game import Toy

from referee.games import GAMES
from referee.policy import PolicyError, Question, at_random, greedily, play_match
from referee.rng import seeded
from tests.contract.case import OURS


class CountingToy(Toy):
    """The toy game, which counts the views that it makes."""

    views = 0

    def observe(self, state: Any, seat: int | None) -> Any:
        """Return the view, and count it."""
        self.views += 1
        return super().observe(state, seat)


def test_a_policy_that_ignores_its_view_does_not_pay_for_it() -> None:
    game = CountingToy()
    played = play_match(game, [at_random, greedily], 1, game.options({}), "m")
    assert 0 < game.views < played.asked
    game.views = 0
    play_match(game, [at_random, at_random], 1, game.options({}), "m")
    assert game.views == 0


@pytest.mark.parametrize("slug", OURS)
def test_a_view_is_that_of_its_moment_and_can_be_kept(slug: str) -> None:
    """Seats that are asked together, and forced moves in between, make no difference."""
    game = GAMES[slug]
    kept: list[tuple[Any, Any]] = []

    def keeping(question: Question) -> int:
        kept.append((question.view, question.view))
        assert game.observe(game.imagine(question.view, question.seat, seeded(1)), question.seat) == question.view
        return at_random(question)

    seats = game.table_sizes[0]
    play_match(game, [keeping] * seats, 3, game.options({}), "m")
    assert all(first is again for first, again in kept)
    assert len({repr(first) for first, _ in kept}) > len(kept) / 2


def test_a_view_read_too_late_is_refused_with_one_clear_line() -> None:
    earlier: list[Question] = []

    def late(question: Question) -> int:
        earlier.append(question)
        if len(earlier) > 1:
            assert earlier[0].view is not None
        return 0

    game = GAMES["toy"]
    with pytest.raises(PolicyError, match=r"ViewGoneError: the match has gone on; read question\.view before"):
        play_match(game, [late, at_random], 1, game.options({}), "m")


def test_options_and_worlds_of_a_game_with_codes_are_those_of_the_moment() -> None:
    """They are made when a policy asks for them, as many as it was told, and not after the match has gone on."""
    game = GAMES["norenberc"]
    earlier: list[Question] = []

    def looking(question: Question) -> int:
        world = question.imagine(seeded(5))
        assert game.digest(world) == game.digest(game.imagine(question.view, question.seat, seeded(5)))
        assert list(question.options) == list(game.legal_actions(world, question.seat))
        assert len(question.options) == question.option_count > 1
        return at_random(question)

    def late(question: Question) -> int:
        earlier.append(question)
        if len(earlier) > 1:
            assert earlier[0].options
        return 0

    assert play_match(game, [looking] * 3, 2, game.options({}), "m").asked > 20
    with pytest.raises(PolicyError, match=r"ViewGoneError: the match has gone on; read question\.options before"):
        play_match(game, [late, at_random], 1, game.options({}), "m")


def test_the_random_policy_draws_as_randrange_does() -> None:
    game = GAMES["toy"]
    dice = random.Random("drawn/1")
    for prompt_id, count in enumerate([2, 3, 1, 7, 8, 9, 1000, 5], start=1):
        question = Question(game, "drawn", prompt_id, 1, 2, "", None, range(count))
        assert at_random(question) == dice.randrange(count)


@pytest.mark.parametrize("slug", OURS)
def test_the_greedy_policy_chooses_alike_whether_it_is_given_codes_or_a_view_and_options(slug: str) -> None:
    """As over the wire, where there are neither codes nor a state: only then do both play the same matches."""
    game = GAMES[slug]

    def both(question: Question) -> int:
        found = greedily(question)
        asked = (question.match_id, question.prompt_id, question.seat, question.seats, question.kind)
        assert found == greedily(Question(game, *asked, question.view, question.options))
        return found

    assert play_match(game, [both] * game.table_sizes[-1], 6, game.options({}), "m").asked > 10
