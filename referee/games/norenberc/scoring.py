"""B9 End of the game: scoring and ranking."""

from __future__ import annotations

from typing import Annotated

from referee.game import Outcome
from referee.games.norenberc.codes import SEAT_SCORED, event_of
from referee.games.norenberc.components import (
    ALL_TYPES_VP,
    BLAZON_VP,
    MAJORITY_TIE_VP,
    MAJORITY_VP,
    RICHEST_TIE_VP,
    RICHEST_VP,
    TAX_STEP,
    THRESHOLD_VALUE,
    THRESHOLD_VP,
    CitizenKind,
    guild_of,
    is_artisan,
    kind_of,
    number_of,
    value_of,
)
from referee.games.norenberc.events import SeatScored
from referee.games.norenberc.state import HOUSES, SEATS, State
from referee.rows import WORDS, Events, Int, Ints, listed

PLACES = len(MAJORITY_VP)  # that score in a guild
PLACE_VP: Ints = list(MAJORITY_VP)
TIED_PLACE_VP: Ints = list(MAJORITY_TIE_VP)
BLAZON_POINTS: Ints = list(BLAZON_VP)
MAX_COUNTED = len(BLAZON_VP) - 1
COLUMNS = 6  # of a score, before its total


def tell_scores(state: State, events: Events) -> None:
    """B9.1: the score and rank of every seat; goods left over are worth nothing."""
    values: Annotated[Ints, SEATS * HOUSES] = [0] * (SEATS * HOUSES)
    counts: Annotated[Ints, SEATS * HOUSES] = [0] * (SEATS * HOUSES)
    sort_artisans(state, values, counts)
    first = events.count * WORDS + 1
    for seat in range(state.seats):
        own = seat * state.houses
        scored = events.tell(
            SEAT_SCORED, seat, citizen_points(state, seat), majority_points(state, seat, values, counts)
        )
        events.words[scored + 3] = threshold_points(values, own, state.houses)
        events.words[scored + 4] = all_types_points(counts, own, state.houses)
        events.words[scored + 5] = richest_points(state, seat)
        events.words[scored + 6] = blazon_points(state, seat)
        events.words[scored + 7] = 0
        for column in range(1, COLUMNS + 1):
            events.words[scored + 7] += events.words[scored + column]
        events.words[scored + 9] = state.talers[seat]
    rank_seats(state, counts, first, events)


def sort_artisans(state: State, values: Ints, counts: Ints) -> None:
    """B9.1: sort the artisans in front of all seats: by seat and house their value, and how many there are."""
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if is_artisan(tile):
            hand = state.owned_by[place] * state.houses + guild_of(tile) - 1
            values[hand] += value_of(tile)
            counts[hand] += 1


def count_citizens(state: State, seat: Int, kind: Int) -> Int:
    """B6.15: how many citizens of a kind there are; each works on its own."""
    count = 0
    for place in range(state.owned_count):
        if state.owned_by[place] == seat and kind_of(state.owned_tiles[place]) == kind:
            count += 1
    return count


def count_artisans(state: State, seat: Int, value: Int) -> Int:
    """B6.13: how many artisans of a value a seat has."""
    count = 0
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if state.owned_by[place] == seat and is_artisan(tile) and value_of(tile) == value:
            count += 1
    return count


def citizen_points(state: State, seat: Int) -> Int:
    """B9.2: Noblemen their number, Tax collectors one per full ten talers, Foremen one per artisan of their value."""
    points = 0
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if state.owned_by[place] != seat:
            continue
        if kind_of(tile) == CitizenKind.NOBLEMAN:
            points += number_of(tile)  # B6.10
        elif kind_of(tile) == CitizenKind.TAX_COLLECTOR:
            points += state.talers[seat] // TAX_STEP  # B6.11, rounded down
        elif kind_of(tile) == CitizenKind.FOREMAN:
            points += count_artisans(state, seat, number_of(tile))  # B6.13
    return points


def majority_points(state: State, seat: Int, values: Ints, counts: Ints) -> Int:
    """B9.3: the points for the majorities in all guilds, with what the Apprentices add (B9.9)."""
    points = 0
    for house in range(state.houses):
        if not counts[seat * state.houses + house]:
            continue
        won = guild_majority(state, seat, house, values, counts)
        points += won
        if won and guild_place(state, seat, house, values, counts) > 1:  # B6.14: a place that scores, but not the first
            points += count_citizens(state, seat, CitizenKind.APPRENTICE)
    return points


