"""C7.5 - C8.11: the wall phase, the gate and the walls."""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.boundary import (
    first_boundary_side,
    next_side,
    shut,
    shut_before_wall,
    shut_if_cut,
)
from referee.games.carcassonne_city.codes import (
    BUILD_WALL,
    GATE_PLACED,
    PLACE_GATE,
    WALL_BUILT,
    WALL_PHASE_BEGAN,
    Choice,
    argument_of,
    choice_of,
)
from referee.games.carcassonne_city.components import GATE_REPLACES, MAX_SEATS, PILE_SIZES, WALL_QUOTA
from referee.games.carcassonne_city.features import find, node_on_side, note
from referee.games.carcassonne_city.grid import outer_cell
from referee.games.carcassonne_city.scoring import score_complete
from referee.games.carcassonne_city.state import (
    AGENDA,
    FEATURES,
    FIRST_WALL,
    GATE,
    NOBODY,
    NOTHING,
    State,
    do_next,
    gap,
    number_at,
    wall_supply,
)
from referee.games.carcassonne_city.steps import ASK_GATE, ASK_GUARD, ASK_TOWER, ASK_WALL, Step, step_of
from referee.rows import Events, Int, Ints, Listing, Smalls, sort_part

TABLES = range(MAX_SEATS + 1)
# C8.3, C8.4, by seats x regime and by seats
QUOTAS: Smalls = [quota for seats in TABLES for quota in (0, *WALL_QUOTA.get(seats, (0,) * len(PILE_SIZES)))]
REPLACES: Smalls = [GATE_REPLACES.get(seats, 0) for seats in TABLES]
REGIMES = len(PILE_SIZES) + 1


def begin_wall_phase(state: State, events: Events) -> None:
    """C8.1 - C8.5, C8.11: put the steps of a wall phase on the agenda; the active seat is the trigger."""
    trigger = state.active
    counts: Annotated[Ints, MAX_SEATS] = [0] * MAX_SEATS
    for seat in range(state.seats):
        counts[seat] = QUOTAS[state.seats * REGIMES + state.regime]
        state.last_walls[seat] = NOTHING
    if state.gate == NOTHING:
        counts[trigger] += 1 - REPLACES[state.seats]
    told = events.tell(WALL_PHASE_BEGAN, trigger, state.regime)
    for seat in range(state.seats):
        events.words[told + 2 + seat] = counts[seat]
    plan_after_building(state, state.regime)
    plan_building(state, trigger, counts, state.gate == NOTHING)


def plan_building(state: State, first: Int, counts: Ints, with_gate: bool) -> None:
    """C8.5: who puts up a piece when, beginning with the seat `first`, until nobody has a piece left."""
    steps: Annotated[Ints, AGENDA] = [0] * AGENDA
    planned = 0
    left = 0
    for seat in range(state.seats):
        left += counts[seat]
    seat = first
    while left:
        if counts[seat]:
            counts[seat] -= 1
            left -= 1
            steps[planned] = step_of(ASK_GATE, 0) if with_gate and not planned else step_of(ASK_WALL, seat)
            planned += 1
        seat = (seat + 1) % state.seats
    while planned:
        planned -= 1
        do_next(state, Step(steps[planned]))


def plan_after_building(state: State, regime: Int) -> None:
    """C8.8, C8.9: what follows when all walls stand; in regime 2 the guards came with the walls."""
    do_next(state, step_of(ASK_TOWER, 0))
    if regime == 3:
        for place in range(state.seats - 1, -1, -1):
            do_next(state, step_of(ASK_GUARD, (state.active + place) % state.seats))


def can_build_wall(state: State) -> bool:
    """C7.11, C8.10: building stops for everybody when the supply is empty or the ring is closed."""
    return wall_supply(state) > 0 and gap(state) > 0


def gate_options(state: State, listing: Listing) -> None:
    """C7.5, C13: all sides of the outer boundary, sorted by x, y and direction."""
    start = first_boundary_side(state)
    side = start
    first = listing.count
    while True:
        listing.add(choice_of(PLACE_GATE, side))
        side = next_side(state, side, 0)
        if side == start:
            break
    sort_part(listing.codes, first, listing.count)


def resolve_gate(state: State, choice: Choice, events: Events) -> None:
    """C7.5, C8.4, C8.6: put up the gate and score what it completes."""
    side = argument_of(choice)
    raise_gate(state, side)
    events.tell(GATE_PLACED, state.active, side)
    score_side(state, side, events)


def raise_gate(state: State, side: Int) -> None:
    """C4.4, C7.6: the gate stands here; both ends of the wall start from it."""
    state.gate = side
    put_piece(state, side, GATE)
    state.ends[0] = side
    state.ends[1] = side
    shut(state, outer_cell(side))
    for place in range(state.frontier_count - 1, -1, -1):
        shut_if_cut(state, state.frontier[place] >> 8)


def put_piece(state: State, side: Int, piece: Int) -> None:
    """C7.6: put the gate or a wall on a side."""
    state.pieces[4 * number_at(state, side >> 2) + (side & 3)] = piece
    state.piece_count += 1


def wall_options(listing: Listing) -> None:
    """C7.7, C13, C13.2: both ends, also where they mean the same side."""
    listing.add(choice_of(BUILD_WALL, 0))
    listing.add(choice_of(BUILD_WALL, 1))


def resolve_wall(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """C7.7, C8.6: put up a wall and score what it completes."""
    arm = argument_of(choice)
    side = raise_wall(state, seat, arm)
    events.tell(WALL_BUILT, seat, arm, side, gap(state))
    score_side(state, side, events)


def raise_wall(state: State, seat: Int, arm: Int) -> Int:
    """C7.6, C7.7: put the wall on the next boundary side after that end and return the side."""
    end = state.ends[arm]
    side = next_side(state, end, arm)
    number = state.wall_count
    state.wall_sides[number] = side
    state.wall_arms[number] = arm
    state.wall_builders[number] = seat
    state.wall_guards[number] = NOBODY
    state.wall_count = number + 1
    put_piece(state, side, FIRST_WALL + number)
    state.ends[arm] = side
    state.lengths[arm] += 1
    state.bare[arm] += 1
    state.last_walls[seat] = number
    shut_before_wall(state, end, side)
    return side


def score_side(state: State, side: Int, events: Events) -> None:
    """C6.2, C7.9, C8.6: a piece closes its side; what is complete now is scored and starts no wall phase."""
    roots: Annotated[Ints, FEATURES] = [0] * FEATURES
    score_complete(state, roots, close_side(state, side, roots, 0), events)


def close_side(state: State, side: Int, roots: Ints, count: Int) -> Int:
    """C6.2: close a side; put the street or market that reaches it, if it has followers, on a list of so many."""
    node = node_on_side(state, side)
    if node < 0:
        return count
    root = find(state, node)
    state.open_sides[root] -= 1
    return note(roots, count, root) if state.crowds[root] else count
