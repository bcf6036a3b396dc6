"""N10: what each seat may see, as packed arrays of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, TypeAlias, TypeVar

from referee.game import AtMost, PerSeat, Seat, Within, no_such_seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Bundle, Landscape, ResourceCards, SeatNumber
from referee.games.nuremberg.bundles import bundle_in
from referee.games.nuremberg.codes import RESOURCES
from referee.games.nuremberg.components import Color, EventKind, Resource
from referee.games.nuremberg.scoring import points
from referee.games.nuremberg.state import (
    ASK_PICK,
    ASK_REPLY,
    GRANT_CHIPS,
    MAX_DRAWS,
    OFFER_FREE_WALL,
    SEATS,
    UNDECIDED,
    Ending,
    Reply,
    SetUp,
    State,
    asked_seats,
    card_count,
    replies_of,
    seats_in,
)
from referee.rows import Int, Smalls, listed, tupled
from referee.values import quickly_made

T = TypeVar("T")
MAX_SEATS = len(Color)
MAX_PRESTIGE = box.WALL_PLACES * box.WALL_PRESTIGE + box.TOWER_PLACES * box.TOWER_PRESTIGE
MAX_POINTS = box.SETTLEMENTS_PER_PLAYER + box.WORKSHOPS_PER_PLAYER + box.ROAD_COUNT + sum(box.COUNCIL_POINTS)

EventCard: TypeAlias = Annotated[int, Within(1, box.CARD_COUNT)]
Gold: TypeAlias = Annotated[int, Within(0, box.GOLD_TOTAL)]
Site: TypeAlias = Annotated[int, Within(box.NOBODY, box.SITE_COUNT - 1)]
Owner: TypeAlias = Annotated[int, Within(box.NOBODY, MAX_SEATS - 1)]
# What a seat adds up may be off by the cards that it saw only from behind (N10.5), and by what was offered.
Reckoned: TypeAlias = Annotated[int, Within(-box.CARDS_EACH - MAX_DRAWS, box.CARDS_EACH + MAX_DRAWS)]
PerResource = Annotated[tuple[T, ...], AtMost(box.RESOURCE_COUNT)]
PerSeatAndResource = Annotated[tuple[T, ...], AtMost(box.RESOURCE_COUNT, per_seat=True)]
PerSite = Annotated[tuple[T, ...], AtMost(box.SITE_COUNT)]


class DecisionKind(IntEnum):
    """N9: the names of the decision table, numbered as the steps that ask."""

    SETUP_PLACE = 0
    MAIN_ACTION = 1
    TRADE_REPLY = 2
    TRADE_PICK = 3
    FREE_WALL = 4
    DISCARD = 5
    ROBBER_MOVE = 6
    ROBBER_STEAL = 7
    COUNCIL_SWAP = 8


DECISION_KINDS = tuple(DecisionKind)


@dataclass(frozen=True, slots=True)
class Trade:
    """N5.16, N5.17: the open proposal, as seen by the active player, and the replies so far."""

    give: Bundle
    want: Bundle
    replies: PerSeat[Reply]


@quickly_made
@dataclass(frozen=True, slots=True)
class CardDraw:
    """N10.5: a card drawn from a hand (N4.5, N4.6.3); amounts are five, counted as `View.counted_cards` counts them."""

    seat: SeatNumber  # who got the card
    victim: SeatNumber
    resource: Resource | None  # None where the viewer saw only its back
    victim_cards: PerResource[Reckoned]  # the victim's cards just before
    victim_lows: PerResource[Reckoned]  # the victim's `View.least_cards` just before
    seat_lows: PerResource[Reckoned]  # the taker's `View.least_cards` just before


@quickly_made
@dataclass(frozen=True, slots=True)
class View:
    """N10.1, N10.2: everything public, and the composition of the own hand. Owners are seats, -1 is nobody."""

    seat: SeatNumber | None  # whose view this is; None for a spectator
    seat_count: Annotated[int, Within(3, MAX_SEATS)]
    setup: SetUp
    colors: PerSeat[Color]
    first_seat: SeatNumber
    active: SeatNumber
    turn: Annotated[int, Within(0, box.MAX_TURNS)]
    year: Annotated[int, Within(box.YEARS[0], box.YEARS[-1])]  # as printed: 1355 … 1400
    decision: DecisionKind | None  # None once the game is over
    deciders: PerSeat[SeatNumber]
    ending: Ending | None
    event_card: Annotated[int, Within(0, box.CARD_COUNT)]  # 5 is E05; 0 before the first card
    event_number: Annotated[int, Within(0, max(box.CARD_NUMBERS))]
    event: EventKind
    deck_count: Annotated[int, Within(0, box.CARD_COUNT)]
    discards: Annotated[tuple[EventCard, ...], AtMost(box.CARD_COUNT)]  # card numbers, the last drawn last
    robber: Landscape  # landscape number: 28 is L28
    hand: ResourceCards  # own resource cards: wood, wool, grain, brick, ore; empty for a spectator
    card_counts: PerSeat[Annotated[int, Within(0, box.RESOURCE_COUNT * box.CARDS_EACH)]]  # resource cards of each seat
    golds: PerSeat[Gold]  # gold of each seat
    bank: Annotated[tuple[Gold, ...], AtMost(box.COMMODITY_COUNT)]  # wood, wool, grain, brick, ore, gold
    site_owners: PerSite[Owner]  # sites I:1 … I:9, II:1 … II:9, III:1 … III:9, IV:1 … IV:7, V:1 … V:7
    bar_owners: PerSite[Owner]  # segments in the order of the sites
    starting_sites: PerSeat[Site]  # for each seat the site, as a place in site_owners, that pays its first cards
    corner_owners: Annotated[tuple[Owner, ...], AtMost(box.CORNER_COUNT)]  # the twelve workshop corners
    wayrights: Annotated[tuple[Owner, ...], AtMost(box.ROAD_COUNT)]  # holders for the roads I … V
    council: Annotated[tuple[Owner, ...], AtMost(len(box.COUNCIL_POINTS))]  # holders of the cards seven, small, great
    walls: Annotated[int, Within(0, box.WALL_PLACES)]
    towers: Annotated[int, Within(0, box.TOWER_PLACES)]
    prestiges: PerSeat[Annotated[int, Within(0, MAX_PRESTIGE)]]
    points: PerSeat[Annotated[int, Within(0, MAX_POINTS)]]
    main_action_count: Annotated[int, Within(0, box.MAIN_ACTIONS_PER_TURN)]
    proposal_count: Annotated[int, Within(0, box.PROPOSALS_PER_TURN)]
    trade: Trade | None
    free_wall_seats: PerSeat[SeatNumber]  # seats whose turn to be offered a free wall is still to come
    chips_due: Annotated[int, Within(0, MAX_PRESTIGE)]  # chips the active player still gets after this decision
    counted_cards: PerSeatAndResource[Reckoned]  # what the viewer can add up, unknown draws left out; may be < 0
    least_cards: PerSeatAndResource[Reckoned]  # the least of that since its last draw, less what it then offered
    card_draws: Annotated[tuple[CardDraw, ...], AtMost(MAX_DRAWS)]  # all cards drawn from hands, the last one last


COLORS = tuple(Color)
EVENT_KINDS = tuple(EventKind)


def observe(state: State, seat: Seat | None) -> View:
    """N10: the view of a seat, or of a spectator; deck order and chance are nobody's (N10.4)."""
    if seat is not None and seat not in range(state.seats):
        raise no_such_seat(seat, state.seats)
    seats: Int = state.seats
    now: Int = state.agenda_count - 1
    step: Int = state.agenda[now] if now >= 0 else -1
    ending: Int = state.ending
    card: Int = state.card
    hands = listed(state.hands, 0, seats * box.COMMODITY_COUNT)
    is_trading = step in (ASK_REPLY, ASK_PICK)
    draws, counted, least = count_cards(state, seat)
    return View(
        seat=seat,
        seat_count=state.seats,
        setup=SetUp(state.setup),
        colors=tuple([COLORS[color] for color in listed(state.colors, 0, seats)]),
        first_seat=state.first_seat,
        active=state.active,
        turn=state.turn,
        year=box.YEARS[state.year],
        decision=None if now < 0 else DECISION_KINDS[step],
        deciders=seats_in(asked_seats(state)),
        ending=None if ending == UNDECIDED else Ending(ending),
        event_card=card + 1,
        event_number=0 if card == box.NOBODY else box.CARD_NUMBERS[card],
        event=EVENT_KINDS[0] if card == box.NOBODY else box.CARD_EVENTS[card],
        deck_count=box.CARD_COUNT - state.drawn_count,
        discards=tuple([drawn + 1 for drawn in listed(state.cards, 0, state.drawn_count)]),
        robber=state.robber + 1,
        hand=() if seat is None else tuple(hands[seat * box.COMMODITY_COUNT :][: box.RESOURCE_COUNT]),
        card_counts=tuple([card_count(state, other) for other in range(seats)]),
        golds=tuple(hands[box.GOLD :: box.COMMODITY_COUNT]),
        bank=tupled(state.bank, 0, box.COMMODITY_COUNT),
        site_owners=tupled(state.site_owners, 0, box.SITE_COUNT),
        bar_owners=tupled(state.bar_owners, 0, box.SITE_COUNT),
        starting_sites=tupled(state.starting_sites, 0, seats),
        corner_owners=corner_owners(state),
        wayrights=tupled(state.wayrights, 0, box.ROAD_COUNT),
        council=tuple(listed(state.council, 0, len(box.COUNCIL_POINTS))),
        walls=state.walls,
        towers=state.towers,
        prestiges=tupled(state.prestige, 0, seats),
        points=tuple([points(state, other) for other in range(seats)]),
        main_action_count=state.main_actions,
        proposal_count=state.proposals,
        trade=Trade(bundle_in(state.trade_give), bundle_in(state.trade_want), replies_of(state))
        if is_trading
        else None,
        free_wall_seats=tuple(
            [state.step_seats[later] for later in range(now - 1, -1, -1) if state.agenda[later] == OFFER_FREE_WALL]
        ),
        chips_due=sum(
            [state.step_counts[later] for later in range(state.agenda_count) if state.agenda[later] == GRANT_CHIPS]
        ),
        counted_cards=counted,
        least_cards=least,
        card_draws=draws,
    )


