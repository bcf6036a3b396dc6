"""A careful seat for the tests: it finishes what it began and builds densely, so that walls rise and rings close."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.carcassonne_city.actions import (
    DECLINE,
    POST_GUARD,
    Action,
    BuildTower,
    PlaceFollower,
    PlaceGate,
    PlaceTile,
)
from referee.games.carcassonne_city.components import IS_HISTORIC, IS_PUBLIC, PART_KINDS, STRIDE, FeatureKind
from referee.games.carcassonne_city.followers import part_of
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.state import State, number_at
from referee.rng import Rng
from tests.rules.carcassonne_city.builders import opened, root_of, row, wall_of

SAMPLES = 12  # placements looked at for one tile


def choose(state: State, seat: int, options: Sequence[Action], rng: Rng) -> Action:
    """Return a careful choice of the seat among its legal actions."""
    first, last = options[0], options[-1]
    if isinstance(first, PlaceTile):
        return _best_placement(state, seat, options, rng)
    if isinstance(first, PlaceGate):
        return options[rng.index(len(options))]
    if isinstance(last, PlaceFollower):
        return _best_follower(state, seat, options)
    if last == POST_GUARD:
        return last if _guard_worth(state, seat) >= 5 or opened(state).supply[seat] > 4 else first
    if isinstance(last, BuildTower):
        return _best_tower(state, options)
    return options[rng.index(len(options))]


def _best_placement(state: State, seat: int, options: Sequence[Action], rng: Rng) -> Action:
    shuffled = list(options)
    rng.shuffle(shuffled)
    return max(shuffled[:SAMPLES], key=lambda action: _placement_worth(state, seat, action))


def _placement_worth(state: State, seat: int, action: Action) -> int:
    """Return how good the table looks once the tile lies: features nearly done, a short boundary."""
    after = GAME.clone(state)
    GAME.apply(after, {seat: action})
    worth: int = 10 * (opened(after).scores[seat] - opened(state).scores[seat]) - 3 * after.perimeter
    for node, owner in zip(opened(after).follower_nodes, opened(after).follower_seats, strict=True):
        number, part = divmod(node, STRIDE)
        if PART_KINDS[opened(after).tiles[number]][part] is not FeatureKind.RESIDENTIAL:
            open_sides = after.open_sides[root_of(after, number, part)]
            worth += (4 if owner == seat else 1) * (20 if open_sides == 0 else -5 * open_sides)
    return worth


def _best_follower(state: State, seat: int, options: Sequence[Action]) -> Action:
    """Prefer the street or market with fewest open sides; settle a resident only while followers abound."""
    number = len(opened(state).tiles) - 1
    chosen: Action = DECLINE
    fewest = 4
    for action in options:
        if isinstance(action, PlaceFollower):
            part = part_of(opened(state).tiles[number], action.kind, action.index)
            assert part is not None
            open_sides = state.open_sides[root_of(state, number, part)]
            if action.kind is FeatureKind.RESIDENTIAL:
                open_sides = 3 if opened(state).supply[seat] > 4 else 9
            if open_sides < fewest:
                chosen, fewest = action, open_sides
    return chosen


def _guard_worth(state: State, seat: int) -> int:
    cells = row(state, wall_of(state).sides[opened(state).last_walls[seat]])
    tiles = [opened(state).tiles[number_at(state, cell)] for cell in cells]
    return sum(2 * IS_PUBLIC[tile] + 3 * IS_HISTORIC[tile] for tile in tiles)


def _best_tower(state: State, options: Sequence[Action]) -> Action:
    towers = [action for action in options if isinstance(action, BuildTower)]
    best = max(towers, key=lambda action: opened(state).bare[action.arm.value])
    return best if opened(state).bare[best.arm.value] >= 2 else DECLINE
