"""C5: travellers, merchants and residents."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.carcassonne_city.actions import DECLINE, PLACE_FOLLOWER, Action, PlaceFollower
from referee.games.carcassonne_city.components import AREAS, MARKETS, PARTS, STREETS, STRIDE, FeatureKind
from referee.games.carcassonne_city.events import Event, FollowerPlaced
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.grid import x_of, y_of
from referee.games.carcassonne_city.state import State

CROWD_BITS = 4  # of a number in Features.crowds, for each seat


def crowd_of(seat: int) -> int:
    """Return one follower of this seat as a crowd."""
    return 1 << CROWD_BITS * seat


def followers_in(crowd: int, seats: int) -> list[int]:
    """Return how many followers of each seat are in a crowd."""
    return [crowd >> CROWD_BITS * seat & (1 << CROWD_BITS) - 1 for seat in range(seats)]


def has_follower_decision(state: State) -> bool:
    """C5.4: a seat without followers in its supply is not asked."""
    return state.supply[state.active] > 0


def follower_options(state: State) -> list[Action]:
    """C5.1 - C5.3, C13: none, then the legal streets, markets and residential areas of the tile laid last."""
    features, tiles = state.features, state.board.tiles
    parents, crowds, open_sides = features.parents, features.crowds, features.open_sides
    tile = tiles[-1]
    base = STRIDE * (len(tiles) - 1)
    first_area = STREETS[tile] + MARKETS[tile]
    options: list[Action] = [DECLINE]
    for part in range(PARTS[tile]):
        root = find(parents, base + part)
        if root not in crowds and (part >= first_area or open_sides[root]):
            options.append(PLACE_FOLLOWER[tile][part])
    return options


def part_of(tile: int, kind: FeatureKind, index: int) -> int | None:
    """C1.8: the part of a tile type that is the index-th of its kind, or None if there is no such part."""
    counts = (STREETS[tile], MARKETS[tile], AREAS[tile])
    if index not in range(counts[kind.value]):
        return None
    return sum(counts[: kind.value]) + index


def check_follower(state: State, action: PlaceFollower) -> None:
    """C5.1 - C5.3: refuse a feature that is not there, occupied or complete."""
    tiles, features = state.board.tiles, state.features
    kind = action.kind
    part = part_of(tiles[-1], kind, action.index)
    what = f"{kind.name.lower()} {action.index}"
    if part is None:
        raise IllegalActionError("C5.1", f"the tile just laid has no {what}")
    root = find(features.parents, STRIDE * (len(tiles) - 1) + part)
    if root in features.crowds:
        raise IllegalActionError("C5.2", f"a follower stands already on the feature of {what}")
    if kind is not FeatureKind.RESIDENTIAL and not features.open_sides[root]:
        raise IllegalActionError("C5.3", f"{what} is complete")


def place_follower(state: State, action: Action) -> list[Event]:
    """C5.1: put one follower of the active seat on the tile laid last, or none."""
    if not isinstance(action, PlaceFollower):
        return []
    board = state.board
    part = part_of(board.tiles[-1], action.kind, action.index)
    assert part is not None
    put_follower(state, state.active, STRIDE * (len(board.tiles) - 1) + part)
    cell = board.cells[-1]
    return [FollowerPlaced(state.active, action.kind, x_of(cell), y_of(cell), action.index)]


def put_follower(state: State, seat: int, node: int) -> None:
    """C5.1: put a follower from the seat's supply on a part of a tile."""
    state.supply[seat] -= 1
    state.follower_nodes.append(node)
    state.follower_seats.append(seat)
    features = state.features
    root = find(features.parents, node)
    features.crowds[root] = features.crowds.get(root, 0) + crowd_of(seat)


def take_followers(state: State, root: int) -> list[int]:
    """C6.8: send all followers on a feature back to their owners; return how many of each seat."""
    features = state.features
    returned = followers_in(features.crowds.pop(root), state.seats)
    staying = [
        (node, seat)
        for node, seat in zip(state.follower_nodes, state.follower_seats, strict=True)
        if find(features.parents, node) != root
    ]
    state.follower_nodes = [node for node, _seat in staying]
    state.follower_seats = [seat for _node, seat in staying]
    for seat, count in enumerate(returned):
        state.supply[seat] += count
    return returned
