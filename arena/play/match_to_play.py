"""Orders to a pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.bots.directory import Bot
from referee.order import TimeControl


@dataclass(frozen=True, slots=True)
class Block:
    """The games of one table that are played on one machine, and the number still to be played."""

    name: str
    games: int


@dataclass(frozen=True, slots=True)
class MatchToPlay:
    """One match to play: which bots in which seats, and everything that decides it except their choices."""

    match_id: str
    game: str
    options: Mapping[str, object]
    bots: tuple[Bot, ...]
    seed: int
    time_control: TimeControl = TimeControl()
    block: Block | None = None
    """None for a single match."""
    terms: str = ""
    """T13.16: the digest of the settings that it is played under; empty outside tournaments and tests."""
