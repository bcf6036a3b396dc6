"""C3.1 and C8.11 as steps on the agenda: the units of which a turn consists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DrawTile:
    """C3.1, step 1."""


@dataclass(frozen=True, slots=True)
class AskTile:
    """C3.1, step 2."""


@dataclass(frozen=True, slots=True)
class AskFollower:
    """C3.1, step 3."""


@dataclass(frozen=True, slots=True)
class ScoreTile:
    """C3.1, step 4; it puts the wall phase of step 5 on the agenda."""


@dataclass(frozen=True, slots=True)
class AskGate:
    """C8.4: the trigger puts up the gate."""


@dataclass(frozen=True, slots=True)
class AskWall:
    """C8.5: the seat puts up one wall of its row."""

    seat: int


@dataclass(frozen=True, slots=True)
class AskGuard:
    """C8.7, C8.8: the seat may put a guard on the wall it built last."""

    seat: int


@dataclass(frozen=True, slots=True)
class AskTower:
    """C8.9: the trigger may build a tower."""


@dataclass(frozen=True, slots=True)
class CheckEnd:
    """C3.1, step 6."""


Step: TypeAlias = DrawTile | AskTile | AskFollower | ScoreTile | AskGate | AskWall | AskGuard | AskTower | CheckEnd

TURN: tuple[Step, ...] = (DrawTile(), AskTile(), AskFollower(), ScoreTile(), CheckEnd())


def building(seats: int, first: int, piece_counts: list[int], with_gate: bool) -> list[Step]:
    """C8.5: who puts up a piece when, beginning with the seat `first`, until nobody has a piece left."""
    left = piece_counts[:]
    steps: list[Step] = []
    seat = first
    while any(left):
        if left[seat]:
            left[seat] -= 1
            steps.append(AskGate() if with_gate and not steps else AskWall(seat))
        seat = (seat + 1) % seats
    return steps


def after_building(seats: int, trigger: int, regime: int) -> list[Step]:
    """C8.8, C8.9: what follows when all walls stand; in regime 2 the guards came with the walls."""
    order = [(trigger + place) % seats for place in range(seats)]
    guards: list[Step] = [AskGuard(seat) for seat in order] if regime == 3 else []
    return [*guards, AskTower()]
