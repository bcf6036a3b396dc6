"""Opponents of a learner: bots, trained models and pools of them, also in other processes."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import arena.lab
from arena.bots.opponents import opponent
from arena.lab import SelfPlay, array_policy, gym_env, vector_env, write_bot
from arena.lab.registration import name_of
from referee.games import GAMES
from referee.mistakes import UserError
from referee.policy import Policy, PolicyError, Question, at_random, play_match
from tests.contract.case import OURS
from tests.journeys.commands import run_arena


def play(env: Any, seed: int) -> str:
    """Play a match by first options and return the digest of its end."""
    env.reset(seed=seed)
    is_over = False
    while not is_over:
        is_over = env.step(int(env.action_masks().argmax()))[2]
    digest: str = env.table.game.digest(env.table.state)
    return digest


@pytest.mark.parametrize("bot", ["search", "sample_bots/greedy", "random"])
def test_a_bot_is_an_opponent_by_one_line(bot: str) -> None:
    arguments = ("--nodes", "2") if bot == "search" else ()
    ends = {play(gym_env("norenberc", seats=2, seat=0, opponents=opponent(bot, *arguments)), 3) for _ in range(2)}
    assert len(ends) == 1
    if bot != "random":
        assert ends != {play(gym_env("norenberc", seats=2, seat=0, opponents="random"), 3)}


def test_an_unknown_bot_or_one_of_another_game_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="bot: 'perfect' is unknown; expected random, a sample bot"):
        opponent("perfect")
    (tmp_path / "choose.py").write_text("def choose(question):\n    return 0\n")
    write_bot(tmp_path / "mine", "norenberc", policy=tmp_path / "choose.py")
    env = gym_env("toy", seats=2, seat=1, opponents=opponent(str(tmp_path / "mine")))
    with pytest.raises(UserError, match=r"bot: mine@\w+ does not play toy"):
        env.reset(seed=1)


def test_bots_play_in_the_processes_of_a_vector_environment() -> None:
    envs = vector_env("toy", 2, seats=3, seat=0, opponents=[opponent("greedy"), opponent("random")])
    observations, _ = envs.reset(seed=7)
    for _ in range(4):
        observations, *_ = envs.step(observations["action_mask"].argmax(axis=1))
    envs.close()


def highest(_observation: Any, mask: Any) -> int:
    """The last legal action."""
    return int(np.flatnonzero(mask)[-1])


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
def test_a_model_of_arrays_is_a_policy_that_sees_what_the_environment_shows(slug: str, flat: bool) -> None:
    """The same function, as an opponent and in the learner's seat, is given the same arrays in the same match."""
    seen: list[list[Any]] = [[], []]

    def watching(place: int) -> Any:
        def choose(observation: Any, mask: Any) -> int:
            vector = observation if flat else observation["observation"]
            seen[place].append((vector.copy(), np.array(mask)))
            return highest(observation, mask)

        return choose

    seats = max(2, GAMES[slug].table_sizes[0])
    env = gym_env(slug, seats=seats, seat=0, opponents=array_policy(highest, flat=flat), flat=flat)
    model = watching(0)
    observation, _ = env.reset(seed=5)
    is_over, steps = False, 0
    while not is_over and steps < 60:
        observation, _, is_over, _, _ = env.step(model(observation, env.action_masks()))
        steps += 1

    def at_the_first_seat(question: Question) -> int:
        if len(seen[1]) >= steps:
            return at_random(question)
        return policy(question)

    policy = array_policy(watching(1), flat=flat)
    policies: list[Policy] = [at_the_first_seat, *[array_policy(highest, flat=flat)] * (seats - 1)]
    play_match(GAMES[slug], policies, 5, GAMES[slug].options({}), "m")
    for (vector, mask), (other, told) in zip(seen[0], seen[1], strict=False):
        assert np.array_equal(vector, other)
        assert np.array_equal(mask, told)
    assert len(seen[1]) >= min(steps, 5)


def test_a_model_that_ignores_its_mask_is_named() -> None:
    env = gym_env("toy", seats=2, seat=1, opponents=array_policy(lambda _seen, _mask: 400, flat=False))
    with pytest.raises(ValueError, match="the model chose 400, which its mask excludes"):
        env.reset(seed=1)
    policy = array_policy(lambda _seen, mask: int(np.flatnonzero(~mask)[0]), flat=True)
    with pytest.raises(PolicyError, match="which its mask excludes"):
        play_match(GAMES["toy"], [policy] * 2, 1, GAMES["toy"].options({}), "m")


def test_a_policy_of_arrays_can_be_sent_to_another_process() -> None:
    policy = array_policy(highest, flat=True)
    ends = {play(gym_env("toy", seats=2, seat=0, opponents=policy), 3)}
    ends.add(play(gym_env("toy", seats=2, seat=0, opponents=pickle.loads(pickle.dumps(policy))), 3))
    assert len(ends) == 1


