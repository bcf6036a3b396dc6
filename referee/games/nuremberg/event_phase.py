"""N3, N4: the start of a turn, the event card, the harvest, and every event but the robber knight."""

from __future__ import annotations

from typing import Annotated

from referee.game import IllegalActionError
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, BuildFreeWall, SkipFreeWall
from referee.games.nuremberg.bundles import covers
from referee.games.nuremberg.codes import (
    BUILD_FREE_WALL,
    DECK_RESHUFFLED,
    EVENT_DRAWN,
    FREE_WALL_SKIPPED,
    HARVEST_FELL_SHORT,
    HARVESTED,
    ROAD_TOLL_PAID,
    ROBBER_SENT_HOME,
    SKIP_FREE_WALL,
    TURN_STARTED,
    WALL_BUILT,
    YEARS_PASSED,
    Choice,
    kind_of_choice,
)
from referee.games.nuremberg.components import COMMODITY_COUNT, RESOURCE_COUNT, EventKind
from referee.games.nuremberg.robber import ask_robber
from referee.games.nuremberg.scoring import end_by_time, ends_by_victory
from referee.games.nuremberg.setup import draw_card, shuffle_deck
from referee.games.nuremberg.state import (
    GRANT_CHIPS,
    MAIN_PHASE,
    OFFER_FREE_WALL,
    SEATS,
    State,
    card_count,
    do_next,
    draw_random_card,
    pay,
    purse_of,
)
from referee.games.nuremberg.tables import (
    FREE_WALL_PRICE,
    event_of_card,
    first_corner,
    first_harvest,
    first_site,
    harvested_land,
    has_toll,
    number_of_card,
    resource_of,
    site_at,
)
from referee.rows import Events, Int, Listing, Shorts, Smalls, count_of

YEAR_FIELDS: Shorts = list(box.YEARS)
RESHUFFLE_FIELDS: Smalls = [int(year in box.RESHUFFLE_YEARS) for year in box.YEARS]


def year_of(field: Int) -> Int:
    """N1.8: the year printed on a field of the time track."""
    return YEAR_FIELDS[field]


def start_turn(state: State, events: Events) -> None:
    """N3.1, N3.2: victory check, draw and discard the top card, harvest, then its event; the main phase follows.

    N8.1: the deck cannot run out and no game has more turns than the cap.
    """
    state.turn += 1
    state.main_actions = 0
    state.proposals = 0
    events.tell(TURN_STARTED, state.active, state.turn)
    if ends_by_victory(state, events):
        return
    card = draw_card(state)
    state.card = card
    event = event_of_card(card)
    events.tell(EVENT_DRAWN, card + 1, number_of_card(card), event)
    do_next(state, MAIN_PHASE)
    harvest(state, number_of_card(card), events)
    if event == EventKind.YEARS:
        pass_years(state, events)
    elif event == EventKind.MARGRAVE:
        send_robber_home(state, events)
    elif event == EventKind.FREE_BRICK:
        for offset in range(state.seats - 1, -1, -1):
            do_next(state, OFFER_FREE_WALL, (state.active + offset) % state.seats)
    elif event == EventKind.ROAD_TOLL:
        for road in range(box.ROAD_COUNT):
            if has_toll(card, road):
                collect_road_toll(state, road, events)
    elif event == EventKind.ROBBER_KNIGHT:
        ask_robber(state)


def harvest(state: State, number: Int, events: Events) -> None:
    """N3.3, N3.4: every settlement at a landscape of this number earns a card, unless the robber stands there.

    N3.5: number 0 pays nothing. N3.6: what the bank cannot pay in full goes to a sole claimant or to nobody.
    """
    gains: Annotated[Smalls, SEATS * RESOURCE_COUNT] = [0] * (SEATS * RESOURCE_COUNT)
    demand: Annotated[Smalls, RESOURCE_COUNT] = [0] * RESOURCE_COUNT
    for at in range(first_harvest(number), first_harvest(number + 1)):
        landscape = harvested_land(at)
        if landscape == state.robber:
            continue
        kind = resource_of(landscape)
        for place in range(first_corner(landscape), first_corner(landscape + 1)):
            owner = state.site_owners[site_at(place)]
            if owner != box.NOBODY:
                gains[owner * RESOURCE_COUNT + kind] += 1
                demand[kind] += 1
    for kind in range(RESOURCE_COUNT):
        if demand[kind] > state.bank[kind]:
            events.tell(HARVEST_FELL_SHORT, kind)
            ration(gains, kind, state.seats, state.bank[kind])
    for seat in range(state.seats):
        cards = 0
        for kind in range(RESOURCE_COUNT):
            amount = gains[seat * RESOURCE_COUNT + kind]
            if amount:
                cards |= amount << 5 * kind
                state.hands[seat * COMMODITY_COUNT + kind] += amount
                state.bank[kind] -= amount
        if cards:
            events.tell(HARVESTED, seat, cards)


