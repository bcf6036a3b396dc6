"""B7 End of turn and B8 End of round."""

from __future__ import annotations

from referee.game import Seat
from referee.games.norenberc import components as box
from referee.games.norenberc.components import CitizenKind
from referee.games.norenberc.events import (
    AgentsUsedUp,
    Event,
    FavouriteChosen,
    GoodTakenBack,
    IncomePaid,
    LodgingRefilled,
    NoFavourite,
    RoundBegan,
    TalersShown,
)
from referee.games.norenberc.hiring import take_artisan
from referee.games.norenberc.pile import draw_guest, return_to_pile
from referee.games.norenberc.planning import begin_turn
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.scoring import scores
from referee.games.norenberc.state import END_ROUND, State, lodging_of, master


def end_turn(state: State, events: list[Event]) -> None:
    """B7.1, B7.2: seats without agents finish; when all have finished the round ends, else another turn begins."""
    for seat in range(state.seats):
        if not state.finished[seat] and not state.supply[seat]:
            state.finished[seat] = 1
            events.append(AgentsUsedUp(seat))
    if all(state.finished):
        state.agenda.push(END_ROUND)
    else:
        state.turn += 1
        begin_turn(state)


def end_round(state: State, events: list[Event]) -> None:
    """B3.7: the seven steps; after the last round only the first three, and then the score."""
    if state.round == box.ROUNDS:
        for step in LAST_ROUND_END:
            step(state, events)
        events.extend(scores(state))
        return
    for step in ROUND_END:
        step(state, events)
    begin_turn(state)


def choose_favourites(state: State, events: list[Event]) -> None:
    """B8.1: step 1; guild by guild, then the Pedlars go."""
    spent = [0] * len(state.pedlars)
    for house in range(state.houses):
        counts = favour_counts(state, house)
        if any(counts):
            reward_favourite(state, house, find_favourite(state, house, counts, events), spent, events)
        else:
            box_master(state, house, events)
    dismiss_pedlars(state, spent, events)


def favour_counts(state: State, house: int) -> list[int]:
    """B8.2: per seat, the loose goods of the guild's type plus four for each Pedlar that stores one."""
    loose = state.loose[house :: state.houses]
    pedlars = state.pedlars[house :: state.houses]
    return [count + box.PEDLAR_COUNTS_AS * stored for count, stored in zip(loose, pedlars, strict=True)]


def find_favourite(state: State, house: int, counts: list[int], events: list[Event]) -> Seat:
    """B8.2: the most goods, then the most talers, then the highest place on the track.

    B8.3: if talers decide, exactly the seats tied on goods show theirs.
    """
    most = max(counts)
    tied = [seat for seat in range(state.seats) if counts[seat] == most]
    if len(tied) == 1:
        return tied[0]
    for seat in tied:
        state.known_talers[seat] = state.talers[seat]
        state.known_rounds[seat] = state.round
    events.append(TalersShown(house + 1, tuple(tied), tuple([state.talers[seat] for seat in tied])))
    return max(tied, key=lambda seat: (state.talers[seat], -state.track.index(seat)))


def reward_favourite(state: State, house: int, seat: Seat, spent: list[int], events: list[Event]) -> None:
    """B8.4: the favourite pays one good and takes the master, a guild blazon and perhaps the prestige blazon.

    Without a loose good a stored one pays; `spent` remembers whose Pedlar then has no good to give back.
    """
    index = seat * state.houses + house
    if state.loose[index]:
        state.loose[index] -= 1
    else:
        spent[index] = 1
    state.stores[house * state.houses + house] += 1
    tiles = remove_master(state, house)
    state.stacks[house] -= 1
    state.blazons[index] += 1
    is_prestige = house == state.prestige_house
    if is_prestige:
        state.prestige_placed = 0
        state.prestige[seat] += 1
    events.append(FavouriteChosen(seat, house + 1, tiles, is_prestige))
    for tile in tiles:
        take_artisan(state, seat, tile, events)


