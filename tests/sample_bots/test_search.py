"""The search bot: one search for every game, deterministic within a budget of nodes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from arena_toy.game import Toy

from referee.game import AnyGame, Game
from referee.games import BUILT_IN, GAMES
from referee.playout import random_chooser, step
from referee.rng import seeded
from sample_bots.greedy.choosing import choose
from sample_bots.search.search import Search
from tests.contract.case import OURS
from tests.sample_bots.tables import Policy, at_random, play_match

SEARCH = Path(__file__).parents[2] / "sample_bots" / "search"
SHOW_VISITS = """
import sys
from referee.games import GAMES
from tests.sample_bots.test_search import search_at
for slug in sys.argv[1:]:
    search = search_at(GAMES[slug], 25)
    search.run(8)
    print(slug, search.best(), [(child.visits, child.total.hex()) for child in search.root.children.values()])
"""


class PlainToy(Toy):
    """The toy without its heuristic."""

    heuristic = Game.heuristic  # type: ignore[assignment]  # which returns None


def search_at(game: AnyGame, steps: int) -> Search:
    """Return a search for the first choice after a number of random steps of a match."""
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


@pytest.mark.parametrize("slug", OURS)
def test_without_time_the_search_plays_greedily(slug: str) -> None:
    """By the heuristic of the game, be it ours or one that plugs in."""
    search = search_at(GAMES[slug], 2 if slug == "toy" else 25)
    search.run(5, lambda: True)
    assert search.heuristic is not None
    ratings = search.heuristic.rate(search.world(0), search.seat, search.options)
    assert search.best() == ratings.index(max(ratings))


class CountedClock:
    """A clock on which thirty milliseconds pass between two looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 0.03
        return self.now


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The bot's own module, which finds its neighbours as it does in its directory."""
    monkeypatch.syspath_prepend(str(SEARCH))
    before = set(sys.modules)
    yield import_module("bot")
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("bot", "client", "search"):
            del sys.modules[name]


def question(bot: Any, slug: str, deadline: float = 10.0, time_left: float = 60.0) -> Any:
    """Return a question of a game as it comes from the wire."""
    at = search_at(GAMES[slug], 25)
    return bot.Question(at.game, "match", 7, at.seat, at.view, at.options, deadline, time_left)


@pytest.mark.parametrize(
    ("ms", "deadline", "time_left", "allowed"),
    [(200, 10.0, 60.0, 0.2), (1000, 0.5, 60.0, 0.25), (1000, 10.0, 3.0, 0.15)],
    ids=["by its budget", "by the deadline", "by the bank"],
)
def test_a_budget_of_time_ends_the_search_before_it_is_spent(
    bot: Any, monkeypatch: pytest.MonkeyPatch, ms: int, deadline: float, time_left: float, allowed: float
) -> None:
    clock = CountedClock()
    monkeypatch.setattr(bot, "time", clock)
    asked = question(bot, "furstenfeld", deadline, time_left)
    assert 0 <= bot.choose(asked, 0, ms) < len(asked.options)
    assert allowed - 0.06 < clock.now - 0.03 <= allowed  # the first look was at the start


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_budget_of_time_holds_on_a_real_clock(bot: Any, slug: str) -> None:
    asked = question(bot, slug)
    start = time.thread_time()
    assert 0 <= bot.choose(asked, 0, 100) < len(asked.options)
    assert time.thread_time() - start < 10  # what it computed itself; without a bound it would never end


def test_a_single_option_is_taken_without_a_thought(bot: Any) -> None:
    """There is no view to think about."""
    assert bot.choose(bot.Question(GAMES["norenberc"], "match", 7, 0, None, ["only"], 10.0, 60.0), 32, 0) == 0


def test_even_a_short_search_beats_greedy() -> None:
    """Four matches on two seeds, from both seats; docs/explanation/baselines.md has the real measurements."""
    game, before = GAMES["norenberc"], 0
    for seed in (1, 2):
        for own in (0, 1):
            policies: list[Policy] = [partial(choose, game)] * 2
            policies[own] = searcher(game, 8)
            ranks = play_match(game, policies, seed).ranks
            before += ranks[own] < ranks[1 - own]
    assert before >= 3


def test_a_game_without_a_heuristic_is_searched_to_its_end() -> None:
    toy = PlainToy()
    places = 0
    for seed in range(10):
        policies = [at_random(seeded(seed)), at_random(seeded(seed))]
        policies[seed % 2] = searcher(toy, 60)
        places += play_match(toy, policies, seed).ranks[seed % 2]
    assert places <= 12  # first in eight of ten or more


def test_a_game_that_imagines_nothing_is_played_at_random(bot: Any) -> None:
    class Blind(PlainToy):
        imagine = Game.imagine

    answers = {bot.choose(bot.Question(Blind(), "match", n, 0, None, "abcdef", 10.0, 60.0), 32, 0) for n in range(40)}
    assert answers == set(range(6))


def test_a_bot_without_a_budget_says_what_it_needs() -> None:
    done = subprocess.run([sys.executable, "bot.py"], cwd=SEARCH, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "give a budget: --nodes or --ms above 0" in done.stderr