def is_ahead(one: Int, other: Int, values: Ints, counts: Ints) -> bool:
    """B9.3: whether one hand of artisans has more value than another, or the same and more tiles."""
    return values[one] > values[other] or (values[one] == values[other] and counts[one] > counts[other])


def guild_place(state: State, seat: Int, house: Int, values: Ints, counts: Ints) -> Int:
    """B9.6: the place of a seat in a guild counts the players before it."""
    place = 1
    for other in range(state.seats):
        if is_ahead(other * state.houses + house, seat * state.houses + house, values, counts):
            place += 1
    return place


def guild_majority(state: State, seat: Int, house: Int, values: Ints, counts: Ints) -> Int:
    """B9.4: the points of a seat that is ranked in a guild, by its place and whether it shares that."""
    own = seat * state.houses + house
    place = guild_place(state, seat, house, values, counts)
    if place > PLACES:
        return 0
    for other in range(state.seats):
        hand = other * state.houses + house
        if other != seat and values[hand] == values[own] and counts[hand] == counts[own]:
            return TIED_PLACE_VP[place - 1]
    if place == 1:
        return PLACE_VP[0] + unclaimed_points(state, house, counts)
    return PLACE_VP[place - 1]


def unclaimed_points(state: State, house: Int, counts: Ints) -> Int:
    """B9.5: a sole first also gets the points of places that nobody is ranked for, but never those lost by a tie."""
    ranked = 0
    for seat in range(state.seats):
        if counts[seat * state.houses + house]:
            ranked += 1
    points = 0
    for place in range(ranked, PLACES):
        points += PLACE_VP[place]
    return points


def threshold_points(values: Ints, own: Int, houses: Int) -> Int:
    """B9.7: two points for every guild with artisans of a value of thirty."""
    points = 0
    for hand in range(own, own + houses):
        if values[hand] >= THRESHOLD_VALUE:
            points += THRESHOLD_VP
    return points


def all_types_points(counts: Ints, own: Int, houses: Int) -> Int:
    """B9.7: five points for artisans of every guild."""
    for hand in range(own, own + houses):
        if not counts[hand]:
            return 0
    return ALL_TYPES_VP


def richest_points(state: State, seat: Int) -> Int:
    """B9.7: five points for the most talers, two each if several share the most."""
    sharing = 0
    for other in range(state.seats):
        if state.talers[other] > state.talers[seat]:
            return 0
        if state.talers[other] == state.talers[seat]:
            sharing += 1
    return RICHEST_VP if sharing == 1 else RICHEST_TIE_VP


def blazon_points(state: State, seat: Int) -> Int:
    """B9.8: by the number of different guild blazons, prestige blazons and Engravers (B6.12)."""
    different = state.prestige[seat] + count_citizens(state, seat, CitizenKind.ENGRAVER)
    for house in range(state.houses):
        if state.blazons[seat * state.houses + house]:
            different += 1
    return BLAZON_POINTS[min(different, MAX_COUNTED)]


def rank_seats(state: State, counts: Ints, first: Int, events: Events) -> None:
    """B9.10: by points, then artisan tiles, then the best artisan; equal seats share a rank (1, 2, 2, 4)."""
    keys: Annotated[Ints, SEATS] = [0] * SEATS
    for seat in range(state.seats):
        tiles = 0
        for house in range(state.houses):
            tiles += counts[seat * state.houses + house]
        keys[seat] = events.words[first + seat * WORDS + 7] * 10_000 + tiles * 100 + best_artisan(state, seat)
    for seat in range(state.seats):
        rank = 1
        for other in range(state.seats):
            if keys[other] > keys[seat]:
                rank += 1
        events.words[first + seat * WORDS + 8] = rank


def best_artisan(state: State, seat: Int) -> Int:
    """B9.10: the highest value of a seat's artisans, 0 without any."""
    best = 0
    for place in range(state.owned_count):
        tile = state.owned_tiles[place]
        if state.owned_by[place] == seat and is_artisan(tile):
            best = max(best, value_of(tile))
    return best


def scores(state: State) -> tuple[SeatScored, ...]:
    """B9.1: the score and rank of every seat, as values."""
    events = Events()
    tell_scores(state, events)
    words = listed(events.words, 0, events.count * WORDS)
    table = (state.seats, state.houses)
    return tuple(event_of(words[at : at + WORDS], table) for at in range(0, len(words), WORDS))  # type: ignore[misc]


def final_outcome(state: State) -> Outcome:
    """B9.10: the ranks and points of a finished match."""
    results = scores(state)
    return Outcome(
        ranks=tuple(result.rank for result in results),
        scores=tuple(result.total for result in results),
        reason="four rounds are over",
    )
