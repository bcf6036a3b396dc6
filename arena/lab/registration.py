"""Registration: `gymnasium.make("meistersinger/Norenberc-v0")`, for every game, plug-ins included.

As other packages of environments do, `import arena.lab` registers them; `"arena.lab:meistersinger/Norenberc-v0"` names
the module to import as well. No game is loaded before its environment is made, and so the games of a family have no
names of their own: `gymnasium.make("meistersinger/Game-v0", game=slug)` makes any game there is.
"""

from __future__ import annotations

from importlib.metadata import entry_points

from gymnasium.envs.registration import register

from referee.games import BUILT_IN, GROUP

NAMESPACE = "meistersinger"
VERSION = 0  # of the environments and their arrays; the rules have their own


def name_of(slug: str) -> str:
    """Return the name of a game's environment: `carcassonne_city` becomes `meistersinger/CarcassonneCity-v0`."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in slug.split('_'))}-v{VERSION}"


def register_games() -> None:
    """Register every game as `gym_env` with its slug; `gymnasium.make` takes the other arguments."""
    register(name_of("game"), entry_point="arena.lab.single:gym_env")
    for slug in sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}):
        register(name_of(slug), entry_point="arena.lab.single:gym_env", kwargs={"game": slug})