def count_cards(state: State, seat: Seat | None) -> tuple[tuple[CardDraw, ...], tuple[int, ...], tuple[int, ...]]:
    """N10.5: all draws as the seat saw them, and everybody's cards as far as it can add them up.

    Every card that moves is seen by all but for those drawn by others from others. What these brought a hand is taken
    off the true amounts, so that only what the seat has seen is left.
    """
    unknown: Annotated[Smalls, SEATS * box.RESOURCE_COUNT] = [0] * (SEATS * box.RESOURCE_COUNT)
    draws: list[CardDraw] = []
    for at in range(state.draw_count):
        victim = state.draw_victims[at]
        taker = state.draw_takers[at]
        kind = state.draw_kinds[at]
        is_known = seat in (victim, taker)
        draws.append(
            CardDraw(
                taker,
                victim,
                RESOURCES[kind] if is_known else None,
                seen_cards(state.draw_hands[at], unknown, victim),
                seen_cards(state.draw_victim_lows[at], unknown, victim),
                seen_cards(state.draw_taker_lows[at], unknown, taker),
            )
        )
        if not is_known:
            unknown[victim * box.RESOURCE_COUNT + kind] -= 1
            unknown[taker * box.RESOURCE_COUNT + kind] += 1
    counted: list[int] = []
    least: list[int] = []
    for other in range(state.seats):
        for kind in range(box.RESOURCE_COUNT):
            held: Int = other * box.COMMODITY_COUNT + kind
            unseen: Int = unknown[other * box.RESOURCE_COUNT + kind]
            counted.append(state.hands[held] - unseen)
            least.append(state.lows[held] - unseen)
    return tuple(draws), tuple(counted), tuple(least)


def seen_cards(cards: Int, unknown: Smalls, seat: Int) -> tuple[int, ...]:
    """N10.5: five amounts without what unseen cards brought."""
    first = seat * box.RESOURCE_COUNT
    return tuple([(cards >> 5 * kind & 31) - unknown[first + kind] for kind in range(box.RESOURCE_COUNT)])


def corner_owners(state: State) -> tuple[int, ...]:
    """N1.16: who has a workshop on each corner."""
    owners = [box.NOBODY] * box.CORNER_COUNT
    for seat in range(state.seats):
        corners = state.workshops[seat]
        if corners:
            for corner in range(box.CORNER_COUNT):
                if corners >> corner & 1:
                    owners[corner] = seat
    return tuple(owners)
