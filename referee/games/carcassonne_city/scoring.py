"""C6.4 - C6.10: what complete streets and markets are worth, and to whom."""

from __future__ import annotations

from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.components import FeatureKind
from referee.games.carcassonne_city.events import Event, FeatureScored
from referee.games.carcassonne_city.features import touched_roots
from referee.games.carcassonne_city.followers import followers_in, take_followers
from referee.games.carcassonne_city.grid import x_of, y_of
from referee.games.carcassonne_city.state import State


def street_value(tiles: int) -> int:
    """C6.5: one point for each tile of a short street, two for each of a long one."""
    return tiles * (box.STREET_LONG if tiles >= box.STREET_LONG_FROM else box.STREET_SHORT)


def market_value(tiles: int, kinds: int) -> int:
    """C6.6: tiles times different kinds."""
    return tiles * kinds


def kind_of(state: State, node: int) -> FeatureKind:
    """C1.8: whether a node is a street, a market or a residential area."""
    return box.PART_KINDS[state.board.tiles[node // box.STRIDE]][node % box.STRIDE]


def majority(counts: list[int]) -> tuple[int, ...]:
    """C6.7, C12.2: the seats with the highest count."""
    most = max(counts)
    return tuple(seat for seat, count in enumerate(counts) if count == most)


def place_of(state: State, root: int) -> tuple[int, int, int]:
    """C6.10: the smallest (x, y, index) among the members of a feature."""
    board = state.board
    cell, part = divmod(state.features.firsts[root], box.STRIDE)
    return x_of(cell), y_of(cell), box.PART_INDICES[board.tiles[board.numbers[cell]]][part]


def score_complete(state: State, roots: list[int]) -> list[Event]:
    """C6.4, C6.9, C6.10: score those of these streets and markets that are complete and hold a follower.

    Streets come first, then markets, each by the smallest (x, y, index) of its members.
    """
    features = state.features
    complete = [root for root in roots if not features.open_sides[root] and root in features.crowds]
    if len(complete) > 1:
        complete.sort(key=lambda root: (kind_of(state, root).value, features.firsts[root]))
    return [score_feature(state, root) for root in complete]


def score_tile(state: State) -> list[Event]:
    """C3.1, step 4: score what the tile laid last has completed."""
    return score_complete(state, touched_roots(state.features, state.board))


def score_feature(state: State, root: int) -> FeatureScored:
    """C6.5 - C6.8: pay the seats with most followers on a complete feature and send the followers home."""
    features = state.features
    kind = kind_of(state, root)
    tiles = features.tile_bits[root].bit_count()
    kinds = features.market_bits[root].bit_count()
    points = street_value(tiles) if kind is FeatureKind.STREET else market_value(tiles, kinds)
    winners = majority(followers_in(features.crowds[root], state.seats))
    for seat in winners:
        state.scores[seat] += points
    returned = take_followers(state, root)
    x, y, index = place_of(state, root)
    return FeatureScored(kind, x, y, index, tiles, kinds, points, winners, tuple(returned))