def option_of(file: Path) -> Policy:
    """A saved policy: the place of the option that it chooses."""
    place = int(file.read_text())
    return lambda question: min(place, len(question.options) - 1)


def answers(pool: SelfPlay, matches: int = 60) -> set[int]:
    """What a pool answers to the same question in many matches."""
    game = GAMES["toy"]
    state = game.new(2, 1, game.options({}))
    listed = game.legal_actions(state, 0)
    return {pool(Question(game, f"{match}", 1, 0, 2, "BID", None, listed)) for match in range(matches)}


def test_a_pool_draws_among_the_newest_saved_policies(tmp_path: Path) -> None:
    pool = SelfPlay(tmp_path / "pool", option_of, first=lambda _question: 4, newest=2)
    assert answers(pool) == {4}
    for place in range(3):
        pool.add(f"{place}.txt", lambda file, place=place: file.write_text(str(place)))  # type: ignore[misc]  # a default of its own
        (tmp_path / "pool" / ".9.txt").write_text("unfinished")
    assert [file.name for file in pool.saved()] == ["1.txt", "2.txt"]
    assert answers(pool) == {1, 2}
    pool.add("2.txt", lambda file: file.write_text("3"))
    assert answers(pool) == {1, 3}


def test_a_pool_plays_one_policy_in_one_match_and_the_same_again(tmp_path: Path) -> None:
    pool = SelfPlay(tmp_path / "pool", option_of)
    for place in range(4):
        pool.add(f"{place}.txt", lambda file, place=place: file.write_text(str(place)))  # type: ignore[misc]  # a default of its own
    again = pickle.loads(pickle.dumps(pool))
    ends = [
        [play(gym_env("toy", seats=3, seat=0, opponents=each), seed) for seed in range(5)] for each in (pool, again)
    ]
    assert ends[0] == ends[1]
    game = GAMES["toy"]
    question = Question(game, "m", 1, 0, 2, "BID", None, range(5))
    chosen = pool(question)
    for place in range(4):
        (tmp_path / "pool" / f"{place}.txt").unlink()
    later = Question(game, "m", 2, 0, 2, "BID", None, range(5))
    assert pool(later) == chosen  # in the middle of a match nothing changes


def test_a_pool_is_read_by_the_processes_of_a_vector_environment(tmp_path: Path) -> None:
    pool = SelfPlay(tmp_path / "pool", option_of)
    pool.add("0.txt", lambda file: file.write_text("0"))

    def rewards(*, processes: bool) -> list[list[float]]:
        envs = vector_env("toy", 2, processes=processes, seats=2, seat=0, opponents=pool)
        observations, _ = envs.reset(seed=7)
        found = []
        for _ in range(10):
            observations, rewards, *_ = envs.step(observations["action_mask"].argmax(axis=1))
            found.append(rewards.tolist())
        envs.close()
        return found

    assert rewards(processes=True) == rewards(processes=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"newest": 0}, "newest: 0 is not allowed"), ({"first": "perfect"}, "first: 'perfect' is unknown")],
)
def test_a_wrong_pool_is_refused(tmp_path: Path, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SelfPlay(tmp_path, option_of, **arguments)
    for name in ("", "a/b", ".hidden"):
        with pytest.raises(ValueError, match=r"name: .* is not allowed; expected a file name"):
            SelfPlay(tmp_path, option_of).add(name, lambda _file: None)


@pytest.mark.parametrize("slug", OURS)
def test_every_game_can_be_made_by_gymnasium(slug: str) -> None:
    """Plug-ins too, with Gymnasium's own checks around it, and by a name that imports the package."""
    seats = GAMES[slug].table_sizes[0]
    for name in (name_of(slug), f"arena.lab:{name_of(slug)}"):
        env = gymnasium.make(name, seats=seats, seat=0, flat=True, opponents="random")
        observation, _ = env.reset(seed=2)
        assert observation in env.observation_space
        for _ in range(3):
            mask = env.get_wrapper_attr("action_masks")()
            observation, *_ = env.step(int(np.flatnonzero(mask)[0]))
    assert env.unwrapped.table.game.slug == slug  # type: ignore[attr-defined]  # it is ours
    assert name_of("carcassonne_city") == "meistersinger/CarcassonneCity-v0"
    assert arena.lab.gym_env is gym_env


def test_a_written_bot_plays(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(
        "import json\nfrom pathlib import Path\n\nfrom arena.lab import array_policy\n\n"
        "PLACE = json.loads(Path(__file__).with_name('place.json').read_text())\n"
        "choose = array_policy(lambda _seen, mask: int(mask.nonzero()[0][PLACE]), flat=True)\n"
    )
    (tmp_path / "place.json").write_text("-1")
    write_bot(tmp_path / "mine", "toy", policy=tmp_path / "last.py", files=[tmp_path / "place.json"])
    ran = run_arena("check-bot", str(tmp_path / "mine"), folder=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    with pytest.raises(ValueError, match="game: 'halma' is unknown; expected one of: "):
        write_bot(tmp_path / "other", "halma", policy=tmp_path / "last.py")
