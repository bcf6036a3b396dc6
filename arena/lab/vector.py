"""Many environments in parallel, over processes."""

from __future__ import annotations

from functools import partial
from typing import Any

from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from arena.lab.single import gym_env


def vector_env(game: str, count: int, *, processes: bool = True, **arguments: Any) -> Any:
    """Return a Gymnasium vector environment of `count` copies of `gym_env`, each in its own process.

    An opponent policy must be importable by other processes. With `processes=False` all are
    played in this process, one after another.
    """
    if count < 1:
        raise ValueError(f"count: {count} is not allowed; expected 1 or more")
    makers = [partial(gym_env, game, **arguments) for _ in range(count)]
    if not processes:
        return SyncVectorEnv(makers)
    return AsyncVectorEnv(makers, context="spawn")  # a fork would copy locks held by other threads
