"""C6.4 - C6.10: what complete streets and markets are worth, and to whom."""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.codes import FEATURE_SCORED
from referee.games.carcassonne_city.components import STRIDE
from referee.games.carcassonne_city.features import tiles_in, touched_features
from referee.games.carcassonne_city.followers import first_part, followers_in, take_followers
from referee.games.carcassonne_city.state import FEATURES, State, number_at, tile_of
from referee.games.carcassonne_city.tiles import STREET, kind_of_part
from referee.rows import Events, Int, Ints, Smalls

KIND_COUNTS: Smalls = [kinds.bit_count() for kinds in range(1 << len(box.MARKET_KINDS))]


def street_value(tiles: Int) -> Int:
    """C6.5: one point for each tile of a short street, two for each of a long one."""
    return tiles * (box.STREET_LONG if tiles >= box.STREET_LONG_FROM else box.STREET_SHORT)


def market_value(tiles: Int, kinds: Int) -> Int:
    """C6.6: tiles times different kinds."""
    return tiles * kinds


def kinds_in(state: State, root: Int) -> Int:
    """C6.6: how many kinds of market a feature has."""
    return KIND_COUNTS[state.market_kinds[root]]


def majority(state: State, crowd: Int) -> Int:
    """C6.7, C12.2: the seats with the highest count, as bits."""
    most = 0
    winners = 0
    for seat in range(state.seats):
        count = followers_in(crowd, seat)
        if count > most:
            most = count
            winners = 0
        if count == most:
            winners |= 1 << seat
    return winners


def pay(state: State, winners: Int, points: Int) -> None:
    """C6.7: give points to each of the seats of a bit set."""
    for seat in range(state.seats):
        if winners >> seat & 1:
            state.scores[seat] += points


def first_cell(state: State, root: Int) -> Int:
    """C6.10: the cell of the first of a feature's members, by x, y and index."""
    return state.firsts[root] // STRIDE


def first_index(state: State, root: Int) -> Int:
    """C6.10: the index of the first of a feature's members among the parts of its kind on its tile."""
    tile = tile_of(state, number_at(state, first_cell(state, root)))
    part = state.firsts[root] % STRIDE
    return part - first_part(tile, kind_of_part(tile, part))


def score_complete(state: State, roots: Ints, count: Int, events: Events) -> Int:
    """C6.4, C6.9, C6.10: score those of these streets and markets that are complete and hold a follower.

    Streets come first, then markets, each by the smallest (x, y, index) of its members; return how many there were.
    """
    complete: Annotated[Ints, FEATURES] = [0] * FEATURES
    found = 0
    for at in range(count):
        root = roots[at]
        if not state.open_sides[root] and state.crowds[root]:
            place = found
            while place and comes_before(state, root, complete[place - 1]):
                complete[place] = complete[place - 1]
                place -= 1
            complete[place] = root
            found += 1
    for place in range(found):
        score_feature(state, complete[place], events)
    return found


def comes_before(state: State, one: Int, other: Int) -> bool:
    """C6.10: whether one feature is scored before another."""
    if state.kinds[one] != state.kinds[other]:
        return state.kinds[one] < state.kinds[other]
    return state.firsts[one] < state.firsts[other]


def score_tile(state: State, events: Events) -> Int:
    """C3.1, step 4: score what the tile laid last has completed; return how many features that is."""
    roots: Annotated[Ints, FEATURES] = [0] * FEATURES
    return score_complete(state, roots, touched_features(state, roots), events)


def score_feature(state: State, root: Int, events: Events) -> None:
    """C6.5 - C6.8: pay the seats with most followers on a complete feature and send the followers home."""
    kind = state.kinds[root]
    tiles = tiles_in(state, root)
    kinds = kinds_in(state, root)
    points = street_value(tiles) if kind == STREET else market_value(tiles, kinds)
    winners = majority(state, state.crowds[root])
    pay(state, winners, points)
    told = events.tell(FEATURE_SCORED, kind, first_cell(state, root), first_index(state, root), tiles, kinds)
    events.words[told + 5] = points
    events.words[told + 6] = winners
    events.words[told + 7] = take_followers(state, root)
