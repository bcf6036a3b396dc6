"""B7 End of turn and B8 End of round."""

from __future__ import annotations

from typing import Annotated

from referee.games.norenberc.codes import (
    AGENTS_USED_UP,
    FAVOURITE_CHOSEN,
    GOOD_TAKEN_BACK,
    INCOME_PAID,
    LODGING_REFILLED,
    NO_FAVOURITE,
    ROUND_BEGAN,
    TALERS_SHOWN,
)
from referee.games.norenberc.components import (
    INCOME,
    NO_TILE,
    PANES,
    PEDLAR,
    PEDLAR_COUNTS_AS,
    ROUNDS,
    SHOP_TILES,
    UNDER_TILE,
    CitizenKind,
    guild_of,
    is_artisan,
    kind_of,
    number_of,
)
from referee.games.norenberc.hiring import take_artisan
from referee.games.norenberc.pile import draw_guest, return_to_pile
from referee.games.norenberc.planning import begin_turn
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.scoring import tell_scores
from referee.games.norenberc.state import END_ROUND, HOUSES, SEATS, State, discard, do_next, master
from referee.rows import Events, Int, Smalls


def end_turn(state: State, events: Events) -> None:
    """B7.1, B7.2: seats without agents finish; when all have finished the round ends, else another turn begins."""
    active = 0
    for seat in range(state.seats):
        if not state.finished[seat] and not state.supply[seat]:
            state.finished[seat] = 1
            events.tell(AGENTS_USED_UP, seat)
        active += 1 - state.finished[seat]
    if not active:
        do_next(state, END_ROUND)
    else:
        state.turn += 1
        begin_turn(state)


def end_round(state: State, events: Events) -> None:
    """B3.7: the seven steps; after the last round only the first three, and then the score."""
    choose_favourites(state, events)
    recall_agents(state)
    collect_income(state, events)
    if state.round == ROUNDS:
        tell_scores(state, events)
        return
    turn_tokens(state)
    promote_masters(state)
    refill_lodgings(state, events)
    move_prestige(state, events)
    begin_turn(state)


def choose_favourites(state: State, events: Events) -> None:
    """B8.1: step 1; guild by guild, then the Pedlars go."""
    spent: Annotated[Smalls, SEATS * HOUSES] = [0] * (SEATS * HOUSES)
    for house in range(state.houses):
        most = highest_favour(state, house)
        if most:
            reward_favourite(state, house, find_favourite(state, house, most, events), spent, events)
        else:
            box_master(state, house, events)
    dismiss_pedlars(state, spent, events)


def favour_count(state: State, house: Int, seat: Int) -> Int:
    """B8.2: the loose goods of the guild's type plus four for each Pedlar that stores one."""
    place = seat * state.houses + house
    return state.loose[place] + PEDLAR_COUNTS_AS * state.pedlars[place]


def highest_favour(state: State, house: Int) -> Int:
    """B8.2: the most that any seat has to show in a guild."""
    most = 0
    for seat in range(state.seats):
        most = max(most, favour_count(state, house, seat))
    return most


def find_favourite(state: State, house: Int, most: Int, events: Events) -> Int:
    """B8.2: the most goods, then the most talers, then the highest place on the track.

    B8.3: if talers decide, exactly the seats tied on goods show theirs.
    """
    best = -1
    tied = 0
    for seat in state.track[: state.seats]:
        if favour_count(state, house, seat) == most:
            tied += 1
            if best < 0 or state.talers[seat] > state.talers[best]:
                best = seat
    if tied > 1:
        show_talers(state, house, most, events)
    return best


def show_talers(state: State, house: Int, most: Int, events: Events) -> None:
    """B8.3: the seats tied on goods show their talers."""
    shown = events.tell(TALERS_SHOWN, house + 1)
    for seat in range(state.seats):
        if favour_count(state, house, seat) == most:
            state.known_talers[seat] = state.talers[seat]
            state.known_rounds[seat] = state.round
            events.words[shown + 1] |= 1 << seat
            events.words[shown + 2 + seat] = state.talers[seat]


def reward_favourite(state: State, house: Int, seat: Int, spent: Smalls, events: Events) -> None:
    """B8.4: the favourite pays one good and takes the master, a guild blazon and perhaps the prestige blazon.

    Without a loose good a stored one pays; `spent` remembers whose Pedlar then has no good to give back.
    """
    place = seat * state.houses + house
    if state.loose[place]:
        state.loose[place] -= 1
    else:
        spent[place] = 1
    state.stores[house * state.houses + house] += 1
    tile = master(state, house)
    under = tile_under(state, house)
    remove_master(state, house)
    state.stacks[house] -= 1
    state.blazons[place] += 1
    is_prestige = 1 if house == state.prestige_house else 0
    if is_prestige:
        state.prestige_placed = 0
        state.prestige[seat] += 1
    events.tell(FAVOURITE_CHOSEN, seat, house + 1, tile, under, is_prestige)
    take_artisan(state, seat, tile, events)
    if under:
        take_artisan(state, seat, under, events)


