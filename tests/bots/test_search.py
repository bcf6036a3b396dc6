"""The search bot: one search for every game, deterministic within a budget of nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.playout import random_chooser, step
from referee.rng import seeded
from sample_bots.search.search import Search, page_of
from tests.bots.tables import Policy, at_random, play_match

SEARCH = Path(__file__).parents[2] / "sample_bots" / "search"
SHOW_VISITS = """
import sys
from referee.games import GAMES
from tests.bots.test_search import search_at
for slug in sys.argv[1:]:
    search = search_at(GAMES[slug], 25)
    search.run(8)
    print(slug, search.best(), [(child.visits, child.total.hex()) for child in search.root.children.values()])
"""


def search_at(game: AnyGame, steps: int) -> Search:
    """Return a search for the first choice after so many random steps of a match."""
    state = game.new(game.preferred_seats, 3, game.options({}))
    random = random_chooser(seeded(3))
    while steps > 0 or len(game.legal_actions(state, game.pending(state)[0].seat)) < 2:
        step(game, state, random)
        steps -= 1
    seat = game.pending(state)[0].seat
    return Search(game, game.observe(state, seat), seat, game.legal_actions(state, seat), seeded(9))


def searcher(game: AnyGame, nodes: int) -> Policy:
    """Return the policy of the search bot."""

    def policy(view: Any, options: Any, seat: int) -> int:
        search = Search(game, view, seat, options, seeded(seat))
        search.run(nodes)
        return search.best()

    return policy


def test_the_same_seed_and_budget_give_the_same_tree_in_every_process() -> None:
    seen = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SHOW_VISITS, *BUILT_IN],
            cwd=SEARCH.parents[1],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.count("\n") == len(BUILT_IN)
        seen.add(done.stdout)
    assert len(seen) == 1


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_node_is_one_visit_of_a_move_at_the_root(slug: str) -> None:
    search = search_at(GAMES[slug], 25)
    search.run(9)
    visits = [child.visits for child in search.root.children.values()]
    assert sum(visits) == search.root.visits == 9
    assert search.root.children[search.options[search.best()]].visits == max(visits)
    assert all(0 <= child.total <= child.visits for child in search.root.children.values())


@pytest.mark.parametrize("slug", BUILT_IN)
def test_without_time_the_search_plays_greedily(slug: str) -> None:
    search = search_at(GAMES[slug], 25)
    search.run(5, lambda: True)
    ratings = page_of(slug).rate(search.world(0), search.seat, search.options)
    assert search.best() == ratings.index(max(ratings))


def test_a_game_that_plugs_in_is_searched_to_its_end() -> None:
    toy = GAMES["toy"]
    places = 0
    for seed in range(10):
        policies = [at_random(seeded(seed)), at_random(seeded(seed))]
        policies[seed % 2] = searcher(toy, 60)
        places += play_match(toy, policies, seed).ranks[seed % 2]
    assert places <= 12  # first in eight of ten or more


def test_a_bot_without_a_budget_says_what_it_needs() -> None:
    done = subprocess.run([sys.executable, "bot.py"], cwd=SEARCH, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "give a budget: --nodes or --ms above 0" in done.stderr
