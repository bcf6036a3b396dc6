"""Carcassonne: The City, greedily: lay the tile, and post the follower, after which the own points look best.

Whatever stands on a street or market is scored at the end at the latest (C11.6), so a follower is sure of his points;
the question is only whether they are worth his absence. A residential area counts only what touches it now: residents
never come home, and a player who posts them early is short of followers. Points of the others count against us, at a
discount.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city.components import (
    GUARD_HISTORIC,
    GUARD_PUBLIC,
    HALF_PARTS,
    IS_HISTORIC,
    IS_PUBLIC,
    MARKET_SIDE,
    PART_KINDS,
    RESIDENT_POINTS,
    RESIDENTIAL_SIDE,
    SIDE_PARTS,
    SIDES,
    STRIDE,
    TOUCHES,
    FeatureKind,
)
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import STEPS
from referee.games.carcassonne_city.guards import row
from referee.games.carcassonne_city.scoring import kind_of, market_value, street_value
from referee.games.carcassonne_city.state import NOBODY, NOTHING, State
from referee.heuristic import Heuristic

# what the followers at hand are worth, by their number, with all tiles to come
FOLLOWERS: tuple[float, ...] = (0.0, 5.0, 8.5, 11.0, 13.0, 14.5, 15.5, 16.0)
ENVY = 0.5  # how much the points of the best opponent count against ours


def worths(state: State, areas: dict[tuple[int, int], int] | None = None) -> list[float]:
    """Return about how many points every seat will have: scored, promised by followers, and still to be made.

    `areas` remembers the markets at areas from one position to the next that differs by one tile.
    """
    to_come = len(state.deck) / 75
    totals = [score + to_come * FOLLOWERS[state.supply[seat]] for seat, score in enumerate(state.scores)]
    parents, crowds = state.features.parents, state.features.crowds
    for root in {find(parents, node) for node in state.follower_nodes}:
        counts = [crowds[root] >> 4 * seat & 15 for seat in range(state.seats)]
        points = feature_points(state, root, areas)
        is_complete = not state.features.open_sides[root] and kind_of(state, root) is not FeatureKind.RESIDENTIAL
        for seat, count in enumerate(counts):
            if count and count == max(counts):
                totals[seat] += points
            if count and is_complete:  # about to come home
                totals[seat] += to_come * (FOLLOWERS[state.supply[seat] + count] - FOLLOWERS[state.supply[seat]])
    for side, seat in zip(state.wall.sides, state.wall.guards, strict=True):
        if seat != NOBODY:
            totals[seat] += guard_points(state, side)
    return totals


def feature_points(state: State, root: int, areas: dict[tuple[int, int], int] | None = None) -> float:
    """Return what a street, market or area is worth to who has most followers there, with some hope of growth."""
    features, to_come = state.features, len(state.deck) / 75
    tiles, kinds = features.tile_bits[root].bit_count(), features.market_bits[root].bit_count()
    match kind_of(state, root):
        case FeatureKind.STREET:
            return street_value(tiles) + 1.5 * to_come * features.open_sides[root]
        case FeatureKind.MARKET:
            return market_value(tiles, kinds) + 1.5 * kinds * to_come * features.open_sides[root]
        case _:
            key = (features.firsts[root], features.tile_bits[root])
            if areas is None:
                areas = {}
            if key not in areas:
                areas[key] = len(markets_at(state, root))
            return RESIDENT_POINTS * areas[key]


def markets_at(state: State, area: int) -> set[int]:
    """C12.4: the markets that touch a residential area."""
    board, parents = state.board, state.features.parents
    markets: set[int] = set()
    bits = state.features.tile_bits[area]
    for number, tile in enumerate(board.tiles):
        if not bits >> number & 1:
            continue
        base, turned, cell = STRIDE * number, 4 * tile + board.rotations[number], board.cells[number]
        markets.update(find(parents, base + m) for part, m in TOUCHES[tile] if find(parents, base + part) == area)
        for side in range(4):
            there = board.numbers.get(cell + STEPS[side], NOTHING)
            if there == NOTHING or SIDES[turned][side] != RESIDENTIAL_SIDE:
                continue
            turned_there, opposite = 4 * board.tiles[there] + board.rotations[there], side + 2 & 3
            is_ours = find(parents, base + HALF_PARTS[turned][2 * side]) == area
            if is_ours and SIDES[turned_there][opposite] == MARKET_SIDE:
                markets.add(find(parents, STRIDE * there + SIDE_PARTS[turned_there][opposite]))
    return markets


def guard_points(state: State, side: int) -> int:
    """C12.6: what a guard on a wall sees along its row."""
    tiles = [state.board.tiles[state.board.numbers[cell]] for cell in row(state.board, side)]
    return sum(GUARD_PUBLIC * IS_PUBLIC[tile] + GUARD_HISTORIC * IS_HISTORIC[tile] for tile in tiles)


def rate(state: State, seat: int, options: Sequence[Any]) -> list[float]:
    """Return how every option leaves us against the best opponent; the highest is played."""
    if any(isinstance(option, act.PlaceFollower) for option in options):
        return [follower_gain(state, seat, option) for option in options]
    ratings = []
    areas: dict[tuple[int, int], int] = {}
    for option in options:
        after = GAME.clone(state)
        GAME.apply_checked(after, {seat: option})  # every option comes from a list of legal ones
        ratings.append(lead(worths(after, areas), seat))
        if isinstance(option, act.PlaceTile) and state.supply[seat]:
            ratings[-1] += max(follower_gain(after, seat, reply) for reply in quick_followers(after, seat))
    return ratings


def lead(totals: list[float], seat: int) -> float:
    """Return our points less a share of the best opponent's."""
    return totals[seat] - ENVY * max(totals[:seat] + totals[seat + 1 :])


def quick_followers(state: State, seat: int) -> list[act.Action]:
    """Return the places for a follower on the tile just laid, but for the areas, which take long to rate."""
    if [decision.kind for decision in GAME.pending(state) if decision.seat == seat] != ["PLACE_FOLLOWER"]:
        return [act.DECLINE]
    options = GAME.legal_actions(state, seat)
    return [option for option in options if getattr(option, "kind", None) is not FeatureKind.RESIDENTIAL]


def follower_gain(state: State, seat: int, option: act.Action) -> float:
    """Return what a follower on a feature of the tile just laid brings, less what he is worth at hand."""
    if not isinstance(option, act.PlaceFollower):
        return 0.0
    number = len(state.board.tiles) - 1
    tile = state.board.tiles[number]
    part = act.PLACE_FOLLOWER[tile].index(option)
    root = find(state.features.parents, STRIDE * number + part)
    at_hand = FOLLOWERS[state.supply[seat]] - FOLLOWERS[state.supply[seat] - 1]
    stays = 1.6 if PART_KINDS[tile][part] is FeatureKind.RESIDENTIAL else 1.0  # a resident never comes home
    return feature_points(state, root) - stays * at_hand * len(state.deck) / 75


def settle(state: State, choices: Mapping[int, Any], seat: int, later: Sequence[Mapping[int, Any]]) -> State:
    """T21.3: the position after a choice; after a tile, with the follower that the seat would post on it."""
    after = GAME.clone(state)
    GAME.apply_checked(after, choices)
    if isinstance(choices[seat], act.PlaceTile):
        followers = quick_followers(after, seat)
        if len(followers) > 1:
            gains = [follower_gain(after, seat, option) for option in followers]
            GAME.apply_checked(after, {seat: followers[gains.index(max(gains))]})
    return after


HEURISTIC = Heuristic(rate, worths, settle=settle)
