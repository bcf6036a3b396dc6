"""C14: what a seat sees, which is the same for all seats and spectators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Within
from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.actions import Arm, Coordinate, PartIndex, Turn
from referee.games.carcassonne_city.codes import ARMS
from referee.games.carcassonne_city.components import STRIDE, FeatureKind
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.grid import MARGIN, WIDTH, x_of, y_of
from referee.games.carcassonne_city.placing import pile_counts
from referee.games.carcassonne_city.state import ENDINGS, NOTHING, State, gap, wall_supply
from referee.games.carcassonne_city.steps import (
    ASK_FOLLOWER,
    ASK_GATE,
    ASK_GUARD,
    ASK_TILE,
    ASK_TOWER,
    ASK_WALL,
    kind_of_step,
    seat_of_step,
)
from referee.games.carcassonne_city.turns import seat_asked
from referee.rows import Int, listed, tupled
from referee.values import quickly_made

T = TypeVar("T")
LONGEST_BOUNDARY = 2 * box.TILES + 2  # of tiles in one row
MAX_POINTS = 9_999  # more than all tiles, followers and guards together could bring

SeatNumber: TypeAlias = Annotated[int, Within(0, box.MAX_SEATS - 1)]
TileType: TypeAlias = Annotated[int, Within(0, len(box.TILE_NAMES) - 1)]
WallNumber: TypeAlias = Annotated[int, Within(-1, box.WALLS - 1)]
PerTile = Annotated[tuple[T, ...], AtMost(box.TILES)]
PerFollower = Annotated[tuple[T, ...], AtMost(box.FOLLOWERS, per_seat=True)]
PerWall = Annotated[tuple[T, ...], AtMost(box.WALLS)]
PerTower = Annotated[tuple[T, ...], AtMost(max(seats * towers for seats, towers in box.TOWERS.items()))]


class DecisionKind(Enum):
    """C13: the decision points."""

    PLACE_TILE = 0
    PLACE_FOLLOWER = 1
    PLACE_GATE = 2
    PLACE_WALL = 3
    PLACE_GUARD = 4
    PLACE_TOWER = 5


@dataclass(frozen=True, slots=True)
class SideAddress:
    """C1.10: a side of the tile on a cell, 0 = N, 1 = E, 2 = S, 3 = W."""

    x: Coordinate
    y: Coordinate
    side: Turn


@quickly_made
@dataclass(frozen=True, slots=True)
class View:
    """C14: everything public. Lists of the same prefix run in parallel."""

    seat_count: Annotated[int, Within(2, box.MAX_SEATS)]
    active_seat: SeatNumber
    decision: DecisionKind | None  # None: the game is over
    deciding_seat: SeatNumber | None
    trigger: SeatNumber | None  # None outside a wall phase
    regime: Annotated[int, Within(0, len(box.PILE_SIZES))]
    drawn_tile: TileType | None
    pile_counts: Annotated[tuple[Annotated[int, Within(0, max(box.PILE_SIZES))], ...], AtMost(len(box.PILE_SIZES))]
    removed_tiles: PerTile[TileType]
    revealed_tiles: PerTile[TileType]  # after the end: the undrawn tiles in drawing order
    board_tiles: PerTile[TileType]  # in the order of laying
    board_xs: PerTile[Coordinate]
    board_ys: PerTile[Coordinate]
    board_rotations: PerTile[Turn]
    follower_seats: PerFollower[SeatNumber]  # in the order of placing
    follower_kinds: PerFollower[FeatureKind]
    follower_xs: PerFollower[Coordinate]
    follower_ys: PerFollower[Coordinate]
    follower_indices: PerFollower[PartIndex]
    gate: SideAddress | None
    wall_xs: PerWall[Coordinate]  # in the order of building, which is the order along each arm
    wall_ys: PerWall[Coordinate]
    wall_sides: PerWall[Turn]
    wall_arms: PerWall[Arm]
    wall_builders: PerWall[SeatNumber]
    wall_guards: PerWall[Annotated[int, Within(-1, box.MAX_SEATS - 1)]]  # seat, or -1
    tower_seats: PerTower[SeatNumber]  # in the order of building
    tower_arms: PerTower[Arm]
    tower_places: PerTower[Annotated[int, Within(0, box.WALLS)]]  # walls the arm had when the tower was built
    perimeter: Annotated[int, Within(0, LONGEST_BOUNDARY)]
    gap: Annotated[int, Within(0, LONGEST_BOUNDARY)] | None  # None while the gate is off the board
    wall_supply: Annotated[int, Within(0, box.WALLS)]
    piece_counts: PerSeat[Annotated[int, Within(0, 5)]]  # to be put up in this wall phase, the gate included
    last_walls: PerSeat[WallNumber]  # by seat: the wall it built last in the present or latest wall phase, or -1
    follower_supplies: PerSeat[Annotated[int, Within(0, box.FOLLOWERS)]]
    towers_left: PerSeat[Annotated[int, Within(0, max(box.TOWERS.values()))]]
    scores: PerSeat[Annotated[int, Within(0, MAX_POINTS)]]
    ending: Ending | None


DECISION_KINDS: Mapping[int, DecisionKind] = {
    ASK_TILE: DecisionKind.PLACE_TILE,
    ASK_FOLLOWER: DecisionKind.PLACE_FOLLOWER,
    ASK_GATE: DecisionKind.PLACE_GATE,
    ASK_WALL: DecisionKind.PLACE_WALL,
    ASK_GUARD: DecisionKind.PLACE_GUARD,
    ASK_TOWER: DecisionKind.PLACE_TOWER,
}
WALL_PHASE = (ASK_GATE, ASK_WALL, ASK_GUARD, ASK_TOWER)


def decision_of(state: State) -> tuple[DecisionKind, int] | None:
    """C13: the decision that is open now and the seat that takes it."""
    count: Int = state.agenda_count
    if not count:
        return None
    return DECISION_KINDS[kind_of_step(state.agenda[count - 1])], seat_asked(state)


def pieces_to_come(state: State) -> tuple[int, ...]:
    """C14: by seat, the pieces still to be put up in this wall phase."""
    counts = [0] * state.seats
    for step in listed(state.agenda, 0, state.agenda_count):
        if kind_of_step(step) == ASK_WALL:
            counts[seat_of_step(step)] += 1
        elif kind_of_step(step) == ASK_GATE:
            counts[state.active] += 1
    return tuple(counts)


def observe(state: State) -> View:
    """C14: the view of any seat."""
    seats: Int = state.seats
    decision = decision_of(state)
    gate: Int = state.gate
    turned = listed(state.turned, 0, state.tile_count)
    cells = listed(state.cells, 0, state.tile_count)
    nodes = listed(state.follower_nodes, 0, state.follower_count)
    tiles = [state.part_numbers[node] // STRIDE for node in nodes]
    parts = [state.part_numbers[node] % STRIDE for node in nodes]
    types = [turned[tile] >> 2 for tile in tiles]
    xs = [cell // WIDTH - MARGIN for cell in cells]
    ys = [cell % WIDTH - MARGIN for cell in cells]
    sides = listed(state.wall_sides, 0, state.wall_count)
    count: Int = state.agenda_count
    is_in_wall_phase = count > 0 and kind_of_step(state.agenda[count - 1]) in WALL_PHASE
    undrawn = listed(state.deck, 0, state.deck_count)
    ending: Int = state.ending
    drawn: Int = state.drawn
    return View(
        seat_count=seats,
        active_seat=state.active,
        decision=decision and decision[0],
        deciding_seat=decision and decision[1],
        trigger=state.active if is_in_wall_phase else None,
        regime=state.regime,
        drawn_tile=None if drawn == NOTHING else drawn,
        pile_counts=pile_counts(len(undrawn)),
        removed_tiles=tupled(state.removed, 0, state.removed_count),
        revealed_tiles=() if ending == NOTHING else tuple(undrawn[::-1]),
        board_tiles=tuple([tile >> 2 for tile in turned]),
        board_xs=tuple(xs),
        board_ys=tuple(ys),
        board_rotations=tuple([tile & 3 for tile in turned]),
        follower_seats=tupled(state.follower_seats, 0, state.follower_count),
        follower_kinds=tuple([box.PART_KINDS[kind][part] for kind, part in zip(types, parts, strict=True)]),
        follower_xs=tuple([xs[tile] for tile in tiles]),
        follower_ys=tuple([ys[tile] for tile in tiles]),
        follower_indices=tuple([box.PART_INDICES[kind][part] for kind, part in zip(types, parts, strict=True)]),
        gate=None if gate == NOTHING else SideAddress(x_of(gate >> 2), y_of(gate >> 2), gate & 3),
        wall_xs=tuple([(side >> 2) // WIDTH - MARGIN for side in sides]),
        wall_ys=tuple([(side >> 2) % WIDTH - MARGIN for side in sides]),
        wall_sides=tuple([side & 3 for side in sides]),
        wall_arms=tuple([ARMS[arm] for arm in listed(state.wall_arms, 0, state.wall_count)]),
        wall_builders=tupled(state.wall_builders, 0, state.wall_count),
        wall_guards=tupled(state.wall_guards, 0, state.wall_count),
        tower_seats=tupled(state.tower_seats, 0, state.tower_count),
        tower_arms=tuple([ARMS[arm] for arm in listed(state.tower_arms, 0, state.tower_count)]),
        tower_places=tupled(state.tower_places, 0, state.tower_count),
        perimeter=state.perimeter,
        gap=None if gate == NOTHING else gap(state),
        wall_supply=wall_supply(state),
        piece_counts=pieces_to_come(state),
        last_walls=tupled(state.last_walls, 0, seats),
        follower_supplies=tupled(state.supply, 0, seats),
        towers_left=tupled(state.towers, 0, seats),
        scores=tupled(state.scores, 0, seats),
        ending=None if ending == NOTHING else ENDINGS[ending],
    )
