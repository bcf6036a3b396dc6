"""Environments: PettingZoo's and Gymnasium's own tests pass, and a seat is told what it may know and no more."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, performance_benchmark, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import parallel_to_aec

from arena.lab import aec_env, gym_env, parallel_env, vector_env
from arena.lab.table import by_places, by_score
from referee.game import Outcome
from referee.games import GAMES
from referee.order import told_id
from referee.policy import PolicyError, Question, at_random, play_match
from tests.contract.case import OURS

every_game = pytest.mark.parametrize("slug", OURS)


@pytest.fixture(autouse=True)
def remarks_on_dicts() -> Iterator[None]:
    """PettingZoo remarks on observations that are dicts, as those of its own board games are."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        yield


@every_game
def test_pettingzoo_finds_nothing_wrong(slug: str) -> None:
    api_test(aec_env(slug, render_mode="svg"), num_cycles=25)
    parallel_api_test(parallel_env(slug), num_cycles=10)
    seed_test(partial(aec_env, slug), num_cycles=8)
    parallel_seed_test(partial(parallel_env, slug), num_cycles=4)


@every_game
def test_a_match_is_cut_off_after_max_cycles(slug: str) -> None:
    def turn_by_turn(max_cycles: int) -> Any:
        return parallel_to_aec(parallel_env(slug, max_cycles=max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=partial(parallel_env, slug), env=turn_by_turn))
    env = aec_env(slug, max_cycles=5)
    env.reset(seed=1)
    answered = 0
    for agent in env.agent_iter():
        observation, _, is_over, is_cut, _ = env.last()
        answered += not (is_over or is_cut)
        assert not is_over
        env.step(None if is_cut else int(np.flatnonzero(observation["action_mask"])[0]))
        assert agent in env.possible_agents
    assert answered == 5


