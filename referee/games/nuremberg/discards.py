"""N9 discard: the vectors that a hand can give up, by their number: they are counted and not listed in a `Listing`.

A hand of all the cards could be halved in more than 100,000 ways, and no other decision has more than 300 options.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.nuremberg.codes import DISCARD_CARDS, Choice, choice_of
from referee.games.nuremberg.components import CARDS_EACH, COMMODITY_COUNT, RESOURCE_COUNT
from referee.games.nuremberg.state import State, card_count
from referee.rows import Int, Ints, Struct

TOTALS = RESOURCE_COUNT * CARDS_EACH // 2 + 1  # room for every number of cards that is given up


class Halves(Struct):
    """The ways to give up half of a hand, rounded down, descending lexicographically in resource order."""

    due: Int
    hand: Annotated[Ints, RESOURCE_COUNT]
    ways: Annotated[Ints, (RESOURCE_COUNT + 1) * TOTALS]  # kind x count: to give up so many cards of it and later kinds

    def open(self, state: State, seat: Int) -> None:
        """Count the ways for a seat's hand."""
        self.due = card_count(state, seat) // 2
        for kind in range(RESOURCE_COUNT):
            self.hand[kind] = state.hands[seat * COMMODITY_COUNT + kind]
        for count in range(self.due + 1):
            self.ways[RESOURCE_COUNT * TOTALS + count] = 1 if count == 0 else 0
        for kind in range(RESOURCE_COUNT - 1, -1, -1):
            for count in range(self.due + 1):
                found = 0
                for amount in range(min(self.hand[kind], count) + 1):
                    found += self.ways[(kind + 1) * TOTALS + count - amount]
                self.ways[kind * TOTALS + count] = found

    def count(self) -> Int:
        """Return how many ways there are."""
        return self.ways[self.due]

    def choice(self, number: Int) -> Choice:
        """N9 discard: the way with this number, counted from 0."""
        cards = 0
        left = self.due
        passed = number
        for kind in range(RESOURCE_COUNT):
            amount = min(self.hand[kind], left)
            while passed >= self.ways[(kind + 1) * TOTALS + left - amount]:
                passed -= self.ways[(kind + 1) * TOTALS + left - amount]
                amount -= 1
            cards |= amount << 5 * kind
            left -= amount
        return choice_of(DISCARD_CARDS, cards)


def discard_codes(state: State, seat: Int) -> list[int]:
    """N9 discard: all options of a seat."""
    halves = Halves()
    halves.open(state, seat)
    return [halves.choice(number) for number in range(halves.count())]
