"""F7: phase 4, building up to two cards."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.actions import Action, BuildCard
from referee.games.furstenfeld.codes import (
    BUILD_CARD,
    BUILDING_STOPPED,
    CARD_BUILT,
    PALACE_FINISHED,
    PALACE_PRICE_RAISED,
    STOP,
    Choice,
    argument_of,
    card_at,
    choice_of,
    kind_of_choice,
    position_of,
    site_of,
)
from referee.games.furstenfeld.components import CARD_COUNT, LOT_COUNT
from referee.games.furstenfeld.effects import ADVANCED_LOT, COST, DISCOUNT, IS_PALACE
from referee.games.furstenfeld.scoring import visible_parts
from referee.games.furstenfeld.state import (
    ASK_BUILD,
    State,
    do_next,
    hand_of,
    take_from_hand,
    visible,
)
from referee.rows import Events, Int, Ints, Listing, Smalls

NO_PRICE = 0
PRICES: Smalls = [*box.PALACE_PRICES, NO_PRICE]
LOT_SETS = 1 << LOT_COUNT
_OPEN_LOTS = [[position for position in range(LOT_COUNT) if not closed >> position & 1] for closed in range(LOT_SETS)]
OPEN_COUNT: Smalls = [len(positions) for positions in _OPEN_LOTS]
SITES: Ints = [  # of every card and set of closed lots, with room for all lots
    choice_of(BUILD_CARD, site_of(card, position))
    for card in range(CARD_COUNT + 1)
    for positions in _OPEN_LOTS
    for position in (positions + [0] * LOT_COUNT)[:LOT_COUNT]
]


def first_site(card: Int, closed: Int) -> Int:
    """Return the place of the first site of a card; as many follow as there are open lots."""
    return (card * LOT_SETS + closed) * LOT_COUNT


def palace_price(state: State) -> Int:
    """F7.9, F7.10: the number on the top palace price card; `NO_PRICE` when the last card is gone."""
    return PRICES[state.palace_parts // state.seats]


def price_markers(state: State) -> Int:
    """F7.9: how many markers lie on the top palace price card."""
    return state.palace_parts % state.seats


def cost(state: State, seat: Int, card: Int) -> Int:
    """F7.3, F7.4: the printed cost or the palace price, 2 less while a crane is visible, but at least 0.

    The crane itself cannot be visible while it is built, and a card on top of it is paid before it covers it.
    """
    full = palace_price(state) if IS_PALACE[card] else COST[card]
    return max(0, full - visible(state, seat, DISCOUNT))


def only_lot(state: State, card: Int) -> Int:
    """F7.11: the one lot of a palace part in the advanced game; 0 for a card that may lie anywhere."""
    return ADVANCED_LOT[card] if state.is_advanced else 0


def closed_lots(state: State, seat: Int) -> Int:
    """F7.6: bit set of the lots that show a palace part; bit 0 is lot 1."""
    closed = 0
    for position in range(LOT_COUNT):
        closed |= IS_PALACE[state.lots[seat * LOT_COUNT + position]] << position
    return closed


def build_options(state: State, seat: Int, listing: Listing) -> None:
    """F7.1, F7.5, F7.6: `stop`, then every affordable card on every lot without a palace part, or on its only lot."""
    closed = closed_lots(state, seat)
    purse = state.money[seat] + visible(state, seat, DISCOUNT)
    part_price = palace_price(state)
    listing.add(STOP)
    for card in state.hand[seat * CARD_COUNT : seat * CARD_COUNT + state.hand_count[seat]]:
        if (part_price if IS_PALACE[card] else COST[card]) > purse:
            continue
        lot = only_lot(state, card)
        if not lot:
            first = first_site(card, closed)
            listing.add_all(SITES, first, first + OPEN_COUNT[closed])
        elif not closed >> lot - 1 & 1:
            listing.add(choice_of(BUILD_CARD, site_of(card, lot - 1)))


def refuse_build(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F7.2, F7.5, F7.8, F7.11: say why this cannot be built."""
    if not isinstance(action, BuildCard):
        return IllegalActionError("F7.1", "building is asked: build a card or stop")
    card, name = action.card.value, action.card.name.lower()
    if card not in hand_of(state, seat):
        return IllegalActionError("F7.2", f"{name} is not in your hand")
    if not 1 <= action.lot <= box.LOT_COUNT:
        return IllegalActionError("F1.7", f"there is no lot {action.lot}; expected 1 to {box.LOT_COUNT}")
    shown = state.lots[seat * LOT_COUNT + action.lot - 1]
    if IS_PALACE[shown]:
        return IllegalActionError(
            "F7.8", f"lot {action.lot} shows {box.CARDS[shown].name.lower()}, which is never covered"
        )
    if only_lot(state, card) not in (0, action.lot):
        return IllegalActionError("F7.11", f"{name} may only be built on lot {only_lot(state, card)}")
    return IllegalActionError("F7.5", f"{name} costs {cost(state, seat, card)}, but you have {state.money[seat]} coins")


def resolve_build(state: State, seat: Int, built: Int, choice: Choice, events: Events) -> None:
    """F7.1, F7.2: pay, cover what lies there, and go on to the second card."""
    if kind_of_choice(choice) == STOP:
        events.tell(BUILDING_STOPPED, seat)
        return
    card = card_at(argument_of(choice))
    position = position_of(argument_of(choice))
    paid = cost(state, seat, card)
    state.money[seat] -= paid
    take_from_hand(state, seat, card)
    covered = state.lots[seat * LOT_COUNT + position]
    if covered <= box.CARD_COUNT:  # F7.7: a covered card leaves the game; printed fields and bare ground are no cards
        state.covered[seat * CARD_COUNT + state.covered_count[seat]] = covered
        state.covered_count[seat] += 1
    state.lots[seat * LOT_COUNT + position] = card
    events.tell(CARD_BUILT, seat, card, position + 1, paid, covered)
    if IS_PALACE[card]:
        mark_palace_part(state, seat, events)
    do_next(state, ASK_BUILD, seat, built + 1)


def mark_palace_part(state: State, seat: Int, events: Events) -> None:
    """F7.9, F11.1: one more marker on the top price card, which goes when it is full; six parts finish a palace."""
    state.palace_parts += 1
    if price_markers(state) == 0:
        events.tell(PALACE_PRICE_RAISED, palace_price(state))
    if visible_parts(state, seat) == box.PARTS_TO_WIN:
        events.tell(PALACE_FINISHED, seat)