def ration(gains: Smalls, kind: Int, seats: Int, stock: Int) -> None:
    """N3.6: a sole claimant takes what is left; several get nothing of this kind."""
    claims = 0
    for seat in range(seats):
        claims += 1 if gains[seat * RESOURCE_COUNT + kind] else 0
    for seat in range(seats):
        if gains[seat * RESOURCE_COUNT + kind]:
            gains[seat * RESOURCE_COUNT + kind] = stock if claims == 1 else 0


def pass_years(state: State, events: Events) -> None:
    """N4.2: the time stone advances; red fields reshuffle all cards, the last one ends the game."""
    state.year += 1
    events.tell(YEARS_PASSED, year_of(state.year))
    if RESHUFFLE_FIELDS[state.year]:
        shuffle_deck(state)
        events.tell(DECK_RESHUFFLED)
    if year_of(state.year) == box.FINAL_YEAR:
        end_by_time(state, events)


def send_robber_home(state: State, events: Events) -> None:
    """N4.3: the robber returns to his castle, if he is not there."""
    if state.robber != box.CASTLE:
        state.robber = box.CASTLE
        events.tell(ROBBER_SENT_HOME)


def collect_road_toll(state: State, road: Int, events: Events) -> None:
    """N4.5: each opponent of the wayright's holder owes 1 gold per settlement there, in cards if gold is missing."""
    holder = state.wayrights[road]
    if holder == box.NOBODY:
        return
    for offset in range(state.seats):
        seat = (state.active + offset) % state.seats
        owed = count_of(state.site_owners, first_site(road), first_site(road + 1), seat)
        if seat == holder or not owed:
            continue
        gold = min(owed, state.hands[seat * COMMODITY_COUNT + box.GOLD])
        state.hands[seat * COMMODITY_COUNT + box.GOLD] -= gold
        state.hands[holder * COMMODITY_COUNT + box.GOLD] += gold
        card_toll = min(owed - gold, card_count(state, seat))
        kinds = 0
        for number in range(card_toll):
            kinds |= draw_random_card(state, seat, holder) << 3 * number
        at = events.tell(ROAD_TOLL_PAID, seat, holder, road, gold, card_toll)
        events.words[at + 5] = kinds


def offer_free_wall(state: State, seat: Int, events: Events) -> bool:
    """N4.4: a seat is asked only if it has the gold and a place is left; N7.1: victory is checked after each step.

    Return whether it is asked.
    """
    if ends_by_victory(state, events):
        return False
    if state.walls < box.WALL_PLACES and covers(purse_of(state, seat), FREE_WALL_PRICE):
        return True
    state.agenda_count -= 1
    return False


def free_wall_options(listing: Listing) -> None:
    """N9 free_wall: pass or build."""
    listing.add(SKIP_FREE_WALL)
    listing.add(BUILD_FREE_WALL)


def check_free_wall(action: Action) -> None:
    """N4.4: one wall or none."""
    if not isinstance(action, SkipFreeWall | BuildFreeWall):
        raise IllegalActionError("N4.4", "expected SkipFreeWall or BuildFreeWall")


def resolve_free_wall(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N4.4: one wall for gold alone; prestige and council are settled before the next player is asked."""
    if kind_of_choice(choice) != BUILD_FREE_WALL:
        events.tell(FREE_WALL_SKIPPED, seat)
        return
    pay(state, seat, FREE_WALL_PRICE)
    state.walls += 1
    events.tell(WALL_BUILT, seat, state.walls, 1)
    do_next(state, GRANT_CHIPS, seat, box.WALL_PRESTIGE)
