"""N9: the table of decisions: which chapter answers for which step."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.codes import (
    DECLINE_TRADE,
    END_TURN,
    PICK_NOBODY,
    SKIP_FREE_WALL,
    Choice,
)
from referee.games.nuremberg.council import check_swap, default_swap, grant_chip, resolve_swap, swap_options
from referee.games.nuremberg.event_phase import (
    check_free_wall,
    free_wall_options,
    offer_free_wall,
    resolve_free_wall,
    start_turn,
)
from referee.games.nuremberg.main_phase import check_main, main_options, resolve_main
from referee.games.nuremberg.robber import (
    check_discard,
    check_move,
    check_robbery,
    default_discard,
    default_move,
    default_robbery,
    move_options,
    resolve_discards,
    resolve_move,
    resolve_robbery,
    robbery_options,
)
from referee.games.nuremberg.scoring import ends_by_victory
from referee.games.nuremberg.setup import check_placement, finish_setup, placement_options, resolve_placement
from referee.games.nuremberg.state import (
    ASK_COUNCIL_SWAP,
    ASK_DISCARDS,
    ASK_PICK,
    ASK_PLACEMENT,
    ASK_REPLY,
    ASK_ROBBER_MOVE,
    ASK_ROBBERY,
    FINISH_SETUP,
    GRANT_CHIPS,
    MAIN_PHASE,
    OFFER_FREE_WALL,
    START_TURN,
    State,
)
from referee.games.nuremberg.trading import (
    check_pick,
    check_reply,
    pick_options,
    reply_options,
    resolve_pick,
    resolve_reply,
)
from referee.rows import Events, Int, Ints, Listing


def list_options(state: State, seat: Int, listing: Listing) -> None:
    """N9: the options of each decision but the discards, which `discards.py` counts."""
    step = state.agenda[state.agenda_count - 1]
    listing.count = 0
    if step == ASK_REPLY:
        reply_options(state, seat, listing)
    elif step == MAIN_PHASE:
        main_options(state, seat, listing)
    elif step == ASK_PICK:
        pick_options(state, seat, listing)
    elif step == OFFER_FREE_WALL:
        free_wall_options(listing)
    elif step == ASK_ROBBER_MOVE:
        move_options(state, listing)
    elif step == ASK_ROBBERY:
        robbery_options(state, seat, listing)
    elif step == ASK_PLACEMENT:
        placement_options(state, listing)
    elif step == ASK_COUNCIL_SWAP:
        swap_options(state, seat, listing)


def default_choice(state: State, seat: Int, listing: Listing) -> Choice:
    """N9, N8.5: the default of each decision; the first placement is found in a listing."""
    step = state.agenda[state.agenda_count - 1]
    if step == ASK_REPLY:
        return Choice(DECLINE_TRADE)
    if step == MAIN_PHASE:
        return Choice(END_TURN)
    if step == ASK_PICK:
        return Choice(PICK_NOBODY)
    if step == OFFER_FREE_WALL:
        return Choice(SKIP_FREE_WALL)
    if step == ASK_DISCARDS:
        return default_discard(state, seat)
    if step == ASK_ROBBER_MOVE:
        return default_move(state, seat)
    if step == ASK_ROBBERY:
        return default_robbery(state, seat)
    if step == ASK_COUNCIL_SWAP:
        return default_swap(state, seat)
    list_options(state, seat, listing)
    return Choice(listing.codes[0])


def check_choice(state: State, seat: Int, action: Action) -> None:
    """N9: refuse what the rules do not allow a seat that is asked, with clause and reason."""
    step = state.agenda[state.agenda_count - 1]
    if step == ASK_REPLY:
        check_reply(state, seat, action)
    elif step == MAIN_PHASE:
        check_main(state, seat, action)
    elif step == ASK_PICK:
        check_pick(state, seat, action)
    elif step == OFFER_FREE_WALL:
        check_free_wall(action)
    elif step == ASK_DISCARDS:
        check_discard(state, seat, action)
    elif step == ASK_ROBBER_MOVE:
        check_move(state, action)
    elif step == ASK_ROBBERY:
        check_robbery(state, seat, action)
    elif step == ASK_COUNCIL_SWAP:
        check_swap(state, seat, action)
    elif step == ASK_PLACEMENT:
        check_placement(state, action)
    else:
        raise IllegalActionError("N9", "nothing is asked now")


def resolve(state: State, choices: Ints, events: Events) -> None:
    """N9: what comes of each decision."""
    state.agenda_count -= 1
    now = state.agenda_count
    step = state.agenda[now]
    seat = state.step_seats[now]
    active = state.active
    if step == ASK_REPLY:
        resolve_reply(state, seat, Choice(choices[seat]), events)
    elif step == MAIN_PHASE:
        resolve_main(state, active, Choice(choices[active]), events)
    elif step == ASK_PICK:
        resolve_pick(state, active, Choice(choices[active]), events)
    elif step == OFFER_FREE_WALL:
        resolve_free_wall(state, seat, Choice(choices[seat]), events)
    elif step == ASK_DISCARDS:
        resolve_discards(state, state.step_counts[now], choices, events)
    elif step == ASK_ROBBER_MOVE:
        resolve_move(state, active, Choice(choices[active]), events)
    elif step == ASK_ROBBERY:
        resolve_robbery(state, active, Choice(choices[active]), events)
    elif step == ASK_COUNCIL_SWAP:
        resolve_swap(state, seat, Choice(choices[seat]), events)
    elif step == ASK_PLACEMENT:
        resolve_placement(state, seat, state.step_counts[now], Choice(choices[seat]), events)


def advance(state: State, events: Events) -> None:
    """Play on through everything automatic to the next decision, or to the end.

    N7.1: victory is checked before an offer and in the main phase: after the event and after each main action.
    """
    while state.agenda_count:
        now = state.agenda_count - 1
        step = state.agenda[now]
        if step == ASK_REPLY:  # the most frequent one
            return
        if step == MAIN_PHASE:
            if not ends_by_victory(state, events):
                return
        elif step == OFFER_FREE_WALL:
            if offer_free_wall(state, state.step_seats[now], events):
                return
        elif step == START_TURN:
            state.agenda_count = now
            start_turn(state, events)
        elif step == GRANT_CHIPS:
            state.agenda_count = now
            grant_chip(state, state.step_seats[now], state.step_counts[now], events)
        elif step == FINISH_SETUP:
            state.agenda_count = now
            finish_setup(state, events)
        else:
            return
