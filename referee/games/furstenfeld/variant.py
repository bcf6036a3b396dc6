"""F2.1: how a match differs from the standard game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.games.furstenfeld.components import DEFAULT_VARIANT
from referee.setting import option


class Variant(Enum):
    """F2.1: the basic game, or the advanced one with its two extra cards and palace parts at fixed lots."""

    BASIC = 0
    ADVANCED = 1


@dataclass(frozen=True, slots=True)
class Options:
    """F2.1: how a match differs from the standard game."""

    variant: Variant = option(  # noqa: RUF009  declares a field, makes no value
        Variant[DEFAULT_VARIANT.upper()], "the basic game, or the advanced one with a planned deck"
    )
