"""The greedy bot: better than chance in every game, quick, and never at a loss."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest

from referee.games import BUILT_IN, GAMES
from referee.rng import seeded
from sample_bots.greedy.choosing import choose
from tests.bots.tables import at_random, play_match

BOTS = Path(__file__).parents[2] / "sample_bots"
MATCHES = 8
OWN_PAGES = ("carcassonne_city",)  # where search weighs positions otherwise
VARIANTS = {"furstenfeld": [{"variant": "advanced"}], "nuremberg": [{"setup": "advanced"}]}


@pytest.mark.parametrize("slug", BUILT_IN)
def test_greedy_comes_before_random_bots_in_four_of_five_comparisons(slug: str) -> None:
    game = GAMES[slug]
    seats = game.preferred_seats
    before = compared = 0
    for seed in range(MATCHES):
        policies = [at_random(seeded(1000 * seed + seat)) for seat in range(seats)]
        own = seed % seats
        policies[own] = partial(choose, game)
        ranks = play_match(game, policies, seed).ranks
        before += sum(ranks[own] < rank for seat, rank in enumerate(ranks) if seat != own)
        compared += seats - 1
    assert before >= 0.8 * compared, f"{before} of {compared}"


@pytest.mark.parametrize("slug", BUILT_IN)
def test_greedy_has_an_answer_at_every_table_size_and_in_every_variant(slug: str) -> None:
    game = GAMES[slug]
    for seats in game.table_sizes:
        for options in [{}, *VARIANTS.get(slug, [])]:
            play_match(game, [partial(choose, game)] * seats, seed=seats, options=options)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_greedy_answers_the_same_view_the_same_way_within_milliseconds(slug: str) -> None:
    game = GAMES[slug]
    spent: list[float] = []

    def twice(view: object, options: list[object], seat: int) -> int:
        start = time.process_time()
        index = choose(game, view, options, seat)
        spent.append(time.process_time() - start)
        assert choose(game, view, options, seat) == index
        return index

    play_match(game, [twice] * game.preferred_seats, seed=5)  # type: ignore[list-item]
    assert sorted(spent)[len(spent) // 2] < 0.02


def test_a_game_without_a_page_is_played_by_its_first_option() -> None:
    toy = GAMES["toy"]
    state = toy.new(2, 1, toy.options({}))
    seat = toy.pending(state)[0].seat
    assert choose(toy, toy.observe(state, seat), toy.legal_actions(state, seat), seat) == 0


@pytest.mark.parametrize("file", ["client.py", *(f"{slug}.py" for slug in BUILT_IN if slug not in OWN_PAGES)])
def test_search_carries_the_pages_of_greedy(file: str) -> None:
    """A bot directory is whole: its sandbox shows nothing else, and its version is the hash of its files."""
    assert (BOTS / "search" / file).read_bytes() == (BOTS / "greedy" / file).read_bytes(), (
        f"copy greedy/{file} to search/"
    )
