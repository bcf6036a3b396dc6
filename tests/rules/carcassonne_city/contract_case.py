"""What the contract tests need to know about Carcassonne: The City."""

from __future__ import annotations

from referee.game import Seat
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.state import State
from referee.rng import Rng
from tests.contract.case import Configuration, ContractCase
from tests.rules.carcassonne_city.invariants import check_invariants


def most_choices(seats: int) -> int:
    """C12.8: at most 75 turns of at most 16 decisions."""
    return 75 * 16


def scramble(state: State, seat: Seat | None, rng: Rng) -> State:
    """C14: nobody knows the undrawn tiles, nor which pile they lie in; after the end nothing is hidden."""
    twin = GAME.clone(state)
    if GAME.outcome(state) is None:
        rng.shuffle(twin.deck)
    return twin


CASE = ContractCase(
    game=GAME,
    configurations=tuple(Configuration(seats) for seats in (2, 3, 4)),
    most_choices=most_choices,
    check_invariants=check_invariants,
    scramble=scramble,
)
