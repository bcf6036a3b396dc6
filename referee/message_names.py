"""The names that classes and enum members of a game have in its messages."""

from __future__ import annotations

import re
from enum import Enum


def snake(name: str) -> str:
    """Return the field name of a class: `PlanGuilds` is `plan_guilds`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def enum_value_name(member: Enum) -> str:
    """Return the proto name of an enum member: `Guild.BREWERS` is `GUILD_BREWERS`."""
    return f"{snake(type(member).__name__)}_{member.name}".upper()


def is_enum(value: object) -> bool:
    """Return whether a type is an Enum."""
    return isinstance(value, type) and issubclass(value, Enum)
