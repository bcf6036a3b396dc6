"""N4.6: the robber knight: discards, the robber's move, the robbery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg import state as states
from referee.games.nuremberg.actions import Action, DiscardCards, MoveRobber, RobNobody, RobPlayer, is_index
from referee.games.nuremberg.components import Resource
from referee.games.nuremberg.events import CardRobbed, CardsDiscarded, Event, NobodyRobbed, RobberMoved
from referee.games.nuremberg.state import State, Step, draw_random_card, hand_of, in_turn_order, pay

MOVES = tuple(MoveRobber(landscape + 1) for landscape in range(box.LANDSCAPE_COUNT))
ROB_NOBODY = RobNobody()
ROBBERIES = tuple(RobPlayer(seat) for seat in range(4))


def robber_steps(state: State) -> tuple[Step, ...]:
    """N4.6: discards of all who hold more than the limit, then the move, then the robbery."""
    hoarders = tuple(seat for seat in range(state.seats) if sum(hand_of(state, seat)) > box.HAND_LIMIT)
    if hoarders:
        return (states.AskDiscards(hoarders), states.AskRobberMove(), states.AskRobbery())
    return (states.AskRobberMove(), states.AskRobbery())


def discard_options(state: State, step: states.AskDiscards, seat: Seat) -> list[Action]:
    """N9 discard: all vectors of half the cards (rounded down), descending lexicographically in resource order."""
    hand = hand_of(state, seat)
    return [DiscardCards(cards) for cards in _vectors(hand, sum(hand) // 2)]


def _vectors(hand: list[int], total: int) -> Iterator[tuple[int, ...]]:
    """All ways to take `total` cards out of a hand of five kinds, most of the first kind first."""
    wood, wool, grain, brick, ore = hand
    for a in range(min(wood, total), -1, -1):
        after_wood = total - a
        for b in range(min(wool, after_wood), -1, -1):
            after_wool = after_wood - b
            for c in range(min(grain, after_wool), -1, -1):
                after_grain = after_wool - c
                for d in range(min(brick, after_grain), max(after_grain - ore, 0) - 1, -1):
                    yield (a, b, c, d, after_grain - d)


def default_discard(state: State, step: states.AskDiscards, seat: Seat) -> Action:
    """N9 discard: one by one from the most numerous kind, ties from the canonically first."""
    hand = hand_of(state, seat)
    cards = [0] * box.RESOURCE_COUNT
    for _ in range(sum(hand) // 2):
        kind = hand.index(max(hand))
        hand[kind] -= 1
        cards[kind] += 1
    return DiscardCards(tuple(cards))


def check_discard(state: State, step: states.AskDiscards, seat: Seat, action: Action) -> None:
    """N4.6.1: exactly half the cards, rounded down, all of them held."""
    if not isinstance(action, DiscardCards):
        raise IllegalActionError("N4.6.1", "expected DiscardCards")
    cards: object = action.cards
    if (
        not isinstance(cards, tuple)
        or len(cards) != box.RESOURCE_COUNT
        or any(type(amount) is not int for amount in cards)
    ):
        raise IllegalActionError("N4.6.1", f"expected {box.RESOURCE_COUNT} amounts")
    hand = hand_of(state, seat)
    for kind, amount in enumerate(cards):
        if not 0 <= amount <= hand[kind]:
            raise IllegalActionError("N4.6.1", f"cannot discard {amount} {Resource(kind).name.lower()} of {hand[kind]}")
    due = sum(hand) // 2
    if sum(cards) != due:
        raise IllegalActionError("N4.6.1", f"{sum(cards)} cards are discarded; expected {due} of {sum(hand)}")


def resolve_discards(
    state: State, step: states.AskDiscards, choices: Mapping[Seat, Action], events: list[Event]
) -> None:
    """N4.6.1: all discards become public together."""
    state.agenda.done()
    for seat in step.seats:
        action = choices[seat]
        assert isinstance(action, DiscardCards)
        pay(state, seat, tuple(enumerate(action.cards)))
        events.append(CardsDiscarded(seat, action.cards))


def move_options(state: State, step: states.AskRobberMove, seat: Seat) -> list[Action]:
    """N9 robber_move: all numbered landscapes but the robber's own, by id."""
    return [MOVES[landscape] for landscape in box.NUMBERED_LANDSCAPES if landscape != state.robber]


