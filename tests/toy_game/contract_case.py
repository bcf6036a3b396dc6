"""The toy game as the contract tests see it."""

from __future__ import annotations

from arena_toy.game import CARDS, GAME, PRIZES, BidsRevealed, CardDrawn, Event, State, View

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.rng import Rng


def check_invariants(state: State) -> None:
    hands = [card for hand in state.hands for card in hand]
    assert sorted(hands + state.stock + state.discards) == sorted(CARDS)
    assert sorted(state.prizes + state.gone) == sorted(PRIZES)
    assert sum(state.points) <= sum(state.gone)
    assert all(hand == sorted(hand) for hand in state.hands)


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """Deal again the others' hands, the stock and the prizes to come."""
    other = GAME.clone(state)
    unknown = other.stock[:]
    for owner, hand in enumerate(other.hands):
        if owner != seat:
            unknown += hand
    rng.shuffle(unknown)
    for owner, hand in enumerate(other.hands):
        if owner != seat:
            hand[:] = sorted(unknown.pop() for _ in hand)
    other.stock = unknown
    turned_up = [] if other.agenda.is_empty() else [other.prizes.pop()]
    rng.shuffle(other.prizes)
    other.prizes += turned_up
    return other


class Listener:
    """T3, T6: the bids lie open, and the own hand is known card by card."""

    def __init__(self, first: View, seat: Seat) -> None:
        self.seat, self.hand, self.bids = seat, list(first.hand), list(first.discards)

    def hear(self, event: Event) -> None:
        match event:
            case BidsRevealed(bids):
                self.bids += bids
                self.hand.remove(bids[self.seat])
            case CardDrawn(seat, card) if seat == self.seat:
                assert card is not None
                self.hand.append(card)
            case _:
                pass

    def check(self, state: State) -> None:
        assert sorted(self.hand) == state.hands[self.seat]
        unseen = [card for owner, hand in enumerate(state.hands) if owner != self.seat for card in hand] + state.stock
        assert sorted(unseen + self.hand + self.bids) == sorted(CARDS)


CASE = ContractCase(
    game=GAME,
    configurations=tuple(Configuration(seats, {"rounds": rounds}) for seats in range(2, 6) for rounds in (2, 5)),
    max_choices=lambda seats: 5 * (seats + 1),
    check_invariants=check_invariants,
    scramble=scramble,
    remember=Listener,
)
