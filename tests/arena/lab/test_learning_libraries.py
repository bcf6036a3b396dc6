"""The pages on learning libraries: stable-baselines3 trains, and the wrappers give what the others look for."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.lab import gym_env
from tests.documents import blocks
from tests.journeys.commands import run_arena
from tests.parts import lack
from tools.stubs import ROOT

PAGES = ROOT / "docs/howto"


def test_the_page_on_stable_baselines3_trains_plays_itself_and_becomes_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_spec("sb3_contrib") is None:
        lack("stable-baselines3", "tools/install_stable_baselines3.sh installs it")
    import torch

    monkeypatch.chdir(tmp_path)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    page = PAGES / "train_with_stable_baselines3.md"
    names: dict[str, Any] = {}
    try:
        for block in blocks(page):
            if "__file__" in block.code:
                Path("policy.py").write_text(block.code, encoding="utf-8")
            elif block.language == "python":
                short = block.code.replace("STEPS = 200_000", "STEPS = 64").replace("n_steps=256", "n_steps=32")
                exec(short, names)
    finally:
        torch.set_num_threads(threads)
    assert names["model"].num_timesteps == 4 * 64
    assert len(names["pool"].saved()) == 3
    (line,) = [line for block in blocks(page) if block.language == "console" for line in block.code.splitlines()]
    ran = run_arena(*line.replace("--games 200", "--games 4").split()[1:], folder=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "trained" in ran.stdout


def test_training_improves_a_policy() -> None:
    """MaskablePPO wins more of the toy's matches than it does by chance."""
    if find_spec("sb3_contrib") is None:
        lack("stable-baselines3", "tools/install_stable_baselines3.sh installs it")
    import torch
    from sb3_contrib import MaskablePPO

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        env = gym_env("toy", seats=2, flat=True, illegal="raise")  # so no answer outside the mask was ever given
        model = MaskablePPO("MlpPolicy", env, gamma=1.0, n_steps=512, learning_rate=2e-3, seed=3, device="cpu")
        before, after = mean_reward(model), mean_reward(model.learn(4_096))
    finally:
        torch.set_num_threads(threads)
    assert after > before + 0.15


def mean_reward(model: Any, matches: int = 150) -> float:
    """The mean reward of a model over matches from fixed seeds."""
    env = gym_env("toy", seats=2, flat=True)
    total = 0.0
    for seed in range(matches):
        observation, _ = env.reset(seed=1_000_000 + seed)
        is_over = False
        while not is_over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, is_over, _, _ = env.step(action)
        total += reward
    return total / matches


@pytest.mark.parametrize(
    ("page", "vector", "mask"),
    [("train_with_tianshou.md", "obs", "mask"), ("train_with_rllib.md", "observations", "action_mask")],
)
def test_the_wrapper_of_a_page_gives_the_dict_that_the_library_looks_for(page: str, vector: str, mask: str) -> None:
    (code,) = [block.code for block in blocks(PAGES / page) if block.language == "python"]
    compile(code, page, "exec")
    wrapper = code[code.index("class WithMask") :].split("\n\n\n")[0].split("\nregister_env")[0]
    import gymnasium as gym

    names: dict[str, Any] = {"gym": gym, "np": np}
    exec(wrapper, names)
    env = names["WithMask"](gym_env("norenberc", seats=3, flat=True))
    observation, _ = env.reset(seed=1)
    is_over = False
    while not is_over:
        assert observation in env.observation_space
        assert set(observation) == {vector, mask}
        legal = np.flatnonzero(observation[mask])
        assert np.array_equal(legal, np.flatnonzero(env.unwrapped.action_masks()))
        observation, _, is_over, _, _ = env.step(int(legal[0]))
