"""N10: a full state behind what one seat sees, with everything hidden from it drawn at random."""

from __future__ import annotations

from referee.agenda import Agenda
from referee.game import Seat
from referee.games.nuremberg.components import (
    CARD_COUNT,
    CARDS_EACH,
    COMMODITY_COUNT,
    EDITION,
    GOLD,
    NOBODY,
    RESOURCE_COUNT,
    ROAD_COUNT,
    SITE_COUNT,
    SITE_ROADS,
    YEARS,
    Edition,
)
from referee.games.nuremberg.main_phase import START_TURN
from referee.games.nuremberg.setup import placement_order
from referee.games.nuremberg.state import (
    AskCouncilSwap,
    AskDiscards,
    AskPick,
    AskReply,
    AskRobberMove,
    AskRobbery,
    FinishSetup,
    GrantChips,
    MainPhase,
    OfferFreeWall,
    State,
    Step,
)
from referee.games.nuremberg.view import DecisionKind, View
from referee.rng import Rng


def imagine(view: View, seat: Seat, rng: Rng, edition: Edition = EDITION) -> State:
    """N10.2 to N10.4: deal the unseen cards to the other hands, shuffle the deck, start new chance."""
    seats = view.seat_count
    unseen = [card for card in range(CARD_COUNT) if card + 1 not in view.discards]
    rng.shuffle(unseen)
    state = State(
        seats=seats,
        setup=view.setup,
        colors=tuple(int(color) for color in view.colors),
        edition=edition,
        agenda=Agenda[Step]([]),
        deck_rng=Rng(rng.next64()),
        card_rng=Rng(rng.next64()),
        first_seat=view.first_seat,
        active=view.active,
        turn=view.turn,
        year=YEARS.index(view.year),
        card=view.event_card - 1,
        robber=view.robber - 1,
        walls=view.walls,
        towers=view.towers,
        main_actions=view.main_action_count,
        proposals=view.proposal_count,
        ending=view.ending,
        deck=unseen,
        discard=[card - 1 for card in view.discards],
        bank=list(view.bank),
        hands=_imagine_hands(view, seat, rng),
        bar_owners=list(view.bar_owners),
        bar_counts=_bar_counts(view),
        bars=_bars(view),
        site_owners=list(view.site_owners),
        starting_sites=list(view.starting_sites),
        settlements=[view.site_owners.count(owner) for owner in range(seats)],
        workshops=[
            sum(1 << corner for corner, owner in enumerate(view.corner_owners) if owner == holder)
            for holder in range(seats)
        ],
        wayrights=list(view.wayrights),
        council=list(view.council),
        prestige=list(view.prestiges),
    )
    state.agenda.then(*_agenda(view, state))
    return state


def _imagine_hands(view: View, seat: Seat, rng: Rng) -> list[int]:
    """N10.2: the other hands share what neither the bank nor the own hand holds.

    An open trade tells more: who proposed, accepted or countered holds what it promised (N5.16, N5.17).
    """
    hands = [0] * (view.seat_count * COMMODITY_COUNT)
    hands[GOLD::COMMODITY_COUNT] = list(view.golds)
    own = seat * COMMODITY_COUNT
    hands[own : own + RESOURCE_COUNT] = list(view.hand)
    if view.trade is not None:
        promises = [(view.active, view.trade.give), *((reply.seat, reply.want) for reply in view.trade.replies)]
        for promiser, held in promises:
            if promiser != seat and held:
                start = promiser * COMMODITY_COUNT
                hands[start : start + RESOURCE_COUNT] = list(held[:RESOURCE_COUNT])
    hidden = [
        kind
        for kind in range(RESOURCE_COUNT)
        for _ in range(CARDS_EACH - view.bank[kind] - sum(hands[kind::COMMODITY_COUNT]))
    ]
    rng.shuffle(hidden)
    for other in range(view.seat_count):
        start = other * COMMODITY_COUNT
        for _ in range(view.card_counts[other] - sum(hands[start : start + RESOURCE_COUNT])):
            hands[start + hidden.pop()] += 1
    return hands


def _bar_counts(view: View) -> list[int]:
    counts = [0] * ROAD_COUNT
    for segment in range(SITE_COUNT):
        counts[SITE_ROADS[segment]] += view.bar_owners[segment] != NOBODY
    return counts


def _bars(view: View) -> list[int]:
    bars = [0] * (view.seat_count * ROAD_COUNT)
    for segment, owner in enumerate(view.bar_owners):
        if owner != NOBODY:
            bars[owner * ROAD_COUNT + SITE_ROADS[segment]] += 1
    return bars


def _agenda(view: View, state: State) -> tuple[Step, ...]:
    """N9: the steps that lead to this decision and on from it, the next one first."""
    later = tuple(OfferFreeWall(seat) for seat in view.free_wall_seats)
    match view.decision:
        case None:
            return ()
        case DecisionKind.SETUP_PLACE:
            placed = sum(1 for owner in view.site_owners if owner != NOBODY)
            return (*placement_order(state)[placed:], FinishSetup(), START_TURN)
        case DecisionKind.MAIN_ACTION:
            return (MainPhase(),)
        case DecisionKind.TRADE_REPLY:
            assert view.trade is not None
            reply = AskReply(view.deciders[0], view.trade.give, view.trade.want, view.trade.replies)
            return (reply, MainPhase())
        case DecisionKind.TRADE_PICK:
            assert view.trade is not None
            return (AskPick(view.trade.give, view.trade.want, view.trade.replies), MainPhase())
        case DecisionKind.FREE_WALL:
            return (OfferFreeWall(view.deciders[0]), *later, MainPhase())
        case DecisionKind.DISCARD:
            return (AskDiscards(view.deciders), AskRobberMove(), AskRobbery(), MainPhase())
        case DecisionKind.ROBBER_MOVE:
            return (AskRobberMove(), AskRobbery(), MainPhase())
        case DecisionKind.ROBBER_STEAL:
            return (AskRobbery(), MainPhase())
        case DecisionKind.COUNCIL_SWAP:
            chips = (GrantChips(view.active, view.chips_due),) if view.chips_due else ()
            return (AskCouncilSwap(view.deciders[0]), *chips, *later, MainPhase())
