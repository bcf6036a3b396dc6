"""N4.6: the robber knight: discards, the robber's move, the robbery."""

from __future__ import annotations

from typing import Annotated

from referee.game import IllegalActionError
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, DiscardCards, MoveRobber, RobNobody, RobPlayer, is_index
from referee.games.nuremberg.bundles import Amounts, amount_of
from referee.games.nuremberg.codes import (
    CARD_ROBBED,
    CARDS_DISCARDED,
    DISCARD_CARDS,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    ROB_NOBODY,
    ROB_PLAYER,
    ROBBER_MOVED,
    Choice,
    argument_of,
    choice_of,
    kind_of_choice,
)
from referee.games.nuremberg.components import COMMODITY_COUNT, RESOURCE_COUNT, Resource
from referee.games.nuremberg.state import (
    ASK_DISCARDS,
    ASK_ROBBER_MOVE,
    ASK_ROBBERY,
    State,
    card_count,
    do_next,
    draw_random_card,
    give_back,
)
from referee.games.nuremberg.tables import NUMBERED_COUNT, first_corner, numbered_landscape, site_at
from referee.rows import Events, Int, Ints, Listing


def ask_robber(state: State) -> None:
    """N4.6: discards of all who hold more than the limit, then the move, then the robbery."""
    hoarders = 0
    for seat in range(state.seats):
        if card_count(state, seat) > box.HAND_LIMIT:
            hoarders |= 1 << seat
    do_next(state, ASK_ROBBERY)
    do_next(state, ASK_ROBBER_MOVE)
    if hoarders:
        do_next(state, ASK_DISCARDS, 0, hoarders)


def default_discard(state: State, seat: Int) -> Choice:
    """N9 discard: one by one from the most numerous kind, ties from the canonically first."""
    hand: Annotated[Ints, RESOURCE_COUNT] = [0] * RESOURCE_COUNT
    for kind in range(RESOURCE_COUNT):
        hand[kind] = state.hands[seat * COMMODITY_COUNT + kind]
    cards = 0
    for _ in range(card_count(state, seat) // 2):
        most = 0
        for kind in range(1, RESOURCE_COUNT):
            if hand[kind] > hand[most]:
                most = kind
        hand[most] -= 1
        cards += 1 << 5 * most
    return choice_of(DISCARD_CARDS, cards)


def check_discard(state: State, seat: Int, action: Action) -> None:
    """N4.6.1: exactly half the cards, rounded down, all of them held."""
    if not isinstance(action, DiscardCards):
        raise IllegalActionError("N4.6.1", "expected DiscardCards")
    cards: object = action.cards
    if not isinstance(cards, tuple) or len(cards) != RESOURCE_COUNT or any(type(amount) is not int for amount in cards):
        raise IllegalActionError("N4.6.1", f"expected {RESOURCE_COUNT} amounts")
    for kind, amount in enumerate(cards):
        held = state.hands[seat * COMMODITY_COUNT + kind]
        if not 0 <= amount <= held:
            raise IllegalActionError("N4.6.1", f"cannot discard {amount} {Resource(kind).name.lower()} of {held}")
    hand = card_count(state, seat)
    if sum(cards) != hand // 2:
        raise IllegalActionError("N4.6.1", f"{sum(cards)} cards are discarded; expected {hand // 2} of {hand}")


def resolve_discards(state: State, seats: Int, choices: Ints, events: Events) -> None:
    """N4.6.1: all discards of the seats of a bit set become public together."""
    for seat in range(state.seats):
        if seats >> seat & 1:
            cards = Amounts(argument_of(Choice(choices[seat])))
            for kind in range(RESOURCE_COUNT):
                give_back(state, seat, kind, amount_of(cards, kind))
            events.tell(CARDS_DISCARDED, seat, cards)


def move_options(state: State, listing: Listing) -> None:
    """N9 robber_move: all numbered landscapes but the robber's own, by id."""
    for place in range(NUMBERED_COUNT):
        landscape = numbered_landscape(place)
        if landscape != state.robber:
            listing.add(choice_of(MOVE_ROBBER, landscape + 1))


def default_move(state: State, seat: Int) -> Choice:
    """N9 robber_move: first with an opponent's and no own settlement, else with no own one, else first."""
    best = -1
    found = 0  # how harmful the best so far is
    for place in range(NUMBERED_COUNT):
        landscape = numbered_landscape(place)
        if landscape != state.robber and (best < 0 or harm_of(state, seat, landscape) > found):
            best = landscape
            found = harm_of(state, seat, landscape)
    return choice_of(MOVE_ROBBER, best + 1)


def harm_of(state: State, seat: Int, landscape: Int) -> Int:
    """N9 robber_move: 2 for a landscape that harms opponents only, 1 for nobody's, 0 for one with an own settlement."""
    harm = 1
    for place in range(first_corner(landscape), first_corner(landscape + 1)):
        owner = state.site_owners[site_at(place)]
        if owner == seat:
            return 0
        if owner != box.NOBODY:
            harm = 2
    return harm


def check_move(state: State, action: Action) -> None:
    """N4.6.2: a numbered landscape other than the one he stands on."""
    if not isinstance(action, MoveRobber):
        raise IllegalActionError("N4.6.2", "expected MoveRobber")
    if not is_index(action.landscape, box.LANDSCAPE_COUNT + 1) or action.landscape - 1 not in box.NUMBERED_LANDSCAPES:
        raise IllegalActionError("N4.6.2", f"landscape {action.landscape!r} has no number")
    if action.landscape - 1 == state.robber:
        raise IllegalActionError("N4.6.2", f"the robber already stands on landscape {action.landscape}")


def resolve_move(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N4.6.2: put the robber on the chosen landscape."""
    state.robber = argument_of(choice) - 1
    events.tell(ROBBER_MOVED, seat, argument_of(choice))


def robbery_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 robber_steal: nobody, then the opponents with at least one card in turn order."""
    listing.add(ROB_NOBODY)
    for offset in range(1, state.seats):
        victim = (seat + offset) % state.seats
        if card_count(state, victim):
            listing.add(choice_of(ROB_PLAYER, victim))


def default_robbery(state: State, seat: Int) -> Choice:
    """N9 robber_steal: the opponent with most cards, ties to the nearest clockwise; nobody if all hands are empty."""
    best = -1
    most = 0
    for offset in range(1, state.seats):
        victim = (seat + offset) % state.seats
        if card_count(state, victim) > most:
            best = victim
            most = card_count(state, victim)
    return Choice(ROB_NOBODY) if best < 0 else choice_of(ROB_PLAYER, best)


def check_robbery(state: State, seat: Int, action: Action) -> None:
    """N4.6.3: an opponent who has a card, or nobody."""
    match action:
        case RobNobody():
            return
        case RobPlayer(victim):
            if not is_index(victim, state.seats) or victim == seat:
                raise IllegalActionError("N4.6.3", f"seat {victim!r} is no opponent")
            if not card_count(state, victim):
                raise IllegalActionError("N4.6.3", f"seat {victim} has no resource card")
        case _:
            raise IllegalActionError("N4.6.3", "expected RobNobody or RobPlayer")


def resolve_robbery(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N4.6.3: one card drawn uniformly at random goes to the active player; gold is safe."""
    if kind_of_choice(choice) == ROB_PLAYER:
        victim = argument_of(choice)
        kind = draw_random_card(state, victim, seat)
        events.tell(CARD_ROBBED, seat, victim, kind)
    else:
        events.tell(NOBODY_ROBBED, seat)