def default_move(state: State, step: states.AskRobberMove, seat: Seat) -> Action:
    """N9 robber_move: first with an opponent's and no own settlement, else with no own one, else first."""
    targets = [landscape for landscape in box.NUMBERED_LANDSCAPES if landscape != state.robber]
    owners = {landscape: [state.site_owners[site] for site in box.LANDSCAPE_SITES[landscape]] for landscape in targets}
    harmless = [landscape for landscape in targets if seat not in owners[landscape]]
    harmful = [landscape for landscape in harmless if any(owner != box.NOBODY for owner in owners[landscape])]
    return MOVES[(harmful or harmless or targets)[0]]


def check_move(state: State, step: states.AskRobberMove, seat: Seat, action: Action) -> None:
    """N4.6.2: a numbered landscape other than the one he stands on."""
    if not isinstance(action, MoveRobber):
        raise IllegalActionError("N4.6.2", "expected MoveRobber")
    if not is_index(action.landscape, box.LANDSCAPE_COUNT + 1) or action.landscape - 1 not in box.NUMBERED_LANDSCAPES:
        raise IllegalActionError("N4.6.2", f"landscape {action.landscape!r} has no number")
    if action.landscape - 1 == state.robber:
        raise IllegalActionError("N4.6.2", f"the robber already stands on landscape {action.landscape}")


def resolve_move(state: State, step: states.AskRobberMove, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N4.6.2: put the robber on the chosen landscape."""
    action = choices[state.active]
    assert isinstance(action, MoveRobber)
    state.agenda.done()
    state.robber = action.landscape - 1
    events.append(RobberMoved(state.active, action.landscape))


def _victims(state: State, seat: Seat) -> list[Seat]:
    return [other for other in in_turn_order(state, seat)[1:] if any(hand_of(state, other))]


def robbery_options(state: State, step: states.AskRobbery, seat: Seat) -> list[Action]:
    """N9 robber_steal: nobody, then the opponents with at least one card in turn order."""
    return [ROB_NOBODY, *[ROBBERIES[victim] for victim in _victims(state, seat)]]


def default_robbery(state: State, step: states.AskRobbery, seat: Seat) -> Action:
    """N9 robber_steal: the opponent with most cards, ties to the nearest clockwise; nobody if all hands are empty."""
    victims = _victims(state, seat)
    if not victims:
        return ROB_NOBODY
    return ROBBERIES[max(victims, key=lambda victim: sum(hand_of(state, victim)))]


def check_robbery(state: State, step: states.AskRobbery, seat: Seat, action: Action) -> None:
    """N4.6.3: an opponent who has a card, or nobody."""
    match action:
        case RobNobody():
            return
        case RobPlayer(victim):
            if not is_index(victim, state.seats) or victim == seat:
                raise IllegalActionError("N4.6.3", f"seat {victim!r} is no opponent")
            if not any(hand_of(state, victim)):
                raise IllegalActionError("N4.6.3", f"seat {victim} has no resource card")
        case _:
            raise IllegalActionError("N4.6.3", "expected RobNobody or RobPlayer")


def resolve_robbery(state: State, step: states.AskRobbery, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N4.6.3: one card drawn uniformly at random goes to the active player; gold is safe."""
    state.agenda.done()
    action = choices[state.active]
    if isinstance(action, RobPlayer):
        kind = draw_random_card(state, action.seat, state.active)
        events.append(CardRobbed(state.active, action.seat, Resource(kind)))
    else:
        events.append(NobodyRobbed(state.active))
