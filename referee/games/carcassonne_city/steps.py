"""C3.1 and C8.11 as steps on the agenda: the units of which a turn consists."""

from __future__ import annotations

from functools import lru_cache
from typing import NewType

from referee.rows import Int

Step = NewType("Step", int)
"""What is to happen, and for which seat: `step_of` makes one, `kind_of_step` and `seat_of_step` take it apart."""

DRAW_TILE = 0  # C3.1, step 1
ASK_TILE = 1  # C3.1, step 2
ASK_FOLLOWER = 2  # C3.1, step 3
SCORE_TILE = 3  # C3.1, step 4; it puts the wall phase of step 5 on the agenda
ASK_GATE = 4  # C8.4: the trigger puts up the gate
ASK_WALL = 5  # C8.5: the seat puts up one wall of its row
ASK_GUARD = 6  # C8.7, C8.8: the seat may put a guard on the wall it built last
ASK_TOWER = 7  # C8.9: the trigger may build a tower
CHECK_END = 8  # C3.1, step 6

OF_A_SEAT = (ASK_WALL, ASK_GUARD)  # every other step concerns the active seat
STEP_NAMES = (
    "DrawTile", "AskTile", "AskFollower", "ScoreTile", "AskGate", "AskWall", "AskGuard", "AskTower", "CheckEnd",
)  # fmt: skip


def step_of(kind: Int, seat: Int) -> Step:
    """Return a step; one of the active seat has 0 for the seat."""
    return Step(kind | seat << 4)


def kind_of_step(step: Int) -> Int:
    """Return what is to happen: one of the constants above."""
    return step & 15


def seat_of_step(step: Int) -> Int:
    """Return the seat that a wall or a guard is asked of."""
    return step >> 4


@lru_cache(maxsize=4096)
def step_name(step: int) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    kind, seat = step & 15, step >> 4
    return f"{STEP_NAMES[kind]}({f'seat={seat}' if kind in OF_A_SEAT else ''})"
