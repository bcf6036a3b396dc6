"""N6: wayrights, prestige chips and the council cards."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, KeepCouncilCard, SwapCouncilCard, is_index
from referee.games.nuremberg.codes import (
    COUNCIL_CARD_KEPT,
    COUNCIL_CARD_TAKEN,
    KEEP_COUNCIL_CARD,
    SWAP_COUNCIL_CARD,
    WAYRIGHT_TAKEN,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.nuremberg.scoring import council_card, council_value
from referee.games.nuremberg.state import ASK_COUNCIL_SWAP, GRANT_CHIPS, State, do_next
from referee.games.nuremberg.tables import COUNCIL_CARDS, council_points, is_in_use
from referee.rows import Events, Int, Listing


def settle_wayright(state: State, builder: Int, road: Int, events: Events) -> None:
    """N6.1: the first bar brings the road's card; later only strictly more bars than the holder's move it."""
    holder = state.wayrights[road]
    if holder == builder:
        return
    if holder == box.NOBODY or state.bars[builder * box.ROAD_COUNT + road] > state.bars[holder * box.ROAD_COUNT + road]:
        state.wayrights[road] = builder
        events.tell(WAYRIGHT_TAKEN, builder, road, holder)


def grant_chip(state: State, seat: Int, chip_count: Int, events: Events) -> None:
    """N6.2.1: one chip; a free card is taken at the threshold (N6.4: while there is one), then exchanges may follow."""
    if chip_count > 1:
        do_next(state, GRANT_CHIPS, seat, chip_count - 1)
    state.prestige[seat] += 1
    if state.prestige[seat] >= box.COUNCIL_THRESHOLD and council_card(state, seat) == box.NOBODY:
        best = best_free_card(state)
        if best != box.NOBODY:
            state.council[best] = seat
            events.tell(COUNCIL_CARD_TAKEN, seat, best, box.NOBODY)
    seek_swap(state, seat)


def best_free_card(state: State) -> Int:
    """N6.2.1: the most valuable council card in use that nobody holds, or -1: they are numbered by value."""
    for card in range(COUNCIL_CARDS):
        if state.council[card] == box.NOBODY and is_in_use(card, state.seats):
            return card
    return box.NOBODY


def seek_swap(state: State, decider: Int) -> None:
    """N6.2.2: ask the decider if there is anybody to exchange with; without a candidate the loop stops."""
    if best_candidate(state, decider) != box.NOBODY:
        do_next(state, ASK_COUNCIL_SWAP, decider)


def is_candidate(state: State, decider: Int, card: Int) -> bool:
    """N6.2.2, N6.3: whether a card is better, and its holder has fewer chips, and too few to be safe."""
    owner = state.council[card]
    if owner == box.NOBODY or owner == decider or council_points(card) <= council_value(state, decider):
        return False
    return state.prestige[owner] < min(state.prestige[decider], box.COUNCIL_LOCK)


def best_candidate(state: State, decider: Int) -> Int:
    """N6.2.2: the holder of the best card that the decider may claim, or nobody: they are numbered by value."""
    for card in range(COUNCIL_CARDS):
        if is_candidate(state, decider, card):
            return state.council[card]
    return box.NOBODY


def swap_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 council_swap: pass, then the candidates by card value descending."""
    listing.add(KEEP_COUNCIL_CARD)
    for card in range(COUNCIL_CARDS):
        if is_candidate(state, seat, card):
            listing.add(choice_of(SWAP_COUNCIL_CARD, state.council[card]))


def default_swap(state: State, seat: Int) -> Choice:
    """N9 council_swap: the most valuable card."""
    return choice_of(SWAP_COUNCIL_CARD, best_candidate(state, seat))


def check_swap(state: State, seat: Int, action: Action) -> None:
    """N6.2.2: only candidates can be asked for their card."""
    match action:
        case KeepCouncilCard():
            return
        case SwapCouncilCard(owner):
            if not is_index(owner, state.seats) or not is_claimable(state, seat, owner):
                raise IllegalActionError(
                    "N6.2.2",
                    f"seat {owner!r} has no better council card that your {state.prestige[seat]} chips can claim",
                )
        case _:
            raise IllegalActionError("N6.2.2", "expected KeepCouncilCard or SwapCouncilCard")


def is_claimable(state: State, decider: Int, owner: Int) -> bool:
    """N6.2.2: whether another seat holds a card that the decider may claim."""
    card = council_card(state, owner)
    return card != box.NOBODY and is_candidate(state, decider, card)


def resolve_swap(state: State, decider: Int, choice: Choice, events: Events) -> None:
    """N6.2.2: exchange the cards; then the player who was replaced decides in turn."""
    if kind_of_choice(choice) != SWAP_COUNCIL_CARD:
        events.tell(COUNCIL_CARD_KEPT, decider)
        return
    owner = argument_of(choice)
    wanted = council_card(state, owner)
    own = council_card(state, decider)
    if own != box.NOBODY:
        state.council[own] = owner
    state.council[wanted] = decider
    events.tell(COUNCIL_CARD_TAKEN, decider, wanted, owner)
    seek_swap(state, owner)
