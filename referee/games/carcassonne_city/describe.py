"""One line of plain English for every action and event."""

from __future__ import annotations

from typing import assert_never

from referee.games.carcassonne_city.actions import (
    Action,
    Arm,
    BuildTower,
    BuildWall,
    Decline,
    PlaceFollower,
    PlaceGate,
    PlaceTile,
    PostGuard,
)
from referee.games.carcassonne_city.components import TILE_IDS, TILE_NAMES, FeatureKind
from referee.games.carcassonne_city.events import (
    AreaScored,
    Ending,
    Event,
    FeatureScored,
    FollowerPlaced,
    FollowersRemoved,
    GameEnded,
    GatePlaced,
    GuardPosted,
    GuardScored,
    TileDrawn,
    TilePlaced,
    TileRemoved,
    TowerBuilt,
    WallBuilt,
    WallPhaseBegan,
)
from referee.games.carcassonne_city.grid import SIDE_NAMES

FOLLOWER_NAMES = {
    FeatureKind.STREET: "traveller",
    FeatureKind.MARKET: "merchant",
    FeatureKind.RESIDENTIAL: "resident",
}
ENDING_NAMES = {
    Ending.WALLS_EXHAUSTED: "the last wall is built",
    Ending.RING_NEARLY_CLOSED: "the ring of walls is nearly closed",
    Ending.TILES_EXHAUSTED: "no tile is left",
}


def describe(item: Action | Event) -> str:
    """Return one line of plain English for an action or an event."""
    match item:
        case PlaceTile() | PlaceFollower() | PlaceGate() | BuildWall() | PostGuard() | BuildTower() | Decline():
            return describe_action(item)
        case _:
            return describe_event(item)


def describe_action(action: Action) -> str:
    """Return what a seat chose."""
    match action:
        case PlaceTile(x, y, rotation):
            return f"lay the tile on ({x}, {y}), turned by {90 * rotation} degrees"
        case PlaceFollower(kind, index):
            return f"put a {FOLLOWER_NAMES[kind]} on {kind.name.lower()} {index}"
        case PlaceGate(x, y, side):
            return f"put the gate on {_side(x, y, side)}"
        case BuildWall(arm):
            return f"build a wall at the {_arm(arm)} end"
        case PostGuard():
            return "put a guard on the wall"
        case BuildTower(arm):
            return f"build a tower at the {_arm(arm)} end"
        case Decline():
            return "put up nothing"
        case _:
            assert_never(action)


def describe_event(event: Event) -> str:
    """Return what the table saw."""
    match event:
        case TileDrawn(seat, tile, pile):
            return f"seat {seat} draws {_tile(tile)} from pile {pile}"
        case TileRemoved(seat, tile):
            return f"seat {seat} finds no place for {_tile(tile)}: it leaves the game"
        case TilePlaced(seat, tile, x, y, rotation):
            return f"seat {seat} lays {TILE_IDS[tile]} on ({x}, {y}), turned by {90 * rotation} degrees"
        case FollowerPlaced(seat, kind, x, y, index):
            return f"seat {seat} puts a {FOLLOWER_NAMES[kind]} on {kind.name.lower()} {index} of ({x}, {y})"
        case FeatureScored(kind, x, y, _index, tile_count, kind_count, points, winners, _returned):
            size = _count(tile_count, "tile") + (f" and {_count(kind_count, 'kind')}" if kind_count else "")
            what = f"the {kind.name.lower()} at ({x}, {y})"
            return f"{what} is complete with {size}: {_points(points)} for {_seats(winners)}"
        case WallPhaseBegan(trigger, regime, piece_counts):
            return f"seat {trigger} starts a wall phase of pile {regime}: {sum(piece_counts)} pieces to put up"
        case GatePlaced(seat, x, y, side):
            return f"seat {seat} puts the gate on {_side(x, y, side)}"
        case WallBuilt(seat, arm, x, y, side, gap):
            return f"seat {seat} builds a wall {_arm(arm)} on {_side(x, y, side)}: the gap is {gap}"
        case GuardPosted(seat, x, y, side):
            return f"seat {seat} puts a guard on the wall on {_side(x, y, side)}"
        case TowerBuilt(seat, arm, points):
            return f"seat {seat} builds a tower at the {_arm(arm)} end: {_points(points)}"
        case GameEnded(reason):
            return f"the game ends: {ENDING_NAMES[reason]}"
        case FollowersRemoved(removed_counts):
            return f"{_count(sum(removed_counts), 'follower')} on unfinished streets and markets leave without points"
        case AreaScored(x, y, index, market_count, points, winners):
            return (
                f"residential area {index} of ({x}, {y}) touches {_count(market_count, 'market')}: "
                f"{_points(points)} for {_seats(winners)}"
            )
        case GuardScored(seat, x, y, side, public_count, historic_count, points):
            return (
                f"the guard of seat {seat} on {_side(x, y, side)} watches {public_count} public and "
                f"{historic_count} historic buildings: {_points(points)}"
            )
        case _:
            assert_never(event)


def _arm(arm: Arm) -> str:
    return arm.name.lower()


def _side(x: int, y: int, side: int) -> str:
    return f"({x}, {y}, {SIDE_NAMES[side]})"


def _tile(tile: int) -> str:
    return f"{TILE_IDS[tile]} ({TILE_NAMES[tile]})"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _points(points: int) -> str:
    return _count(points, "point")


def _seats(seats: tuple[int, ...]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)
