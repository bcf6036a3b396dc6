"""C13: what a seat can choose at the decision points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias

from referee.game import Within
from referee.games.carcassonne_city.components import PART_INDICES, TILES, FeatureKind

Coordinate: TypeAlias = Annotated[int, Within(-TILES, TILES)]  # the start is (0, 0), and every tile touches another
Turn: TypeAlias = Annotated[int, Within(0, 3)]  # quarter turns clockwise, or a side: N, E, S, W
PartIndex: TypeAlias = Annotated[int, Within(0, max(max(indices, default=0) for indices in PART_INDICES))]


class Arm(Enum):
    """C7.6: the two ends of the wall, named after the way one walks from the gate."""

    CW = 0
    CCW = 1


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """C4: lay the drawn tile on a cell, turned by a number of clockwise quarter turns."""

    x: Coordinate
    y: Coordinate
    rotation: Turn


@dataclass(frozen=True, slots=True)
class PlaceFollower:
    """C5.1: put a follower on one feature of the tile just laid."""

    kind: FeatureKind
    index: PartIndex


@dataclass(frozen=True, slots=True)
class PlaceGate:
    """C7.5: put the gate on a side of the outer boundary, 0 = N, 1 = E, 2 = S, 3 = W."""

    x: Coordinate
    y: Coordinate
    side: Turn


@dataclass(frozen=True, slots=True)
class BuildWall:
    """C7.7: put a wall at this end."""

    arm: Arm


@dataclass(frozen=True, slots=True)
class PostGuard:
    """C9.1: put a guard on the wall that is offered."""


@dataclass(frozen=True, slots=True)
class BuildTower:
    """C10.1: put a tower at this end."""

    arm: Arm


@dataclass(frozen=True, slots=True)
class Decline:
    """C13: put up no follower, no guard or no tower."""


Action: TypeAlias = PlaceTile | PlaceFollower | PlaceGate | BuildWall | PostGuard | BuildTower | Decline

DECLINE = Decline()
POST_GUARD = PostGuard()
BUILD_WALL = (BuildWall(Arm.CW), BuildWall(Arm.CCW))
BUILD_TOWER = (BuildTower(Arm.CW), BuildTower(Arm.CCW))
