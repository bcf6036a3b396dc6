"""C15: what must always hold, asserted on a state against a city computed from scratch."""

from __future__ import annotations

from collections import Counter

from referee.games.carcassonne_city.codes import counts_in
from referee.games.carcassonne_city.components import BOX, FOLLOWERS, PART_INDICES, PART_KINDS, TOWERS, WALLS
from referee.games.carcassonne_city.features import tiles_in
from referee.games.carcassonne_city.grid import PLACES, x_of, y_of
from referee.games.carcassonne_city.state import HOLE, NOBODY, NOTHING, State, gap, standing_of, wall_supply
from referee.games.carcassonne_city.view import DecisionKind, decision_of
from tests.rules.carcassonne_city import from_scratch as scratch
from tests.rules.carcassonne_city.builders import ending_of, opened, root_of, wall_of

PARTS_BY_NAME = [
    [(kind.name.lower(), index) for kind, index in zip(kinds, indices, strict=True)]
    for kinds, indices in zip(PART_KINDS, PART_INDICES, strict=True)
]


def check_invariants(state: State) -> None:
    """C15: assert every invariant that can be seen in one state."""
    check_pieces_conserved(state)
    if not opened(state).tiles:
        return
    city = scratch.city_of(state)
    outside = scratch.exterior(city.tiles)
    check_city_connected(city)
    check_streets_continue(city)
    check_boundary(state, city, outside)
    check_wall(state, city)
    check_features(state, city, outside)


def check_pieces_conserved(state: State) -> None:
    """C15.1 - C15.4, C15.14, C15.16, C15.20: nothing appears or is lost."""
    drawn = [] if state.drawn == NOTHING else [state.drawn]
    assert Counter(opened(state).tiles + opened(state).removed + drawn + opened(state).deck) == Counter(BOX)
    guards = Counter(wall_of(state).guards)
    followers = Counter(opened(state).follower_seats)
    for seat in range(state.seats):
        assert opened(state).supply[seat] >= 0
        assert opened(state).supply[seat] + followers[seat] + guards[seat] == FOLLOWERS
        assert opened(state).towers[seat] >= 0
        assert opened(state).towers[seat] + opened(state).tower_seats.count(seat) == TOWERS[state.seats]
    assert 0 <= wall_supply(state) == WALLS - len(wall_of(state).sides)
    if state.regime == 1:
        assert state.gate == NOTHING
        assert not wall_of(state).sides
    for arm in (0, 1):
        length = wall_of(state).arms.count(arm)
        places = [p for p, a in zip(opened(state).tower_places, opened(state).tower_arms, strict=True) if a == arm]
        assert places == sorted(set(places))
        assert all(1 <= place <= length for place in places)
        assert opened(state).lengths[arm] == length
        assert opened(state).bare[arm] == length - (places[-1] if places else 0)


def check_city_connected(city: scratch.City) -> None:
    """C15.5: the city hangs together and contains the start."""
    reached = {(0, 0)}
    todo = [(0, 0)]
    assert (0, 0) in city.tiles
    while todo:
        cell = todo.pop()
        for d in range(4):
            there = scratch.neighbour(cell, d)
            if there in city.tiles and there not in reached:
                reached.add(there)
                todo.append(there)
    assert reached == city.tiles.keys()


def check_streets_continue(city: scratch.City) -> None:
    """C15.6: wherever two tiles touch, both touching sides have a street or neither has."""
    for cell, tile in city.tiles.items():
        for d in (1, 2):
            there = scratch.neighbour(cell, d)
            if there in city.tiles:
                assert (scratch.letter(*tile, d) == "S") == (scratch.letter(*city.tiles[there], (d + 2) % 4) == "S")


def check_boundary(state: State, city: scratch.City, outside: set[scratch.Cell]) -> None:
    """C15.7: the ring is one simple closed line, and the engine's perimeter and holes are those of C7.1 and C7.2."""
    tiles = city.tiles
    sides = {(*cell, d) for cell in tiles for d in range(4) if scratch.neighbour(cell, d) in outside}
    start = min(sides)
    walked: list[scratch.Side] = []
    side = start
    while not walked or side != start:
        assert side in sides
        walked.append(side)
        onward = scratch.next_side(tiles, side, 1)
        assert scratch.next_side(tiles, onward, 3) == side
        side = onward
        assert len(walked) <= len(sides)
    assert len(walked) == len(set(walked)) == len(sides) == state.perimeter
    assert len(sides) % 2 == 0
    for cell in opened(state).free_cells:
        assert bool(standing_of(state.spots[cell % PLACES]) & HOLE) == ((x_of(cell), y_of(cell)) not in outside)


def check_wall(state: State, city: scratch.City) -> None:
    """C15.8, C15.11, C15.13: an unbroken chain on the boundary, guards on walls only, room left at a turn's start."""
    if not city.pieces:
        return
    assert len(set(city.pieces)) == len(city.pieces)
    sides = scratch.boundary(city.tiles)
    assert set(city.pieces) <= sides
    for arm, k in ((0, 1), (1, 3)):
        end = city.pieces[0]
        for side, its_arm in zip(city.pieces[1:], wall_of(state).arms, strict=True):
            if its_arm == arm:
                assert side == scratch.next_side(city.tiles, end, k)
                end = side
    assert gap(state) == len(sides) - len(city.pieces) >= 0
    assert all(seat == NOBODY or 0 <= seat < state.seats for seat in wall_of(state).guards)
    decision = decision_of(state)
    if decision and decision[0] is DecisionKind.PLACE_TILE:
        assert gap(state) >= 5
        assert wall_supply(state) >= 1


def check_features(state: State, city: scratch.City, outside: set[scratch.Cell]) -> None:
    """C15.9, C15.18, C15.19: the engine's forest is the features of C6.1, and what is complete is empty."""
    is_over = ending_of(state) is not None
    found = scratch.features(city, scratch.boundary(city.tiles) if is_over else None)
    roots: dict[scratch.Node, int] = {}
    for number, (tile, cell) in enumerate(zip(opened(state).tiles, opened(state).cells, strict=True)):
        x, y = x_of(cell), y_of(cell)
        for part, (name, index) in enumerate(PARTS_BY_NAME[tile]):
            roots[name, (x, y, index)] = root_of(state, number, part)
    assert len(set(roots.values())) == len(found)
    assert sum(len(feature.members) for feature in found) == len(roots)
    decision = decision_of(state)
    for feature in found:
        root = roots[feature.kind, feature.members[0]]
        assert all(roots[feature.kind, member] == root for member in feature.members)
        crowd = list(counts_in(state.crowds[root], state.seats))
        assert crowd == [feature.followers[seat] for seat in range(state.seats)]
        if feature.kind == "residential":
            continue
        assert state.open_sides[root] == len(feature.open_sides)
        assert tiles_in(state, root) == feature.tiles
        assert state.market_kinds[root].bit_count() == len(feature.market_kinds)
        if not feature.open_sides and (decision is None or decision[0] is not DecisionKind.PLACE_FOLLOWER):
            assert not any(crowd)
        if is_over:
            assert not any(crowd)
            assert all(scratch.neighbour((x, y), d) not in outside for x, y, d in feature.open_sides)
    halves = sum(
        len(scratch.TYPES[city.tiles[x, y][0]]["residential"][index]["halves"])
        for feature in found
        if feature.kind == "residential"
        for x, y, index in feature.members
    )
    land = sum(scratch.letter(*tile, d) in "SR" for tile in city.tiles.values() for d in range(4))
    assert halves == 2 * land
