"""C14: what a seat sees, which is the same for all seats and spectators."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.games.carcassonne_city.actions import Arm
from referee.games.carcassonne_city.components import PART_INDICES, PART_KINDS, STRIDE, FeatureKind
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.grid import MARGIN, WIDTH, x_of, y_of
from referee.games.carcassonne_city.placing import pile_counts
from referee.games.carcassonne_city.state import NOTHING, State
from referee.games.carcassonne_city.steps import AskFollower, AskGate, AskGuard, AskTile, AskTower, AskWall, Step
from referee.games.carcassonne_city.walls import gap, wall_supply


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

    x: int
    y: int
    side: int


@dataclass(frozen=True, slots=True)
class View:
    """C14: everything public. Lists of the same prefix run in parallel."""

    seat_count: int
    active_seat: int
    decision: DecisionKind | None  # None: the game is over
    deciding_seat: int | None
    trigger: int | None  # None outside a wall phase
    regime: int
    drawn_tile: int | None
    pile_counts: tuple[int, ...]
    removed_tiles: tuple[int, ...]
    revealed_tiles: tuple[int, ...]  # after the end: the undrawn tiles in drawing order
    board_tiles: tuple[int, ...]  # in the order of laying
    board_xs: tuple[int, ...]
    board_ys: tuple[int, ...]
    board_rotations: tuple[int, ...]
    follower_seats: tuple[int, ...]  # in the order of placing
    follower_kinds: tuple[FeatureKind, ...]
    follower_xs: tuple[int, ...]
    follower_ys: tuple[int, ...]
    follower_indices: tuple[int, ...]
    gate: SideAddress | None
    wall_xs: tuple[int, ...]  # in the order of building, which is the order along each arm
    wall_ys: tuple[int, ...]
    wall_sides: tuple[int, ...]
    wall_arms: tuple[Arm, ...]
    wall_builders: tuple[int, ...]
    wall_guards: tuple[int, ...]  # seat, or -1
    tower_seats: tuple[int, ...]  # in the order of building
    tower_arms: tuple[Arm, ...]
    tower_places: tuple[int, ...]  # walls the arm had when the tower was built
    perimeter: int
    gap: int | None  # None while the gate is off the board
    wall_supply: int
    piece_counts: tuple[int, ...]  # by seat: pieces still to be put up in this wall phase, the gate included
    last_walls: tuple[int, ...]  # by seat: the wall it built last in the present or latest wall phase, or -1
    follower_supplies: tuple[int, ...]
    towers_left: tuple[int, ...]
    scores: tuple[int, ...]
    ending: Ending | None


ARMS = tuple(Arm)
WALL_PHASE = (AskGate, AskWall, AskGuard, AskTower)


def decision_of(state: State) -> tuple[DecisionKind, int] | None:
    """C13: the decision that is open now and the seat that takes it."""
    if state.agenda.is_empty():
        return None
    step: Step = state.agenda.now()
    match step:
        case AskTile():
            return DecisionKind.PLACE_TILE, state.active
        case AskFollower():
            return DecisionKind.PLACE_FOLLOWER, state.active
        case AskGate():
            return DecisionKind.PLACE_GATE, state.active
        case AskWall():
            return DecisionKind.PLACE_WALL, step.seat
        case AskGuard():
            return DecisionKind.PLACE_GUARD, step.seat
        case AskTower():
            return DecisionKind.PLACE_TOWER, state.active
        case _:
            raise AssertionError(f"the agenda rests on {step}")


def pieces_to_come(state: State) -> tuple[int, ...]:
    """C14: by seat, the pieces still to be put up in this wall phase."""
    counts = [0] * state.seats
    for step in state.agenda.steps:
        if isinstance(step, AskWall):
            counts[step.seat] += 1
        elif isinstance(step, AskGate):
            counts[state.active] += 1
    return tuple(counts)


def observe(state: State) -> View:
    """C14: the view of any seat."""
    board, wall = state.board, state.wall
    decision = decision_of(state)
    gate = wall.gate
    tiles = [node // STRIDE for node in state.follower_nodes]
    parts = [node % STRIDE for node in state.follower_nodes]
    types = [board.tiles[tile] for tile in tiles]
    xs = [cell // WIDTH - MARGIN for cell in board.cells]
    ys = [cell % WIDTH - MARGIN for cell in board.cells]
    is_in_wall_phase = isinstance(state.agenda.steps[-1], WALL_PHASE) if state.agenda.steps else False
    return View(
        seat_count=state.seats,
        active_seat=state.active,
        decision=decision and decision[0],
        deciding_seat=decision and decision[1],
        trigger=state.active if is_in_wall_phase else None,
        regime=state.regime,
        drawn_tile=None if state.drawn == NOTHING else state.drawn,
        pile_counts=pile_counts(len(state.deck)),
        removed_tiles=tuple(state.removed),
        revealed_tiles=() if state.ending is None else tuple(reversed(state.deck)),
        board_tiles=tuple(board.tiles),
        board_xs=tuple(xs),
        board_ys=tuple(ys),
        board_rotations=tuple(board.rotations),
        follower_seats=tuple(state.follower_seats),
        follower_kinds=tuple([PART_KINDS[kind][part] for kind, part in zip(types, parts, strict=True)]),
        follower_xs=tuple([xs[tile] for tile in tiles]),
        follower_ys=tuple([ys[tile] for tile in tiles]),
        follower_indices=tuple([PART_INDICES[kind][part] for kind, part in zip(types, parts, strict=True)]),
        gate=None if gate == NOTHING else SideAddress(x_of(gate >> 2), y_of(gate >> 2), gate & 3),
        wall_xs=tuple([(side >> 2) // WIDTH - MARGIN for side in wall.sides]),
        wall_ys=tuple([(side >> 2) % WIDTH - MARGIN for side in wall.sides]),
        wall_sides=tuple([side & 3 for side in wall.sides]),
        wall_arms=tuple([ARMS[arm] for arm in wall.arms]),
        wall_builders=tuple(wall.builders),
        wall_guards=tuple(wall.guards),
        tower_seats=tuple(wall.tower_seats),
        tower_arms=tuple([ARMS[arm] for arm in wall.tower_arms]),
        tower_places=tuple(wall.tower_places),
        perimeter=board.perimeter,
        gap=None if gate == NOTHING else gap(state),
        wall_supply=wall_supply(state),
        piece_counts=pieces_to_come(state),
        last_walls=tuple(wall.last_walls),
        follower_supplies=tuple(state.supply),
        towers_left=tuple(state.towers),
        scores=tuple(state.scores),
        ending=state.ending,
    )
