"""C11 and C12: the end of the game, the closing, the final scoring and the ranking."""

from __future__ import annotations

from typing import Annotated

from referee.game import Outcome
from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.boundary import first_boundary_side, next_side
from referee.games.carcassonne_city.codes import (
    AREA_SCORED,
    FOLLOWERS_REMOVED,
    GAME_ENDED,
    GUARD_SCORED,
)
from referee.games.carcassonne_city.components import MARKET_SIDE, STRIDE
from referee.games.carcassonne_city.events import Ending
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import take_followers
from referee.games.carcassonne_city.grid import PLACES, STEP
from referee.games.carcassonne_city.scoring import first_cell, first_index, majority, pay, score_complete
from referee.games.carcassonne_city.state import (
    ENDINGS,
    FEATURES,
    NOBODY,
    NOTHING,
    State,
    gap,
    number_at,
    piece_on,
    tile_of,
    wall_supply,
)
from referee.games.carcassonne_city.tiles import (
    AREA_SIDES,
    HISTORIC,
    NODES,
    PUBLIC,
    RESIDENTIAL,
    TOUCHED,
    part_on_side,
    side_kind,
)
from referee.games.carcassonne_city.walls import close_side
from referee.rows import Events, Int, Ints, Smalls, listed

WALLS_EXHAUSTED = Ending.WALLS_EXHAUSTED.value
RING_NEARLY_CLOSED = Ending.RING_NEARLY_CLOSED.value
TILES_EXHAUSTED = Ending.TILES_EXHAUSTED.value


def ending_now(state: State) -> Int:
    """C11.1 - C11.4: the first reason that holds at the end of a turn, or NOTHING."""
    if wall_supply(state) == 0:
        return WALLS_EXHAUSTED
    if state.gate != NOTHING and gap(state) < box.END_WHEN_GAP_BELOW:
        return RING_NEARLY_CLOSED
    return NOTHING if state.deck_count else TILES_EXHAUSTED


def finish(state: State, reason: Int, events: Events) -> None:
    """C11.5, C12.1: close the ring and score what is left."""
    state.ending = reason
    events.tell(GAME_ENDED, reason)
    close_ring(state, events)
    remove_followers(state, events)
    score_residents(state, events)
    score_guards(state, events)


def close_ring(state: State, events: Events) -> None:
    """C11.6: what is complete once the whole outer boundary counts as walled is scored, all together."""
    roots: Annotated[Ints, FEATURES] = [0] * FEATURES
    score_complete(state, roots, close_boundary(state, roots), events)


def close_boundary(state: State, roots: Ints) -> Int:
    """C11.6: close all sides of the outer boundary without a piece.

    Fill in the streets and markets with followers that reach them, and return how many there are.
    """
    count = 0
    start = first_boundary_side(state)
    side = start
    while True:
        if not piece_on(state, side):
            count = close_side(state, side, roots, count)
        side = next_side(state, side, 0)
        if side == start:
            return count


def remove_followers(state: State, events: Events) -> None:
    """C11.7: travellers and merchants still on the board leave it without points."""
    removed = 0
    place = 0
    while place < state.follower_count:
        node = state.follower_nodes[place]
        if state.kinds[node] == RESIDENTIAL:
            place += 1
        else:
            removed += take_followers(state, find(state, node))  # which brings others to this place
            place = 0
    if removed:
        events.tell(FOLLOWERS_REMOVED, removed)


def markets_at(state: State, area: Int) -> Int:
    """C12.4: how many markets touch a residential area."""
    is_counted: Annotated[Smalls, NODES] = [0] * NODES
    count = 0
    node = area
    while True:
        number = state.part_numbers[node] // STRIDE
        part = state.part_numbers[node] % STRIDE
        turned = state.turned[number]
        touched = TOUCHED[STRIDE * (turned >> 2) + part]
        market = node - part
        while touched:
            if touched & 1:
                root = find(state, market)
                count += 1 - is_counted[root]
                is_counted[root] = 1
            touched >>= 1
            market += 1
        sides = AREA_SIDES[STRIDE * turned + part]
        side = 0
        while sides:
            if sides & 1:
                there = state.spots[(state.cells[number] + STEP[side]) % PLACES] - 1
                if there >= 0 and side_kind(state.turned[there], side + 2 & 3) == MARKET_SIDE:
                    market = state.first_nodes[there] + part_on_side(state.turned[there], side + 2 & 3)
                    root = find(state, market)
                    count += 1 - is_counted[root]
                    is_counted[root] = 1
            sides >>= 1
            side += 1
        node = state.nexts[node]
        if node == area:
            return count


def score_residents(state: State, events: Events) -> None:
    """C12.2, C12.3: the owners of each area with residents are paid for every different market that touches it."""
    areas: Annotated[Ints, FEATURES] = [0] * FEATURES
    count = 0
    for follower in range(state.follower_count):
        area = find(state, state.follower_nodes[follower])
        place = count
        while place and state.firsts[areas[place - 1]] > state.firsts[area]:
            place -= 1
        if place and areas[place - 1] == area:
            continue
        for later in range(count, place, -1):
            areas[later] = areas[later - 1]
        areas[place] = area
        count += 1
    for place in range(count):
        area = areas[place]
        markets = markets_at(state, area)
        owners = majority(state, state.crowds[area])
        pay(state, owners, box.RESIDENT_POINTS * markets)
        told = events.tell(
            AREA_SCORED, first_cell(state, area), first_index(state, area), markets, box.RESIDENT_POINTS * markets
        )
        events.words[told + 4] = owners


def score_guards(state: State, events: Events) -> None:
    """C12.6: each guard is paid for the public and historic buildings in its row, in the order of building."""
    for wall in range(state.wall_count):
        seat = state.wall_guards[wall]
        if seat == NOBODY:
            continue
        side = state.wall_sides[wall]
        cell = side >> 2
        public = 0
        historic = 0
        while state.spots[cell % PLACES] > 0:
            tile = tile_of(state, number_at(state, cell))
            public += PUBLIC[tile]
            historic += HISTORIC[tile]
            cell += STEP[side + 2 & 3]
        points = box.GUARD_PUBLIC * public + box.GUARD_HISTORIC * historic
        state.scores[seat] += points
        events.tell(GUARD_SCORED, seat, side, public, historic, points)


def outcome(state: State) -> Outcome | None:
    """C12.7: a seat's rank is one more than the number of seats with more points."""
    ending: Int = state.ending
    if ending == NOTHING:
        return None
    scores = tuple(listed(state.scores, 0, state.seats))
    ranks = tuple([1 + sum([other > score for other in scores]) for score in scores])
    return Outcome(ranks, scores, ENDINGS[ending].name.lower())
