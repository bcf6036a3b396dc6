"""F3, F4, F5, F9, F11: what happens without being asked: a round begins, turns follow each other, a round ends."""

from __future__ import annotations

from referee.games.furstenfeld.codes import (
    CARDS_DRAWN,
    GOODS_HARVESTED,
    PRICE_BITS,
    PRICES_ADJUSTED,
    ROUND_STARTED,
)
from referee.games.furstenfeld.components import (
    BASE_DRAW,
    CARD_COUNT,
    GOOD_COUNT,
    LOT_COUNT,
    MAX_BUILDS,
    MAX_RISE,
    MAX_ROUNDS,
    MIN_KEEP,
    PARTS_TO_WIN,
    PRICE_MAX,
)
from referee.games.furstenfeld.effects import EXTRA_DRAW, HARVEST, MAX_EXCHANGE, MAX_SCRAP
from referee.games.furstenfeld.scoring import most_parts, tell_end
from referee.games.furstenfeld.state import (
    ASK_BREWERY,
    ASK_BUILD,
    ASK_DISCARD,
    ASK_EXCHANGE,
    ASK_SCRAP,
    ASK_STORE,
    END_ROUND,
    FIRST_AUTOMATIC,
    SEATS,
    START_ROUND,
    TAKE_TURN,
    State,
    do_next,
    visible,
)
from referee.rows import Events, Int, Smalls, copy_part, sort_part

TURN: Smalls = [ASK_STORE, ASK_DISCARD, ASK_SCRAP, ASK_BUILD, ASK_BREWERY, ASK_EXCHANGE]  # the first step last
TURN_LENGTH = 6
TURN_SEATS: Smalls = [seat for seat in range(SEATS) for _ in range(TURN_LENGTH)]
TURN_COUNTS: Smalls = [0] * TURN_LENGTH


def begin_turn(state: State, seat: Int) -> None:
    """F3.3: one seat's phases 3, 4 and 5, one directly after the other."""
    place = state.agenda_count
    copy_part(TURN, 0, TURN_LENGTH, state.agenda, place)
    copy_part(TURN_SEATS, seat * TURN_LENGTH, (seat + 1) * TURN_LENGTH, state.step_seats, place)
    copy_part(TURN_COUNTS, 0, TURN_LENGTH, state.step_counts, place)
    state.agenda_count = place + TURN_LENGTH


def begin_turns(state: State, first: Int) -> None:
    """F3.1, F3.3, F3.4: the turns of the seats from this place of the order, then the end of the round."""
    do_next(state, END_ROUND)
    for place in range(state.seats - 1, first - 1, -1):
        do_next(state, TAKE_TURN, state.turn_order[place])


def advance(state: State, events: Events) -> None:
    """F3.2: carry out everything that asks nobody, up to the next decision or the end of the game."""
    while state.agenda_count:
        now = state.agenda_count - 1
        step = state.agenda[now]
        seat = state.step_seats[now]
        if step < FIRST_AUTOMATIC and not is_passed_over(state, step, seat, state.step_counts[now]):
            return
        state.agenda_count = now
        if step == TAKE_TURN:
            begin_turn(state, seat)
        elif step == END_ROUND:
            end_round(state, events)
        elif step == START_ROUND:
            start_round(state, events)


def is_passed_over(state: State, step: Int, seat: Int, count: Int) -> bool:
    """F12: whether a step of the turn asks nothing: no market, two cards built, no rag collector, one card left."""
    if step == ASK_DISCARD:
        return state.hand_count[seat] <= MIN_KEEP
    if step == ASK_BUILD:
        return count >= MAX_BUILDS
    if step == ASK_EXCHANGE:
        return not visible(state, seat, MAX_EXCHANGE)
    if step == ASK_SCRAP:
        return count >= visible(state, seat, MAX_SCRAP)
    return False


# The beginning of a round


def start_round(state: State, events: Events) -> None:
    """F3.1, F3.2: phases 1 and 2 of all seats, then their turns."""
    state.round_number += 1
    started = events.tell(ROUND_STARTED, state.round_number)
    for place in range(state.seats):
        events.words[started + 1 + place] = state.turn_order[place]
    for seat in range(state.seats):
        state.income[seat] = 0
        draw(state, seat, events)
    for seat in range(state.seats):
        harvest(state, seat, events)
    begin_turns(state, 0)


def draw(state: State, seat: Int, events: Events) -> None:
    """F4.1 to F4.4, F10.4: three cards and those of the laboratories, as far as the deck goes."""
    count = BASE_DRAW + visible(state, seat, EXTRA_DRAW)
    drawn = min(count, state.deck_count[seat])
    top = seat * CARD_COUNT
    free = top + state.hand_count[seat]
    copy_part(state.deck, top, top + drawn, state.hand, free)
    copy_part(state.deck, top + drawn, top + state.deck_count[seat], state.deck, top)
    sort_part(state.hand, free, free + drawn)
    told = events.tell(CARDS_DRAWN, seat, drawn)
    for place in range(drawn):
        events.words[told + 2 + place] = state.hand[free + place]
    state.hand_count[seat] += drawn
    state.deck_count[seat] -= drawn
    state.unseen[seat] = max(0, state.unseen[seat] - count)
    sort_part(state.hand, top, free + drawn)


def harvest(state: State, seat: Int, events: Events) -> None:
    """F5.1, F5.2, F10.1: every visible field produces; the goods join those in the warehouse."""
    hops = 0
    barley = 0
    water = 0
    for shown in state.lots[seat * LOT_COUNT : seat * LOT_COUNT + LOT_COUNT]:
        hops += HARVEST[shown * GOOD_COUNT]
        barley += HARVEST[shown * GOOD_COUNT + 1]
        water += HARVEST[shown * GOOD_COUNT + 2]
    state.goods[seat * GOOD_COUNT] += hops
    state.goods[seat * GOOD_COUNT + 1] += barley
    state.goods[seat * GOOD_COUNT + 2] += water
    events.tell(GOODS_HARVESTED, seat, hops, barley, water)


# The end of a round


def end_round(state: State, events: Events) -> None:
    """F3.4, F11.1 to F11.3: adjust prices and go on; or end the game, after a finished palace or the last round."""
    if state.round_number >= MAX_ROUNDS or most_parts(state) == PARTS_TO_WIN:
        tell_end(state, events)
        return
    adjust_prices(state, events)
    next_turn_order(state)
    do_next(state, START_ROUND)


def adjust_prices(state: State, events: Events) -> None:
    """F9.1 to F9.3: a price rises by its empty demand spaces, at most 3, not above 3; then all spaces are emptied."""
    adjusted = 0
    for at in range(state.seats * GOOD_COUNT):
        rise = min(MAX_RISE, state.demand[at] - state.placed[at])
        state.prices[at] = min(PRICE_MAX, state.prices[at] + rise)
        state.placed[at] = 0
        adjusted |= state.prices[at] << PRICE_BITS * at
    events.tell(PRICES_ADJUSTED, adjusted)


def next_turn_order(state: State) -> None:
    """F3.5 to F3.7: lower markers first; on the same space the one placed later, which lies on top.

    Markers are placed in turn order, so the placing sequence of the round is its turn order.
    """
    for placed in range(1, state.seats):
        seat = state.turn_order[placed]
        place = placed
        while place and state.marker[state.turn_order[place - 1]] >= state.marker[seat]:
            state.turn_order[place] = state.turn_order[place - 1]
            place -= 1
        state.turn_order[place] = seat
