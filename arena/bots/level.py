"""The names of levels, `level:1` to `level:10`, which name a rung of a game's ladder wherever a bot can be named."""

from __future__ import annotations

import re

from referee.mistakes import UserError

MAX_LEVEL = 10
LEVEL = re.compile(r"level:(.*)", re.DOTALL)


def is_level(name: object) -> bool:
    """Return whether a name is meant as that of a level."""
    return isinstance(name, str) and LEVEL.fullmatch(name) is not None


def level_name(level: int) -> str:
    """Return the name of a level."""
    return f"level:{level}"


def level_of(name: str) -> int:
    """Return the level that a name names; a UserError says which there are."""
    found = LEVEL.fullmatch(name)
    if found is None or not re.fullmatch(r"[1-9][0-9]?", found[1]) or int(found[1]) > MAX_LEVEL:
        raise UserError(f"{name}: is not a level; expected level:1 to level:{MAX_LEVEL}")
    return int(found[1])
