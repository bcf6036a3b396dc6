"""What the table sees happen. Everything is public (C14), so every seat witnesses every event whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from referee.games.carcassonne_city.actions import Arm
from referee.games.carcassonne_city.components import FeatureKind


class Ending(Enum):
    """C11: why the game ended."""

    WALLS_EXHAUSTED = 0
    RING_NEARLY_CLOSED = 1
    TILES_EXHAUSTED = 2


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """C3.3: a seat drew a tile and showed it."""

    seat: int
    tile: int
    pile: int


@dataclass(frozen=True, slots=True)
class TileRemoved:
    """C3.4: the drawn tile had no legal place and left the game."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """C4: the drawn tile was laid."""

    seat: int
    tile: int
    x: int
    y: int
    rotation: int


@dataclass(frozen=True, slots=True)
class FollowerPlaced:
    """C5.1: a traveller, merchant or resident was put on the new tile."""

    seat: int
    kind: FeatureKind
    x: int
    y: int
    index: int


@dataclass(frozen=True, slots=True)
class FeatureScored:
    """C6: a complete street or market was scored and its followers went home."""

    kind: FeatureKind
    x: int  # with y and index: the first of the feature's members (C6.10)
    y: int
    index: int
    tile_count: int
    kind_count: int  # different market kinds; 0 for a street
    points: int
    winners: tuple[int, ...]  # seats that received the points
    returned_counts: tuple[int, ...]  # followers gone back, by seat


@dataclass(frozen=True, slots=True)
class WallPhaseBegan:
    """C8.1: a scoring interrupted the game for the building of walls."""

    trigger: int
    regime: int
    piece_counts: tuple[int, ...]  # pieces to put up in this phase, by seat, the gate included


@dataclass(frozen=True, slots=True)
class GatePlaced:
    """C7.5: the gate was put up."""

    seat: int
    x: int
    y: int
    side: int


@dataclass(frozen=True, slots=True)
class WallBuilt:
    """C7.7: a wall was put up at one end."""

    seat: int
    arm: Arm
    x: int
    y: int
    side: int
    gap: int  # C7.10: walls that could still be put up


@dataclass(frozen=True, slots=True)
class GuardPosted:
    """C9.1: a guard was put on a wall."""

    seat: int
    x: int
    y: int
    side: int


@dataclass(frozen=True, slots=True)
class TowerBuilt:
    """C10.2: a tower was put at one end and scored."""

    seat: int
    arm: Arm
    points: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """C11: the end check held; the ring is closed and the final scoring follows."""

    reason: Ending


@dataclass(frozen=True, slots=True)
class FollowersRemoved:
    """C11.7: travellers and merchants on unfinished features left the board without points."""

    removed_counts: tuple[int, ...]  # by seat


@dataclass(frozen=True, slots=True)
class AreaScored:
    """C12.3: the owners of a residential area were paid for the markets that touch it."""

    x: int  # with y and index: the first of the area's members
    y: int
    index: int
    market_count: int
    points: int
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GuardScored:
    """C12.6: a guard was paid for the buildings in its row."""

    seat: int
    x: int
    y: int
    side: int
    public_count: int
    historic_count: int
    points: int


Event: TypeAlias = (
    TileDrawn | TileRemoved | TilePlaced | FollowerPlaced | FeatureScored | WallPhaseBegan | GatePlaced | WallBuilt
    | GuardPosted | TowerBuilt | GameEnded | FollowersRemoved | AreaScored | GuardScored
)  # fmt: skip
