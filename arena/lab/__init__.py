"""The lab: every game as an environment for learners, with observations and options as arrays.

    from arena.lab import aec_env
    env = aec_env("norenberc", seats=4)

`aec_env` has PettingZoo's AEC API, `parallel_env` its parallel API, `gym_env` Gymnasium's for one seat among given
policies, `vector_env` many of those over processes; `gym.make("meistersinger/Norenberc-v0")` is the same as `gym_env`.
`TableArrays` are just the arrays, for a trained bot, and `action_ids` numbers the actions. `array_policy` makes an
opponent of a trained model, `write_bot` a bot, and `SelfPlay` an opponent of all models saved so far.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.lab.arrays import Layout as Layout
    from arena.lab.arrays import MisfitError as MisfitError
    from arena.lab.arrays import action_layout as action_layout
    from arena.lab.arrays import view_layout as view_layout
    from arena.lab.bot_directory import write_bot as write_bot
    from arena.lab.multi_agent import aec_env as aec_env
    from arena.lab.multi_agent import parallel_env as parallel_env
    from arena.lab.numbered_actions import ActionIds as ActionIds
    from arena.lab.numbered_actions import action_ids as action_ids
    from arena.lab.self_play import SelfPlay as SelfPlay
    from arena.lab.single import gym_env as gym_env
    from arena.lab.single import vector_env as vector_env
    from arena.lab.table_arrays import TableArrays as TableArrays
    from arena.lab.trained_policy import array_policy as array_policy

HOMES = {
    "aec_env": "multi_agent",
    "parallel_env": "multi_agent",
    "gym_env": "single",
    "vector_env": "single",
    "TableArrays": "table_arrays",
    "ActionIds": "numbered_actions",
    "action_ids": "numbered_actions",
    "array_policy": "trained_policy",
    "SelfPlay": "self_play",
    "write_bot": "bot_directory",
    "Layout": "arrays",
    "MisfitError": "arrays",
    "view_layout": "arrays",
    "action_layout": "arrays",
}
OF_THE_EXTRA = ("pettingzoo", "gymnasium")

__all__ = [*HOMES]  # every name is a string


def __getattr__(name: str) -> Any:
    """Import on first use, so that a trained bot needs numpy and not the whole extra."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in OF_THE_EXTRA:
            raise
        raise ImportError(f"arena.lab.{name} needs {error.name}: pip install 'meistersinger[lab]'") from None


def _register() -> None:
    """Make the games known to Gymnasium where it is installed."""
    try:
        registration = import_module(f"{__name__}.registration")
    except ModuleNotFoundError as error:
        if error.name not in OF_THE_EXTRA:
            raise
        return  # a trained bot needs numpy and not the whole extra
    registration.register_games()


_register()