@every_game
def test_the_benchmark_of_pettingzoo_runs(
    slug: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a clock that is past its five seconds soon."""
    seconds = iter(np.arange(0.0, 1_000.0, 0.4))
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(seconds)))
    performance_benchmark(aec_env(slug))
    assert "turns per second" in capsys.readouterr().out


@every_game
@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
def test_gymnasium_finds_nothing_wrong(slug: str, flat: bool) -> None:
    check_env(gym_env(slug, flat=flat), skip_render_check=True)


@every_game
def test_pettingzoo_finds_nothing_wrong_with_flat_actions(slug: str) -> None:
    api_test(aec_env(slug, flat=True), num_cycles=15)
    parallel_api_test(parallel_env(slug, flat=True), num_cycles=5)


@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
@pytest.mark.parametrize("slug", ["norenberc", "toy"])
def test_an_observation_that_is_held_never_changes(slug: str, flat: bool) -> None:
    """Held whole, by one of its arrays or by a view of one; and what follows is right whatever was held or let go."""
    env, twin, dice = aec_env(slug, flat=flat), aec_env(slug, flat=flat), np.random.default_rng(5)
    env.reset(seed=5)
    twin.reset(seed=5)
    held: list[Any] = []
    for step in range(120):
        if all(env.terminations.values()):
            env.reset()
            twin.reset()
        observation, fresh = env.observe(env.agent_selection), twin.observe(env.agent_selection)
        assert all(np.array_equal(observation[key], content) for key, content in fresh.items())
        arrays = list(observation.values())
        kept: list[list[Any]] = [[], arrays, arrays[:1], arrays[-1:], [arrays[0][1:]], [np.asarray(arrays[1]).T]]
        held += [(array, array.copy()) for array in kept[step % len(kept)]]
        action = int(dice.choice(np.flatnonzero(observation["action_mask"])))
        observation["action_mask"][:] = 7  # a learner may spoil what it was given
        observation["observation"][:] = 7
        held = [(array, array.copy()) for array, _ in held]
        del arrays, kept, observation
        env.step(action)
        twin.step(action)
        assert all(np.array_equal(array, copy) for array, copy in held)
    assert len(held) > 100


@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
def test_memory_that_nobody_holds_is_used_again(flat: bool) -> None:
    env = aec_env("norenberc", flat=flat)
    env.reset(seed=1)
    addresses = set()
    for _ in range(60):
        observation = env.last()[0]
        assert observation is not None
        addresses.add(observation["observation"].ctypes.data)
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))
        if all(env.terminations.values()):
            env.reset()
    assert len(addresses) <= 2  # one while the loop still holds the other
    held = [env.observe(agent) for agent in env.possible_agents * 9]
    assert len({observation["observation"].ctypes.data for observation in held}) == len(held)


@pytest.mark.parametrize("slug", ["norenberc", "nuremberg", "toy"])
def test_seats_that_decide_together_do_not_see_what_the_others_chose(slug: str) -> None:
    """While others have yet to answer, nobody sees anything else than before, but that one who has is not asked."""
    env, dice, answers = aec_env(slug), np.random.default_rng(0), 0
    env.reset(seed=0)
    table = env.table
    while answers < 2:
        if table.is_over:  # simultaneous discards of two are rare
            env.reset()
        seat = table.waiting()[0]
        is_watched = len(table.waiting()) > 1
        before = [env.observe(agent) for agent in env.possible_agents] if is_watched else []
        table.answer(seat, int(dice.integers(len(table.asks[seat].options))))
        for other, seen in enumerate(before):
            now = env.observe(env.possible_agents[other])
            keys = ("observation",) if other == seat else ("observation", "options", "action_mask")
            assert all(np.array_equal(now[key], seen[key]) for key in keys)
            assert now["action_mask"].any() == (other in table.waiting())
        answers += is_watched


def test_a_match_in_an_environment_is_the_match_of_its_seed() -> None:
    """The same answers lead to the same end, whether asked by an environment or in-process."""
    game = GAMES["norenberc"]
    env = aec_env("norenberc", seats=3, rewards="score")
    env.reset(seed=11)
    prompts = dict.fromkeys(env.possible_agents, 0)
    scores: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        if is_over:
            scores[agent] = reward
            env.step(None)
            continue
        prompts[agent] += 1
        seat = env.possible_agents.index(agent)
        count = int(observation["action_mask"].sum())
        question = Question(game, told_id(11, "m", seat), prompts[agent], seat, 3, "", None, range(count))
        env.step(at_random(question))
    played = play_match(game, [at_random] * 3, 11, game.options({}), "m")
    assert tuple(scores[agent] for agent in env.possible_agents) == played.outcome.scores
    assert game.digest(env.table.state) == played.digest
    assert sum(prompts.values()) == played.asked


def test_rewards_by_places_share_ties_and_sum_to_nothing() -> None:
    assert by_places(Outcome((1, 2, 3), (9, 5, 1), "")) == [1.0, 0.0, -1.0]
    assert by_places(Outcome((1, 1, 3, 4), (9, 9, 5, 1), "")) == pytest.approx([2 / 3, 2 / 3, -1 / 3, -1.0])
    assert sum(by_places(Outcome((2, 1, 2, 2), (1, 9, 1, 1), ""))) == pytest.approx(0)
    assert by_score(Outcome((1, 2), (9, 5), "")) == [9.0, 5.0]


def test_rewards_can_be_any_function_of_the_outcome() -> None:
    env = aec_env("toy", seats=2, rewards=lambda outcome: [float(rank == 1) for rank in outcome.ranks])
    env.reset(seed=2)
    while not all(env.terminations.values()):
        env.step(0)
    assert sorted(env.rewards.values()) in ([0.0, 1.0], [1.0, 1.0])


def test_seeds_follow_from_one_another() -> None:
    """After a reset with a seed, those without one are the same every time, and differ from match to match."""

    def seeds() -> list[int]:
        env = aec_env("toy")
        env.reset(seed=5)
        found = [env.table.seed]
        for _ in range(3):
            env.reset()
            found.append(env.table.seed)
        return found

    assert seeds() == seeds()
    assert seeds()[0] == 5
    assert len(set(seeds())) == 4


ILLEGAL_ANSWERS = [-1, 10_000, None, "first", 1.0, np.array([0, 1])]


@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
@pytest.mark.parametrize("answer", ILLEGAL_ANSWERS, ids=repr)
def test_every_environment_treats_an_illegal_answer_as_the_page_says(answer: Any, flat: bool) -> None:
    """An error changes nothing, not even for seats that answered well in the same cycle; a default is reported."""
    aec = aec_env("toy", seats=3, flat=flat)
    aec.reset(seed=1)
    before = aec.table.game.digest(aec.table.state)
    with pytest.raises(ValueError, match="is not an option of seat 0"):
        aec.step(answer)
    assert aec.agent_selection == "seat_0"
    together = parallel_env("toy", seats=3, flat=flat, illegal="raise")
    seen, _ = together.reset(seed=1)
    answers = {agent: int(np.flatnonzero(observation["action_mask"])[0]) for agent, observation in seen.items()}
    with pytest.raises(ValueError, match="is not an option of seat 2"):
        together.step(answers | {"seat_2": answer})
    assert together.table.waiting() == (0, 1, 2)
    assert together.table.game.digest(together.table.state) == before
    infos = together.step(answers)[4]
    assert [infos[agent]["was_illegal"] for agent in together.possible_agents] == [False] * 3
    lenient = parallel_env("toy", seats=3, flat=flat)
    lenient.reset(seed=1)
    infos = lenient.step(answers | {"seat_2": answer})[4]
    assert [infos[agent]["was_illegal"] for agent in lenient.possible_agents] == [False, False, True]
    strict = gym_env("toy", seats=3, seat=0, flat=flat, illegal="raise")
    strict.reset(seed=1)
    mask = strict.action_masks()
    with pytest.raises(ValueError, match="is not an option of seat 0"):
        strict.step(answer)
    assert np.array_equal(strict.action_masks(), mask)
    assert strict.step(int(mask.argmax()))[4]["was_illegal"] is False
    single = gym_env("toy", seats=3, seat=0, flat=flat)
    assert single.reset(seed=1)[1]["was_illegal"] is False
    assert single.step(answer)[4]["was_illegal"] is True


def test_a_seat_that_is_asked_again_reads_that_its_last_answer_was_illegal() -> None:
    env = aec_env("toy", seats=2, illegal="default")
    env.reset(seed=1)
    env.step(-1)
    env.step(0)
    while env.agent_selection != "seat_0":
        env.step(0)
    assert env.last()[4]["was_illegal"] is True
    env.step(0)
    assert "was_illegal" not in env.infos["seat_0"]


@pytest.mark.parametrize("answer", [-1, 10_000, None, "first"])
def test_an_answer_outside_the_mask_is_refused_or_replaced_by_the_safe_default(answer: Any) -> None:
    strict = aec_env("toy")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="is not an option of seat 0; expected 0 to"):
        strict.step(answer)
    lenient = aec_env("toy", illegal="default")
    lenient.reset(seed=1)
    lenient.step(answer)
    assert lenient.infos["seat_0"] == {"was_illegal": True}
    assert lenient.agent_selection == "seat_1"


def test_options_that_have_no_row_are_told() -> None:
    env = aec_env("norenberc", seats=4, max_options=8)
    env.reset(seed=3)
    assert env.infos[env.agent_selection]["options_left_out"] > 0
    assert env.observe(env.agent_selection)["action_mask"].tolist() == [1] * 8
    whole = aec_env("norenberc", seats=4)
    whole.reset(seed=3)
    assert whole.infos[whole.agent_selection]["options_left_out"] == 0


def test_open_ended_decisions_offer_the_listed_options() -> None:
    env = aec_env("nuremberg", seats=3)
    env.reset(seed=4)
    for _ in range(400):
        info, mask = env.infos[env.agent_selection], env.observe(env.agent_selection)["action_mask"]
        if info["open_ended"]:
            break
        env.step(int(mask.sum()) - 1)
    seat = env.possible_agents.index(env.agent_selection)
    assert info["open_ended"]
    assert mask.sum() == len(env.table.game.legal_actions(env.table.state, seat))


@every_game
def test_boards_are_rendered_as_svg_and_as_pixels(slug: str) -> None:
    env = aec_env(slug, render_mode="svg")
    env.reset(seed=1)
    assert env.render().startswith("<svg")
    assert aec_env(slug).render() is None
    if slug in ("toy", "norenberc"):
        pixels = gym_env(slug, render_mode="rgb_array")
        pixels.reset(seed=1)
        image = pixels.render()
        assert image.dtype == np.uint8
        assert image.shape[1:] == (1200, 3)
        assert len(np.unique(image)) > 2


def test_one_seat_plays_against_given_policies() -> None:
    seen: list[Question] = []

    def watchful(question: Question) -> int:
        seen.append(question)
        return len(question.options) - 1

    env = gym_env("norenberc", seats=3, seat=1, opponents=[watchful, "greedy"])
    observation, info = env.reset(seed=8)
    assert info["seat"] == 1
    is_over = False
    while not is_over:
        observation, reward, is_over, _, info = env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    assert {question.seat for question in seen} == {0}
    assert info["place"] in (1, 2, 3)
    assert reward == by_places(env.table.outcome())[1]
    with pytest.raises(ValueError, match="the match is over"):
        env.step(0)


@pytest.mark.parametrize("flat", [False, True], ids=["rows", "flat"])
def test_one_seat_is_told_its_mask_and_the_same_keys_after_every_step(flat: bool) -> None:
    env = gym_env("norenberc", seats=3, flat=flat)
    observation, info = env.reset(seed=4)
    keys, is_over = set(info), False
    while not is_over:
        masks = env.action_masks()
        told = info["action_mask"] if flat else observation["action_mask"]
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, told)
        observation, _, is_over, _, info = env.step(int(np.flatnonzero(masks)[-1]))
        assert set(info) == keys
    assert not env.action_masks().any()
    assert info["scores"].tolist() == list(env.table.outcome().scores)


def test_the_seat_is_drawn_unless_it_is_given() -> None:
    env = gym_env("toy", seats=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(12)} == {0, 1, 2, 3}


def test_many_are_played_over_processes() -> None:
    def mean_reward(*, processes: bool) -> list[list[float]]:
        envs = vector_env("toy", 2, processes=processes, seats=3, seat=0)
        observations, _ = envs.reset(seed=7)
        found = []
        for _ in range(12):
            actions = observations["action_mask"].argmax(axis=1)
            observations, rewards, *_ = envs.step(actions)
            found.append(rewards.tolist())
        envs.close()
        return found

    assert mean_reward(processes=True) == mean_reward(processes=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "halma"}, "game: 'halma' is unknown; expected one of: "),
        ({"game": "toy", "seats": 9}, "seats: 9 is not allowed for toy; expected 2 to 5"),
        ({"game": "toy", "rewards": "prizes"}, "rewards: 'prizes' is not allowed"),
        ({"game": "toy", "illegal": "ignore"}, "illegal: 'ignore' is not allowed"),
        ({"game": "toy", "render_mode": "human"}, "render_mode: 'human' is not allowed; expected one of: rgb"),
        ({"game": "toy", "max_options": 0}, "max_options: 0 is not allowed"),
        ({"game": "toy", "max_options": 9, "flat": True}, "max_options: it counts rows, and a flat action space has"),
        ({"game": "toy", "options": {"rounds": 99}}, "rounds: 99 is not allowed; expected a whole number from 1 to 5"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_one_line(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        aec_env(**arguments)


def test_wrong_opponents_are_refused() -> None:
    with pytest.raises(ValueError, match="opponents: got 1; expected one for all, or 3"):
        gym_env("toy", seats=4, opponents=["random"])
    with pytest.raises(
        ValueError, match=r"opponents: 'search' is unknown; .* arena.bots.opponents.opponent\('search'\)"
    ):
        gym_env("toy", opponents="search")
    env = gym_env("toy", seats=2, seat=1, opponents=lambda _question: 99)
    with pytest.raises(PolicyError, match="the policy of seat 0: it answered 99; expected 0 to 4"):
        env.reset(seed=1)
    with pytest.raises(ValueError, match="seat: 4 is not at this table"):
        gym_env("toy", seats=4, seat=4)


def test_forced_moves_are_not_asked() -> None:
    """An environment asks what a referee asks: never a decision with a single option, unless more is legal."""
    env = aec_env("furstenfeld", seats=2)
    env.reset(seed=1)
    for _ in range(150):
        if all(env.terminations.values()):
            break
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.sum() > 1
        env.step(int(mask.sum()) - 1)
    state, _ = env.table.game.begin(2, 1, env.table.options)
    assert env.table.game.digest(state) != env.table.game.digest(env.table.state)


def test_without_the_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; "
    code += "import arena.lab; arena.lab.TableArrays; from arena.lab import aec_env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last == "ImportError: arena.lab.aec_env needs pettingzoo: pip install 'meistersinger[lab]'"
