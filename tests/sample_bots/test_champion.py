"""The champion: the search of `referee.search` as a bot, within its prompt's clock."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arena.bots.policies import find_policy, load_policy
from referee.game import Game
from referee.games import BUILT_IN, GAMES
from referee.policy import Policy, greedily, play_match
from referee.rng import seeded
from tests.sample_bots.test_greedy import HEURISTIC_MODULES
from tests.search.test_search import asked_at

ROOT = Path(__file__).parents[2]
CHAMPION = ROOT / "sample_bots" / "champion"


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The bot's own module, which finds its neighbour as it does in its directory."""
    monkeypatch.syspath_prepend(str(CHAMPION))
    before = set(sys.modules)
    yield import_module("bot")
    for name in set(sys.modules) - before:
        if name in ("bot", "client"):
            del sys.modules[name]


def question(bot: Any, slug: str, deadline: float = 10.0, time_left: float = 60.0) -> Any:
    """Return a question of a game as it comes from the wire."""
    game = GAMES[slug]
    state, seat = asked_at(game, 25)
    options = game.legal_actions(state, seat)
    return bot.Question(
        game, "match", 7, seat, game.preferred_seats, game.observe(state, seat), options, deadline, time_left
    )


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_budget_of_nodes_gives_the_same_answer_again(bot: Any, slug: str) -> None:
    asked = question(bot, slug)
    answers = {bot.answer(asked, 40, 0) for _ in range(3)}
    assert len(answers) == 1
    assert answers <= set(range(len(asked.options)))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_clock_of_the_prompt_ends_a_search_that_has_more_time(bot: Any, slug: str) -> None:
    for deadline, time_left in ((0.1, 60.0), (10.0, 1.0), (10.0, 0.0)):
        asked = question(bot, slug, deadline, time_left)
        start = time.thread_time()
        assert 0 <= bot.answer(asked, 0, 3_600_000) < len(asked.options)
        assert time.thread_time() - start < 10  # what it computed itself; without a bound it would take an hour


def test_a_single_option_is_taken_without_a_thought(bot: Any) -> None:
    """There is no view to think about."""
    assert bot.answer(bot.Question(GAMES["norenberc"], "match", 7, 0, 2, None, ["only"], 10.0, 60.0), 32, 0) == 0


def test_a_game_that_imagines_nothing_is_played_at_random(bot: Any) -> None:
    class Blind(type(GAMES["toy"])):  # type: ignore[misc]  # a class by its instance
        imagine = Game.imagine

    answers = {
        bot.answer(bot.Question(Blind(), "match", n, 0, 2, None, "abcdef", 10.0, 60.0), 32, 0) for n in range(40)
    }
    assert answers == set(range(6))


def test_it_proposes_trades_where_a_game_has_them(bot: Any) -> None:
    """Where the heuristic that trades finds a proposal best, so does a search without any budget but one node."""
    game, proposed = GAMES["nuremberg"], 0
    heuristic = game.heuristic()
    assert heuristic is not None
    assert heuristic.rate_trading is not None
    for seed in range(40):
        state, seat = asked_at(game, 30, seed=seed)
        options = game.legal_actions(state, seat)
        ratings = heuristic.rate_trading(game.imagine(game.observe(state, seat), seat, seeded(1)), seat, options)
        best = options[ratings.index(max(ratings))]
        if type(best).__name__ == "ProposeTrade":
            asked = bot.Question(
                game, "match", 7, seat, game.preferred_seats, game.observe(state, seat), options, 10.0, 60.0
            )
            proposed += type(options[bot.answer(asked, 1, 0)]).__name__ == "ProposeTrade"
    assert proposed


def test_in_process_it_plays_as_over_the_wire(bot: Any) -> None:
    """The policy of `arena simulate` and the program answer the same questions in the same way."""
    source = find_policy("champion")
    assert source.arguments == ("--ms", "200")
    game, answers = GAMES["norenberc"], []
    in_process = load_policy(
        source.__class__(source.label, source.name, source.folder, source.module, "", ("--nodes", "8"))
    )

    def compared(asked: Any) -> int:
        index = in_process(asked)
        wired = bot.Question(
            game, asked.match_id, asked.prompt_id, asked.seat, 2, asked.view, asked.options, 10.0, 60.0
        )
        answers.append(bot.answer(wired, 8, 0) == index)
        return index

    policies: list[Policy] = [compared, greedily]
    play_match(game, policies, 1, game.options({}), "m")
    assert len(answers) > 20
    assert all(answers)


@pytest.mark.parametrize("arguments", [[], ["--ms", "0"], ["--nodes", "-3"]])
def test_a_bot_without_a_budget_says_what_it_needs(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "bot.py", *arguments], cwd=CHAMPION, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "give a budget: --nodes or --ms above 0" in done.stderr


def test_a_changed_search_makes_a_new_version_of_the_champion(bot: Any) -> None:
    """A version is the hash of the bot's files; search, heuristics and weights lie outside, so it carries a number."""
    games = [ROOT / "referee" / "games" / slug for slug in BUILT_IN]
    rated = [
        game / f"{module}.py"
        for game in games
        for module in ("heuristic", "weights", *HEURISTIC_MODULES.get(game.name, ()))
    ]
    files = [*sorted((ROOT / "referee" / "search").glob("*.py")), *rated, *(game / "tuned.json" for game in games)]
    found = blake2b(b"".join(file.read_bytes() for file in files), digest_size=8).hexdigest()
    assert (bot.ENGINE, found) == (2, "4bcec133e6ccd8a3"), "note the new hash; raise the number if any choice changes"
