"""One line of plain English for every action and event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.drawing import many
from referee.games.carcassonne_city import actions, events
from referee.games.carcassonne_city.components import TILE_IDS, TILE_NAMES, FeatureKind
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.grid import SIDE_NAMES

FOLLOWER_NAMES = {FeatureKind.STREET: "traveller", FeatureKind.MARKET: "merchant", FeatureKind.RESIDENTIAL: "resident"}
ENDING_NAMES = {
    Ending.WALLS_EXHAUSTED: "the last wall is built",
    Ending.RING_NEARLY_CLOSED: "the ring of walls is nearly closed",
    Ending.TILES_EXHAUSTED: "no tile is left",
}


def _side(it: Any) -> str:
    return f"({it.x}, {it.y}, {SIDE_NAMES[it.side]})"


def _turned(it: actions.PlaceTile | events.TilePlaced) -> str:
    return f"on ({it.x}, {it.y}), turned by {90 * it.rotation} degrees"


def _end(it: actions.BuildWall | actions.BuildTower | events.TowerBuilt) -> str:
    return f"at the {it.arm.name.lower()} end"


def _follower(it: actions.PlaceFollower | events.FollowerPlaced) -> str:
    return f"a {FOLLOWER_NAMES[it.kind]} on {it.kind.name.lower()} {it.index}"


def _tile(tile: int) -> str:
    return f"{TILE_IDS[tile]} ({TILE_NAMES[tile]})"


def _points(points: int) -> str:
    return many(points, "point")


def _won(it: events.FeatureScored | events.AreaScored) -> str:
    return f"{_points(it.points)} for {' and '.join(f'seat {seat}' for seat in it.winners)}"


def _feature_scored(it: events.FeatureScored) -> str:
    size = many(it.tile_count, "tile") + (f" and {many(it.kind_count, 'kind')}" if it.kind_count else "")
    return f"the {it.kind.name.lower()} at ({it.x}, {it.y}) is complete with {size}: {_won(it)}"


def _wall_phase_began(it: events.WallPhaseBegan) -> str:
    pieces = sum(it.piece_counts)
    return f"seat {it.trigger} starts a wall phase of pile {it.regime}: {pieces} pieces to put up"


def _wall_built(it: events.WallBuilt) -> str:
    return f"seat {it.seat} builds a wall {it.arm.name.lower()} on {_side(it)}: the gap is {it.gap}"


def _area_scored(it: events.AreaScored) -> str:
    touched = many(it.market_count, "market")
    return f"residential area {it.index} of ({it.x}, {it.y}) touches {touched}: {_won(it)}"


def _guard_scored(it: events.GuardScored) -> str:
    watched = f"{it.public_count} public and {it.historic_count} historic buildings"
    return f"the guard of seat {it.seat} on {_side(it)} watches {watched}: {_points(it.points)}"


SENTENCES: Mapping[type, Callable[[Any], str]] = {
    actions.PlaceTile: lambda it: f"lay the tile {_turned(it)}",
    actions.PlaceFollower: lambda it: f"put {_follower(it)}",
    actions.PlaceGate: lambda it: f"put the gate on {_side(it)}",
    actions.BuildWall: lambda it: f"build a wall {_end(it)}",
    actions.PostGuard: lambda _: "put a guard on the wall",
    actions.BuildTower: lambda it: f"build a tower {_end(it)}",
    actions.Decline: lambda _: "put up nothing",
    events.TileDrawn: lambda it: f"seat {it.seat} draws {_tile(it.tile)} from pile {it.pile}",
    events.TileRemoved: lambda it: f"seat {it.seat} finds no place for {_tile(it.tile)}: it leaves the game",
    events.TilePlaced: lambda it: f"seat {it.seat} lays {TILE_IDS[it.tile]} {_turned(it)}",
    events.FollowerPlaced: lambda it: f"seat {it.seat} puts {_follower(it)} of ({it.x}, {it.y})",
    events.FeatureScored: _feature_scored,
    events.WallPhaseBegan: _wall_phase_began,
    events.GatePlaced: lambda it: f"seat {it.seat} puts the gate on {_side(it)}",
    events.WallBuilt: _wall_built,
    events.GuardPosted: lambda it: f"seat {it.seat} puts a guard on the wall on {_side(it)}",
    events.TowerBuilt: lambda it: f"seat {it.seat} builds a tower {_end(it)}: {_points(it.points)}",
    events.GameEnded: lambda it: f"the game ends: {ENDING_NAMES[it.reason]}",
    events.FollowersRemoved: lambda it: (
        f"{many(sum(it.removed_counts), 'follower')} on unfinished streets and markets leave without points"
    ),
    events.AreaScored: _area_scored,
    events.GuardScored: _guard_scored,
}