def box_master(state: State, house: int, events: list[Event]) -> None:
    """B8.6: without a favourite the master goes to the box, and so does a prestige blazon lying here."""
    tiles = remove_master(state, house)
    state.discards += tiles
    is_prestige = house == state.prestige_house
    if is_prestige:
        state.prestige_placed = 0
        state.prestige_boxed += 1
    events.append(NoFavourite(house + 1, tiles, is_prestige))


def remove_master(state: State, house: int) -> tuple[int, ...]:
    """B8.4: take S_r out of the shop, in round 4 with U, the tile under it."""
    first = house * box.SHOP_TILES
    slots = [state.round - 1] if state.round < box.ROUNDS else [state.round - 1, box.UNDER_TILE]
    tiles = tuple([state.shops[first + slot] for slot in slots])
    for slot in slots:
        state.shops[first + slot] = box.NO_TILE
    return tiles


def dismiss_pedlars(state: State, spent: list[int], events: list[Event]) -> None:
    """B8.5: in turn order, every Pedlar gives its good back, unless that has paid, and returns to the pile."""
    for seat in state.track:
        for house in range(state.houses):
            index = seat * state.houses + house
            for copy in range(state.pedlars[index]):
                if copy >= spent[index]:
                    state.loose[index] += 1
                    events.append(GoodTakenBack(seat, house + 1))
                return_to_pile(state, box.PEDLAR, events)
            state.pedlars[index] = 0


def recall_agents(state: State, events: list[Event]) -> None:
    """B8.7: step 2; all agents return from the roofs to their owners' supplies, Mayors stay."""
    houses = state.houses
    for seat in range(state.seats):
        state.supply[seat] += sum(state.on_roofs[seat * houses : seat * houses + houses])
    state.on_roofs = [0] * len(state.on_roofs)


def collect_income(state: State, events: list[Event]) -> None:
    """B8.8: step 3; three talers, the Musicians' numbers, and one taler per artisan under a Mayor."""
    income = [box.INCOME] * state.seats
    for tile, seat in zip(state.owned_tiles, state.owned_by, strict=True):
        if box.is_artisan(tile):
            income[seat] += state.mayors[box.guild_of(tile) - 1]  # B6.9
        elif box.kind_of(tile) == CitizenKind.MUSICIAN:
            income[seat] += box.number_of(tile)  # B6.8
    for seat, talers in enumerate(income):
        state.talers[seat] += talers
    events.append(IncomePaid(tuple(income)))


def turn_tokens(state: State, events: list[Event]) -> None:
    """B8.9: step 4; everybody is active again (B3.2)."""
    state.finished = [0] * state.seats
    state.turn = 1


def promote_masters(state: State, events: list[Event]) -> None:
    """B8.10: step 5; the next tile of every shop is its master: S_{r+1}, since the slots keep their names."""
    state.round += 1


def refill_lodgings(state: State, events: list[Event]) -> None:
    """B8.11: step 6; window A is cleared, guests slide left, and the pile fills the windows guild by guild.

    B8.12: when the pile runs out, the windows not reached stay empty.
    """
    for house in range(state.houses):
        discarded, *others = lodging_of(state, house)
        if discarded:
            state.discards.append(discarded)
        guests = [tile for tile in others if tile]
        while len(guests) < box.PANES and state.pile:
            guests.append(draw_guest(state))
        guests += [box.NO_TILE] * (box.PANES - len(guests))
        state.lodgings[house * box.PANES : (house + 1) * box.PANES] = guests
        events.append(LodgingRefilled(house + 1, discarded, tuple(guests)))


def move_prestige(state: State, events: list[Event]) -> None:
    """B8.13: step 7; another guild is the prestige guild, and a new round begins."""
    name_prestige_guild(state)
    masters = tuple([master(state, house) for house in range(state.houses)])
    events.append(RoundBegan(state.round, masters, state.prestige_house + 1))


ROUND_END = (
    choose_favourites,
    recall_agents,
    collect_income,
    turn_tokens,
    promote_masters,
    refill_lodgings,
    move_prestige,
)
LAST_ROUND_END = ROUND_END[:3]
