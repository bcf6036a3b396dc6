"""What a position is worth to every seat: points scored, points that followers and guards promise, followers at hand.

Whatever stands on a street or market is scored at the end at the latest (C11.6), so a follower is sure of his points.
A residential area counts only what touches it now.

Points are sums of fractions, which depend on their order in the last digit: features are counted in the order of
`counting_order.py`, guards after them in the order of their walls. Counting again keeps to that order.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.components import MAX_SEATS, RESIDENT_POINTS, TILES
from referee.games.carcassonne_city.counting_order import features_in_order
from referee.games.carcassonne_city.ending import markets_at
from referee.games.carcassonne_city.features import tiles_in
from referee.games.carcassonne_city.followers import followers_in
from referee.games.carcassonne_city.grid import PLACES, STEP
from referee.games.carcassonne_city.scoring import kinds_in, majority, market_value, street_value
from referee.games.carcassonne_city.state import FEATURES, NOBODY, State
from referee.games.carcassonne_city.tiles import GUARDED, MARKET, RESIDENTIAL, STREET
from referee.games.carcassonne_city.weights import DEFAULTS, Weights
from referee.rows import Doubles, Float, Int, Ints, Shorts, Smalls, Struct, Word, Words, copy_part, listed

AREA_ROOM = 256  # room for the areas that are kept; a power of two
NO_AREAS: Ints = [0] * AREA_ROOM


class Areas(Struct):
    """The number of markets at areas, by first member and tiles, kept for positions that differ by one tile."""

    keeps: Int  # 0 if every area is counted again
    count: Int
    first_members: Annotated[Ints, AREA_ROOM]  # a hash table; 0 where it is free
    early: Annotated[Words, AREA_ROOM]
    late: Annotated[Shorts, AREA_ROOM]
    markets: Annotated[Smalls, AREA_ROOM]

    def forget(self) -> None:
        """Make room for the areas of other positions, and keep them."""
        self.keeps = 1
        if self.count:
            copy_part(NO_AREAS, 0, AREA_ROOM, self.first_members, 0)
            self.count = 0


def markets_kept(state: State, root: Int, areas: Areas) -> Int:
    """C12.4: how many markets touch an area, as it was counted first."""
    if not areas.keeps:
        return markets_at(state, root)
    first = state.firsts[root]
    early: Word = state.early_tiles[root]
    late = state.late_tiles[root]
    place: Int = (early ^ early >> 20 ^ early >> 40 ^ first ^ late) & (AREA_ROOM - 1)
    while areas.first_members[place]:
        if areas.first_members[place] == first and areas.early[place] == early and areas.late[place] == late:
            return areas.markets[place]
        place = place + 1 & (AREA_ROOM - 1)
    markets = markets_at(state, root)
    if areas.count < AREA_ROOM // 2:  # beyond that no more are kept
        areas.first_members[place] = first
        areas.early[place] = early
        areas.late[place] = late
        areas.markets[place] = markets
        areas.count += 1
    return markets


def worths(state: State, areas: Areas | None = None, weights: Weights | None = None) -> list[float]:
    """Return about how many points every seat will have: scored, promised by followers, and still to be made."""
    totals: Annotated[Doubles, MAX_SEATS] = [0.0] * MAX_SEATS
    add_worths(state, Areas() if areas is None else areas, totals, DEFAULTS if weights is None else weights)
    return listed(totals, 0, state.seats)


def add_worths(state: State, areas: Areas, totals: Doubles, weights: Weights) -> None:
    """Fill in about how many points every seat will have."""
    roots: Annotated[Shorts, FEATURES] = [0] * FEATURES
    wins: Annotated[Doubles, MAX_SEATS] = [0.0] * MAX_SEATS
    gains: Annotated[Doubles, MAX_SEATS] = [0.0] * MAX_SEATS
    fill_in_hands(state, totals, weights)
    for place in range(features_in_order(state, state.follower_nodes, state.follower_count, roots)):
        promise(state, roots[place], areas, wins, gains, 0, weights)
        for seat in range(state.seats):
            totals[seat] += wins[seat]
            totals[seat] += gains[seat]
    for wall in range(state.wall_count):
        if state.wall_guards[wall] != NOBODY:
            totals[state.wall_guards[wall]] += weights.guard * points_in_row(state, state.wall_sides[wall])


def lead(totals: Doubles, seats: Int, seat: Int, weights: Weights) -> Float:
    """Return our points less a share of the best opponent's."""
    best = -1.0  # points are never negative
    for other in range(seats):
        if other != seat and totals[other] > best:
            best = totals[other]
    return totals[seat] - weights.envy * best


def to_come(state: State) -> Float:
    """Return how much of the deck is left."""
    return state.deck_count / TILES


def fill_in_hands(state: State, totals: Doubles, weights: Weights) -> None:
    """Fill in what every seat has scored, and what its followers at hand are worth."""
    left = to_come(state)
    for seat in range(state.seats):
        totals[seat] = state.scores[seat] + left * weights.at_hand[state.supply[seat]]


def promise(state: State, root: Int, areas: Areas, wins: Doubles, gains: Doubles, at: Int, weights: Weights) -> None:
    """Fill in, for every seat, what a feature promises: its points to those with most followers there.

    Followers on a complete street or market are about to come home, and are then at hand: `gains`. Both are counted
    one after the other.
    """
    crowd = state.crowds[root]
    points = promised_points(state, root, areas, weights)
    winners = majority(crowd)
    for place in range(at, at + state.seats):
        wins[place] = points if winners & 1 else 0.0
        gains[place] = 0.0
        winners >>= 1
    if not state.open_sides[root] and state.kinds[root] != RESIDENTIAL:
        left = weights.home * to_come(state)
        for seat in range(state.seats):
            held = state.supply[seat]
            gains[at + seat] = left * (weights.at_hand[held + followers_in(crowd, seat)] - weights.at_hand[held])


def promised_points(state: State, root: Int, areas: Areas, weights: Weights) -> Float:
    """Return what a feature is worth to who has most followers there, with an area's markets as they are kept."""
    if state.kinds[root] == RESIDENTIAL:
        return weights.area * RESIDENT_POINTS * markets_kept(state, root, areas)
    return feature_points(state, root, weights)


def feature_points(state: State, root: Int, weights: Weights) -> Float:
    """Return what a street, market or area is worth to who has most followers there, with some hope of growth."""
    kind = state.kinds[root]
    if kind == STREET:
        return street_value(tiles_in(state, root)) + weights.street_growth * to_come(state) * state.open_sides[root]
    if kind == MARKET:
        kinds = kinds_in(state, root)
        hope = weights.market_growth * kinds * to_come(state) * state.open_sides[root]
        return market_value(tiles_in(state, root), kinds) + hope
    return weights.area * RESIDENT_POINTS * markets_at(state, root)


def points_in_row(state: State, side: Int) -> Int:
    """C9.2, C12.6: what a guard on a wall sees along its row."""
    cell = side >> 2
    points = 0
    step = STEP[side + 2 & 3]
    spot = state.spots[cell % PLACES]
    while spot > 0:
        points += GUARDED[state.turned[spot - 1] >> 2]
        cell += step
        spot = state.spots[cell % PLACES]
    return points


def absence(state: State, seat: Int, stays: Float, weights: Weights) -> Float:
    """Return what a follower is worth at hand, which is lost while he stands on a feature."""
    follower = weights.at_hand[state.supply[seat]] - weights.at_hand[state.supply[seat] - 1]
    return stays * follower * state.deck_count / TILES
