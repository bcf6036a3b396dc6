"""C3.1 and C13: the course of a turn. Which chapter answers for which step of the agenda.

It stands apart from `game.py` because the heuristic plays on too.
"""

from __future__ import annotations

from referee.games.carcassonne_city.codes import Choice
from referee.games.carcassonne_city.ending import ending_now, finish
from referee.games.carcassonne_city.followers import follower_options, has_follower_decision, place_follower
from referee.games.carcassonne_city.guards import guard_options, has_guard_decision, resolve_guard
from referee.games.carcassonne_city.placing import draw_tile, place_drawn_tile, tile_options
from referee.games.carcassonne_city.scoring import score_tile
from referee.games.carcassonne_city.state import NOTHING, State, do_next
from referee.games.carcassonne_city.steps import (
    ASK_FOLLOWER,
    ASK_GATE,
    ASK_GUARD,
    ASK_TILE,
    ASK_TOWER,
    ASK_WALL,
    CHECK_END,
    DRAW_TILE,
    SCORE_TILE,
    kind_of_step,
    seat_of_step,
    step_of,
)
from referee.games.carcassonne_city.towers import has_tower_decision, resolve_tower, tower_options
from referee.games.carcassonne_city.walls import (
    begin_wall_phase,
    can_build_wall,
    gate_options,
    resolve_gate,
    resolve_wall,
    wall_options,
)
from referee.rows import Events, Int, Listing, Smalls, copy_part

TURN: Smalls = [step_of(kind, 0) for kind in (CHECK_END, SCORE_TILE, ASK_FOLLOWER, ASK_TILE, DRAW_TILE)]
TURN_STEPS = len(TURN)


def begin_turn(state: State) -> None:
    """C3.1: put the steps of a turn on the agenda."""
    copy_part(TURN, 0, TURN_STEPS, state.agenda, state.agenda_count)
    state.agenda_count += TURN_STEPS


def play_on(state: State, events: Events) -> None:
    """C3.1, C3.5, C8.11: play everything that needs no decision, up to the next decision or the end."""
    while state.agenda_count:
        step = state.agenda[state.agenda_count - 1]
        kind = kind_of_step(step)
        if kind == DRAW_TILE:
            state.agenda_count -= 1
            draw_tile(state, events)
            if state.drawn == NOTHING:
                state.agenda_count = 0
                do_next(state, step_of(CHECK_END, 0))  # C3.4
        elif kind == SCORE_TILE:
            state.agenda_count -= 1
            end_placing(state, events)
        elif kind == CHECK_END:
            state.agenda_count -= 1
            end_turn(state, events)
        elif is_question(state, kind, step):
            return
        else:
            state.agenda_count -= 1  # nobody has to answer


def is_question(state: State, kind: Int, step: Int) -> bool:
    """C13: return whether a step of this kind asks a seat for a decision now."""
    if kind in (ASK_TILE, ASK_GATE):
        return True
    if kind == ASK_FOLLOWER:
        return has_follower_decision(state)
    if kind == ASK_WALL:
        return can_build_wall(state)
    if kind == ASK_GUARD:
        return has_guard_decision(state, seat_of_step(step))
    return kind == ASK_TOWER and has_tower_decision(state)


def end_placing(state: State, events: Events) -> None:
    """C3.1 steps 4 and 5, C8.1, C8.2: score what the tile completed; from pile 2 on, a scoring starts a wall phase."""
    scored = score_tile(state, events)
    if scored and state.regime >= 2:
        begin_wall_phase(state, events)


def end_turn(state: State, events: Events) -> None:
    """C3.1 step 6: end the game, or hand the turn to the next seat clockwise."""
    reason = ending_now(state)
    if reason != NOTHING:
        finish(state, reason, events)
        return
    state.active = (state.active + 1) % state.seats
    begin_turn(state)


def seat_asked(state: State) -> Int:
    """C13.1: the seat that the open decision is asked of."""
    step = state.agenda[state.agenda_count - 1]
    kind = kind_of_step(step)
    return seat_of_step(step) if kind in (ASK_WALL, ASK_GUARD) else state.active


def list_options(state: State, listing: Listing) -> None:
    """C13: the options of every decision, in canonical order."""
    kind = kind_of_step(state.agenda[state.agenda_count - 1])
    listing.count = 0
    if kind == ASK_TILE:
        tile_options(state, listing)
    elif kind == ASK_FOLLOWER:
        follower_options(state, listing)
    elif kind == ASK_GATE:
        gate_options(state, listing)
    elif kind == ASK_WALL:
        wall_options(listing)
    elif kind == ASK_GUARD:
        guard_options(listing)
    elif kind == ASK_TOWER:
        tower_options(state, listing)


def resolve(state: State, choice: Choice, events: Events) -> None:
    """C13: carry out the answer to the open decision."""
    state.agenda_count -= 1
    step = state.agenda[state.agenda_count]
    kind = kind_of_step(step)
    if kind == ASK_TILE:
        place_drawn_tile(state, choice, events)
    elif kind == ASK_FOLLOWER:
        place_follower(state, choice, events)
    elif kind == ASK_GATE:
        resolve_gate(state, choice, events)
    elif kind == ASK_WALL:
        if state.regime == 2:
            do_next(state, step_of(ASK_GUARD, seat_of_step(step)))  # C8.7
        resolve_wall(state, seat_of_step(step), choice, events)
    elif kind == ASK_GUARD:
        resolve_guard(state, seat_of_step(step), choice, events)
    elif kind == ASK_TOWER:
        resolve_tower(state, choice, events)
