"""N3, N4: the start of a turn, the event card, the harvest, and every event but the robber knight."""

from __future__ import annotations

from collections.abc import Mapping

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg import events as happenings
from referee.games.nuremberg import state as states
from referee.games.nuremberg.actions import Action, BuildFreeWall, SkipFreeWall
from referee.games.nuremberg.components import EventKind, Resource, Road
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.robber import robber_steps
from referee.games.nuremberg.scoring import end_by_time, ends_by_victory
from referee.games.nuremberg.setup import shuffle_deck
from referee.games.nuremberg.state import State, can_pay, draw_random_card, hand_of, in_turn_order, pay

SKIP = SkipFreeWall()
BUILD = BuildFreeWall()
MAIN_PHASE = states.MainPhase()


def start_turn(state: State, events: list[Event]) -> bool:
    """N3.1, N3.2: victory check, draw and discard the top card, harvest, then its event; the main phase follows.

    N8.1: the deck cannot run out and no game has more turns than the cap.
    """
    state.agenda.done()
    state.turn += 1
    assert state.turn <= box.MAX_TURNS, "N8.1: more turns than the deck allows"
    state.main_actions = state.proposals = 0
    events.append(happenings.TurnStarted(state.active, state.turn))
    if ends_by_victory(state, events):
        return True
    card = state.card = state.deck.pop(0)
    state.discard.append(card)
    events.append(happenings.EventDrawn(card + 1, box.CARD_NUMBERS[card], box.CARD_EVENTS[card]))
    state.agenda.then(MAIN_PHASE)
    harvest(state, box.CARD_NUMBERS[card], events)
    match box.CARD_EVENTS[card]:
        case EventKind.YEARS:
            pass_years(state, events)
        case EventKind.MARGRAVE:
            send_robber_home(state, events)
        case EventKind.FREE_BRICK:
            state.agenda.then(*(states.OfferFreeWall(seat) for seat in in_turn_order(state, state.active)))
        case EventKind.ROAD_TOLL:
            for road in box.CARD_ROADS[card]:
                collect_road_toll(state, road, events)
        case EventKind.ROBBER_KNIGHT:
            state.agenda.then(*robber_steps(state))
        case EventKind.NONE:  # N4.1
            pass
    return True


def harvest(state: State, number: int, events: list[Event]) -> None:
    """N3.3, N3.4: every settlement at a landscape of this number earns a card, unless the robber stands there.

    N3.5: number 0 pays nothing. N3.6: what the bank cannot pay in full goes to a sole claimant or to nobody.
    """
    owners, bank, seats = state.site_owners, state.bank, state.seats
    gains = [0] * (seats * box.RESOURCE_COUNT)
    demand = [0] * box.RESOURCE_COUNT
    for landscape, kind, sites in box.HARVESTS[number]:
        if landscape == state.robber:
            continue
        for site in sites:
            owner = owners[site]
            if owner != box.NOBODY:
                gains[owner * box.RESOURCE_COUNT + kind] += 1
                demand[kind] += 1
    for kind in range(box.RESOURCE_COUNT):
        if demand[kind] > bank[kind]:
            events.append(happenings.HarvestFellShort(Resource(kind)))
            _ration(gains, kind, bank[kind])
    for seat in range(seats):
        cards = tuple(gains[seat * box.RESOURCE_COUNT : (seat + 1) * box.RESOURCE_COUNT])
        if any(cards):
            for kind, amount in enumerate(cards):
                state.hands[seat * box.COMMODITY_COUNT + kind] += amount
                bank[kind] -= amount
            events.append(happenings.Harvested(seat, cards))


def _ration(gains: list[int], kind: int, stock: int) -> None:
    """N3.6: a sole claimant takes what is left; several get nothing of this kind."""
    claims = [place for place in range(kind, len(gains), box.RESOURCE_COUNT) if gains[place]]
    for place in claims:
        gains[place] = stock if len(claims) == 1 else 0


def pass_years(state: State, events: list[Event]) -> None:
    """N4.2: the time stone advances; red fields reshuffle all cards, the last one ends the game."""
    state.year += 1
    year = box.YEARS[state.year]
    events.append(happenings.YearsPassed(year))
    if year in box.RESHUFFLE_YEARS:
        shuffle_deck(state)
        events.append(happenings.DeckReshuffled())
    if year == box.FINAL_YEAR:
        end_by_time(state, events)


def send_robber_home(state: State, events: list[Event]) -> None:
    """N4.3: the robber returns to his castle, if he is not there."""
    if state.robber != box.CASTLE:
        state.robber = box.CASTLE
        events.append(happenings.RobberSentHome())


def collect_road_toll(state: State, road: Road, events: list[Event]) -> None:
    """N4.5: each opponent of the wayright's holder owes 1 gold per settlement there, in cards if gold is missing."""
    holder = state.wayrights[road]
    if holder == box.NOBODY:
        return
    hands = state.hands
    owners = [state.site_owners[site] for site in box.ROAD_SITES[road]]
    for seat in in_turn_order(state, state.active):
        owed = owners.count(seat)
        if seat == holder or not owed:
            continue
        gold = min(owed, hands[seat * box.COMMODITY_COUNT + box.GOLD])
        hands[seat * box.COMMODITY_COUNT + box.GOLD] -= gold
        hands[holder * box.COMMODITY_COUNT + box.GOLD] += gold
        card_count = min(owed - gold, sum(hand_of(state, seat)))
        cards = tuple(Resource(draw_random_card(state, seat, holder)) for _ in range(card_count))
        events.append(happenings.RoadTollPaid(seat, holder, road, gold, card_count, cards))


def offer_free_wall(state: State, events: list[Event]) -> bool:
    """N4.4: a seat is asked only if it has the gold and a place is left; N7.1: victory is checked after each step."""
    if ends_by_victory(state, events):
        return True
    step = state.agenda.now()
    assert isinstance(step, states.OfferFreeWall)
    if state.walls < box.WALL_PLACES and can_pay(state, step.seat, box.FREE_WALL_COST):
        return False
    state.agenda.done()
    return True


def free_wall_options(state: State, step: states.OfferFreeWall, seat: Seat) -> list[Action]:
    """N9 free_wall: pass or build."""
    return [SKIP, BUILD]


def check_free_wall(state: State, step: states.OfferFreeWall, seat: Seat, action: Action) -> None:
    """N4.4: one wall or none."""
    if not isinstance(action, SkipFreeWall | BuildFreeWall):
        raise IllegalActionError("N4.4", "expected SkipFreeWall or BuildFreeWall")


def resolve_free_wall(
    state: State, step: states.OfferFreeWall, choices: Mapping[Seat, Action], events: list[Event]
) -> None:
    """N4.4: one wall for gold alone; prestige and council are settled before the next player is asked."""
    state.agenda.done()
    if not isinstance(choices[step.seat], BuildFreeWall):
        events.append(happenings.FreeWallSkipped(step.seat))
        return
    pay(state, step.seat, box.FREE_WALL_COST)
    state.walls += 1
    events.append(happenings.WallBuilt(step.seat, state.walls, is_free_of_brick=True))
    state.agenda.then(states.GrantChips(step.seat, box.WALL_PRESTIGE))
