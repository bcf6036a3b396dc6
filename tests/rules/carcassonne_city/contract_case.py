"""What the contract tests need to know about Carcassonne: The City."""

from __future__ import annotations

from collections import Counter

from referee.contract.case import Configuration, ContractCase
from referee.game import Seat
from referee.games.carcassonne_city.components import BOX
from referee.games.carcassonne_city.events import Event, TileDrawn
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.state import State
from referee.games.carcassonne_city.view import View
from referee.rng import Rng
from tests.rules.carcassonne_city.builders import opened
from tests.rules.carcassonne_city.invariants import check_invariants


def max_choices(seats: int) -> int:
    """C12.8: at most 75 turns of at most 16 decisions."""
    return 75 * 16


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """C14: nobody knows the undrawn tiles, nor which pile they lie in; after the end nothing is hidden."""
    twin = GAME.clone(state)
    if GAME.outcome(state) is None:
        deck = opened(twin).deck.all()
        rng.shuffle(deck)
        opened(twin).deck = deck
    return twin


class TileCounter:
    """C14: every tile drawn was shown, so all know which are left."""

    def __init__(self, first: View, seat: Seat) -> None:
        assert first.drawn_tile is not None
        self.left = Counter(BOX)
        self.left.subtract([first.drawn_tile, *first.board_tiles, *first.removed_tiles])

    def hear(self, event: Event) -> None:
        if isinstance(event, TileDrawn):
            self.left[event.tile] -= 1

    def check(self, state: State) -> None:
        assert Counter(opened(state).deck) == +self.left, "C14"


CASE = ContractCase(
    game=GAME,
    configurations=tuple(Configuration(seats) for seats in (2, 3, 4)),
    max_choices=max_choices,
    check_invariants=check_invariants,
    scramble=scramble,
    remember=TileCounter,
)