def box_master(state: State, house: Int, events: Events) -> None:
    """B8.6: without a favourite the master goes to the box, and so does a prestige blazon lying here."""
    tile = master(state, house)
    under = tile_under(state, house)
    remove_master(state, house)
    discard(state, tile)
    if under:
        discard(state, under)
    is_prestige = 1 if house == state.prestige_house else 0
    if is_prestige:
        state.prestige_placed = 0
        state.prestige_boxed += 1
    events.tell(NO_FAVOURITE, house + 1, tile, under, is_prestige)


def tile_under(state: State, house: Int) -> Int:
    """B8.4: U, the tile under the master, which goes with it in round 4; none before."""
    if state.round < ROUNDS:
        return NO_TILE
    return state.shops[house * SHOP_TILES + UNDER_TILE]


def remove_master(state: State, house: Int) -> None:
    """B8.4: take S_r out of the shop, in round 4 with U, the tile under it."""
    state.shops[house * SHOP_TILES + state.round - 1] = NO_TILE
    if state.round == ROUNDS:
        state.shops[house * SHOP_TILES + UNDER_TILE] = NO_TILE


def dismiss_pedlars(state: State, spent: Smalls, events: Events) -> None:
    """B8.5: in turn order, every Pedlar gives its good back, unless that has paid, and returns to the pile."""
    for seat in state.track[: state.seats]:
        for house in range(state.houses):
            place = seat * state.houses + house
            for copy in range(state.pedlars[place]):
                if copy >= spent[place]:
                    state.loose[place] += 1
                    events.tell(GOOD_TAKEN_BACK, seat, house + 1)
                return_to_pile(state, PEDLAR, events)
            state.pedlars[place] = 0


def recall_agents(state: State) -> None:
    """B8.7: step 2; all agents return from the roofs to their owners' supplies, Mayors stay."""
    for seat in range(state.seats):
        for house in range(state.houses):
            state.supply[seat] += state.on_roofs[seat * state.houses + house]
            state.on_roofs[seat * state.houses + house] = 0


def collect_income(state: State, events: Events) -> None:
    """B8.8: step 3; three talers, the Musicians' numbers, and one taler per artisan under a Mayor."""
    income = events.tell(INCOME_PAID, INCOME, INCOME, INCOME, INCOME, INCOME)
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if is_artisan(tile):
            events.words[income + state.owned_by[place]] += state.mayors[guild_of(tile) - 1]  # B6.9
        elif kind_of(tile) == CitizenKind.MUSICIAN:
            events.words[income + state.owned_by[place]] += number_of(tile)  # B6.8
    for seat in range(state.seats):
        state.talers[seat] += events.words[income + seat]


def turn_tokens(state: State) -> None:
    """B8.9: step 4; everybody is active again (B3.2)."""
    for seat in range(state.seats):
        state.finished[seat] = 0
    state.turn = 1


def promote_masters(state: State) -> None:
    """B8.10: step 5; the next tile of every shop is its master: S_{r+1}, since the slots keep their names."""
    state.round += 1


def refill_lodgings(state: State, events: Events) -> None:
    """B8.11: step 6; window A is cleared, guests slide left, and the pile fills the windows guild by guild.

    B8.12: when the pile runs out, the windows not reached stay empty.
    """
    for house in range(state.houses):
        first = house * PANES
        discarded = state.lodgings[first]
        if discarded:
            discard(state, discarded)
        guests = 0
        for pane in range(1, PANES):
            if state.lodgings[first + pane]:
                state.lodgings[first + guests] = state.lodgings[first + pane]
                guests += 1
        refilled = events.tell(LODGING_REFILLED, house + 1, discarded)
        for pane in range(PANES):
            if pane >= guests:
                state.lodgings[first + pane] = draw_guest(state) if state.pile_count else NO_TILE
            events.words[refilled + 2 + pane] = state.lodgings[first + pane]


def move_prestige(state: State, events: Events) -> None:
    """B8.13: step 7; another guild is the prestige guild, and a new round begins."""
    name_prestige_guild(state)
    began = events.tell(ROUND_BEGAN, state.round, state.prestige_house + 1)
    for house in range(state.houses):
        events.words[began + 2 + house] = master(state, house)
